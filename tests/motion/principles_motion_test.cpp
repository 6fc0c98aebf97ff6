// Both principles of mechanics from one start, the action, and the start that leads to a given end.
#include <gtest/gtest.h>

#include <cmath>

#include "motion/until.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/motion/boundary.hpp"
#include "vinculum/motion/compare.hpp"
#include "vinculum/motion/dense.hpp"

namespace vinculum {
namespace {

using test::until;

/// z' = (x y' - y x')/2 with a z that has no mass. With z' in it and nothing else of z, mu is constant, and
/// (x + iy)'' = i mu (x + iy)': circles, with z the area they sweep. d'Alembert's motion is a straight line.
struct Heisenberg {
  Model m;
  Coordinate x, y, z;
  Heisenberg(double vx, double vy, double mu)
      : x(m.coordinate("x", {0, vx})), y(m.coordinate("y", {0, vy})), z(m.coordinate("z", {0, 0})) {
    m.mass(x, 1.0);
    m.mass(y, 1.0);
    m.mass(z, 0.0);
    m.constrain("area", z.rate() - 0.5 * (x * y.rate() - y * x.rate()), 0.0);
    m.set_mechanics(Mechanics::vakonomic);
    m.start_multiplier("area", 0, mu);
  }
};

struct Place {
  double x, y, z;
};
Place on_circle(double vx, double vy, double mu, double t) {
  const double c = std::cos(mu * t) - 1, s = std::sin(mu * t), square = vx * vx + vy * vy;
  return {(vx * s + vy * c) / mu, (vy * s - vx * c) / mu, 0.5 * square / mu * (t - s / mu)};
}

BoundaryProblem ends(std::vector<std::pair<std::string, double>> end, std::vector<std::string> free = {}) {
  BoundaryProblem problem;
  problem.end = std::move(end);
  problem.free = std::move(free);
  return problem;
}

TEST(Action, IsTheIntegralOfLAlongAnOscillation) {
  // x = cos t: L = -cos(2t)/2
  for (const char* method : {"dop853", "dopri5", "radau5", "extrapolation"}) {
    Model m;
    const Coordinate x = m.coordinate("x", {1, 0});
    m.lagrangian(0.5 * pow(x.rate(), 2) - 0.5 * pow(x, 2));
    const System system(m);
    const DenseTrajectory motion(system, system.start(), until(7, 1e-9, method));
    EXPECT_NEAR(motion.action(), -0.25 * std::sin(14.0), 1e-7) << method;
  }
}

TEST(Action, OfMassesAndPotentialsAsOfALagrangian) {
  // y = 2 t - g t^2/2: L = m/2 y'^2 - m g y, and a constant in V counts, too
  const double g = 9.81, mass = 3, t = 1.5;
  Model m;
  const Coordinate y = m.coordinate("y", {0, 2});
  m.mass(y, mass);
  m.potential(mass * g * y + 5.0);
  const System system(m);
  const double fall = mass * (2 * t - 2 * g * t * t + g * g * t * t * t / 3);
  const DenseTrajectory motion(system, system.start(), until(t, 1e-9));
  EXPECT_NEAR(motion.action(), fall - 5 * t, 1e-9);
}

TEST(Compare, BothPrinciplesGoTheirOwnWays) {
  const double vx = 1.1, vy = 0.4, mu = 0.9, t = 1.5;
  const Heisenberg h(vx, vy, mu);
  const Comparison c = compare_principles(h.m, System(h.m).start(), until(t, 1e-9));
  ASSERT_EQ(c.dalembert.motion.stop, Stop::end) << c.dalembert.motion.reason;
  ASSERT_EQ(c.vakonomic.motion.stop, Stop::end) << c.vakonomic.motion.reason;
  const Place end = on_circle(vx, vy, mu, t);
  EXPECT_NEAR(c.dalembert.motion.last.q[0], vx * t, 1e-8);
  EXPECT_NEAR(c.dalembert.motion.last.q[2], 0, 1e-8);
  EXPECT_NEAR(c.vakonomic.motion.last.q[0], end.x, 1e-8);
  EXPECT_NEAR(c.vakonomic.motion.last.q[1], end.y, 1e-8);
  EXPECT_NEAR(c.vakonomic.motion.last.q[2], end.z, 1e-8);
  EXPECT_NEAR(c.vakonomic.action, 0.5 * (vx * vx + vy * vy) * t, 1e-8);
  EXPECT_NEAR(c.dalembert.action, 0.5 * (vx * vx + vy * vy) * t, 1e-8);
  EXPECT_FALSE(c.must_agree);
  ASSERT_EQ(c.apart.size(), 3u);
  EXPECT_NEAR(c.apart[2].most, end.z, 1e-8);  // it only grows
  EXPECT_EQ(c.apart[2].time, t);
  EXPECT_TRUE(c.notes.empty());
}

TEST(Compare, ItDoesNotMatterWhichPrincipleIsStated) {
  const Heisenberg h(1, 0.3, 0.0);
  const Model stated = h.m.with_mechanics(Mechanics::dalembert);
  const Comparison one = compare_principles(h.m, System(h.m).start(), until(2, 1e-9)),
                   other = compare_principles(stated, System(stated).start(), until(2, 1e-9));
  EXPECT_EQ(one.dalembert.motion.last.q, other.dalembert.motion.last.q);
  EXPECT_EQ(one.vakonomic.motion.last.q, other.vakonomic.motion.last.q);
  EXPECT_EQ(one.vakonomic.action, other.vakonomic.action);
}

TEST(Compare, ConstraintsOnPositionsLeaveNoChoice) {
  Model m;
  const Coordinate x = m.coordinate("x", {0.6, 0}), y = m.coordinate("y", {-0.8, 0});
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.potential(9.81 * y);
  m.constrain("rod", pow(x, 2) + pow(y, 2), 1.0);
  const Comparison c = compare_principles(m, System(m).start(), until(3, 1e-9));
  EXPECT_TRUE(c.must_agree);
  EXPECT_LT(c.apart[0].most, 1e-8);
  EXPECT_NEAR(c.dalembert.action, c.vakonomic.action, 1e-8);
}

TEST(Compare, WhatHasNoPartInLIsSaid) {
  Model m;
  const Coordinate x = m.coordinate("x", {0.6, 0}), y = m.coordinate("y", {1, 0});
  m.mass(x, 1.0);
  m.mass(y, 1.0 + pow(x, 2));
  m.force(x, -1.0 * x.rate());
  const Comparison c = compare_principles(m, System(m).start(), until(1, 1e-9));
  ASSERT_EQ(c.notes.size(), 2u);
  EXPECT_NE(c.notes[0].find("'x'"), std::string::npos) << c.notes[0];
  EXPECT_NE(c.notes[1].find("'y'"), std::string::npos) << c.notes[1];
}

TEST(Compare, LawsOfReactionsHaveNoOtherPrinciple) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1}), y = m.coordinate("y", {0, 0.5});
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.constrain("slope", y - 0.5 * x, 0.0);
  m.servo("slope");
  EXPECT_THROW(compare_principles(m, System(m).start(), until(1, 1e-9)), Error);
}

