#include "vinculum/io/write_file.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "io/results.hpp"
#include "io/results/atomic_file.hpp"
#include "support/message.hpp"

namespace vinculum {
namespace {

using test::Folder;
using test::message;
using test::read;

/// Runs in a process of its own; gives what waitpid says about its end.
int in_a_child(const std::function<int()>& what) {
  const pid_t child = fork();
  if (child == 0) _exit(what());
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

/// From here on no file of this process grows beyond this many bytes, as on a disk that is full.
void fill_the_disk(rlim_t bytes) {
  const rlimit limit{bytes, bytes};
  setrlimit(RLIMIT_FSIZE, &limit);
  std::signal(SIGXFSZ, SIG_IGN);
}

TEST(WriteFile, WritesEveryByteAndLeavesNothingElse) {
  const Folder folder;
  const std::string bytes("a\0b\n", 4);
  write_file(folder / "new", bytes);
  EXPECT_EQ(read(folder / "new"), bytes);
  write_file(folder / "new", "other");
  EXPECT_EQ(read(folder / "new"), "other");
  EXPECT_EQ(folder.files(), 1);
}

TEST(WriteFile, WhatCannotBeWrittenIsNamedWithItsReason) {
  const Folder folder;
  write_file(folder / "file", "old");
  const std::string missing = folder / "no/such", inside = folder / "file/inside", self = folder / ".";
  EXPECT_EQ(message([&] { write_file(missing, "x"); }),
            "cannot write '" + missing + "': No such file or directory");
  EXPECT_EQ(message([&] { write_file(inside, "x"); }), "cannot write '" + inside + "': Not a directory");
  EXPECT_EQ(message([&] { write_file(self, "x"); }), "cannot write '" + self + "': Is a directory");
  EXPECT_EQ(message([&] { write_file("/dev/full", "x"); }),
            "cannot write '/dev/full': No space left on device");
  EXPECT_EQ(folder.files(), 1);
}

TEST(WriteFile, AFullDiskLeavesTheOldFile) {
  const Folder folder;
  const std::string path = folder / "result", old(5000, 'o');
  write_file(path, old);
  const int status = in_a_child([&] {
    fill_the_disk(100'000);
    return message([&] { write_file(path, std::string(1'000'000, 'n')); }) ==
                   "cannot write '" + path + "': File too large"
               ? 0
               : 1;
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(read(path), old);
  EXPECT_EQ(folder.files(), 1);
}

TEST(WriteFile, AProcessThatIsKilledLeavesTheOldFileAndAMarkedPart) {
  const Folder folder;
  const std::string path = folder / "result";
  write_file(path, "old");
  const int status = in_a_child([&] {
    AtomicFile file(path);
    file.write_all("half of th");
    std::raise(SIGKILL);
    return 0;
  });
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(read(path), "old");
  EXPECT_EQ(folder.files(), 2);  // the other one is called .partial-
}

TEST(WriteFile, AnErrorHalfwayLeavesNothing) {
  const Folder folder;
  {
    AtomicFile(folder / "result").write_all("half");
  }
  EXPECT_EQ(folder.files(), 0);
}

TEST(WriteFile, ALinkToWhatIsNotThereYetIsFollowed) {
  const Folder folder;
  std::filesystem::create_symlink("second", folder / "first");  // beside it
  std::filesystem::create_symlink(folder / "real", folder / "second");
  write_file(folder / "first", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "first"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "second"));
  EXPECT_EQ(read(folder / "real"), "new");
}

TEST(WriteFile, FollowsLinksAndKeepsWhoMayRead) {
  const Folder folder;
  write_file(folder / "real", "old");
  chmod((folder / "real").c_str(), 0600);
  std::filesystem::create_symlink(folder / "real", folder / "link");
  write_file(folder / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read(folder / "real"), "new");
  struct stat at{};
  stat((folder / "real").c_str(), &at);
  EXPECT_EQ(at.st_mode & 0777, 0600u);
}

TEST(WriteFile, DevicesAreWrittenToAndNotReplaced) {
  const Folder folder;
  std::filesystem::create_symlink("/dev/null", folder / "nothing");
  write_file(folder / "nothing", "gone");
  struct stat at{};
  stat("/dev/null", &at);
  EXPECT_TRUE(S_ISCHR(at.st_mode));
}

TEST(WriteFile, ResultsOfAllFormatsSurviveAFullDisk) {
  const Folder folder;
  const System system(test::model());
  const Trajectory motion = test::move(system);
  using Write = void (*)(const std::string&, const System&, const Trajectory&, const RunRecord&);
  for (const Write write : {Write(write_csv), Write(write_hdf5)}) {
    const std::string path = folder / "result";
    write(path, system, motion, test::record());
    const std::string old = read(path);
    ASSERT_GT(old.size(), 2000u);
    const int status = in_a_child([&] {
      fill_the_disk(old.size() / 2);
      return message([&] { write(path, system, motion, test::record()); }) ==
                     "cannot write '" + path + "': File too large"
                 ? 0
                 : 1;
    });
    EXPECT_EQ(status, 0);
    EXPECT_EQ(read(path), old);
    EXPECT_EQ(folder.files(), 1);
  }
}

TEST(WriteFile, TheSameResultsAreTheSameBytesAtAnyTimeOfDay) {
  const Folder folder;
  const System system(test::model());
  const Trajectory motion = test::move(system);
  const auto written = [&] {
    write_hdf5(folder / "result.h5", system, motion, test::record());
    return read(folder / "result.h5");
  };
  const std::string now = written();
  sleep(2);  // HDF5 would note the second
  EXPECT_TRUE(written() == now);
}

TEST(WriteFile, KilledAtAnyTimeAWriterLeavesAWholeFile) {
  const Folder folder;
  const System system(test::model());
  const Trajectory motion = test::move(system);
  const std::string path = folder / "result.h5";
  write_hdf5(path, system, motion, test::record());
  const std::string whole = read(path);
  for (int delay = 0; delay < 20; ++delay) {
    const pid_t child = fork();
    if (child == 0)
      while (true) write_hdf5(path, system, motion, test::record());
    usleep(static_cast<useconds_t>(500 * delay));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_EQ(read(path).size(), whole.size());
    EXPECT_EQ(read(path), whole);
  }
}

}  // namespace
}  // namespace vinculum
