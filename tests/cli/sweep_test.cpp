// vinculum sweep: many motions, each the one that 'run' makes by itself; files that tell which is which and
// can be gone on with.
#include <gtest/gtest.h>

#include <charconv>
#include <csignal>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "cli/program.hpp"
#include "cli/started.hpp"

namespace vinculum::cli_test {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string oscillator = R"(
[parameters]
k = 4
c = 0
[coordinates]
x = 1
[mass]
x = 1
[forces]
x = "-k*x - c*x'"
[outputs]
pull = "k*x"
[events]
through = "x"
[simulate]
until = 2
)";

/// A table as text, by its names.
struct Table {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;
  explicit Table(const std::string& text) {
    std::istringstream lines(text);
    std::string line;
    const auto split = [](const std::string& whole) {
      std::vector<std::string> fields;
      std::istringstream in(whole);
      for (std::string field; std::getline(in, field, ',');) fields.push_back(field);
      return fields;
    };
    while (std::getline(lines, line)) {
      if (line.starts_with('#')) continue;  // what run says above its table
      if (names.empty())
        names = split(line);
      else
        rows.push_back(split(line));
    }
  }
  const std::string& at(std::size_t row, const std::string& name) const {
    const auto found = std::ranges::find(names, name);
    EXPECT_NE(found, names.end()) << name;
    return rows.at(row).at(static_cast<std::size_t>(found - names.begin()));
  }
  double number(std::size_t row, const std::string& name) const {
    const std::string& text = at(row, name);
    double value = NAN;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }
};

TEST(Sweep, OneLineForEachMemberInTheOrderOfTheGrid) {
  const Folder vinculum;
  const Outcome o = vinculum(
      "sweep m.toml --vary k=1:9:3 --vary c=0,0.5 --keep x --keep pull.max --keep x.mean --out o.csv",
      oscillator);
  ASSERT_EQ(o.status, 0) << o.err;
  const Table table(vinculum.read("o.csv"));
  EXPECT_EQ(table.names, (std::vector<std::string>{"member", "k", "c", "x", "pull.max", "x.mean", "status"}));
  ASSERT_EQ(table.rows.size(), 6u);
  const double ks[] = {1, 1, 5, 5, 9, 9};
  for (std::size_t r = 0; r < 6; ++r) {
    EXPECT_EQ(table.at(r, "member"), std::to_string(r));
    EXPECT_EQ(table.number(r, "k"), ks[r]);
    EXPECT_EQ(table.number(r, "c"), r % 2 == 0 ? 0 : 0.5);
    EXPECT_EQ(table.at(r, "status"), "done");
    if (r % 2 == 1) continue;
    const double w = std::sqrt(ks[r]);
    EXPECT_NEAR(table.number(r, "x"), std::cos(2 * w), 1e-7);
    EXPECT_NEAR(table.number(r, "pull.max"), ks[r], 1e-7);
    EXPECT_NEAR(table.number(r, "x.mean"), std::sin(2 * w) / (2 * w), 1e-7);
  }
  EXPECT_FALSE(vinculum.has("o.csv.partial"));
}

TEST(Sweep, ListsMayFollowOneOptionAndTheModelMayStandLast) {
  const Folder vinculum;
  ASSERT_EQ(vinculum("sweep m.toml --vary k=1:2:2 c=0:1:2 --keep x x.max --out a.csv", oscillator).status, 0);
  ASSERT_EQ(vinculum("sweep --out b.csv --vary k=1:2:2 c=0:1:2 --keep x x.max m.toml").status, 0);
  EXPECT_EQ(vinculum.read("a.csv"), vinculum.read("b.csv"));
  EXPECT_EQ(Table(vinculum.read("a.csv")).rows.size(), 4u);
}

/// The numbers of every member are those of 'run' with its values, in every digit.
void expect_as_run(const Folder& vinculum, const std::string& model, const std::string& vary,
                   const std::string& name, const std::string& value, const std::string& keep,
                   const std::string& more = "") {
  const Outcome o =
      vinculum("sweep " + model + " --quiet " + vary + " --keep " + keep + " --out o.csv " + more);
  ASSERT_EQ(o.status, 0) << model << ": " << o.err;
  const Table table(vinculum.read("o.csv"));
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    const std::string option = name == "set" ? "--set " : "--start ";
    const Outcome run = vinculum("run " + model + " --json --no-verify " + more + " " + option + "\"" +
                                 value + "=" + table.at(r, value) + "\"");
    ASSERT_EQ(run.status, 0) << run.err;
    const auto json = nlohmann::json::parse(run.out);
    const auto& names = json["coordinates"];
    const auto place = std::find(names.begin(), names.end(), keep) - names.begin();
    ASSERT_LT(place, static_cast<std::ptrdiff_t>(names.size())) << keep;
    EXPECT_EQ(table.number(r, keep), json["q"][static_cast<std::size_t>(place)].get<double>())
        << model << " member " << r;
  }
}

