// Equations that the accelerations themselves must satisfy: alone, with coefficients of the state and time,
// and beside equations on positions and velocities.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "motion/second_road.hpp"

namespace vinculum {
namespace {

using test::allowed;
using test::expect_close;
using test::expect_motion;
using test::held_by_one_row;
using test::kutta;
using test::Numbers;
using test::run;

/// Two masses on a line.
struct Pair {
  Model model;
  Coordinate x, y;
};
Pair pair(double mass_x, double mass_y, CoordinateStart x, CoordinateStart y) {
  Pair p;
  p.x = p.model.coordinate("x", x);
  p.y = p.model.coordinate("y", y);
  p.model.mass(p.x, mass_x);
  p.model.mass(p.y, mass_y);
  return p;
}

TEST(AccelerationConstraint, ASumThatGrowsWithTimeIsSharedByTheInverseMasses) {
  // x'' + y'' = t: x'' = t m_y/(m_x + m_y). The velocities are free at first and keep what they have.
  Pair p = pair(2, 3, {1, 0.5}, {-1, 0.25});
  p.model.constrain("sum", p.x.acceleration() + p.y.acceleration(), p.model.time());
  const double t = 4, a = 0.6, b = 0.4;
  expect_motion(p.model, {t,
                          {1 + 0.5 * t + a * t * t * t / 6, -1 + 0.25 * t + b * t * t * t / 6},
                          {0.5 + a * t * t / 2, 0.25 + b * t * t / 2}});
  const Trajectory motion = run(System(p.model), t);
  expect_close(motion.back().multipliers[0], 2 * a * t, "multiplier");
  // The force 2 a s on both: its work is the integral of 2 a s (x' + y').
  expect_close(motion.work.constraint, 2 * a * (0.75 * t * t / 2 + t * t * t * t / 8), "work");
}

TEST(AccelerationConstraint, EqualAccelerationsLeaveARelativeVelocityAsItIs) {
  Pair p = pair(1, 2, {0, 1}, {0, -1});
  p.model.force(p.x, 6.0);
  p.model.constrain("together", p.x.acceleration(), p.y.acceleration());
  expect_motion(p.model, {3, {3 + 9, -3 + 9}, {1 + 6, -1 + 6}});
}

TEST(AccelerationConstraint, ALawOfMotionMayBeStatedAsOneAndItsForceIsWhatIsMissing) {
  // A mass that hangs from a spring is told to move as a faster oscillator: force = m x'' - Q.
  const double t = 5, w = 2.3, mass = 1.4;
  Model m;
  const Coordinate x = m.coordinate("x", {0.7, 0});
  m.mass(x, mass);
  m.potential(0.5 * 3 * x * x);
  m.constrain("law", x.acceleration() + w * w * x);
  const double X = 0.7 * std::cos(w * t);
  expect_motion(m, {t, {X}, {-0.7 * w * std::sin(w * t)}});
  const Trajectory motion = run(System(m), t);
  expect_close(motion.back().constraint_force[0], (3 - mass * w * w) * X, "force");
  expect_close(motion.work.constraint, 0.5 * (3 - mass * w * w) * (X * X - 0.49), "work");
}

TEST(AccelerationConstraint, CoefficientsOfPositionVelocityAndTimeMeetTheFormulaOfOneRow) {
  // (1 + x^2) x'' + y' y'' + sin(t) z'' = cos(x) - z' + t x' / 2
  Model m;
  const Coordinate x = m.coordinate("x", {0.4, 0.2}), y = m.coordinate("y", {0, 1.1}),
                   z = m.coordinate("z", {-0.3, 0.6});
  const Numbers mass{1.5, 0.8, 2.2};
  m.mass(x, mass[0]);
  m.mass(y, mass[1]);
  m.mass(z, mass[2]);
  m.force(x, -0.5 * x + 0.1 * z.rate());
  m.force(y, sin(m.time()) - 0.3 * y.rate());
  m.force(z, -2 * z * pow(y.rate(), 2));
  m.constrain(
      "row",
      (1 + pow(x, 2)) * x.acceleration() + y.rate() * y.acceleration() + sin(m.time()) * z.acceleration(),
      cos(x) - z.rate() + m.time() * x.rate() / 2);
  const auto f = [&](double t, const Numbers& q, const Numbers& v) {
    const Numbers free{(-0.5 * q[0] + 0.1 * v[2]) / mass[0], (std::sin(t) - 0.3 * v[1]) / mass[1],
                       -2 * q[2] * v[1] * v[1] / mass[2]};
    return held_by_one_row(free, mass, {1 + q[0] * q[0], v[1], std::sin(t)},
                           std::cos(q[0]) - v[2] + t * v[0] / 2);
  };
  expect_motion(m, kutta(f, {0, {0.4, 0, -0.3}, {0.2, 1.1, 0.6}}, 4));
}

TEST(AccelerationConstraint, BesideAMassOfStateAndTimeItMeetsTheFormulaOfOneRow) {
  // x x'' + (2 + cos t) y'' = y' x' with M = diag(1 + x^2, 2 + sin t).
  Model m;
  const Coordinate x = m.coordinate("x", {0.5, 0.3}), y = m.coordinate("y", {0, -0.4});
  m.mass(x, 1 + pow(x, 2));
  m.mass(y, 2 + sin(m.time()));
  m.potential(0.5 * (x * x + 2 * y * y));
  m.force(x, -0.1 * x.rate());
  m.constrain("row", x * x.acceleration() + (2 + cos(m.time())) * y.acceleration(), x.rate() * y.rate());
  const auto f = [](double t, const Numbers& q, const Numbers& v) {
    const Numbers mass{1 + q[0] * q[0], 2 + std::sin(t)};
    return held_by_one_row({(-q[0] - 0.1 * v[0]) / mass[0], -2 * q[1] / mass[1]}, mass,
                           {q[0], 2 + std::cos(t)}, v[0] * v[1]);
  };
  expect_motion(m, kutta(f, {0, {0.5, 0}, {0.3, -0.4}}, 5));
}

TEST(AccelerationConstraint, BesideAHolonomicAndANonholonomicOneItMeetsMinimalCoordinates) {
  // A bead on a cylinder, x^2 + y^2 = R^2, that climbs as it turns, z' = c th' + w, and a mass u that must
  // follow its acceleration along x, u'' = x'' + t u'. In (th, u): masses m (R^2 + c^2) and n, one row.
  const double mass = 0.9, n = 1.6, R = 0.7, c = 0.4, w = 0.2, g = 9.81, t = 1.5;
  const double th0 = 0.3, turn = 2.0;
  Model m;
  const Coordinate x = m.coordinate("x", {R * std::cos(th0), -R * std::sin(th0) * turn}),
                   y = m.coordinate("y", {R * std::sin(th0), R * std::cos(th0) * turn}),
                   z = m.coordinate("z", {0, c * turn + w}), u = m.coordinate("u", {0.1, -0.3});
  for (const Coordinate* q : {&x, &y, &z}) m.mass(*q, mass);
  m.mass(u, n);
  m.potential(mass * g * z);
  m.constrain("cylinder", x * x + y * y, R * R);
  m.constrain("climb", z.rate(), c * (x * y.rate() - y * x.rate()) / (R * R) + w);
  m.constrain("follow", u.acceleration(), x.acceleration() + m.time() * u.rate());
  const auto f = [&](double s, const Numbers& q, const Numbers& v) {
    const Numbers masses{mass * (R * R + c * c), n};
    const double C = std::cos(q[0]), S = std::sin(q[0]);
    return held_by_one_row({-mass * g * c / masses[0], 0}, masses, {R * S, 1},
                           s * v[1] - R * C * v[0] * v[0]);
  };
  const State at = kutta(f, {0, {th0, 0.1}, {turn, -0.3}}, t);
  const double th = at.q[0], rate = at.v[0];
  expect_motion(m, {t,
                    {R * std::cos(th), R * std::sin(th), c * (th - th0) + w * t, at.q[1]},
                    {-R * std::sin(th) * rate, R * std::cos(th) * rate, c * rate + w, at.v[1]}});
}

/// A pendulum with rows added to its rod.
Model pendulum_with(const std::function<void(Model&, const Coordinate&, const Coordinate&)>& more) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 2.5}), y = m.coordinate("y", {-1, 0});
  for (const Coordinate* q : {&x, &y}) m.mass(*q, 1.3);
  m.potential(1.3 * 9.81 * y);
  m.constrain("rod", x * x + y * y, 1.0);
  more(m, x, y);
  return m;
}
const auto nothing_more = [](Model&, const Coordinate&, const Coordinate&) {};
/// (phi'' of the rod) / 2 - off = 0
const auto differentiated = [](double off) {
  return [off](Model& m, const Coordinate& x, const Coordinate& y) {
    m.constrain("again", x * x.acceleration() + y * y.acceleration() + pow(x.rate(), 2) + pow(y.rate(), 2),
                off);
  };
};

