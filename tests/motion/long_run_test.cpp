// Ten thousand periods: what must not accumulate does not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
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

  // Steps change the energy by no more than the tolerance times its terms; projection leaves a change of the
  // order of the same local error. Drift cannot exceed all steps together.
  const double terms = mass * top_speed * top_speed + mass * g * L;
  const double bound = options.tolerance * terms * static_cast<double>(motion.steps);
  double worst = 0;
  for (int i = 0; i < motion.size(); ++i)
    worst = std::max(worst, std::fabs(motion[i].energy - motion.energy_start));
  EXPECT_LT(worst, bound) << motion.steps << " steps";
  printf("drift %g bound %g steps %ld pos %g vel %g top %g\n",worst,bound,motion.steps,motion.worst[0].position,motion.worst[0].velocity,top_speed);
}

}  // namespace
}  // namespace vinculum
