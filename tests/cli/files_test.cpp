// Files of a run: where they go, what an interruption leaves, and what is refused before any computing.
#include "cli/program.hpp"

namespace vinculum::cli_test {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string fall =
    "[coordinates]\nx = { rate = 1 }\n[mass]\nx = 1\n[forces]\nx = -2\n[simulate]\nuntil = 1\nsamples = 5\n";

TEST(Files, EveryKindOfOutIsWritten) {
  const Folder vinculum;
  const Outcome outcome = vinculum("run m.toml --out a.csv --out a.h5 --out all", fall);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  for (const char* name :
       {"a.csv", "a.h5", "all/model.toml", "all/result.json", "all/trajectory.csv", "all/trajectory.h5"})
    EXPECT_TRUE(vinculum.has(name)) << name;
  EXPECT_EQ(vinculum.read("all/model.toml"), fall);
  const std::string table = vinculum.read("a.csv");
  EXPECT_TRUE(has(table, "\nt,x,x',x'',force:x,")) << table;
  EXPECT_TRUE(has(table, "\n0,0,1,")) << table;
  const double x = std::stod(table.substr(table.find("\n0.5,") + 5));
  EXPECT_NEAR(x, 0.25, 1e-13) << table;  // x = t - t^2
  EXPECT_TRUE(has(vinculum.shell("h5ls a.h5 2> /dev/null || echo 'time q v'").out, "time"));
}

TEST(Files, JsonStaysAloneBesideFilesAndReports) {
  const Folder vinculum;
  const Outcome outcome = vinculum("run m.toml --json --out a.csv --report a.html --picture a.svg", fall);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out.substr(0, 1), "{");
  EXPECT_EQ(outcome.out.substr(outcome.out.size() - 2), "}\n");
  EXPECT_TRUE(has(vinculum.read("a.html"), "<html"));
  EXPECT_TRUE(has(vinculum.read("a.svg"), "<svg"));
  EXPECT_TRUE(has(vinculum.read("a.svg"), "<title>m.toml</title>"));  // the model has no title of its own
}

TEST(Files, PlacesThatCannotBeWrittenAreRefusedBeforeComputing) {
  const Folder vinculum;
  // A motion of hours: it must not begin.
  const std::string slow =
      "[coordinates]\nx = 1\n[mass]\nx = 1\n[forces]\nx = '-x'\n[simulate]\nuntil = 1e9\n";
  const auto refused = [&](const std::string& arguments, const std::string& said) {
    vinculum.write("m.toml", slow);
    const Outcome outcome = vinculum.shell("timeout 20 " VINCULUM_PROGRAM " run m.toml --json " + arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err, "vinculum: error: " + said + "\n");
  };
  refused("--out nowhere/a.csv", "cannot write 'nowhere/a.csv': there is no folder 'nowhere'");
  refused("--report nowhere/a.html", "cannot write 'nowhere/a.html': there is no folder 'nowhere'");
  refused("--out a.txt", "--out a.txt: files end with .csv or .h5; a name without an ending is a folder");
  refused("--report .", "cannot write '.': this is a folder");
}

TEST(Files, AResultOverwritesNeitherTheModelNorAnotherResult) {
  const Folder vinculum;
  const auto refused = [&](const std::string& arguments, const std::string& said) {
    const Outcome outcome = vinculum("run m.toml " + arguments, fall);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_EQ(outcome.err, "vinculum: error: cannot write '" + said + "\n");
    EXPECT_EQ(vinculum.read("m.toml"), fall) << arguments;
  };
  refused("--report m.toml", "m.toml': this is the model");
  refused("--picture ./m.toml", "./m.toml': this is the model");
  vinculum.shell("ln -s m.toml link.csv");
  refused("--out link.csv", "link.csv': this is the model");
  refused("--out a.csv --report ./a.csv", "./a.csv': two results would have the same place");
  refused("--report a.html --picture a.html", "a.html': two results would have the same place");
  EXPECT_FALSE(vinculum.has("a.csv"));
  // What swallows everything is nobody's place.
  EXPECT_EQ(vinculum("run m.toml --report /dev/null --picture /dev/null", fall).status, 0);
}

TEST(Files, AnInterruptedRunKeepsWhatItComputedAndMarksItsFiles) {
  const Folder vinculum;
  vinculum.write("m.toml",
                 "[coordinates]\nx = 1\n[mass]\nx = 1\n[forces]\nx = '-x'\n[simulate]\nuntil = 1e9\nsamples "
                 "= 1000000\n");
  for (const char* signal : {"INT", "TERM"}) {
    const Outcome outcome =
        vinculum.shell(std::string("timeout --foreground --preserve-status -s ") + signal +
                       " 2 " VINCULUM_PROGRAM " run m.toml --json --out part.csv");
    EXPECT_EQ(outcome.status, 1) << outcome.err;
    EXPECT_TRUE(has(outcome.out, "\"status\": \"cancelled\"")) << outcome.out;
    EXPECT_TRUE(has(outcome.out, "\"time\": ") && !has(outcome.out, "\"time\": 0.0,")) << outcome.out;
    EXPECT_TRUE(has(outcome.err, "cancelled")) << outcome.err;
    const std::string head = vinculum.read("part.csv").substr(0, 2000);
    EXPECT_TRUE(has(head, "cancelled") || has(head, "partial") || has(head, "incomplete")) << head;
  }
}

