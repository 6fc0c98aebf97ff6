// Coulomb friction in two dimensions under loads that turn: out of rest, along with the load, back to rest.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

constexpr double g = 9.81;

/// A puck on a table, pulled to and fro along x and y, with springs to the middle.
struct Pulled {
  double mass, mu, spring, end = 6;
  std::array<double, 2> place, velocity, size, frequency, phase;

  explicit Pulled(unsigned seed) {
    std::mt19937 engine(seed);
    const auto draw = [&](double from, double to) {
      return from + (to - from) * static_cast<double>(engine() >> 8) / static_cast<double>(1 << 24);
    };
    mass = draw(0.3, 3);
    mu = draw(0.1, 0.6);
    spring = draw(0, 1) < 0.5 ? draw(0, 5) : 0.0;
    for (int i = 0; i < 2; ++i) {
      place[i] = draw(-1, 1);
      velocity[i] = draw(-2, 2);
      size[i] = draw(0, 6);
      frequency[i] = draw(0.5, 6);
      phase[i] = draw(0, 6);
    }
  }

  Model model() const {
    Model m;
    const Particle p = m.particle(
        "p", {.mass = mass, .position = {place[0], place[1], 0}, .velocity = {velocity[0], velocity[1], 0}});
    m.gravity({0, 0, -g});
    const Expr t = m.time();
    m.force(p, {size[0] * sin(frequency[0] * t + phase[0]) - spring * p.x,
                size[1] * sin(frequency[1] * t + phase[1]) - spring * p.y, 0.0});
    m.constrain("table", p.z);
    m.friction("table", mu);
    return m;
  }

  /// Moreau's scheme: a step of Euler with the friction of its end, which is a shortening of the velocity and
  /// needs no modes, no events and no direction at rest.
  std::array<double, 2> end_by_shortening(int steps) const {
    std::array<double, 2> x = place, v = velocity;
    const double h = end / steps;
    for (int k = 1; k <= steps; ++k) {
      for (int i = 0; i < 2; ++i) {
        const double load = size[i] * std::sin(frequency[i] * k * h + phase[i]) - spring * x[i];
        v[i] += h / mass * load;
      }
      const double speed = std::hypot(v[0], v[1]);
      const double left = speed > h * mu * g ? 1 - h * mu * g / speed : 0.0;
      for (int i = 0; i < 2; ++i) x[i] += h * (v[i] *= left);
    }
    return x;
  }
  /// Its error is of the first order in the step.
  std::array<double, 2> end_place() const {
    const int steps = 300000;
    const std::array<double, 2> coarse = end_by_shortening(steps / 2), fine = end_by_shortening(steps);
    return {2 * fine[0] - coarse[0], 2 * fine[1] - coarse[1]};
  }
};

Trajectory motion_of(const Pulled& pulled, const char* integrator) {
  MotionOptions o;
  o.until = pulled.end;
  o.integrator = integrator_named(integrator).value();
  return simulate(System(pulled.model()), o);
}

/// The direction of the velocity follows that of the load within m|v|/(mu N), which is nothing where it
/// leaves its rest and where it comes to rest beside a load that is nearly as large as friction can be.
TEST(TurningLoad, APuckLeavesItsRestAndComesBackToIt) {
  int changes = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    const Pulled pulled(seed);
    const std::array<double, 2> truth = pulled.end_place();
    for (const char* integrator : {"dop853", "radau5"}) {
      SCOPED_TRACE(std::string(integrator) + " " + std::to_string(seed));
      const Trajectory motion = motion_of(pulled, integrator);
      ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
      // What the truth itself is known to: a step of it is 2e-5.
      for (int i = 0; i < 2; ++i) EXPECT_NEAR(motion.last.q[i], truth[i], 3e-6);
      changes += static_cast<int>(motion.grip_changes.size());
    }
  }
  EXPECT_GT(changes, 60);  // or the loads were too large for the table
}

