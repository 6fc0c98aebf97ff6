// Forces a user writes with sign(): the motion stays on their switch where both sides push to it. Against
// closed forms, and against friction = mu where both can be stated.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "motion/until.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

using std::numbers::pi;
using test::until;

constexpr double g = 9.81;

/// A block on a slope, rubbed by friction = mu or by a law written out.
Model block(double angle, double mu, double up, bool written) {
  Model model;
  const Coordinate x = model.coordinate("x", {0, -up * std::cos(angle)});
  const Coordinate y = model.coordinate("y", {0, up * std::sin(angle)});
  model.mass(x, 1.5);
  model.mass(y, 1.5);
  model.force(y, -1.5 * g);
  model.constrain("slope", x * std::tan(angle) + y);
  if (!written) {
    model.friction("slope", mu);
    return model;
  }
  const Expr pressed = sqrt(pow(model.reaction("slope", x), 2) + pow(model.reaction("slope", y), 2));
  model.nonideal(x, -mu * pressed * sign(x.rate()) * std::cos(angle));
  model.nonideal(y, mu * pressed * sign(x.rate()) * std::sin(angle));
  return model;
}

TEST(Sliding, AWrittenLawMovesABlockOnASlopeAsFrictionDoes) {
  for (const double mu : {0.3, 0.8}) {
    const Trajectory stated = simulate(System(block(0.6, mu, 3.0, false)), until(3));
    const Trajectory written = simulate(System(block(0.6, mu, 3.0, true)), until(3));
    ASSERT_EQ(written.stop, Stop::end) << written.reason;
    ASSERT_EQ(written.grip_changes.size(), stated.grip_changes.size()) << mu;
    for (std::size_t k = 0; k < written.grip_changes.size(); ++k) {
      EXPECT_NEAR(written.grip_changes[k].time, stated.grip_changes[k].time, 1e-12);
      EXPECT_EQ(written.grip_changes[k].sticks, stated.grip_changes[k].sticks);
      EXPECT_EQ(written.grip_changes[k].constraint, "x' = 0");
    }
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(written.last.q[i], stated.last.q[i], 1e-11);
      EXPECT_NEAR(written.last.v[i], stated.last.v[i], 1e-11);
      EXPECT_NEAR(written.back().nonideal_force[i], stated.back().nonideal_force[i], 1e-11);
      EXPECT_NEAR(written.back().constraint_force[i], stated.back().constraint_force[i], 1e-11);
    }
    EXPECT_NEAR(written.drift(), 0, 1e-11);
  }
}

/// m x'' + k x = -F sign(x'): half periods about +-F/k, each 2 F/k shorter, until it stays.
TEST(Sliding, AnOscillatorComesToRestAtItsTimeWithEveryMethod) {
  const double k = 10.0, F = 0.981, w = std::sqrt(k);
  Model model;
  const Coordinate x = model.coordinate("x", {1.0, 0});
  model.mass(x, 1.0);
  model.force(x, -k * x - F * sign(x.rate()));
  double rest = 1.0;
  int halves = 0;
  while (std::fabs(rest) > F / k) {
    rest = -rest + (rest > 0 ? 2 * F / k : -2 * F / k);
    ++halves;
  }
  const System system(model);
  for (const IntegratorInfo& method : integrators()) {
    const double tolerance = method.name == "radau5" ? 1e-9 : 1e-11;
    MotionOptions o = until(20, tolerance, method.name);
    if (!method.adaptive) o.step = 1e-3;
    const Trajectory motion = simulate(system, o);
    ASSERT_EQ(motion.stop, Stop::end) << method.name << " " << motion.reason;
    // A method's own error: fixed steps of the fourth order lose (w h)^4 a second.
    const double error = method.adaptive ? 10 * tolerance : 1e-9;
    ASSERT_EQ(motion.grip_changes.size(), 1u) << method.name;  // turning it does not stand still
    EXPECT_TRUE(motion.grip_changes[0].sticks);
    EXPECT_NEAR(motion.grip_changes[0].time, halves * pi / w, error) << method.name;
    EXPECT_NEAR(motion.last.q[0], rest, error) << method.name;
    EXPECT_EQ(motion.last.v[0], 0.0) << method.name;
    EXPECT_NEAR(motion.drift(), 0, 10 * error) << method.name;
    EXPECT_LT(motion.steps, method.adaptive ? 3000 : 21000) << method.name;  // no chatter
  }
}

