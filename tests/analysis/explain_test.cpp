#include "vinculum/analysis/explain.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "vinculum/analysis/summary.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

bool has(const std::string& page, const std::string& line) { return page.find(line) != std::string::npos; }

std::string page_of(const Model& m) {
  const System system(m);
  return explain(system, examine(m, system, system.start()));
}

/// A bead of mass 2 at (3, 4) on a rod of length 5, moving across it; y points up.
Model bead(bool twice = false) {
  Model m;
  const Coordinate x = m.coordinate("x", {3, 4}), y = m.coordinate("y", {4, -3});
  m.mass(x, 2.0);
  m.mass(y, 2.0);
  m.force(y, -20.0);
  m.constrain("rod", x * x + y * y, 25.0);
  if (twice) m.constrain("spare", 2 * x * x + 2 * y * y, 50.0);
  return m;
}

TEST(Explain, ReadsAsTheTheoryIsTold) {
  // A = (6, 8), b = -2 v^2 = -50, a = (0, -10), e = 30, lambda = e / (A M^-1 A^T) = 30 / 50.
  const std::string page = page_of(bead());
  EXPECT_TRUE(has(page, "At t = 0: 2 velocities, 1 constraint row of rank 1, 1 degree of freedom\n"));
  EXPECT_TRUE(has(page, "The constraints demand A q'' = b:\n  rod        6 x'' + 8 y'' = -50\n")) << page;
  EXPECT_TRUE(
      has(page, "  x'                     4             0           1.8           1.8           3.6\n"));
  EXPECT_TRUE(has(page, "  rod                   30           0.6\n")) << page;
  EXPECT_TRUE(has(page, "Who carries the force:\n  rod        3.6 on x and 4.8 on y\n")) << page;
  EXPECT_TRUE(has(page, "Gauss's function (q'' - a)^T M (q'' - a) = 18\n")) << page;
  EXPECT_TRUE(has(page, "Energy 25; dE/dt = 60 = stated forces 60 + constraints 0\n")) << page;
  EXPECT_TRUE(has(page, "  rod        of positions, linear in the velocities, scleronomic, ideal\n")) << page;
  EXPECT_TRUE(has(page, "Lagrange's equations of the first kind hold")) << page;
  EXPECT_FALSE(has(page, "FAILS")) << page;
}

TEST(Explain, SaysWhoSharesAForceThatIsNotUnique) {
  // Least norm for rows s = 1, 2: lambda_i = s_i lambda / 5, and forces s_i^2 / 5 of the whole.
  const std::string page = page_of(bead(true));
  EXPECT_TRUE(has(page, "(not unique; the least ones are shown)")) << page;
  EXPECT_TRUE(has(page, "'spare' follows from 'rod'")) << page;
  EXPECT_TRUE(has(page, "  rod        0.72 on x and 0.96 on y\n")) << page;
  EXPECT_TRUE(has(page, "  spare      2.88 on x and 3.84 on y\n")) << page;
  EXPECT_TRUE(has(page, "Not admissible at this state")) << page;
}

TEST(Explain, ShowsNonIdealForcesWhereThereAreAny) {
  Model m = bead();
  m.nonideal(m.coordinates()[0].symbol, -1.0);
  const std::string page = page_of(m);
  EXPECT_TRUE(has(page, "constr. force     non-ideal\n")) << page;
  EXPECT_TRUE(has(page, " + non-ideal forces -4\n")) << page;  // C.v along a motion the rod allows
}

TEST(Explain, OneVelocityIsCountedAsOne) {
  Model m;
  m.mass(m.coordinate("x"), 1.0);
  EXPECT_TRUE(has(page_of(m), "At t = 0: 1 velocity, 0 constraint rows")) << page_of(m);
}

TEST(Explain, ACoordinateWithoutWeightDoesNotHideTheOthers) {
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0}), y = m.coordinate("y", {0, 1}),
                   z = m.coordinate("z", {0, -1});
  m.mass(x, 1e-30);
  m.mass(y, 1.0);
  m.mass(z, 2.0);
  m.force(x, 0.7);
  m.force(y, -9.81);
  m.force(z, 1.0);
  m.constrain("rod", x * x + y * y, 1.0);
  m.constrain("tie", x + y + z, 1.0);
  const System system(m);
  const Instant at = examine(m, system, system.start());
  EXPECT_EQ(at.rank, 2);
  EXPECT_TRUE(failing_checks(at).empty());
  // x'' = -y'^2 = -1; y'' + z'' = 1, and -9.81 + 1 is shared by 1 and 2: y'' = -8.81 / 3.
  EXPECT_NEAR(at.solution.acceleration[0], -1.0, 1e-14);
  EXPECT_NEAR(at.solution.acceleration[1], -8.81 / 3.0, 1e-14);
  const std::string page = explain(system, at);
  EXPECT_TRUE(has(page, "-2.93667")) << page;
  EXPECT_FALSE(has(page, "FAILS")) << page;
}

