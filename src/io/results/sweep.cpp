// What runs have left that were ended from outside.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "io/results/atomic_file.hpp"
#include "io/results/owner.hpp"
#include "io/results/result_folder.hpp"
#include "vinculum/io/write_file.hpp"

namespace vinculum {
namespace {

namespace fs = std::filesystem;

/// The lock of what nobody holds; it goes with this.
class Lock {
 public:
  explicit Lock(const std::string& path)
      : file_(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) {
    struct stat at{};
    held_ = file_ >= 0 && fstat(file_, &at) == 0 && (S_ISREG(at.st_mode) || S_ISDIR(at.st_mode)) &&
            flock(file_, LOCK_EX | LOCK_NB) == 0;
  }
  ~Lock() {
    if (file_ >= 0) close(file_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  bool held() const { return held_; }

 private:
  int file_;
  bool held_ = false;
};

bool remove_partial(const std::string& path) {
  if (!has_owner_mark(path) || owner_lives(path)) return false;
  const Lock lock(path);
  if (!lock.held()) return false;
  std::error_code trouble;
  if (!fs::is_directory(fs::symlink_status(path, trouble))) return unlink(path.c_str()) == 0;
  return remove_results(path);
}

}  // namespace

std::vector<std::string> sweep_partial(const std::string& path) {
  const std::string last = followed(path);
  const fs::path target(last.substr(0, last.find_last_not_of('/') + 1));
  std::vector<std::string> found;
  std::error_code trouble;
  // Beside the target; for a folder that is a disk of its own, or read every day by others, inside it.
  for (const fs::path& folder : {target.has_parent_path() ? target.parent_path() : fs::path("."), target})
    for (const auto& entry : fs::directory_iterator(folder, trouble))
      if (entry.path().filename().string().starts_with(target.filename().string() + ".partial-"))
        found.push_back(entry.path().string());
  std::erase_if(found, [](const std::string& name) { return !remove_partial(name); });
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace vinculum
