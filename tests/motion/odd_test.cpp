// Models that want to go wrong: none may crash, hang, or end well with a motion that is not one.
#include <gtest/gtest.h>

#include <functional>

#include <cmath>
#include <limits>

#include "motion/systems.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/motion/assemble.hpp"

namespace vinculum {
namespace {

Trajectory moved(const Model& model, double until) {
  MotionOptions options;
  options.until = until;
  return simulate(System(model), options);
}

Trajectory run(const Model& m, const std::string& integrator, double until, double step = 0.01) {
  MotionOptions o;
  o.until = until;
  o.integrator = integrator_named(integrator).value();
  o.step = integrator == "rk4" ? step : 0;
  o.step_limit = 200000;
  return simulate(System(m), o);
}

TEST(Odd, AFixedStepThatBlowsUpEndsWithASentence) {
  Model m;
  const Coordinate x = m.coordinate("x");
  m.mass(x, 1.0);
  m.force(x, -100 * x.rate() - 1e6 * (x - sin(m.time())));
  const Trajectory motion = run(m, "rk4", 2);
  EXPECT_NE(motion.stop, Stop::end);
  EXPECT_FALSE(motion.reason.empty());
}

TEST(Odd, TimesThatAreNoTimesAreRefused) {
  const System system(test::pendulum());
  State start = system.start();
  MotionOptions o;
  o.until = 1e308;
  start.t = NAN;
  EXPECT_THROW(simulate(system, start, o), Error);
  start.t = -1e308;
  EXPECT_THROW(simulate(system, start, o), Error);
  start.t = INFINITY;
  EXPECT_THROW(simulate(system, start, o), Error);
}

/// Pulled by a spring whose end moves with speed 1: it lets go at t = F/k = 0.2. Then x - t + F/k swings:
/// x = t - 0.2 - sin(w (t - 0.2))/w, until x' = 0 again after a whole period, where it only touches.
TEST(Odd, StickingFromRestLetsGoWithEveryMethod) {
  Model m;
  const Coordinate x = m.coordinate("x");
  m.mass(x, 1.0);
  m.force(x, -10 * (x - m.time()) - 2 * sign(x.rate()));
  for (const char* name : {"dop853", "dopri5", "radau5", "extrapolation"}) {
    const Trajectory motion = run(m, name, 2);
    ASSERT_EQ(motion.stop, Stop::end) << name << " " << motion.reason;
    ASSERT_EQ(motion.grip_changes.size(), 1u) << name;
    EXPECT_NEAR(motion.grip_changes[0].time, 0.2, 1e-9) << name;
    const double w = std::sqrt(10.0);
    EXPECT_NEAR(motion.last.q[0], 1.8 - std::sin(w * 1.8) / w, 1e-6) << name;
    EXPECT_LT(std::fabs(motion.drift()), 1e-4) << name;
  }
}

TEST(Odd, FrictionByAMultiplierStopsTheMassWithEveryMethod) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1}), y = m.coordinate("y");
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.force(y, -9.81);
  m.constrain("floor", y);
  m.nonideal(x, -0.2 * abs(m.multiplier("floor")) * sign(x.rate()));
  for (const char* name : {"dop853", "dopri5", "radau5", "extrapolation"}) {
    const Trajectory motion = run(m, name, 5);
    ASSERT_EQ(motion.stop, Stop::end) << name << " " << motion.reason;
    ASSERT_EQ(motion.grip_changes.size(), 1u) << name;
    EXPECT_NEAR(motion.grip_changes[0].time, 1 / (0.2 * 9.81), 1e-7) << name;
    EXPECT_NEAR(motion.last.q[0], 0.5 / (0.2 * 9.81), 1e-6) << name;
    EXPECT_EQ(motion.last.v[0], 0) << name;
  }
}

TEST(Odd, AConstraintWithACornerIsNotPassedInSilence) {
  // Going down into the corner of y = |x - 1/2| the velocity would have to jump.
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1}), y = m.coordinate("y", {0.5, -1});
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.constrain("gutter", y, abs(x - 0.5));
  for (const char* name : {"dop853", "dopri5", "radau5", "extrapolation"}) {
    const Trajectory motion = run(m, name, 2);
    EXPECT_NE(motion.stop, Stop::end) << name << ": x = " << motion.last.q[0];
    EXPECT_NEAR(motion.last.q[0], 0.5, 1e-3) << name << " " << motion.reason;
  }
}