/// On a belt: m x'' + k x = -(F - c |s|) sign(s), s = x' - belt. Friction that falls with speed: the mass is
/// carried until k x = F, slips on a growing spiral about (F - c belt)/k, and is caught where x' = belt
/// again.
struct Belt {
  double m = 1.3, k = 4.0, F = 1.0, c = 0.2, belt = 0.3;
  double beta = c / (2 * m), w = std::sqrt(k / m - beta * beta);
  double u0 = c * belt / k, B = (belt - beta * u0) / w;
  double slip = 0, travel = 0;  // time of a slip, and how far back it brings the mass

  Belt() {
    double low = pi / w, high = 2 * pi / w;
    for (int i = 0; i < 200; ++i) (speed(0.5 * (low + high)) < belt ? low : high) = 0.5 * (low + high);
    slip = low;
    travel = u0 - place(slip);
  }
  double place(double t) const { return std::exp(beta * t) * (u0 * std::cos(w * t) + B * std::sin(w * t)); }
  double speed(double t) const {
    return std::exp(beta * t) * (belt * std::cos(w * t) + (beta * B - u0 * w) * std::sin(w * t));
  }
  double period() const { return slip + travel / belt; }
  Model model() const {
    Model model;
    const Coordinate x = model.coordinate("x", {0, belt});
    model.mass(x, m);
    const Expr s = x.rate() - belt;
    model.force(x, -k * x);
    model.force(x, -(F - c * abs(s)) * sign(s));
    model.output("friction", -(F - c * abs(s)) * sign(s));
    return model;
  }
};

/// A rod on a pin that rubs: I w' = M0 exp(-t) - mu r |F| with F the force of the ideal pin, by another road.
TEST(Sliding, ARodOnARoughPinComesToRestAndStays) {
  const double mu_r = 0.03, torque = 3, mass = 1, length = 1, inertia = mass * length * length / 3;
  Model model;
  const Body b = model.body("b", {.mass = mass,
                                  .inertia = {1e-4, mass * length * length / 12, mass * length * length / 12},
                                  .position = {0, length / 2, 0},
                                  .orientation = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)}});
  model.gravity({0, 0, -g});
  model.joint("pin", {}, b, {.type = JointType::revolute});
  Expr square = 0.0;
  for (const Coordinate& x : {b.x, b.y, b.z}) square = square + pow(model.reaction("pin", x), 2);
  model.nonideal(b.wz, -mu_r * sqrt(square) * sign(b.wz));
  model.force(b.wz, torque * exp(-model.time()));
  const Trajectory motion = simulate(System(model), until(10, 1e-9));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  // C is a torque on the body, of which the pin lets through the part of a turn about itself: all of it.
  const auto rate = [&](double t, double w) {
    const double across = torque * std::exp(-t) / inertia * mass * length / 2;
    const double along = mass * w * w * length / 2;
    return (torque * std::exp(-t) - mu_r * std::hypot(across, along, mass * g)) / inertia;
  };
  double t = 0, w = 0;
  const double h = 1e-4;
  while (t < 1 || w > 0) {
    const double k1 = rate(t, w), k2 = rate(t + h / 2, w + h / 2 * k1), k3 = rate(t + h / 2, w + h / 2 * k2),
                 k4 = rate(t + h, w + h * k3);
    w += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    t += h;
  }
  const double rest = t - w / rate(t, w);  // the last step passed it
  ASSERT_EQ(motion.grip_changes.size(), 1u);
  EXPECT_TRUE(motion.grip_changes[0].sticks);
  EXPECT_NEAR(motion.grip_changes[0].time, rest, 1e-7);
  for (const double speed : motion.last.v) EXPECT_NEAR(speed, 0, 1e-15);
}

