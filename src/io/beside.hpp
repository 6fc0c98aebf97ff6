// The safe way to a file: written under another name beside it, then renamed.
#pragma once
#include <string>
#include <string_view>

namespace vinculum {

/// Bytes on their way to a file. They are kept in `path.partial-<process>` until keep() has flushed them to
/// disk and renamed that over the target; without keep() they disappear and the target is as it was. A link
/// is followed. What is no regular file (a pipe, a terminal, /dev/null) is written to directly: there is
/// nothing to keep safe, and nothing that may be replaced. Whatever fails is an error with path and reason.
class Beside {
 public:
  explicit Beside(const std::string& path);
  ~Beside();
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  void write_all(std::string_view bytes);
  void keep();

 private:
  [[noreturn]] void refuse(int why) const;
  std::string path_, target_, partial_;  // as given, where it leads, and the file beside that; "" when direct
  int file_ = -1;
};

}  // namespace vinculum
