// Series with more in them than ideal constraints, against what is known in closed form; and where they end.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "motion/series_models.hpp"
#include "system/series/motion_series.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

constexpr int order = 16;

/// Coefficients of all coordinates, from the start.
std::vector<std::vector<double>> series_of(const Model& model) {
  const System system(model);
  EXPECT_EQ(why_no_series(system), "");
  MotionSeries series(system, order);
  Workspace work(system);
  EXPECT_EQ(series.expand(system.start(), {}, 1.0, work), SeriesFound::all);
  std::vector<std::vector<double>> all;
  for (int k = 0; k <= order; ++k)
    all.emplace_back(series.coordinates(k), series.coordinates(k) + system.start().q.size());
  return all;
}

double sum_of(const std::vector<std::vector<double>>& series, int i, double t) {
  double sum = 0;
  for (int k = order; k >= 0; --k) sum = series[k][i] + t * sum;
  return sum;
}

Trajectory run(const Model& model, Integrator integrator, double until, double tolerance) {
  MotionOptions o;
  o.until = until;
  o.samples = 1;
  o.tolerance = tolerance;
  o.integrator = integrator;
  Trajectory motion = simulate(System(model), o);
  EXPECT_EQ(motion.stop, Stop::end) << motion.reason;
  return motion;
}

std::string passed_steps(const Trajectory& motion) {
  for (const std::string& note : motion.notes)
    if (note.find("in the place of taylor") != note.npos) return note;
  return "";
}

double apart(const Trajectory& one, const Trajectory& other) {
  double most = 0;
  for (std::size_t i = 0; i < one.last.q.size(); ++i)
    most = std::max(most, std::fabs(one.last.q[i] - other.last.q[i]));
  return most;
}

/// v' = -c v: the coefficients are those of an exponential.
TEST(TaylorForces, DragLeavesAnExponential) {
  Model m;
  const Particle p = m.particle("p", {.mass = 2, .position = {0, 0, 0}, .velocity = {3, 0, 0}});
  m.gravity({0, 0, -9.81});
  m.constrain("floor", p.z);
  m.nonideal(p, {-1.4 * p.x.rate(), 0.0, 5.0});  // what is across the floor is taken up by it
  const auto series = series_of(m);
  double known = 3;
  for (int k = 1; k <= order; ++k) {
    EXPECT_NEAR(series[k][0], known, 1e-15 * std::fabs(known) + 1e-18) << k;
    EXPECT_NEAR(series[k][2], 0, 1e-18);
    known *= -0.7 / (k + 1);
  }
}

/// Down a slope with friction the acceleration is g (sin a - mu cos a), and nothing comes behind it.
TEST(TaylorForces, WhatSlidesDownASlopeHasAParabola) {
  Model m;
  const double rise = 0.75, mu = 0.3;  // sin a = 0.6, cos a = 0.8
  const Particle p = m.particle("p", {.mass = 2, .position = {0, 0, 0}, .velocity = {0.8, 0, -0.6}});
  m.gravity({0, 0, -10});
  m.constrain("slope", p.z + rise * p.x);
  m.friction("slope", mu);
  const auto series = series_of(m);
  const double a = 10 * (0.6 - mu * 0.8);
  EXPECT_NEAR(series[2][0], 0.5 * a * 0.8, 1e-14);
  EXPECT_NEAR(series[2][2], -0.5 * a * 0.6, 1e-14);
  for (int k = 3; k <= order; ++k)  // rounding of u/|u| grows as a power of a/|u|
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(series[k][i], 0, 1e-15 * std::pow(a, k)) << k;
}

/// A ring presses with m v^2/R, so that v' = -mu v^2/R and the angle is ln(1 + mu v t/R)/mu.
TEST(TaylorForces, ARingThatRubsLeavesALogarithm) {
  const double R = 0.5, v = 2, mu = 0.4, t = 0.1;
  for (const bool written_out : {false, true}) {
    Model m;
    const Coordinate x = m.coordinate("x", {R, 0}), y = m.coordinate("y", {0, v});
    m.mass(x, 3);
    m.mass(y, 3);
    m.constrain("ring", x * x + y * y, R * R);
    if (written_out) {
      const Expr force = hypot(m.reaction("ring", x), m.reaction("ring", y)),
                 speed = hypot(x.rate(), y.rate());
      m.nonideal(x, -mu * force * x.rate() / speed);
      m.nonideal(y, -mu * force * y.rate() / speed);
    } else {
      m.friction("ring", mu);
    }
    const auto series = series_of(m);
    const double angle = std::log(1 + mu * v * t / R) / mu;
    EXPECT_NEAR(sum_of(series, 0, t), R * std::cos(angle), 1e-12);
    EXPECT_NEAR(sum_of(series, 1, t), R * std::sin(angle), 1e-12);
  }
}