TEST(Sliding, AMassOnABeltSticksAndSlipsInTheClosedCycle) {
  const Belt b;
  ASSERT_GT(b.travel, 0);
  const System system(b.model());
  for (const IntegratorInfo& method : integrators()) {
    MotionOptions o = until(40, method.name == "radau5" ? 1e-9 : 1e-11, method.name);
    if (!method.adaptive) o.step = 2e-3;
    const double error = method.name == "radau5" ? 1e-7 : 1e-9;
    const Trajectory motion = simulate(system, o);
    ASSERT_EQ(motion.stop, Stop::end) << method.name << " " << motion.reason;
    const double first = b.F / b.k / b.belt;  // carried from x = 0
    ASSERT_GE(motion.grip_changes.size(), 8u) << method.name;
    for (std::size_t i = 0; i < motion.grip_changes.size(); ++i) {
      const GripChange& change = motion.grip_changes[i];
      EXPECT_EQ(change.constraint, "x' - 0.3 = 0");
      EXPECT_EQ(change.sticks, i % 2 == 1) << method.name;
      EXPECT_NEAR(change.time, first + (i / 2) * b.period() + (i % 2) * b.slip, error)
          << method.name << " " << i;
    }
    EXPECT_LT(motion.steps, method.adaptive ? 6000 : 21000) << method.name;
    EXPECT_NEAR(motion.drift(), 0, 1e-7) << method.name;
  }
}

TEST(Sliding, TheBeltCarriesWithTheForceThatIsNeededAndNeverMore) {
  const Belt b;
  MotionOptions o = until(40);
  o.samples = 4001;
  const Trajectory motion = simulate(System(b.model()), o);
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  int carried = 0;
  std::size_t change = 0;
  bool sticks = true;
  for (int i = 0; i < motion.size(); ++i) {
    while (change < motion.grip_changes.size() && motion.grip_changes[change].time <= motion[i].t)
      sticks = motion.grip_changes[change++].sticks;
    const double friction = motion[i].outputs[0];
    EXPECT_LE(std::fabs(friction), b.F * (1 + 1e-12)) << motion[i].t;
    EXPECT_NEAR(b.m * motion[i].acceleration[0], friction - b.k * motion[i].q[0], 1e-12) << motion[i].t;
    if (!sticks) continue;
    ++carried;
    EXPECT_NEAR(motion[i].v[0], b.belt, 1e-14) << motion[i].t;
    EXPECT_NEAR(motion[i].acceleration[0], 0, 1e-14) << motion[i].t;
    EXPECT_NEAR(friction, b.k * motion[i].q[0], 1e-12) << motion[i].t;
  }
  EXPECT_GT(carried, 500);
}

/// With friction that does not fall the slip is a circle that touches x' = belt: the motion just goes on.
TEST(Sliding, ASlipThatTouchesTheBeltGoesOnAsItWas) {
  const double k = 4.0, F = 1.0, belt = 0.3, w = 2.0;
  Model model;
  const Coordinate x = model.coordinate("x", {0, belt});
  model.mass(x, 1.0);
  model.force(x, -k * x - F * sign(x.rate() - belt));
  const double release = F / k / belt;
  const Trajectory motion = simulate(System(model), until(release + 3.7 * 2 * pi / w));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  EXPECT_NEAR(motion.grip_changes.at(0).time, release, 1e-12);
  // Where it touches, errors of the tolerance decide for how long: they grow like their root.
  EXPECT_NEAR(motion.last.q[0], F / k + belt / w * std::sin(3.7 * 2 * pi), 1e-5);
  EXPECT_LT(motion.steps, 2000);
}

/// A force that grows from nothing: at rest until it is the limit, and then (t - t0)^3 rate/6.
TEST(Sliding, AGrowingForceLetsGoAtTheLimitWithEveryMethod) {
  const double F = 1.7, rate = 2.0, release = F / rate, end = 3.0, left = end - release;
  Model model;
  const Coordinate x = model.coordinate("x");
  model.mass(x, 1.0);
  model.force(x, rate * model.time() - F * sign(x.rate()));
  const System system(model);
  for (const IntegratorInfo& method : integrators()) {
    MotionOptions o = until(end, 1e-10, method.name);
    if (!method.adaptive) o.step = 0.01;
    const Trajectory motion = simulate(system, o);
    ASSERT_EQ(motion.stop, Stop::end) << method.name << " " << motion.reason;
    ASSERT_EQ(motion.grip_changes.size(), 1u) << method.name;
    EXPECT_FALSE(motion.grip_changes[0].sticks);
    EXPECT_NEAR(motion.grip_changes[0].time, release, 1e-13) << method.name;
    EXPECT_NEAR(motion.last.q[0], rate * left * left * left / 6, 1e-9) << method.name;
    EXPECT_NEAR(motion.drift(), 0, 1e-9) << method.name;
  }
}

