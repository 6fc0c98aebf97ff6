// The words of the papers in outputs and events: gauss(), dissatisfaction(c), deviation(x),
// nonideal_force(x), power(c), each against a formula worked out by hand, along the motion.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

namespace vinculum::cli_test {
namespace {

using Json = nlohmann::ordered_json;

/// A bob on a rope that is let out, with C: drag and a push upwards. All that is asked of it has a closed
/// form.
const std::string rope = R"toml(
title = "A pendulum that is let out, in air"
parameters = { m = 2.0, l0 = 1.5, u = 0.3, c = 0.4, g = 9.81 }
[coordinates]
x = { start = "0.6*l0", rate = "0.8 + 0.6*u" }
y = { start = "-0.8*l0", rate = "0.6 - 0.8*u" }
[mass]
x = "m"
y = "m"
[forces]
y = "-m*g"
[nonideal]
x = "-c*x'"
y = "-c*y' + 0.1"
[constraints]
rope = "(x^2 + y^2)/2 = (l0 + u*t)^2/2"
[outputs]
G = "gauss()"
e = "dissatisfaction(rope)"
dx = "deviation(x)"
dy = "deviation(y)"
Fx = "nonideal_force(x)"
Fy = "nonideal_force(y)"
P = "power(rope)"
[simulate]
until = 4
samples = 41
)toml";

/// The row is (x, y), b = u^2 - v^2, a = (0, -g). F^L = lambda (x, y) with lambda = m e/l^2; F^C is C without
/// its part along the rope; the deviation is their sum over m, and the two are at right angles.
std::map<std::string, double> by_hand(double t, double x, double y, double vx, double vy) {
  const double m = 2, u = 0.3, c = 0.4, g = 9.81, l2 = std::pow(1.5 + u * t, 2);
  const double e = u * u - vx * vx - vy * vy + g * y, lambda = m * e / l2;
  const double Cx = -c * vx, Cy = -c * vy + 0.1, along = (x * Cx + y * Cy) / l2;
  const double Fx = Cx - along * x, Fy = Cy - along * y;
  return {{"G", m * e * e / l2 + (Fx * Fx + Fy * Fy) / m},
          {"e", e},
          {"dx", (lambda * x + Fx) / m},
          {"dy", (lambda * y + Fy) / m},
          {"Fx", Fx},
          {"Fy", Fy},
          {"P", lambda * (x * vx + y * vy)}};
}

/// A few dozen roundings of numbers up to a hundred.
constexpr double rounding = 1e-12;

std::vector<std::string> cut(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == ',')
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

TEST(InstantNames, OutputsAreTheClosedFormsAllAlong) {
  const Folder vinculum;
  ASSERT_EQ(vinculum("run m.toml --out a.csv", rope).status, 0);
  std::istringstream text(vinculum.read("a.csv"));
  std::vector<std::string> head;
  int instants = 0;
  for (std::string line; std::getline(text, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (head.empty()) {
      head = cut(line);
      continue;
    }
    std::map<std::string, double> is;
    const std::vector<std::string> cells = cut(line);
    for (std::size_t k = 0; k < head.size(); ++k) is[head[k]] = std::stod(cells[k]);
    for (const auto& [name, value] : by_hand(is["t"], is["x"], is["y"], is["x'"], is["y'"]))
      EXPECT_NEAR(is.at("output:" + name), value, rounding * (1 + std::fabs(value)))
          << name << " at t = " << is["t"];
    ++instants;
  }
  EXPECT_EQ(instants, 41);
}

TEST(InstantNames, EventsHappenWhereTheClosedFormsSay) {
  const struct {
    const char *asked, *name;
    double at;
  } cases[] = {{"gauss()", "G", 300},
               {"dissatisfaction(rope)", "e", -25},
               {"deviation(x)", "dx", 3},
               {"nonideal_force(x)", "Fx", 0.1},
               {"power(rope)", "P", -7}};
  for (const auto& [asked, name, at] : cases) {
    SCOPED_TRACE(asked);
    const Folder vinculum;
    const std::string event = std::string("[events]\nhit = { at = \"") + asked + " - (" + std::to_string(at) +
                              ")\", stop = true }\n";
    const Outcome outcome = vinculum("run m.toml --json", rope + event);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    const Json run = Json::parse(outcome.out);
    ASSERT_EQ(run["status"], "event");
    ASSERT_GT(run["time"].get<double>(), 0);
    const auto value = by_hand(run["time"], run["q"][0], run["q"][1], run["v"][0], run["v"][1]).at(name);
    EXPECT_NEAR(value, at, 1e-9 * std::fabs(at));  // an event is exact to rounding of the motion that has it
    EXPECT_NEAR(run["outputs"][name].get<double>(), value, rounding * (1 + std::fabs(value)));
  }
}

TEST(InstantNames, ReportAndPictureAreDrawnBesideThem) {
  const Folder vinculum;
  EXPECT_EQ(vinculum("run m.toml --report a.html --picture a.svg", rope).status, 0);
  EXPECT_TRUE(vinculum.has("a.html"));
  EXPECT_TRUE(vinculum.has("a.svg"));
}

TEST(InstantNames, AGateInAnEventMayAskForThem) {
  const Folder vinculum;
  const std::string events = "[events]\npassed = \"gauss() - 300\"\ngate = \"if(gauss() > 300, 1, -1)\"\n";
  const Json run = Json::parse(vinculum("run m.toml --json", rope + events).out);
  std::map<std::string, std::vector<double>> times;
  for (const Json& e : run["events"]) times[e["name"]].push_back(e["time"]);
  ASSERT_GE(times["passed"].size(), 2u);
  ASSERT_EQ(times["gate"].size(), times["passed"].size());
  for (std::size_t k = 0; k < times["gate"].size(); ++k)
    EXPECT_NEAR(times["gate"][k], times["passed"][k], 1e-9);
}

/// Two particles on a bar stated twice, in space: vectors, rows and redundancy.
TEST(InstantNames, ParticlesHaveVectorsAndDependentRowsTheirOwn) {
  const std::string bar = R"toml(
title = "A bar stated twice"
[particles.p]
mass = 2
position = [0, 0, 0]
velocity = [0, 0.5, 0]
[particles.q]
mass = 1
position = [3, 0, 0]
velocity = [0, -1, 0]
[forces]
q = "[6, 0, -3]"
[constraints]
bar = "dot(q - p, q - p)/2 = 9/2"
again = "dot(q - p, q - p) = 9"
plane = "p'' = [p''.x, 0, 0]"
[outputs]
e = "dissatisfaction(bar)"
twice = "dissatisfaction(again)"
held = "dissatisfaction(plane)"
one = "dissatisfaction(plane[1])"
dp = "deviation(p)"
dq = "deviation(q)"
dqx = "deviation(q.x)"
G = "gauss()"
[simulate]
until = 0
)toml";
  const Folder vinculum;
  const Outcome outcome = vinculum("run m.toml --json", bar);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json out = Json::parse(outcome.out)["outputs"];
  // d = (3, 0, 0), d' = (0, -1.5, 0): b = -2.25, A a = 3*6 for the bar; masses 2 and 1 share e/3 along it.
  const double e = -2.25 - 18, push = e / 3 / (1.0 / 2 + 1);
  EXPECT_NEAR(out["e"].get<double>(), e, rounding * 30);
  EXPECT_NEAR(out["twice"].get<double>(), 2 * e, rounding * 60);
  EXPECT_NEAR(out["one"].get<double>(), 0, rounding);
  const std::vector<double> dp{-push / 2, 0, 0}, dq{push, 0, 0};
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(out["held"][i].get<double>(), 0, rounding);
    EXPECT_NEAR(out["dp"][i].get<double>(), dp[i], rounding * 30) << i;
    EXPECT_NEAR(out["dq"][i].get<double>(), dq[i], rounding * 30) << i;
  }
  EXPECT_NEAR(out["dqx"].get<double>(), push, rounding * 30);
  EXPECT_NEAR(out["G"].get<double>(), 2 * dp[0] * dp[0] + dq[0] * dq[0], rounding * 300);
}

