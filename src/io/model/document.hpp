// A TOML text as a plain tree in the order of the file, every part with its place.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/io/read_model.hpp"

namespace vinculum {

/// The text of a file and where its lines begin.
class Source {
 public:
  Source(std::string_view text, std::string path);
  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }
  Place place(std::size_t offset) const;
  /// Of a line and a column counted in characters, as the TOML reader counts them.
  std::size_t offset(int line, int column) const;

 private:
  std::string_view text_;
  std::string path_;
  std::vector<std::size_t> lines_;  // offsets of their first bytes
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
  std::vector<Entry> entries;  // of a table or an array, in the order of the file

  const Entry* find(std::string_view name) const;
  void sort_keys();  ///< so that find() is quick in large tables; to be called when all entries are there

 private:
  std::vector<std::size_t> by_key_;  // the places of large tables' entries, in the order of their keys
};
std::string_view kind_name(Entry::Kind kind);  // "a table", "a number"

/// The tree, or a fault: bytes that are no text, nesting beyond the limit, a break of the rules of TOML.
bool read_document(const Source& source, Entry& root, std::vector<Fault>& faults);

/// Where `p.x` begins, whose last part stands at `at`; `at` itself where no dot stands before it.
std::size_t start_of_dotted_key(std::string_view text, std::size_t at);

/// For every byte of a text's content (and its end) the offset of the source it was written at.
std::vector<std::size_t> places_of_text(const Source& source, const Entry& text);

}  // namespace vinculum
