// Motions of the reference data, computed without any code of this project, through the program.
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace vinculum::cli_test {
namespace {

using Json = nlohmann::ordered_json;

double number(const Json& text) { return std::stod(text.get<std::string>()); }

/// A model and, for each quantity the reference lists, the output of the model that is to reproduce it.
struct Motion {
  const char* reference;
  std::string model;  ///< parameters come from the reference
  std::vector<std::pair<std::string, std::string>> outputs;
  double until = 0.0;   ///< the row to compare with
  double near = 2e-11;  ///< relative to 1 + |value|: what a tolerance of 1e-13 leaves over these times
};

std::string outputs_of(const Motion& motion) {
  std::string text = "[outputs]\n";
  for (const auto& [name, expression] : motion.outputs) text += "o_" + name + " = \"" + expression + "\"\n";
  return text;
}

void expect_reference(const Motion& motion) {
  std::ifstream in(std::string(VINCULUM_TEST_DATA) + "/reference/" + motion.reference + ".json");
  const Json data = Json::parse(in);
  const Folder vinculum;
  vinculum.write("m.toml", motion.model + outputs_of(motion));
  std::string arguments = "run m.toml --json --tolerance 1e-13 --until " + std::to_string(motion.until);
  for (const auto& [name, value] : data["parameters"].items())
    if (motion.model.find("\n" + name + " = ") != std::string::npos)
      arguments += " --set " + name + "=" + value.get<std::string>();
  const Outcome outcome = vinculum(arguments);
  ASSERT_EQ(outcome.status, 0) << motion.reference << outcome.err;
  const Json json = Json::parse(outcome.out);
  int compared = 0;
  for (const Json& row : data["reference"]) {
    if (number(row["t"]) != motion.until) continue;
    for (const auto& [name, expression] : motion.outputs) {
      const double expected = number(row[name]), found = json["outputs"]["o_" + name];
      EXPECT_NEAR(found, expected, motion.near * (1 + std::abs(expected))) << motion.reference << " " << name;
      ++compared;
    }
  }
  EXPECT_EQ(compared, static_cast<int>(motion.outputs.size())) << motion.reference;
}

TEST(ReferenceRun, SphericalPendulumOnceAndThrice) {
  const std::string head = R"toml(
[parameters]
m = 0
L = 0
g = 0
th = 1.1
[coordinates]
x = { start = "L*sin(th)", rate = "L*cos(th)*0.3" }
y = { start = "L*cos(th)", rate = "-L*sin(th)*0.3" }
z = { rate = "L*sin(th)*1.9" }
[mass]
x = "m"
y = "m"
z = "m"
[forces]
y = "m*g"
[constraints]
)toml";
  const std::string rod = "(x^2 + y^2 + z^2 - L^2)/2 = 0'\n";
  std::vector<std::pair<std::string, std::string>> outputs{{"x", "x"},   {"y", "y"},   {"z", "z"},
                                                           {"vx", "x'"}, {"vy", "y'"}, {"vz", "z'"}};
  outputs.emplace_back("lambda", "multiplier(one)");
  expect_reference({"f06-seed1-spherical-pendulum-duplicated", head + "one = '" + rod, outputs, 5});
  outputs.back().second = "14*multiplier(one)";  // least norm: s/14 for s = 1, 2, -3
  expect_reference({"f06-seed1-spherical-pendulum-duplicated",
                    head + "one = '" + rod + "two = '2*" + rod + "three = '-3*" + rod, outputs, 5});
}

TEST(ReferenceRun, ChaplyginSleigh) {
  const std::string model = R"toml(
[parameters]
m = 0
I = 0
a = 0
[coordinates]
X = { start = "a*cos(0.2)", rate = "-0.8*cos(0.2) - a*sin(0.2)*1.5" }
Y = { start = "a*sin(0.2)", rate = "-0.8*sin(0.2) + a*cos(0.2)*1.5" }
th = { start = 0.2, rate = 1.5 }
[mass]
X = "m"
Y = "m"
th = "I"
[constraints]
blade = "X'*sin(th) - Y'*cos(th) + a*th' = 0"
)toml";
  expect_reference({"c01-chaplygin-sleigh",
                    model,
                    {{"x", "X - a*cos(th)"},
                     {"y", "Y - a*sin(th)"},
                     {"th", "th"},
                     {"v", "X'*cos(th) + Y'*sin(th)"},
                     {"th_dot", "th'"}},
                    5});
}

