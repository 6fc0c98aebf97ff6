#include "vinculum/io/result_stream.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>
#include <functional>

#include "io/results.hpp"
#include "io/results/hdf5_file.hpp"
#include "support/message.hpp"

namespace vinculum {
namespace {

using test::Folder;
using test::read;

using Open = std::unique_ptr<ResultStream> (*)(const std::string&, const System&, const RunRecord&);

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// The lines behind the head.
std::vector<std::string> table_of(const std::string& text) {
  std::vector<std::string> lines = lines_of(text);
  std::erase_if(lines, [](const std::string& line) { return line.starts_with("#"); });
  return lines;
}

/// /samples of a partial HDF5 file, row by row; nothing where it cannot be read.
std::vector<double> samples_of(const std::string& path, hsize_t (&sizes)[2]) {
  std::vector<double> numbers;
  sizes[0] = sizes[1] = 0;
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t set = H5Dopen2(file, "samples", H5P_DEFAULT), space = H5Dget_space(set);
  H5Sget_simple_extent_dims(space, sizes, nullptr);
  numbers.resize(sizes[0] * sizes[1]);
  if (!numbers.empty() && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) < 0)
    numbers.clear();
  H5Sclose(space);
  H5Dclose(set);
  H5Fclose(file);
  return numbers;
}

TEST(ResultStream, ATableLeftUnfinishedHasEveryLineOfTheFinishedOneAndSaysThatItRuns) {
  const Folder folder;
  const System system(test::model());
  const Trajectory motion = test::move(system);
  write_csv(folder / "whole.csv", system, motion, test::record());
  const auto stream = stream_csv(folder / "m.csv", system, test::record());
  for (int i = 0; i < motion.size(); ++i) stream->append(motion[i]);
  const std::string left = stream->leave();
  EXPECT_TRUE(left.starts_with(folder / "m.csv.partial-")) << left;
  EXPECT_EQ(table_of(read(left)), table_of(read(folder / "whole.csv")));
  EXPECT_NE(read(left).find("# status: running (not complete)\n"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder / "m.csv"));
}

TEST(ResultStream, AnHdf5FileThatGrowsCanBeReadAfterEveryRow) {
  const Folder folder;
  // More names than fit into the first page of the file.
  for (const int columns : {1, 3, 1000}) {
    AtomicFile bytes(folder / "m.h5");
    std::vector<std::string> names(columns, "a name of some length");
    hdf5::GrowingFile file(bytes, names, std::string(100'000, 'm'));
    std::vector<double> all, row(columns);
    std::string path;
    for (const auto& entry : std::filesystem::directory_iterator(folder / ".")) path = entry.path();
    for (int i = 0; i <= 20; ++i) {
      hsize_t sizes[2];
      const std::vector<double> found = samples_of(path, sizes);
      ASSERT_EQ(sizes[0], static_cast<hsize_t>(i)) << path;
      ASSERT_EQ(sizes[1], static_cast<hsize_t>(columns));
      ASSERT_EQ(found, all);
      for (int k = 0; k < columns; ++k) row[k] = 1.0 / (1 + k + i * columns);
      all.insert(all.end(), row.begin(), row.end());
      file.append({reinterpret_cast<const char*>(row.data()), row.size() * sizeof(double)});
    }
  }
}

TEST(ResultStream, AnHdf5FileLeftUnfinishedHasEveryInstant) {
  const Folder folder;
  const System system(test::model());
  const Trajectory motion = test::move(system);
  const auto stream = stream_hdf5(folder / "m.h5", system, test::record());
  for (int i = 0; i < motion.size(); ++i) stream->append(motion[i]);
  const std::string left = stream->leave();
  hsize_t sizes[2];
  const std::vector<double> rows = samples_of(left, sizes);
  ASSERT_EQ(static_cast<int>(sizes[0]), motion.size());
  for (int i = 0; i < motion.size(); ++i) {
    EXPECT_EQ(rows[i * sizes[1]], motion[i].t);
    EXPECT_EQ(rows[i * sizes[1] + 1], motion[i].q[0]);
    EXPECT_EQ(rows[(i + 1) * sizes[1] - 1], motion[i].rank);
  }
}

TEST(ResultStream, WithoutInstantsNothingIsLeft) {
  const Folder folder;
  const System system(test::model());
  for (const Open open : {stream_csv, stream_hdf5, stream_folder}) {
    const auto stream = open(folder / "m", system, test::record());
    EXPECT_EQ(folder.files(), 1);  // the place is taken already
    EXPECT_EQ(stream->leave(), "");
  }
  EXPECT_EQ(folder.files(), 0);
}

TEST(ResultStream, NeitherFinishedNorLeftItDisappears) {
  const Folder folder;
  const System system(test::model());
  const Trajectory motion = test::move(system);
  for (const Open open : {stream_csv, stream_hdf5, stream_folder}) {
    const auto stream = open(folder / "m", system, test::record());
    for (int i = 0; i < motion.size(); ++i) stream->append(motion[i]);
  }
  EXPECT_EQ(folder.files(), 0);
}

TEST(ResultStream, AnInstantIsOnDiskASecondLater) {
  const Folder folder;
  const System system(test::model());
  const Trajectory motion = test::move(system);
  const auto stream = stream_csv(folder / "m.csv", system, test::record());
  std::string path;
  for (const auto& entry : std::filesystem::directory_iterator(folder / ".")) path = entry.path();
  stream->append(motion[0]);
  EXPECT_EQ(read(path), "");
  usleep(1'100'000);
  stream->append(motion[1]);
  EXPECT_EQ(table_of(read(path)).size(), 3u);
}

/// A folder of results with a given number for a name, so that old and new can be told apart.
void fill(const std::string& path, const System& system, const Trajectory& motion, const std::string& json) {
  const auto stream = stream_folder(path, system, test::record());
  for (int i = 0; i < motion.size(); ++i) stream->append(motion[i]);
  stream->finish(motion, json);
}

TEST(ResultFolder, HoldsFourFilesAndReplacesAnOlderOneAsAWhole) {
  const Folder folder;
  const System system(test::model());
  const Trajectory motion = test::move(system);
  for (const char* json : {"old", "new"}) {
    fill(folder / "all", system, motion, json);
    EXPECT_EQ(read(folder / "all/result.json"), json);
    EXPECT_EQ(read(folder / "all/model.toml"), test::record().text);
    write_csv(folder / "one.csv", system, motion, test::record());
    write_hdf5(folder / "one.h5", system, motion, test::record());
    EXPECT_EQ(read(folder / "all/trajectory.csv"), read(folder / "one.csv"));
    EXPECT_EQ(read(folder / "all/trajectory.h5"), read(folder / "one.h5"));
    EXPECT_EQ(folder.files(), 3);  // all, one.csv, one.h5
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / "all"), {}), 4);
  }
}