TEST(Sweep, EveryMemberIsTheMotionOfRunToTheBit) {
  const Folder vinculum;
  vinculum.write("m.toml", oscillator);
  expect_as_run(vinculum, "m.toml", "--vary k=0.3:7.7:5", "set", "k", "x");
  expect_as_run(vinculum, "m.toml", "--vary \"x'=-1:2:4\"", "start", "x'", "x");
  const std::string examples = VINCULUM_SOURCE "/examples/";
  expect_as_run(vinculum, examples + "spherical_pendulum.toml", "--vary g=1:12:3", "set", "g", "x",
                "--until 1");
  expect_as_run(vinculum, examples + "heavy_top.toml", "--vary g=1:12:2", "set", "g", "top.x", "--until 0.2");
}

TEST(Sweep, ParametersThatMakeAnotherStructureAreReadAnew) {
  const Folder vinculum;
  const std::string arm = VINCULUM_SOURCE "/examples/parts/arm.toml";
  const Outcome o = vinculum("sweep '" + arm + "' --vary n=1,2,4 --until 0.1 --keep energy --out o.csv");
  ASSERT_EQ(o.status, 0) << o.err;
  const Table table(vinculum.read("o.csv"));
  for (std::size_t r = 0; r < 3; ++r) {
    const auto json = nlohmann::json::parse(
        vinculum("run '" + arm + "' --until 0.1 --json --no-verify --set n=" + table.at(r, "n")).out);
    EXPECT_EQ(table.number(r, "energy"), json["energy"]["end"].get<double>());
  }
}

/// What is kept is found by its name in each of them, and is no number where it is not there.
TEST(Sweep, MembersWithElementsOfTheirOwnAreFoundByName) {
  const Folder vinculum;
  const std::string chain = R"(
[parameters]
n = 3
[coordinates]
q = { for = "i = 1..n", start = "i" }
[mass]
"q[i]" = { for = "i = 1..n", value = 1 }
[outputs]
last = "q[n]"
[simulate]
until = 0.1
)";
  const Outcome o = vinculum("sweep m.toml --vary n=1,3,5 --keep q2 last q5 last.mean --out o.csv", chain);
  ASSERT_EQ(o.status, 0) << o.err;
  const Table table(vinculum.read("o.csv"));
  for (std::size_t r = 0; r < 3; ++r) {
    const double n = table.number(r, "n");
    EXPECT_EQ(table.at(r, "q2"), n < 2 ? "nan" : "2");
    EXPECT_EQ(table.number(r, "last"), n);
    EXPECT_NEAR(table.number(r, "last.mean"), n, 1e-12);
    EXPECT_EQ(table.at(r, "q5"), n < 5 ? "nan" : "5");
  }
}

/// Stated as zero a friction is none: a member of that value is the motion without it, as in run.
TEST(Sweep, AParameterOfZeroIsReadAsOne) {
  const Folder vinculum;
  vinculum.write("m.toml", R"(
[parameters]
mu = 0.2
[particles.p]
mass = 1
velocity = [3, 0.1, 0]
[constraints]
table = { equation = "p.z = 0", friction = "mu" }
[forces]
p = [0, "-p.y", -9.81]
[simulate]
until = 0.7
)");
  expect_as_run(vinculum, "m.toml", "--vary mu=0,0.1,0.3", "set", "mu", "p.x");
}

TEST(Sweep, AParameterMadeOfOthersMayVaryByItself) {
  const Folder vinculum;
  const std::string model =
      "[parameters]\nm = 2\nk = '3*m'\n[coordinates]\nx = 1\n[mass]\nx = 'm'\n[forces]\nx = "
      "'-k*x'\n[simulate]\n"
      "until = '1 + k/10'\n";
  vinculum.write("m.toml", model);
  expect_as_run(vinculum, "m.toml", "--vary k=1,6,7", "set", "k", "x");
  expect_as_run(vinculum, "m.toml", "--vary m=1,6,7", "set", "m", "x");  // and k with it
}

TEST(Sweep, ARobotsFileVariesAsAModel) {
  const Folder vinculum;
  const std::string robot = VINCULUM_SOURCE "/docs/tutorial/gripper.urdf";
  const Outcome o =
      vinculum("sweep '" + robot + "' --until 0.1 --vary shoulder.angle=0,0.2 --keep energy --out o.csv");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(has(o.err, "read and compiled by itself, because 'shoulder.angle' is where a joint starts"))
      << o.err;
  const auto json = nlohmann::json::parse(
      vinculum("run '" + robot + "' --until 0.1 --json --no-verify --start shoulder.angle=0.2").out);
  EXPECT_EQ(Table(vinculum.read("o.csv")).number(1, "energy"), json["energy"]["end"].get<double>());
}

TEST(Sweep, AFileThatCannotBeFinishedIsNoSuccess) {
  const Folder vinculum;
  vinculum.write("m.toml", oscillator);
  const Outcome o = vinculum.shell(
      "ulimit -f 60; vinculum sweep m.toml --quiet --vary k=1:2:2000 --until 0.1 --keep x --out o.csv");
  EXPECT_EQ(o.status, 1) << o.err;
  EXPECT_TRUE(has(o.err, "File too large")) << o.err;
  EXPECT_FALSE(vinculum.has("o.csv"));
}