/// A block on a block on the ground, the lower one pulled by a growing force: first both rest, then both move
/// together, then the upper one is left behind.
TEST(Sliding, TwoSwitchesHoldAndLetGoOneAfterTheOther) {
  const double m1 = 2.0, m2 = 0.5, ground = 3.0, between = 0.8, rate = 1.5, end = 6.0;
  Model model;
  const Coordinate x = model.coordinate("x"), y = model.coordinate("y");
  model.mass(x, m1);
  model.mass(y, m2);
  const Expr rub = between * sign(y.rate() - x.rate());
  model.force(x, rate * model.time() - ground * sign(x.rate()) + rub);
  model.force(y, -rub);
  const Trajectory motion = simulate(System(model), until(end));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  const double t1 = ground / rate, t2 = (ground + between * (m1 + m2) / m2) / rate;
  ASSERT_LT(t2, end);
  ASSERT_EQ(motion.grip_changes.size(), 2u);
  EXPECT_EQ(motion.grip_changes[0].constraint, "x' = 0");
  EXPECT_NEAR(motion.grip_changes[0].time, t1, 1e-12);
  EXPECT_EQ(motion.grip_changes[1].constraint, "y' - x' = 0");
  EXPECT_NEAR(motion.grip_changes[1].time, t2, 1e-11);
  EXPECT_FALSE(motion.grip_changes[0].sticks || motion.grip_changes[1].sticks);
  const double together = t2 - t1, alone = end - t2;
  const double speed = rate * together * together / 2 / (m1 + m2);
  const double v1 = speed + (rate * (end * end - t2 * t2) / 2 - (ground + between) * alone) / m1;
  EXPECT_NEAR(motion.last.v[0], v1, 1e-10);
  EXPECT_NEAR(motion.last.v[1], speed + between / m2 * alone, 1e-10);
  EXPECT_NEAR(motion.drift(), 0, 1e-9);
}

/// Two masses that know nothing of each other come to rest each at its time.
TEST(Sliding, IndependentSwitchesHoldEachAtItsTime) {
  Model model;
  const Coordinate x = model.coordinate("x", {0, 2}), y = model.coordinate("y", {0, -3});
  model.mass(x, 1.0);
  model.mass(y, 2.0);
  model.force(x, -5 * sign(x.rate()));
  model.force(y, 1.0 - 4 * sign(y.rate()));
  const Trajectory motion = simulate(System(model), until(5));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  ASSERT_EQ(motion.grip_changes.size(), 2u);
  EXPECT_EQ(motion.grip_changes[0].constraint, "x' = 0");
  EXPECT_NEAR(motion.grip_changes[0].time, 2.0 / 5, 1e-12);
  EXPECT_EQ(motion.grip_changes[1].constraint, "y' = 0");
  EXPECT_NEAR(motion.grip_changes[1].time, 3.0 / 2.5, 1e-12);
  EXPECT_NEAR(motion.last.q[0], 0.4, 1e-12);
  EXPECT_NEAR(motion.last.q[1], -9.0 / 5, 1e-12);
  EXPECT_EQ(motion.last.v[0], 0.0);
  EXPECT_EQ(motion.last.v[1], 0.0);
}