/// Where methods arrive, they arrive at the same place at the same times.
TEST(TurningLoad, MethodsAgree) {
  int arrived = 0, tried = 0;
  for (unsigned seed = 0; seed < 30; ++seed) {
    const Pulled pulled(seed);
    const Trajectory one = motion_of(pulled, "dop853");
    for (const char* integrator : {"dopri5", "extrapolation"}) {
      const Trajectory other = motion_of(pulled, integrator);
      ++tried;
      // Explicit steps may be too many where a load is hardly more than friction: such a run says so.
      if (other.stop != Stop::end) {
        EXPECT_EQ(other.stop, Stop::step_too_small);
        continue;
      }
      ++arrived;
      ASSERT_EQ(other.grip_changes.size(), one.grip_changes.size()) << seed << integrator;
      for (std::size_t k = 0; k < one.grip_changes.size(); ++k) {
        EXPECT_EQ(other.grip_changes[k].sticks, one.grip_changes[k].sticks);
        EXPECT_NEAR(other.grip_changes[k].time, one.grip_changes[k].time, 1e-6) << seed << integrator;
      }
      for (int i = 0; i < 2; ++i) EXPECT_NEAR(other.last.q[i], one.last.q[i], 1e-7) << seed << integrator;
    }
  }
  EXPECT_GE(arrived, tried - 4);
}

/// By Moreau's scheme as above, for a mass of 1 under a load and a limit that time tells.
template <class Load, class Limit>
std::array<double, 2> place_by_shortening(const Load& load, const Limit& limit, double end) {
  const auto with = [&](int steps) {
    std::array<double, 2> x{}, v{};
    const double h = end / steps;
    for (int k = 1; k <= steps; ++k) {
      const std::array<double, 2> force = load(k * h);
      for (int i = 0; i < 2; ++i) v[i] += h * force[i];
      const double speed = std::hypot(v[0], v[1]), brake = h * limit(k * h);
      for (int i = 0; i < 2; ++i) x[i] += h * (v[i] *= speed > brake ? 1 - brake / speed : 0.0);
    }
    return x;
  };
  const std::array<double, 2> coarse = with(200000), fine = with(400000);
  return {2 * fine[0] - coarse[0], 2 * fine[1] - coarse[1]};
}

/// Newton's iterates of an implicit step stand on every side of a rest that it leaves.
TEST(TurningLoad, EveryMethodLeavesARestThatALoadBeyondFrictionTurns) {
  const auto truth =
      place_by_shortening([](double t) { return std::array{2.2, 2 * t}; }, [](double) { return 2.0; }, 2);
  Model m;
  const Particle p = m.particle("p", {.mass = 1.0});
  m.gravity({0, 0, -10});
  m.force(p, {2.2, 2 * m.time(), 0.0});
  m.constrain("table", p.z);
  m.friction("table", 0.2);
  for (const char* integrator : {"dop853", "dopri5", "radau5", "extrapolation"}) {
    MotionOptions o;
    o.until = 2;
    o.integrator = integrator_named(integrator).value();
    const Trajectory motion = simulate(System(m), o);
    ASSERT_EQ(motion.stop, Stop::end) << integrator << ": " << motion.reason;
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(motion.last.q[i], truth[i], 3e-6) << integrator;
  }
}

/// Inside a step a velocity misses the floor by more than what begins to slide has: friction is across the
/// floor all the same.
TEST(TurningLoad, EveryMethodSlidesOnAFloorThatShakes) {
  struct Shaken {
    double mu, load, pace, height, shake;
  };
  for (const Shaken& s : {Shaken{0.2, 2.5, 3, 0.02, 20}, {0.3, 3.5, 2, 0.01, 20}, {0.3, 4, 1.5, 0.1, 3}}) {
    Model m;
    const Coordinate x = m.coordinate("x", {}), y = m.coordinate("y", {});
    const Expr t = m.time();
    m.mass(x, 1);
    m.mass(y, 1);
    m.force(y, -10.0);
    m.force(x, s.load * sin(s.pace * t));
    m.constrain("floor", y + 0 * x - s.height * (1 - cos(s.shake * t)));
    m.friction("floor", s.mu);
    const auto truth = place_by_shortening(
        [&](double at) { return std::array{s.load * std::sin(s.pace * at), 0.0}; },
        [&](double at) { return s.mu * (10 + s.height * s.shake * s.shake * std::cos(s.shake * at)); }, 3);
    for (const char* integrator : {"dop853", "dopri5", "radau5", "extrapolation"})
      for (const double tolerance : {1e-7, 1e-9, 1e-11}) {
        MotionOptions o;
        o.until = 3;
        o.integrator = integrator_named(integrator).value();
        o.tolerance = tolerance;
        const Trajectory motion = simulate(System(m), o);
        ASSERT_EQ(motion.stop, Stop::end) << integrator << " " << tolerance << ": " << motion.reason;
        EXPECT_NEAR(motion.last.q[0], truth[0], 3e-6) << integrator << " " << tolerance;
      }
  }
}

