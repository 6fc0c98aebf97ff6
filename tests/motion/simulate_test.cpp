#include "vinculum/motion/simulate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "motion/systems.hpp"
#include "support/message.hpp"

namespace vinculum {
namespace {

using test::message;

TEST(Simulate, RefusesWhatMakesNoSense) {
  const System system(test::pendulum());
  MotionOptions o;
  o.until = 1;
  const auto refused = [&](const std::function<void(MotionOptions&)>& change) {
    MotionOptions bad = o;
    change(bad);
    return message([&] { simulate(system, bad); });
  };
  EXPECT_EQ(refused([](MotionOptions& b) { b.tolerance = 0; }),
            "simulate: the tolerance is 0; it must lie between 0 and 1");
  EXPECT_EQ(refused([](MotionOptions& b) { b.integrator = Integrator::rk4; }),
            "simulate: 'rk4' has a fixed step: say which ('step')");
  EXPECT_EQ(refused([](MotionOptions& b) { b.instants = {0.5, 1.5}; }),
            "simulate: the instant to record 1.5 lies behind the end, 1");
  EXPECT_EQ(refused([](MotionOptions& b) { b.until = NAN; }),
            "simulate: 'until' is nan; it must be a finite time");
  EXPECT_EQ(refused([](MotionOptions& b) {
              b.keep = Stabilisation::baumgarte;
              b.baumgarte_time = 0;
            }),
            "simulate: Baumgarte's time constant is 0 s; it must be positive");
}

TEST(Simulate, NeverIntegratesABrokenStart) {
  const System system(test::pendulum(1.1, 0));
  MotionOptions o;
  o.until = 1;
  const Trajectory motion = simulate(system, o);
  EXPECT_EQ(motion.stop, Stop::start);
  EXPECT_EQ(motion.names, std::vector<std::string>{"rod"});
  EXPECT_EQ(motion.reason,
            "the start breaks constraint 'rod' by 0.21; the nearest consistent start moves 'x' by -0.1 "
            "(--assemble applies it)");
  EXPECT_EQ(motion.steps, 0);
  EXPECT_TRUE(motion.empty());
  EXPECT_NE(message([&] { motion.back(); }).find("the motion has 0 recorded instants"), std::string::npos);
}

TEST(Simulate, MovesAStartThatMissesByLittleAndSaysSo) {
  const System system(test::pendulum(-1 - 1e-9, 0));
  MotionOptions o;
  o.until = 0.1;
  const Trajectory motion = simulate(system, o);
  EXPECT_EQ(motion.stop, Stop::end);
  ASSERT_EQ(motion.notes.size(), 1u);
  EXPECT_EQ(motion.notes[0], "the start was moved onto its constraints: 'x' by 1e-09");
  EXPECT_NEAR(motion[0].q[0], -1, 1e-15);
}

TEST(Simulate, StopsWhereConstraintsComeToContradictEachOther) {
  // A point on a circle that must also keep x = t: at t = 1 the circle ends.
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1}), y = m.coordinate("y", {1, 0});
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.constrain("circle", pow(x, 2) + pow(y, 2), 1.0);
  m.constrain("driven", x, m.time());
  MotionOptions o;
  o.until = 2;
  const Trajectory motion = simulate(System(m), o);
  EXPECT_NE(motion.stop, Stop::end);
  EXPECT_LE(motion.last.t, 1.0);
  EXPECT_GT(motion.last.t, 0.99);
  for (const char* name : {"circle", "driven"})
    EXPECT_NE(std::find(motion.names.begin(), motion.names.end(), name), motion.names.end()) << motion.reason;
  EXPECT_FALSE(motion.empty());  // what was computed is kept
  EXPECT_NEAR(motion.back().q[0], motion.back().t, 1e-12);
}

TEST(Simulate, StopsWhereAForceIsNoLongerFinite) {
  // Attraction by 1/x^2 from rest: the fall ends in the centre after pi/(2 sqrt 2).
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0});
  m.mass(x, 1.0);
  m.force(x, -1 / pow(x, 2));
  MotionOptions o;
  o.until = 5;
  const Trajectory motion = simulate(System(m), o);
  EXPECT_TRUE(motion.stop == Stop::step_too_small || motion.stop == Stop::not_finite) << motion.reason;
  EXPECT_NEAR(motion.last.t, M_PI / (2 * std::sqrt(2.0)), 1e-6);
  EXPECT_NE(motion.reason.find("x"), std::string::npos);
}

