// Free systems whose forces depend on rates and time, and masses M(q,t), stated as they are or by an energy.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "motion/second_road.hpp"

namespace vinculum {
namespace {

using test::allowed;
using test::expect_close;
using test::expect_motion;
using test::expect_sound;
using test::kutta;
using test::Numbers;
using test::run;

// --- Forces.

TEST(RateDependent, ADampedOscillatorDrivenByTimeFollowsItsClosedForm) {
  // x'' + 2 d x' + w^2 x = f cos(p t), at rest at first.
  const double d = 0.15, w = 2, f = 0.7, p = 1.3, t = 8;
  Model m;
  const Coordinate x = m.coordinate("x");
  m.mass(x, 2.0);
  m.force(x, 2 * (f * cos(p * m.time()) - 2 * d * x.rate() - w * w * x));
  const double re = w * w - p * p, im = 2 * d * p, size = re * re + im * im, a = f * re / size,
               b = f * im / size;
  const double free = std::sqrt(w * w - d * d), c = -a, s = (d * c - p * b) / free, e = std::exp(-d * t);
  const double C = std::cos(free * t), S = std::sin(free * t);
  expect_motion(m, {t,
                    {a * std::cos(p * t) + b * std::sin(p * t) + e * (c * C + s * S)},
                    {p * (b * std::cos(p * t) - a * std::sin(p * t)) +
                     e * ((free * s - d * c) * C - (free * c + d * s) * S)}});
}

TEST(RateDependent, AFallAgainstQuadraticDragTendsToItsTerminalSpeed) {
  const double g = 9.81, k = 0.4, mass = 1.7, t = 3, terminal = std::sqrt(mass * g / k);
  Model m;
  const Coordinate y = m.coordinate("y");
  m.mass(y, mass);
  m.force(y, -mass * g - k * abs(y.rate()) * y.rate());
  expect_motion(m, {t,
                    {-terminal * terminal / g * std::log(std::cosh(g * t / terminal))},
                    {-terminal * std::tanh(g * t / terminal)}});
}

TEST(RateDependent, AMagneticForceTurnsTheVelocityAndDoesNoWork) {
  // m v' = e E + e v x B with E along y: a cycloid that drifts along x with E/B.
  const double w = 2.5, drift = 0.6, t = 7;  // w = eB/m
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.potential(-w * drift * y);
  m.force(x, w * y.rate());
  m.force(y, -w * x.rate());
  expect_motion(m, {t,
                    {drift * (t - std::sin(w * t) / w), drift * (1 - std::cos(w * t)) / w},
                    {drift * (1 - std::cos(w * t)), drift * std::sin(w * t)}});
  EXPECT_NEAR(run(System(m), t).work.total(), 0, allowed);
}

TEST(RateDependent, CoriolisAndCentrifugalForcesMakeAStraightLineOfTheRestingFrame) {
  const double w = 1.1, t = 4;
  Model m;  // in the frame that turns with w; at first (1, 0.2) with (0.3, -0.5) in the resting one
  const Coordinate x = m.coordinate("x", {1, 0.3 + w * 0.2}), y = m.coordinate("y", {0.2, -0.5 - w * 1});
  m.mass(x, 1.3);
  m.mass(y, 1.3);
  m.force(x, 1.3 * (2 * w * y.rate() + w * w * x));
  m.force(y, 1.3 * (-2 * w * x.rate() + w * w * y));
  const double X = 1 + 0.3 * t, Y = 0.2 - 0.5 * t, c = std::cos(w * t), s = std::sin(w * t);
  const double px = c * X + s * Y, py = -s * X + c * Y;
  expect_motion(m, {t, {px, py}, {c * 0.3 - s * 0.5 + w * py, -s * 0.3 - c * 0.5 - w * px}});
}

TEST(RateDependent, TheSameForcesComeFromALagrangianOfTheTurningFrame) {
  // L = m/2 |v + w x r|^2 has terms of degree two, one and zero in the velocities.
  const double t = 4;
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0.3 + 0.22}), y = m.coordinate("y", {0.2, -0.5 - 1.1});
  const Expr w = m.parameter("w", 1.1);
  m.lagrangian(0.65 * (pow(x.rate() - w * y, 2) + pow(y.rate() + w * x, 2)));
  const double X = 1 + 0.3 * t, Y = 0.2 - 0.5 * t, c = std::cos(1.1 * t), s = std::sin(1.1 * t);
  const double px = c * X + s * Y, py = -s * X + c * Y;
  expect_motion(m, {t, {px, py}, {c * 0.3 - s * 0.5 + 1.1 * py, -s * 0.3 - c * 0.5 - 1.1 * px}});
}

