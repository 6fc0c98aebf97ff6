#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <set>

#include "motion/systems.hpp"

namespace vinculum {
namespace {

Trajectory moved(const Model& model, double until) {
  MotionOptions options;
  options.until = until;
  return simulate(System(model), options);
}

/// x'' = 1 from rest: x = t^2/2 exactly, so every event time is known.
struct Fall {
  Model model;
  Coordinate x;
  Fall() : x(model.coordinate("x")) {
    model.mass(x, 1.0);
    model.force(x, 1.0);
  }
};

Trajectory run(const Model& model, double until, const char* integrator = "dop853") {
  MotionOptions options;
  options.until = until;
  options.integrator = integrator_named(integrator).value();
  options.step = std::string_view(integrator) == "rk4" ? 0.1 : 0;
  return simulate(System(model), options);
}

TEST(Event, IsLocatedToRounding) {
  for (const IntegratorInfo& method : integrators()) {
    Fall f;
    f.model.event("hit", f.x - 2);
    const Trajectory motion = run(f.model, 3, method.name.c_str());
    ASSERT_EQ(motion.events.size(), 1u) << method.name;
    EXPECT_NEAR(motion.events[0].time, 2, 4e-15) << method.name;
    EXPECT_NEAR(motion.events[0].state.q[0], 2, 1e-14) << method.name;
    EXPECT_TRUE(motion.events[0].rising);
    EXPECT_EQ(motion.stop, Stop::end);
  }
}

TEST(Event, OnlyCountsInItsDirection) {
  // A free oscillation: x crosses zero downwards at pi/2, upwards at 3 pi/2.
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0});
  m.mass(x, 1.0);
  m.potential(0.5 * pow(x, 2));
  m.event("down", x, Model::Direction::falling);
  m.event("up", x, Model::Direction::rising);
  m.event("both", x);
  const Trajectory motion = run(m, 6.5);
  std::vector<std::string> names;
  for (const EventRecord& e : motion.events) names.push_back(e.name);
  EXPECT_EQ(names, (std::vector<std::string>{"down", "both", "up", "both"}));
  EXPECT_NEAR(motion.events[0].time, M_PI / 2, 1e-9);
  EXPECT_NEAR(motion.events[2].time, 3 * M_PI / 2, 1e-9);
}

TEST(Event, AZeroAtTheStartDoesNotCount) {
  Fall f;
  f.model.event("start", f.x);
  f.model.event("speed", f.x.rate());
  EXPECT_TRUE(run(f.model, 1).events.empty());
}

TEST(Event, SeveralInOneStepComeInTheOrderOfTime) {
  Fall f;
  f.model.event("third", f.x - 0.5 * 0.9 * 0.9);
  f.model.event("first", f.x - 0.5 * 0.7 * 0.7);
  f.model.event("second", f.x - 0.5 * 0.8 * 0.8);
  for (const double until : {1.0, -1.0}) {  // backward x is the same
    const Trajectory motion = run(f.model, until);
    ASSERT_EQ(motion.events.size(), 3u);
    EXPECT_EQ(motion.events[0].name, "first");
    EXPECT_EQ(motion.events[1].name, "second");
    EXPECT_EQ(motion.events[2].name, "third");
    EXPECT_NEAR(std::fabs(motion.events[1].time), 0.8, 2e-15);
  }
}

TEST(Event, AStopEndsTheMotionThereAndTheLaterOnesDoNotHappen) {
  Fall f;
  f.model.event("later", f.x - 3);
  f.model.event("wall", f.x - 2, Model::Direction::both, true);
  f.model.event("before", f.x - 1);
  const Trajectory motion = run(f.model, 10);
  EXPECT_EQ(motion.stop, Stop::event);
  EXPECT_EQ(motion.names, std::vector<std::string>{"wall"});
  EXPECT_EQ(motion.reason, "event 'wall' at t = 2");
  ASSERT_EQ(motion.events.size(), 2u);
  EXPECT_EQ(motion.events[0].name, "before");
  EXPECT_NEAR(motion.last.t, 2, 4e-15);
  EXPECT_NEAR(motion.back().t, motion.last.t, 0);
  EXPECT_NEAR(motion.last.v[0], 2, 1e-14);
}

