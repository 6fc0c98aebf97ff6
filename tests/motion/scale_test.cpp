// Motions of any size, in any unit, are as exact as those around 1; what is next to nothing is taken as such.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "motion/systems.hpp"
#include "motion/until.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

using test::until;

/// As told, for every method that chooses its steps.
template <class Claim>
void each_method(const Model& model, double end, Claim claim) {
  for (const IntegratorInfo& method : integrators()) {
    if (!method.adaptive) continue;
    const Trajectory motion = simulate(System(model), test::asked(method.name, 1e-9, end));
    ASSERT_EQ(motion.stop, Stop::end) << method.name << ": " << motion.reason;
    SCOPED_TRACE(method.name);
    claim(motion);
  }
}

Model oscillator(double size) {
  return test::on_line(size, 0, [](auto& x, auto&) { return -1.0 * x; });
}

TEST(Scale, AnOscillationIsAsExactFromAnySize) {
  for (const double size : {1e-140, 1e-30, 1e-10, 1e-8, 1.0, 1e8, 1e100})
    each_method(oscillator(size), 20, [&](const Trajectory& motion) {
      // Ten times the tolerance, relative to the size.
      EXPECT_NEAR(motion.last.q[0] / size, std::cos(20.0), 1e-8) << size;
      EXPECT_NEAR(motion.last.v[0] / size, -std::sin(20.0), 1e-8) << size;
    });
}

/// A pendulum of one metre for ten seconds, told in other units.
State pendulum_in(double metre, double second, const std::string& method) {
  Model m;
  const Coordinate x = m.coordinate("x", {-metre, 0}), y = m.coordinate("y", {0.0, 0});
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.force(y, -9.81 * metre / (second * second));
  m.constrain("rod", pow(x, 2) + pow(y, 2), metre * metre);
  const Trajectory motion = simulate(System(m), until(10 * second, 1e-9, method));
  EXPECT_EQ(motion.stop, Stop::end) << method << " " << metre << " " << second << ": " << motion.reason;
  State end = motion.last;
  for (double& q : end.q) q /= metre;
  for (double& v : end.v) v *= second / metre;
  return end;
}

TEST(Scale, APendulumIsTheSameInKilometresAstronomicalUnitsAndNanometresAndYears) {
  for (const char* method : {"dop853", "dopri5", "radau5", "extrapolation"}) {
    const State here = pendulum_in(1, 1, method);
    const double kilometre = 1e-3, unit = 1 / 1.495978707e11, nano = 1e9, year = 1 / 3.15576e7;
    for (const auto& [metre, second] : {std::pair{kilometre, 1.0}, {unit, 1.0}, {nano, year}, {1.0, 1e9}}) {
      const State there = pendulum_in(metre, second, method);
      // Other bits begin another rounding, and radau chooses other pivots: within the tolerance of a step.
      const double allowed = std::string_view(method) == "radau5" ? 1e-7 : 1e-10;
      for (int i = 0; i < 2; ++i) {
        EXPECT_NEAR(there.q[i], here.q[i], allowed) << method << " " << metre << " " << second;
        EXPECT_NEAR(there.v[i], here.v[i], 10 * allowed) << method << " " << metre << " " << second;
      }
    }
  }
}

/// A pendulum of one metre whose rod is stated as so many times its equation, and once more as it is.
Model pendulum_with_rod(double times, bool twice) {
  Model m;
  const Coordinate x = m.coordinate("x", {-1.0, 0}), y = m.coordinate("y", {0.0, 0});
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.force(y, -9.81);
  m.constrain("rod", times * (pow(x, 2) + pow(y, 2)), times);
  if (twice) m.constrain("again", pow(x, 2) + pow(y, 2), 1.0);
  return m;
}

