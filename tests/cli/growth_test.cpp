// What a model of N parts takes grows as N: four times as many take less than eight times as long, for the
// larger of them does not fit into the cache as the smaller one does. The square of N would take sixteen
// times.
#include <algorithm>
#include <cmath>

#include "cli/program.hpp"

namespace vinculum::cli_test {
namespace {

/// N rods in the plane, in a chain that winds a little; `straight`: along a line, where S is at its worst.
std::string chain(int rods, bool straight = false) {
  std::string coordinates, mass, forces, constraints = "r0 = 'x0^2 + y0^2 = 1'\n";
  double x = 0, y = 0;
  for (int i = 0; i < rods; ++i) {
    const double angle = straight ? 0 : -0.8 * (1 + std::sin(0.3 * i));
    x += std::cos(angle);
    y += std::sin(angle);
    const std::string k = std::to_string(i), last = std::to_string(i - 1);
    std::ostringstream start;
    start.precision(17);
    start << "x" << k << " = " << x << "\ny" << k << " = " << y << "\n";
    coordinates += start.str();
    mass += "x" + k + " = 1\ny" + k + " = 1\n";
    forces += "y" + k + " = -9.81\n";
    if (i > 0)
      constraints += "r" + k + " = '(x" + k + " - x" + last + ")^2 + (y" + k + " - y" + last + ")^2 = 1'\n";
  }
  return "[coordinates]\n" + coordinates + "[mass]\n" + mass + "[forces]\n" + forces + "[constraints]\n" +
         constraints;
}

/// N hinged bodies in a regular polygon that hangs from one of its hinges.
std::string ring(int bodies) {
  const double pi = std::acos(-1.0), radius = 0.5 / std::sin(pi / bodies),
               middle = radius * std::cos(pi / bodies);
  std::ostringstream text;
  text.precision(17);
  text << "gravity = [0, -9.81, 0]\n";
  for (int i = 0; i < bodies; ++i) {
    const double turn = 2 * pi * (i + 0.5) / bodies;
    text << "[bodies.b" << i << "]\nmass = 1\ninertia = [0.01, 0.08, 0.08]\nposition = ["
         << middle * std::cos(turn) << ", " << middle * std::sin(turn)
         << ", 0]\norientation = { axis = [0, 0, 1], angle = " << turn + pi / 2 << " }\n";
  }
  for (int i = 0; i <= bodies; ++i) {
    const int k = i % bodies;
    text << "[joints.j" << i << "]\ntype = 'revolute'\naxis = [0, 0, 1]\nbetween = ["
         << (i == bodies ? "'ground'" : "'b" + std::to_string((k + bodies - 1) % bodies) + "'") << ", 'b" << k
         << "']\npoint = [" << radius * std::cos(2 * pi * k / bodies) << ", "
         << radius * std::sin(2 * pi * k / bodies) << ", 0]\n";
  }
  return text.str();
}

/// Processor time, the smallest of three runs.
double seconds(const Folder& folder, const std::string& command) {
  double least = 1e9;
  for (int again = 0; again < 3; ++again) {
    const Outcome outcome =
        folder.shell("TIMEFORMAT=%U\ntime { vinculum " + command + " > /dev/null 2> .said; }");
    EXPECT_EQ(outcome.status, 0) << command << folder.read(".said");
    least = std::min(least, std::stod(outcome.err));
  }
  return least;
}

void expect_linear(const std::string& small, const std::string& large, const std::string& command) {
  const Folder folder;
  folder.write("small.toml", small);
  folder.write("large.toml", large);
  const std::size_t model = command.find("MODEL");
  const auto of = [&](const char* file) { return std::string(command).replace(model, 5, file); };
  const double first = seconds(folder, of("small.toml")), second = seconds(folder, of("large.toml"));
  EXPECT_LT(second, 8 * first + 0.05) << command << ": " << first << " s, " << second << " s";
}

TEST(Growth, AChainOfRodsIsLinearInEveryCommand) {
  for (const char* command :
       {"check MODEL --json", "explain MODEL", "derive MODEL", "run MODEL --until 0.01 --json"})
    expect_linear(chain(1500), chain(6000), command);
}

TEST(Growth, AChainThatStartsStraightIsLinear) {
  for (const char* command : {"check MODEL", "run MODEL --until 0.01"})
    expect_linear(chain(1500, true), chain(6000, true), command);
}

TEST(Growth, ARingOfBodiesIsLinearInEveryCommand) {
  for (const char* command : {"check MODEL", "explain MODEL --json", "run MODEL --until 0.01"})
    expect_linear(ring(75), ring(300), command);
}

}  // namespace
}  // namespace vinculum::cli_test