TEST(Event, ThatComesAndGoesWithinAStepIsSeen) {
  // x = t^2/2 is exact for every method, so steps are as long as they may be.
  for (const IntegratorInfo& method : integrators()) {
    Fall f;
    f.model.event("window", (f.x - 0.5 * 3.999 * 3.999) * (f.x - 0.5 * 4.001 * 4.001));
    const Trajectory motion = run(f.model, 8, method.name.c_str());
    ASSERT_EQ(motion.events.size(), 2u) << method.name;
    EXPECT_NEAR(motion.events[0].time, 3.999, 1e-12)
        << method.name;  // rounding over the distance of the pair
    EXPECT_NEAR(motion.events[1].time, 4.001, 1e-12) << method.name;
    EXPECT_FALSE(motion.events[0].rising);
    EXPECT_TRUE(motion.events[1].rising);
  }
}

TEST(Event, EveryZeroOnAnEasyMotionIsFoundHoweverLongTheSteps) {
  Model m;
  const Coordinate phi = m.coordinate("phi", {0.5, 1});
  m.mass(phi, 1.0);
  m.event("level", sin(phi));
  for (const IntegratorInfo& method : integrators()) {
    const Trajectory motion = run(m, 100, method.name.c_str());
    ASSERT_EQ(motion.events.size(), 31u) << method.name;
    for (int k = 0; k < 31; ++k)  // a thousand fixed steps add up their roundings of t = 100: 1e-14 each
      EXPECT_NEAR(motion.events[k].time, (k + 1) * M_PI - 0.5, 1e-11) << method.name << " " << k;
  }
}

TEST(Event, ManyKnownZerosAreFoundByEveryMethodNoneTwice) {
  // On x = t the zeros of a product are those it is made of; close pairs and ones that touch among them.
  int touching = 0, close = 0;
  for (int trial = 0; trial < 400; ++trial) {
    std::srand(trial);
    const auto draw = [] { return (std::rand() + 0.5) / (RAND_MAX + 1.0); };
    Model m;
    const Coordinate x = m.coordinate("x", {0, 1});
    m.mass(x, 1.0);
    std::vector<double> zeros;
    Expr product = std::pow(10.0, 6 * draw() - 3);
    const int count = 1 + std::rand() % 5;
    for (int k = 0; k < count; ++k) {
      const double r = 0.01 + 9.9 * draw();
      zeros.push_back(r);
      product = product * (x - r);
      if (trial % 3 == 1 && k == 0) product = product * (x - r), ++touching;
      if (trial % 3 == 2 && k == 0) {
        zeros.push_back(r + 1e-5);
        product = product * (x - zeros.back());
        ++close;
      }
    }
    std::sort(zeros.begin(), zeros.end());
    m.event("e", product);
    const IntegratorInfo& method = integrators()[trial % integrators().size()];
    const Trajectory motion = run(m, 10, method.name.c_str());
    ASSERT_EQ(motion.events.size(), zeros.size()) << method.name << " " << trial;
    for (std::size_t k = 0; k < zeros.size(); ++k)
      EXPECT_NEAR(motion.events[k].time, zeros[k], 1e-6) << method.name << " " << trial;
  }
  EXPECT_GT(touching, 100);
  EXPECT_GT(close, 100);
}

TEST(Event, OnesThatTouchAreAllFoundHoweverLongTheStepsAndHoweverLarge) {
  // On x = t; steps are as long as they may be, many turns of each.
  const auto one_minus_cos = [](const Expr& x) { return 1 - cos(x); };
  const auto squared = [](const Expr& x) { return pow(1 - cos(x), 2); };
  const auto sine_squared = [](const Expr& x) { return pow(sin(x), 2); };
  struct Case {
    std::function<Expr(const Expr&)> event;
    double period, known_to;
  };
  // Of a zero of order four no more is known than that it is within the fourth root of rounding.
  for (const Case& c :
       {Case{one_minus_cos, 2 * M_PI, 1e-6}, Case{squared, 2 * M_PI, 1e-3}, Case{sine_squared, M_PI, 1e-6}})
    for (const double size : {1e-12, 1.0, 1e12})
      for (const double until : {100.0, 1000.0})
        for (const IntegratorInfo& method : integrators()) {
          Model m;
          const Coordinate x = m.coordinate("x", {0, 1});
          m.mass(x, 1.0);
          m.event("touch", size * c.event(x));
          const Trajectory motion = run(m, until, method.name.c_str());
          EXPECT_TRUE(motion.notes.empty()) << method.name << " " << motion.notes.front();
          ASSERT_EQ(motion.events.size(), static_cast<std::size_t>(until / c.period))
              << method.name << " " << size << " " << until << " " << c.known_to;
          for (std::size_t k = 0; k < motion.events.size(); ++k)
            EXPECT_NEAR(motion.events[k].time, static_cast<double>(k + 1) * c.period, c.known_to)
                << method.name;
        }
}