TEST(Scale, ARodWhoseSquaresAreNoNumbersHoldsAsOneDoes) {
  for (const char* method : {"dop853", "dopri5", "radau5", "extrapolation"}) {
    const State here = pendulum_in(1, 1, method);
    const double allowed = std::string_view(method) == "radau5" ? 1e-7 : 1e-10;
    for (const double times : {1e160, 1e250, 1e-150, 1e-160, 1e-200})
      for (const bool twice : {false, true}) {
        SCOPED_TRACE(method);
        SCOPED_TRACE(times);
        const Trajectory motion = simulate(System(pendulum_with_rod(times, twice)), until(10, 1e-9, method));
        ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
        for (int i = 0; i < 2; ++i) {
          EXPECT_NEAR(motion.last.q[i], here.q[i], allowed);
          EXPECT_NEAR(motion.last.v[i], here.v[i], 10 * allowed);
        }
        const std::string note =
            "the rank of A is not watched: the coefficients of 'rod' have squares that are no numbers; state "
            "it in other units";
        EXPECT_EQ(std::ranges::count(motion.notes, note), 1);
      }
  }
}

/// Of two rods that hold the same the larger one takes all of the force, as the least multipliers do.
TEST(Scale, TheForceOfRodsWhoseSquaresAreNoNumbersIsThatOfTheLeastMultipliers) {
  for (const double times : {1e160, 1e-160}) {
    MotionOptions options = until(1, 1e-9);
    options.samples = 5;
    const Trajectory motion = simulate(System(pendulum_with_rod(times, true)), options);
    ASSERT_EQ(motion.size(), 5);
    for (int i = 0; i < motion.size(); ++i) {
      const Sample s = motion[i];
      const double pull = 9.81 * s.q[1] - s.v[0] * s.v[0] - s.v[1] * s.v[1];  // along the rod, per metre
      EXPECT_NEAR(2 * times * s.multipliers[0], times > 1 ? pull : 0.0, 1e-7) << s.t;
      EXPECT_NEAR(2 * s.multipliers[1], times > 1 ? 0.0 : pull, 1e-7) << s.t;
    }
  }
}

TEST(Scale, AnAbsoluteToleranceSaysWhatDoesNoHarm) {
  const System system(oscillator(1e-6));
  MotionOptions coarse = until(20, 1e-9);
  coarse.absolute_tolerance = 1e-9;
  const Trajectory loose = simulate(system, coarse), tight = simulate(system, until(20, 1e-9));
  EXPECT_LT(2 * loose.steps, tight.steps);
  EXPECT_NEAR(loose.last.q[0], 1e-6 * std::cos(20.0), 1e-8);  // ten times what was asked
}

TEST(Scale, WhatStartsFromNothingUnderAForceThatGrowsHasAllItsDigits) {
  each_method(
      test::on_line(0, 0, [](auto&, auto& t) { return 1e-12 * pow(t, 3); }), 10,
      [](const Trajectory& motion) { EXPECT_NEAR(motion.last.q[0] / (1e-12 * 1e5 / 20), 1.0, 1e-8); });
}

TEST(Scale, AForceThatGrowsBehindASwitchMovesWhatRests) {
  each_method(test::on_line(0, 0, [](auto&, auto& t) { return max(Expr(0.0), t - 1.0); }), 3,
              [](const Trajectory& motion) { EXPECT_NEAR(motion.last.q[0], 8.0 / 6, 1e-8); });
}

TEST(Scale, ASmallCoordinateBesideLargeOnesIsAsExactAsAlone) {
  // A satellite that swings by a milliradian on an orbit of seven thousand kilometres.
  for (const double inertia : {100.0, 0.01}) {
    Model m;
    const Coordinate x = m.coordinate("x", {7e6, 0}), y = m.coordinate("y", {0, 7546.05}),
                     phi = m.coordinate("phi", {1e-3, 0});
    m.mass(x, 1000.0);
    m.mass(y, 1000.0);
    m.mass(phi, inertia);
    const Expr r = sqrt(pow(x, 2) + pow(y, 2));
    m.force(x, -1000 * 3.986e14 * x / pow(r, 3));
    m.force(y, -1000 * 3.986e14 * y / pow(r, 3));
    m.force(phi, -inertia * 0.05 * 0.05 * phi);
    const Trajectory motion = simulate(System(m), until(3000, 1e-9));
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    EXPECT_NEAR(motion.last.q[2] / 1e-3, std::cos(150.0), 1e-8) << inertia;
  }
}

