// Lagrangians that are regular but not definite (section 2 of Jalnapurkar): M has negative directions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

bool says_so(const Trajectory& motion) {
  return std::any_of(motion.notes.begin(), motion.notes.end(),
                     [](const std::string& note) { return note.find("not definite") != std::string::npos; });
}

Trajectory until(double t, const System& system, const char* method) {
  MotionOptions options;
  options.until = t;
  options.integrator = integrator_named(method).value();
  return simulate(system, options);
}

/// x'' = -x and -y'' = 2 y by Lagrange's equations.
TEST(Saddle, EachCoordinateHasItsOwnMotion) {
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0}), y = m.coordinate("y", {0.5, 1});
  m.lagrangian(0.5 * (pow(x.rate(), 2) - pow(y.rate(), 2)) - 0.5 * pow(x, 2) - pow(y, 2));
  const System system(std::move(m));
  const double w = std::sqrt(2.0);
  for (const char* method : {"dop853", "dopri5", "radau5", "extrapolation"}) {
    const Trajectory motion = until(2, system, method);
    ASSERT_EQ(motion.stop, Stop::end) << method << ": " << motion.reason;
    EXPECT_NEAR(motion.last.q[0], std::cos(2), 1e-7) << method;
    EXPECT_NEAR(motion.last.q[1], 0.5 * std::cosh(2 * w) + std::sinh(2 * w) / w, 1e-6) << method;
    EXPECT_LT(std::fabs(motion.drift()), 1e-6) << method;
    EXPECT_TRUE(says_so(motion)) << method;
  }
}

/// On x^2 - y^2 + z^2 = 1 with the metric of Minkowski the free motion is cos s P + sin s U, as on a sphere.
TEST(Saddle, AGeodesicOfDeSittersSpaceIsAnEllipseInAPlaneThroughTheOrigin) {
  const double a = 0.7;
  Model m;
  const Coordinate x = m.coordinate("x", {std::cosh(a), 0}), y = m.coordinate("y", {std::sinh(a), 0}),
                   z = m.coordinate("z", {0, 1});
  m.lagrangian(0.5 * (pow(x.rate(), 2) - pow(y.rate(), 2) + pow(z.rate(), 2)));
  m.constrain("space", pow(x, 2) - pow(y, 2) + pow(z, 2), 1.0);
  const System system(std::move(m));
  for (const char* method : {"dop853", "dopri5", "extrapolation"}) {
    const Trajectory motion = until(5, system, method);
    ASSERT_EQ(motion.stop, Stop::end) << method << ": " << motion.reason;
    EXPECT_NEAR(motion.last.q[0], std::cosh(a) * std::cos(5), 1e-7) << method;
    EXPECT_NEAR(motion.last.q[1], std::sinh(a) * std::cos(5), 1e-7) << method;
    EXPECT_NEAR(motion.last.q[2], std::sin(5), 1e-7) << method;
    EXPECT_TRUE(says_so(motion)) << method;
  }
}

/// A mass that is stated is one: a negative number there is refused, not reinterpreted.
TEST(Saddle, AStatedMassMayNotBeNegative) {
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0});
  m.mass(x, -1.0);
  EXPECT_EQ(until(1, System(m), "dop853").stop, Stop::singular);
  const Coordinate y = m.coordinate("y", {1, 0});  // nor beside a Lagrangian, which may be what it likes
  m.lagrangian(-0.5 * pow(y.rate(), 2));
  EXPECT_EQ(until(1, System(m), "dop853").stop, Stop::singular);
}

}  // namespace
}  // namespace vinculum