TEST(Sweep, AnyNumberOfThreadsWritesTheSameFile) {
  const Folder vinculum;
  const std::string what =
      "sweep m.toml --vary k=1:9:20 --random \"x=normal(1,0.2)\" --count 9 --seed 3 --keep x pull.max "
      "x.mean ";
  ASSERT_EQ(vinculum(what + "--out 1.csv --threads 1", oscillator).status, 0);
  ASSERT_EQ(vinculum(what + "--out 2.csv --threads 2").status, 0);
  ASSERT_EQ(vinculum(what + "--out 7.csv --threads 7").status, 0);
  EXPECT_EQ(vinculum.read("1.csv"), vinculum.read("2.csv"));
  EXPECT_EQ(vinculum.read("1.csv"), vinculum.read("7.csv"));
  EXPECT_EQ(Table(vinculum.read("1.csv")).rows.size(), 180u);
}

const std::string ensemble = oscillator + R"(
[ensemble]
count = 50
seed = 11
sampling = "sobol"
keep = ["x", "pull.max", "through.time"]
k = { from = 1, to = 4, count = 2 }
"x'" = { normal = [0, 0.5] }
)";

TEST(Sweep, TheModelMaySayWhatVaries) {
  const Folder vinculum;
  const Outcome o = vinculum("sweep m.toml --out o.csv", ensemble);
  ASSERT_EQ(o.status, 0) << o.err;
  const Table table(vinculum.read("o.csv"));
  EXPECT_EQ(table.names,
            (std::vector<std::string>{"member", "k", "x'", "x", "pull.max", "through.time", "status"}));
  ASSERT_EQ(table.rows.size(), 100u);
  // What the command line says of the same name holds instead.
  ASSERT_EQ(vinculum("sweep m.toml --vary k=2 --count 3 --keep x --out p.csv").status, 0);
  EXPECT_EQ(Table(vinculum.read("p.csv")).rows.size(), 3u);
}

TEST(Sweep, AMemberCanBeRunByItself) {
  const Folder vinculum;
  ASSERT_EQ(vinculum("sweep m.toml --out o.csv --set c=0.25 --until 1.5", ensemble).status, 0);
  ASSERT_EQ(vinculum("sweep m.toml --out o.h5 --set c=0.25 --until 1.5").status, 0);
  const Table table(vinculum.read("o.csv"));
  for (const int member : {0, 49, 50, 99}) {
    const std::string k = std::to_string(member);
    // Of the model's own study, what else was said has to be said again; a file knows it.
    for (const std::string& way :
         {"--member " + k + " --set c=0.25 --until 1.5", "--member " + k + " --of o.h5"}) {
      const Outcome run = vinculum("run m.toml --json --no-verify " + way);
      ASSERT_EQ(run.status, 0) << run.err;
      EXPECT_EQ(nlohmann::json::parse(run.out)["q"][0].get<double>(),
                table.number(static_cast<std::size_t>(member), "x"))
          << way;
    }
  }
  EXPECT_TRUE(has(vinculum("run m.toml --member 100").err, "members 0 to 99"));
  EXPECT_TRUE(has(vinculum("run m.toml --member 100 --of o.h5").err, "members 0 to 99"));
  EXPECT_TRUE(has(vinculum("run m.toml --member 1 --of o.csv").err, "FILE.h5 does"));
  EXPECT_EQ(vinculum("run m.toml --member -1").status, 2);
  vinculum.write("n.toml", oscillator);
  EXPECT_TRUE(has(vinculum("run n.toml --member 1").err, "states no [ensemble]"));
  EXPECT_TRUE(has(vinculum("run n.toml --member 1 --of o.h5").err, "is not the model"));
}

TEST(Sweep, MembersThatFailAreCountedWithTheirReasons) {
  const Folder vinculum;
  const std::string pendulum = R"(
[parameters]
L = 1
m = 1
[coordinates]
x = { start = 1 }
y = { start = 0 }
[mass]
x = "m"
y = "m"
[forces]
y = -9.81
[constraints]
rod = "x^2 + y^2 = L^2"
[simulate]
until = 0.5
)";
  const Outcome o = vinculum("sweep m.toml --vary L=1,2 --vary m=-1,1 --keep x --out o.csv", pendulum);
  EXPECT_EQ(o.status, 0) << o.err;  // one came to its end
  const Table table(vinculum.read("o.csv"));
  EXPECT_EQ(table.at(1, "status"), "done");
  EXPECT_NE(table.at(0, "status"), "done");
  EXPECT_EQ(table.at(0, "x"), "nan");
  EXPECT_EQ(table.at(3, "status"), "start");
  EXPECT_TRUE(has(o.out, "1 reached its end")) << o.out;
  EXPECT_TRUE(has(o.out, "member 3: ")) << o.out;
  const Outcome none = vinculum("sweep m.toml --vary L=2,3 --keep x --json --out p.csv");
  EXPECT_EQ(none.status, 1);
  const auto json = nlohmann::json::parse(none.out);
  EXPECT_EQ(json["members"], 2);
  EXPECT_EQ(json["computed"], 2);
  EXPECT_EQ(json["reached"], 0);
  EXPECT_EQ(json["failed"][0]["status"], "start");
  EXPECT_EQ(json["failed"][0]["count"], 2);
  EXPECT_EQ(json["failed"][0]["first"][0]["member"], 0);
  EXPECT_TRUE(has(json["failed"][0]["first"][0]["reason"].get<std::string>(), "rod"));
  EXPECT_TRUE(json["kept"]["x"]["mean"].is_null());
}