TEST(Simulate, NotFiniteFromTheStartIsNamed) {
  Model m;
  const Coordinate x = m.coordinate("x", {-1, 0});
  m.mass(x, 1.0);
  m.force(x, sqrt(x));
  MotionOptions o;
  o.until = 5;
  const Trajectory motion = simulate(System(m), o);
  EXPECT_EQ(motion.stop, Stop::not_finite);
  EXPECT_EQ(motion.names, std::vector<std::string>{"x"});
}

TEST(Simulate, AMassThatLeavesTheMotionOpenIsSingular) {
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
  m.mass(x, 1.0);
  m.mass(y, 0.0);
  MotionOptions o;
  o.until = 1;
  const Trajectory motion = simulate(System(m), o);
  EXPECT_EQ(motion.stop, Stop::singular) << motion.reason;
  EXPECT_EQ(motion.names, std::vector<std::string>{"y"});
}

TEST(Simulate, AStepLimitAndACancelKeepWhatWasComputed) {
  const System system(test::pendulum());
  MotionOptions o;
  o.until = 100;
  o.step_limit = 20;
  const Trajectory limited = simulate(system, o);
  EXPECT_EQ(limited.stop, Stop::step_limit);
  EXPECT_EQ(limited.steps, 20);
  EXPECT_EQ(limited.size(), 21);
  o = {};
  o.until = 1e5;
  o.samples = 1;
  int calls = 0;
  double left = 0;
  o.progress = [&](const Progress& p) {
    left = p.seconds_left;
    EXPECT_GT(p.fraction, 0);
    return ++calls < 2;
  };
  const Trajectory cancelled = simulate(system, o);
  EXPECT_EQ(cancelled.stop, Stop::cancelled);
  EXPECT_EQ(calls, 2);
  EXPECT_GT(left, 0);
  EXPECT_GT(cancelled.last.t, 0);
  EXPECT_EQ(cancelled.back().t, cancelled.last.t);
}

TEST(Simulate, ASlowModelIsCancelledAtOnce) {
  // Nearly nothing has mass: every evaluation is dense, and a step takes longer than it takes to report.
  Model m;
  const int count = 250;
  std::vector<Coordinate> x;
  for (int i = 0; i < count; ++i) x.push_back(m.coordinate("x" + std::to_string(i), {.start = 1}));
  m.mass(x[0], 1);
  for (int i = 1; i < count; ++i) {
    m.mass(x[i], 0);
    m.constrain("row" + std::to_string(i), x[i] - x[i - 1]);
  }
  m.force(x[0], -x[0]);
  MotionOptions o;
  o.until = 1;
  o.progress = [](const Progress&) { return false; };
  const Trajectory motion = simulate(System(m), o);
  EXPECT_EQ(motion.stop, Stop::cancelled);
  EXPECT_LE(motion.steps, 1);
}

TEST(Simulate, SamplesAreEquallySpacedAndOnTheConstraints) {
  const System system(test::pendulum());
  for (const IntegratorInfo& method : integrators()) {
    MotionOptions o;
    o.until = 2;
    o.integrator = method.integrator;
    o.step = method.adaptive ? 0 : 0.01;
    o.samples = 11;
    const Trajectory motion = simulate(system, o);
    ASSERT_EQ(motion.size(), 11) << method.name;
    MotionOptions tight;
    tight.tolerance = 1e-13;
    tight.samples = 1;
    for (int i = 0; i < 11; ++i) {
      const Sample s = motion[i];
      EXPECT_DOUBLE_EQ(s.t, 0.2 * i);
      EXPECT_LT(s.residual[0], 1e-14) << method.name;
      if (i == 0) continue;
      tight.until = s.t;
      // Dense output of order 3 and 4 falls behind the steps of its method.
      const double allowed = method.name == "dop853" || method.name == "extrapolation" ? 1e-8 : 3e-6;
      EXPECT_NEAR(s.q[0], simulate(system, tight).last.q[0], allowed) << method.name << " at " << s.t;
    }
  }
}