TEST(Event, OneAtTheEndIsToldByEveryMethod) {
  // Rounding puts it a hair before the end or behind.
  struct Case {
    double rate, until;
  };
  for (const Case& c : {Case{1, 10}, Case{0.1, 7}, Case{0.3, 1.1}, Case{1.0 / 3, 3}, Case{1e-9, 7},
                        Case{1e9, 0.7}, Case{-1, 10}, Case{1, -10}})
    for (const IntegratorInfo& method : integrators()) {
      Model m;
      const Coordinate x = m.coordinate("x", {0, c.rate});
      m.mass(x, 1.0);
      m.event("end", x - c.rate * c.until);
      m.event("behind", x - c.rate * c.until * (1 + 1e-6));
      m.event("up", x - c.rate * c.until, Model::Direction::rising);
      const Trajectory motion = run(m, c.until, method.name.c_str());
      const bool up = c.rate * c.until > 0;
      ASSERT_EQ(motion.events.size(), up ? 2u : 1u) << method.name << " " << c.rate << " " << c.until;
      EXPECT_EQ(motion.events[0].name, "end");
      EXPECT_EQ(motion.events[0].rising, up) << method.name;
      EXPECT_NEAR(motion.events[0].time, c.until, 1e-14 * std::fabs(c.until)) << method.name;
    }
}

TEST(Event, OneThatEndsTheRunAtItsEndDoes) {
  for (const IntegratorInfo& method : integrators()) {
    Model m;
    const Coordinate x = m.coordinate("x", {0, 1});
    m.mass(x, 1.0);
    m.event("stop", x - 10, Model::Direction::both, true);
    const Trajectory motion = run(m, 10, method.name.c_str());
    EXPECT_EQ(motion.stop, Stop::event) << method.name;
    ASSERT_EQ(motion.events.size(), 1u) << method.name;
    EXPECT_NEAR(motion.last.t, 10, 1e-13) << method.name;  // roundings of a hundred fixed steps: 1e-15 each
  }
}

TEST(Event, AnOscillationThatEndsInItsZeroHasIt) {
  for (const IntegratorInfo& method : integrators()) {
    if (!method.adaptive) continue;  // its errors are no part of a tolerance
    Model m;
    const Coordinate x = m.coordinate("x", {1, 0});
    m.mass(x, 1.0);
    m.potential(0.5 * pow(x, 2));
    m.event("zero", Expr(x));
    m.event("turn", x.rate());
    EXPECT_EQ(run(m, 2.5 * M_PI, method.name.c_str()).events.size(), 5u) << method.name;
    EXPECT_EQ(run(m, 3 * M_PI, method.name.c_str()).events.size(), 6u) << method.name;
  }
}

TEST(Event, OnesThatTouchAnOscillationAreFoundOnceEach) {
  // x = cos t touches 1 at every turn; (x - 1/2)^2 touches zero twice in each.
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0});
  m.mass(x, 1.0);
  m.potential(0.5 * pow(x, 2));
  m.event("top", x - 1);
  m.event("level", pow(x - 0.5, 2));
  m.event("up", x - 1, Model::Direction::rising);  // it never passes
  for (const IntegratorInfo& method : integrators()) {
    if (!method.adaptive) continue;  // its errors are no part of a tolerance
    const Trajectory motion = run(m, 40, method.name.c_str());
    std::vector<double> top, level;
    for (const EventRecord& e : motion.events) {
      EXPECT_NE(e.name, "up") << method.name;
      EXPECT_TRUE(e.touches) << method.name << " " << e.time;
      (e.name == "top" ? top : level).push_back(e.time);
    }
    ASSERT_EQ(top.size(), 6u) << method.name;
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(top[k], 2 * M_PI * (k + 1), 1e-6) << method.name;
    EXPECT_EQ(level.size(), 13u) << method.name;
  }
}