TEST(Sweep, WhatCannotBeMeantIsSaidByName) {
  const Folder vinculum;
  vinculum.write("m.toml", oscillator);
  const std::map<std::string, std::string> refused{
      {"sweep m.toml", "nothing varies"},
      {"sweep m.toml --vary k", "--vary k: write it as name=from:to:count"},
      {"sweep m.toml --vary k=1:2", "--vary k=1:2: write it as name=from:to:count"},
      {"sweep m.toml --vary k=1:2:0", "the count is a whole number"},
      {"sweep m.toml --vary k=1:2:2.5", "the count is a whole number"},
      {"sweep m.toml --vary k=1:inf:2", "write it as"},
      {"sweep m.toml --vary k=1:2:1", "one value is not both 1 and 2: write k=1"},
      {"sweep m.toml --vary k=1,b", "write it as"},
      {"sweep m.toml --vary kk=1,2", "did you mean 'k'?"},
      {"sweep m.toml --vary k=1 --vary k=2", "'k' varies twice"},
      {"sweep m.toml --vary k=1,2 --keep xx", "there is no 'xx' to keep"},
      {"sweep m.toml --random \"k=gauss(1,2)\"", "name=normal(mean,deviation)"},
      {"sweep m.toml --random \"k=normal(1,-2)\"", "a deviation is not negative"},
      {"sweep m.toml --vary k=1,2 --count 5", "nothing is drawn"},
      {"sweep m.toml --vary k=1,2 --out o.txt", "these end with .csv or .h5"},
      {"sweep m.toml --vary k=1,2 --out nowhere/o.csv", "there is no folder 'nowhere'"},
      {"sweep m.toml --vary k=1,2 --device tpu", "--device tpu: it is cpu or gpu"},
      {"sweep m.toml --vary k=1,2 --integrator radau5 --device gpu", "the method 'radau5' is not there"},
      {"sweep m.toml --vary k=1,2 --threads -1", "--threads"},
      {"sweep m.toml --vary k=1,2 --threads 0", "one or more"},
      {"sweep m.toml --vary k=1,2 --seed 3", "--seed: nothing is drawn"},
      {"sweep m.toml --vary k=1,2 --sobol", "--sobol: nothing is drawn"},
      {"sweep m.toml --random \"k=uniform(1,2)\" --seed -3", "--seed -3: it is a whole number from 0"},
      {"sweep m.toml --random \"k=uniform(1,2)\" --seed 99999999999999999999", "to 9007199254740992"},
      {"sweep m.toml --random \"k=uniform(1,2)\" --count 99999999999999999999", "to 9007199254740992"},
      {"sweep m.toml --random \"k=uniform(-1e308,1e308)\"", "not lie further apart"},
      {"sweep m.toml --vary k=1,2 --keep x --samples 7",
       "7 samples are asked for, and no trajectory is kept"},
      {"sweep m.toml --vary k=1,2 --keep x.samples --samples 20000000", "lie between 1 and 10000000"},
      {"sweep m.toml --vary k=1,2 --keep x.samples --samples 2000000", "1000000 numbers are the most"},
      {"sweep m.toml --vary k=1,2 --resume", "by --out FILE"},
      {"sweep m.toml --vary x=1,2 --start x=3", "told to start at one value"},
      {"sweep --vary k=1,2", "MODEL"},
      {"sweep none.toml --vary k=1,2", "none.toml"},
  };
  for (const auto& [line, text] : refused) {
    const Outcome o = vinculum(line);
    EXPECT_EQ(o.status, 2) << line << ": " << o.err;
    EXPECT_TRUE(has(o.err, text)) << line << ": " << o.err;
    EXPECT_EQ(o.out, "") << line;
  }
  EXPECT_EQ(vinculum.shell("ls").out, "m.toml\n");
}

/// A study that takes a second or so, in as many members as tests of interruption need.
const std::string slow =
    "sweep m.toml --quiet --vary k=1:9:400 --random \"x=normal(1,0.1)\" --until 120 --keep x x.max ";