TEST(AccelerationConstraint, ADifferentiatedHolonomicRowIsRedundantAndChangesNothing) {
  const double t = 6;
  const System once(pendulum_with(nothing_more));
  const Trajectory expected = run(once, t);
  ASSERT_EQ(expected.stop, Stop::end) << expected.reason;
  const Model twice = pendulum_with(differentiated(0));
  expect_motion(twice, expected.last);
  const System redundant(twice);
  const Trajectory motion = run(redundant, t);
  const Sample at = motion.back(), before = expected.back();
  EXPECT_EQ(at.rank, 1);
  for (int i = 0; i < 2; ++i)
    expect_close(at.constraint_force[i], before.constraint_force[i], "force " + std::to_string(i));
  // Rows (2x, 2y) and (x, y): the least multipliers share as 2 to 1.
  expect_close(at.multipliers[0], 2 * at.multipliers[1], "share");
}

TEST(AccelerationConstraint, ADifferentiatedNonholonomicRowIsRedundantAndChangesNothing) {
  const auto skate = [](bool twice) {
    Model m;
    const Coordinate x = m.coordinate("x", {0, 0.7}), y = m.coordinate("y"),
                     phi = m.coordinate("phi", {0, 1.1});
    m.mass(x, 1.0);
    m.mass(y, 1.0);
    m.mass(phi, 0.3);
    m.force(x, 4.9);
    m.constrain("edge", x.rate() * sin(phi), y.rate() * cos(phi));
    if (twice)
      m.constrain("again", x.acceleration() * sin(phi) - y.acceleration() * cos(phi) +
                               phi.rate() * (x.rate() * cos(phi) + y.rate() * sin(phi)));
    return m;
  };
  const Trajectory once = run(System(skate(false)), 5);
  ASSERT_EQ(once.stop, Stop::end) << once.reason;
  expect_motion(skate(true), once.last);
  EXPECT_EQ(run(System(skate(true)), 5).back().rank, 1);
}