TEST(Boundary, AThrowIsFoundForItsEnd) {
  // v = (end - start)/T - a T/2
  const double g = 9.81, t = 0.8;
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0}), y = m.coordinate("y", {2, 0});
  m.mass(x, 2.0);
  m.mass(y, 2.0);
  m.force(y, -2.0 * g);
  const System system(m);
  const BoundaryStart b = find_start(system, system.start(), until(t, 1e-9), ends({{"x", 4}, {"y", 1}}));
  ASSERT_TRUE(b.found) << b.text;
  EXPECT_NEAR(b.start.v[0], 3 / t, 1e-7);
  EXPECT_NEAR(b.start.v[1], -1 / t + g * t / 2, 1e-7);
  EXPECT_LT(std::fabs(b.miss), 1e-7);
}

TEST(Boundary, MuAloneLeadsToAnAreaByACircle) {
  const double vx = 1.1, vy = 0.4, mu = 0.9, t = 1.5;
  const Place end = on_circle(vx, vy, mu, t);
  for (const double guess : {0.3, 3.0}) {
    const Heisenberg h(vx, vy, guess);
    const System system(h.m);
    const BoundaryStart b = find_start(system, system.start(), until(t, 1e-9), ends({{"z", end.z}}));
    ASSERT_TRUE(b.found) << b.text;
    ASSERT_EQ(b.values.size(), 1u);
    EXPECT_EQ(b.values[0].first, "mu(area)");
    EXPECT_NEAR(on_circle(vx, vy, b.values[0].second, t).z, end.z, 1e-7);  // it has two solutions
    if (guess < 1) {
      EXPECT_NEAR(b.values[0].second, mu, 1e-6);
    }
    EXPECT_EQ(b.start.v, system.start().v);
  }
}

TEST(Boundary, BetweenTwoPlacesVelocityAndMuAreFound) {
  const double vx = 1.1, vy = 0.4, mu = 0.9, t = 1.5;
  const Place end = on_circle(vx, vy, mu, t);
  const Heisenberg h(1, 0, 0.3);
  const System system(h.m);
  const BoundaryStart b =
      find_start(system, system.start(), until(t, 1e-9), ends({{"x", end.x}, {"y", end.y}, {"z", end.z}}));
  ASSERT_TRUE(b.found) << b.text;
  EXPECT_NEAR(b.start.v[0], vx, 1e-6);
  EXPECT_NEAR(b.start.v[1], vy, 1e-6);
  EXPECT_NEAR(b.start.q[3], mu, 1e-6);
}