TEST(RateDependent, AFrameThatTurnsFasterAndFasterAddsEulersForce) {
  // Turned by the angle t^2/2: the Lagrangian depends on time, and the line stays straight.
  const double t = 2.5;
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0.3}), y = m.coordinate("y", {0.2, -0.5});
  m.lagrangian(0.5 * (pow(x.rate() - m.time() * y, 2) + pow(y.rate() + m.time() * x, 2)));
  const double X = 1 + 0.3 * t, Y = 0.2 - 0.5 * t, c = std::cos(t * t / 2), s = std::sin(t * t / 2);
  const double px = c * X + s * Y, py = -s * X + c * Y;
  expect_motion(m, {t, {px, py}, {c * 0.3 - s * 0.5 + t * py, -s * 0.3 - c * 0.5 - t * px}});
}

// --- Potentials that change with time.

TEST(RateDependent, ASofteningSpringGivesItsEnergyAwayByTimeItself) {
  // x'' = -k/(1+t)^2 x, of Euler's kind: x = sqrt(1+t) cos(w log(1+t)) / cos-start, w^2 = k - 1/4.
  const double k = 6, w = std::sqrt(k - 0.25), t = 9, u = 1 + t, phase = w * std::log(u);
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0.5});
  m.mass(x, 1.0);
  m.potential(0.5 * k * pow(x / (1 + m.time()), 2));
  expect_motion(
      m,
      {t, {std::sqrt(u) * std::cos(phase)}, {(0.5 * std::cos(phase) - w * std::sin(phase)) / std::sqrt(u)}});
  const Trajectory motion = run(System(m), t);
  expect_close(motion.work.explicit_time, motion.energy_end - motion.energy_start, "work of time");
  EXPECT_EQ(motion.work.impressed, 0);
  EXPECT_LT(motion.work.explicit_time, -0.1);  // dV/dt < 0 everywhere
}

TEST(RateDependent, AMovingPotentialWorksByItsOwnRateOfChange) {
  // V = -F sin(p t) x: x'' = F/m sin(p t), and the work of time is the integral of -F p cos(p t) x.
  const double F = 1.4, p = 2.2, t = 5;
  Model m;
  const Coordinate x = m.coordinate("x");
  m.mass(x, 0.8);
  m.potential(-F * sin(p * m.time()) * x);
  const double a = F / (0.8 * p * p), S = std::sin(p * t), C = std::cos(p * t);
  expect_motion(m, {t, {a * (p * t - S)}, {a * p * (1 - C)}});
  const double work = -F * a * (p * t * S + C - 1 - S * S / 2);
  expect_close(run(System(m), t).work.explicit_time, work, "work of time");
}

// --- Masses of time: M q'' = Q with the mass as stated; an energy means Lagrange's equations.

TEST(RateDependent, ARocketsStatedMassObeysTsiolkovskyAndAnEnergysMassKeepsItsMomentum) {
  // The thrust k u of the gases is the force; what leaves takes its own momentum with it, so m x'' = k u.
  const double m0 = 5, k = 0.6, u = 3, t = 6, left = m0 - k * t;
  Model stated;
  const Coordinate x = stated.coordinate("x");
  stated.mass(x, m0 - k * stated.time());
  stated.force(x, k * u);
  expect_motion(stated, {t, {u * (t + left / k * std::log(left / m0))}, {u * std::log(m0 / left)}});
  // By T = m(t) v^2/2 it is the momentum that the force changes: (m v)' = k u.
  Model energy;
  const Coordinate z = energy.coordinate("z");
  energy.kinetic(0.5 * (m0 - k * energy.time()) * pow(z.rate(), 2));
  energy.force(z, k * u);
  expect_motion(energy, {t, {-u * t - u * m0 / k * std::log(left / m0)}, {k * u * t / left}});
}

