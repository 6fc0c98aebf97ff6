#include "vinculum/kernel/kernel.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <unordered_map>

#include "kernel/evaluation.hpp"
#include "kernel/functions.hpp"
#include "kernel/random_program.hpp"
#include "vinculum/expr/derivative.hpp"

namespace vinculum {
namespace {
using test::evaluate;
using test::evaluate_lanes;
using test::inf;
using test::nan;
using test::random_inputs;
using test::RandomProgram;
using test::same_bits;
using test::value_at;

// --- random programs against direct evaluation ---------------------------------------------------

double power_as_defined(double x, double n) {
  if (n != std::trunc(n) || std::abs(n) > 64) return kernel::power(x, n);
  double result = 1;
  for (int rest = static_cast<int>(std::abs(n)); rest > 0; rest /= 2, x *= x) {
    if (rest % 2 == 1) result *= x;
  }
  return n < 0 ? 1 / result : result;
}

/// One operation, written down without any of the kernel's choices. The functions alone are the
/// kernel's.
double direct(const Graph& graph, const Node& node, double a, double b, double c) {
  switch (node.op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::power:
      return graph.node(node.operand[1]).op == Op::constant ? power_as_defined(a, b) : kernel::power(a, b);
    case Op::negate:
      return -a;
    case Op::sin:
      return kernel::sine(a);
    case Op::cos:
      return kernel::cosine(a);
    case Op::tan:
      return kernel::tangent(a);
    case Op::asin:
      return kernel::arc_sine(a);
    case Op::acos:
      return kernel::arc_cosine(a);
    case Op::atan:
      return kernel::arc_tangent(a);
    case Op::sinh:
      return kernel::hyperbolic_sine(a);
    case Op::cosh:
      return kernel::hyperbolic_cosine(a);
    case Op::tanh:
      return kernel::hyperbolic_tangent(a);
    case Op::exp:
      return kernel::exponential(a);
    case Op::log:
      return kernel::logarithm(a);
    case Op::sqrt:
      return std::sqrt(a);
    case Op::abs:
      return std::abs(a);
    case Op::sign:
      return a > 0 ? 1 : a < 0 ? -1 : a;
    case Op::atan2:
      return kernel::angle(a, b);
    case Op::min:
      return std::isnan(a) || a < b ? a : b;
    case Op::max:
      return std::isnan(a) || b < a ? a : b;
    case Op::hypot:
      return kernel::hypotenuse(a, b);
    case Op::less:
      return a < b ? 1 : 0;
    case Op::less_equal:
      return a <= b ? 1 : 0;
    case Op::select:
      return a != 0 ? b : c;
    default:
      return node.value;
  }
}

std::vector<double> evaluate_directly(Graph& graph, const std::vector<Expr>& outputs,
                                      const std::vector<Expr>& inputs, const std::vector<double>& values) {
  std::unordered_map<NodeId, double> at;
  for (std::size_t i = 0; i < inputs.size(); ++i) at[inputs[i].id()] = values[i];
  for (const NodeId id : graph.reachable(outputs)) {
    const Node& node = graph.node(id);
    if (node.op == Op::symbol) continue;
    const int count = arity(node.op);
    const auto operand = [&](int i) { return i < count ? at.at(node.operand[i]) : 0.0; };
    at[id] = direct(graph, node, operand(0), operand(1), operand(2));
  }
  std::vector<double> result;
  for (const Expr& e : outputs) result.push_back(e.is_constant() ? e.value() : at.at(e.id()));
  return result;
}

TEST(Kernel, GivesTheBitsOfDirectEvaluationOnOneLaneAndOnEight) {
  std::mt19937_64 random(7);
  int finite = 0, total = 0;
  for (int round = 0; round < 600; ++round) {
    RandomProgram sample(random);
    const Kernel program(sample.outputs, sample.inputs);
    std::vector<std::vector<double>> points, want;
    for (int lane = 0; lane < lane_count; ++lane) {
      points.push_back(random_inputs(sample.inputs.size(), random));
      want.push_back(evaluate_directly(sample.graph, sample.outputs, sample.inputs, points[lane]));
      const auto got = evaluate(program, points[lane]);
      for (std::size_t o = 0; o < got.size(); ++o) {
        ASSERT_TRUE(same_bits(got[o], want[lane][o]))
            << round << ": " << got[o] << " instead of " << want[lane][o];
        finite += std::isfinite(got[o]);
        ++total;
      }
    }
    for (const auto& [width, execute] : kernel::lane_executors()) {
      const auto got = evaluate_lanes(program, points, execute);
      for (int lane = 0; lane < lane_count; ++lane) {
        for (std::size_t o = 0; o < want[lane].size(); ++o) {
          ASSERT_TRUE(same_bits(got[lane][o], want[lane][o])) << round << ": width " << width;
        }
      }
    }
  }
  EXPECT_GT(finite, total / 4);  // else the comparison would say little
}

TEST(Kernel, RandomProgramsContainEveryOpcode) {
  std::mt19937_64 random(7);
  std::vector<int> seen(opcode_count, 0);
  for (int round = 0; round < 600; ++round) {
    RandomProgram sample(random);
    const Kernel program(sample.outputs, sample.inputs);
    for (const Instruction& i : program.code()) ++seen[static_cast<int>(i.op)];
    for (int lane = 0; lane < lane_count; ++lane) random_inputs(sample.inputs.size(), random);
  }
  for (int op = 0; op < opcode_count; ++op) EXPECT_GT(seen[op], 0) << "opcode " << op;
}

TEST(Kernel, LeavesInputsAndConstantsAlone) {
  std::mt19937_64 random(8);
  for (int round = 0; round < 100; ++round) {
    RandomProgram sample(random);
    const Kernel program(sample.outputs, sample.inputs);
    const auto fixed = static_cast<std::uint32_t>(program.input_count() + program.constants().size());
    for (const Instruction& i : program.code()) {
      ASSERT_GE(i.target, fixed);
      ASSERT_LT(i.target, static_cast<std::uint32_t>(program.register_count()));
      if (i.op == Opcode::sin_cos) {
        ASSERT_GE(i.c, fixed);
        ASSERT_NE(i.c, i.target);
      }
    }
  }
}

TEST(Kernel, CanBeRunAgainOnTheSameRegisters) {
  Graph graph;
  const Expr x = graph.symbol("x");
  const Expr f = sin(3 * x) / (1 + pow(x, 3)) + 0.25;
  const Kernel program({&f, 1}, {&x, 1});
  test::Registers file(program.register_count());
  prepare(program, file.data(), 1);
  for (const double at : {0.5, 2.0, 0.5}) {
    file[0] = at;
    run(program, file.data());
    EXPECT_TRUE(same_bits(file[program.outputs()[0]], kernel::sine(3 * at) / (1 + at * (at * at)) + 0.25));
  }
}

// --- derivatives against central differences -----------------------------------------------------

struct Differentiable {
  std::string name;
  std::function<Expr(const Expr&, const Expr&)> f;
  std::vector<std::pair<double, double>> points;
};

const std::vector<std::pair<double, double>> anywhere = {
    {0.3, 0.7}, {-1.2, 0.4}, {2.1, -0.9}, {-0.8, -1.7}, {1.4, 2.2}};
const std::vector<std::pair<double, double>> positive = {{0.3, 0.7}, {1.2, 0.4}, {2.1, 0.9}, {0.8, 1.7}};
const std::vector<std::pair<double, double>> inside = {{0.3, 0}, {-0.6, 0}, {0.85, 0}, {0.0, 0}};

std::vector<Differentiable> all_functions() {
  return {
      {"x + y", [](auto x, auto y) { return x + y; }, anywhere},
      {"x - y", [](auto x, auto y) { return x - y; }, anywhere},
      {"x * y", [](auto x, auto y) { return x * y; }, anywhere},
      {"x / y", [](auto x, auto y) { return x / y; }, anywhere},
      {"x ^ y", [](auto x, auto y) { return pow(x, y); }, positive},
      {"x ^ 5", [](auto x, auto) { return pow(x, 5); }, anywhere},
      {"x ^ -3", [](auto x, auto) { return pow(x, -3); }, anywhere},
      {"x ^ 1.5", [](auto x, auto) { return pow(x, 1.5); }, positive},
      {"-x", [](auto x, auto) { return -x; }, anywhere},
      {"sin", [](auto x, auto) { return sin(x); }, anywhere},
      {"cos", [](auto x, auto) { return cos(x); }, anywhere},
      {"tan", [](auto x, auto) { return tan(x); }, {{0.3, 0}, {-1.1, 0}, {2.5, 0}}},
      {"asin", [](auto x, auto) { return asin(x); }, inside},
      {"acos", [](auto x, auto) { return acos(x); }, inside},
      {"atan", [](auto x, auto) { return atan(x); }, anywhere},
      {"sinh", [](auto x, auto) { return sinh(x); }, anywhere},
      {"cosh", [](auto x, auto) { return cosh(x); }, anywhere},
      {"tanh", [](auto x, auto) { return tanh(x); }, anywhere},
      {"exp", [](auto x, auto) { return exp(x); }, anywhere},
      {"log", [](auto x, auto) { return log(x); }, positive},
      {"sqrt", [](auto x, auto) { return sqrt(x); }, positive},
      {"abs", [](auto x, auto) { return abs(x); }, anywhere},
      {"sign", [](auto x, auto) { return sign(x); }, anywhere},
      {"atan2", [](auto x, auto y) { return atan2(x, y); }, anywhere},
      {"min", [](auto x, auto y) { return min(x, y); }, anywhere},
      {"max", [](auto x, auto y) { return max(x, y); }, anywhere},
      {"hypot", [](auto x, auto y) { return hypot(x, y); }, anywhere},
      {"if <", [](auto x, auto y) { return if_less(x, y, sin(x * y), exp(y)); }, anywhere},
      {"if <=", [](auto x, auto y) { return if_less_equal(x, y, x * x * y, y / x); }, anywhere},
  };
}

TEST(Derivative, OfEveryOperationIsTheSlopeOfItsValue) {
  // Central differences with step h err by h^2 f'''/6 from the curve and eps f/h from rounding. With h =
  // 2^-17 and |f'''| < 600 at these points (x^-3 at 0.3 has 6e4: hence relative to f') both stay below 1e-8
  // of 1 + |f'|.
  const double h = 0x1p-17;
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y");
  const std::vector<Expr> inputs = {x, y};
  for (const auto& [name, f, points] : all_functions()) {
    const Expr value = f(x, y), by_x = derivative(value, x), by_y = derivative(value, y);
    for (const auto& [at_x, at_y] : points) {
      const auto f_at = [&](double u, double v) {
        return value_at(value, inputs, std::vector<double>{u, v});
      };
      const double slope_x = (f_at(at_x + h, at_y) - f_at(at_x - h, at_y)) / (2 * h);
      const double slope_y = (f_at(at_x, at_y + h) - f_at(at_x, at_y - h)) / (2 * h);
      const std::vector<double> at = {at_x, at_y};
      EXPECT_NEAR(value_at(by_x, inputs, at), slope_x, 1e-8 * (1 + std::abs(slope_x)))
          << name << " at " << at_x;
      EXPECT_NEAR(value_at(by_y, inputs, at), slope_y, 1e-8 * (1 + std::abs(slope_y)))
          << name << " at " << at_y;
    }
  }
}

}  // namespace
}  // namespace vinculum