TEST(ResultFolder, KeepsTheFilesOfOthersAndFollowsLinks) {
  const Folder folder;
  const System system(test::model());
  const Trajectory motion = test::move(system);
  fill(folder / "all", system, motion, "old");
  write_file(folder / "all/notes.txt", "mine");
  std::filesystem::create_directory(folder / "all/plots");
  std::filesystem::create_symlink("all", folder / "link");
  fill(folder / "link/", system, motion, "new");
  EXPECT_EQ(read(folder / "all/notes.txt"), "mine");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "all/plots"));
  EXPECT_EQ(read(folder / "all/result.json"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(folder.files(), 2);
}

TEST(ResultFolder, LinksInACircleLeadNowhereAndStay) {
  const Folder folder;
  const System system(test::model());
  const Trajectory motion = test::move(system);
  std::filesystem::create_symlink("b", folder / "a");
  std::filesystem::create_symlink("a", folder / "b");
  std::filesystem::create_symlink("self", folder / "self");
  for (const char* name : {"a", "self"}) {
    const std::string said = test::message([&] { fill(folder / name, system, motion, "new"); });
    EXPECT_NE(said.find("Too many levels of symbolic links"), std::string::npos) << said;
    EXPECT_TRUE(std::filesystem::is_symlink(folder / name));
  }
  EXPECT_EQ(folder.files(), 3);
}

TEST(ResultFolder, TheFolderOneWorksInStaysTheSameFolder) {
  const Folder folder;
  const System system(test::model());
  const Trajectory motion = test::move(system);
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder / ".");
  fill(".", system, motion, "old");
  fill(".", system, motion, "new");
  EXPECT_EQ(read("result.json"), "new");
  std::filesystem::current_path(before);
  EXPECT_EQ(folder.files(), 4);
}

TEST(ResultFolder, AFullDiskLeavesTheOldOneWhole) {
  const Folder folder;
  const System system(test::model());
  const Trajectory motion = test::move(system);
  fill(folder / "all", system, motion, "old");
  const std::string csv = read(folder / "all/trajectory.csv"), hdf5 = read(folder / "all/trajectory.h5");
  // Every limit from nothing to enough, so that each of the files is the one that does not fit.
  for (rlim_t bytes = 0; bytes < hdf5.size(); bytes += 997) {
    const pid_t child = fork();
    if (child == 0) {
      const rlimit limit{bytes, bytes};
      setrlimit(RLIMIT_FSIZE, &limit);
      std::signal(SIGXFSZ, SIG_IGN);
      const std::string said = test::message([&] { fill(folder / "all", system, motion, "new"); });
      _exit(said.starts_with("cannot write '" + (folder / "all/")) && said.ends_with("File too large") ? 0
                                                                                                       : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0) << bytes;
    EXPECT_EQ(read(folder / "all/result.json"), "old") << bytes;
    EXPECT_EQ(read(folder / "all/trajectory.csv"), csv);
    EXPECT_EQ(read(folder / "all/trajectory.h5"), hdf5);
    EXPECT_EQ(folder.files(), 1) << bytes;
  }
}

/// Of a short run, all of which is written at its end, a full disk loses what does not fit and no more.
TEST(ResultStream, AFullDiskLeavesWhatFitsOfAnHdf5File) {
  const Folder folder;
  const System system(test::model());
  MotionOptions options;
  options.until = 1;
  options.samples = 3000;
  const Trajectory motion = simulate(system, options);
  const pid_t child = fork();
  if (child == 0) {
    const rlimit limit{100'000, 100'000};
    setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, SIG_IGN);
    const auto stream = stream_hdf5(folder / "run.h5", system, test::record());
    const std::string said = test::message([&] {
      for (int i = 0; i < motion.size(); ++i) stream->append(motion[i]);
      stream->finish(motion, "");
    });
    const std::string left = stream->leave();
    const bool good = said.ends_with("File too large") && std::filesystem::file_size(left) > 60'000;
    _exit(good && left.starts_with((folder / "run.h5") + ".partial-") ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(folder.files(), 1);
}

TEST(ResultFolder, APlaceThatIsAFileIsRefused) {
  const Folder folder;
  const System system(test::model());
  write_file(folder / "all", "mine");
  EXPECT_EQ(test::message([&] { stream_folder(folder / "all", system, test::record()); }),
            "cannot write '" + (folder / "all") + "': Not a directory");
}

}  // namespace
}  // namespace vinculum
