// What killed runs leave, and who may take it away.
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <fcntl.h>
#include <csignal>

#include "io/results.hpp"
#include "io/results/atomic_file.hpp"
#include "io/results/owner.hpp"
#include "support/message.hpp"

namespace vinculum {
namespace {

using test::Folder;
using test::read;

/// The number of a process that is no more.
pid_t gone() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  return child;
}

TEST(Sweep, RemovesWhatProcessesThatAreGoneHaveLeftAndTellsIt) {
  const Folder folder;
  const std::string path = folder / "m.csv";
  const pid_t child = fork();
  if (child == 0) {
    AtomicFile file(path);
    file.write_all("half");
    std::raise(SIGKILL);
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(folder.files(), 1);
  const std::vector<std::string> swept = sweep_partial(path);
  ASSERT_EQ(swept.size(), 1u);
  EXPECT_TRUE(swept[0].starts_with(path + ".partial-" + std::to_string(child) + "-")) << swept[0];
  EXPECT_EQ(folder.files(), 0);
}

TEST(Sweep, LeavesWhatHasAnOwnerAndWhatIsNotOurs) {
  const Folder folder;
  const std::string path = folder / "m.csv", dead = path + ".partial-" + std::to_string(gone());
  AtomicFile open(path);  // of this process
  write_file(path + ".partial-notes", "mine");
  write_file(folder / "other.csv.partial-" + std::to_string(gone()), "of another result");
  std::filesystem::create_symlink(folder / "nowhere", dead + "-1");
  // Held by somebody who cannot be seen here, such as a process of another container.
  write_file(dead + "-2", "held");
  const int held = ::open((dead + "-2").c_str(), O_RDONLY);
  ASSERT_EQ(flock(held, LOCK_SH), 0);
  EXPECT_EQ(sweep_partial(path), std::vector<std::string>{});
  EXPECT_EQ(folder.files(), 5);
  close(held);
  EXPECT_EQ(sweep_partial(path), std::vector<std::string>{dead + "-2"});
}

TEST(Sweep, ANumberThatAnotherProcessHasByNowIsNoOwner) {
  const Folder folder;
  const std::string path = folder / "m.csv", mark = owner_mark();
  write_file(path + ".partial-" + mark, "of this process");
  const std::string earlier = path + ".partial-" + mark.substr(0, mark.find('-')) + "-1";
  write_file(earlier, "of one before it with the same number");
  EXPECT_EQ(sweep_partial(path), std::vector<std::string>{earlier});
}

TEST(Sweep, FoldersGoWithTheFilesOfResultsInThemAndStayWithOthers) {
  const Folder folder;
  const std::string path = folder / "all", dead = path + ".partial-" + std::to_string(gone());
  for (const std::string& name : {dead + "-1", dead + "-2"}) {
    std::filesystem::create_directory(name);
    write_file(name + "/trajectory.csv", "old");
    write_file(name + "/trajectory.h5.partial-7-7", "half");
  }
  write_file(dead + "-2/notes.txt", "mine");
  EXPECT_EQ(sweep_partial(path + "/"), std::vector<std::string>{dead + "-1"});
  EXPECT_EQ(read(dead + "-2/notes.txt"), "mine");
}

TEST(AtomicFile, WhatIsPlantedUnderThePartialNameIsNotOpened) {
  const Folder folder;
  const std::string path = folder / "m.csv", first = path + ".partial-" + owner_mark();
  write_file(folder / "precious", "untouched");
  std::filesystem::create_symlink(folder / "precious", first);
  write_file(path, "result");
  EXPECT_EQ(read(path), "result");
  EXPECT_FALSE(std::filesystem::is_symlink(path));
  EXPECT_EQ(read(folder / "precious"), "untouched");
  EXPECT_TRUE(std::filesystem::is_symlink(first));  // not ours to remove
}

TEST(AtomicFile, APipeThatNobodyReadsIsNotWaitedFor) {
  const Folder folder;
  const std::string path = folder / "pipe";
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(test::message([&] { write_file(path, "x"); }),
            "cannot write '" + path + "': nobody reads from this pipe");
  const int reader = open(path.c_str(), O_RDONLY | O_NONBLOCK);
  write_file(path, "heard");
  char text[10] = {};
  EXPECT_EQ(::read(reader, text, sizeof text), 5);
  EXPECT_STREQ(text, "heard");
  close(reader);
  EXPECT_EQ(folder.files(), 1);
}

TEST(AtomicFile, AllFormatsCanBeWrittenToWhatIsNoFile) {
  const System system(test::model());
  const Trajectory motion = test::move(system);
  write_csv("/dev/null", system, motion, test::record());
  write_hdf5("/dev/null", system, motion, test::record());
  EXPECT_EQ(test::message([&] { write_hdf5("/dev/full", system, motion, test::record()); }),
            "cannot write '/dev/full': No space left on device");
}

}  // namespace
}  // namespace vinculum