TEST(Event, WhereAMotionComesToRestOneIsFoundAndNotTwo) {
  for (int k = 0; k < 40; ++k)
    for (const IntegratorInfo& method : integrators()) {
      if (!method.adaptive) continue;
      const double speed = 0.5 + 0.1 * k, brake = 2 + 0.37 * (k % 7);
      Model m;
      const Coordinate x = m.coordinate("x", {0, speed});
      m.mass(x, 1.0);
      m.force(x, -brake * sign(x.rate()));
      m.event("halt", x.rate());
      const Trajectory motion = run(m, 5, method.name.c_str());
      ASSERT_EQ(motion.events.size(), 1u) << method.name << " " << k;
      EXPECT_NEAR(motion.events[0].time, speed / brake, 1e-8) << method.name << " " << k;
    }
}

TEST(Event, WhatBecomesZeroAndStaysSoIsMetWhereItDoes) {
  for (const IntegratorInfo& method : integrators()) {
    if (!method.adaptive) continue;
    Model m;
    const Coordinate x = m.coordinate("x", {1, 0});
    m.mass(x, 1.0);
    m.force(x, -1.0 * x);
    m.event("gone", max(Expr(0.0), x), Model::Direction::both, true);
    const Trajectory motion = run(m, 5, method.name.c_str());
    ASSERT_EQ(motion.stop, Stop::event) << method.name << " " << motion.reason;
    EXPECT_NEAR(motion.last.t, M_PI / 2, 2e-8) << method.name;  // what errors leave open is one zero
  }
}

TEST(Event, OnTheForceInARodIsFoundWhereTheRodGoesSlack) {
  // Thrown up from the lowest point with v^2 = 3.5 g L the rod's pull vanishes where cos(theta) = -1/2:
  // v^2 = 3.5 g - 2 g (1 - cos) = 0.5 g = -g cos(theta).
  Model m = test::pendulum(0, -1, std::sqrt(3.5 * test::gravity), 0);
  m.event("slack", m.multiplier("rod"), Model::Direction::both, true);
  const Trajectory motion = run(m, 10);
  ASSERT_EQ(motion.stop, Stop::event) << motion.reason;
  EXPECT_NEAR(motion.last.q[1], 0.5, 1e-9);  // ten times the tolerance at most
  EXPECT_NEAR(motion.back().multipliers[0], 0, 1e-8);
}

TEST(Event, OnAReactionIsTheSameAsOnItsMultiplier) {
  Model m = test::pendulum(0, -1, std::sqrt(3.5 * test::gravity), 0);
  const Expr y = m.coordinates()[1].symbol;
  m.event("slack", m.multiplier("rod"));
  m.event("no_pull", m.reaction("rod", y));
  const Trajectory motion = run(m, 0.6);
  ASSERT_FALSE(motion.events.empty());
  double slack = 0, pull = 0;
  for (const EventRecord& e : motion.events) (e.name == "slack" ? slack : pull) = e.time;
  EXPECT_NEAR(slack, pull, 1e-12);  // F_y = 2 y lambda
}

TEST(Event, StatesSatisfyTheConstraints) {
  Model m = test::pendulum();
  m.event("low", m.coordinates()[0].symbol);
  const Trajectory motion = run(m, 5);
  ASSERT_GE(motion.events.size(), 3u);
  for (const EventRecord& e : motion.events) {
    EXPECT_NEAR(e.state.q[0] * e.state.q[0] + e.state.q[1] * e.state.q[1], 1, 1e-15);
    EXPECT_NEAR(e.state.q[0], 0, 4.5 * 4e-16 * e.time);  // its speed times the resolution of time
  }
}

