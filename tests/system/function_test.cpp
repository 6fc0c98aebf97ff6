// A force written in C++ against the same force as an expression.
#include <gtest/gtest.h>

#include <cmath>

#include "system/system_impl.hpp"
#include "vinculum/system/batch.hpp"

namespace vinculum {
namespace {

/// -c v^3 - k x, of k, c, x and v.
OpaqueFunction pull(bool with_derivative) {
  OpaqueFunction f{.name = "pull", .arguments = 4, .value = {}, .gradient = nullptr};
  f.value = [](std::span<const double> at) { return -at[1] * (at[3] * at[3] * at[3]) - at[0] * at[2]; };
  if (with_derivative)
    f.gradient = [](std::span<const double> at, std::span<double> d) {
      d[0] = -at[2];
      d[1] = -(at[3] * at[3] * at[3]);
      d[2] = -at[0];
      d[3] = -at[1] * 3 * (at[3] * at[3]);
    };
  return f;
}

enum class As { expression, function, function_without_derivative };

/// Masses in a row on rods, each with its own constants: forces of one shape, in groups of eight lanes.
Model row_of(int masses, As as) {
  Model m;
  const Expr k = m.parameter("k", 2.0);
  std::optional<Function> f;
  if (as != As::expression) f = m.function(pull(as == As::function));
  for (int i = 0; i < masses; ++i) {
    const std::string n = std::to_string(i);
    const Coordinate x = m.coordinate("x" + n, {.start = 0.6 + i, .rate = 0.4}),
                     y = m.coordinate("y" + n, {.start = 0.8, .rate = -0.3});
    for (const Coordinate& q : {x, y}) {
      m.mass(q, 1.0 + 0.1 * i);
      const Expr c = 0.5 + 0.25 * i;
      m.force(q, f ? (*f)(k, c, q, q.rate()) : -c * pow(q.rate(), 3) - k * q);
    }
    m.constrain("rod" + n, pow(x - i, 2) + pow(y, 2), 1.0);
  }
  return m;
}

TEST(SystemFunction, MovesAsTheSameExpression) {
  for (const int masses : {1, 3, 20}) {  // by closed forms, and by groups of eight
    const System one(row_of(masses, As::expression)), other(row_of(masses, As::function));
    const Solution a = solve(one, one.start()), b = solve(other, other.start());
    ASSERT_EQ(b.status, Status::solved);
    for (std::size_t i = 0; i < a.acceleration.size(); ++i)
      EXPECT_NEAR(b.acceleration[i], a.acceleration[i], 1e-13) << masses;
    EXPECT_EQ(other.group_count(),
              one.group_count());  // the function is part of the shape and shares kernels
  }
}

TEST(SystemFunction, GivesEveryLaneItsOwnState) {
  const System system(row_of(2, As::function));
  StateBatch states;
  const State& start = system.start();
  std::vector<std::vector<double>> expected;
  states.q.resize(8 * start.q.size());
  states.v.resize(8 * start.v.size());
  Workspace work(system);
  for (int lane = 0; lane < 8; ++lane) {
    State at = start;
    for (double& v : at.v) v *= 1 + 0.1 * lane;
    for (std::size_t i = 0; i < at.q.size(); ++i) states.q[8 * i + lane] = at.q[i];
    for (std::size_t i = 0; i < at.v.size(); ++i) states.v[8 * i + lane] = at.v[i];
    expected.push_back(solve(system, at, {.road = Road::fast, .detail = Detail::motion}).acceleration);
  }
  BatchWorkspace lanes(system);
  std::vector<double> acceleration(states.v.size());
  accelerate(system, states, lanes, acceleration);
  for (int lane = 0; lane < 8; ++lane)
    for (std::size_t i = 0; i < start.v.size(); ++i)
      EXPECT_NEAR(acceleration[8 * i + lane], expected[lane][i], 1e-13) << lane;
}

TEST(SystemFunction, FollowsParametersThatLive) {
  const System living(row_of(3, As::function), std::vector<std::string>{"k"});
  Parameters p = living.parameters();
  p["k"] = 5;
  const System changed = living.with(p);
  Model stated = row_of(3, As::expression);
  const System same = System(stated, std::vector<std::string>{"k"}).with(p);
  const std::vector<double> a = solve(changed, changed.start()).acceleration,
                            b = solve(same, same.start()).acceleration;
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-13);
  EXPECT_GT(std::fabs(a[2] - solve(living, living.start()).acceleration[2]), 0.1);
}

/// With the derivative given as exact as the expression's own; difference quotients have half the digits.
TEST(SystemFunction, HasATangent) {
  const System one(row_of(3, As::expression));
  const State& at = one.start();
  const std::vector<double> a(at.v.size(), 0.3), lambda(3, 0.7);
  const auto tangent_of = [&](const System& system) {
    const Tangent& tangent = system.impl().tangent();
    Tangent::Scratch scratch(tangent, system.values().numbers);
    Tangent::Numbers numbers = scratch.pattern();
    tangent.evaluate(at.t, at.q.data(), at.v.data(), a.data(), lambda.data(), scratch, numbers);
    return numbers;
  };
  const Tangent::Numbers want = tangent_of(one);
  for (const auto& [as, allowed] :
       {std::pair(As::function, 1e-13), std::pair(As::function_without_derivative, 1e-7)}) {
    const Tangent::Numbers got = tangent_of(System(row_of(3, as)));
    EXPECT_EQ(got.force_by_v.column, want.force_by_v.column);
    for (std::size_t k = 0; k < want.force_by_v.value.size(); ++k)
      EXPECT_NEAR(got.force_by_v.value[k], want.force_by_v.value[k], allowed);
    for (std::size_t i = 0; i < at.v.size(); ++i) {
      const std::vector<double> g = got.force_by_q.dense(), w = want.force_by_q.dense();
      EXPECT_NEAR(g[i * at.q.size() + i], w[i * at.q.size() + i], allowed);
    }
  }
}

TEST(SystemFunction, TellsWhichDerivativesAreOpen) {
  EXPECT_TRUE(open_derivatives(System(row_of(2, As::function))).in_forces.empty());
  Model m = row_of(2, As::function_without_derivative);
  const OpenDerivatives smooth = open_derivatives(System(m));
  EXPECT_EQ(smooth.in_forces, std::vector<std::string>{"pull"});
  EXPECT_TRUE(smooth.in_switches.empty());
  const Coordinate x = m.find_coordinate("x0");
  const Function level =
      m.function({"level", 1, [](std::span<const double> s) { return s[0] - 9; }, nullptr});
  m.force(x, if_less(level(x), 0, 1, 0));
  EXPECT_EQ(open_derivatives(System(m)).in_switches, std::vector<std::string>{"level"});
}

}  // namespace
}  // namespace vinculum
