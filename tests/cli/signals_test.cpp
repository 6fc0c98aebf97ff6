// Signals: a run that is asked to end writes what it has, once and whole.
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <random>
#include <thread>

#include "cli/program.hpp"
#include "cli/started.hpp"

namespace vinculum::cli_test {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A motion that does not end in the time of a test.
const std::string endless =
    "[coordinates]\nx = 1\n[mass]\nx = 1\n[forces]\nx = '-x'\n[simulate]\nuntil = 1e6\nsamples = 10000000\n";

/// Waits until a file whose name begins so has this many bytes; its name.
std::string wait_for(const Folder& folder, const std::string& begin, std::uintmax_t bytes) {
  for (int k = 0; k < 600; ++k) {
    for (const auto& entry : std::filesystem::directory_iterator(folder.path("."))) {
      std::error_code gone;
      const std::string name = entry.path().filename().string();
      if (name.starts_with(begin) && entry.is_regular_file(gone) && entry.file_size(gone) >= bytes)
        return name;
    }
    seconds(0.1);
  }
  ADD_FAILURE() << "no " << begin;
  return "";
}

TEST(Signals, TimeoutWhichSignalsTwiceLosesNothing) {
  const Folder vinculum;
  vinculum.write("m.toml", endless);
  for (int k = 0; k < 5; ++k) {
    const std::string name = "o" + std::to_string(k) + ".csv";
    const Outcome outcome = vinculum.shell("timeout 2 " VINCULUM_PROGRAM " run m.toml --quiet --out " + name);
    EXPECT_EQ(outcome.status, 124);
    ASSERT_TRUE(vinculum.has(name)) << outcome.err;
    EXPECT_TRUE(has(vinculum.read(name).substr(0, 500), "# status: cancelled (not complete)"));
  }
}

TEST(Signals, EachSignalThatAsksToEndWritesWhatWasComputedHoweverOftenItComes) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) {
    const Folder vinculum;
    vinculum.write("m.toml", endless);
    Started run(vinculum, {"run", "m.toml", "--json", "--out", "o.csv", "--out", "all"});
    wait_for(vinculum, "o.csv.partial-", 10000);
    for (int k = 0; k < 20; ++k) run.signal(number);
    EXPECT_EQ(run.wait(), 1);
    EXPECT_TRUE(has(vinculum.read(".out"), "\"status\": \"cancelled\"")) << vinculum.read(".err");
    EXPECT_TRUE(has(vinculum.read("o.csv").substr(0, 500), "# status: cancelled (not complete)"));
    EXPECT_EQ(vinculum.shell("ls; ls all").out,
              "all\nm.toml\no.csv\nmodel.toml\nresult.json\ntrajectory.csv\ntrajectory.h5\n");
  }
}

TEST(Signals, WhatTheProgramWasStartedToIgnoreStaysIgnored) {
  for (const int number : {SIGINT, SIGHUP}) {
    const Folder vinculum;
    vinculum.write("m.toml", endless);
    Started run(vinculum, {"run", "m.toml", "--json", "--out", "o.csv"}, {number});
    const std::string partial = wait_for(vinculum, "o.csv.partial-", 10000);
    run.signal(number);
    // It goes on: more is recorded after a while than there was.
    const auto before = std::filesystem::file_size(vinculum.path(partial));
    seconds(1.5);
    wait_for(vinculum, "o.csv.partial-", before + 1);
    EXPECT_FALSE(vinculum.has("o.csv"));
    run.signal(SIGTERM);
    EXPECT_EQ(run.wait(), 1);
    EXPECT_TRUE(vinculum.has("o.csv"));
  }
}

TEST(Signals, OnlyACtrlCAfterASecondEndsAtOnce) {
  const Folder vinculum;
  vinculum.write("m.toml", "[coordinates]\nx = 1\n[mass]\nx = 1\n[simulate]\nuntil = 1\nsamples = 3\n");
  // A pipe whose reader does not read holds the program, in the midst of its page.
  vinculum.shell("mkfifo stuck");
  const int reader = open(vinculum.path("stuck").c_str(), O_RDONLY | O_NONBLOCK);
  Started run(vinculum, {"run", "m.toml", "--report", "stuck"});
  pollfd something{reader, POLLIN, 0};
  EXPECT_EQ(poll(&something, 1, 60000), 1);
  run.signal(SIGINT);
  run.signal(SIGINT);
  for (int k = 0; k < 3; ++k) {
    seconds(0.6);
    EXPECT_TRUE(run.lives());
    run.signal(SIGTERM);
  }
  seconds(0.2);
  EXPECT_TRUE(run.lives());
  run.signal(SIGINT);
  EXPECT_EQ(run.wait(), 128 + SIGINT);
  close(reader);
}