TEST(Switch, AForceThatJumpsIsPassedExactlyByEveryMethod) {
  // Thrown up with 2 against 5 and a friction of 3: turns at t = 1/4, comes back with 2. x(1) = 1/4 -
  // (3/4)^2.
  Model m;
  const Coordinate x = m.coordinate("x", {0, 2});
  m.mass(x, 1.0);
  m.force(x, -5 - 3 * sign(x.rate()));
  for (const IntegratorInfo& method : integrators())
    for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
      if (!method.adaptive) continue;
      MotionOptions o;
      o.until = 1;
      o.integrator = method.integrator;
      o.tolerance = tolerance;
      const Trajectory motion = simulate(System(m), o);
      EXPECT_EQ(motion.stop, Stop::end) << motion.reason;
      EXPECT_NEAR(motion.last.q[0], 0.25 - 0.5625, 10 * tolerance) << method.name << " " << tolerance;
      EXPECT_NEAR(motion.drift(), 0, 1e-5 + 10 * tolerance) << method.name;
    }
}

TEST(Switch, ForcesThatHoldTheMotionOnASwitchKeepItThere) {
  // Coulomb friction by sign(): the mass stops at t = 0.4 and stays.
  Model m;
  const Coordinate x = m.coordinate("x", {0, 2});
  m.mass(x, 1.0);
  m.force(x, -5 * sign(x.rate()));
  for (const IntegratorInfo& method : integrators()) {
    if (!method.adaptive) continue;
    const Trajectory motion = run(m, 1, method.name.c_str());
    EXPECT_EQ(motion.stop, Stop::end) << method.name << " " << motion.reason;
    ASSERT_EQ(motion.grip_changes.size(), 1u) << method.name;
    EXPECT_NEAR(motion.grip_changes[0].time, 0.4, 1e-9) << method.name;
    EXPECT_NEAR(motion.last.q[0], 0.4, 1e-9) << method.name;
    EXPECT_EQ(motion.last.v[0], 0) << method.name;
    EXPECT_LT(motion.steps, 2000) << method.name;
  }
}

TEST(Switch, ForcesThatHoldTheMotionOnASwitchOfPositionsEndTheRunAndSaySo) {
  // Without inertia in x a spring of constant force draws it to x = 0 from both sides, by its position alone.
  Model m;
  const Coordinate x = m.coordinate("x", {0.4, 0}), y = m.coordinate("y");
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.constrain("drawn", x.rate() + 5 * sign(x));
  for (const IntegratorInfo& method : integrators()) {
    if (!method.adaptive) continue;
    MotionOptions o;
    o.until = 1;
    o.integrator = method.integrator;
    State start = System(m).start();
    start.v[0] = -5;
    const Trajectory motion = simulate(System(m), start, o);
    EXPECT_NE(motion.stop, Stop::end) << method.name;
    EXPECT_NEAR(motion.last.t, 0.08, 1e-6) << method.name;
  }
}

TEST(Switch, CornersOfMinMaxAndIfAreMetWhereTheyAre) {
  // x'' = min(t, 1) + if(t < 2, 0, 1): x'(3) = 1/2 + 2 + 1, x(3) = 1/6 + 1/2*2 + 2 + 1/2.
  Model m;
  const Coordinate x = m.coordinate("x");
  m.mass(x, 1.0);
  const Expr t = m.time();
  m.force(x, min(t, 1.0) + if_less(t, 2.0, 0.0, 1.0));
  const Trajectory motion = run(m, 3);
  EXPECT_NEAR(motion.last.v[0], 3.5, 1e-13);
  EXPECT_NEAR(motion.last.q[0], 1.0 / 6 + 1 + 2 + 0.5, 1e-13);
}

TEST(Switch, AForceThatSwitchesOnAndOffWithinAStepIsNotSteppedOver) {
  // On while sin(5 t) > 0.9: each turn of 2 pi/5 gives (pi - 2 asin 0.9)/5.
  Model m;
  const Coordinate x = m.coordinate("x");
  m.mass(x, 1.0);
  m.force(x, if_less(0.9, sin(5 * m.time()), 1.0, 0.0));
  const double on = (M_PI - 2 * std::asin(0.9)) / 5, first = std::asin(0.9) / 5;
  double expected = 0;
  for (double begin = first; begin < 20; begin += 2 * M_PI / 5) expected += std::min(on, 20 - begin);
  for (const IntegratorInfo& method : integrators()) {
    const Trajectory motion = run(m, 20, method.name.c_str());
    EXPECT_EQ(motion.stop, Stop::end) << method.name << " " << motion.reason;
    EXPECT_NEAR(motion.last.v[0], expected, 1e-9) << method.name;
  }
}

