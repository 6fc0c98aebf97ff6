// What a model of N parts takes grows as N, in time and in memory.
#include <cmath>
#include <regex>

#include "cli/program.hpp"
#include "support/growth.hpp"
#include "support/sanitized.hpp"

namespace vinculum::cli_test {
namespace {

/// Four times as many parts take no more than this times as long: twice four, for the larger model does not
/// fit into the cache as the smaller one does, which others on the machine share. The square of N would take
/// sixteen times.
constexpr double most_growth = 8;
// Sizes are on both sides of SolveOptions::robust_limit, beyond which nothing dense is tried at all.

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

/// Processor time of a command; of a run, for each evaluation of its acceleration, since longer chains need
/// more of them.
double seconds(const Folder& folder, const std::string& command) {
  const Outcome outcome =
      folder.shell("TIMEFORMAT=%U\ntime { vinculum " + command + " > said.txt 2> warned.txt; }");
  EXPECT_EQ(outcome.status, 0) << command << folder.read("warned.txt");
  const std::string said = folder.read("said.txt");
  std::smatch count;
  const bool runs = std::regex_search(said, count, std::regex("([0-9]+) evaluations of the acceleration"));
  return std::stod(outcome.err) / (runs ? std::stod(count[1]) : 1.0);
}

void expect_linear(const std::string& small, const std::string& large, const std::string& command) {
  const Folder folder;
  folder.write("small.toml", small);
  folder.write("large.toml", large);
  const std::size_t model = command.find("MODEL");
  const auto of = [&](const char* file) { return std::string(command).replace(model, 5, file); };
  SCOPED_TRACE(command);
  test::expect_growth_below(most_growth, [&](bool is_large) {
    return seconds(folder, of(is_large ? "large.toml" : "small.toml"));
  });
}

TEST(Growth, AChainOfRodsIsLinearInEveryCommand) {
  for (const char* command :
       {"check MODEL --json", "explain MODEL", "derive MODEL", "run MODEL --until 0.01 --no-verify"})
    for (const int rods : {350, 1400}) expect_linear(chain(rods), chain(4 * rods), command);
}

TEST(Growth, AStudyIsLinearInTheInstantsOfItsTrajectories) {
  const auto of = [](int samples) {
    return "parameters.k = 1\ncoordinates.x = 1\nmass.x = 1\nforces.x = '-k*x'\n[simulate]\nuntil = "
           "1\nsamples = " +
           std::to_string(samples) + "\n";
  };
  expect_linear(of(20'000), of(80'000), "sweep MODEL --vary k=1,2 --keep x.samples --json");
}

#ifndef VINCULUM_SANITIZED  // it takes all addresses for itself
TEST(Growth, NoCommandMakesADenseMatrixOfALargeModel) {
  // One of 6000 rows and 12,000 columns is 576 MB, A M^-1 A^T alone 288 MB.
  const Folder folder;
  for (const bool straight : {false, true}) {
    folder.write("chain.toml", chain(6000, straight));
    for (const char* command : {"check", "explain", "derive", "run --until 0.01"}) {
      const Outcome outcome =
          folder.shell("ulimit -v 270000\nvinculum " + std::string(command) + " chain.toml > said.txt");
      EXPECT_EQ(outcome.status, 0) << command << ": " << outcome.err;
    }
  }
}
#endif

TEST(Growth, AChainThatStartsStraightIsLinear) {
  for (const char* command : {"check MODEL", "run MODEL --until 0.01 --no-verify"})
    for (const int rods : {350, 1400}) expect_linear(chain(rods, true), chain(4 * rods, true), command);
}

TEST(Growth, ARingOfBodiesIsLinearInEveryCommand) {
  for (const char* command : {"check MODEL", "explain MODEL --json", "run MODEL --until 0.01 --no-verify"})
    expect_linear(ring(75), ring(300), command);
}

}  // namespace
}  // namespace vinculum::cli_test