TEST(Signals, AKilledRunLeavesWhatItComputedInMarkedFilesWhichTheNextRunSweeps) {
  const Folder vinculum;
  vinculum.write("m.toml", endless);
  Started run(vinculum, {"run", "m.toml", "--out", "o.csv", "--out", "o.h5", "--out", "all"});
  // The error of a tolerance of 1e-9 grows with the time.
  const std::string csv = wait_for(vinculum, "o.csv.partial-", 200'000);
  const std::string hdf5 = wait_for(vinculum, "o.h5.partial-", 200'000);
  run.signal(SIGKILL);
  EXPECT_EQ(run.wait(), 128 + SIGKILL);
  EXPECT_FALSE(vinculum.has("o.csv") || vinculum.has("o.h5") || vinculum.has("all"));
  // x = cos(t), in every line that is whole.
  std::istringstream lines(vinculum.read(csv));
  int count = 0;
  double t = 0, x = 0;
  for (std::string line; std::getline(lines, line) && !lines.eof();)
    if (std::sscanf(line.c_str(), "%lf,%lf", &t, &x) == 2) {
      ++count;
      EXPECT_NEAR(x, std::cos(t), 1e-9 * (100 + t)) << line;
    }
  EXPECT_GT(count, 1000);
  EXPECT_EQ(
      vinculum.shell("h5dump -d /samples -c 3,2 " + hdf5 + " > /dev/null || ! command -v h5dump").status, 0);
  // The next one that is done takes them away.
  const Outcome next = vinculum("run m.toml --until 1 --samples 5 --out o.csv --out o.h5 --out all");
  EXPECT_EQ(next.status, 0) << next.err;
  EXPECT_TRUE(has(next.err, "removed '")) << next.err;
  EXPECT_EQ(vinculum.shell("ls").out, "all\nm.toml\no.csv\no.h5\n");
}

/// One of the two results that are written in turn: 0 or 1; -1 where it is neither.
int which(const std::string& bytes, const std::string (&whole)[2]) {
  return bytes == whole[0] ? 0 : bytes == whole[1] ? 1 : -1;
}

TEST(Signals, KilledAtTwoHundredMomentsARunLeavesTheOldOrTheNewWholeAndTheRestMarked) {
  const Folder vinculum;
  vinculum.write("m.toml",
                 "[parameters]\nv = 1\n[coordinates]\nx = { rate = 'v' }\n[mass]\nx = 1\n[simulate]\nuntil = "
                 "1\nsamples = 300\n");
  std::string csv[2], hdf5[2];
  const auto arguments = [](int k) {
    return std::vector<std::string>{"run",   "m.toml", "--set",  "v=" + std::to_string(k + 1),
                                    "--out", "o.csv",  "--out",  "o.h5",
                                    "--out", "all",    "--quiet"};
  };
  double longest = 0;
  for (const int k : {1, 0}) {
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(Started(vinculum, arguments(k)).wait(), 0);
    longest = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    csv[k] = vinculum.read("o.csv");
    hdf5[k] = vinculum.read("o.h5");
    EXPECT_EQ(vinculum.read("all/trajectory.csv"), csv[k]);
    EXPECT_EQ(vinculum.read("all/trajectory.h5"), hdf5[k]);
  }
  std::mt19937 random(13);
  // How long a run takes changes with what else the machine does: where ten in a row came to their end, or
  // none did, moments are looked for earlier or later.
  std::uniform_real_distribution<double> part(0, 1.1);
  int changed = 0, before = 0, in_a_row = 0;
  for (int k = 0; k < 200; ++k) {
    Started run(vinculum, arguments((k + 1) % 2));
    seconds(part(random) * longest);
    run.signal(SIGKILL);
    run.wait();
    EXPECT_GE(which(vinculum.read("o.csv"), csv), 0) << k;
    EXPECT_GE(which(vinculum.read("o.h5"), hdf5), 0) << k;
    const int table = which(vinculum.read("all/trajectory.csv"), csv);
    EXPECT_GE(table, 0) << k;
    EXPECT_EQ(which(vinculum.read("all/trajectory.h5"), hdf5), table) << k;
    EXPECT_TRUE(has(vinculum.read("all/result.json"), "\"v\": [" + std::to_string(table + 1) + ".0]")) << k;
    EXPECT_EQ(vinculum.shell("ls all").out, "model.toml\nresult.json\ntrajectory.csv\ntrajectory.h5\n") << k;
    changed += table != before;
    in_a_row = table != before ? std::max(in_a_row, 0) + 1 : std::min(in_a_row, 0) - 1;
    if (std::abs(in_a_row) == 10) {
      longest *= in_a_row > 0 ? 0.7 : 1.5;
      in_a_row = 0;
    }
    before = table;
    for (const auto& entry : std::filesystem::directory_iterator(vinculum.path("."))) {
      const std::string name = entry.path().filename().string();
      if (name != "o.csv" && name != "o.h5" && name != "all" && name != "m.toml" && name[0] != '.') {
        EXPECT_TRUE(has(name, ".partial-")) << name;
      }
    }
  }
  EXPECT_GT(changed, 2);    // some came to their end
  EXPECT_LT(changed, 198);  // and some did not
  EXPECT_EQ(Started(vinculum, arguments(0)).wait(), 0);
  EXPECT_EQ(vinculum.shell("ls").out, "all\nm.toml\no.csv\no.h5\n");
}

TEST(LongRuns, MemoryDoesNotGrowWithTheSamples) {
  const Folder vinculum;
  vinculum.write("m.toml",
                 "[coordinates]\nx = 1\n[mass]\nx = 1\n[forces]\nx = '-x'\n[simulate]\nuntil = 100\n");
  const auto peak = [&](const std::string& samples) {
    Started run(vinculum, {"run", "m.toml", "--quiet", "--out", "o.csv", "--out", "o.h5", "--report",
                           "o.html", "--samples", samples});
    EXPECT_EQ(run.wait(), 0) << vinculum.read(".err");
    return run.peak_kilobytes();
  };
  const long few = peak("30000"), many = peak("600000");
  // 570,000 instants of 13 numbers are 59 MB, and more while they grow; what is collected for writing is 3
  // MB.
  EXPECT_LT(many, few + 10000) << few;
  // All of them are there.
  EXPECT_EQ(vinculum.shell("grep -vc '^#' o.csv").out, "600001\n");
}

}  // namespace
}  // namespace vinculum::cli_test