TEST(Switch, AFastSquareWaveIsFollowedByEveryMethod) {
  Model m;
  const Coordinate x = m.coordinate("x");
  m.mass(x, 1.0);
  m.force(x, sign(sin(20 * m.time())));
  const double half = M_PI / 20, whole = std::floor(10 / half), rest = 10 - whole * half;
  const double expected = std::fmod(whole, 2) == 0 ? rest : half - rest;
  for (const IntegratorInfo& method : integrators()) {
    const Trajectory motion = run(m, 10, method.name.c_str());
    EXPECT_NEAR(motion.last.v[0], expected, 1e-9) << method.name;
  }
}

TEST(Switch, AHillMetByAFreeFlightIsSeenByEveryMethod) {
  // v^2/2 grows by the integral of the force over x: 20 sqrt(pi).
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1});
  m.mass(x, 1.0);
  m.force(x, 10 * exp(-pow((x - 40) / 2, 2)));
  for (const IntegratorInfo& method : integrators())
    EXPECT_NEAR(run(m, 100, method.name.c_str()).last.v[0], std::sqrt(1 + 40 * std::sqrt(M_PI)),
                method.adaptive ? 1e-8 : 1e-3)  // fixed steps of 0.1 over a hill of width 2 / 8 s
        << method.name;
}

TEST(Switch, AKickAsShortAsTimeResolvesIsMade) {
  // A millionth of a second of a million. Its ends are told to a rounding of t = 5: 1e-9 of it.
  Model m;
  const Coordinate x = m.coordinate("x");
  m.mass(x, 1.0);
  const Expr& t = m.time();
  m.force(x, if_less(t, 5.0, 0.0, if_less(t, 5.000001, 1e6, 0.0)));
  for (const IntegratorInfo& method : integrators()) {
    const Trajectory motion = run(m, 10, method.name.c_str());
    ASSERT_EQ(motion.stop, Stop::end) << method.name << " " << motion.reason;
    EXPECT_NEAR(motion.last.v[0], 1, 3e-8) << method.name;
    EXPECT_NEAR(motion.last.q[0], 4.9999995, 15e-8) << method.name;
  }
}

/// A step ends some roundings of time behind a switch. The force of the old side acts no longer than to the
/// switch all the same, or hundreds of them would add that up: 8e-8 here. An instant is known to a rounding
/// of time, 1e-13, which moves the place by as much for each of 354 switches, to either side.
TEST(Switch, HundredsOfThemAddUpNoLateness) {
  const double end = 1001;
  const long double quarter = std::sqrt(2.0L);
  const long double since = std::fmod(static_cast<long double>(end), 4 * quarter);
  const long double turn = since < quarter ? 0 : since < 3 * quarter ? 2 * quarter : 4 * quarter;
  const long double height = 1 - (since - turn) * (since - turn) / 2;
  const double truth = static_cast<double>(turn == 2 * quarter ? -height : height);
  for (const char* integrator : {"dop853", "dopri5", "radau5", "extrapolation"}) {
    Model m = test::on_line(1, 0, [](auto& x, auto&) { return -sign(x); });
    const Trajectory motion = simulate(System(m), test::asked(integrator, 1e-9, end));
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    EXPECT_NEAR(motion.last.q[0], truth, 1e-9) << integrator;
  }
}

TEST(Switch, IsNotMetAgainRightBehindIt) {
  // A bouncing law that is smooth on either side: as many steps as without it, and a few.
  Model m;
  const Coordinate x = m.coordinate("x", {1, 0});
  m.mass(x, 1.0);
  m.force(x, -x - 0.5 * abs(x));
  const Trajectory motion = run(m, 20);
  EXPECT_EQ(motion.stop, Stop::end);
  EXPECT_LT(motion.steps, 400);
  EXPECT_NEAR(motion.drift(), 0, 1e-7);
}