TEST(Boundary, WhatIsNotFreeStays) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1}), y = m.coordinate("y", {0, 1});
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.constrain("lean", y.rate() - pow(x.rate(), 2), 0.0);
  const System system(m);
  const BoundaryStart b = find_start(system, system.start(), until(1, 1e-9), ends({{"x", 3}}, {"x'", "y'"}));
  ASSERT_TRUE(b.found) << b.text;
  EXPECT_NEAR(b.start.v[1], b.start.v[0] * b.start.v[0], 1e-9);  // it keeps its constraint
  const BoundaryStart stuck = find_start(system, system.start(), until(1, 1e-9), ends({{"x", 3}}, {"x'"}));
  EXPECT_FALSE(stuck.found);  // y' would have to follow
  EXPECT_EQ(stuck.start.v, system.start().v);
}

TEST(Boundary, WhatCannotBeReachedIsSaidWithTheNearest) {
  Model m;
  const Coordinate x = m.coordinate("x", {0.6, 0.8}), y = m.coordinate("y", {-0.8, 0.6});
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.constrain("rod", pow(x, 2) + pow(y, 2), 1.0);
  const System system(m);
  const BoundaryStart b = find_start(system, system.start(), until(1, 1e-9), ends({{"x", 2}, {"y", 0}}));
  EXPECT_FALSE(b.found);
  EXPECT_NE(b.text.find("no start was found that leads to x = 2 and y = 0"), std::string::npos) << b.text;
  EXPECT_NE(b.text.find("1 of 2 directions"), std::string::npos) << b.text;
  EXPECT_LT(b.motions, 500);
  EXPECT_GT(std::fabs(b.miss), 0.1);
}

TEST(Boundary, FarEndsAreReachedInParts) {
  // A pendulum carried over its top: by Newton's method alone the first correction leads far away.
  Model m;
  const Coordinate a = m.coordinate("a", {0, 0.1});
  m.lagrangian(0.5 * pow(a.rate(), 2) + 9.81 * cos(a));
  const System system(m);
  const BoundaryStart b = find_start(system, system.start(), until(2, 1e-9), ends({{"a", 7}}));
  ASSERT_TRUE(b.found) << b.text;
  const Trajectory motion = simulate(system, b.start, until(2, 1e-9));
  EXPECT_NEAR(motion.last.q[0], 7, 1e-6);
}

TEST(Boundary, AnUprightPendulumIsFoundBetweenFallingBackAndOver) {
  Model m;
  const Coordinate a = m.coordinate("a", {0, 0.1});
  m.lagrangian(0.5 * pow(a.rate(), 2) + 9.81 * cos(a));
  const System system(m);
  const BoundaryStart b = find_start(system, system.start(), until(2, 1e-9), ends({{"a", 3.14}}));
  ASSERT_TRUE(b.found) << b.text;
  EXPECT_NEAR(simulate(system, b.start, until(2, 1e-9)).last.q[0], 3.14, 1e-4);
}

TEST(Boundary, ALightCoordinateIsNoObstacle) {
  const double vx = 1.1, vy = 0.4, mu = 0.9, t = 1.5;
  const Place end = on_circle(vx, vy, mu, t);
  for (const double mass : {1e-12, 1e-8}) {
    Heisenberg h(vx, vy, 0.3);
    h.m.mass(h.z, mass);
    const System system(h.m);
    const BoundaryStart b = find_start(system, system.start(), until(t, 1e-9), ends({{"z", end.z}}));
    ASSERT_TRUE(b.found) << mass << ": " << b.text;
    EXPECT_NEAR(b.values[0].second, mu, 1e-4);
  }
}

TEST(Boundary, TheMotionAsStatedNeedNotComeToItsEnd) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 5});
  m.mass(x, 1.0);
  m.event("wall", x - 3.0, Model::Direction::both, true);
  const System system(m);
  const BoundaryStart b = find_start(system, system.start(), until(1, 1e-9), ends({{"x", 1}}));
  ASSERT_TRUE(b.found) << b.text;
  EXPECT_NEAR(b.start.v[0], 1, 1e-7);
}

TEST(Boundary, NamesThatAreNoneAreNamed) {
  const Heisenberg h(1, 0, 0.3);
  const System system(h.m);
  const auto text = [&](const BoundaryProblem& problem) {
    try {
      find_start(system, system.start(), until(1, 1e-9), problem);
      return std::string("no error");
    } catch (const Error& e) {
      return e.text();
    }
  };
  EXPECT_NE(text(ends({{"w", 1}})).find("'w'"), std::string::npos);
  EXPECT_NE(text(ends({{"mu(area)", 1}})).find("'mu(area)'"),
            std::string::npos);  // the end has no mu to ask for
  EXPECT_NE(text(ends({{"z", 1}}, {"z"})).find("velocity or a mu"), std::string::npos);
  EXPECT_NE(text(ends({{"z", 1}, {"z", 2}})).find("twice"), std::string::npos);
  EXPECT_NE(text({}).find("no end"), std::string::npos);
}

}  // namespace
}  // namespace vinculum
