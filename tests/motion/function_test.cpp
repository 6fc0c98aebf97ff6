// Motions under a force written in C++.
#include <gtest/gtest.h>

#include <cmath>

#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

enum class As { expression, function, function_without_derivative };

/// A pendulum with drag: -v |v| - c v, smooth in v by sqrt(v^2 + 0.01); with a large c it is stiff.
Model braked(As as, double c) {
  Model m;
  const Coordinate x = m.coordinate("x", {.start = 1.2}), y = m.coordinate("y", {.start = -1.6});
  OpaqueFunction drag{.name = "drag", .arguments = 1, .value = {}, .gradient = nullptr};
  drag.value = [c](std::span<const double> v) { return -v[0] * std::sqrt(v[0] * v[0] + 0.01) - c * v[0]; };
  if (as == As::function)
    drag.gradient = [c](std::span<const double> v, std::span<double> d) {
      const double size = std::sqrt(v[0] * v[0] + 0.01);
      d[0] = -size - v[0] * v[0] / size - c;
    };
  const Function f = m.function(drag);
  for (const Coordinate& q : {x, y}) {
    m.mass(q, 2.0);
    const Expr v = q.rate();
    m.force(q, as == As::expression ? -v * sqrt(v * v + 0.01) - c * v : f(v));
  }
  m.force(y, -2.0 * 9.81);
  m.constrain("rod", x * x + y * y, 4.0);
  return m;
}

Trajectory run(As as, Integrator integrator, double c = 2) {
  MotionOptions o;
  o.until = 2;
  o.integrator = integrator;
  o.tolerance = 1e-8;
  if (integrator == Integrator::rk4) o.step = 0.002;
  return simulate(System(braked(as, c)), o);
}

TEST(MotionFunction, MovesAsTheSameExpressionByEveryMethod) {
  for (const IntegratorInfo& method : integrators())
    for (const As as : {As::function, As::function_without_derivative}) {
      const Trajectory stated = run(As::expression, method.integrator), called = run(as, method.integrator);
      ASSERT_EQ(called.stop, Stop::end) << method.name << ": " << called.reason;
      for (std::size_t i = 0; i < 2; ++i)  // both are within the tolerance, or take the same fixed steps
        EXPECT_NEAR(called.last.q[i], stated.last.q[i], 2e-8) << method.name;
    }
}

constexpr double stiff = 2e4;
const auto run_stiff = [](As as, Integrator integrator) { return run(as, integrator, stiff); };

/// With its derivative given, Newton's method goes as with the expression's own: so many evaluations.
TEST(MotionFunction, RadauUsesTheDerivativeGiven) {
  const Trajectory stated = run_stiff(As::expression, Integrator::radau5),
                   called = run_stiff(As::function, Integrator::radau5);
  EXPECT_EQ(called.steps, stated.steps);
  EXPECT_LT(stated.steps, run_stiff(As::expression, Integrator::dop853).steps / 3);  // it is stiff indeed
  EXPECT_TRUE(called.notes.empty()) << called.notes.front();
}

TEST(MotionFunction, RadauSaysWhatItDoesWithoutADerivative) {
  const Trajectory called = run_stiff(As::function_without_derivative, Integrator::radau5);
  ASSERT_EQ(called.notes.size(), 1u);
  EXPECT_EQ(
      called.notes[0],
      "radau5 takes difference quotients of the function drag, of which no derivative was given: its steps "
      "may be shorter, their error is controlled all the same");
  EXPECT_LT(called.steps, run_stiff(As::expression, Integrator::dop853).steps / 3);  // and they serve
  EXPECT_TRUE(run_stiff(As::function_without_derivative, Integrator::dop853).notes.empty());
}

/// How often the forces are evaluated in a motion of a hundred steps that follows a programme.
long force_calls(int samples) {
  long calls = 0;
  Model m;
  const Coordinate x = m.coordinate("x", {.rate = 1}), y = m.coordinate("y");
  OpaqueFunction counted{.name = "counted", .arguments = 1, .value = {}, .gradient = nullptr};
  counted.value = [&calls](std::span<const double> q) {
    ++calls;
    return -q[0];
  };
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.force(y, m.function(counted)(y));
  m.constrain("programme", x + y, sin(m.time()));
  m.servo("programme");
  MotionOptions o;
  o.until = 1;
  o.integrator = Integrator::rk4;
  o.step = 0.01;
  o.samples = samples;
  const Trajectory motion = simulate(System(m), o);
  EXPECT_EQ(motion.size(), samples == 0 ? 101 : samples);
  return calls;
}

/// A programme is watched in every step, for which its state is solved: to record it takes the energy, with
/// the power of the forces, and no second solve.
TEST(MotionFunction, ARecordedStepSolvesItsStateOnce) {
  constexpr long steps = 100;
  EXPECT_LE(force_calls(0), force_calls(1) + steps + 2);
}

}  // namespace
}  // namespace vinculum