TEST(RateDependent, ARocketOnAnInclinedRailPressesOnItWithTheWeightItHas) {
  const double m0 = 5, k = 0.6, u = 40, g = 9.81, alpha = 1.1, t = 6, left = m0 - k * t;
  const double c = std::cos(alpha), s = std::sin(alpha);
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
  const Expr mass = m0 - k * m.time();
  for (const Coordinate* q : {&x, &y}) m.mass(*q, mass);
  m.potential(mass * g * y);
  m.force(x, k * u * c);
  m.force(y, k * u * s);
  m.constrain("rail", x * s, y * c);
  const double along = u * (t + left / k * std::log(left / m0)) - g * s * t * t / 2,
               speed = u * std::log(m0 / left) - g * s * t;
  expect_motion(m, {t, {along * c, along * s}, {speed * c, speed * s}});
  const Trajectory motion = run(System(m), t);
  expect_close(motion.back().constraint_force[0], -left * g * c * s, "push along x");
  expect_close(motion.back().constraint_force[1], left * g * c * c, "push along y");
  EXPECT_EQ(motion.work.constraint, 0);
}

TEST(RateDependent, APendulumOfStatedMassSwingsAsEverAndOneOfAnEnergyIsSlowedAsItGrows) {
  const double g = 9.81, L = 0.9, t = 5;
  const auto swing = [&](bool by_energy) {
    Model m;
    const Coordinate x = m.coordinate("x", {0, 1.5}), y = m.coordinate("y", {-L, 0});
    const Expr mass = 1 + 0.4 * m.time();
    if (by_energy)
      m.kinetic(0.5 * mass * (pow(x.rate(), 2) + pow(y.rate(), 2)));
    else
      for (const Coordinate* q : {&x, &y}) m.mass(*q, mass);
    m.potential(mass * g * y);
    m.constrain("rod", x * x + y * y, L * L);
    return m;
  };
  for (const bool by_energy : {false, true}) {
    SCOPED_TRACE(by_energy);
    const State angle = kutta(
        [&](double s, const Numbers& q, const Numbers& v) {
          return Numbers{-g / L * std::sin(q[0]) - (by_energy ? 0.4 / (1 + 0.4 * s) * v[0] : 0)};
        },
        {0, {0}, {1.5 / L}}, t);
    const double s = std::sin(angle.q[0]), c = std::cos(angle.q[0]), w = angle.v[0];
    expect_motion(swing(by_energy), {t, {L * s, -L * c}, {L * c * w, L * s * w}});
  }
}

TEST(RateDependent, TheLagrangianOfCaldirolaAndKanaiIsADampedOscillator) {
  // L = e^(2 d t) (v^2 - w^2 x^2)/2: x'' + 2 d x' + w^2 x = 0, from an energy that grows with time.
  const double d = 0.2, w = 1.7, t = 6, free = std::sqrt(w * w - d * d), e = std::exp(-d * t);
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0});
  m.lagrangian(0.5 * exp(2 * d * m.time()) * (pow(x.rate(), 2) - pow(w * x, 2)));
  const double C = std::cos(free * t), S = std::sin(free * t);
  expect_motion(m, {t, {e * (C + d / free * S)}, {-e * w * w / free * S}});
}

TEST(RateDependent, AMassThatVanishesStopsTheMotionAndIsNamed) {
  // m = 1 - t: after t = 1 there is no such mass. Pushed, the speed grows beyond all bounds before that;
  // not pushed, nothing but the mass itself tells.
  for (const double force : {0.0, 1.0}) {
    SCOPED_TRACE(force);
    Model m;
    const Coordinate x = m.coordinate("x", {0, 1}), y = m.coordinate("y");
    m.mass(x, 1 - m.time());
    m.mass(y, 1.0);
    m.force(x, force);
    for (const char* integrator : {"dop853", "dopri5", "radau5", "extrapolation"}) {
      SCOPED_TRACE(integrator);
      const Trajectory motion = run(System(m), 3, integrator, 1e-9);
      // Steps may shrink towards it, or come to it.
      const bool shrinks = motion.stop == Stop::step_too_small;
      EXPECT_TRUE(motion.stop == Stop::singular || (shrinks && force != 0)) << motion.reason;
      EXPECT_EQ(motion.names, std::vector<std::string>{shrinks ? "x'" : "x"}) << motion.reason;
      EXPECT_NEAR(motion.last.t, 1, 1e-9);
    }
  }
}

// --- Masses of the state.

constexpr double inertia = 0.6, bead = 0.5;

