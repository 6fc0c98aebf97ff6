// The safe way to a file: written under another name beside it, then renamed.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vinculum {

/// Where a path leads when links are followed; the path itself where nothing is there yet.
std::string followed(const std::string& path);

/// A new folder beside (or inside) a place, with a marked name: `target.partial-<process>-<its start>`. ""
/// and errno where none can be made.
std::string make_partial_folder(const std::string& target);

/// Bytes on their way to a file. They are kept in `path.partial-<process>-<its start>` until keep() has
/// flushed them to disk and renamed that over the target; without keep() they disappear and the target is as
/// it was. The partial file is always a new one: what somebody planted under its name is not opened. While it
/// is open it is locked, which tells sweep_partial() that it has an owner. A link to the target is followed.
/// What is no regular file (a pipe, a terminal, /dev/null) cannot be replaced: it gets the bytes in keep(),
/// from a file without a name. Whatever fails is an error with path and reason.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& path);
  /// The other kind, of which there is one for a place: `path.partial` stays when the process ends, however
  /// it does, until discard(). One that is there is gone on with where that is asked for, and an error else;
  /// so is one that another process has open.
  struct Lasting {
    bool go_on = false;
  };
  AtomicFile(const std::string& path, Lasting how);
  static std::string lasting_name(const std::string& path);
  /// Bytes that have no name, and go with this object.
  struct Nameless {};
  explicit AtomicFile(Nameless);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write_all(std::string_view bytes);  ///< behind what is there
  void write_at(std::uint64_t place, std::string_view bytes);
  /// Up to `count` bytes from a place; fewer at the end.
  void read_at(std::uint64_t place, std::size_t count, std::string& bytes) const;
  std::uint64_t size() const { return size_; }
  void resize(std::uint64_t size);

  void keep();
  /// Leaves the partial file where it is, to be found; its path, "" where it has no name.
  std::string leave();
  /// Removes the partial file.
  void discard();

 private:
  [[noreturn]] void refuse(int why) const;
  void close_file();
  void copy_to_target() const;
  std::string path_, target_,
      partial_;  // as given, where it leads, and the file beside that; "" without name
  int file_ = -1;
  bool lasts_ = false;
  std::uint64_t size_ = 0;
};

}  // namespace vinculum