/// A drive that thrusts below speed 1 and brakes above keeps it, also where gravity bends the path: then the
/// angle psi obeys psi' = -g cos psi, sin psi = -tanh(g t - artanh(sin psi_0)).
TEST(Sliding, ASpeedIsKeptOnACurvedSwitch) {
  const double weight = 0.5, psi = 0.9, end = 3.0;
  Model model;
  const Coordinate x = model.coordinate("x", {0, std::cos(psi)}),
                   y = model.coordinate("y", {0, std::sin(psi)});
  model.mass(x, 1.0);
  model.mass(y, 1.0);
  const Expr drive = -2 * sign(pow(x.rate(), 2) + pow(y.rate(), 2) - 1);
  model.force(x, drive * x.rate());
  model.force(y, drive * y.rate() - weight);
  const Trajectory motion = simulate(System(model), until(end));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  const double sine = -std::tanh(weight * end - std::atanh(std::sin(psi)));
  EXPECT_NEAR(std::hypot(motion.last.v[0], motion.last.v[1]), 1, 1e-14);
  EXPECT_NEAR(motion.last.v[1], sine, 1e-10);
  EXPECT_LT(motion.steps, 500);
}

/// x'' = -x + f, f = -0.3 x' outside a circle of place and velocity and 0.1 inside: held on the circle the
/// motion turns at the rate 1 until x' = 0, where neither side pushes any more, and goes on inside.
TEST(Sliding, ACurveOfPlaceAndVelocityIsLeftWhereNeitherSidePushesWithEveryMethod) {
  const double radius = std::sqrt(1.2), damping = 0.15, w = std::sqrt(1 - damping * damping), start = 1.3;
  Model model;
  const Coordinate x = model.coordinate("x", {0, start});
  model.mass(x, 1.0);
  model.force(x, -x + if_less(1.2, x * x + x.rate() * x.rate(), -2 * damping * x.rate(), 0.1));
  const auto outside = [&](double t) { return start / w * std::exp(-damping * t) * std::sin(w * t); };
  const auto speed = [&](double t) {
    return start * std::exp(-damping * t) * (std::cos(w * t) - damping / w * std::sin(w * t));
  };
  double caught = 0, above = 1.5;
  for (int i = 0; i < 200; ++i) {
    const double t = 0.5 * (caught + above);
    (std::hypot(outside(t), speed(t)) > radius ? caught : above) = t;
  }
  const double left = caught + 0.5 * pi - std::atan2(outside(caught), speed(caught));
  const System system(model);
  for (const IntegratorInfo& method : integrators()) {
    MotionOptions options = until(7, 1e-9, method.name);
    if (!method.adaptive) options.step = 1e-3;
    const Trajectory motion = simulate(system, options);
    ASSERT_EQ(motion.stop, Stop::end) << method.name << motion.reason;
    ASSERT_EQ(motion.grip_changes.size(), 2u) << method.name;
    EXPECT_NEAR(motion.grip_changes[0].time, caught, 1e-9) << method.name;
    EXPECT_NEAR(motion.grip_changes[1].time, left, 1e-9) << method.name;
    EXPECT_NEAR(motion.last.q[0], 0.1 + (radius - 0.1) * std::cos(7 - left), 3e-9) << method.name;
  }
}

/// An instant by itself: at rest under a written law the acceleration is zero and the force the needed one;
/// beyond the limit it is that of the side the motion goes to.
TEST(Sliding, AnInstantOnTheSwitchShowsTheForceThatHolds) {
  for (const double mu : {0.6, 0.7}) {
    const System stated(block(0.6, mu, 0, false)), written(block(0.6, mu, 0, true));
    const Solution a = solve(stated, stated.start()), b = solve(written, written.start());
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(b.acceleration[i], a.acceleration[i], 1e-14) << mu;
      EXPECT_NEAR(b.nonideal_force[i], a.nonideal_force[i], 1e-13) << mu;
      EXPECT_NEAR(b.constraint_force[i], a.constraint_force[i], 1e-13) << mu;
    }
    EXPECT_TRUE(b.certificate.holds());
    SolveOptions motion;
    motion.detail = Detail::motion;
    EXPECT_NEAR(solve(written, written.start(), motion).acceleration[0], a.acceleration[0], 1e-14);
  }
}