TEST(InstantNames, InVakonomicMotionTheyAreThoseOfTheSystemAsStated) {
  // The blade of examples/papers: (b - A a2) is -2.85, mu turns it by 0.375/0.5 and pushes it by
  // (-0.14, -0.105).
  const Folder vinculum;
  const std::string model = R"toml(
mechanics = "vakonomic"
potential = "-6*x"
[coordinates]
x = { rate = 1.2 }
y = { rate = 0.9 }
phi = { start = "atan2(0.6, 0.8)", rate = 0.7 }
[mass]
x = 2
y = 2
phi = 0.5
[constraints]
blade = "x'*sin(phi) - y'*cos(phi) = 0"
[multipliers]
blade = 0.25
[outputs]
G = "gauss()"
e = "dissatisfaction(blade)"
dx = "deviation(x)"
dphi = "deviation(phi)"
P = "power(blade)"
[simulate]
until = 0
)toml";
  const Outcome outcome = vinculum("run m.toml --json", model);
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const Json out = Json::parse(outcome.out)["outputs"];
  const double dx = -2.85 * 0.6 - 0.07, dy = 2.85 * 0.8 - 0.0525, dphi = 0.75;
  EXPECT_NEAR(out["e"].get<double>(), -2.85, rounding * 4);
  EXPECT_NEAR(out["dx"].get<double>(), dx, rounding * 4);
  EXPECT_NEAR(out["dphi"].get<double>(), dphi, rounding * 4);
  EXPECT_NEAR(out["G"].get<double>(), 2 * dx * dx + 2 * dy * dy + 0.5 * dphi * dphi, rounding * 20);
  EXPECT_NEAR(out["P"].get<double>(), 0, rounding * 10);
}