/// A bead on a wheel's spoke with a spring: T = (I + m r^2) th'^2/2 + m r'^2/2.
Model bead_on_spoke(bool by_energy) {
  Model m;
  const Coordinate th = m.coordinate("th", {0.2, 2.0}), r = m.coordinate("r", {0.7, -0.4});
  const Expr about = inertia + bead * pow(r, 2);
  if (by_energy) {
    m.kinetic(0.5 * about * pow(th.rate(), 2) + 0.5 * bead * pow(r.rate(), 2));
  } else {
    m.mass(th, about);
    m.mass(r, bead);
    m.force(th, -2 * bead * r * r.rate() * th.rate());
    m.force(r, bead * r * pow(th.rate(), 2));
  }
  m.potential(2.5 * pow(r - 0.3, 2));
  m.force(th, -0.05 * th.rate());
  return m;
}

TEST(RateDependent, AMassOfTheStateIsTheSameByEnergyAndByMassWithItsForces) {
  const double t = 6;
  const State expected = kutta(
      [](double, const Numbers& q, const Numbers& v) {
        const double r = q[1];
        return Numbers{(-2 * bead * r * v[1] * v[0] - 0.05 * v[0]) / (inertia + bead * r * r),
                       r * v[0] * v[0] - 5 * (r - 0.3) / bead};
      },
      {0, {0.2, 0.7}, {2.0, -0.4}}, t);
  for (const bool by_energy : {false, true}) {
    SCOPED_TRACE(by_energy);
    expect_motion(bead_on_spoke(by_energy), expected);
  }
  // By an energy, only drag works; by a mass, the stated forces and the change of the mass together.
  const Trajectory a = run(System(bead_on_spoke(true)), t), b = run(System(bead_on_spoke(false)), t);
  EXPECT_EQ(a.work.explicit_time, 0);
  expect_close(b.work.total(), a.work.impressed, "work of drag");
}

TEST(RateDependent, AMassOfTheVelocityComesFromARelativisticLagrangian) {
  // L = -sqrt(1 - v^2) - x^2/2: p' = -x with v = p/sqrt(1 + p^2), here x'' = -x (1 - v^2)^(3/2).
  const double t = 5, rate = 0.8;
  Model m;
  const Coordinate x = m.coordinate("x", {0, rate});
  m.lagrangian(-sqrt(1 - pow(x.rate(), 2)) - pow(x, 2) / 2);
  const auto f = [](double, const Numbers& q, const Numbers& v) {
    return Numbers{-q[0] * std::pow(1 - v[0] * v[0], 1.5)};
  };
  expect_motion(m, kutta(f, {0, {0}, {rate}}, t));
  EXPECT_DOUBLE_EQ(run(System(m), t).energy_start, 1 / std::sqrt(1 - rate * rate));
}

constexpr double long_rod = 0.8, short_rod = 0.5, upper = 1.2, lower = 0.7, weight = 9.81;

Model double_pendulum(bool by_energy) {
  Model m;
  const Coordinate a = m.coordinate("a", {1.2, 0}), b = m.coordinate("b", {-0.6, 1.5});
  const double mix = lower * long_rod * short_rod;
  const Expr turn = cos(a - b), across = sin(a - b);
  if (by_energy) {
    m.kinetic(0.5 * (upper + lower) * pow(long_rod * a.rate(), 2) +
              0.5 * lower * pow(short_rod * b.rate(), 2) + mix * turn * a.rate() * b.rate());
  } else {
    m.mass(a, (upper + lower) * long_rod * long_rod);
    m.mass(b, lower * short_rod * short_rod);
    m.mass(a, b, mix * turn);
    m.force(a, -mix * across * pow(b.rate(), 2));
    m.force(b, mix * across * pow(a.rate(), 2));
  }
  m.potential(-weight * ((upper + lower) * long_rod * cos(a) + lower * short_rod * cos(b)));
  return m;
}