TEST(Simulate, NoTimeAtAllReportsTheStart) {
  const System system(test::pendulum());
  MotionOptions o;
  const Trajectory motion = simulate(system, o);
  EXPECT_EQ(motion.stop, Stop::end);
  ASSERT_EQ(motion.size(), 1);
  EXPECT_NEAR(motion[0].acceleration[1], -test::gravity, 1e-14);
  EXPECT_EQ(motion[0].rank, 1);
}

TEST(Simulate, BaumgarteAndNoneLeaveWhatProjectionDoesNot) {
  const System system(test::pendulum());
  MotionOptions o;
  o.until = 20;
  o.tolerance = 1e-6;
  const double projected = simulate(system, o).worst[0].position;
  o.keep = Stabilisation::none;
  const double drifted = simulate(system, o).worst[0].position;
  o.keep = Stabilisation::baumgarte;
  o.baumgarte_time = 0.05;
  const double pulled = simulate(system, o).worst[0].position;
  EXPECT_LT(projected, 1e-14);
  EXPECT_GT(drifted, 1e-9);
  EXPECT_LT(pulled, drifted);
  EXPECT_GT(pulled, projected);
}

TEST(Simulate, GivesTheSameBitsOnEveryRunAndForAnyNumberOfThreads) {
  const System system(test::four_bars(5));
  MotionOptions o;
  o.until = 3;
  const Trajectory first = simulate(system, o);
  std::vector<Trajectory> others(4);
  std::vector<std::thread> threads;
  for (Trajectory& t : others) threads.emplace_back([&] { t = simulate(system, o); });
  for (std::thread& t : threads) t.join();
  for (const Trajectory& t : others) {
    ASSERT_EQ(t.size(), first.size());
    EXPECT_EQ(t.last.q, first.last.q);
    EXPECT_EQ(t.last.v, first.last.v);
    EXPECT_EQ(t.times(), first.times());
  }
}

TEST(Simulate, RedundantRowsAreKeptAndTheirMultipliersAreTheLeast) {
  Model m = test::pendulum();
  const Expr x = m.coordinates()[0].symbol, y = m.coordinates()[1].symbol;
  m.constrain("again", 2 * (pow(x, 2) + pow(y, 2)), 2.0);
  const System twice(m), once(test::pendulum());
  MotionOptions o;
  o.until = 1;
  o.samples = 1;
  const Trajectory a = simulate(twice, o), b = simulate(once, o);
  EXPECT_NEAR(a.last.q[0], b.last.q[0], 1e-9);
  const double single = b.back().multipliers[0];
  // lambda_1 + 2 lambda_2 = lambda with least lambda_1^2 + lambda_2^2.
  EXPECT_NEAR(a.back().multipliers[0], single / 5, 1e-8);
  EXPECT_NEAR(a.back().multipliers[1], 2 * single / 5, 1e-8);
  EXPECT_EQ(a.back().rank, 1);
  ASSERT_EQ(a.notes.size(), 1u);
  EXPECT_EQ(a.notes[0], "the multipliers are not unique: those of least norm are given");
}

TEST(Simulate, OutputsAreRecordedAlong) {
  Model m = test::pendulum();
  const Expr x = m.coordinates()[0].symbol, y = m.coordinates()[1].symbol;
  m.output("length", sqrt(pow(x, 2) + pow(y, 2)));
  m.output("pull", m.reaction("rod", y));
  m.output("energy", m.energy());
  m.output("fall", m.velocities()[1].acceleration);
  const System system(m);
  MotionOptions o;
  o.until = 1;
  const Trajectory motion = simulate(system, o);
  for (int i = 0; i < motion.size(); ++i) {
    const Sample s = motion[i];
    EXPECT_NEAR(s.outputs[0], 1, 1e-15);
    EXPECT_DOUBLE_EQ(s.outputs[1], s.constraint_force[1]);
    EXPECT_DOUBLE_EQ(s.outputs[2], s.energy);
    EXPECT_DOUBLE_EQ(s.outputs[3], s.acceleration[1]);
  }
}

}  // namespace
}  // namespace vinculum
