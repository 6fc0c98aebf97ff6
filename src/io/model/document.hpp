// A TOML text as a plain tree in the order of the file, every part with its place.
#pragma once
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/base/name_map.hpp"
#include "vinculum/io/read_model.hpp"

namespace vinculum {

/// One use of what a file states: a part that uses a component, or one element of what is repeated.
struct Use {
  std::string what;    // the name of a part, or "i = 3"
  std::size_t at = 0;  // offset of the statement that uses it, in its own use
  bool is_part = false;
};

/// The texts of a model: its file, then those it includes, with where their lines begin. An offset counts
/// bytes through all of them. What is stated once may be used many times: the upper half of an offset says
/// in which use, so that a fault in a part knows both its line and who uses it.
class Source {
 public:
  Source(std::string_view text, std::string path);
  int add_file(std::string text, std::string path);  ///< its number
  int files() const { return static_cast<int>(files_.size()); }
  const std::string& path(int file = 0) const { return files_[file].path; }
  std::string_view text(int file = 0) const { return files_[file].text; }
  std::size_t size() const;  ///< bytes of all texts
  Place place(std::size_t offset) const;
  /// Of a line and a column of a file counted in characters, as the TOML reader counts them.
  std::size_t offset(int line, int column, int file = 0) const;

  /// The text an offset lies in, where in it, and the offset of its first byte in the same use.
  struct Spot {
    std::string_view text;
    std::size_t at = 0, first = 0;
  };
  Spot spot(std::size_t offset) const;

  static constexpr int bits_of_offset = 32;
  static std::size_t stated(std::size_t offset) { return offset & ((std::size_t{1} << bits_of_offset) - 1); }
  static std::size_t use_of(std::size_t offset) { return offset >> bits_of_offset; }  ///< 0: none
  static std::size_t in_use(std::size_t offset, std::size_t use) {
    return stated(offset) | (use << bits_of_offset);
  }
  std::size_t add_use(Use use);
  /// "; in part 'leg1', stated at m.toml:31:8": who uses what stands there, from the inside out.
  std::string told_use(std::size_t offset) const;
  std::string part_at(std::size_t offset) const;  ///< the innermost: "leg1"; "" where there is none

 private:
  struct File {
    std::string owned;  // of an included file; the model's own text is the caller's
    std::string_view text;
    std::string path;
    std::size_t first = 0;           // offset of its first byte
    std::vector<std::size_t> lines;  // of the first bytes of its lines, counted from its own
  };
  const File& file_of(std::size_t stated) const;
  std::deque<File> files_;
  std::vector<Use> uses_{Use{}};
};

/// The offset of each byte of a text, and of its end. Bytes that follow each other in the source are one run,
/// and so are those that all stand for one place of it.
class TextPlaces {
 public:
  TextPlaces() = default;
  explicit TextPlaces(const std::vector<std::size_t>& places) {
    for (const std::size_t at : places) add(at);
  }
  bool empty() const { return size_ == 0; }
  void add(std::size_t at);                     ///< of the next byte
  void add(std::size_t at, std::size_t count);  ///< of so many
  std::vector<std::size_t> all() const;

 private:
  struct Run {
    std::size_t at;
    std::uint32_t length;
    std::uint32_t step;  // from byte to byte: 0 or 1
  };
  std::vector<Run> runs_;
  std::size_t size_ = 0;
};

/// One value with its key (elements of arrays have none).
struct Entry {
  enum class Kind { table, array, text, number, boolean, other };
  std::string key;
  std::size_t key_at = 0;  // offset of the key in the source
  std::size_t at = 0;      // offset of the value: of a table its '[' or '{', of a text its opening quote
  Kind kind = Kind::other;
  double number = 0.0;
  bool is_integer = false;
  bool boolean = false;
  std::string text;
  TextPlaces places;           // of a text that is not as in the file
  std::vector<Entry> entries;  // of a table or an array, in the order of the file

  const Entry* find(std::string_view name) const;
  void index_keys();  ///< so that find() is quick in large tables; to be called when all entries are there

 private:
  NameIndex by_key_;  // of large tables
};
std::string_view kind_name(Entry::Kind kind);  // "a table", "a number"

/// The tree, or a fault: bytes that are no text, nesting beyond the limit, a break of the rules of TOML.
bool read_document(const Source& source, Entry& root, std::vector<Fault>& faults, int file = 0);

/// Where `p.x` begins, whose last part stands at `at`; `at` itself where no dot stands before it.
std::size_t start_of_dotted_key(const Source& source, std::size_t at);

/// For every byte of a text's content (and its end) the offset of the source it was written at.
std::vector<std::size_t> places_of_text(const Source& source, const Entry& text);

}  // namespace vinculum
