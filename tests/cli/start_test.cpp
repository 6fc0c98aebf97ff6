// --start, and joints that say where they start.
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace vinculum::cli_test {
namespace {

using Json = nlohmann::json;

bool has(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

/// A parallelogram: crank and rocker of length 1, two apart.
std::string four_bar(const std::string& of_a, const std::string& of_d = "") {
  const auto bar = [](const std::string& name, const std::string& position, const std::string& turn) {
    return "[bodies." + name + "]\nmass = 1\ninertia = [0.001, 0.1, 0.1]\nposition = " + position +
           "\norientation = { axis = [0, 0, 1], angle = '" + turn + "' }\n";
  };
  const auto hinge = [](const std::string& name, const std::string& parts, const std::string& point,
                        const std::string& more) {
    return name + " = { type = 'revolute', between = " + parts + ", point = " + point + ", axis = [0, 0, 1]" +
           more + " }\n";
  };
  return "gravity = [0, -9.81, 0]\n" + bar("crank", "[0, 0.5, 0]", "pi/2") +
         bar("coupler", "[1, 1, 0]", "0") + bar("rocker", "[2, 0.5, 0]", "pi/2") + "[joints]\n" +
         hinge("A", "['ground', 'crank']", "[0, 0, 0]", of_a) +
         hinge("B", "['crank', 'coupler']", "[0, 1, 0]", "") +
         hinge("C", "['coupler', 'rocker']", "[2, 1, 0]", "") +
         hinge("D", "['ground', 'rocker']", "[2, 0, 0]", of_d) +
         "[outputs]\na = 'A.angle'\nd = 'D.angle'\nrate = \"A.angle'\"\n[simulate]\nuntil = 0\n";
}

Json run(const Folder& vinculum, const std::string& arguments, int status = 0) {
  const Outcome made = vinculum("run " + arguments + " --json --quiet");
  EXPECT_EQ(made.status, status) << made.err;
  return Json::parse(made.out);
}

TEST(StartCommand, LoopsAreClosedWhereJointsStart) {
  const Folder vinculum;
  vinculum.write("m.toml", four_bar(", start = 0.7, rate = 3"));
  const Json outputs = run(vinculum, "m.toml")["outputs"];
  EXPECT_NEAR(outputs["a"].get<double>(), 0.7, 1e-13);
  EXPECT_NEAR(outputs["d"].get<double>(), 0.7, 1e-12);
  EXPECT_NEAR(outputs["rate"].get<double>(), 3.0, 1e-12);
  const Outcome told = vinculum("run m.toml");
  EXPECT_TRUE(has(told.err, "the start was moved onto its constraints")) << told.err;
}

TEST(StartCommand, TheCommandLineSaysItInstead) {
  const Folder vinculum;
  vinculum.write("m.toml", four_bar(", start = 0.7, rate = 3"));
  const Json outputs = run(vinculum, "m.toml --start \"A.angle=-0.4, A.angle'=1\"")["outputs"];
  EXPECT_NEAR(outputs["a"].get<double>(), -0.4, 1e-13);
  EXPECT_NEAR(outputs["rate"].get<double>(), 1.0, 1e-12);
  const Json other = run(vinculum, "m.toml --start D.angle=0.7")["outputs"];
  EXPECT_NEAR(other["a"].get<double>(), 0.7, 1e-12);
}

/// A loop that is drawn with a hinge leaning by 1e-9 is passed over here as in a motion.
TEST(StartCommand, AnInstantOfALoopAsDrawnIsVouchedFor) {
  const Folder vinculum;
  std::string text = four_bar("");
  const std::string straight = "point = [2, 1, 0], axis = [0, 0, 1]";
  text.replace(text.find(straight), straight.size(), "point = [2, 1, 0], axis = [1e-9, 0, 1]");
  vinculum.write("m.toml", text);
  for (const char* command : {"explain", "check"}) {
    const Outcome made = vinculum(std::string(command) + " m.toml --json");
    EXPECT_EQ(made.status, 0) << command << made.err;
    const Json told = Json::parse(made.out);
    EXPECT_FALSE(told["passed_over"].empty()) << command;
    for (const Json& row : told["passed_over"])
      EXPECT_LE(row["gap"].get<double>(), row["allowed"].get<double>()) << command;
  }
}

TEST(StartCommand, CoordinatesByName) {
  const Folder vinculum;
  vinculum.write(
      "p.toml",
      "gravity = [0, -9.81, 0]\n[particles]\np = { mass = 1, position = [3, 4, 0] }\n[constraints]\n"
      "rod = \"norm(p) = 5\"\n[simulate]\nuntil = 0\n");
  const Json motion = run(vinculum, "p.toml --start \"p.x=4, p.x'=1\"");
  EXPECT_EQ(motion["q"][0].get<double>(), 4.0);
  EXPECT_NEAR(motion["q"][1].get<double>(), 3.0, 1e-14);
  EXPECT_EQ(motion["v"][0].get<double>(), 1.0);
  EXPECT_NEAR(motion["v"][1].get<double>(), -4.0 / 3.0, 1e-14);
}

TEST(StartCommand, ConflictsEndWithTheirNames) {
  const Folder vinculum;
  vinculum.write("m.toml", four_bar(", start = 0.7", ", start = 0.2"));
  for (const char* command : {"run", "check", "explain"}) {
    const Outcome made = vinculum(std::string(command) + " m.toml --json");
    EXPECT_EQ(made.status, 1) << command;
    EXPECT_TRUE(has(made.err, "A.angle.start") && has(made.err, "D.angle.start")) << command << made.err;
    EXPECT_FALSE(Json::parse(made.out).empty());
  }
}

/// Only the rod is told: the crank turns as it is said, and the slider ends as it is drawn.
TEST(StartCommand, AMachineThatIsDrawnClosedHasNoDetourAndCountsFromTheDrawing) {
  const Folder vinculum;
  const std::string slider = "position = [0.8, 0.6, 0]\norientation = { rpy = [0.1, 0.2, 0.3] }\n";
  const std::string parts =
      "[bodies.crank]\nmass = 1\ninertia = [0.01, 0.02, 0.01]\nposition = [0, 0, 0.1]\n"
      "[bodies.rod]\nmass = 0.8\ninertia = [0.01, 0.05, 0.05]\nposition = [0.4, 0.3, 0.1]\n"
      "[bodies.slider]\nmass = 0.5\ninertia = [0.01, 0.01, 0.01]\n" +
      slider;
  vinculum.write(
      "m.toml",
      parts +
          "[joints]\n"
          "a = { type = 'revolute', between = ['ground', 'crank'], point = [0, 0, 0], axis = [0, 1, "
          "0], rate = 3 }\n"
          "c = { type = 'spherical', between = ['crank', 'rod'], point = [0, 0, 0.2] }\n"
          "d = { type = 'spherical', between = ['rod', 'slider'], point = [0.8, 0.6, 0] }\n"
          "e = { type = 'prismatic', between = ['ground', 'slider'], axis = [1, 0, 0] }\n"
          "[simulate]\nuntil = 0\n");
  const Outcome made = vinculum("run m.toml");
  EXPECT_EQ(made.status, 0);
  EXPECT_EQ(made.err,
            "vinculum: note: the start was moved onto its constraints: 'rod.wx' by 2.73, 'rod.wy' by 2.05, "
            "'rod.wz' by -0.682, 'slider.x'' by 0.6 and 'rod.x'' by 0.6\n");
}

TEST(StartCommand, WhatIsWrongWithTheOptionIsSaidOfTheOption) {
  const Folder vinculum;
  vinculum.write("p.toml",
                 "[bodies.a]\nmass = 1\ninertia = [1, 1, 1]\n[joints]\nk = { type = 'spherical', between = "
                 "['ground', 'a'], point = [0, 0, 0] }\n[simulate]\nuntil = 1\n");
  const auto said = [&](const std::string& start) {
    const Outcome made = vinculum("run p.toml --start '" + start + "'");
    EXPECT_EQ(made.status, 2);
    return made.err;
  };
  EXPECT_EQ(
      said("k.angel1=1"),
      "vinculum: error: --start k.angel1=1: there is no coordinate or velocity 'k.angel1' to start (did "
      "you mean 'k.angle1'?)\n");
  EXPECT_EQ(
      said("a.qz=0.1"),
      "vinculum: error: --start a.qz=0.1: 'a.qz' is a part of a quaternion and cannot be said alone: "
      "start k.angle1, k.angle2 and k.angle3 instead, or 'orientation' of body 'a' in the model says how "
      "it is turned\n");
  EXPECT_EQ(said("k.angle2=2"),
            "vinculum: error: --start k.angle2=2: the start of 'k.angle2' is 2; it lies between -pi/2 and "
            "pi/2, where the other two are one\n");
  EXPECT_EQ(
      said("a.x=3"),
      "vinculum: error: --start a.x=3: no consistent start has a.x as said: the start breaks constraint "
      "'k' by -3\n");
  EXPECT_EQ(
      said("k.angle1"),
      "vinculum: error: --start k.angle1: 'k.angle1' is not name=number; write them as \"x=1, y=-2.5\"\n");
}

TEST(StartCommand, NamesThatAreNoneAreRefused) {
  const Folder vinculum;
  vinculum.write("m.toml", four_bar(""));
  const Outcome made = vinculum("run m.toml --start A.angl=1");
  EXPECT_EQ(made.status, 2);
  EXPECT_TRUE(has(made.err, "there is no coordinate or velocity 'A.angl' to start (did you mean 'A.angle'?)"))
      << made.err;
  EXPECT_EQ(vinculum("run m.toml --start A.angle").status, 2);
}

}  // namespace
}  // namespace vinculum::cli_test