std::vector<std::string> arguments_of(const std::string& out, bool resume) {
  std::vector<std::string> list{"sweep",    "m.toml",          "--quiet", "--vary", "k=1:9:400",
                                "--random", "x=normal(1,0.1)", "--until", "120",    "--keep",
                                "x",        "x.max",           "--out",   out};
  if (resume) list.emplace_back("--resume");
  return list;
}

TEST(Sweep, AnInterruptedStudyKeepsWhatItHasAndGoesOn) {
  const Folder vinculum;
  vinculum.write("m.toml", oscillator);
  for (const std::string name : {"o.csv", "o.h5"}) {
    const std::string whole = "whole." + name.substr(2);
    ASSERT_EQ(vinculum(slow + "--out " + whole).status, 0);
    Started first(vinculum, arguments_of(name, false));
    seconds(0.3);
    first.signal(SIGINT);
    EXPECT_EQ(first.wait(), 1);
    ASSERT_TRUE(vinculum.has(name + ".partial"));
    EXPECT_FALSE(vinculum.has(name));
    EXPECT_TRUE(has(vinculum.read(".err"), "--resume goes on")) << vinculum.read(".err");
    // Without the word nothing is overwritten; another study is not mixed in.
    EXPECT_TRUE(has(vinculum(slow + "--out " + name).err, "--resume goes on with it"));
    EXPECT_TRUE(has(vinculum(slow + "--set c=0.1 --resume --out " + name).err, "another study"));
    const Outcome rest = vinculum(slow + "--resume --out " + name);
    ASSERT_EQ(rest.status, 0) << rest.err;
    EXPECT_TRUE(vinculum.read(name) == vinculum.read(whole)) << name;
    EXPECT_FALSE(vinculum.has(name + ".partial"));
    const Outcome again = vinculum(slow + "--resume --out " + name);
    if (name == "o.h5") {  // it says of which study it is
      EXPECT_EQ(again.status, 0) << again.err;
      EXPECT_TRUE(has(vinculum("sweep m.toml --vary k=1,2 --resume --out " + name).err, "is not this study"));
    } else {
      EXPECT_EQ(again.status, 2);
      EXPECT_TRUE(has(again.err, "does not say of which study")) << again.err;
    }
  }
}

TEST(Sweep, KilledAtAnyMomentItGoesOnToTheSameFile) {
  const Folder vinculum;
  vinculum.write("m.toml", oscillator);
  std::mt19937 random(7);
  for (const std::string name : {"o.csv", "o.h5"}) {
    const std::string whole = "whole." + name.substr(2);
    ASSERT_EQ(vinculum(slow + "--out " + whole).status, 0);
    for (int k = 0; k < 25 && !vinculum.has(name); ++k) {
      Started run(vinculum, arguments_of(name, k > 0));
      seconds(std::uniform_real_distribution<>(0.0, 0.25)(random));
      run.signal(SIGKILL);
      run.wait();
    }
    if (!vinculum.has(name)) {
      ASSERT_EQ(vinculum(slow + "--resume --out " + name).status, 0);
    }
    EXPECT_TRUE(vinculum.read(name) == vinculum.read(whole)) << name;
  }
}

TEST(Sweep, TwoAtOnceDoNotWriteOneFile) {
  const Folder vinculum;
  vinculum.write("m.toml", oscillator);
  auto endless = arguments_of("o.csv", false);
  endless[8] = "1e7";
  Started first(vinculum, endless);
  for (int k = 0; k < 100 && !vinculum.has("o.csv.partial"); ++k) seconds(0.05);
  const Outcome second = vinculum(slow + "--resume --out o.csv");
  EXPECT_TRUE(has(second.err, "another process is writing")) << second.err;
}

TEST(Sweep, DamageIsToldAndNotGoneOnWith) {
  const Folder vinculum;
  ASSERT_EQ(vinculum("sweep m.toml --vary k=1:2:5 --keep x --out o.csv", oscillator).status, 0);
  const std::string rows = vinculum.read("o.csv");
  vinculum.write("o.csv.partial", "# vinculum sweep 0123 0.1.0\n" + rows);
  vinculum.shell("rm o.csv");
  const Outcome o = vinculum("sweep m.toml --vary k=1:2:5 --keep x --out o.csv --resume");
  EXPECT_EQ(o.status, 2);
  EXPECT_TRUE(has(o.err, "cannot go on with")) << o.err;
}

