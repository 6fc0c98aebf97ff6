#include "kernel/evaluate.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>

#include "kernel/evaluation.hpp"
#include "kernel/functions.hpp"

namespace vinculum {
namespace {
using test::inf;
using test::nan;
using test::same_bits;
using test::ulps;
using Wide = long double;

/// One instruction on operands a, b, c (registers 0, 1, 2) to register 3, and to 4 where there is a second
/// result.
Instruction single(Opcode op, int exponent = 0) {
  Instruction i{op, 3, 0, 1, 2};
  if (op == Opcode::integer_power) i.b = static_cast<std::uint32_t>(exponent);
  if (op == Opcode::sin_cos) i.c = 4;
  return i;
}

struct Operands {
  double a = 0, b = 0, c = 0;
};

double on_one_lane(Opcode op, const Operands& x, int exponent = 0, int result = 3) {
  const Instruction code[] = {single(op, exponent), {Opcode::stop, 0, 0, 0, 0}};
  double file[5] = {x.a, x.b, x.c, 0, 0};
  kernel::execute_one(code, file);
  return file[result];
}

/// Every lane of every width against one lane.
void expect_lanes_agree(Opcode op, const std::vector<Operands>& points, int exponent = 0) {
  const Instruction code[] = {single(op, exponent), {Opcode::stop, 0, 0, 0, 0}};
  for (const auto& [width, execute] : kernel::lane_executors()) {
    for (std::size_t first = 0; first < points.size(); first += lane_count) {
      alignas(64) double file[5 * lane_count] = {};
      const auto at = [&](int lane) { return points[(first + lane) % points.size()]; };
      for (int lane = 0; lane < lane_count; ++lane) {
        file[lane] = at(lane).a;
        file[lane_count + lane] = at(lane).b;
        file[2 * lane_count + lane] = at(lane).c;
      }
      execute(code, file);
      for (int lane = 0; lane < lane_count; ++lane) {
        for (const int result : {3, 4}) {
          ASSERT_TRUE(
              same_bits(file[result * lane_count + lane], on_one_lane(op, at(lane), exponent, result)))
              << "opcode " << static_cast<int>(op) << " width " << width << " at " << at(lane).a << ", "
              << at(lane).b << ", " << at(lane).c;
        }
      }
    }
  }
}

// --- values against long double ------------------------------------------------------------------

// A correctly rounded result is within half a unit; the reference is itself rounded, to 64 bits or more.
constexpr double rounded = 0.5 + 0x1p-11;
// functions_test.cpp derives the first bound, functions_accuracy_test.cpp has one for each of the others.
constexpr double own_sine = 0.85, own_function = 0.95;

struct Range {
  double from, to;
};
struct Case {
  std::string name;
  Opcode op;
  std::function<Wide(Wide, Wide, Wide)> value;
  double bound;
  std::vector<Range> a, b = {{0, 0}}, c = {{0, 0}};
};

std::vector<double> samples(const std::vector<Range>& ranges, int count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<double> result;
  for (const auto& [from, to] : ranges) {
    result.insert(result.end(), {from, to, (from + to) / 2});
    std::uniform_real_distribution<double> uniform(from, to);
    for (int i = 0; i < count; ++i) result.push_back(uniform(random));
  }
  return result;
}

std::vector<Operands> points_of(const Case& one) {
  const auto a = samples(one.a, 2000, 1), b = samples(one.b, 1999, 2), c = samples(one.c, 1997, 3);
  std::vector<Operands> points;
  for (std::size_t i = 0; i < 6000; ++i)
    points.push_back({a[i % a.size()], b[i % b.size()], c[i % c.size()]});
  return points;
}

const std::vector<Range> around_zero = {{-1e-300, 1e-300}, {-1, 1}, {-1e3, 1e3}, {-1e150, 1e150}};
const std::vector<Range> positive = {{1e-300, 1e-290}, {1e-3, 1}, {1, 1e3}, {1e3, 1e300}};
const std::vector<Range> unit = {{-1, 1}, {-1e-5, 1e-5}, {0.999, 1}, {-1, -0.999}};

std::vector<Case> all_cases() {
  return {
      {"add", Opcode::add, [](Wide a, Wide b, Wide) { return a + b; }, rounded, around_zero, around_zero},
      {"subtract", Opcode::subtract, [](Wide a, Wide b, Wide) { return a - b; }, rounded, around_zero,
       around_zero},
      {"multiply", Opcode::multiply, [](Wide a, Wide b, Wide) { return a * b; }, rounded, around_zero,
       around_zero},
      {"divide", Opcode::divide, [](Wide a, Wide b, Wide) { return a / b; }, rounded, around_zero, positive},
      {"negate", Opcode::negate, [](Wide a, Wide, Wide) { return -a; }, 0, around_zero},
      {"square", Opcode::square, [](Wide a, Wide, Wide) { return a * a; }, rounded, around_zero},
      {"reciprocal", Opcode::reciprocal, [](Wide a, Wide, Wide) { return 1 / a; }, rounded, positive},
      {"power",
       Opcode::power,
       [](Wide a, Wide b, Wide) { return std::pow(a, b); },
       own_function,
       {{1e-3, 1e3}},
       {{-90, 90}}},
      {"sin", Opcode::sin, [](Wide a, Wide, Wide) { return std::sin(a); }, own_sine, {{-4, 4}, {-1e6, 1e6}}},
      {"cos", Opcode::cos, [](Wide a, Wide, Wide) { return std::cos(a); }, own_sine, {{-4, 4}, {-1e6, 1e6}}},
      {"sin_cos",
       Opcode::sin_cos,
       [](Wide a, Wide, Wide) { return std::sin(a); },
       own_sine,
       {{-4, 4}, {-1e6, 1e6}}},
      {"tan",
       Opcode::tan,
       [](Wide a, Wide, Wide) { return std::tan(a); },
       own_function,
       {{-1.6, 1.6}, {-1e6, 1e6}}},
      {"asin", Opcode::asin, [](Wide a, Wide, Wide) { return std::asin(a); }, own_function, unit},
      {"acos", Opcode::acos, [](Wide a, Wide, Wide) { return std::acos(a); }, own_function, unit},
      {"atan", Opcode::atan, [](Wide a, Wide, Wide) { return std::atan(a); }, own_function, around_zero},
      {"sinh",
       Opcode::sinh,
       [](Wide a, Wide, Wide) { return std::sinh(a); },
       own_function,
       {{-1, 1}, {-700, 700}}},
      {"cosh",
       Opcode::cosh,
       [](Wide a, Wide, Wide) { return std::cosh(a); },
       own_function,
       {{-1, 1}, {-700, 700}}},
      {"tanh",
       Opcode::tanh,
       [](Wide a, Wide, Wide) { return std::tanh(a); },
       own_function,
       {{-1, 1}, {-30, 30}}},
      {"exp",
       Opcode::exp,
       [](Wide a, Wide, Wide) { return std::exp(a); },
       own_function,
       {{-1, 1}, {-700, 700}}},
      {"log", Opcode::log, [](Wide a, Wide, Wide) { return std::log(a); }, own_function, positive},
      {"sqrt", Opcode::sqrt, [](Wide a, Wide, Wide) { return std::sqrt(a); }, rounded, positive},
      {"abs", Opcode::abs, [](Wide a, Wide, Wide) { return std::abs(a); }, 0, around_zero},
      {"sign", Opcode::sign, [](Wide a, Wide, Wide) { return Wide(a > 0) - Wide(a < 0); }, 0, around_zero},
      {"atan2", Opcode::atan2, [](Wide a, Wide b, Wide) { return std::atan2(a, b); }, own_function,
       around_zero, around_zero},
      {"min", Opcode::min, [](Wide a, Wide b, Wide) { return a < b ? a : b; }, 0, around_zero, around_zero},
      {"max", Opcode::max, [](Wide a, Wide b, Wide) { return a > b ? a : b; }, 0, around_zero, around_zero},
      {"hypot", Opcode::hypot, [](Wide a, Wide b, Wide) { return std::hypot(a, b); }, own_function,
       around_zero, around_zero},
      {"less", Opcode::less, [](Wide a, Wide b, Wide) { return Wide(a < b); }, 0, around_zero, around_zero},
      {"less_equal", Opcode::less_equal, [](Wide a, Wide b, Wide) { return Wide(a <= b); }, 0, unit, unit},
      {"select",
       Opcode::select,
       [](Wide a, Wide b, Wide c) { return a != 0 ? b : c; },
       0,
       {{0, 0}, {-1, 1}},
       unit,
       unit},
  };
}

TEST(Operation, HasTheValueLongDoubleGives) {
  for (const Case& one : all_cases()) {
    for (const auto& x : points_of(one)) {
      const double got = on_one_lane(one.op, x);
      ASSERT_LE(ulps(got, one.value(x.a, x.b, x.c)), one.bound)
          << one.name << "(" << x.a << ", " << x.b << ")";
    }
  }
}

TEST(Operation, IsTestedForEveryOpcode) {
  std::vector<int> seen(opcode_count, 0);
  for (const Case& one : all_cases()) ++seen[static_cast<int>(one.op)];
  // The four that have tests of their own below.
  for (const Opcode op :
       {Opcode::multiply_add, Opcode::multiply_subtract, Opcode::subtract_multiply, Opcode::integer_power}) {
    ++seen[static_cast<int>(op)];
  }
  for (int op = 0; op < opcode_count; ++op) EXPECT_EQ(seen[op], 1) << "opcode " << op;
}

TEST(Operation, GivesTheSameBitsOnEightLanes) {
  for (const Case& one : all_cases()) expect_lanes_agree(one.op, points_of(one));
}

TEST(SinCos, WritesTheCosineToItsSecondRegister) {
  for (const double x : samples({{-4, 4}, {-1e6, 1e6}}, 5000, 4)) {
    ASSERT_TRUE(same_bits(on_one_lane(Opcode::sin_cos, {x}, 0, 3), on_one_lane(Opcode::sin, {x})));
    ASSERT_TRUE(same_bits(on_one_lane(Opcode::sin_cos, {x}, 0, 4), on_one_lane(Opcode::cos, {x})));
  }
}

TEST(SinCos, GivesTheSameBitsOnEightLanesForAMillionAngles) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> near(-100, 100), far(-2e6, 2e6), exponent(-300, 308);
  std::vector<Operands> points;
  for (int i = 0; i < 1'000'000; ++i) {
    const double x = i % 4 == 0 ? near(random) : i % 4 == 1 ? far(random) : std::pow(10.0, exponent(random));
    points.push_back({i % 2 == 0 ? x : -x});
    if (i % 1001 == 0) points.push_back({i % 2 == 0 ? inf : nan});
  }
  expect_lanes_agree(Opcode::sin_cos, points);
}

TEST(FusedPair, RoundsTwiceLikeTwoInstructions) {
  Case sum{"multiply_add", Opcode::multiply_add, {}, 0, {{-2, 2}}, {{-2, 2}}, {{-4, 4}}};
  for (const auto& x : points_of(sum)) {
    const double product = on_one_lane(Opcode::multiply, x);
    const auto two = [&](Opcode op, double a, double b) { return on_one_lane(op, {a, b}); };
    ASSERT_TRUE(same_bits(on_one_lane(Opcode::multiply_add, x), two(Opcode::add, product, x.c)));
    ASSERT_TRUE(same_bits(on_one_lane(Opcode::multiply_subtract, x), two(Opcode::subtract, product, x.c)));
    ASSERT_TRUE(same_bits(on_one_lane(Opcode::subtract_multiply, x), two(Opcode::subtract, x.c, product)));
    // Half a unit of the product and half a unit of the result, also where they cancel.
    const Wide exact = Wide(x.a) * x.b + x.c;
    const double bound = std::ldexp(std::abs(x.a * x.b) + std::abs(static_cast<double>(exact)), -53) * 1.001;
    ASSERT_LE(std::abs(on_one_lane(Opcode::multiply_add, x) - exact), bound);
  }
  for (const Opcode op : {Opcode::multiply_add, Opcode::multiply_subtract, Opcode::subtract_multiply}) {
    expect_lanes_agree(op, points_of(sum));
  }
}

TEST(IntegerPower, LosesAtMostOneUnitPerMultiplication) {
  // A product of |n| factors has |n| - 1 roundings of relative size 2^-53, a quotient one more; a unit is at
  // least 2^-53 of its number.
  for (const int n : {-64, -63, -17, -5, -3, -2, -1, 0, 1, 2, 3, 4, 5, 7, 11, 31, 32, 33, 63, 64}) {
    std::vector<Operands> points;
    for (const double x : samples({{-3, 3}, {0.5, 2}, {-1e4, -1}}, 500, 6)) points.push_back({x});
    for (const auto& x : points) {
      const Wide want = std::pow(Wide(x.a), Wide(n));
      if (x.a == 0 || std::abs(want) > 1e300 || std::abs(want) < 1e-300) continue;
      ASSERT_LE(ulps(on_one_lane(Opcode::integer_power, x, n), want), std::abs(n) + rounded)
          << x.a << "^" << n;
    }
    expect_lanes_agree(Opcode::integer_power, points, n);
  }
}

// --- special values ------------------------------------------------------------------------------

TEST(SpecialValues, AreWhatTheStandardSays) {
  const auto unary = [](Opcode op, double a) { return on_one_lane(op, {a}); };
  const auto binary = [](Opcode op, double a, double b) { return on_one_lane(op, {a, b}); };
  const double pi = std::acos(-1.0);
  struct Expected {
    double got, want;
  };
  const Expected table[] = {
      {binary(Opcode::divide, 0, 0), nan},
      {binary(Opcode::divide, 1, 0), inf},
      {binary(Opcode::divide, 1, -0.0), -inf},
      {binary(Opcode::divide, 1, inf), 0},
      {unary(Opcode::reciprocal, -0.0), -inf},
      {unary(Opcode::negate, 0.0), -0.0},
      {binary(Opcode::subtract, inf, inf), nan},
      {binary(Opcode::multiply, 0, inf), nan},
      {unary(Opcode::log, 0), -inf},
      {unary(Opcode::log, -0.0), -inf},
      {unary(Opcode::log, -1), nan},
      {unary(Opcode::log, inf), inf},
      {unary(Opcode::log, 1), 0},
      {unary(Opcode::sqrt, -1), nan},
      {unary(Opcode::sqrt, -0.0), -0.0},
      {unary(Opcode::sqrt, inf), inf},
      {unary(Opcode::asin, 1), pi / 2},
      {unary(Opcode::asin, 1.0000001), nan},
      {unary(Opcode::acos, -1), pi},
      {unary(Opcode::acos, -1.0000001), nan},
      {unary(Opcode::atan, inf), pi / 2},
      {unary(Opcode::tan, inf), nan},
      {unary(Opcode::sin, -0.0), -0.0},
      {unary(Opcode::sin, inf), nan},
      {unary(Opcode::cos, -inf), nan},
      {unary(Opcode::exp, -inf), 0},
      {unary(Opcode::exp, 710), inf},
      {unary(Opcode::exp, -746), 0},
      {unary(Opcode::sinh, -inf), -inf},
      {unary(Opcode::cosh, -inf), inf},
      {unary(Opcode::tanh, -inf), -1},
      {unary(Opcode::abs, -inf), inf},
      {unary(Opcode::abs, -0.0), 0.0},
      {unary(Opcode::sign, 0.0), 0.0},
      {unary(Opcode::sign, nan), nan},
      {binary(Opcode::atan2, 0.0, 1), 0.0},
      {binary(Opcode::atan2, -0.0, 1), -0.0},
      {binary(Opcode::atan2, 0.0, -1), pi},
      {binary(Opcode::atan2, -0.0, -1), -pi},
      {binary(Opcode::atan2, 1, 0.0), pi / 2},
      {binary(Opcode::atan2, -1, -0.0), -pi / 2},
      {binary(Opcode::atan2, 0.0, 0.0), 0.0},
      {binary(Opcode::atan2, 0.0, -0.0), pi},
      {binary(Opcode::atan2, -0.0, -0.0), -pi},
      {binary(Opcode::atan2, 1, 1), pi / 4},
      {binary(Opcode::atan2, 1, -1), 3 * pi / 4},
      {binary(Opcode::atan2, -1, -1), -3 * pi / 4},
      {binary(Opcode::atan2, -1, 1), -pi / 4},
      {binary(Opcode::atan2, inf, inf), pi / 4},
      {binary(Opcode::power, 0, 0), 1},
      {binary(Opcode::power, nan, 0), 1},
      {binary(Opcode::power, 1, nan), 1},
      {binary(Opcode::power, -8, 1.0 / 3), nan},
      {binary(Opcode::power, 0, -1.5), inf},
      {binary(Opcode::power, -0.0, 0.5), 0.0},  // where sqrt would say -0
      {binary(Opcode::power, -inf, 0.5), inf},  // where sqrt would say NaN
      {binary(Opcode::power, 2, 1025), inf},
      {binary(Opcode::power, -2, 65), -0x1p65},
      {binary(Opcode::hypot, inf, nan), inf},
      {binary(Opcode::hypot, 0x3p600, 0x4p600), 0x5p600},
      {binary(Opcode::min, nan, 1), nan},
      {binary(Opcode::max, 1, nan), nan},
      {binary(Opcode::less, nan, 1), 0},
      {binary(Opcode::less_equal, nan, nan), 0},
      {on_one_lane(Opcode::select, {1, 2, 3}), 2},
      {on_one_lane(Opcode::select, {-0.0, 2, 3}), 3},
      {on_one_lane(Opcode::select, {0, nan, 3}), 3},  // the branch not taken does not matter
      {on_one_lane(Opcode::select, {1, 2, nan}), 2},
  };
  for (const auto& [got, want] : table) {
    EXPECT_TRUE(same_bits(got, want))
        << got << " instead of " << want << " in line " << (&got - &table[0].got) / 2;
  }
}

TEST(SpecialValues, GiveTheSameBitsOnEightLanes) {
  const double values[] = {
      0.0,    -0.0,  inf,   -inf,   nan, 1.0,  -1.0, 1.0000001, -1.0000001, 5e-324, 2.3e-308,
      1e-160, 1e160, 1e308, -1e308, 0.5, -0.5, 3.0,  710.0,     -746.0,     0x1p20, 0x1.0000000000001p20};
  std::vector<Operands> points;
  for (const double a : values) {
    for (const double b : values) {
      for (const double c : {0.0, -1.5, inf, nan}) points.push_back({a, b, c});
    }
  }
  for (int op = 0; op < opcode_count; ++op) {
    if (static_cast<Opcode>(op) != Opcode::integer_power) expect_lanes_agree(static_cast<Opcode>(op), points);
  }
  for (const int n : {-64, -3, -2, -1, 0, 1, 2, 3, 64}) expect_lanes_agree(Opcode::integer_power, points, n);
}

// --- registers -----------------------------------------------------------------------------------

TEST(Target, MayBeTheRegisterOfAnyOperand) {
  for (int op = 0; op < opcode_count; ++op) {
    for (const std::uint32_t target : {0u, 1u, 2u}) {
      Instruction there = single(static_cast<Opcode>(op), 5), here = there;
      here.target = target;
      if (here.op == Opcode::sin_cos) here.c = target == 0 ? 1 : 0;  // one of both is the operand's
      const Instruction apart[] = {there, {Opcode::stop, 0, 0, 0, 0}},
                        shared[] = {here, {Opcode::stop, 0, 0, 0, 0}};
      for (const auto& [width, execute] : kernel::lane_executors()) {
        alignas(64) double x[5 * lane_count], y[5 * lane_count];
        for (int i = 0; i < 5 * lane_count; ++i) x[i] = y[i] = 0.3 + 0.01 * i;
        execute(apart, x);
        execute(shared, y);
        for (int lane = 0; lane < lane_count; ++lane) {
          ASSERT_TRUE(same_bits(x[3 * lane_count + lane], y[target * lane_count + lane]))
              << op << " width " << width;
          if (there.op == Opcode::sin_cos) {
            ASSERT_TRUE(same_bits(x[4 * lane_count + lane], y[here.c * lane_count + lane]))
                << "width " << width;
          }
        }
        double one_x[5] = {0.3, 0.38, 0.46, 0, 0}, one_y[5] = {0.3, 0.38, 0.46, 0, 0};
        kernel::execute_one(apart, one_x);
        kernel::execute_one(shared, one_y);
        ASSERT_TRUE(same_bits(one_x[3], one_y[target])) << op;
      }
    }
  }
}

TEST(Executors, AreAllOfferedThatTheProcessorCanRun) {
  const auto executors = kernel::lane_executors();
  ASSERT_FALSE(executors.empty());
  EXPECT_EQ(executors.front().width, 2);
  for (std::size_t i = 1; i < executors.size(); ++i) EXPECT_GT(executors[i].width, executors[i - 1].width);
}

TEST(Run, RoundedShowsWhatCancellationLeaves) {
  // Of 1 - cos x near zero rounding of the cosine is left: 1e-16 and not a part of the value. Of x^2 all
  // digits are known.
  Graph g;
  const Expr x = g.symbol("x");
  const std::vector<Expr> outputs = {1 - cos(x), pow(x, 2), if_less(x, 1.0, 5.0, 7.0)}, inputs = {x};
  const Kernel program(outputs, inputs);
  const auto values = [&](int stride, unsigned rounding) {
    alignas(64) double file[64 * lane_count] = {};
    prepare(program, file, stride);
    for (int k = 0; k < stride; ++k) file[k] = 1e-5;
    if (rounding == 0)
      run(program, file);
    else
      run_rounded(program, file, stride, rounding);
    std::vector<double> found;
    for (const std::uint32_t place : program.outputs()) found.push_back(file[place * stride + stride - 1]);
    return found;
  };
  ASSERT_LE(program.register_count(), 64);
  const std::vector<double> exact = values(1, 0);
  double cosine = 0, square = 0;
  for (unsigned rounding = 1; rounding <= 3; ++rounding)
    for (const int stride : {1, lane_count}) {
      const std::vector<double> now = values(stride, rounding);
      cosine = std::max(cosine, std::fabs(now[0] - exact[0]));
      square = std::max(square, std::fabs(now[1] - exact[1]));
      EXPECT_NEAR(now[2], 5, 1e-14);
    }
  EXPECT_GT(cosine, 1e-16);
  EXPECT_LT(cosine, 1e-15);
  EXPECT_GT(square, 1e-26);
  EXPECT_LT(square, 1e-25);
}

TEST(Run, OfAnEmptyProgramDoesNothing) {
  const Kernel nothing;
  EXPECT_TRUE(nothing.code().empty());
  run(nothing, nullptr);
  run_lanes(nothing, nullptr);
  run_rounded(nothing, nullptr, 1, 1);
}

}  // namespace
}  // namespace vinculum
