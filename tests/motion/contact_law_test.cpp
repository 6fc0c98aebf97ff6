// Frictions written out as -L u/|u|: they hold at rest as friction = mu does; and runs that stand still end.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "motion/until.hpp"
#include "vinculum/expr/vector.hpp"
#include "vinculum/motion/simulate.hpp"
#include "vinculum/motion/verify.hpp"

namespace vinculum {
namespace {

using test::until;

constexpr double g = 9.81;

/// A bead on a ring that stands upright, with the friction of the ring written out.
struct Bead {
  Model model;
  Coordinate x, y;
  Bead(double mu, double speed, bool odd = false) {
    x = model.coordinate("x", {0, speed});
    y = model.coordinate("y", {-0.5, 0});
    model.mass(x, 0.4);
    model.mass(y, 0.4);
    model.force(y, -0.4 * g);
    model.constrain("ring", x * x + y * y, 0.25);
    const Expr fx = model.reaction("ring", x), fy = model.reaction("ring", y);
    const Expr speed_now = odd ? sqrt(pow(x.rate(), 2) + pow(y.rate(), 2) + pow(x.rate() * y.rate(), 2))
                               : hypot(x.rate(), y.rate());
    for (const Coordinate& c : {x, y})
      model.nonideal(c, -mu * sqrt(fx * fx + fy * fy) * c.rate() / speed_now);
  }
};

TEST(FrictionLaw, ABeadOnARingComesToRestInFewStepsAndStays) {
  const System system(Bead(0.2, 1e-2).model);
  const Trajectory motion = simulate(system, until(0.05, 1e-9));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  EXPECT_LT(motion.steps, 200);
  // Near the bottom it is braked by mu (g + v^2/R) + g sin: rest after v0/(mu g), to first order in v0.
  ASSERT_EQ(motion.grip_changes.size(), 1u);
  EXPECT_EQ(motion.grip_changes[0].constraint, "hypot(x', y') = 0");
  EXPECT_TRUE(motion.grip_changes[0].sticks);
  EXPECT_NEAR(motion.grip_changes[0].time, 1e-2 / (0.2 * g), 1e-5);
  EXPECT_EQ(motion.last.v[0], 0.0);
  EXPECT_EQ(motion.last.v[1], 0.0);
}

TEST(FrictionLaw, TheLawWrittenOutMovesAsFrictionDoes) {
  const double mu = 0.3;
  double end[2][3];
  for (const bool written : {false, true}) {
    Model model;
    const Particle p = model.particle("p", {.mass = 2.0, .velocity = {1.0, 0.5, 0}});
    model.gravity({0, 0, -g});
    model.force(p, Vector{1.5 * sin(3 * model.time()), 0.5, 0});
    model.constrain("table", p.z);
    if (written)
      model.nonideal(p, -mu * abs(model.reaction("table", p.z)) * p.velocity() / norm(p.velocity()));
    else
      model.friction("table", mu);
    const Trajectory motion = simulate(System(model), until(1.5));
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    std::copy_n(motion.last.q.begin(), 3, end[written]);
    EXPECT_EQ(motion.grip_changes.size(), 1u);
  }
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(end[1][i], end[0][i], 1e-10);
}

TEST(FrictionLaw, ABlockOnASlopeSticksWithinTheConeAndSlidesBeyond) {
  for (const double mu : {0.7, 0.4}) {
    Model model;
    const double a = std::atan(0.5);
    const Coordinate x = model.coordinate("x"), y = model.coordinate("y");
    model.mass(x, 1);
    model.mass(y, 1);
    model.force(y, -g);
    model.constrain("slope", y + 0.5 * x);
    const Expr n = sqrt(pow(model.reaction("slope", x), 2) + pow(model.reaction("slope", y), 2));
    const Expr speed = sqrt(pow(x.rate(), 2) + pow(y.rate(), 2));
    model.nonideal(x, -mu * n * x.rate() / speed);
    model.nonideal(y, -mu * n * (y.rate() / speed));
    const Trajectory motion = simulate(System(model), until(1));
    ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
    const double down = mu > 0.5 ? 0.0 : g * (std::sin(a) - mu * std::cos(a));
    EXPECT_NEAR(motion.last.q[0], 0.5 * down * std::cos(a), 1e-10) << mu;
  }
}

TEST(FrictionLaw, ABeltCarriesWhatHasComeToRestOnIt) {
  // A puck thrown across a belt that runs with 2 along x: it slides straight in the frame of the belt.
  const double mu = 0.4;
  Model model;
  const Coordinate x = model.coordinate("x"), y = model.coordinate("y", {0, 1.5});
  model.mass(x, 3);
  model.mass(y, 3);
  const Expr u = x.rate() - 2.0, speed = hypot(u, y.rate());
  model.nonideal(x, -mu * 3 * g * u / speed);
  model.nonideal(y, -mu * 3 * g * y.rate() / speed);
  const Trajectory motion = simulate(System(model), until(1));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  const double stop = 2.5 / (mu * g);  // |u| = 2.5 at the start
  ASSERT_EQ(motion.grip_changes.size(), 1u);
  EXPECT_NEAR(motion.grip_changes[0].time, stop, 1e-10);
  EXPECT_NEAR(motion.last.q[0], 2.0 * 1.0 - 0.5 * 2.0 * stop, 1e-10);
  EXPECT_NEAR(motion.last.q[1], 0.5 * 1.5 * stop, 1e-10);
  EXPECT_NEAR(motion.last.v[0], 2.0, 1e-14);
}

TEST(FrictionLaw, ABeadInSpaceComesToRestOnItsWire) {
  // The wire z = x, y = 0 under gravity, within its cone: thrown upward it stops and stays.
  Model model;
  const double v = 2.0, mu = 1.5, s = std::sqrt(0.5);
  const Particle p = model.particle("p", {.mass = 1.0, .velocity = {v * s, 0, v * s}});
  model.gravity({0, 0, -g});
  model.constrain("wire", Vector{p.z - p.x, p.y, 0.0 * p.x});
  Expr square = 0;
  for (const Coordinate& c : {p.x, p.y, p.z}) square += pow(model.reaction("wire", c), 2);
  model.nonideal(p, -mu * sqrt(square) * p.velocity() / norm(p.velocity()));
  const Trajectory motion = simulate(System(model), until(2));
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  const double braking = g * s * (1 + mu), stop = v / braking;
  ASSERT_EQ(motion.grip_changes.size(), 1u);
  EXPECT_NEAR(motion.grip_changes[0].time, stop, 1e-10);
  EXPECT_NEAR(motion.last.q[0], 0.5 * v * stop * s, 1e-10);
  EXPECT_EQ(motion.last.v[2], 0.0);
}

TEST(FrictionLaw, ARunThatStandsStillEndsSoonAndNamesTheLaw) {
  for (const char* method : {"dop853", "dopri5", "extrapolation"}) {
    MotionOptions options = until(0.05, 1e-9);
    options.integrator = integrator_named(method).value();
    const Trajectory motion = simulate(System(Bead(0.2, 1e-2, true).model), options);
    EXPECT_LT(motion.steps, 20000) << method;
    if (motion.stop == Stop::end) continue;  // its steps have passed over the rest
    EXPECT_EQ(motion.stop, Stop::step_too_small) << motion.reason;
    EXPECT_NE(motion.reason.find("divides by sqrt("), std::string::npos) << method << motion.reason;
  }
}

TEST(FrictionLaw, AStatedForceThatDividesByASpeedEndsAtRestAndIsNamedByEveryMethod) {
  Model model;
  const Coordinate x = model.coordinate("x", {0, 1}), y = model.coordinate("y", {0, 0.5});
  const Expr speed = hypot(x.rate(), y.rate());
  for (const Coordinate& c : {x, y}) {
    model.mass(c, 1.0);
    model.force(c, -0.3 * c.rate() / speed);
  }
  for (const IntegratorInfo& method : integrators()) {
    if (!method.adaptive) continue;
    MotionOptions options = until(10, 1e-9);
    options.integrator = method.integrator;
    const System system(model);
    const Trajectory motion = simulate(system, options);
    // Long steps may pass over the rest; a second computation tells.
    if (motion.stop == Stop::end) {
      const Verification v = verify(system, motion, options);
      EXPECT_TRUE(v.doubtful || v.outcome == Verification::Outcome::cut_short) << method.name << v.text;
      continue;
    }
    EXPECT_EQ(motion.stop, Stop::step_too_small) << method.name << ": " << motion.reason;
    EXPECT_NEAR(motion.last.t, std::sqrt(1.25) / 0.3, 1e-5) << method.name;
    EXPECT_NE(motion.reason.find("the force on 'x' divides by hypot(x', y')"), std::string::npos)
        << method.name << ": " << motion.reason;
  }
}

TEST(FrictionLaw, AForceAlongTheMotionHasNoDirectionAtRest) {
  Model model;
  const Coordinate x = model.coordinate("x"), y = model.coordinate("y");
  model.mass(x, 1);
  model.mass(y, 1);
  for (const Coordinate& c : {x, y}) model.nonideal(c, 2 * c.rate() / hypot(x.rate(), y.rate()));
  EXPECT_EQ(simulate(System(model), until(1)).stop, Stop::not_finite);
}

}  // namespace
}  // namespace vinculum