/// A gate in an event is open for 0.002 s at a time: its condition is watched as that of a force is.
TEST(Event, AGateThatIsOpenForAShortWhileIsFoundByItsCondition) {
  for (const char* method : {"dop853", "dopri5", "radau5", "extrapolation"})
    for (const double tolerance : {1e-4, 1e-6, 1e-9}) {
      Model m;
      const Coordinate y = m.coordinate("y", {1, 0});
      m.mass(y, 1.0);
      m.force(y, -y);
      m.event("gate", if_less(abs(y - 0.5), 0.001, -1.0, 1.0));
      MotionOptions options;
      options.until = 10;
      options.integrator = integrator_named(method).value();
      options.tolerance = tolerance;
      const Trajectory motion = simulate(System(std::move(m)), options);
      ASSERT_EQ(motion.events.size(), 6u) << method << " " << tolerance;
      const double in = std::acos(0.501), out = std::acos(0.499), turn = 2 * std::acos(-1.0);
      const double expected[] = {in, out, turn - out, turn - in, turn + in, turn + out};
      for (int k = 0; k < 6; ++k)
        EXPECT_NEAR(motion.events[k].time, expected[k], 100 * tolerance) << method << " " << tolerance;
    }
}

/// What jumps and keeps its sign has no zero, however near to zero it comes and however it is written.
TEST(Event, AJumpThatKeepsItsSignIsNone) {
  for (const IntegratorInfo& method : integrators())
    for (const double tolerance : {1e-4, 1e-7, 1e-11})
      for (const double side : {-1.0, 1.0})
        for (const double place : {1.0, 2.0, 2.2}) {
          Model m;
          const Coordinate x = m.coordinate("x", {0, 1}), y = m.coordinate("y", {1, 0});
          for (const Coordinate& c : {x, y}) m.mass(c, 1.0);
          m.force(y, -9 * y);
          m.event("gate", side * if_less(x, place, 50.0, 1.0), Model::Direction::both, true);
          m.event("back", side * if_less(x, place, 1.0, 50.0), Model::Direction::both, true);
          m.event("sign", side * (5 + 3 * sign(place - x)), Model::Direction::both, true);
          m.event("moving", side * if_less(y.rate(), 0.0, 20 + x, 9 - y), Model::Direction::both, true);
          MotionOptions o;
          o.until = 3;
          o.integrator = method.integrator;
          o.tolerance = tolerance;
          o.step = method.adaptive ? 0 : 0.1;
          const Trajectory motion = simulate(System(m), o);
          EXPECT_EQ(motion.stop, Stop::end) << method.name << " " << tolerance << ": " << motion.reason;
          EXPECT_TRUE(motion.events.empty()) << method.name << " " << tolerance;
          o.step = 0.0466563;  // so that a step ends a hair before the jump
          EXPECT_EQ(simulate(System(m), o).stop, Stop::end) << method.name << " " << tolerance;
        }
}

/// x = t - t^2/2 touches 1/2 once: also where the tolerance is as small as the rounding of the steps.
TEST(Event, OneThatTouchesIsOneAtTheTightestTolerances) {
  for (const IntegratorInfo& method : integrators())
    for (const double tolerance : {1e-11, 1e-12, 3e-13, 1e-13, 1e-14}) {
      if (!method.adaptive) continue;
      Model m;
      const Coordinate x = m.coordinate("x", {0, 1});
      m.mass(x, 1.0);
      m.force(x, -1.0);
      m.event("top", x - 0.5);
      MotionOptions o;
      o.until = 2;
      o.integrator = method.integrator;
      o.tolerance = tolerance;
      const Trajectory motion = simulate(System(m), o);
      ASSERT_EQ(motion.events.size(), 1u) << method.name << " " << tolerance;
      EXPECT_NEAR(motion.events[0].time, 1, 1e-6) << method.name;
    }
}

TEST(Event, OneThatIsZeroAllAlongNeverHappens) {
  for (const IntegratorInfo& method : integrators())
    for (const double tolerance : {1e-13, 1e-11, 1e-9, 1e-6, 1e-3}) {
      Model line;
      const Coordinate x = line.coordinate("x", {.start = -1, .rate = 1});
      line.mass(x, 1);
      line.event("none", x - line.time() + 1);
      Model pendulum;
      const Coordinate a = pendulum.coordinate("a", {.start = 1}), b = pendulum.coordinate("b", {.rate = 2});
      pendulum.mass(a, 1);
      pendulum.mass(b, 1);
      pendulum.potential(9.81 * b);
      pendulum.constrain("rod", a * a + b * b, 1);
      pendulum.event("none", pendulum.energy() - 2, Model::Direction::falling, true);
      for (const Model* m : {&line, &pendulum}) {
        if (!method.adaptive && m == &pendulum) continue;  // nobody knows the errors of a fixed step
        const Trajectory motion = simulate(System(*m), test::asked(method.name, tolerance, 3));
        EXPECT_TRUE(motion.events.empty())
            << method.name << " " << tolerance << ": " << motion.events[0].time;
        EXPECT_EQ(motion.stop, Stop::end) << method.name << " " << tolerance;
        EXPECT_TRUE(motion.notes.empty()) << method.name << ": " << motion.notes[0];
      }
    }
}

