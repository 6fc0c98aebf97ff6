// vinculum run: its JSON, and the exit status for every way a motion can end.
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "vinculum/io/read_model.hpp"

namespace vinculum::cli_test {
namespace {

using Json = nlohmann::ordered_json;

/// Standard output as one JSON object and nothing else.
Json json_of(const Outcome& outcome) {
  const Json json = Json::parse(outcome.out, nullptr, false);
  EXPECT_TRUE(json.is_object()) << outcome.out << outcome.err;
  return json.is_object() ? json : Json::object();
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

const std::string thrown = R"(
title = "A stone on a string"
[parameters]
g = 10
[coordinates]
z = { start = 3, rate = 0.5 }
a = { start = 1, rate = 2 }
[mass]
z = 2
a = 4
[forces]
a = "-4*g"
[constraints]
wire = "z = 3 + t/2"
[outputs]
height = "a"
pull = "force(wire).z"
place = "[z, a, t]"
[events]
level = "a - 1"
top = { at = "a'", direction = "falling" }
[simulate]
until = 0.5
)";

TEST(Run, TheJsonHasEveryKeyOfTheManualInItsShapeAndValue) {
  const Folder vinculum;
  const Outcome outcome = vinculum("run m.toml --json", thrown);
  EXPECT_EQ(outcome.status, 0);
  const Json json = json_of(outcome);
  EXPECT_EQ(json["status"], "done");
  EXPECT_TRUE(json["reason"].is_string());
  EXPECT_EQ(json["names"], Json::array());
  EXPECT_EQ(json["model"], "m.toml");
  EXPECT_EQ(json["time"], 0.5);
  EXPECT_EQ(json["coordinates"], (Json{"z", "a"}));
  EXPECT_EQ(json["velocities"], (Json{"z'", "a'"}));
  // a = 1 + 2 t - 5 t^2; a parabola is exact up to rounding for every method here.
  EXPECT_NEAR(json["q"][0].get<double>(), 3.25, 1e-14);
  EXPECT_NEAR(json["q"][1].get<double>(), 1 + 1 - 1.25, 1e-14);
  EXPECT_NEAR(json["v"][1].get<double>(), -3, 1e-14);
  EXPECT_NEAR(json["acceleration"][1].get<double>(), -10, 1e-14);
  EXPECT_EQ(json["acceleration"][0], 0.0);
  EXPECT_EQ(json["constraint_force"], (Json{0.0, 0.0}));
  EXPECT_EQ(json["nonideal_force"], (Json{0.0, 0.0}));
  EXPECT_EQ(json["multipliers"], (Json{{"wire", 0.0}}));
  EXPECT_EQ(json["rank"], 1);
  EXPECT_EQ(json["energy"]["start"], 0.25 + 8);
  EXPECT_NEAR(json["energy"]["end"].get<double>(), 0.25 + 18, 1e-13);
  EXPECT_NEAR(json["energy"]["work"].get<double>(), 10, 1e-13);  // 4 g (1 - 0.75)
  EXPECT_NEAR(json["energy"]["drift"].get<double>(), 0, 1e-13);
  for (const char* level : {"position", "velocity", "acceleration"})
    EXPECT_LT(json["residual"][level].get<double>(), 1e-14);
  EXPECT_LT(json["residuals"]["wire"].get<double>(), 1e-14);
  EXPECT_GT(json["steps"].get<int>(), 0);
  EXPECT_GE(json["rejected"].get<int>(), 0);
  EXPECT_GT(json["evaluations"].get<int>(), 0);
  EXPECT_GE(json["seconds"].get<double>(), 0);
  EXPECT_NEAR(json["outputs"]["height"].get<double>(), 0.75, 1e-14);
  EXPECT_EQ(json["outputs"]["pull"], 0.0);
  ASSERT_EQ(json["outputs"]["place"].size(), 3u);
  EXPECT_EQ(json["outputs"]["place"][2], 0.5);
  ASSERT_EQ(json["events"].size(), 2u);  // the level at the start does not count
  EXPECT_EQ(json["events"][0]["name"], "top");
  EXPECT_NEAR(json["events"][0]["time"].get<double>(), 0.2, 1e-13);
  EXPECT_EQ(json["events"][1]["name"], "level");
  EXPECT_NEAR(json["events"][1]["time"].get<double>(), 0.4, 1e-13);
}

TEST(Run, NumbersReadBackToTheBitsOfTheLibrary) {
  const Folder vinculum;
  const std::string text =
      "[parameters]\ng = 9.81\n[coordinates]\nx = { start = 0.6, rate = 0.1 }\ny = { start = -0.8, rate "
      "= 0.075 }\n[mass]\nx = 1\ny = 1\n[forces]\ny = '-g'\n[constraints]\nrod = 'x^2 + y^2 = "
      "1'\n[simulate]\nuntil = 3.3\n";
  const Json json = json_of(vinculum("run m.toml --json", text));
  const ModelFile file = *read_model(text, "m.toml").file;
  const System system(file.model);
  MotionOptions how;
  how.until = 3.3;
  how.samples = 1;
  const Trajectory motion = simulate(system, how);
  for (int k = 0; k < 2; ++k) {
    EXPECT_EQ(json["q"][k].get<double>(), motion.last.q[k]);
    EXPECT_EQ(json["v"][k].get<double>(), motion.last.v[k]);
    EXPECT_EQ(json["constraint_force"][k].get<double>(), motion.back().constraint_force[k]);
  }
  EXPECT_EQ(json["multipliers"]["rod"].get<double>(), motion.back().multipliers[0]);
  EXPECT_EQ(json["energy"]["drift"].get<double>(), motion.drift());
}

TEST(Run, AnEventThatStopsIsSuccess) {
  const Folder vinculum;
  const Outcome outcome = vinculum("run m.toml --json",
                                   "[coordinates]\nx = { rate = 1 }\n[mass]\nx = 1\n[events]\n"
                                   "wall = { at = 'x - 2', stop = true }\n[simulate]\nuntil = 9\n");
  EXPECT_EQ(outcome.status, 0);
  const Json json = json_of(outcome);
  EXPECT_EQ(json["status"], "event");
  EXPECT_EQ(json["names"], Json{"wall"});
  EXPECT_NEAR(json["time"].get<double>(), 2, 1e-13);
  ASSERT_EQ(json["events"].size(), 1u);
  EXPECT_EQ(json["events"][0]["name"], "wall");
  EXPECT_EQ(json["events"][0]["time"], json["time"]);
}

TEST(Run, UntilMayLieBeforeTheStartOrAtIt) {
  const Folder vinculum;
  const std::string text =
      "[coordinates]\nx = { start = 1, rate = 1 }\n[mass]\nx = 1\n[outputs]\nv = \"x'\"\n[simulate]\nfrom = "
      "2\n";
  const Json back = json_of(vinculum("run m.toml --json --until -1", text));
  EXPECT_EQ(back["time"], -1.0);
  EXPECT_NEAR(back["q"][0].get<double>(), -2, 1e-14);
  const Json same = json_of(vinculum("run m.toml --json --until 2"));
  EXPECT_EQ(same["time"], 2.0);
  EXPECT_EQ(same["q"], Json{1.0});
  EXPECT_EQ(same["outputs"]["v"], 1.0);
  EXPECT_EQ(same["acceleration"], Json{0.0});
}

/// A motion that cannot be computed: exit 1, a message on standard error, and JSON with what was reached.
Json expect_failure(const std::string& text, const std::string& status, const Json& names) {
  const Folder vinculum;
  const Outcome outcome = vinculum("run m.toml --json", text);
  EXPECT_EQ(outcome.status, 1) << text;
  const Json json = json_of(outcome);
  EXPECT_EQ(json["status"], status) << json["reason"];
  EXPECT_EQ(json["names"], names) << json["reason"];
  EXPECT_FALSE(json["reason"].get<std::string>().empty());
  EXPECT_EQ(outcome.err, "vinculum: error: m.toml: " + json["reason"].get<std::string>() + "\n");
  EXPECT_TRUE(json["time"].is_number());
  EXPECT_TRUE(json["q"].is_array());
  return json;
}
const std::string two = "[coordinates]\nx = 1\ny = 0\n[mass]\nx = 1\ny = 1\n[simulate]\nuntil = 1\n";

TEST(Run, ContradictingConstraintsAreNamed) {
  expect_failure(two + "[constraints]\na = 'x = 1'\nother = 'y = 0'\nb = 'x = 2'\n", "contradiction",
                 {"a", "b"});
  expect_failure(two + "[constraints]\nclock = 't = 1'\n", "contradiction", {"clock"});
  expect_failure(two + "[constraints]\nnothing = 'x - x = 1'\n", "contradiction", {"nothing"});
  expect_failure(two + "[constraints]\na = \"x'' = 1\"\nb = \"x'' = 2\"\n", "contradiction", {"a", "b"});
  expect_failure(two + "[constraints]\na = \"x' = 0\"\nb = \"2*x' = 1\"\n", "contradiction", {"a", "b"});
}

TEST(Run, AStartOffItsConstraintsIsRefusedWithEveryMissAndTheRepair) {
  const Json json = expect_failure(two + "[constraints]\ncircle = 'x^2 + y^2 = 2'\nspeed = \"y' = 3\"\n",
                                   "start", {"speed", "circle"});
  const std::string reason = json["reason"];
  EXPECT_TRUE(has(reason, "constraint 'circle' by -1")) << reason;
  EXPECT_TRUE(has(reason, "constraint 'speed' in its velocities by -3")) << reason;
  EXPECT_TRUE(has(reason, "'x' by 0.414") && has(reason, "'y'' by 3")) << reason;
  EXPECT_EQ(json["q"], (Json{1.0, 0.0}));
}

TEST(Run, AStartWithinTheToleranceIsMovedAndSaid) {
  const Folder vinculum;
  const std::string text =
      "[coordinates]\nx = 1.000000002\ny = 0\n[mass]\nx = 1\ny = 1\n[constraints]\nrod = 'x^2 + y^2 = 1'\n"
      "[simulate]\nuntil = 0\n";
  const Outcome outcome = vinculum("run m.toml --json", text);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const Json json = json_of(outcome);
  EXPECT_NEAR(json["q"][0].get<double>(), 1, 1e-15);
  EXPECT_TRUE(has(json["notes"].dump(), "the start was moved onto its constraints: 'x' by -2e-09"))
      << json["notes"];
  const Outcome page = vinculum("run m.toml");
  EXPECT_TRUE(has(page.out + page.err, "the start was moved onto its constraints")) << page.out << page.err;
  // Ten times as far is not.
  EXPECT_EQ(vinculum("run m.toml --json",
                     "[coordinates]\nx = 1.00000002\n[mass]\nx = 1\n[constraints]\nc = 'x^2 = 1'\n"
                     "[simulate]\nuntil = 1\n")
                .status,
            1);
}

TEST(Run, AStartIsMendedOnRequest) {
  const Folder vinculum;
  const std::string text = two + "[constraints]\ncircle = 'x^2 + y^2 = 4'\nspeed = \"y' = 3\"\n";
  const Outcome outcome = vinculum("run m.toml --json --assemble --until 0", text);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const Json json = json_of(outcome);
  EXPECT_NEAR(json["q"][0].get<double>(), 2, 1e-14);
  EXPECT_NEAR(json["v"][1].get<double>(), 3, 1e-14);
  EXPECT_TRUE(has(outcome.err, "'y'' by 3") && has(outcome.err, "'x' by 1")) << outcome.err;
  EXPECT_EQ(
      vinculum("run m.toml --json --assemble", two + "[constraints]\na = 'x = 1'\nb = 'x = 2'\n").status, 1);
}

TEST(Run, WhatHappensInTheMotionIsNamed) {
  // x'' = 6 x^2 with x = 1/(1 - t)^2 grows beyond all numbers at t = 1.
  const Json wall = expect_failure(
      "[coordinates]\nx = { start = 1, rate = 2 }\n[mass]\nx = 1\n[forces]\nx = '6*x^2'\n[simulate]\n"
      "until = 2\n",
      "step", {"x'"});
  EXPECT_NEAR(wall["time"].get<double>(), 1, 1e-3);
  const Json root = expect_failure(two + "[forces]\nx = 'sqrt(0.5 - t)'\n", "not_finite", {"x"});
  EXPECT_NEAR(root["time"].get<double>(), 0.5, 1e-6);
  expect_failure(two + "[forces]\nx = 'log(y)'\n", "not_finite", {"x"});
  expect_failure("[coordinates]\nx = 1\ny = 0\n[mass]\nx = 1\ny = 0\n[simulate]\nuntil = 1\n", "singular",
                 {"y"});
  expect_failure("[coordinates]\nx = 1\ny = 0\n[mass]\nx = 1\ny = -1\n[simulate]\nuntil = 1\n", "singular",
                 {"y"});
  expect_failure("lagrangian = \"x*y' - x^2 - y^2\"\n[coordinates]\nx = 1\ny = 0\n[simulate]\nuntil = 1\n",
                 "singular", {"x", "y"});
  expect_failure("kinetic = \"x'^2\"\n[coordinates]\nx = 1\ny = 0\n[simulate]\nuntil = 1\n", "singular",
                 {"y"});
}

TEST(Run, RedundantConstraintsAreFineAndTheirMultipliersOfLeastNormAndSaidToBeSo) {
  const Folder vinculum;
  const Outcome outcome =
      vinculum("run m.toml --json",
               "[coordinates]\nz = 0\n[mass]\nz = 1\n[forces]\nz = -14\n[constraints]\na = 'z = 0'\n"
               "b = '2*z = 0'\nc = '-3*z = 0'\nd = '0 = 0'\n[simulate]\nuntil = 1\n");
  EXPECT_EQ(outcome.status, 0);
  const Json json = json_of(outcome);
  EXPECT_EQ(json["rank"], 1);
  EXPECT_NEAR(json["multipliers"]["a"].get<double>(), 1, 1e-14);
  EXPECT_NEAR(json["multipliers"]["b"].get<double>(), 2, 1e-14);
  EXPECT_NEAR(json["multipliers"]["c"].get<double>(), -3, 1e-14);
  EXPECT_NEAR(json["multipliers"]["d"].get<double>(), 0, 1e-14);
  EXPECT_TRUE(has(json["notes"].dump(), "not unique")) << json["notes"];
}

TEST(Run, WithSingularMassWhatNeedsItsInverseIsNull) {
  const Folder vinculum;
  const std::string text =
      "[coordinates]\nx = 1\ny = 1\n[mass]\nx = 2\ny = 0\n[forces]\ny = 3\n[constraints]\nc = 'y = x'\n"
      "[simulate]\nuntil = 0\n";
  const Json json = json_of(vinculum("explain m.toml --json", text));
  EXPECT_EQ(json["free_acceleration"], nullptr);
  EXPECT_EQ(json["deviation"], nullptr);
  EXPECT_EQ(json["gaussian"], nullptr);
  EXPECT_NEAR(json["acceleration"][0].get<double>(), 1.5, 1e-15);
}

/// A switch at the very start, where time is zero and has no rounding: the way behind it was sought by hops
/// of no length, for ever.
TEST(Run, ASwitchAtTheVeryStartIsPassed) {
  const Folder vinculum;
  const Outcome o =
      vinculum.shell("timeout -s KILL 100 '" VINCULUM_PROGRAM "' run '" VINCULUM_SOURCE
                     "/examples/parts/six_cylinders.toml' --set spin=58.199999999999996 --until 0.01 "
                     "--json --no-verify");
  EXPECT_EQ(o.status, 0) << o.err;
  EXPECT_NE(o.out.find("\"status\": \"done\""), std::string::npos) << o.out.substr(0, 300);
}

}  // namespace
}  // namespace vinculum::cli_test
