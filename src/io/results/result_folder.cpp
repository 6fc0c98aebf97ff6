#include "io/results/result_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "io/results/atomic_file.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/io/result_stream.hpp"
#include "vinculum/io/write_file.hpp"

namespace vinculum {
namespace {

namespace fs = std::filesystem;

/// In the order in which they are put in place one by one.
constexpr std::array<const char*, 4> names = {"model.toml", "trajectory.h5", "trajectory.csv", "result.json"};

bool is_ours(const std::string& name) {
  return std::any_of(names.begin(), names.end(), [&](const std::string& ours) {
    return name == ours || name.starts_with(ours + ".partial-");
  });
}

std::vector<std::string> entries(const std::string& folder) {
  std::vector<std::string> list;
  std::error_code trouble;
  for (const auto& entry : fs::directory_iterator(folder, trouble))
    list.push_back(entry.path().filename().string());
  return list;
}

/// Whoever works in a folder, or below it, would stand in one that is no more.
bool is_worked_in(const std::string& folder) {
  std::error_code trouble;
  const std::string here = fs::current_path(trouble).string() + "/";
  return here.starts_with(folder == "/" ? folder : folder + "/");
}

bool is_disk_of_its_own(const std::string& folder) {
  struct stat at{}, above{};
  return stat(folder.c_str(), &at) == 0 && stat((folder + "/..").c_str(), &above) == 0 &&
         at.st_dev != above.st_dev;
}

class FolderStream final : public ResultStream {
 public:
  FolderStream(const std::string& path, const System& system, const RunRecord& record)
      : path_(path), text_(record.text) {
    while (path_.size() > 1 && path_.back() == '/') path_.pop_back();
    make_aside();
    try {
      told_by_its_place([&] {
        csv_ = stream_csv(aside_ + "/trajectory.csv", system, record);
        if (has_hdf5()) hdf5_ = stream_hdf5(aside_ + "/trajectory.h5", system, record);
      });
    } catch (...) {
      drop();
      throw;
    }
  }
  ~FolderStream() override { drop(); }
  FolderStream(const FolderStream&) = delete;
  FolderStream& operator=(const FolderStream&) = delete;

  void append(const Sample& sample) override {
    told_by_its_place([&] {
      csv_->append(sample);
      if (hdf5_) hdf5_->append(sample);
    });
  }
  void finish(const Trajectory& motion, std::string_view json) override {
    told_by_its_place([&] {
      write_file(aside_ + "/model.toml", text_);
      write_file(aside_ + "/result.json", json);
      csv_->finish(motion, json);
      if (hdf5_) hdf5_->finish(motion, json);
    });
    csv_.reset();  // and their partial files go, before the folder that holds them is called otherwise
    hdf5_.reset();
    put_in_place();
  }
  std::string leave() override {
    for (std::unique_ptr<ResultStream>* stream : {&csv_, &hdf5_}) {
      if (*stream) (*stream)->leave();
      stream->reset();
    }
    const std::vector<std::string> left = entries(aside_);
    if (std::none_of(left.begin(), left.end(),
                     [](const std::string& name) { return name.starts_with("trajectory"); }))
      drop();
    unlock();
    return std::exchange(aside_, "");
  }

 private:
  [[noreturn]] void refuse(int why) const { fail("cannot write '" + path_ + "': " + std::strerror(why)); }

  /// What fails is told of the folder that was asked for, not of the one where it is built.
  template <class Action>
  void told_by_its_place(Action action) const {
    try {
      action();
    } catch (const Error& e) {
      std::string text = e.text();
      if (const std::size_t at = text.find(aside_); at != text.npos) text.replace(at, aside_.size(), path_);
      fail(text);
    }
  }

  void make_aside() {
    const fs::path parent = fs::path(path_).parent_path();
    std::error_code trouble;
    if (!parent.empty()) fs::create_directories(parent, trouble);
    if (trouble) fail("cannot make the folder '" + path_ + "': " + trouble.message());
    target_ = followed(path_);
    struct stat at{};
    there_ = stat(target_.c_str(), &at) == 0;
    if (!there_ && errno != ENOENT) refuse(errno);  // links that lead in a circle, or a way that is barred
    if (there_ && !S_ISDIR(at.st_mode)) refuse(ENOTDIR);
    const std::string inside = target_ + "/" + fs::path(target_).filename().string();
    aside_ = make_partial_folder(there_ && is_disk_of_its_own(target_) ? inside : target_);
    if (aside_.empty() && there_) aside_ = make_partial_folder(inside);  // where the folder above is not ours
    if (aside_.empty()) fail("cannot make the folder '" + path_ + "': " + std::strerror(errno));
    if (there_) chmod(aside_.c_str(), at.st_mode & 07777);
    lock_ = open(aside_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (lock_ >= 0) flock(lock_, LOCK_SH | LOCK_NB);
  }

  void put_in_place() {
    fsync(lock_);
    struct stat at{};
    there_ = stat(target_.c_str(), &at) == 0;
    const std::vector<std::string> old = entries(target_);
    const bool whole = fs::path(aside_).parent_path() == fs::path(target_).parent_path() &&
                       !is_worked_in(target_) && std::all_of(old.begin(), old.end(), is_ours);
    // The new folder takes the place of nothing, or they change places and the old one goes.
    if (whole && !there_ && std::rename(aside_.c_str(), target_.c_str()) == 0) {
      aside_.clear();
    } else if (!whole ||
               renameat2(AT_FDCWD, aside_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) != 0) {
      put_one_by_one();
    }
    drop();
  }

  void put_one_by_one() {
    if (!there_ && mkdir(target_.c_str(), 0777) != 0 && errno != EEXIST) refuse(errno);
    for (const std::string name : names)
      if (fs::exists(aside_ + "/" + name) &&
          std::rename((aside_ + "/" + name).c_str(), (target_ + "/" + name).c_str()) != 0) {
        const int why = errno;
        fail("cannot write '" + path_ + "/" + name + "': " + std::strerror(why));
      }
  }

  void drop() {
    csv_.reset();
    hdf5_.reset();
    if (!aside_.empty()) remove_results(aside_);
    aside_.clear();
    unlock();
  }
  void unlock() {
    if (lock_ >= 0) close(lock_);
    lock_ = -1;
  }

  std::string path_, target_, aside_;  // as given, where it leads, and the folder that is built
  std::string text_;
  bool there_ = false;  // something is in its place
  int lock_ = -1;
  std::unique_ptr<ResultStream> csv_, hdf5_;
};

}  // namespace

bool remove_results(const std::string& folder) {
  std::error_code trouble;
  if (fs::is_symlink(folder, trouble)) return false;  // what it leads to is not ours
  for (const std::string& name : entries(folder))
    if (is_ours(name)) unlink((folder + "/" + name).c_str());
  return rmdir(folder.c_str()) == 0;
}

std::unique_ptr<ResultStream> stream_folder(const std::string& path, const System& system,
                                            const RunRecord& record) {
  return std::make_unique<FolderStream>(path, system, record);
}

}  // namespace vinculum
