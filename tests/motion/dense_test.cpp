#include "vinculum/motion/dense.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "motion/systems.hpp"
#include "support/allocations.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

TEST(Dense, ReadsTheMotionAtAnyTimeToTheToleranceOfTheMethod) {
  const System system(test::pendulum());
  MotionOptions tight;
  tight.tolerance = 1e-13;
  tight.samples = 1;
  for (const char* name : {"dop853", "extrapolation"}) {
    MotionOptions o;
    o.until = 3;
    o.integrator = integrator_named(name).value();
    const DenseTrajectory motion(system, system.start(), o);
    for (double t = 0.05; t < 3; t += 0.31) {
      tight.until = t;
      const State exact = simulate(system, tight).last, read = motion.at(t);
      for (int i = 0; i < 2; ++i) {
        EXPECT_NEAR(read.q[i], exact.q[i], 1e-8) << name << " " << t;
        EXPECT_NEAR(read.v[i], exact.v[i], 1e-7) << name << " " << t;
      }
    }
  }
}

TEST(Dense, IsOnTheConstraintsWhereProjectedAndNearlySoWhereNot) {
  const System system(test::pendulum());
  MotionOptions o;
  o.until = 3;
  const DenseTrajectory motion(system, system.start(), o);
  double raw = 0;
  for (double t = 0.01; t < 3; t += 0.07) {
    const State on = motion.at(t), beside = motion.at(t, false);
    // Changes below 4e-16 of a coordinate are none: twice that in the squares, and their rounding.
    EXPECT_NEAR(on.q[0] * on.q[0] + on.q[1] * on.q[1], 1, 1e-15);
    EXPECT_NEAR(on.q[0] * on.v[0] + on.q[1] * on.v[1], 0, 2e-15);
    raw = std::max(raw, std::fabs(beside.q[0] * beside.q[0] + beside.q[1] * beside.q[1] - 1));
  }
  EXPECT_GT(raw, 1e-14);
  EXPECT_LT(raw, 1e-8);
}

TEST(Dense, ReadsWithoutMakingAWorkspace) {
  Model m;
  std::vector<Particle> p;
  for (int i = 0; i < 30; ++i) {
    p.push_back(m.particle("p" + std::to_string(i), {1.0, {i + 1.0, 0, 0}}));
    m.constrain("l" + std::to_string(i), norm_squared(i ? p[i] - p[i - 1] : p[i].position()), 1.0);
  }
  m.gravity({0, -9.81, 0});
  const System system(m);
  MotionOptions o;
  o.until = 0.5;
  const DenseTrajectory motion(system, system.start(), o);
  const State first = motion.at(0.2);
  const auto counted = [](const auto& work) {
    const long before = allocations();
    work();
    return allocations() - before;
  };
  const long workspace = counted([&] { const Workspace work(system); });
  EXPECT_LE(counted([&] { motion.at(0.3); }), workspace);  // both 0 where a sanitizer counts
  EXPECT_EQ(motion.at(0.2).q, first.q);                    // whatever was read between
}

TEST(Dense, CoversBackwardMotionsAndSaysWhereItEnds) {
  const System system(test::pendulum());
  MotionOptions o;
  o.until = -2;
  const DenseTrajectory motion(system, system.start(), o);
  EXPECT_EQ(motion.trajectory().stop, Stop::end);
  EXPECT_NEAR(motion.at(-2).q[0], motion.trajectory().last.q[0], 1e-12);
  EXPECT_EQ(motion.at(0).q, system.start().q);
  try {
    motion.at(0.5);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(std::string(e.what()), "the motion covers t = 0 to -2; t = 0.5 was asked for");
  }
}

TEST(Dense, OutputHasItsOrder) {
  // Halving the step divides the error inside a step by 2^(order + 1) of the interpolant.
  const System system(test::pendulum());
  MotionOptions tight;
  tight.tolerance = 1e-14;
  tight.samples = 1;
  tight.until = 0.5;
  const State exact = simulate(system, tight).last;
  const auto error = [&](const char* name, double step) {
    MotionOptions o;
    o.integrator = integrator_named(name).value();
    o.tolerance = 0.5;  // the step rules
    o.step = step;
    o.until = 1;
    const DenseTrajectory motion(system, system.start(), o);
    const State read = motion.at(0.5, false);
    return std::hypot(read.q[0] - exact.q[0], read.q[1] - exact.q[1]);
  };
  // Steps that do not end at t = 0.5, both at the same part of a step: 0.5/0.2 and 0.5/0.0667 end in .5.
  const double slope4 = std::log(error("rk4", 0.2) / error("rk4", 1.0 / 15)) / std::log(3.0);
  EXPECT_GT(slope4, 3.3);
}

}  // namespace
}  // namespace vinculum