/// The same law in other words: by a quotient that is no number at rest, and by two ifs.
TEST(Sliding, OtherWordsForSignHoldAsWell) {
  for (const bool by_if : {false, true}) {
    Model model;
    const Coordinate x = model.coordinate("x", {0, 1});
    model.mass(x, 1.0);
    const Expr v = x.rate();
    model.force(x, by_if ? if_less(0, v, -2, 0) + if_less(v, 0, 2, 0) : -2 * v / abs(v));
    const Trajectory motion = simulate(System(model), until(2));
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    ASSERT_EQ(motion.grip_changes.size(), 1u);
    EXPECT_NEAR(motion.grip_changes[0].time, 0.5, 1e-11);  // the tolerance of the run
    EXPECT_NEAR(motion.last.q[0], 0.25, 1e-12);
    EXPECT_EQ(motion.last.v[0], 0.0);
  }
}

/// A corner holds nothing: drag at rest, and one whose damping differs with the direction.
TEST(Sliding, ACornerIsNoJump) {
  for (const bool at_rest : {true, false}) {
    Model model;
    const Coordinate x = model.coordinate("x", {at_rest ? 0.0 : 1.0, 0}), y = model.coordinate("y");
    model.mass(x, 1.0);
    model.mass(y, 1.0);
    model.force(x, -4 * x - 0.3 * abs(x.rate()) * x.rate());
    model.force(y, -4 * y + min(-0.5 * y.rate(), -0.1 * y.rate()) + (at_rest ? 0.0 : 1.0));
    const Trajectory motion = simulate(System(model), until(10));
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    EXPECT_TRUE(motion.grip_changes.empty());
    EXPECT_NEAR(motion.drift(), 0, 1e-9);
  }
}

/// v = L (3 - 2 t + t^2/4) comes to rest at t = 2, stays there until the load is 2 L at t = 4, and goes on as
/// L (t - 4)^2/4: at loose tolerances, in every unit of length, by both ways to state the friction.
TEST(Sliding, ABlockUnderAGrowingLoadStopsRestsAndGoesOnAtEveryTolerance) {
  for (const IntegratorInfo& method : integrators())
    for (const double tolerance : {1e-4, 1e-5, 1e-6, 1e-8})
      for (const double unit : {1e-9, 1.0, 1.37, 1.74, 2.11, 2.48, 1e6})
        for (const bool written : {true, false}) {
          Model model;
          const Coordinate x = model.coordinate("x", {0, 3 * unit}), y = model.coordinate("y");
          for (const Coordinate& c : {x, y}) model.mass(c, 1.0);
          model.force(y, -10 * unit);
          model.constrain("floor", y + 0 * x);
          const Expr load = 0.5 * unit * model.time();
          model.force(x, written ? load - 2 * unit * sign(x.rate()) : load);
          if (!written) model.friction("floor", 0.2);
          MotionOptions o = until(10, tolerance, method.name);
          if (!method.adaptive) o.step = 0.03;
          const Trajectory motion = simulate(System(model), o);
          const std::string what = method.name + " " + std::to_string(tolerance) + " " + std::to_string(unit);
          ASSERT_EQ(motion.stop, Stop::end) << what << (written ? " written: " : ": ") << motion.reason;
          EXPECT_NEAR(motion.last.q[0], 62.0 / 3 * unit, 100 * tolerance * unit) << what;
          ASSERT_EQ(motion.grip_changes.size(), 2u) << what;
          EXPECT_NEAR(motion.grip_changes[0].time, 2, 100 * tolerance) << what;
          EXPECT_NEAR(motion.grip_changes[1].time, 4, 100 * tolerance) << what;
        }
}

