// Events that touch zero in a corner, and those at the very instant where the forces switch.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "motion/systems.hpp"

namespace vinculum {
namespace {

using Times = std::vector<double>;

std::map<std::string, Times> times_of(const Trajectory& motion) {
  std::map<std::string, Times> times;
  for (const EventRecord& e : motion.events) times[e.name].push_back(e.time);
  return times;
}

void expect_times(const Times& found, const Times& truth, double within, const std::string& what) {
  ASSERT_EQ(found.size(), truth.size()) << what;
  for (std::size_t k = 0; k < truth.size(); ++k) EXPECT_NEAR(found[k], truth[k], within) << what;
}

/// When cos(rate t + phase) is c, before `until`.
Times passages(double rate, double phase, double c, double until) {
  Times times;
  for (const double side : {std::acos(c), -std::acos(c)})
    for (int turn = -2; turn < 40; ++turn)
      if (const double t = (side + 2 * M_PI * turn - phase) / rate; t > 1e-6 && t < until - 1e-6)
        times.push_back(t);
  std::sort(times.begin(), times.end());
  return times;
}

/// No finite force takes the motion from one side to the other, however small the jump is.
TEST(Jump, OfAConstraintStopsTheRunAndIsNamed) {
  for (const IntegratorInfo& method : integrators())
    for (const double jump : {1e-5, 1e-3, 1e-2, 0.5})
      for (const bool of_place : {true, false}) {
        Model m;
        const Particle p = m.particle("p", {.mass = 1, .velocity = {2, 0, 0}});
        m.gravity({0, 0, -9.81});
        m.constrain("flat", p.y);
        if (of_place)
          m.constrain("track", p.z - if_less(p.x, 1, 0, jump));
        else
          m.constrain("track", p.x.rate() - 2 * if_less(m.time(), 0.5, 1, 1 + jump));
        MotionOptions o = test::asked(method.name, 1e-9, 1);
        if (!method.adaptive) o.step = 0.01;
        const Trajectory motion = simulate(System(m), o);
        const std::string what = std::string(method.name) + ", " + std::to_string(jump);
        EXPECT_EQ(motion.stop, Stop::step_too_small) << what;
        EXPECT_NEAR(motion.last.t, 0.5, method.adaptive ? 1e-9 : 0.011) << what;
        EXPECT_NE(motion.reason.find("constraint 'track' asks for a jump"), std::string::npos)
            << what << ": " << motion.reason;
      }
}

TEST(Corner, ThatTouchesZeroIsFoundOnceWhereverInAStepItLies) {
  std::mt19937 dice(11);
  const auto between = [&](double a, double b) { return std::uniform_real_distribution<>(a, b)(dice); };
  for (int trial = 0; trial < 120; ++trial)
    for (const IntegratorInfo& method : integrators()) {
      const double rate = between(0.5, 4), phase = between(0, 6.28), until = between(3, 20);
      const double c = trial % 3 == 0 ? 0.0 : between(-0.9, 0.9), d = between(-0.9, 0.9);
      const double size = std::pow(10.0, trial % 4 * 3 - 6), tolerance = std::pow(10.0, between(-12, -6));
      Model m;
      const Coordinate x = m.coordinate("x", {size * std::cos(phase), -size * rate * std::sin(phase)});
      m.mass(x, 1.0);
      m.force(x, -rate * rate * x);
      m.event("modulus", abs(x - c * size));
      m.event("root", sqrt(pow(x - c * size, 2)));
      m.event("greater", max(x - c * size, c * size - x));
      m.event("either", min(abs(x - c * size), abs(x - d * size)));
      MotionOptions o;
      o.until = until;
      o.integrator = method.integrator;
      o.tolerance = tolerance;
      o.step = method.adaptive ? 0 : 0.01;
      const std::map<std::string, Times> found = times_of(simulate(System(m), o));
      const Times one = passages(rate, phase, c, until), other = passages(rate, phase, d, until);
      Times both = one;
      both.insert(both.end(), other.begin(), other.end());
      std::sort(both.begin(), both.end());
      const std::string what = method.name + " " + std::to_string(trial);
      for (const char* name : {"modulus", "root", "greater", "either"}) {
        const auto at = found.find(name);
        const bool is_either = std::string_view(name) == "either";
        expect_times(at == found.end() ? Times() : at->second, is_either ? both : one, 1e-3, what + name);
      }
    }
}

/// Thrown to and fro by a force that always points to x = c: parabolas, of which every instant is known.
TEST(Corner, AnEventWhereTheForcesSwitchIsFoundOnce) {
  std::mt19937 dice(12);
  const auto between = [&](double a, double b) { return std::uniform_real_distribution<>(a, b)(dice); };
  for (int trial = 0; trial < 80; ++trial)
    for (const IntegratorInfo& method : integrators()) {
      const double size = std::pow(10.0, trial % 3 * 5 - 5), force = size * between(0.5, 4);
      const double speed = size * between(0.5, 3), c = trial % 2 * 1.5 * size;
      const double below = between(0.05, 0.9) * speed * speed / (2 * force);
      const double rate = (trial % 4 < 2 ? 1 : -1) * std::sqrt(speed * speed - 2 * force * below);
      const double first = (speed - rate) / force, half = 2 * speed / force, until = between(3, 12) * half;
      Times through, turns;
      if (rate < 0) turns.push_back(first - 0.5 * half);
      for (double t = first; t < until; t += half) {
        through.push_back(t);
        if (t + 0.5 * half < until) turns.push_back(t + 0.5 * half);
      }
      Model m;
      const Coordinate x = m.coordinate("x", {c - below, rate});
      m.mass(x, 1.0);
      m.force(x, -force * sign(x - c));
      m.event("through", x - c);
      m.event("modulus", abs(x - c));
      m.event("turns", x.rate());
      MotionOptions o;
      o.until = until;
      o.integrator = method.integrator;
      o.tolerance = std::pow(10.0, between(-12, -6));
      o.step = method.adaptive ? 0 : half / 100;
      std::map<std::string, Times> found = times_of(simulate(System(m), o));
      const std::string what = method.name + " " + std::to_string(trial);
      expect_times(found["through"], through, 1e-3 * half, what + " through");
      expect_times(found["modulus"], through, 1e-3 * half, what + " modulus");
      expect_times(found["turns"], turns, 1e-3 * half, what + " turns");
    }
}

/// The last stage of a fixed step may come to lie on the switch itself, where sign(0) is of neither side.
TEST(Corner, AStageRightOnASwitchDoesNotSpoilAFixedStep) {
  const double force = 1.6684352310492185, rate = 0.9755404985901092, start = 1.474887208261813;
  Model m;
  const Coordinate x = m.coordinate("x", {start, rate});
  m.mass(x, 1.0);
  m.force(x, -force * sign(x - 1.5));
  MotionOptions o;
  o.until = 0.05;
  o.integrator = Integrator::rk4;
  o.step = 0.01219806534272394;
  const Trajectory motion = simulate(System(m), o);
  const double speed = std::sqrt(rate * rate + 2 * force * (1.5 - start)), at = (speed - rate) / force;
  EXPECT_NEAR(motion.last.v[0], speed - force * (0.05 - at), 1e-12);
}

/// Thrown to and fro in a hundred steps each way: every passage of the switch is the end of a step, up to
/// rounding, and one of them right on it.
TEST(Corner, AStepThatEndsOnASwitchIsFollowedByOneOfTheOtherSide) {
  const double force = 3.6384844849924436, speed = 0.68967570866146499, below = 0.039109784141841547,
               rate = 0.43709483810119054;
  const double first = (speed - rate) / force, half = 2 * speed / force;
  Model m;
  const Coordinate x = m.coordinate("x", {1.5 - below, rate});
  m.mass(x, 1.0);
  m.force(x, -force * sign(x - 1.5));
  MotionOptions o;
  o.until = first + 1.03 * half;
  o.integrator = Integrator::rk4;
  o.step = half / 100;
  const Trajectory motion = simulate(System(m), o);
  EXPECT_NEAR(motion.last.v[0], -speed + force * 0.03 * half, 1e-12);
}

/// The integral of max(0, sin(rate t + phase) - c).
double pushes(double rate, double phase, double c, double until) {
  const auto integral = [&](double t) { return -std::cos(rate * t + phase) / rate - c * t; };
  double sum = 0;
  for (int turn = -3; turn < 400; ++turn) {
    const double from = std::max(0.0, (std::asin(c) + 2 * M_PI * turn - phase) / rate),
                 to = std::min(until, (M_PI - std::asin(c) + 2 * M_PI * turn - phase) / rate);
    if (to > from) sum += integral(to) - integral(from);
  }
  return sum;
}

/// Forces that begin and end in corners, from rest: stages may stand between the pushes, all of them, and a
/// step over several is not taken for good.
TEST(Corner, PushesThatBeginAndEndInCornersAreNotSteppedOver) {
  std::mt19937 dice(5);
  const auto between = [&](double a, double b) { return std::uniform_real_distribution<>(a, b)(dice); };
  for (int trial = 0; trial < 24; ++trial) {
    const double rate = between(1, 12), phase = between(0, 6), c = between(0.3, 0.97);
    const double until = trial % 2 == 0 ? 20 : 50;
    Model m;
    const Coordinate x = m.coordinate("x", {0, 0});
    m.mass(x, 1.0);
    const Expr g = sin(rate * m.time() + phase) - c;
    m.force(x, trial % 4 == 0   ? max(0.0, g)
               : trial % 4 == 1 ? (abs(g) + g) / 2.0
               : trial % 4 == 2 ? -min(0.0, -g)
                                : if_less(0.0, g, g, 0.0));
    const System system(m);
    const double truth = pushes(rate, phase, c, until);
    for (const IntegratorInfo& method : integrators()) {
      if (!method.adaptive) continue;
      MotionOptions o;
      o.until = until;
      o.integrator = method.integrator;
      const Trajectory motion = simulate(system, o);
      ASSERT_EQ(motion.stop, Stop::end) << method.name << ", trial " << trial << ": " << motion.reason;
      EXPECT_NEAR(motion.last.v[0], truth, 1e-6 * std::max(truth, 1e-3))
          << method.name << ", trial " << trial;
    }
  }
}

/// The same of place: v^2/2 grows by the work of the push.
TEST(Corner, APushAtAPlaceIsNotSteppedOver) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1.5});
  m.mass(x, 1.0);
  m.force(x, max(0.0, 1.0 - abs(x - 5.0) / 0.3));
  const System system(m);
  for (const IntegratorInfo& method : integrators()) {
    if (!method.adaptive) continue;
    MotionOptions o;
    o.until = 50;
    o.integrator = method.integrator;
    const Trajectory motion = simulate(system, o);
    EXPECT_NEAR(motion.last.v[0], std::sqrt(1.5 * 1.5 + 2 * 0.3), 1e-7) << method.name;
  }
}

}  // namespace
}  // namespace vinculum