TEST(InstantNames, MayBeNamesOfOtherThingsAndAreRefusedElsewhere) {
  const Folder vinculum;
  const std::string model = R"toml(
parameters = { power = 2.0, gauss = 3.0 }
coordinates = { deviation = 1.0, y = 0.0 }
mass = { deviation = "power", y = "gauss" }
constraints = { d = "y = 0", f = "deviation = 1" }
outputs = { power = "power(d) + power*gauss*deviation(deviation)" }
simulate = { until = 0 }
)toml";
  EXPECT_EQ(vinculum("check m.toml", model).status, 0);
  const auto complaint = [&](const std::string& lines) {
    return vinculum("check m.toml", "coordinates = { x = 1.0 }\nmass = { x = 1.0 }\n" + lines).err;
  };
  const auto expect = [&](const std::string& lines, const std::string& text) {
    EXPECT_EQ(complaint(lines), "m.toml:" + text + "\n");
  };
  expect("forces = { x = \"gauss()\" }\n",
         "3:17: the force on 'x' contains 'gauss', which may stand in outputs and events only");
  expect("constraints = { c = \"x = 1\" }\nnonideal = { x = \"power(c)\" }\n",
         "4:19: the non-ideal force on 'x' contains 'power', which may stand in outputs and events only");
  expect("outputs = { a = \"deviation(z)\" }\n", "3:28: there is no coordinate 'z'");
  expect("outputs = { a = \"dissatisfaction(c)\" }\n", "3:34: there is no constraint 'c'");
  expect(
      "outputs = { a = \"gauss(x)\" }\n",
      "3:24: gauss() is Gauss's function of the whole system; nothing stands in its parentheses (in output "
      "'a')");
}

}  // namespace
}  // namespace vinculum::cli_test