/// Rows of a file vary together; each member is the motion of `run` with its row.
TEST(Sweep, ATableSaysWhatVaries) {
  const Folder vinculum;
  vinculum.write("m.toml", oscillator);
  vinculum.write("rows.csv",
                 "# measured\r\nk, \"x\",note\r\n4,1,first\r\n\r\n9.5, +2,second\r\n1e0,-1,third\r\n");
  const Outcome o =
      vinculum("sweep m.toml --table rows.csv --columns k x --vary c=0,0.5 --keep x pull.max --out o.csv");
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(has(o.out, "in 3 rows of a table, from 1 to 9.5")) << o.out;
  const Table table(vinculum.read("o.csv"));
  ASSERT_EQ(table.rows.size(), 6u);
  EXPECT_EQ(table.names, (std::vector<std::string>{"member", "k", "x", "c", "x", "pull.max", "status"}));
  const double k[] = {4, 9.5, 1}, x[] = {1, 2, -1};
  for (std::size_t row = 0; row < 6; ++row) {
    EXPECT_EQ(table.number(row, "k"), k[row / 2]);
    EXPECT_EQ(std::stod(table.rows[row][2]), x[row / 2]);
    EXPECT_EQ(table.number(row, "c"), row % 2 == 0 ? 0 : 0.5);
    const std::string set = "run m.toml --no-verify --json --set k=" + table.at(row, "k") +
                            " --set c=" + table.at(row, "c") + " --start x=" + table.rows[row][2];
    const auto alone = nlohmann::json::parse(vinculum(set).out);
    EXPECT_EQ(std::stod(table.rows[row][4]), alone["q"][0].get<double>()) << row;
  }
  // What a study has written is a table as well; the model may name it, and a member is found there.
  ASSERT_EQ(vinculum("sweep m.toml --table rows.csv --columns k x --keep x --out o.h5").status, 0);
  const std::string again = "sweep m.toml --table o.h5 --keep x --out again.csv";
  ASSERT_EQ(vinculum(again).status, 0) << vinculum.read(".err");
  EXPECT_EQ(Table(vinculum.read("again.csv")).rows.size(), 3u);
  vinculum.write("stated.toml", oscillator + "[ensemble]\ntable = \"rows.csv\"\ncolumns = [\"k\", \"x\"]\n");
  ASSERT_EQ(vinculum("sweep stated.toml --keep x --out stated.csv").status, 0) << vinculum.read(".err");
  EXPECT_EQ(vinculum.read("stated.csv"), vinculum.read("again.csv"));
  const auto member = nlohmann::json::parse(vinculum("run stated.toml --member 1 --no-verify --json").out);
  EXPECT_EQ(member["q"][0].get<double>(), std::stod(Table(vinculum.read("stated.csv")).rows[1][3]));
  // Another table is another study.
  vinculum.write("o.csv.partial", "");
  vinculum.write("rows.csv", "k,x,note\n4,1.5,first\n");
  EXPECT_EQ(Table((vinculum("sweep stated.toml --keep x --out stated.csv"), vinculum.read("stated.csv")))
                .rows.size(),
            1u);
}

TEST(Sweep, WhatIsWrongWithATableIsSaidWithItsLine) {
  const Folder vinculum;
  vinculum.write("m.toml", oscillator);
  const auto told = [&](const std::string& text, const std::string& more = "") {
    vinculum.write("rows.csv", text);
    const Outcome o = vinculum("sweep m.toml --keep x --table rows.csv " + more);
    EXPECT_EQ(o.status, 2) << text;
    return o.err;
  };
  EXPECT_TRUE(has(told("k,x\n1,2\n3\n"), "'rows.csv', line 3: 1 fields, and 2 columns"));
  EXPECT_TRUE(has(told("k,x\n1,two\n"), "'rows.csv', line 2: 'two' in the column 'x' is no number"));
  EXPECT_TRUE(has(told("k\n1\n", "--columns kk"), "has no column 'kk'; did you mean 'k'?"));
  EXPECT_TRUE(has(told("k\n"), "the table of 'k' has no rows"));
  EXPECT_TRUE(has(told(""), "is empty"));
  EXPECT_TRUE(has(told("k\nnan\n"), "'k' is nan in row 1 of its table"));
  EXPECT_TRUE(has(told("q\n1\n"), "'q' cannot vary"));
  EXPECT_TRUE(has(told("k\n1\n", "--vary k=1,2"), "'k' varies twice"));
  EXPECT_TRUE(has(vinculum("sweep m.toml --table none.csv").err, "cannot read 'none.csv'"));
  EXPECT_TRUE(has(vinculum("sweep m.toml --table m.toml").err, "these end with .csv or .h5"));
  EXPECT_TRUE(has(vinculum("sweep m.toml --columns k").err, "--columns: say of which table"));
  vinculum.write("stated.toml", oscillator + "[ensemble]\ntable = \"../rows.csv\"\n");
  EXPECT_TRUE(has(vinculum("sweep stated.toml").err, "leads out of the folder of the model"));
}

/// The layout that is promised, read by another program.
TEST(Sweep, TheHdf5FileIsReadByOthers) {
  const Folder vinculum;
  ASSERT_EQ(vinculum("sweep m.toml --out o.h5", ensemble).status, 0);
  ASSERT_EQ(vinculum("sweep m.toml --out o.csv").status, 0);
  vinculum.write("read.py", R"(
import csv, h5py, json
f = h5py.File("o.h5")
rows = list(csv.DictReader(open("o.csv")))
assert f.attrs["complete"] == 1
assert list(f["varied"].attrs["names"]) == ["k", "x'"]
assert list(f["kept"].attrs["names"]) == ["x", "pull.max", "through.time"]
words = list(f["status"].attrs["names"])
for k, row in enumerate(rows):
    assert int(row["member"]) == k
    assert words[f["status"][k]] == row["status"]
    for folder in ("varied", "kept"):
        for name in f[folder].attrs["names"]:
            a, b = f[folder][name][k], float(row[name])
            assert a == b or (a != a and b != b), (k, name, a, b)
assert json.loads(f.attrs["summary"])["members"] == 100
assert "ensemble" in f.attrs["model"]
print("read")
)");
  const Outcome o = vinculum.shell("/usr/bin/python3 read.py");
  EXPECT_EQ(o.out, "read\n") << o.err;
}