/// Rounding alone passes the corner to and fro while the row holds the motion on it: the run holds, or ends
/// within few steps.
TEST(Odd, AnEquationThatTouchesZeroIsKeptOrEndsWithoutCrawling) {
  using Row = std::function<Expr(const Expr&, const Expr&)>;
  const std::vector<Row> rows{[](const Expr& x, const Expr&) { return max(x, 0.0); },
                              [](const Expr& x, const Expr&) { return abs(x); },
                              [](const Expr& x, const Expr& y) { return abs(x - y); },
                              [](const Expr& x, const Expr& y) { return pow(x - y, 2); }};
  for (std::size_t k = 0; k < rows.size(); ++k)
    for (const char* name : {"dop853", "dopri5", "radau5", "extrapolation"}) {
      Model m;
      const Coordinate x = m.coordinate("x", {0, 0}), y = m.coordinate("y", {0, k < 2 ? 0.5 : 0.0});
      m.mass(x, 1.0);
      m.mass(y, 1.0);
      m.force(x, 1.0);
      m.force(y, -0.3);
      m.constrain("odd", rows[k](x, y));
      MotionOptions options;
      options.until = 5;
      options.integrator = integrator_named(name).value();
      options.step_limit = 10'000;
      const Trajectory motion = simulate(System(m), options);
      EXPECT_LT(motion.evaluations, 200'000) << name << k;
      if (motion.stop == Stop::end) {
        EXPECT_NEAR(motion.last.q[0], k < 2 ? 0.0 : motion.last.q[1], 1e-9) << name << k;
        continue;
      }
      EXPECT_NE(motion.stop, Stop::step_limit) << name << k << motion.reason;
      EXPECT_TRUE(k == 3 || motion.reason.find("odd") != std::string::npos) << name << motion.reason;
    }
}

TEST(Odd, AConstraintThatJumpsInTimeIsNotPassedInSilence) {
  for (const bool of_velocity : {false, true}) {
    Model m;
    const Coordinate x = m.coordinate("x", {0, of_velocity ? 1.0 : 0.0});
    m.mass(x, 1.0);
    const Expr jump = if_less(m.time(), 1.0, of_velocity ? 1.0 : 0.0, of_velocity ? 2.0 : 1.0);
    m.constrain("programme", of_velocity ? x.rate() : Expr(x), jump);
    for (const char* name : {"dop853", "dopri5", "radau5", "extrapolation", "rk4"}) {
      const Trajectory motion = run(m, name, 2, 0.03);
      EXPECT_NE(motion.stop, Stop::end) << name << (of_velocity ? " velocity" : " position");
      EXPECT_NEAR(motion.last.t, 1, 0.04) << name << " " << motion.reason;
    }
  }
}

TEST(Odd, AFixedStepThatEndsOnASwitchStaysOnItsSide) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1});
  m.mass(x, 1.0);
  m.force(x, -x + if_less(m.time(), 1.3, 0.0, 100.0));
  // x = sin t until 1.3, then 100 (1 - cos(t - 1.3)) on top.
  const double exact = std::sin(2.0) + 100 * (1 - std::cos(0.7));
  EXPECT_NEAR(run(m, "rk4", 2, 0.1).last.q[0], exact, 2e-4);
  EXPECT_NEAR(run(m, "rk4", 2, 0.05).last.q[0], exact, 2e-5);
}

TEST(Odd, LeavingTheDomainOfAForceIsNamed) {
  Model m;
  const Coordinate x = m.coordinate("x");
  m.mass(x, 1.0);
  m.force(x, sqrt(1 - m.time()));
  for (const char* name : {"dop853", "dopri5", "radau5", "extrapolation", "rk4"}) {
    const Trajectory motion = run(m, name, 2, 0.03);
    EXPECT_EQ(motion.stop, Stop::not_finite) << name << " " << motion.reason;
    EXPECT_EQ(motion.names, std::vector<std::string>{"x"}) << name;
  }
}

TEST(Odd, NothingHappensAfterTheEnd) {
  // The leap over the flat position goes past the end; events and times do not.
  Model m = test::four_bars(1, 2.0);
  m.event("flat", m.coordinates()[1].symbol);
  for (const char* name : {"dop853", "dopri5", "radau5"})
    for (double until = 0.50; until < 0.56; until += 0.0031) {
      const Trajectory motion = run(m, name, until);
      EXPECT_EQ(motion.last.t, until);
      double before = 0;
      for (const EventRecord& e : motion.events) {
        EXPECT_LE(e.time, until) << name;
        EXPECT_GT(e.time, before) << name;
        before = e.time;
      }
      for (const RankChange& r : motion.rank_changes) EXPECT_LE(r.time, until) << name;
      EXPECT_LE(motion.events.size(), 1u) << name << " " << until;
    }
}

