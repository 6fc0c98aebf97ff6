// Springs and dampers: forces, energy and work against the formula of one spring.
#include <gtest/gtest.h>

#include <cmath>

#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

Solution start_of(const Model& m) {
  const System system(m);
  return solve(system, system.start());
}

TEST(Spring, PullsAlongItsLineByStiffnessTimesStretch) {
  Model m;
  const Particle p = m.particle("p", {.mass = 2, .position = {3, 0, 4}});
  const Particle q = m.particle("q", {.mass = 4, .position = {0, 0, 0}});
  m.spring(p, q, {.stiffness = 10, .damping = {}, .length = 2});
  const Solution s = start_of(m);
  // Stretch 5 - 2 = 3, tension 30 along (-3, 0, -4)/5 on p.
  const double expected[] = {-18 / 2.0, 0, -24 / 2.0, 18 / 4.0, 0, 24 / 4.0};
  for (int i = 0; i < 6; ++i) EXPECT_NEAR(s.acceleration[i], expected[i], 1e-14);
}

TEST(Spring, PushesWhenShorterThanItsLength) {
  Model m;
  const Particle p = m.particle("p", {.mass = 1, .position = {1, 0, 0}});
  m.spring(Vector{}, p, {.stiffness = 10, .damping = {}, .length = 3});
  EXPECT_NEAR(start_of(m).acceleration[0], 20, 1e-14);
}

TEST(Spring, DampsTheRateOfItsLengthAlone) {
  Model m;
  const Particle p = m.particle("p", {.mass = 1, .position = {3, 4, 0}, .velocity = {1, 2, 7}});
  m.spring(Vector{}, p, {.stiffness = {}, .damping = 5, .length = 1});
  const Solution s = start_of(m);
  const double rate = (3 * 1 + 4 * 2) / 5.0;
  EXPECT_NEAR(s.acceleration[0], -5 * rate * 3 / 5, 1e-14);
  EXPECT_NEAR(s.acceleration[1], -5 * rate * 4 / 5, 1e-14);
  EXPECT_NEAR(s.acceleration[2], 0, 1e-14);  // across the line
}

TEST(Spring, WithoutLengthIsSmoothWhereItsEndsMeet) {
  for (const double start : {0.0, 1.0}) {
    Model m;
    const Particle p = m.particle("p", {.mass = 1, .position = {start, 0, 0}, .velocity = {0, 0.5, 0}});
    m.spring(Vector{}, p, {.stiffness = 4, .damping = {}, .length = {}});
    const System system(m);
    MotionOptions how;
    how.until = 3;
    how.tolerance = 1e-12;
    const Trajectory motion = simulate(system, how);
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    EXPECT_NEAR(motion.last.q[0], start * std::cos(6), 1e-10);
    EXPECT_NEAR(motion.last.q[1], 0.25 * std::sin(6), 1e-10);
    EXPECT_NEAR(motion.drift(), 0, 1e-10);
  }
}

TEST(Spring, MovesThroughItsOtherEndWithDampingAlongTheMotion) {
  Model m;
  const Particle p = m.particle("p", {.mass = 1, .position = {0.5, 0, 0}});
  m.spring(Vector{}, p, {.stiffness = 5, .damping = 2, .length = {}});
  const System system(m);
  MotionOptions how;
  how.until = 2;
  how.tolerance = 1e-12;
  const Trajectory motion = simulate(system, how);
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  // x'' + 2 x' + 5 x = 0 from rest: exp(-t) (cos 2t + sin(2t)/2)/2.
  EXPECT_NEAR(motion.last.q[0], 0.5 * std::exp(-2) * (std::cos(4) + std::sin(4) / 2), 1e-10);
}

TEST(Spring, ItsEnergyIsKeptAndWhatTheDamperTakesIsWork) {
  Model m;
  const Particle p = m.particle("p", {.mass = 2, .position = {2, 0, 0}, .velocity = {0, 1, 0}});
  const Particle q = m.particle("q", {.mass = 1, .position = {0, 0, 1}});
  m.spring(p, q, {.stiffness = 6, .damping = 0.75, .length = 1});
  const System system(m);
  MotionOptions how;
  how.until = 4;
  how.tolerance = 1e-12;
  const Trajectory motion = simulate(system, how);
  EXPECT_DOUBLE_EQ(motion.energy_start, 1 + 3 * std::pow(std::sqrt(5.0) - 1, 2));
  EXPECT_LT(motion.work.impressed, -0.1);
  EXPECT_EQ(motion.work.total(), motion.work.impressed);
  EXPECT_NEAR(motion.drift(), 0, 1e-10);
  // Forces of a spring act and react: momentum stays.
  EXPECT_NEAR(2 * motion.last.v[1] + motion.last.v[4], 2, 1e-11);
  EXPECT_NEAR(2 * motion.last.v[0] + motion.last.v[3], 0, 1e-11);
}

TEST(Spring, ActsThroughTheLeverOfPlainCoordinates) {
  // A spring from (0, 2) to the end of a crank of length 1: V(theta) = k/2 (d - l)^2.
  Model m;
  const Coordinate theta = m.coordinate("theta", {.start = 0.3, .rate = 0.7});
  m.mass(theta, 3.0);
  m.spring({0, 2, 0}, {cos(theta), sin(theta), 0}, {.stiffness = 8, .damping = 0.5, .length = 0.4});
  const double d = std::sqrt(5 - 4 * std::sin(0.3)), slope = -2 * std::cos(0.3) / d;  // d, d'/theta'
  const double expected = -(8 * (d - 0.4) + 0.5 * slope * 0.7) * slope / 3;
  EXPECT_NEAR(start_of(m).acceleration[0], expected, 1e-14);
}

}  // namespace
}  // namespace vinculum