/// The load turns while the velocity grows from nothing to its full size: what is steep at first is not
/// later.
TEST(TurningLoad, ImplicitStepsFollowALoadThatTurnsFromTheFirstInstant) {
  for (const double side : {1.0, 0.1}) {
    Model m;
    const Particle p = m.particle("p", {.mass = 1.0});
    const Expr t = m.time();
    m.gravity({0, 0, -10});
    m.force(p, {2 + t * t, side * t * t, 0.0});
    m.constrain("table", p.z);
    m.friction("table", 0.2);
    MotionOptions o;
    o.until = 2;
    o.integrator = Integrator::radau5;
    const Trajectory motion = simulate(System(m), o);
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    EXPECT_TRUE(std::ranges::any_of(motion.notes, [](const std::string& note) {
      return note.find("made by dop853 in the place of radau5") != note.npos;
    }));
    const auto end_of = [&](int steps) {  // as above
      std::array<double, 2> x{}, v{};
      const double h = 2.0 / steps;
      for (int k = 1; k <= steps; ++k) {
        v[0] += h * (2 + k * h * k * h);
        v[1] += h * side * k * h * k * h;
        const double speed = std::hypot(v[0], v[1]);
        const double left = speed > 2 * h ? 1 - 2 * h / speed : 0.0;
        for (int i = 0; i < 2; ++i) x[i] += h * (v[i] *= left);
      }
      return x;
    };
    const std::array<double, 2> coarse = end_of(50000), fine = end_of(100000);
    for (int i = 0; i < 2; ++i) EXPECT_NEAR(motion.last.q[i], 2 * fine[i] - coarse[i], 1e-5) << side;
  }
}

/// Two pucks on a spring: one comes to rest while the other rests already. Implicit steps leave a rounding of
/// velocity in what rests, which is none.
TEST(TurningLoad, WhatRestsIsNotSetFreeByARounding) {
  Model m;
  const Particle p = m.particle("p", {.mass = 2.37, .velocity = std::array<double, 3>{-1.984, 0, 0}});
  const Particle q = m.particle("q", {.mass = 2.743,
                                      .position = std::array<double, 3>{10, 0, 0},
                                      .velocity = std::array<double, 3>{2.963, 0, 0}});
  m.gravity({0, 0, -g});
  m.spring(p.position(), q.position(), {36.512, 0.0, 10.0});
  m.force(p, {11.5086 * sin(1.929 * m.time()), 0.0, 0.0});
  m.constrain("floor_p", p.z);
  m.constrain("floor_q", q.z);
  m.friction("floor_p", 0.649);
  m.friction("floor_q", 0.798);
  MotionOptions o;
  o.until = 5.618;
  const Trajectory one = simulate(System(m), o);
  o.integrator = Integrator::radau5;
  const Trajectory other = simulate(System(m), o);
  ASSERT_EQ(one.stop, Stop::end) << one.reason;
  ASSERT_EQ(other.stop, Stop::end) << other.reason;
  ASSERT_EQ(one.grip_changes.size(), other.grip_changes.size());
  for (std::size_t k = 0; k < one.grip_changes.size(); ++k)
    EXPECT_NEAR(one.grip_changes[k].time, other.grip_changes[k].time, 1e-6);
  for (const int i : {0, 3}) EXPECT_NEAR(one.last.q[i], other.last.q[i], 1e-7);
}

}  // namespace
}  // namespace vinculum