TEST(RateDependent, ACoupledMassOfTheStateIsTheSameByEnergyByMassAndByRods) {
  const double t = 2;
  Model m;
  const auto at = [](double l, double angle) {
    return std::array{l * std::sin(angle), -l * std::cos(angle)};
  };
  const auto p = at(long_rod, 1.2), d = at(short_rod, -0.6);
  const double w = 1.5 * short_rod;
  const Coordinate x = m.coordinate("x", {p[0], 0}), y = m.coordinate("y", {p[1], 0}),
                   u = m.coordinate("u", {p[0] + d[0], w * std::cos(-0.6)}),
                   v = m.coordinate("v", {p[1] + d[1], w * std::sin(-0.6)});
  for (const Coordinate* q : {&x, &y}) m.mass(*q, upper);
  for (const Coordinate* q : {&u, &v}) m.mass(*q, lower);
  m.potential(weight * (upper * y + lower * v));
  m.constrain("long", x * x + y * y, long_rod * long_rod);
  m.constrain("short", pow(u - x, 2) + pow(v - y, 2), short_rod * short_rod);
  const System rods(m);
  const Trajectory motion = run(rods, t, "dop853", 1e-13);
  expect_sound(rods, motion);
  const Numbers &q = motion.last.q, &s = motion.last.v;
  const double a = std::atan2(q[0], -q[1]), b = std::atan2(q[2] - q[0], q[1] - q[3]);
  const double a_rate = (q[0] * s[1] - q[1] * s[0]) / (long_rod * long_rod),
               b_rate =
                   ((q[2] - q[0]) * (s[3] - s[1]) - (q[3] - q[1]) * (s[2] - s[0])) / (short_rod * short_rod);
  for (const bool by_energy : {false, true}) {
    SCOPED_TRACE(by_energy);
    const System angles(double_pendulum(by_energy));
    const Trajectory turned = run(angles, t, "dop853", 1e-13);
    expect_sound(angles, turned);
    expect_close(std::remainder(turned.last.q[0] - a, 2 * M_PI), 0, "a");
    expect_close(std::remainder(turned.last.q[1] - b, 2 * M_PI), 0, "b");
    expect_close(turned.last.v[0], a_rate, "a'");
    expect_close(turned.last.v[1], b_rate, "b'");
  }
}

TEST(RateDependent, ACoupledMassOfStateAndTimeUnderAMovingConstraintMeetsItsReducedEquation) {
  // x = u, y = sin(u) + t^2/4: reduced to u by q' = (1, cos u) u' + (0, t/2), for M as stated and as an
  // energy.
  const double t = 3;
  const auto mass = [](double s, double x, double y) {
    return std::array{2 + std::sin(s), 0.5 * std::cos(x), 1.5 + s / 4 + y * y};  // xx, xy, yy
  };
  const auto stated = [](bool by_energy) {
    Model m;
    const Coordinate x = m.coordinate("x", {0.3, 0.8}),
                     y = m.coordinate("y", {std::sin(0.3), 0.8 * std::cos(0.3)});
    const Expr xx = 2 + sin(m.time()), xy = 0.5 * cos(x), yy = 1.5 + m.time() / 4 + pow(y, 2);
    if (by_energy) {
      m.kinetic(0.5 * xx * pow(x.rate(), 2) + xy * x.rate() * y.rate() + 0.5 * yy * pow(y.rate(), 2));
    } else {
      m.mass(x, xx);
      m.mass(x, y, xy);
      m.mass(y, yy);
    }
    m.force(x, -x - 0.2 * x.rate() * sqrt(1 + pow(y.rate(), 2)));
    m.force(y, sin(2 * m.time()) - y);
    m.constrain("guide", y, sin(x) + pow(m.time(), 2) / 4);
    return m;
  };
  for (const bool by_energy : {false, true}) {
    SCOPED_TRACE(by_energy);
    const auto reduced = [&](double s, const Numbers& q, const Numbers& v) {
      const double x = q[0], y = std::sin(x) + s * s / 4, xr = v[0], tangent = std::cos(x),
                   yr = tangent * xr + s / 2,
                   rest = -std::sin(x) * xr * xr + 0.5;  // y'' = tangent x'' + rest
      const auto [xx, xy, yy] = mass(s, x, y);
      double fx = -x - 0.2 * xr * std::sqrt(1 + yr * yr), fy = std::sin(2 * s) - y;
      if (by_energy) {  // dT/dq - (dM/dt) v by hand
        fx += -0.5 * std::sin(x) * xr * yr - std::cos(s) * xr + 0.5 * std::sin(x) * xr * yr;
        fy += y * yr * yr - (0.25 + 2 * y * yr) * yr + 0.5 * std::sin(x) * xr * xr;
      }
      const double force = fx - xy * rest + tangent * (fy - yy * rest);
      return Numbers{force / (xx + 2 * tangent * xy + tangent * tangent * yy)};
    };
    const State u = kutta(reduced, {0, {0.3}, {0.8}}, t);
    const double x = u.q[0], xr = u.v[0];
    expect_motion(stated(by_energy), {t, {x, std::sin(x) + t * t / 4}, {xr, std::cos(x) * xr + t / 2}});
  }
}

}  // namespace
}  // namespace vinculum
