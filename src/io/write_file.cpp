#include "vinculum/io/write_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

/// A file beside the target that disappears unless it is kept.
class Beside {
 public:
  explicit Beside(const std::string& target)
      : target_(target), path_(target + ".partial-" + std::to_string(getpid())) {
    file_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file_ < 0) refuse();
  }
  ~Beside() {
    if (file_ >= 0) close(file_);
    if (!kept_) unlink(path_.c_str());
  }
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;

  void write_all(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::write(file_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) refuse();
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void keep() {
    // A pipe or a terminal cannot be flushed to disk, and need not be.
    if (fsync(file_) != 0 && errno != EINVAL && errno != EROFS) refuse();
    const int file = file_;
    file_ = -1;
    if (close(file) != 0) refuse();
    if (std::rename(path_.c_str(), target_.c_str()) != 0) refuse();
    kept_ = true;
  }

 private:
  [[noreturn]] void refuse() const {
    const std::string why = std::strerror(errno);
    fail("cannot write '" + target_ + "': " + why);
  }
  std::string target_, path_;
  int file_ = -1;
  bool kept_ = false;
};

}  // namespace

void write_file(const std::string& path, std::string_view bytes) {
  Beside file(path);
  file.write_all(bytes);
  file.keep();
}

}  // namespace vinculum
