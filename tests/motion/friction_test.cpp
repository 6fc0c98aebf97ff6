// Coulomb friction against closed forms: switching times, rest, reversal, and no energy out of nothing.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "motion/until.hpp"
#include "vinculum/motion/dense.hpp"
#include "vinculum/motion/simulate.hpp"
#include "vinculum/system/friction.hpp"

namespace vinculum {
namespace {

using std::numbers::pi;
using test::until;

constexpr double g = 9.81;

/// A particle on the plane z = 0 with gravity and a force along x and y.
struct Puck {
  Model model;
  Particle p;
  explicit Puck(double mu, std::array<double, 3> position = {}, std::array<double, 3> velocity = {}) {
    p = model.particle("p", {.mass = 1.0, .position = position, .velocity = velocity});
    model.gravity({0, 0, -g});
    model.constrain("table", p.z);
    model.friction("table", mu);
  }
};

struct Block {
  Model model;
  Coordinate x, y;
  Block(double m, double angle, double mu, double up) {
    x = model.coordinate("x", {0, -up * std::cos(angle)});
    y = model.coordinate("y", {0, up * std::sin(angle)});
    model.mass(x, m);
    model.mass(y, m);
    model.force(y, -m * g);
    model.constrain("slope", x * std::tan(angle) + y);
    model.friction("slope", mu);
  }
};

TEST(Friction, ABlockThrownUpASlopeTurnsAndSlidesBack) {
  const double angle = 0.6, mu = 0.3;
  const System system(Block(1.5, angle, mu, 3.0).model);
  const Trajectory motion = simulate(system, until(2));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  EXPECT_TRUE(motion.grip_changes.empty());  // it turns without standing still
  // Reference case d01 at t = 2.
  EXPECT_NEAR(motion.last.q[0], 2.916798010312103142563, 4e-11);
  EXPECT_NEAR(motion.last.v[0], 4.167428111240813716245, 4e-11);
  EXPECT_NEAR(motion.back().nonideal_force[0], -3.007064153568637754242, 1e-13);
  EXPECT_NEAR(motion.drift(), 0, 1e-11);
}

TEST(Friction, ABlockOnASlopeWithinTheConeComesToRestAndStays) {
  const double angle = 0.6, mu = 0.8, speed = 3.0;
  const System system(Block(1.5, angle, mu, speed).model);
  const Trajectory motion = simulate(system, until(5));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  const double braking = g * (std::sin(angle) + mu * std::cos(angle));
  ASSERT_EQ(motion.grip_changes.size(), 1u);
  EXPECT_TRUE(motion.grip_changes[0].sticks);
  EXPECT_EQ(motion.grip_changes[0].constraint, "slope");
  EXPECT_NEAR(motion.grip_changes[0].time, speed / braking, 1e-13);
  const double way = speed * speed / (2 * braking);
  EXPECT_NEAR(motion.last.q[0], -way * std::cos(angle), 1e-12);
  EXPECT_EQ(motion.last.v[0], 0.0);
  EXPECT_EQ(motion.last.v[1], 0.0);
  // What friction carries is the part of the weight along the slope.
  EXPECT_NEAR(std::hypot(motion.back().nonideal_force[0], motion.back().nonideal_force[1]),
              1.5 * g * std::sin(angle), 1e-12);
  EXPECT_EQ(motion.work.total(), motion.work.impressed + motion.work.nonideal);
  EXPECT_NEAR(motion.drift(), 0, 1e-12);
}

TEST(Friction, AStartAtRestIsDecidedByTheCone) {
  const double angle = 0.6;
  for (const double mu : {0.6, 0.7}) {
    const System system(Block(1.5, angle, mu, 0.0).model);
    const Solution s = solve(system, system.start());
    const double along = mu > std::tan(angle) ? 0.0 : g * (std::sin(angle) - mu * std::cos(angle));
    EXPECT_NEAR(s.acceleration[0], along * std::cos(angle), 1e-14);
    EXPECT_TRUE(s.certificate.holds());
    const Trajectory motion = simulate(system, until(1));
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    EXPECT_NEAR(motion.last.q[0], 0.5 * along * std::cos(angle), 1e-12);
  }
}

/// m x'' + k x = -mu g sign(x'): half periods pi/w about +-mu g/w^2, each 2 mu g/w^2 shorter, until it
/// sticks.
TEST(Friction, AnOscillatorLosesTheSameWayEachHalfPeriodAndSticks) {
  const double mu = 0.1, w = std::sqrt(10.0), start = 1.0;
  Puck puck(mu, {start, 0, 0});
  puck.model.force(puck.p.x, -10.0 * puck.p.x);
  const System system(puck.model);
  const Trajectory motion = simulate(system, until(20));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  const double shift = mu * g / (w * w);
  double x = start;
  int halves = 0;
  while (std::fabs(x) > shift) {
    x = -x + (x > 0 ? 2 * shift : -2 * shift);
    ++halves;
  }
  ASSERT_EQ(motion.grip_changes.size(), 1u);  // turning it does not stand still
  EXPECT_TRUE(motion.grip_changes.back().sticks);
  EXPECT_NEAR(motion.grip_changes.back().time, halves * pi / w, 1e-10);
  EXPECT_NEAR(motion.last.q[0], x, 1e-10);
  EXPECT_EQ(motion.last.v[0], 0.0);
  EXPECT_NEAR(motion.drift(), 0, 1e-10);
}

/// A force that grows from nothing: the puck lets go when it reaches the limit, and is then at t - t0 away.
TEST(Friction, AGrowingForceLetsGoAtTheLimit) {
  const double mu = 0.4, rate = 2.0;
  Puck puck(mu);
  puck.model.force(puck.p.x, rate * puck.model.time());
  puck.model.force(puck.p.y, -rate * puck.model.time());
  const System system(puck.model);
  const Trajectory motion = simulate(system, until(4));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  const double limit = mu * g, pull = rate * std::sqrt(2.0), release = limit / pull, left = 4 - release;
  ASSERT_EQ(motion.grip_changes.size(), 1u);
  EXPECT_FALSE(motion.grip_changes[0].sticks);
  EXPECT_NEAR(motion.grip_changes[0].time, release, 2e-12);  // within 1e-12 of its limit it holds
  EXPECT_NEAR(motion.last.q[0], pull * left * left * left / 6 / std::sqrt(2.0), 1e-10);
  EXPECT_NEAR(motion.last.q[1], -motion.last.q[0], 1e-12);
  EXPECT_NEAR(motion.drift(), 0, 1e-10);
}

/// Pulled to and fro harder than the limit: it sticks and slides in turn, and its period is that of the
/// force.
TEST(Friction, SticksAndSlidesInTurnUnderAPeriodicForce) {
  const double mu = 0.2, pull = 3.0, w = 2.0;
  Puck puck(mu);
  puck.model.force(puck.p.x, pull * sin(w * puck.model.time()));
  const System system(puck.model);
  const Trajectory motion = simulate(system, until(10 * 2 * pi / w + 0.2));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  const double limit = mu * g;
  // Lets go where pull sin(w t) = limit, comes to rest where the impulse is used up; then the same the other
  // way.
  const double release = std::asin(limit / pull) / w;
  const auto speed = [&](double t) {
    return pull / w * (std::cos(w * release) - std::cos(w * t)) - limit * (t - release);
  };
  double low = pi / w / 2, high = pi / w + release;
  for (int i = 0; i < 200; ++i) (speed(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
  const bool sticks_between = std::fabs(pull * std::sin(w * low)) < limit;
  ASSERT_TRUE(sticks_between);
  ASSERT_EQ(motion.grip_changes.size(), 40u);
  for (std::size_t k = 0; k < 40; ++k) {
    const double turn = static_cast<double>(k / 2) * pi / w;
    EXPECT_EQ(motion.grip_changes[k].sticks, k % 2 == 1);
    EXPECT_NEAR(motion.grip_changes[k].time, (k % 2 == 1 ? low : release) + turn, 1e-10) << k;
  }
  EXPECT_NEAR(motion.drift(), 0, 1e-9);
  EXPECT_LT(motion.steps, 2000);  // no chatter
}

/// On a plane friction is against the velocity, whatever its direction: a free puck goes straight and stops.
TEST(Friction, APuckSlidesStraightAndStops) {
  const double mu = 0.25;
  const System system(Puck(mu, {}, {1.0, -2.0, 0}).model);
  const Trajectory motion = simulate(system, until(3));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  const double speed = std::sqrt(5.0), time = speed / (mu * g), way = speed * time / 2;
  ASSERT_EQ(motion.grip_changes.size(), 1u);
  EXPECT_NEAR(motion.grip_changes[0].time, time, 1e-12);
  EXPECT_NEAR(motion.last.q[0], way / speed, 1e-12);
  EXPECT_NEAR(motion.last.q[1], -2 * way / speed, 1e-12);
}

/// Sideways force on a slope: v turns towards the line of fall. With mu = tan(angle) the speed v and the
/// angle psi to the line of fall keep v (1 + cos psi) constant (Lagrange's problem), so it ends as half of
/// its start.
TEST(Friction, OnACriticalSlopeSpeedAndDirectionKeepTheirIntegral) {
  const double angle = 0.5, speed = 2.0;
  Model model;
  const Particle p = model.particle("p", {.mass = 1.3, .velocity = {speed, 0, 0}});
  // The plane is z = 0; gravity is tilted.
  model.gravity({0, -g * std::sin(angle), -g * std::cos(angle)});
  model.constrain("plane", p.z);
  model.friction("plane", std::tan(angle));
  const System system(model);
  const Trajectory motion = simulate(system, until(8));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  for (int i = 0; i < motion.size(); ++i) {
    const auto v = motion[i].v;
    const double size = std::hypot(v[0], v[1]);
    EXPECT_NEAR(size + -v[1], speed, 1e-9) << motion[i].t;  // v (1 + cos psi), cos psi = -v_y/|v|
  }
  EXPECT_NEAR(-motion.last.v[1], speed / 2, 1e-3);
}

/// A puck pulled obliquely by two springs ends somewhere within the cone, and never gains energy.
TEST(Friction, NeverProducesEnergyAndNeverChatters) {
  for (const double mu : {0.05, 0.3, 1.0}) {
    Puck puck(mu, {1, 0.2, 0}, {0, 1, 0});
    puck.model.spring({0, 0, 0}, puck.p, {.stiffness = 20.0, .damping = 0.0, .length = 0.5});
    puck.model.spring({2, 1, 0}, puck.p, {.stiffness = 7.0, .damping = 0.0, .length = 0.1});
    const System system(puck.model);
    const Trajectory motion = simulate(system, until(30, 1e-9));
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    for (int i = 1; i < motion.size(); ++i) {
      EXPECT_LE(motion[i].work.nonideal, motion[i - 1].work.nonideal + 1e-12) << motion[i].t;
      EXPECT_LE(motion[i].energy, motion[i - 1].energy + 1e-8) << motion[i].t;
    }
    ASSERT_FALSE(motion.grip_changes.empty());
    EXPECT_TRUE(motion.grip_changes.back().sticks);
    EXPECT_EQ(motion.last.v[0], 0.0);
    EXPECT_EQ(motion.last.v[1], 0.0);
    const auto force = motion.back().nonideal_force;
    EXPECT_LE(std::hypot(force[0], force[1]), mu * g * (1 + 1e-9));
    EXPECT_NEAR(motion.drift(), 0, 1e-7);
    EXPECT_LT(motion.steps, 3000);
  }
}

/// A pendulum hung on a rough puck: while the puck sticks the pendulum swings as on a fixed pivot.
TEST(Friction, WhatHangsOnAStickingContactMovesAsOnAFixedOne) {
  const auto build = [](bool rough) {
    Model model;
    const Particle p = model.particle("p", {.mass = 1.0});
    const Particle q = model.particle("q", {.mass = 0.1, .position = {0.6, 0, -0.8}});
    model.gravity({0, 0, -g});
    if (rough) {
      model.constrain("table", p.z);
      model.friction("table", 0.9);
    } else {
      model.constrain("pin", p.position());
    }
    model.constrain("string", dot(q - p, q - p), 1.0);
    return model;
  };
  const System rough(build(true)), fixed(build(false));
  const Trajectory a = simulate(rough, until(5)), b = simulate(fixed, until(5));
  ASSERT_EQ(a.stop, Stop::end) << a.reason;
  EXPECT_TRUE(a.grip_changes.empty());
  for (int i = 0; i < 3; ++i) EXPECT_EQ(a.last.q[i], 0.0);
  for (int i = 3; i < 6; ++i) EXPECT_NEAR(a.last.q[i], b.last.q[i], 1e-9);
  EXPECT_NEAR(a.drift(), 0, 1e-9);
}

/// Two pucks tied by a rod and pulled along it: together they hold as much as both limits, whoever is pulled.
TEST(Friction, ContactsThatAreTiedHoldTogether) {
  Model model;
  const Particle a = model.particle("a", {.mass = 1.0});
  const Particle b = model.particle("b", {.mass = 0.2, .position = {1, 0, 0}});
  model.gravity({0, 0, -g});
  model.constrain("table_a", a.z);
  model.constrain("table_b", b.z);
  model.friction("table_a", 0.3);
  model.friction("table_b", 0.4);
  model.constrain("rod", norm(b - a), 1.0);
  model.force(b.x, 2.0 * model.time());
  const System system(model);
  const Trajectory motion = simulate(system, until(3));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  const double limit = (0.3 * 1.0 + 0.4 * 0.2) * g, release = limit / 2, left = 3 - release;
  ASSERT_EQ(motion.grip_changes.size(), 2u);
  for (const GripChange& change : motion.grip_changes) {
    EXPECT_FALSE(change.sticks);
    EXPECT_NEAR(change.time, release,
                1e-8);  // the last 1e-9 of a limit is left to a contact that others help
  }
  EXPECT_NEAR(motion.last.q[3] - 1, 2.0 / 1.2 * left * left * left / 6, 1e-7);
  EXPECT_NEAR(motion.drift(), 0, 1e-9);
}

/// Driven along x with acceleration 1 and pushed along y: from rest it goes straight, a_y its one unknown.
TEST(Friction, AContactThatAProgrammeMovesFromRestSlidesAtOnce) {
  const double mu = 0.3, push = 2.0;
  for (const bool by_another : {false, true}) {
    Puck puck(mu);
    const Expr pulled = 0.5 * pow(puck.model.time(), 2);
    if (by_another) {
      const Particle hand = puck.model.particle("hand", {.mass = 0.5});
      puck.model.constrain("grip", puck.p.x - hand.x);
      puck.model.constrain("pull", hand.x - pulled);
    } else {
      puck.model.constrain("pull", puck.p.x - pulled);
    }
    puck.model.force(puck.p.y, push);
    const System system(puck.model);
    const Trajectory motion = simulate(system, until(2));
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    double low = 0, high = push;  // a_y = push - mu g a_y / |a|
    for (int k = 0; k < 60; ++k) {
      const double a = 0.5 * (low + high);
      (a < push - mu * g * a / std::hypot(1.0, a) ? low : high) = a;
    }
    EXPECT_NEAR(motion[0].nonideal_force[1], -mu * g * low / std::hypot(1.0, low), 1e-12);
    EXPECT_NEAR(motion.last.q[0], 2.0, 1e-12);
    EXPECT_NEAR(motion.last.q[1], 2 * low, 1e-10);
    EXPECT_NEAR(motion.drift(), 0, 1e-10);
  }
}

/// A rough particle that programmes of all kinds take along a line: it is there, and the friction is -mu m g
/// along it at the end.
TEST(Friction, AContactFollowsAProgrammeThatStartsSoftlyLateOrTurns) {
  const auto follow = [](const auto& programme, double end, double speed = 0.0) {
    Puck puck(0.3, {}, {speed, 0, 0});
    const Expr t = puck.model.time();
    puck.model.constrain("pull", puck.p.x - programme(t));
    return simulate(System(puck.model), until(end));
  };
  const Trajectory soft = follow([](const Expr& t) { return pow(t, 3) / 6.0; }, 2.0);
  ASSERT_EQ(soft.stop, Stop::end) << soft.reason;
  EXPECT_NEAR(soft.last.q[0], 8.0 / 6, 1e-12);
  ASSERT_EQ(soft.grip_changes.size(), 1u);
  EXPECT_NEAR(soft.grip_changes[0].time, 0.0, 1e-11);  // an acceleration below 1e-12 is none
  EXPECT_FALSE(soft.grip_changes[0].sticks);
  const Trajectory late =
      follow([](const Expr& t) { return if_less(t, 1.0, 0.0, 0.5 * pow(t - 1.0, 2)); }, 2.0);
  ASSERT_EQ(late.stop, Stop::end) << late.reason;
  EXPECT_NEAR(late.last.q[0], 0.5, 1e-12);
  ASSERT_EQ(late.grip_changes.size(), 1u);
  EXPECT_NEAR(late.grip_changes[0].time, 1.0, 1e-10);  // steps end some roundings beside a switch
  const Trajectory turning = follow([](const Expr& t) { return sin(t); }, 5.0, 1.0);
  ASSERT_EQ(turning.stop, Stop::end) << turning.reason;
  EXPECT_NEAR(turning.last.q[0], std::sin(5.0), 1e-12);
  EXPECT_TRUE(turning.grip_changes.empty());  // it turns without standing still
}

TEST(Friction, TwoWallsOfAGrooveRubTogether) {
  // A groove along x between planes at 45 degrees: each wall carries g/sqrt 2.
  Model model;
  const Particle p = model.particle("p", {.mass = 1.0, .velocity = {3, 0, 0}});
  model.gravity({0, 0, -g});
  model.constrain("left", p.z - p.y);
  model.constrain("right", p.z + p.y);
  model.friction("left", 0.1);
  model.friction("right", 0.2);
  const System system(model);
  ASSERT_EQ(system.frictions().size(), 1u);
  const Trajectory motion = simulate(system, until(3));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  const double braking = (0.1 + 0.2) * g / std::sqrt(2.0);
  ASSERT_EQ(motion.grip_changes.size(), 2u);  // both constraints, at one time
  // A step may err by 3e-11 of the speed, and the braking makes time of it.
  EXPECT_NEAR(motion.grip_changes[0].time, 3 / braking, 3e-11 * 3 / braking);
  EXPECT_EQ(motion.grip_changes[0].time, motion.grip_changes[1].time);
  EXPECT_NEAR(motion.last.q[0], 4.5 / braking, 1e-12);
}

/// Pulled to and fro across many strengths: every stop and every start is met by every method.
TEST(Friction, ADrivenBlockStopsAndStartsWithEveryMethod) {
  const double end = 20.0;
  for (const char* method : {"dop853", "dopri5", "radau5", "extrapolation"})
    for (double pull = 3.02; pull < 5; pull += 0.2931) {
      Puck puck(0.3);
      puck.model.force(puck.p.x, pull * sin(puck.model.time()));
      const System system(puck.model);
      MotionOptions o = until(end, 1e-9);
      o.integrator = integrator_named(method).value();
      const Trajectory motion = simulate(system, o);
      ASSERT_EQ(motion.stop, Stop::end) << method << " " << pull << ": " << motion.reason;
      // It lets go at asin(limit/pull) of every half period, and moves back by what it moved before.
      const double release = std::asin(0.3 * g / pull), half = std::floor(end / pi);
      EXPECT_NEAR(motion.grip_changes[0].time, release, 1e-7) << method << " " << pull;
      EXPECT_EQ(motion.grip_changes.size(), 2 * half + (end - half * pi > release ? 1 : 0)) << method << pull;
      EXPECT_NEAR(motion.drift(), 0, 1e-7) << method << " " << pull;
    }
}

TEST(Friction, AHardGripStopsAtOnceAndHolds) {
  for (const double mu : {1e3, 1e6, 1e9, 1e307}) {
    for (const double speed : {0.0, 1.0}) {
      if (mu > 1e100 && speed > 0) continue;  // beyond what a number holds
      Puck puck(mu, {1.6, 0, 0}, {speed, 0, 0});
      puck.model.force(puck.p.x, -4.0 * puck.p.x);
      const System system(puck.model);
      const Trajectory motion = simulate(system, until(2, 1e-9));
      ASSERT_EQ(motion.stop, Stop::end) << mu << ": " << motion.reason;
      EXPECT_EQ(motion.last.v[0], 0.0);
      EXPECT_NEAR(motion.last.q[0], 1.6 + (speed > 0 ? 0.5 / (mu * g + 6.4) : 0.0), 1e-6 / mu + 1e-12) << mu;
    }
  }
}

TEST(Friction, ExactlyAtTheConeItHolds) {
  for (const double angle : {0.3, 0.6, 1.0, 1.3}) {
    const System system(Block(2.0, angle, std::tan(angle), 0.0).model);
    const Trajectory motion = simulate(system, until(100));
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    EXPECT_EQ(motion.last.q[0], 0.0) << angle;
    EXPECT_TRUE(motion.grip_changes.empty()) << angle;
  }
}

TEST(Friction, EveryMethodFindsTheSameRest) {
  for (const char* method : {"dop853", "dopri5", "rk4", "radau5", "extrapolation"}) {
    Puck puck(0.2, {1, 0, 0});
    puck.model.force(puck.p.x, -10.0 * puck.p.x);
    const System system(puck.model);
    MotionOptions o = until(10, 1e-9);
    o.integrator = integrator_named(method).value();
    if (std::string(method) == "rk4") o.step = 1e-3;
    const Trajectory motion = simulate(system, o);
    ASSERT_EQ(motion.stop, Stop::end) << method << ": " << motion.reason;
    const double shift = 0.2 * g / 10;
    EXPECT_NEAR(motion.last.q[0], 6 * shift - 1, 2e-8) << method;  // three half periods
    EXPECT_EQ(motion.last.v[0], 0.0) << method;
    EXPECT_NEAR(motion.grip_changes.back().time, 3 * pi / std::sqrt(10.0), 1e-7) << method;
  }
}

TEST(Friction, BackwardInTimeRestHasNoPast) {
  const System system(Puck(0.2, {}, {1, 0, 0}).model);
  const Trajectory on = simulate(system, until(0.3));
  MotionOptions back = until(0.0);
  const Trajectory home = simulate(system, on.last, back);
  ASSERT_EQ(home.stop, Stop::end) << home.reason;
  EXPECT_NEAR(home.last.q[0], 0, 1e-11);
  EXPECT_NEAR(home.last.v[0], 1, 1e-11);
  Puck pulled(0.2, {}, {1, 0, 0});
  pulled.model.force(pulled.p.x, 5.0);
  const System far(pulled.model);
  const Trajectory lost = simulate(far, until(-5.0));
  EXPECT_EQ(lost.stop, Stop::singular);
  EXPECT_EQ(lost.names, std::vector<std::string>{"table"});
  EXPECT_NE(lost.reason.find("at rest"), std::string::npos) << lost.reason;
}

TEST(Friction, SamplesInsideAStepAreReadAsTheStepWasMade) {
  const double mu = 0.8, speed = 3.0;
  const System system(Block(1.5, 0.6, mu, speed).model);
  MotionOptions o = until(1);
  o.samples = 101;
  const Trajectory motion = simulate(system, o);
  const double braking = g * (std::sin(0.6) + mu * std::cos(0.6)), stop = speed / braking;
  for (int i = 0; i < motion.size(); ++i) {
    const double t = std::min(motion[i].t, stop), way = speed * t - braking * t * t / 2;
    EXPECT_NEAR(motion[i].q[0], -way * std::cos(0.6), 1e-11);
    const double push = std::hypot(motion[i].nonideal_force[0], motion[i].nonideal_force[1]);
    EXPECT_NEAR(push, motion[i].t < stop ? mu * 1.5 * g * std::cos(0.6) : 1.5 * g * std::sin(0.6), 1e-11);
  }
  EXPECT_TRUE(motion.notes.empty()) << motion.notes.front();
}

/// x(t) of a block that starts with v and is braked by mu g.
double braked(double mu, double v, double t) { return v * t - 0.5 * mu * g * t * t; }

TEST(Friction, APlaneThatIsStatedAgainChangesNothing) {
  // With friction on one of them, on both, on a plane of three rows, and beside a row that acts on another
  // body.
  for (int kind = 0; kind < 5; ++kind) {
    Model model;
    const Particle p = model.particle("p", {.mass = 2.0, .velocity = {3, 0, 0}});
    model.gravity({0, 0, -g});
    if (kind == 3)
      model.constrain("table", Vector{p.z, -p.z, 0.5 * p.z});
    else
      model.constrain("table", p.z);
    model.friction("table", 0.3);
    model.constrain("again", 2 * p.z);
    if (kind == 1) model.friction("again", 0.3);
    if (kind == 2) model.constrain("once_more", -7 * p.z);
    if (kind == 4) {
      const Particle other = model.particle("other", {.mass = 1.0});
      model.constrain("held", other.position());
    }
    const System system(model);
    const Trajectory motion = simulate(system, until(0.5));
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    EXPECT_NEAR(motion.last.q[0], braked(0.3, 3, 0.5), 1e-10) << kind;
    EXPECT_TRUE(motion.norm_dependent.empty()) << kind;
    const auto told = [](const std::string& note) { return note.starts_with("friction: "); };
    EXPECT_TRUE(std::any_of(motion.notes.begin(), motion.notes.end(), told))
        << kind;  // what was taken is said
  }
}

TEST(Friction, AGrooveWithARowThatFollowsFromItsWallsRubsAsWithout) {
  double end[2];
  for (const bool more : {false, true}) {
    Model model;
    const Particle p = model.particle("p", {.mass = 1.0, .velocity = {4, 0, 0}});
    model.gravity({0, 5, -g});
    model.constrain("floor", p.z);
    model.constrain("wall", p.y);
    model.friction("floor", 0.2);
    model.friction("wall", 0.3);
    if (more) model.constrain("edge", p.y + p.z);
    const Trajectory motion = simulate(System(model), until(0.4));
    EXPECT_TRUE(motion.norm_dependent.empty());
    end[more] = motion.last.q[0];
  }
  EXPECT_NEAR(end[0], 4 * 0.4 - 0.5 * (0.2 * g + 0.3 * 5) * 0.16, 1e-10);
  EXPECT_NEAR(end[1], end[0], 1e-10);
}

TEST(Friction, WhatNoTotalDecidesIsSaid) {
  // Three rollers under a block, rank 2: how they share is not determined, and their frictions are not alike.
  Model model;
  const Coordinate x = model.coordinate("x", {0, 2}), y = model.coordinate("y"),
                   phi = model.coordinate("phi");
  for (const Coordinate& c : {x, y, phi}) model.mass(c, 1);
  model.force(y, -g);
  const char* names[] = {"left", "middle", "right"};
  for (int k = 0; k < 3; ++k) {
    model.constrain(names[k], y + (k - 1) * phi + 0 * x + (k == 1 ? 0 * phi : 0));
    model.friction(names[k], k == 1 ? 0.1 : 0.3);
  }
  const Trajectory motion = simulate(System(model), until(0.2));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  EXPECT_EQ(motion.norm_dependent, (std::vector<std::string>{"left", "middle", "right"}));
  const auto told = [](const std::string& note) {
    return note.find("depends on a choice of norm") != note.npos;
  };
  EXPECT_TRUE(std::any_of(motion.notes.begin(), motion.notes.end(), told));
}

/// A block on y = h(t), with friction 0.3 and a start in x.
struct OnFloor {
  Model model;
  Coordinate x, y;
  OnFloor(const std::function<Expr(const Expr&)>& height, double rise, double speed) {
    x = model.coordinate("x", {0, speed});
    y = model.coordinate("y", {0, rise});
    model.mass(x, 1);
    model.mass(y, 1);
    model.force(y, -g);
    model.constrain("floor", y + 0 * x - height(model.time()));
    model.friction("floor", 0.3);
  }
};

TEST(Friction, AFloorThatRisesBrakesAsOneThatStands) {
  const OnFloor block([](const Expr& t) -> Expr { return 0.5 * t; }, 0.5, 1.0);
  const System system(block.model);
  Workspace work(system);
  EXPECT_NEAR(evaluate(system, system.start(), {}, work).found.frictions[0].limit, 0.3 * g, 1e-13);
  EXPECT_NEAR(solve(system, system.start()).nonideal_force[0], -0.3 * g, 1e-13);
  EXPECT_NEAR(solve(system, system.start()).nonideal_force[1], 0.0, 1e-13);
  const double stop = 1 / (0.3 * g);
  const Trajectory motion = simulate(system, until(1));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  ASSERT_EQ(motion.grip_changes.size(), 1u);  // it comes to rest on the floor, and is carried
  EXPECT_NEAR(motion.grip_changes[0].time, stop, 1e-10);
  EXPECT_NEAR(motion.last.q[0], 0.5 * stop, 1e-10);
  EXPECT_NEAR(motion.last.q[1], 0.5, 1e-12);
  EXPECT_EQ(motion.last.v[0], 0.0);
}

TEST(Friction, AFloorThatIsDrivenPressesWithItsAcceleration) {
  // h'' = -2 sin t: the limit is 0.3 (g - 2 sin t), and x' = v - 0.3 (g t + 2 cos t - 2).
  const OnFloor block([](const Expr& t) -> Expr { return 2 * sin(t); }, 2.0, 5.0);
  const Trajectory motion = simulate(System(block.model), until(1));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  EXPECT_NEAR(motion.last.v[0], 5 - 0.3 * (g + 2 * std::cos(1.0) - 2), 1e-10);
  EXPECT_NEAR(motion.last.q[0], 5 - 0.3 * (g / 2 + 2 * std::sin(1.0) - 2), 1e-10);
  EXPECT_NEAR(motion.back().nonideal_force[0], -0.3 * (g - 2 * std::sin(1.0)), 1e-10);
}

TEST(Friction, AnInclinedPlaneThatMovesAcrossItselfBrakesAndLetsGo) {
  // y cos a + x sin a = 0.2 t: steep enough to slide, from rest against the plane.
  const double a = 0.5, mu = 0.3;
  Model model;
  const Coordinate x = model.coordinate("x", {0, 0.2 * std::sin(a)}),
                   y = model.coordinate("y", {0, 0.2 * std::cos(a)});
  model.mass(x, 2);
  model.mass(y, 2);
  model.force(y, -2 * g);
  model.constrain("plane", y * std::cos(a) + x * std::sin(a) - 0.2 * model.time());
  model.friction("plane", mu);
  const Trajectory motion = simulate(System(model), until(1));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  const double down = g * (std::sin(a) - mu * std::cos(a));  // along (cos a, -sin a)
  EXPECT_NEAR(motion.last.q[0], 0.2 * std::sin(a) + 0.5 * down * std::cos(a), 1e-10);
  EXPECT_NEAR(motion.last.q[1], 0.2 * std::cos(a) - 0.5 * down * std::sin(a), 1e-10);
  Model rough = model;  // within the cone it is carried along
  const Coordinate u = rough.coordinate("u", {0, 0.2 * std::sin(a)}),
                   w = rough.coordinate("w", {0, 0.2 * std::cos(a)});
  rough.mass(u, 2);
  rough.mass(w, 2);
  rough.force(w, -2 * g);
  rough.constrain("rough", w * std::cos(a) + u * std::sin(a) - 0.2 * rough.time());
  rough.friction("rough", 0.6);
  const Trajectory carried = simulate(System(rough), until(1));
  ASSERT_EQ(carried.stop, Stop::end) << carried.reason;
  EXPECT_NEAR(carried.last.q[2], 0.2 * std::sin(a), 1e-12);
  EXPECT_NEAR(carried.last.q[3], 0.2 * std::cos(a), 1e-12);
}

TEST(Friction, ABeadOnARodThatTurnsEverFasterSticksUntilItIsThrownOut) {
  // The rod lies level and turns with w = t: at r = 1 the rod pushes with m r w' across itself and carries no
  // weight. Held by mu m w' r >= m w^2 r until w^2 = mu: at t = sqrt(mu).
  const double mu = 0.5;
  Model model;
  const Coordinate x = model.coordinate("x", {1, 0}), y = model.coordinate("y", {0, 0});
  model.mass(x, 1);
  model.mass(y, 1);
  const Expr angle = 0.5 * pow(model.time(), 2);
  model.constrain("rod", y * cos(angle) - x * sin(angle));
  model.friction("rod", mu);
  const Trajectory motion = simulate(System(model), until(1));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  ASSERT_EQ(motion.grip_changes.size(), 1u);
  EXPECT_FALSE(motion.grip_changes[0].sticks);
  EXPECT_NEAR(motion.grip_changes[0].time, std::sqrt(mu), 1e-9);
}

TEST(Friction, IsRefusedWhereItMeansNothing) {
  Model model;
  const Coordinate x = model.coordinate("x"), y = model.coordinate("y");
  const Particle p = model.particle("p"), q = model.particle("q");
  model.constrain("held", x);
  model.constrain("mixed", p.x + y);
  model.constrain("rod", dot(p - q, p - q), 1.0);
  model.constrain("line", x + y);
  const auto refusal = [&](const char* constraint, const Expr& mu) {
    try {
      model.friction(constraint, mu);
    } catch (const std::exception& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  EXPECT_NE(refusal("held", 0.1).find("no direction to slide in"), std::string::npos) << refusal("held", 0.1);
  EXPECT_NE(refusal("mixed", 0.1).find("a particle and coordinates at once"), std::string::npos);
  EXPECT_NE(refusal("rod", 0.1).find("several particles at once"), std::string::npos);
  EXPECT_NE(refusal("line", -0.1).find("must not be negative"), std::string::npos);
  EXPECT_NE(refusal("line", x).find("may use parameters only"), std::string::npos);
  EXPECT_EQ(refusal("line", 0.1), "accepted");
  EXPECT_NE(refusal("line", 0.1).find("twice"), std::string::npos);
}

/// Whatever number stands before a velocity: a slope without t in it stands still.
TEST(Friction, ASlopeOfAnyAngleStandsStill) {
  for (const bool rises : {false, true}) {
    Model m;
    const Expr alpha = m.parameter("alpha", 0.6);
    const Coordinate x = m.coordinate("x", {0, -std::cos(0.6)}),
                     y = m.coordinate("y", {0, std::sin(0.6) + 0.5 * rises});
    for (const Coordinate& c : {x, y}) m.mass(c, 1.0);
    m.force(y, -9.81);
    m.constrain("slope", x * tan(alpha) + y, rises ? 0.5 * m.time() : Expr(0.0));
    m.friction("slope", 0.3);
    EXPECT_EQ(System(std::move(m)).frictions().at(0).moves, rises);
  }
}

}  // namespace
}  // namespace vinculum
