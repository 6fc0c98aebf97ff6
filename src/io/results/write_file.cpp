#include "vinculum/io/write_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "io/results/atomic_file.hpp"
#include "io/results/owner.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

constexpr int most_names = 1000;  // that are tried for a partial file

/// The first of the names target.partial-.., target.partial-..-2, .. that `make` can make; it returns a
/// negative number and leaves errno EEXIST where something is there already.
template <class Make>
std::string with_new_name(const std::string& target, Make make) {
  const std::string first = target + ".partial-" + owner_mark();
  for (int k = 1; k <= most_names; ++k) {
    const std::string name = k == 1 ? first : first + "-" + std::to_string(k);
    if (make(name.c_str()) >= 0) return name;
    if (errno != EEXIST) break;
  }
  return "";
}

/// A file that has no name and goes with its number.
int open_nameless() {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  return file ? fcntl(fileno(file.get()), F_DUPFD_CLOEXEC, 3) : -1;
}

}  // namespace

std::string followed(const std::string& path) {
  namespace fs = std::filesystem;
  constexpr int most_links = 40;
  fs::path place = path;
  std::error_code trouble;
  // A link to what is not there yet is followed, too: the file is made where it points.
  for (int k = 0; k < most_links && fs::is_symlink(fs::symlink_status(place, trouble)); ++k) {
    const fs::path next = fs::read_symlink(place, trouble);
    if (trouble) break;
    place = next.is_absolute() ? next : place.parent_path() / next;
  }
  const std::unique_ptr<char, void (*)(void*)> real(realpath(place.c_str(), nullptr), std::free);
  return real ? real.get() : place.string();
}

std::string make_partial_folder(const std::string& target) {
  return with_new_name(target, [](const char* name) { return mkdir(name, 0777); });
}

AtomicFile::AtomicFile(const std::string& path) : path_(path), target_(followed(path)) {
  struct stat there{};
  const bool exists = stat(target_.c_str(), &there) == 0;
  if (exists && S_ISDIR(there.st_mode)) refuse(EISDIR);
  if (exists && !S_ISREG(there.st_mode)) {
    file_ = open_nameless();
    if (file_ < 0) refuse(errno);
    return;
  }
  partial_ = with_new_name(target_, [this](const char* name) {
    return file_ = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  });
  if (file_ < 0) refuse(errno);
  // A lock that lets others read (HDF5 takes one of its own for that), but not sweep. Where the file system
  // knows none, the name has to tell.
  flock(file_, LOCK_SH | LOCK_NB);
  // Who may read the old file may read the new one, and nobody else.
  if (exists && fchmod(file_, there.st_mode & 07777) != 0) {
    const int why = errno;
    close_file();
    unlink(partial_.c_str());
    refuse(why);
  }
}

std::string AtomicFile::lasting_name(const std::string& path) { return followed(path) + ".partial"; }

AtomicFile::AtomicFile(const std::string& path, Lasting how)
    : path_(path), target_(followed(path)), partial_(lasting_name(path)), lasts_(true) {
  struct stat there{};
  if (stat(target_.c_str(), &there) == 0 && !S_ISREG(there.st_mode))
    fail("cannot write '" + path + "': what grows while it is computed has to be a regular file");
  const int flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC;
  file_ = open(partial_.c_str(), how.go_on ? flags : flags | O_CREAT | O_EXCL, 0666);
  if (file_ < 0 && errno == EEXIST)
    fail("'" + partial_ +
         "' is there, from a call that did not come to its end: --resume goes on with it; or "
         "remove it");
  if (file_ < 0) refuse(errno);
  // Of the open file and not of the process, so that it tells threads apart as well; HDF5 locks by flock.
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  if (fcntl(file_, F_OFD_SETLK, &lock) != 0 && (errno == EAGAIN || errno == EACCES)) {
    close_file();
    fail("cannot write '" + path + "': another process is writing '" + partial_ + "'");
  }
  if (fstat(file_, &there) != 0) refuse(errno);
  size_ = static_cast<std::uint64_t>(there.st_size);
}

AtomicFile::AtomicFile(Nameless) : path_("a file without a name"), file_(open_nameless()) {
  if (file_ < 0) refuse(errno);
}

void AtomicFile::discard() {
  if (!partial_.empty()) unlink(partial_.c_str());
  partial_.clear();
  close_file();
}

AtomicFile::~AtomicFile() {
  if (!partial_.empty() && !lasts_) unlink(partial_.c_str());
  close_file();
}

void AtomicFile::close_file() {
  if (file_ >= 0) close(file_);
  file_ = -1;
}

void AtomicFile::write_all(std::string_view bytes) { write_at(size_, bytes); }

void AtomicFile::write_at(std::uint64_t place, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = pwrite(file_, bytes.data(), bytes.size(), static_cast<off_t>(place));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) refuse(written < 0 ? errno : EIO);
    bytes.remove_prefix(static_cast<std::size_t>(written));
    place += static_cast<std::uint64_t>(written);
    if (place > size_) size_ = place;
  }
}

void AtomicFile::read_at(std::uint64_t place, std::size_t count, std::string& bytes) const {
  bytes.resize(count);
  std::size_t done = 0;
  while (done < count) {
    const ssize_t n = pread(file_, bytes.data() + done, count - done, static_cast<off_t>(place + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) refuse(errno);
    if (n == 0) break;
    done += static_cast<std::size_t>(n);
  }
  bytes.resize(done);
}

void AtomicFile::resize(std::uint64_t size) {
  if (ftruncate(file_, static_cast<off_t>(size)) != 0) refuse(errno);
  size_ = size;
}

void AtomicFile::keep() {
  if (partial_.empty()) {
    copy_to_target();
  } else {
    if (fsync(file_) != 0 && errno != EINVAL && errno != EROFS) refuse(errno);
    // Renamed while the lock still holds: nobody may take the finished file for one that was left.
    if (std::rename(partial_.c_str(), target_.c_str()) != 0) refuse(errno);
    partial_.clear();
  }
  close_file();
}

std::string AtomicFile::leave() {
  close_file();
  return std::exchange(partial_, "");
}

/// To something that is no file: there is nothing to keep safe. A pipe that nobody reads is not waited for.
void AtomicFile::copy_to_target() const {
  const int out = open(target_.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (out < 0 && errno == ENXIO) fail("cannot write '" + path_ + "': nobody reads from this pipe");
  if (out < 0) refuse(errno);
  fcntl(out, F_SETFL, fcntl(out, F_GETFL) & ~O_NONBLOCK);
  const std::unique_ptr<const int, void (*)(const int*)> closing(&out, [](const int* file) { close(*file); });
  std::string bytes;
  for (std::uint64_t place = 0; place < size_; place += bytes.size()) {
    read_at(place, 1 << 20, bytes);
    if (bytes.empty()) refuse(EIO);
    for (std::string_view rest = bytes; !rest.empty();) {
      const ssize_t written = ::write(out, rest.data(), rest.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) refuse(written < 0 ? errno : EIO);
      rest.remove_prefix(static_cast<std::size_t>(written));
    }
  }
}

void AtomicFile::refuse(int why) const { fail("cannot write '" + path_ + "': " + std::strerror(why)); }

void write_file(const std::string& path, std::string_view bytes) {
  AtomicFile file(path);
  file.write_all(bytes);
  file.keep();
}

}  // namespace vinculum