/// 1/x changes its sign where it is infinite, and is zero nowhere.
TEST(Event, APoleIsNoZero) {
  for (const IntegratorInfo& method : integrators())
    for (const double until : {2.0, 3.0, 4.0, 7.3, 10.0})
      for (const int power : {1, 3}) {
        Model m;
        const Coordinate x = m.coordinate("x", {.start = -1, .rate = 1});
        m.mass(x, 1);
        m.event("pole", 1 / pow(x, power));
        const Trajectory motion = simulate(System(m), test::asked(method.name, 1e-9, until));
        EXPECT_TRUE(motion.events.empty())
            << method.name << " " << until << ": " << motion.events[0].time << ", power " << power;
      }
}

TEST(Event, OthersAtTheInstantOfAStopAreRecorded) {
  Model m;
  const Coordinate x = m.coordinate("x", {.start = 0, .rate = 1});
  m.mass(x, 1);
  m.event("stop", x - 0.5, Model::Direction::both, true);
  m.event("mark", 2 * x - 1);
  const Trajectory motion = moved(m, 2);
  ASSERT_EQ(motion.events.size(), 2u);
  EXPECT_EQ(motion.events[0].name, "stop");
  EXPECT_EQ(motion.events[1].name, "mark");
}

/// Each finds the instant by numbers of its own, which differ by roundings of the dense output.
TEST(Event, AllOfTheInstantOfAStopAreRecordedByEveryMethod) {
  for (const char* integrator : {"dop853", "dopri5", "radau5", "extrapolation", "rk4"})
    for (int k = 0; k < 25; ++k) {
      const double place = -0.8 + 1.6 * k / 25 + 0.0137;
      Model m;
      const Coordinate x = m.coordinate("x", {.start = 1, .rate = 0.1});
      m.mass(x, 1);
      m.force(x, -1 * x - 0.2 * x * x * x);
      const std::vector<Expr> zeros = {x - place, exp(x - place) - 1, (x - place) * (x + 2),
                                       3 * x - 3 * place};
      for (std::size_t i = 0; i < zeros.size(); ++i)
        m.event("e" + std::to_string(i), zeros[i], Model::Direction::both, i == k % zeros.size());
      MotionOptions options;
      options.until = 20;
      options.integrator = integrator_named(integrator).value();
      if (options.integrator == Integrator::rk4) options.step = 0.05;
      const Trajectory motion = simulate(System(m), options);
      EXPECT_EQ(motion.stop, Stop::event);
      std::set<std::string> names;
      for (const EventRecord& e : motion.events) {
        names.insert(e.name);
        EXPECT_LE(e.time, motion.last.t) << integrator << ": " << e.name << " at " << place;
      }
      EXPECT_EQ(names.size(), zeros.size()) << integrator << " at " << place;
      EXPECT_EQ(motion.events.size(), zeros.size()) << integrator << " at " << place;
    }
}

TEST(Event, AZeroAtTheStartDoesNotCountNorOneThatRoundingPutsBehindIt) {
  Model m;
  const Coordinate x = m.coordinate("x", {.start = 3 * 0.1, .rate = -1});  // 0.30000000000000004
  m.mass(x, 1);
  m.event("start", x - 0.3, Model::Direction::both, true);
  m.event("later", x + 0.7);
  const Trajectory motion = moved(m, 2);
  EXPECT_EQ(motion.stop, Stop::end);
  ASSERT_EQ(motion.events.size(), 1u);
  EXPECT_EQ(motion.events[0].name, "later");
}

}  // namespace
}  // namespace vinculum
