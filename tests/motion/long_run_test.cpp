// Ten thousand periods: what must not accumulate does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "motion/reference.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

TEST(LongRun, ASphericalPendulumStaysOnItsSphereForTenThousandPeriods) {
  const double mass = 1.0, L = 2.0, g = 9.81;
  Model m;
  const Particle p = m.particle("bob", {.mass = mass, .position = {1.2, 0, -1.6}, .velocity = {0, 1.5, 0}});
  m.potential(mass * g * p.z);
  m.constrain("rod", norm_squared(p), L * L);
  const System system(m);
  MotionOptions options;
  const double periods = reference::sanitized ? 100 : 10'000;
  options.until = periods * 2 * std::numbers::pi * std::sqrt(L / g);
  options.tolerance = 1e-12;
  options.samples = 1001;
  const Trajectory motion = simulate(system, options);
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;

  // |r|^2 - L^2 has terms of size L^2, and 2 r.v terms of size L times the largest speed, at the lowest
  // point.
  const double fall = 2 * g * (L - 1.6), top_speed = std::sqrt(1.5 * 1.5 + fall);
  EXPECT_LT(motion.worst[0].position, 1e-13 * L * L);
  EXPECT_LT(motion.worst[0].velocity, 1e-13 * 2 * L * top_speed);

  // The error of order 8 is far below the estimate of order 5 that sets the step, so that what is left is
  // rounding: each step rounds the energy by its terms times the precision. Even if all roundings had one
  // sign the drift stays below their sum.
  const double terms = mass * top_speed * top_speed + mass * g * L;
  const double rounding = std::numeric_limits<double>::epsilon() * terms * static_cast<double>(motion.steps);
  double drift = 0;
  for (int i = 0; i < motion.size(); ++i)
    drift = std::max(drift, std::fabs(motion[i].energy - motion.energy_start));
  EXPECT_LT(drift, rounding) << motion.steps << " steps";
}

}  // namespace
}  // namespace vinculum
