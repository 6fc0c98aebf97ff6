// Energy and its sources: what changes it is integrated along, and nothing is left over.
#include <gtest/gtest.h>

#include <cmath>

#include "motion/systems.hpp"

namespace vinculum {
namespace {

Trajectory run(const Model& model, double until) {
  MotionOptions o;
  o.until = until;
  o.tolerance = 1e-10;
  return simulate(System(model), o);
}

void expect_balanced(const Trajectory& motion) {
  EXPECT_EQ(motion.stop, Stop::end) << motion.reason;
  EXPECT_NEAR(motion.drift(), 0, 1e-8 * (1 + std::fabs(motion.energy_end)));
  EXPECT_NEAR(motion.back().energy, motion.energy_end, 1e-15 * (1 + std::fabs(motion.energy_end)));
}

TEST(Energy, OfAPendulumIsKineticPlusPotentialAndStays) {
  const Trajectory motion = run(test::pendulum(0, -1, 2, 0), 5);
  expect_balanced(motion);
  EXPECT_DOUBLE_EQ(motion.energy_start, 0.5 * 4 - test::gravity);
  EXPECT_EQ(motion.work.total(), 0);
}

TEST(Energy, OfGravityBelongsToParticles) {
  Model m;
  m.particle("p", {2.0, {0, 0, 3}, {1, 0, 0}});
  m.gravity({0, 0, -10});
  const Trajectory motion = run(m, 1);
  EXPECT_DOUBLE_EQ(motion.energy_start, 0.5 * 2 + 2 * 10 * 3);
  expect_balanced(motion);
  EXPECT_EQ(motion.work.total(), 0);
}

TEST(Energy, StatedForcesWork) {
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0});
  m.mass(x, 2.0);
  m.potential(pow(x, 2));
  m.force(x, -0.3 * x.rate() + 0.5 * sin(3 * m.time()));
  const Trajectory motion = run(m, 10);
  expect_balanced(motion);
  EXPECT_NE(motion.work.impressed, 0);
  EXPECT_EQ(motion.work.constraint, 0);
}

TEST(Energy, AMovingConstraintWorksAndAFixedOneDoesNot) {
  // A bead on a rod turning at rate w, no gravity: r = cosh(w t), and all the energy comes from the rod.
  Model m;
  const double w = 1.3;
  const Coordinate x = m.coordinate("x", {1, 0}), y = m.coordinate("y", {0, w});
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.constrain("rod", x * sin(w * m.time()), y * cos(w * m.time()));
  const Trajectory motion = run(m, 1);
  expect_balanced(motion);
  const double r = std::cosh(w), rate = w * std::sinh(w);
  EXPECT_NEAR(motion.energy_end, 0.5 * (rate * rate + r * r * w * w), 1e-9);
  EXPECT_NEAR(motion.work.constraint, motion.energy_end - motion.energy_start, 1e-9);
}

TEST(Energy, NonIdealConstraintsTakeItAway) {
  Model m = test::pendulum();
  for (int i = 0; i < 2; ++i) m.nonideal(m.coordinates()[i].symbol, -0.4 * m.velocities()[i].symbol);
  const Trajectory motion = run(m, 5);
  expect_balanced(motion);
  EXPECT_LT(motion.work.nonideal, -0.1);
}

TEST(Energy, WhatChangesWithTimeItselfIsCounted) {
  Model stiffening;
  const Coordinate x = stiffening.coordinate("x", {1, 0});
  stiffening.mass(x, 1.0);
  stiffening.potential(0.5 * (1 + 0.3 * stiffening.time()) * pow(x, 2));
  Trajectory motion = run(stiffening, 4);
  expect_balanced(motion);
  EXPECT_NE(motion.work.explicit_time, 0);

  Model lagrangian;
  const Coordinate y = lagrangian.coordinate("y", {1, 0});
  lagrangian.lagrangian(0.5 * (2 + cos(lagrangian.time())) * pow(y.rate(), 2) - 0.5 * pow(y, 2));
  expect_balanced(run(lagrangian, 4));

  Model swelling;  // a mass that grows takes its momentum from elsewhere: M q'' = Q as stated
  const Coordinate z = swelling.coordinate("z", {1, 0});
  swelling.mass(z, 1 + 0.5 * swelling.time() + 0.1 * pow(z, 2));
  swelling.potential(pow(z, 2));
  expect_balanced(run(swelling, 4));
}

TEST(Energy, GyroscopicTermsHaveNone) {
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0}), y = m.coordinate("y", {0, 0.5});
  m.lagrangian(0.5 * (pow(x.rate(), 2) + pow(y.rate(), 2)) + 0.7 * (x * y.rate() - y * x.rate()) -
               0.5 * (pow(x, 2) + pow(y, 2)));
  const Trajectory motion = run(m, 5);
  expect_balanced(motion);
  EXPECT_DOUBLE_EQ(motion.energy_start, 0.125 + 0.5);
}

TEST(Energy, OffTheConstraintsTheirForcesWorkIsCounted) {
  MotionOptions o;
  o.until = 20;
  o.tolerance = 1e-6;
  for (const Stabilisation keep : {Stabilisation::none, Stabilisation::baumgarte}) {
    o.keep = keep;
    const Trajectory motion = simulate(System(test::pendulum()), o);
    EXPECT_NE(motion.work.constraint, 0);
    EXPECT_NEAR(motion.drift(), 0, 1e-4);
  }
}

}  // namespace
}  // namespace vinculum