TEST(ReferenceRun, BeadOnARotatingHoop) {
  const std::string model = R"toml(
gravity = [0, 0, "-g"]
[parameters]
m = 0
R = 0
g = 0
Om = 0
th0 = 0
[particles.p]
mass = "m"
position = ["R*sin(th0)", 0, "-R*cos(th0)"]
velocity = [0, "Om*R*sin(th0)", 0]
[constraints]
sphere = "dot(p, p) = R^2"
plane = "p.x*sin(Om*t) = p.y*cos(Om*t)"
)toml";
  expect_reference({"e02-bead-rotating-hoop",
                    model,
                    {{"x", "p.x"},
                     {"y", "p.y"},
                     {"z", "p.z"},
                     {"F_n", "dot(force(sphere, p) + force(plane, p), [-sin(Om*t), cos(Om*t), 0])"},
                     {"F_r", "-dot(force(sphere, p) + force(plane, p), p)/R"},
                     {"power", "dot(force(sphere, p) + force(plane, p), p')"}},
                    3});
}

TEST(ReferenceRun, KeplersLawsAsConstraints) {
  const std::string model = R"toml(
[parameters]
m = 0
eps = 0
p = 0
c = 0
[coordinates]
x = { start = "-p/(1 + eps)" }
y = { rate = "-c*(1 + eps)/p" }
[mass]
x = "m"
y = "m"
[constraints]
ellipse = "sqrt(x^2 + y^2) = eps*x + p"
areas = "x*y' - y*x' = c"
)toml";
  expect_reference({"j01-kepler-both-constraints",
                    model,
                    {{"x", "x"},
                     {"y", "y"},
                     {"vx", "x'"},
                     {"vy", "y'"},
                     {"Fx", "(force(ellipse) + force(areas)).x"},
                     {"Fy", "(force(ellipse) + force(areas)).y"}},
                    12});
}

TEST(ReferenceRun, ConstantSpeed) {
  const std::string model = R"toml(
gravity = [0, 0, "-g"]
[parameters]
m = 0
g = 0
c = 0
[particles.p]
mass = "m"
velocity = [1, 2, 2]
[constraints]
speed = "dot(p', p') = c^2"
)toml";
  expect_reference(
      {"c11-constant-speed",
       model,
       {{"x", "p.x"}, {"y", "p.y"}, {"z", "p.z"}, {"vx", "p.x'"}, {"vy", "p.y'"}, {"vz", "p.z'"}},
       1.5});
}

TEST(ReferenceRun, PendulumWithQuadraticDrag) {
  const std::string model = R"toml(
[parameters]
m = 0
L = 0
g = 0
c2 = 0
th0 = 0
[coordinates]
x = { start = "L*sin(th0)" }
y = { start = "-L*cos(th0)" }
[mass]
x = "m"
y = "m"
[forces]
y = "-m*g"
[constraints]
rod = "x^2 + y^2 = L^2"
[nonideal]
x = "-c2*hypot(x', y')*x'"
y = "-c2*hypot(x', y')*y'"
)toml";
  expect_reference(
      {"d03-pendulum-quadratic-drag", model, {{"x", "x"}, {"y", "y"}, {"vx", "x'"}, {"vy", "y'"}}, 3});
}

TEST(ReferenceRun, AffineNonholonomicConstraint) {
  const std::string model = R"toml(
[parameters]
m = 0
[coordinates]
x = { start = 0.1, rate = 1 }
y = { rate = 0.5 }
z = { start = 0.5, rate = 0.3 }
[mass]
x = "m"
y = "m"
z = "m"
[definitions]
drive = "0.4*sin(2*t)"
[forces]
x = "0.3*cos(t)"
y = 0.5
z = "-0.2 + 0.1*t"
[constraints]
c = "y' = z*x' + drive"
)toml";
  expect_reference({"c05-seed-example3",
                    model,
                    {{"x", "x"},
                     {"y", "y"},
                     {"z", "z"},
                     {"vx", "x'"},
                     {"vy", "y'"},
                     {"lambda", "multiplier(c)"},
                     {"P_c", "force(c).x*x' + force(c).y*y' + force(c).z*z'"}},
                    5});
}

TEST(ReferenceRun, SimplePendulum) {
  const std::string model = R"toml(
[parameters]
m = 0
L = 0
g = 0
[coordinates]
x = -1
y = 0
[mass]
x = "m"
y = "m"
[forces]
y = "-m*g"
[constraints]
rod = "x^2 + y^2 = L^2"
)toml";
  std::ifstream in(std::string(VINCULUM_TEST_DATA) + "/reference/a01-simple-pendulum.json");
  const double first = number(Json::parse(in)["reference"][0]["t"]);
  expect_reference(
      {"a01-simple-pendulum", model, {{"x", "x"}, {"y", "y"}, {"vx", "x'"}, {"vy", "y'"}}, first});
}

}  // namespace
}  // namespace vinculum::cli_test