TEST(Sweep, WholeTrajectoriesAreKept) {
  const Folder vinculum;
  const std::string study =
      "sweep m.toml --vary k=1,2,5 --keep x.samples \"x'@0.25\" --keep pull.max --samples 9 ";
  const Outcome o = vinculum(study + "--out o.csv", oscillator);
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(has(o.out, "of 'x' the values at 9 instants")) << o.out;
  EXPECT_TRUE(has(o.out, "\n  x@0 ") && has(o.out, "\n  x@2 ") && !has(o.out, "x@1 ")) << o.out;
  const Table table(vinculum.read("o.csv"));
  ASSERT_EQ(table.names.size(), 14u);
  EXPECT_EQ(table.names[3], "x@0.25");
  for (std::size_t r = 0; r < 3; ++r) {
    ASSERT_EQ(vinculum("run m.toml --quiet --no-verify --samples 9 --out run.csv --set k=" + table.at(r, "k"))
                  .status,
              0);
    const Table run(vinculum.read("run.csv"));
    for (std::size_t i = 0; i < 9; ++i)
      EXPECT_EQ(table.number(r, "x@" + run.at(i, "t")), run.number(i, "x")) << r << " " << i;
    EXPECT_EQ(table.number(r, "x'@0.25"), run.number(1, "x'"));
  }
  ASSERT_EQ(vinculum(study + "--out o.h5").status, 0);
  vinculum.write("read.py", R"(
import csv, h5py
f = h5py.File("o.h5")["kept"]
rows = list(csv.DictReader(open("o.csv")))
assert list(f.attrs["names"]) == ["pull.max", "x.samples", "x'.samples"], list(f.attrs["names"])
assert f["x.samples"].shape == (3, 9) and f["x'.samples"].shape == (3, 1)
times = f["x.samples"].attrs["instants"]
for k, row in enumerate(rows):
    assert f["pull.max"][k] == float(row["pull.max"])
    assert f["x'.samples"][k, 0] == float(row["x'@0.25"])
    for i, t in enumerate(times):
        assert f["x.samples"][k, i] == float(row["x@%g" % t]), (k, t)
print("read")
)");
  const Outcome read = vinculum.shell("/usr/bin/python3 read.py");
  EXPECT_EQ(read.out, "read\n") << read.err;
  const Outcome again = vinculum(study + "--json --resume --out o.h5");
  ASSERT_EQ(again.status, 0) << again.err;
  const auto kept = nlohmann::json::parse(again.out)["kept"];
  EXPECT_EQ(kept.size(), 11u);
  EXPECT_EQ(kept["x@0"]["min"], 1.0);
  EXPECT_EQ(nlohmann::json::parse(vinculum(study + "--json").out)["kept"], kept);
}

TEST(Sweep, InstantsThatCannotBeMeantAreSaid) {
  const Folder vinculum;
  const std::string own = oscillator + "\n[ensemble]\nk = { values = [1, 2] }\n";
  const auto until_of = [&](const std::string& end) {
    std::string model = own;
    return model.replace(model.find("until = 2"), 9, "until = " + end);
  };
  const Outcome varies = vinculum("sweep m.toml --keep x.samples", until_of("\"2*k\""));
  EXPECT_EQ(varies.status, 2);
  EXPECT_TRUE(has(varies.err, "not the same in all members")) << varies.err;
  // An instant by itself may be behind the end of some.
  const Outcome some = vinculum("sweep m.toml --json --keep x@3 --keep x@2");
  EXPECT_EQ(nlohmann::json::parse(some.out)["kept"]["x@3"]["count"], 1) << some.err;
  EXPECT_EQ(nlohmann::json::parse(some.out)["kept"]["x@2"]["count"], 2);
  EXPECT_TRUE(has(vinculum("sweep m.toml --keep y.samples", own).err, "there is no 'y.samples'"));
  EXPECT_TRUE(has(vinculum("sweep m.toml --keep x.max.samples").err, "there is no 'x.max.samples'"));
  EXPECT_TRUE(has(vinculum("sweep m.toml --keep x@later").err, "there is no 'x@later'"));
  EXPECT_TRUE(has(vinculum("sweep m.toml --keep through@1").err, "there is no 'through@1'"));
  EXPECT_EQ(vinculum("sweep m.toml --keep x --samples 0").status, 2);
  const Outcome device = vinculum("sweep m.toml --keep x@1 --device gpu");
  EXPECT_EQ(device.status, 2);
  EXPECT_TRUE(has(device.err, "'x@1' is at an instant inside the motion")) << device.err;
}