TEST(Odd, SmallThingsAreKeptAsWellAsLargeOnes) {
  for (const double radius : {1e-9, 1e-4, 1.0, 1e6}) {
    Model m;
    const Coordinate x = m.coordinate("x", {radius, 0}), y = m.coordinate("y");
    m.mass(x, 1.0);
    m.mass(y, 1.0);
    m.force(y, -radius);
    m.constrain("circle", pow(x, 2) + pow(y, 2), radius * radius);
    MotionOptions o;
    o.until = 6;
    o.absolute_tolerance = 1e-9 * radius;
    const Trajectory motion = simulate(System(m), o);
    EXPECT_EQ(motion.stop, Stop::end) << radius << " " << motion.reason;
    EXPECT_LT(motion.worst[0].position, 1e-14 * radius * radius) << radius;
    State off = System(m).start();
    off.q[0] *= 1.1;
    EXPECT_TRUE(assemble(System(m), off).repaired) << radius;
  }
}

TEST(Odd, AnEventThatJumpsIsFoundWhereItJumps) {
  Model m;
  const Coordinate x = m.coordinate("x");
  m.mass(x, 1.0);
  m.force(x, 1.0);
  m.event("jump", sign(x - 2), Model::Direction::rising);
  m.event("steep", tanh(1e6 * (x - 2)), Model::Direction::rising);
  m.event("pole", 1 / (x - 2));
  const Trajectory motion = run(m, "dop853", 3);
  ASSERT_EQ(motion.events.size(), 2u);
  for (const EventRecord& e : motion.events) {
    EXPECT_NEAR(e.time, 2, 1e-9) << e.name;
    EXPECT_NEAR(e.state.q[0], 0.5 * e.time * e.time, 1e-9) << e.name;
  }
}

TEST(Odd, WhatCannotBeRecordedIsNoted) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1});
  m.mass(x, 1.0);
  m.output("root", sqrt(1 - x));
  const Trajectory motion = run(m, "dop853", 2);
  ASSERT_EQ(motion.stop, Stop::end);
  ASSERT_EQ(motion.notes.size(), 1u);
  EXPECT_NE(motion.notes[0].find("output 'root' is not a finite number"), std::string::npos);
}

}  // namespace
/// A mass that moves by itself at x' = 1, with one more equation.
Model moving_with(const std::function<Expr(Model&, const Coordinate&)>& equation) {
  Model m;
  const Coordinate x = m.coordinate("x", {.start = 0, .rate = 1});
  m.mass(x, 1);
  m.constrain("steady", x.rate(), 1);
  m.constrain("other", equation(m, x));
  return m;
}

TEST(Odd, RowsThatBeginToContradictEndTheMotionThere) {
  const auto jumps =
      moving_with([](Model& m, const Coordinate& x) { return x.rate() - if_less(m.time(), 1, 1, 2); });
  const auto turns = moving_with(
      [](Model& m, const Coordinate& x) { return x - if_less(m.time(), 1, m.time(), 2 * m.time() - 1); });
  for (const Model& m : {jumps, turns}) {
    const Trajectory motion = moved(m, 2);
    EXPECT_EQ(motion.stop, Stop::contradicting) << motion.reason;
    EXPECT_EQ(motion.names, (std::vector<std::string>{"steady", "other"}));
    EXPECT_NEAR(motion.last.t, 1, 1e-6);
  }
}

TEST(Odd, RowsThatAgreeButForRoundingDoNotContradict) {
  const auto same = moving_with([](Model& m, const Coordinate& x) { return sin(x) - sin(m.time()); });
  const auto scaled = moving_with(
      [](Model& m, const Coordinate& x) { return (x - m.time()) * exp(-m.time()) * cos(m.time()); });
  for (const Model& m : {same, scaled}) {
    const Trajectory motion = moved(m, 20);
    EXPECT_EQ(motion.stop, Stop::end) << motion.reason;
    EXPECT_NEAR(motion.last.q[0], 20, 1e-12);
  }
}

TEST(Odd, AnEquationThatIsNoNumberAtTheStartIsSaidToBeSo) {
  Model m;
  const Coordinate y = m.coordinate("y");
  m.mass(y, 1);
  m.constrain("z", log(y));
  const Trajectory motion = moved(m, 1);
  EXPECT_EQ(motion.stop, Stop::not_finite);
  EXPECT_EQ(motion.reason, "constraint 'z' is -inf at the start; it must be a finite number there");
  EXPECT_EQ(motion.names, std::vector<std::string>{"z"});
}

}  // namespace vinculum