TEST(Scale, AWeldWithVelocitiesOfRoundingHolds) {
  for (const double velocity : {1e-15, 1e-18, 1e-30}) {
    Model m;
    m.gravity({0, 0, -9.81});
    BodyOptions o;
    o.position = {1, 0, 0};
    o.velocity = {velocity, -2 * velocity, velocity};
    o.omega_body = {velocity, velocity, -3 * velocity};
    const Body b = m.body("b", o);
    JointOptions j;
    j.type = JointType::weld;
    m.joint("w", Part(), b, j);
    const Trajectory motion = simulate(System(m), until(1, 1e-9));
    ASSERT_EQ(motion.stop, Stop::end) << velocity << ": " << motion.reason;
    EXPECT_NEAR(motion.last.q[0], 1, 1e-14);
  }
}

TEST(Scale, AStartWhereARowVanishesGoesOnAsTheMotionBehindIt) {
  // Along the line of the start: x'' (1 + 2/4) = 0.3 - 1/2.
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1}), y = m.coordinate("y", {0, 0.5});
  m.mass(x, 1.0);
  m.mass(y, 2.0);
  m.force(x, 0.3);
  m.force(y, -1.0);
  m.constrain("row", x * y.rate() - y * x.rate());
  for (const double tolerance : {1e-6, 1e-9, 1e-12}) {
    const Trajectory motion = simulate(System(m), until(2, tolerance));
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    const double expected = 2 - 0.5 * 0.2 / 1.5 * 4;
    EXPECT_NEAR(motion.last.q[0], expected, 10 * tolerance) << tolerance;
    EXPECT_NEAR(motion.last.q[1], expected / 2, 10 * tolerance) << tolerance;
    ASSERT_EQ(motion.rank_changes.size(), 1u);
    EXPECT_EQ(motion.rank_changes[0].time, 0);
    EXPECT_EQ(motion.rank_changes[0].constraints, std::vector<std::string>{"row"});
  }
}

TEST(Scale, ARowThatVanishesInsideALongStepIsRecorded) {
  Model m;
  const Coordinate x = m.coordinate("x", {-0.4077, 1}), y = m.coordinate("y", {1, 0});
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.force(y, 0.3);
  m.constrain("row", x * y.rate());
  for (const double tolerance : {1e-3, 1e-6, 1e-9, 1e-12}) {
    const Trajectory motion = simulate(System(m), until(10, tolerance));
    ASSERT_EQ(motion.rank_changes.size(), 1u) << tolerance;
    EXPECT_NEAR(motion.rank_changes[0].time, 0.4077, 1e-9) << tolerance;
  }
}

TEST(Scale, APointMassOnAHingeIsNowhereNearASingularPosition) {
  for (const double inertia : {0.0, 1e-6}) {
    Model m;
    m.gravity({0, 0, -9.81});
    BodyOptions o;
    o.inertia = {inertia, inertia, inertia, 0.0, 0.0, 0.0};
    o.position = {1, 0, 0};
    const Body b = m.body("b", o);
    JointOptions j;
    j.type = JointType::revolute;
    j.axis = {0, 1, 0};
    m.joint("h", Part(), b, j);
    const Trajectory motion = simulate(System(m), until(10, 1e-9));
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    EXPECT_TRUE(motion.notes.empty()) << motion.notes.front();
  }
}

/// x + 1000 - 1000 - x is rounding and nothing else; a thousand times that is more than the tolerance asks
/// for.
TEST(Scale, StepsHeldToTheRoundingOfTheForcesAreTold) {
  for (const bool noisy : {true, false}) {
    Model m;
    const Coordinate x = m.coordinate("x", {1, 0});
    m.mass(x, 1.0);
    m.force(x, -x);
    if (noisy) m.force(x, 1e3 * ((x + 1000 * cos(0 * x)) - 1000 - x));
    MotionOptions options;
    options.until = 2;
    options.tolerance = 1e-13;
    options.integrator = Integrator::extrapolation;
    const Trajectory motion = simulate(System(std::move(m)), options);
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    EXPECT_NEAR(motion.last.q[0], std::cos(2), 1e-9);
    const bool told = std::any_of(motion.notes.begin(), motion.notes.end(), [](const std::string& note) {
      return note.find("the rounding of the forces") != std::string::npos;
    });
    EXPECT_EQ(told, noisy);
  }
}

}  // namespace
}  // namespace vinculum