TEST(Sweep, TheNumberOfSamplesIsThatOfAllMembers) {
  const Folder vinculum;
  std::string model = oscillator;
  model += "samples = \"4*k\"\n";
  const Outcome varies = vinculum("sweep m.toml --vary k=1,2 --keep x.samples", model);
  EXPECT_EQ(varies.status, 2);
  EXPECT_TRUE(has(varies.err, "'samples' in [simulate] varies: say how many, as in --samples 101"))
      << varies.err;
  EXPECT_EQ(vinculum("sweep m.toml --vary k=1,2 --keep x.samples --samples 5 --quiet").status, 0);
}

TEST(Sweep, AnInstantWrittenInSeveralWaysIsOneAndTrajectoriesAreInTheOrderOfTime) {
  const Folder vinculum;
  const Outcome o = vinculum(
      "sweep m.toml --vary k=1,2 --keep x@1.5 x@.5 x@5e-1 x@-0 x.samples x@0.50 --samples 3 --out o.csv",
      oscillator);
  ASSERT_EQ(o.status, 0) << o.err;
  EXPECT_EQ(Table(vinculum.read("o.csv")).names,
            (std::vector<std::string>{"member", "k", "x@1.5", "x@0.5", "x@0", "x@1", "x@2", "status"}));
  ASSERT_EQ(vinculum("sweep m.toml --vary k=1,2 --keep x@1.5 x@.5 x.samples --samples 3 --out o.h5").status,
            0);
  vinculum.write("read.py", R"(
import csv, h5py
x = h5py.File("o.h5")["kept"]["x.samples"]
assert x.attrs["instants"].tolist() == [0, 0.5, 1, 1.5, 2], x.attrs["instants"]
for member, row in enumerate(csv.DictReader(open("o.csv"))):
    assert x[member].tolist() == [float(row["x@" + t]) for t in ("0", "0.5", "1", "1.5", "2")]
print("read")
)");
  const Outcome read = vinculum.shell("/usr/bin/python3 read.py");
  EXPECT_EQ(read.out, "read\n") << read.err;
  const Outcome told = vinculum("sweep m.toml --vary k=1,2 --keep x@1.5 x@0.75 x@0.25 x.samples --samples 5");
  EXPECT_TRUE(has(told.out, "\n  x@0 ") && has(told.out, "\n  x@2 ") && !has(told.out, "\n  x@1.5 "))
      << told.out;
}

// What is told of one motion agrees: at the end it is where it is largest, and a peak that is too narrow to
// be met was met by an instant.
TEST(Sweep, ExtremesHoldWhatIsToldBesideThem) {
  const Folder vinculum;
  const std::string stops = R"toml(
[parameters]
c = 1
[coordinates]
x = { start = 0, rate = "c" }
[mass]
x = 1
[outputs]
s = "exp(-((t - 0.3001)*1e5)^2)"
[events]
hit = { at = "x - c/2", stop = true }
[simulate]
until = 2
)toml";
  const Outcome o =
      vinculum("sweep m.toml --vary c=0.7:1.9:13 --keep x x.max x.min s.max s@0.3001 --out o.csv", stops);
  ASSERT_EQ(o.status, 0) << o.err;
  const Table table(vinculum.read("o.csv"));
  for (std::size_t r = 0; r < 13; ++r) {
    EXPECT_GE(table.number(r, "x.max"), table.number(r, "x")) << r;
    EXPECT_NEAR(table.number(r, "x.max"), table.number(r, "x"), 1e-12) << r;
    EXPECT_EQ(table.number(r, "x.min"), 0.0);
    EXPECT_EQ(table.number(r, "s@0.3001"), 1.0);
    EXPECT_EQ(table.number(r, "s.max"), 1.0);
  }
}

TEST(Sweep, WhatVariesIsNotSetForAMember) {
  const Folder vinculum;
  ASSERT_EQ(vinculum("sweep m.toml --vary k=1,2 --keep x --out o.h5", oscillator).status, 0);
  const Outcome o = vinculum("run m.toml --member 1 --of o.h5 --set k=3");
  EXPECT_EQ(o.status, 0);
  EXPECT_TRUE(has(o.err, "--set k=3 does nothing: 'k' of this member is 2")) << o.err;
  EXPECT_FALSE(has(o.err, "given twice")) << o.err;
}

TEST(Sweep, WithoutAFileItsSumIsTold) {
  const Folder vinculum;
  const Outcome o = vinculum("sweep m.toml --vary k=1:9:50 --keep x.max", oscillator);
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_TRUE(has(o.out, "50 members computed")) << o.out;
  EXPECT_TRUE(has(o.out, "x.max")) << o.out;
  EXPECT_EQ(vinculum.shell("ls").out, "m.toml\n");
}

}  // namespace
}  // namespace vinculum::cli_test