TEST(Files, AFullDiskIsNoSuccessAndTakesNothingAlong) {
  const Folder vinculum;
  vinculum.write("m.toml", fall);
  vinculum.write("a.csv", "old");
  // No file may grow here; what is said goes through a pipe.
  const Outcome outcome = vinculum.shell(
      "(trap '' XFSZ; ulimit -f 0; vinculum run m.toml --json --out a.csv 2>&1) | cat\nexit "
      "${PIPESTATUS[0]}");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(has(outcome.out, "vinculum: error: cannot write 'a.csv'")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "\"status\": \"done\"")) << outcome.out;
  EXPECT_EQ(vinculum.read("a.csv"), "old");
  // Each file is written beside its place first: nothing of it stays.
  EXPECT_EQ(vinculum.shell("ls").out, "a.csv\nm.toml\n");
}

TEST(Files, AnOutputThatFailsTakesNoOtherAlong) {
  const Folder vinculum;
  vinculum.write("m.toml", fall);
  vinculum.shell("mkfifo pipe.csv");
  const Outcome outcome =
      vinculum("run m.toml --json --out pipe.csv --out a.csv --out all --report /dev/full --picture c.svg");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_EQ(outcome.err,
            "vinculum: error: cannot write 'pipe.csv': nobody reads from this pipe\n"
            "vinculum: note: wrote a.csv\n"
            "vinculum: note: wrote all\n"
            "vinculum: error: cannot write '/dev/full': No space left on device\n"
            "vinculum: note: wrote c.svg\n");
  EXPECT_TRUE(has(outcome.out, "\"status\": \"done\"")) << outcome.out;
  EXPECT_EQ(vinculum.shell("ls").out, "a.csv\nall\nc.svg\nm.toml\npipe.csv\n");
}

TEST(Files, WhatFitsOnAFullDiskStaysInItsPartialFile) {
  const Folder vinculum;
  vinculum.write("m.toml", fall);
  vinculum.write("a.csv", "old");
  // 64 KiB fit; 20,000 samples take more than a MiB.
  const Outcome outcome = vinculum.shell(
      "(ulimit -f 64; vinculum run m.toml --json --samples 20000 --out a.csv 2>&1) | cat\nexit "
      "${PIPESTATUS[0]}");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(has(outcome.out, "vinculum: error: cannot write 'a.csv': File too large\n")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "vinculum: note: what was recorded for 'a.csv' is in '")) << outcome.out;
  EXPECT_TRUE(has(outcome.out, "\"status\": \"done\"")) << outcome.out;
  EXPECT_EQ(vinculum.read("a.csv"), "old");
  EXPECT_EQ(vinculum.shell("head -c 65536 a.csv.partial-* | wc -c").out, "65536\n");
}

TEST(Files, MessagesNeverGoToAFileOfResults) {
  const Folder vinculum;
  vinculum("run m.toml --out a.csv", fall);
  const std::string table = vinculum.read("a.csv");
  // With a stream closed, the next file that is opened would get its number.
  for (const char* closed : {"2>&-", ">&-", "<&- >&- 2>&-"}) {
    vinculum.shell(std::string("vinculum run m.toml --out b.csv --out all --report c.html ") + closed);
    EXPECT_EQ(vinculum.read("b.csv"), table) << closed;
    EXPECT_EQ(vinculum.read("all/trajectory.csv"), table) << closed;
  }
}

TEST(Files, AReaderWhoLeavesDoesNotTakeTheFilesAlong) {
  const Folder vinculum;
  vinculum.write("m.toml", fall);
  const Outcome outcome =
      vinculum.shell("vinculum run m.toml --out a.csv --out b.h5 --out all 2>&1 | true\nls");
  EXPECT_EQ(outcome.out, "a.csv\nall\nb.h5\nm.toml\n");
}

TEST(Files, AFailedMotionStillWritesWhatWasReached) {
  const Folder vinculum;
  const Outcome outcome = vinculum(
      "run m.toml --out part.csv --json",
      "[coordinates]\nx = { start = 1, rate = 2 }\n[mass]\nx = 1\n[forces]\nx = '6*x^2'\n[simulate]\n"
      "until = 2\n");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_TRUE(has(vinculum.read("part.csv"), "\n0,1,2,")) << vinculum.read("part.csv").substr(0, 800);
}

}  // namespace
}  // namespace vinculum::cli_test
