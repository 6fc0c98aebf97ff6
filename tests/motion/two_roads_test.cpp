// One motion reached by three roads: an angle, a rod in Cartesian coordinates, and elliptic functions.
#include <gtest/gtest.h>

#include <cmath>

#include "motion/elliptic.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

constexpr double mass = 1.3, L = 0.8, g = 9.81;
const double w = std::sqrt(g / L);

/// By Lagrange's equation of the angle.
Model by_angle(double k) {
  Model m;
  const Coordinate theta = m.coordinate("theta", {0, 2 * k * w});
  m.lagrangian(mass * L * L / 2 * pow(theta.rate(), 2) + mass * g * L * cos(theta));
  return m;
}

/// By a constraint. The reaction is read as the tension along the rod.
Model by_rod(double k) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 2 * k * w * L}), y = m.coordinate("y", {-L, 0});
  m.mass(x, mass);
  m.mass(y, mass);
  m.potential(mass * g * y);
  m.constrain("rod", x * x + y * y, L * L);
  m.output("tension", -(m.reaction("rod", x) * x + m.reaction("rod", y) * y) / L);
  return m;
}

Trajectory at_time(const System& system, double t) {
  MotionOptions options;
  options.until = t;
  options.tolerance = 1e-12;
  options.samples = 1;
  return simulate(system, options);
}

TEST(JacobiAmplitude, ItInvertsTheEllipticIntegral) {
  EXPECT_DOUBLE_EQ(jacobi_amplitude(0.7, 0), 0.7);
  // F(pi/2, k) = K(k): tabulated for k^2 = 1/2.
  EXPECT_NEAR(jacobi_amplitude(1.8540746773013719184, std::sqrt(0.5)), std::acos(-1.0) / 2, 1e-15);
  // k = 1 is the limit: am(u) = gd(u) = 2 atan(e^u) - pi/2.
  EXPECT_NEAR(jacobi_amplitude(1.0, 1 - 1e-15), 2 * std::atan(std::exp(1.0)) - std::acos(-1.0) / 2, 1e-14);
}

/// Small and large swings, and turns over the top. Near k = 1 the pendulum would wait at its highest point,
/// where errors grow by e^wt: that is a property of the pendulum, and these stay clear of it.
class TwoRoads : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Moduli, TwoRoads, testing::Values(0.05, 0.5, 0.9, 1.3));

TEST_P(TwoRoads, AngleRodAndEllipticFunctionsMeet) {
  const double k = GetParam();
  const System angle(by_angle(k)), rod(by_rod(k));
  for (const double t : {0.3, 1.0, 4.0, 10.0}) {
    SCOPED_TRACE(t);
    const Trajectory a = at_time(angle, t), r = at_time(rod, t);
    ASSERT_EQ(a.stop, Stop::end) << a.reason;
    ASSERT_EQ(r.stop, Stop::end) << r.reason;
    const Swing exact = pendulum_swing(t, w, k);
    const double allowed = 1e-11;  // ten times the tolerance
    const auto expect_near = [&](double got, double expected) {
      EXPECT_NEAR(got, expected, allowed * (1 + std::fabs(expected)));
    };
    expect_near(a.back().q[0], exact.angle);
    expect_near(a.back().v[0], exact.rate);
    expect_near(r.back().q[0], L * std::sin(exact.angle));
    expect_near(r.back().q[1], -L * std::cos(exact.angle));
    expect_near(r.back().v[0], L * std::cos(exact.angle) * exact.rate);
    expect_near(r.back().v[1], L * std::sin(exact.angle) * exact.rate);
    expect_near(r.back().outputs[0], mass * (L * exact.rate * exact.rate + g * std::cos(exact.angle)));
  }
}

}  // namespace
}  // namespace vinculum