TEST(AccelerationConstraint, OneThatContradictsADifferentiatedRowIsNamedWithIt) {
  const Trajectory motion = run(System(pendulum_with(differentiated(0.5))), 1);
  EXPECT_EQ(motion.stop, Stop::contradicting);
  EXPECT_EQ(motion.names, (std::vector<std::string>{"rod", "again"})) << motion.reason;
  EXPECT_EQ(motion.last.t, 0);
}

TEST(AccelerationConstraint, OneThatComesToContradictStopsTheRunWhereItDoes) {
  // phi'' = max(0, t - 1): agrees with the rod until t = 1.
  const Model m = pendulum_with([](Model& model, const Coordinate& x, const Coordinate& y) {
    model.constrain("again",
                    x * x.acceleration() + y * y.acceleration() + pow(x.rate(), 2) + pow(y.rate(), 2),
                    max(0.0, model.time() - 1));
  });
  const Trajectory motion = run(System(m), 3, "dop853", 1e-9);
  EXPECT_EQ(motion.stop, Stop::contradicting) << motion.reason;
  EXPECT_EQ(motion.names, (std::vector<std::string>{"rod", "again"})) << motion.reason;
  EXPECT_NEAR(motion.last.t, 1, 1e-6);  // where the miss passes what rounding may leave
}

TEST(AccelerationConstraint, ACoefficientThatPassesZeroReleasesTheRowForThatInstantAlone) {
  // cos(t) x'' = cos(t)^2: x'' = cos t, also across t = pi/2 where the row is 0 = 0 and x is free.
  Model m;
  const Coordinate x = m.coordinate("x");
  m.mass(x, 1.0);
  m.force(x, 5.0);
  m.constrain("row", cos(m.time()) * x.acceleration(), pow(cos(m.time()), 2));
  const Trajectory motion = run(System(m), 3, "dop853", 1e-9);
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  EXPECT_NEAR(motion.last.q[0], 1 - std::cos(3.0), 1e-8);
  EXPECT_NEAR(motion.last.v[0], std::sin(3.0), 1e-8);
  ASSERT_EQ(motion.rank_changes.size(), 1u);
  EXPECT_NEAR(motion.rank_changes[0].time, std::acos(0.0), 1e-8);
  EXPECT_EQ(motion.rank_changes[0].at, 0);
  EXPECT_EQ(motion.rank_changes[0].after, 1);
}

TEST(AccelerationConstraint, AMasslessCoordinateMayBeMovedByOneAlone) {
  // M = diag(1, 0) and the row x'' + y'' = sin t: no force can act on y, so none acts at all, and x is free.
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1}), y = m.coordinate("y", {0, 0.5});
  m.mass(x, 1.0);
  m.mass(y, 0.0);
  m.constrain("row", x.acceleration() + y.acceleration(), sin(m.time()));
  const double t = 2;
  expect_motion(m, {t, {t, 0.5 * t + t - std::sin(t)}, {1, 0.5 + 1 - std::cos(t)}});
}

}  // namespace
}  // namespace vinculum