/// A road that drowns in the metric of M says so, and is not taken for an answer.
TEST(Explain, WhatTheCertificateCannotVouchForIsNotDone) {
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0}), y = m.coordinate("y", {0, 1}),
                   z = m.coordinate("z", {0, -1});
  m.mass(x, 1e-30);
  m.mass(y, 1.0);
  m.mass(z, 2.0);
  m.force(x, 0.7);
  m.force(y, -9.81);
  m.force(z, 1.0);
  m.constrain("rod", x * x + y * y, 1.0);
  m.constrain("tie", x + y + z, 1.0);
  const System system(m);
  SolveOptions witness;
  witness.road = Road::gauss;
  const Instant at = examine(m, system, system.start(), witness);
  EXPECT_EQ(status_of(at), Stop::singular);
  EXPECT_FALSE(failing_checks(at).empty());
  const std::string page = explain(system, at);
  EXPECT_TRUE(has(page, "the certificate of this instant does not hold (")) << page;
}

TEST(Explain, LeavesOutWhatASingularMassDoesNotHave) {
  Model m;
  const Coordinate x = m.coordinate("x"), s = m.coordinate("s");
  m.mass(x, 1.0);
  m.mass(s, 0.0);
  m.force(x, 3.0);
  m.constrain("follows", s, 2 * x);
  const std::string page = page_of(m);
  EXPECT_TRUE(has(page, "M is singular: what needs its inverse is left out (-).")) << page;
  EXPECT_TRUE(
      has(page, "  s'                     0             -             6             -             0\n"))
      << page;
}

TEST(Explain, ContradictionsAreSaidFirst) {
  Model m = bead();
  m.constrain("other", m.velocities()[0].acceleration, 1.0);
  m.constrain("third", m.velocities()[0].acceleration, 2.0);
  EXPECT_TRUE(has(page_of(m), "constraints 'other' and 'third' cannot hold together")) << page_of(m);
}

TEST(Explain, NoAnswerIsNoTable) {
  Model m;
  m.mass(m.coordinate("x"), 0.0);
  const std::string page = page_of(m);
  EXPECT_TRUE(has(page, "the accelerations of 'x' are left open")) << page;
  EXPECT_FALSE(has(page, "nan")) << page;
}

TEST(Explain, OneThatIsNotShownIsOne) {
  Model m;
  for (int i = 0; i < 25; ++i) m.mass(m.coordinate("x" + std::to_string(i)), 1.0);
  EXPECT_TRUE(has(page_of(m), "  and one more, not shown here (--json has it)\n"));
  Model turning;
  const Coordinate angle = turning.coordinate("angle", {0.5, 1});
  turning.mass(angle, 1.0);
  turning.event("zero", sin(angle));
  MotionOptions options;
  options.until = 13 * 3.1415926535;
  const System system(turning);
  EXPECT_TRUE(has(summary(system, simulate(system, options)), "\nand one more\n"));
}

TEST(Explain, LongSystemsAreCutAndSayso) {
  Model m;
  std::vector<Coordinate> x;
  for (int i = 0; i < 120; ++i) {
    x.push_back(m.coordinate("x" + std::to_string(i), {1.0 * i, 0}));
    m.mass(x.back(), 1.0);
  }
  Expr sum = 0;
  for (const Coordinate& q : x) sum += q;
  for (int i = 0; i < 100; ++i) m.constrain("link" + std::to_string(i), x[i + 1] - x[i], 1.0);
  m.constrain("sum", sum, 7140.0);
  const std::string page = page_of(m);
  EXPECT_TRUE(has(page, "  and 96 more velocities, not shown here (--json has them all)\n")) << page;
  EXPECT_TRUE(has(page, "  and 77 more rows, not shown here (--json has them all)\n")) << page;
  EXPECT_TRUE(has(page, "  and 77 more constraints, not shown here (--json has them all)\n")) << page;
  EXPECT_LT(std::count(page.begin(), page.end(), '\n'), 160);
}

}  // namespace
}  // namespace vinculum
