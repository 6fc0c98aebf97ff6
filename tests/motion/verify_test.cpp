// What verification tells besides digits: what one computation steps over, and why there is no second one.
#include "vinculum/motion/verify.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "motion/systems.hpp"

namespace vinculum {
namespace {

// --- What one computation steps over

TEST(Verify, ANarrowForceThatOneComputationStepsOverIsTold) {
  for (const double width : {2.0, 0.5})
    for (const char* integrator : {"radau5", "dop853", "extrapolation", "dopri5"}) {
      const System system(
          test::on_line(0, 1, [&](auto& x, auto&) { return 10 * exp(-pow((x - 40) / width, 2)); }));
      const MotionOptions o = test::asked(integrator, 1e-9, 60);
      const Trajectory motion = simulate(system, o);
      const Verification v = verify(system, motion, o);
      const double speed = std::sqrt(1 + 20 * width * std::sqrt(std::numbers::pi));
      const bool seen = std::fabs(motion.last.v[0] - speed) < 1e-3 * speed;
      EXPECT_EQ(v.doubtful, !seen) << integrator << ", width " << width << ": " << v.text;
    }
}

TEST(Verify, AMotionThatBeginsLateIsNotDoubtedWhereItBegins) {
  const std::vector<std::pair<const char*, std::function<Expr(const Coordinate&, const Expr&)>>> forces = {
      {"switched on", [](auto&, auto& t) { return if_less(5.0, t, 1e-6, 0.0); }},
      {"growing", [](auto&, auto& t) { return max(Expr(0.0), t - 1); }},
      {"a hill", [](auto&, auto& t) { return exp(-pow((t - 5) / 0.5, 2)); }},
      {"a kick", [](auto&, auto& t) { return if_less(t, 5.0, 0.0, if_less(t, 5.000001, 1e6, 0.0)); }}};
  const double ends[] = {12.5e-6, 121.5, 2.5 * std::sqrt(std::numbers::pi), 4.9999995};
  for (std::size_t k = 0; k < forces.size(); ++k)
    for (const IntegratorInfo& method : integrators()) {
      const System system(test::on_line(0, 0, forces[k].second));
      const MotionOptions o = test::asked(method.name, 1e-9, 10);
      const Trajectory motion = simulate(system, o);
      const Verification v = verify(system, motion, o);
      EXPECT_FALSE(v.doubtful) << forces[k].first << " " << method.name << ": " << v.text;
      ASSERT_EQ(v.digits.size(), 1u) << forces[k].first << " " << method.name << ": " << v.text;
      const double missed = std::fabs(motion.last.q[0] / ends[k] - 1);
      // The instants of the kick are numbers near 5: it may be longer by a rounding of them.
      const double instants = k == 3 ? 1e6 * 2 * std::numeric_limits<double>::epsilon() : 0;
      EXPECT_LE(missed, std::pow(10.0, -v.digits[0]) + instants) << forces[k].first << " " << method.name;
      EXPECT_GE(v.digits[0], 7) << forces[k].first << " " << method.name;
    }
}

TEST(Verify, WhatSticksFirstAndIsLetGoLaterIsNotDoubted) {
  // It holds until sin t = mu; from there on the force is sin t - mu.
  for (const double mu : {0.3, 0.5, 0.7, 0.9})
    for (const IntegratorInfo& method : integrators())
      for (const double tolerance : {1e-6, 1e-9}) {
        const System system(
            test::on_line(0, 0, [&](auto& x, auto& t) { return sin(t) - mu * sign(x.rate()); }));
        MotionOptions o = test::asked(method.name, tolerance, 3);
        const Trajectory motion = simulate(system, o);
        const Verification v = verify(system, motion, o);
        EXPECT_FALSE(v.doubtful) << mu << " " << method.name << ": " << v.text;
        if (mu > 0.8) continue;  // the others still slide at the end
        const double a = std::asin(mu);
        const double s = 3 - a;
        const double end = -std::sin(3) + std::sin(a) + std::cos(a) * s - 0.5 * mu * s * s;
        EXPECT_NEAR(motion.last.q[0], end, 100 * tolerance * end) << mu << " " << method.name;
      }
}

TEST(Verify, WhatMovesLessThanRoundingTellsIsNoDoubtOfTheMotion) {
  // A pendulum of amplitude 1e-6 has moved y by 5e-13, of which rounding leaves nothing.
  for (const double amplitude : {1e-5, 1e-6}) {
    Model m;
    const Coordinate x = m.coordinate("x", {std::sin(amplitude), 0});
    const Coordinate y = m.coordinate("y", {-std::cos(amplitude), 0});
    m.mass(x, 1.0);
    m.mass(y, 1.0);
    m.force(y, -9.81);
    m.constrain("rod", pow(x, 2) + pow(y, 2) - 1);
    const System system(m);
    const MotionOptions o = test::asked("dop853", 1e-9, 10);
    const Trajectory motion = simulate(system, o);
    const Verification v = verify(system, motion, o);
    const double end = amplitude * std::cos(10 * std::sqrt(9.81));
    EXPECT_NEAR(motion.last.q[0], end, 1e-8 * amplitude);
    EXPECT_FALSE(v.doubtful) << v.text;
    ASSERT_EQ(v.digits.size(), 2u);
    EXPECT_GE(v.digits[0], 6);
    EXPECT_NE(v.text.find("'y' moves so little"), std::string::npos) << v.text;
  }
}

TEST(Verify, WhatRowsHoldStillIsNoDoubtOfTheMotion) {
  // A support locked by a row on its velocity, and a pendulum on it: the support moves by some 1e-13.
  Model m;
  const Coordinate s = m.coordinate("s", {}), x = m.coordinate("x", {0.24, 0}),
                   y = m.coordinate("y", {-0.27, 0});
  m.mass(s, 1);
  m.mass(x, 3);
  m.mass(y, 3);
  m.force(y, -29.4);
  m.constrain("lock", s.rate());
  m.constrain("rod", pow(x - s, 2) + pow(y, 2) - (0.24 * 0.24 + 0.27 * 0.27));
  const System system(m);
  for (const char* integrator : {"radau5", "dop853", "extrapolation", "dopri5"}) {
    const MotionOptions o = test::asked(integrator, 1e-9, 1.277);
    const Trajectory motion = simulate(system, o);
    ASSERT_EQ(motion.stop, Stop::end) << integrator;
    const Verification v = verify(system, motion, o);
    EXPECT_FALSE(v.doubtful) << integrator << ": " << v.text;
    EXPECT_NEAR(motion.last.q[0], 0, 1e-11);
  }
}

TEST(Verify, RoundingThatGrowsIntoTheMotionIsTold) {
  // A pendulum set down on its top: all that it ever moves comes out of the last digit of pi.
  for (const char* integrator : {"radau5", "dop853", "extrapolation", "dopri5"}) {
    const System system(test::on_line(std::numbers::pi, 0, [](auto& x, auto&) { return -10 * sin(x); }));
    const MotionOptions o = test::asked(integrator, 1e-9, 40);
    const Trajectory motion = simulate(system, o);
    ASSERT_EQ(motion.stop, Stop::end) << integrator;
    const Verification v = verify(system, motion, o);
    EXPECT_TRUE(v.doubtful) << integrator << ": " << v.text;
    EXPECT_LT(v.trusted_until, 20) << integrator << ": " << v.text;  // it has fallen by then
  }
}

TEST(Verify, EventsThatOneComputationDoesNotHaveAreTold) {
  Model m = test::on_line(1, 0, [](auto& x, auto&) { return -x; });
  m.event("zero", Expr(m.coordinates()[0].symbol));
  const System system(m);
  const MotionOptions o = test::asked("dop853", 1e-9, 20);
  Trajectory motion = simulate(system, o);
  ASSERT_EQ(motion.events.size(), 6u);
  const Verification same = verify(system, motion, o);
  EXPECT_EQ(same.events, "");
  EXPECT_LT(same.event_difference, 1e-7);
  EXPECT_FALSE(same.doubtful);
  motion.events.erase(motion.events.begin() + 2);
  const Verification other = verify(system, motion, o);
  EXPECT_EQ(other.events, "event 'zero' happens 5 times until t = 20, and 6 times in the second computation");
  EXPECT_TRUE(other.doubtful);
  EXPECT_NE(other.text.find(other.events), other.text.npos);
}

TEST(Verify, RestsThatOneComputationDoesNotHaveAreTold) {
  Model m;
  const Particle p = m.particle("p", {.mass = 1.0, .velocity = {1, 0, 0}});
  m.gravity({0, 0, -10});
  m.force(p, {3 * sin(3 * m.time()), 0.0, 0.0});
  m.constrain("table", p.z);
  m.friction("table", 0.2);
  const System system(m);
  const MotionOptions o = test::asked("dop853", 1e-9, 5);
  Trajectory motion = simulate(system, o);
  ASSERT_GE(motion.grip_changes.size(), 4u);
  const Verification same = verify(system, motion, o);
  EXPECT_EQ(same.grips, "");
  EXPECT_LT(same.grip_difference, 1e-7);
  EXPECT_FALSE(same.doubtful);
  motion.grip_changes.clear();
  const Verification other = verify(system, motion, o);
  EXPECT_TRUE(other.grips.starts_with("'table' comes to rest never until t = 5, and ")) << other.grips;
  EXPECT_TRUE(other.doubtful);
  EXPECT_NE(other.text.find(other.grips), other.text.npos);
}

TEST(Verify, AMotionThatAnEventEndsIsComparedWhereItEnds) {
  for (const IntegratorInfo& method : integrators()) {
    Model m = test::on_line(1, 0, [](auto& x, auto&) { return -x; });
    m.event("half", m.coordinates()[0].symbol - 0.5, Model::Direction::rising, true);
    const System system(m);
    const MotionOptions o = test::asked(method.name, 1e-9, 100);
    const Trajectory motion = simulate(system, o);
    ASSERT_EQ(motion.stop, Stop::event);
    const Verification v = verify(system, motion, o);
    ASSERT_EQ(v.outcome, Verification::Outcome::compared) << method.name << v.text;
    EXPECT_EQ(v.events, "");
    EXPECT_EQ(v.trusted_until, motion.last.t);
    EXPECT_LE(std::fabs(motion.last.q[0] - 0.5), 0.5 * std::pow(10.0, -v.digits[0]));
    EXPECT_GE(v.digits[0], 6) << method.name;
  }
}

// --- Where there is no second motion

TEST(Verify, ASecondComputationThatFailsIsToldWithItsReason) {
  // A fixed step passes the gap in which the root is of a negative number; no other method can.
  const System system(
      test::on_line(0, 1, [](auto& x, auto&) { return 1e-6 * sqrt(pow(x - 0.5, 2) - 1e-6); }));
  MotionOptions o = test::asked("rk4", 1e-9, 1);
  o.step = 0.03;
  const Trajectory motion = simulate(system, o);
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  const Verification v = verify(system, motion, o);
  EXPECT_EQ(v.outcome, Verification::Outcome::cut_short);
  EXPECT_TRUE(v.digits.empty());
  EXPECT_NE(v.text.find("the motion ends at t = 0.499"), v.text.npos) << v.text;
  EXPECT_LT(v.trusted_until, 0.5);
  EXPECT_GT(v.trusted_until, 0.4);
}

TEST(Verify, MoreWorkThanAllowedIsNotDoneAndTheAnswerSaysSo) {
  const System system(test::pendulum());
  const MotionOptions o = test::asked("dop853", 1e-9, 10);
  const Trajectory motion = simulate(system, o);
  const double first = static_cast<double>(motion.evaluations) * evaluation_work(system);
  for (const double most :
       {0.5 * first, 3.01 * first}) {  // not begun; begun, and more than three times as much
    const Verification v = verify(system, motion, o, most);
    EXPECT_EQ(v.outcome, Verification::Outcome::not_made);
    EXPECT_EQ(v.text, "computing it a second time is more work than is done without being asked");
  }
  EXPECT_EQ(verify(system, motion, o, 100 * first).outcome, Verification::Outcome::compared);
}

TEST(Verify, CancellingTheSecondComputationLeavesTheMotionUnverified) {
  const System system(test::pendulum());
  MotionOptions o = test::asked("dop853", 1e-9, 20000);  // longer than it takes until progress is told
  const Trajectory motion = simulate(system, o);
  o.progress = [](const Progress&) { return false; };
  const Verification v = verify(system, motion, o);
  EXPECT_EQ(v.outcome, Verification::Outcome::not_made);
  EXPECT_EQ(v.text.rfind("the second computation was cancelled at t = ", 0), 0u) << v.text;
}

TEST(Verify, WhatDidNotArriveOrDidNotMoveIsNotVerified) {
  const System system(test::pendulum());
  MotionOptions o = test::asked("dop853", 1e-9, 10);
  o.step_limit = 5;
  EXPECT_EQ(verify(system, simulate(system, o), o).text, "the motion ended before its time");
  o = test::asked("dop853", 1e-9, 0);
  EXPECT_EQ(verify(system, simulate(system, o), o).text, "there is no motion: its end is its start");
}

TEST(Verify, AStiffMotionIsComputedAgainByTheImplicitMethodAndAnotherOneByAnExplicitOne) {
  const auto second = [](const Model& model) {
    const System system(model);
    const MotionOptions o = test::asked("radau5", 1e-6, 3);
    return verify(system, simulate(system, o), o).integrator;
  };
  EXPECT_EQ(second(test::on_line(1, -1, [](auto& x, auto&) { return -1e7 * x.rate() - 1e7 * x; })),
            Integrator::radau5);
  EXPECT_EQ(second(test::on_line(1, 0, [](auto& x, auto&) { return -x; })), Integrator::dop853);
}

TEST(Verify, MotionsOfAllKindsAreVerified) {
  // Bodies with a joint's angle that counts its turns.
  Model wheel;
  BodyOptions o;
  o.position = {1, 0, 0};
  const Body b = wheel.body("b", o);
  JointOptions hinge;
  hinge.type = JointType::revolute;
  hinge.axis = {0, 0, 1};
  wheel.joint("hinge", {}, b, hinge);
  wheel.joint_angle("hinge");
  wheel.gravity({0, -9.81, 0});
  const System turns(wheel);
  const MotionOptions ask = test::asked("dop853", 1e-9, 5);
  const Trajectory motion = simulate(turns, ask);
  const Verification v = verify(turns, motion, ask);
  ASSERT_EQ(v.outcome, Verification::Outcome::compared) << v.text;
  EXPECT_EQ(v.digits.size(), 8u);
  for (const int digits : v.digits) EXPECT_GE(digits, 6) << v.text;
}

}  // namespace
}  // namespace vinculum