/// Whatever else moves, a programme is followed in every order.
TEST(TaylorForces, ActuatorsFollowTheSeriesOfTheirProgramme) {
  const auto series = series_of(test::led_rod());  // x + u = 1.3 - 0.3 cos t,  y + w = 0.4 t
  double power = 1;                                // 1/k!
  for (int k = 1; k <= order; ++k) {
    power /= k;
    const double cosine = k % 2 == 1 ? 0.0 : k % 4 == 0 ? power : -power;
    EXPECT_NEAR(series[k][0] + series[k][2], -0.3 * cosine, 1e-12) << k;
    EXPECT_NEAR(series[k][1] + series[k][3], k == 1 ? 0.4 : 0.0, 1e-12) << k;
  }
}

/// The floor lets go, pulls for a while, and presses again: all of that within what one step would be.
TEST(TaylorForces, AForceThatTurnsWithinAStepIsNotPassedOver) {
  for (const bool written_out : {false, true}) {
    Model m;
    const Particle p = m.particle("p", {.mass = 1, .position = {0, 0, 0}, .velocity = {9, 1, 0}});
    m.force(p.z, 3 * pow(m.time() - 1, 2) - 0.03);
    m.constrain("floor", p.z);
    if (written_out) {
      const Expr part = 0.5 * sqrt(pow(m.reaction("floor", p.z), 2)) / hypot(p.x.rate(), p.y.rate());
      m.nonideal(p, {-part * p.x.rate(), -part * p.y.rate(), 0.0});
    } else {
      m.friction("floor", 0.5);
    }
    const Trajectory truth = run(m, Integrator::dop853, 2, 1e-13),
                     motion = run(m, Integrator::taylor, 2, 1e-9);
    EXPECT_LT(apart(truth, motion), 1e-7);
    EXPECT_NE(passed_steps(motion), "");
  }
}

/// A rough patch in a law that was taken for friction: no one else watches where it begins and ends.
TEST(TaylorForces, APatchInALawOfFrictionIsNotPassedOver) {
  Model m;
  const Particle p = m.particle("p", {.mass = 1, .position = {0, 0, 0}, .velocity = {3, 0.5, 0}});
  m.gravity({0, 0, -9.81});
  m.constrain("floor", p.z);
  const Expr rough = if_less(abs(p.x - 2), 0.05, 0.8, 0.01);
  const Expr part = rough * abs(m.multiplier("floor")) / hypot(p.x.rate(), p.y.rate());
  m.nonideal(p, {-part * p.x.rate(), -part * p.y.rate(), 0.0});
  const Trajectory truth = run(m, Integrator::dop853, 1.5, 1e-12),
                   motion = run(m, Integrator::taylor, 1.5, 1e-9);
  EXPECT_LT(apart(truth, motion), 1e-6);
}

TEST(TaylorForces, WhatHoldsOrHasNoDirectionIsMadeByAnotherMethod) {
  Model m;
  const Particle p = m.particle("p", {.mass = 1, .position = {0, 0, 0}});
  m.gravity({0, 0, -9.81});
  m.force(p.x, 3 * m.time());
  m.constrain("floor", p.z);
  m.friction("floor", 0.1);
  const Trajectory motion = run(m, Integrator::taylor, 2, 1e-9);
  const double rest = 2 - 0.981 / 3;  // x'' = 3 (t - t0) for that time
  EXPECT_NEAR(motion.last.q[0], 0.5 * rest * rest * rest, 1e-7);
  EXPECT_NE(passed_steps(motion).find("friction"), std::string::npos) << passed_steps(motion);

  Model twice;  // two rows with one force between them
  const Coordinate x = twice.coordinate("x", {0, 1}), z = twice.coordinate("z", {0, 0});
  twice.mass(x, 1);
  twice.mass(z, 1);
  twice.force(z, -9.81);
  twice.constrain("floor", z);
  twice.constrain("again", 2 * z);
  twice.nonideal(x, -0.1 * abs(twice.multiplier("floor")));
  EXPECT_NE(passed_steps(run(twice, Integrator::taylor, 0.5, 1e-9)).find("not unique"), std::string::npos);
}

TEST(TaylorForces, WhatHasNoSeriesAtAllIsSaid) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1}), y = m.coordinate("y", {0, 1});
  m.mass(x, 1);
  m.mass(y, 1);
  m.constrain("course", x + y, 2 * m.time());
  ServoOptions by;
  by.actuators = {x, y};
  m.servo("course", by);
  EXPECT_EQ(why_no_series(System(m)), "it has no series of what actuators share");

  Model box;  // a place that is carried along by three rows
  const Particle p = box.particle("p", {.mass = 1, .position = {0, 0, 0}, .velocity = {1, 0, 0.5}});
  box.constrain("lift", Vector{p.y, p.z, 0.0}, Vector{0.0, 0.5 * box.time(), 0.0});
  box.friction("lift", 0.1);
  EXPECT_EQ(why_no_series(System(box)), "it has no series of friction on what several rows move");
}

/// Off a switch that has held it, on the side where the motion goes.
TEST(TaylorForces, ASwitchThatLetsGoIsLeftByASeries) {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 0.5});
  m.mass(x, 1);
  m.force(x, -2 * sign(x.rate()) + 3 * m.time());
  const Trajectory motion = run(m, Integrator::taylor, 3, 1e-9), truth = run(m, Integrator::dop853, 3, 1e-13);
  EXPECT_LT(apart(motion, truth), 1e-7);
}

}  // namespace
}  // namespace vinculum