/// Two blocks, of which the lower is pulled by 2 t, stick to each other from t = a on and part at t = 4.5,
/// from where the difference of their speeds is -(t - 4.5)^2/2: it has been zero once, and is not so again.
TEST(Sliding, WhatPartsSlowlyHasMetItsEventOnce) {
  for (const IntegratorInfo& method : integrators())
    for (const double step : {0.1, 0.05, 0.02, 0.013, 0.01, 0.007}) {
      Model model;
      const Coordinate upper = model.coordinate("upper", {0, 1}), lower = model.coordinate("lower");
      model.mass(upper, 1.0);
      model.mass(lower, 2.0);
      const Expr slip = upper.rate() - lower.rate();
      model.force(upper, -3 * sign(slip));
      model.force(lower, 3 * sign(slip) + 2 * model.time());
      model.event("together", slip);
      MotionOptions o = until(7, 1e-6, method.name);
      o.step = step;
      const Trajectory motion = simulate(System(model), o);
      ASSERT_EQ(motion.stop, Stop::end) << method.name << ": " << motion.reason;
      ASSERT_EQ(motion.events.size(), 1u) << method.name << " " << step;
      // 1 - 9/2 a - a^2/2 = 0
      EXPECT_NEAR(motion.events[0].time, -4.5 + std::sqrt(4.5 * 4.5 + 2), 1e-5) << method.name;
      for (const std::string& note : motion.notes)  // what is held has no series yet
        EXPECT_NE(note.find("made by dop853 in the place of taylor"), note.npos) << note;
      EXPECT_EQ(motion.notes.size(), method.name == "taylor" ? 1u : 0u);
    }
}

/// A block on a block, and the lower one rests on the ground: its switch holds exactly at zero, and both are
/// made of its velocity.
TEST(Sliding, ABlockOnARestingBlockRestsOrTurnsWithEveryMethod) {
  for (const char* method : {"dop853", "dopri5", "radau5", "extrapolation"}) {
    Model rests;
    const Coordinate x = rests.coordinate("x", {}), y = rests.coordinate("y", {.start = 0, .rate = -0.4});
    rests.mass(x, 1);
    rests.mass(y, 1);
    rests.force(x, -sign(x.rate()) - 0.5 * sign(x.rate() - y.rate()));
    rests.force(y, -y + 0.5 * sign(x.rate() - y.rate()));
    const Trajectory rest = simulate(System(rests), until(2, 1e-9, method));
    ASSERT_EQ(rest.stop, Stop::end) << method << ": " << rest.reason;
    EXPECT_NEAR(rest.last.q[1], 0.5 - std::hypot(0.5, 0.4), 1e-9)
        << method;  // where the swing about 0.5 turns
    EXPECT_EQ(rest.last.v[1], 0) << method;

    Model turns;
    const Coordinate u = turns.coordinate("u", {.start = 0, .rate = 1}), w = turns.coordinate("w", {});
    turns.mass(u, 1);
    turns.mass(w, 1);
    turns.force(u, -1 - 0.5 * sign(u.rate() - w.rate()));
    turns.force(w, 0.5 * sign(u.rate() - w.rate()) - 0.9 * sign(w.rate()));
    const Trajectory turn = simulate(System(turns), until(2, 1e-9, method));
    ASSERT_EQ(turn.stop, Stop::end) << method << ": " << turn.reason;
    EXPECT_NEAR(turn.last.v[0], -2.0 / 3, 1e-9) << method;  // -3/2 until 2/3, then -1/2
    EXPECT_EQ(turn.last.v[1], 0) << method;
  }
}

/// The other switch jumps, this one does not: it is passed.
TEST(Sliding, ACornerBesideASwitchThatHoldsIsNoJump) {
  for (const char* method : {"dop853", "dopri5", "radau5", "extrapolation"}) {
    Model m;
    const Coordinate x = m.coordinate("x", {.start = 0, .rate = 1}),
                     y = m.coordinate("y", {.start = 0, .rate = 0.1});
    m.mass(x, 1);
    m.mass(y, 1);
    m.force(x, -1 - 0.5 * abs(x.rate() - y.rate()));
    m.force(y, 0.5 * abs(x.rate() - y.rate()) - 1.5 * sign(y.rate() - 0.1));
    const Trajectory motion = simulate(System(m), until(2, 1e-9, method));
    ASSERT_EQ(motion.stop, Stop::end) << method << ": " << motion.reason;
    EXPECT_TRUE(motion.grip_changes.empty()) << method;
    // u = x' - 0.1 from 0.9: u' = -1 - |u|/2, through 0.
    const double passed = 2 * std::log(1.45);
    EXPECT_NEAR(motion.last.v[0], 0.1 - 2 * (std::exp((2 - passed) / 2) - 1), 1e-8) << method;
    EXPECT_NEAR(motion.last.v[1], 0.1, 1e-12) << method;
  }
}

}  // namespace
}  // namespace vinculum
