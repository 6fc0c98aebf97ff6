#include "vinculum/io/write_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "io/beside.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

/// Where a path leads when links are followed; the path itself where nothing is there yet.
std::string followed(const std::string& path) {
  const std::unique_ptr<char, void (*)(void*)> real(realpath(path.c_str(), nullptr), std::free);
  return real ? real.get() : path;
}

}  // namespace

Beside::Beside(const std::string& path) : path_(path), target_(followed(path)) {
  struct stat there{};
  const bool exists = stat(target_.c_str(), &there) == 0;
  if (exists && S_ISDIR(there.st_mode)) refuse(EISDIR);
  const bool direct = exists && !S_ISREG(there.st_mode);
  if (!direct) partial_ = target_ + ".partial-" + std::to_string(getpid());
  file_ = direct ? open(target_.c_str(), O_WRONLY | O_CLOEXEC)
                 : open(partial_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) {
    partial_.clear();  // not ours to remove
    refuse(errno);
  }
  // Who may read the old file may read the new one, and nobody else.
  if (!direct && exists && fchmod(file_, there.st_mode & 07777) != 0) {
    const int why = errno;
    close(file_);
    unlink(partial_.c_str());
    refuse(why);
  }
}

Beside::~Beside() {
  if (file_ >= 0) close(file_);
  if (!partial_.empty()) unlink(partial_.c_str());
}

void Beside::write_all(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) refuse(written < 0 ? errno : EIO);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void Beside::keep() {
  // A pipe or a terminal cannot be flushed to disk, and need not be.
  if (fsync(file_) != 0 && errno != EINVAL && errno != EROFS) refuse(errno);
  const int file = file_;
  file_ = -1;
  if (close(file) != 0) refuse(errno);
  if (!partial_.empty() && std::rename(partial_.c_str(), target_.c_str()) != 0) refuse(errno);
  partial_.clear();
}

void Beside::refuse(int why) const { fail("cannot write '" + path_ + "': " + std::strerror(why)); }

void write_file(const std::string& path, std::string_view bytes) {
  Beside file(path);
  file.write_all(bytes);
  file.keep();
}

}  // namespace vinculum
