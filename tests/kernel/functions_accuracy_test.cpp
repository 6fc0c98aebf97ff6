// The kernel's functions against values of mpmath, against long double, and at the special values of the C
// standard.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "kernel/evaluation.hpp"
#include "kernel/functions.hpp"
#include "support/data.hpp"

namespace vinculum::kernel {
namespace {
using test::inf;
using test::nan;
using test::same_bits;
using test::ulps;
using Wide = long double;

struct Arguments {
  double a = 0, b = 0;
};
using Random = std::mt19937_64;

double between(Random& random, double from, double to) {
  return std::uniform_real_distribution<double>(from, to)(random);
}
double power_of_two_between(Random& random, double from, double to) {
  return std::exp2(between(random, from, to)) * (random() % 2 == 0 ? 1 : -1);
}

struct Function {
  Opcode op;
  double bound;  // units in the last place; a little above the worst of 10^7 arguments
  std::function<double(double, double)> library;
  std::function<Wide(Wide, Wide)> wide;
  std::function<Arguments(Random&)> arguments;
  int arity = 1;
};

#define BOTH(f) [](double a, double) { return std::f(a); }, [](Wide a, Wide) { return std::f(a); }
#define BOTH_OF_TWO(f) \
  [](double a, double b) { return std::f(a, b); }, [](Wide a, Wide b) { return std::f(a, b); }

const std::map<std::string, Function>& functions() {
  const auto within = [](double from, double to, double small) {
    return [=](Random& r) {
      const auto kind = r() % 4;
      if (kind == 0) return Arguments{power_of_two_between(r, -1074, 0) * small};
      return Arguments{kind == 1 ? between(r, -2 * small, 2 * small) : between(r, from, to)};
    };
  };
  const auto pair = [](Random& r) {
    if (r() % 2 == 0) return Arguments{between(r, -4, 4), between(r, -4, 4)};
    const double e = between(r, -1074, 1000);
    return Arguments{power_of_two_between(r, e, e + 20), power_of_two_between(r, e, e + 20)};
  };
  static const std::map<std::string, Function> all = {
      {"sin", {Opcode::sin, 0.85, BOTH(sin), within(-1e6, 1e6, 4)}},
      {"cos", {Opcode::cos, 0.85, BOTH(cos), within(-1e6, 1e6, 4)}},
      {"tan", {Opcode::tan, 0.92, BOTH(tan), within(-1e6, 1e6, 4)}},
      {"asin", {Opcode::asin, 0.75, BOTH(asin), within(-1, 1, 0.5)}},
      {"acos", {Opcode::acos, 0.75, BOTH(acos), within(-1, 1, 0.5)}},
      {"atan", {Opcode::atan, 0.85, BOTH(atan), within(-20, 20, 1)}},
      {"sinh", {Opcode::sinh, 0.85, BOTH(sinh), within(-710.4, 710.4, 1)}},
      {"cosh", {Opcode::cosh, 0.85, BOTH(cosh), within(-710.4, 710.4, 1)}},
      {"tanh", {Opcode::tanh, 0.85, BOTH(tanh), within(-25, 25, 1)}},
      {"exp", {Opcode::exp, 0.8, BOTH(exp), within(-745, 709.7, 1)}},
      {"log",
       {Opcode::log, 0.9, BOTH(log),
        [](Random& r) {
          return Arguments{r() % 2 == 0 ? between(r, 0.5, 2)
                                        : std::abs(power_of_two_between(r, -1074, 1024))};
        }}},
      {"power",
       {Opcode::power, 0.8, BOTH_OF_TWO(pow),
        [](Random& r) {
          const double x = r() % 2 == 0 ? between(r, 0.5, 2) : std::abs(power_of_two_between(r, -1022, 1023));
          const double y = between(r, -744, 709) / std::log(x);
          return Arguments{x, r() % 4 == 0 || !std::isfinite(y) ? between(r, -1, 1) : y};
        },
        2}},
      {"atan2", {Opcode::atan2, 0.85, BOTH_OF_TWO(atan2), pair, 2}},
      {"hypot", {Opcode::hypot, 0.95, BOTH_OF_TWO(hypot), pair, 2}},
  };
  return all;
}
#undef BOTH
#undef BOTH_OF_TWO

double on_one_lane(Opcode op, const Arguments& x) {
  const Instruction code[] = {{op, 2, 0, 1, 0}, {Opcode::stop, 0, 0, 0, 0}};
  double file[3] = {x.a, x.b, 0};
  execute_one(code, file);
  return file[2];
}

std::vector<Arguments> random_arguments(const Function& f, int count, int seed) {
  Random random(seed);
  std::vector<Arguments> result;
  for (int i = 0; i < count; ++i) result.push_back(f.arguments(random));
  return result;
}

const double special[] = {
    0.0,      1.0,     0.5,    2.0,   3.0,    1.5,       1e-320, 5e-324, 2.3e-308,
    1e-30,    0x1p-27, 23.0,   700.0, 709.78, 709.9,     710.4,  710.5,  745.1,
    745.2,    1e3,     0x1p53, 1e17,  1e300,  1.797e308, inf,    nan,    0x1.fffffffffffffp+1023,
    0x1p-1022};

TEST(Functions, AreWithinTheirBoundsAtHardArguments) {
  std::ifstream file(test_data() + "/reference/functions.txt");
  std::map<std::string, double> worst;
  std::map<std::string, int> count;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string name, word;
    words >> name;
    std::vector<double> numbers;
    while (words >> word) numbers.push_back(std::strtod(word.c_str(), nullptr));
    const Function& f = functions().at(name);
    ASSERT_EQ(numbers.size(), f.arity + 2u) << line;
    const double head = numbers[f.arity], tail = numbers[f.arity + 1];
    const double got = on_one_lane(f.op, {numbers[0], numbers[1]});
    const double unit = std::ldexp(1.0, std::max(std::ilogb(head), -1022) - 52);
    // Of a subnormal value the tail is lost: there the nearest number or one beside it is asked for.
    const bool subnormal = std::abs(head) < smallest_normal;
    const double error = got == head ? std::abs(tail) / unit : std::abs((got - head) - tail) / unit;
    EXPECT_LE(error, subnormal ? 1.0 : f.bound) << line;
    worst[name] = std::max(worst[name], subnormal ? 0 : error);
    ++count[name];
  }
  for (const auto& [name, f] : functions()) {
    EXPECT_GT(count[name], 100) << name;
    RecordProperty("worst_" + name, std::to_string(worst[name]));
  }
}

TEST(Functions, AreWithinTheirBoundsAtRandomArguments) {
  if (std::numeric_limits<Wide>::digits < 64) GTEST_SKIP() << "long double has no more digits than double";
  for (const auto& [name, f] : functions()) {
    for (const auto& x : random_arguments(f, 20'000, 1)) {
      ASSERT_LE(ulps(on_one_lane(f.op, x), f.wide(x.a, x.b)), f.bound)
          << name << "(" << x.a << ", " << x.b << ")";
    }
  }
}

TEST(Functions, HaveTheSpecialValuesOfTheCStandard) {
  // Which the C library knows; where the value is an ordinary number it is as good as ours.
  const auto expect = [](const std::string& name, const Function& f, Arguments x) {
    const double got = on_one_lane(f.op, x), want = f.library(x.a, x.b);
    if (std::isfinite(want) && want != 0) {
      EXPECT_LE(ulps(got, want), 2) << name << "(" << x.a << ", " << x.b << ")";
    } else {
      EXPECT_TRUE(same_bits(got, want)) << name << "(" << x.a << ", " << x.b << ") = " << got;
    }
  };
  for (const auto& [name, f] : functions()) {
    for (const double a : special) {
      for (const double b : special) {
        for (const Arguments x : {Arguments{a, b}, Arguments{-a, b}, Arguments{a, -b}, Arguments{-a, -b}})
          expect(name, f, x);
      }
    }
  }
}

TEST(Functions, HaveTheirSymmetriesExactly) {
  for (const auto& [name, f] : functions()) {
    for (const auto& x : random_arguments(f, 20'000, 2)) {
      const double value = on_one_lane(f.op, x), turned_round = on_one_lane(f.op, {-x.a, x.b});
      if (name == "cos" || name == "cosh" || name == "hypot") {
        ASSERT_TRUE(same_bits(turned_round, value)) << name << "(" << x.a << ")";
      } else if (name != "acos" && name != "exp" && name != "log" && name != "power") {
        ASSERT_TRUE(same_bits(turned_round, -value)) << name << "(" << x.a << ")";
      }
      if (name == "hypot") {
        ASSERT_TRUE(same_bits(on_one_lane(f.op, {x.b, x.a}), value));
      }
    }
  }
}

TEST(Functions, GiveTheSameBitsOnEveryLaneOfEveryWidth) {
  for (const auto& [name, f] : functions()) {
    const Instruction code[] = {{f.op, 2, 0, 1, 0}, {Opcode::stop, 0, 0, 0, 0}};
    auto points = random_arguments(f, 30'000, 3);
    // One in fifty is rare, so that such lanes stand beside ordinary ones, and there are parts with and
    // without.
    Random random(4);
    for (std::size_t i = 0; i < points.size(); i += 50) {
      points[i] = {special[random() % std::size(special)], special[random() % std::size(special)]};
      if (random() % 2 == 0) points[i].a = -points[i].a;
    }
    for (const auto& [width, execute] : lane_executors()) {
      for (std::size_t first = 0; first + lane_count <= points.size(); first += lane_count) {
        alignas(64) double file[3 * lane_count] = {};
        for (int lane = 0; lane < lane_count; ++lane) {
          file[lane] = points[first + lane].a;
          file[lane_count + lane] = points[first + lane].b;
        }
        execute(code, file);
        for (int lane = 0; lane < lane_count; ++lane) {
          const auto& x = points[first + lane];
          ASSERT_TRUE(same_bits(file[2 * lane_count + lane], on_one_lane(f.op, x)))
              << name << "(" << x.a << ", " << x.b << ") at width " << width;
        }
      }
    }
  }
}

TEST(Functions, HaveTheSameBitsOnEveryProcessor) {
  // Only exact and correctly rounded operations are used, so a sum over all bits can be written down once for
  // all.
  const std::map<std::string, std::uint64_t> sums = {
      {"acos", 14374697122172428460u},  {"asin", 12532934417023125700u}, {"atan", 18279675453195370343u},
      {"atan2", 9444841285636838884u},  {"cos", 15260051380715115230u},  {"cosh", 9249563466523489197u},
      {"exp", 17759498107101801448u},   {"hypot", 2365945497491143692u}, {"log", 2484761762279294964u},
      {"power", 14853912177373855781u}, {"sin", 13008292268453362664u},  {"sinh", 18404242188983773389u},
      {"tan", 2671394290692294942u},    {"tanh", 285671265471678324u},
  };
  // Arguments that are exact, too: the library's exp2 and log may differ between systems.
  for (const auto& [name, f] : functions()) {
    Random random(5);
    const auto unit = [&] { return static_cast<double>(random() >> 11) * 0x1p-53; };
    std::uint64_t sum = 0;
    for (int i = 0; i < 20'000; ++i) {
      const double scale = std::ldexp(1.0, i % 40 - 30);
      const bool whole_line = name != "asin" && name != "acos";
      const double a = whole_line ? (2 * unit() - 1) * scale : 2 * unit() - 1, b = (2 * unit() - 1) * 16;
      const double value = on_one_lane(f.op, {name == "power" || name == "log" ? std::abs(a) : a, b});
      sum = sum * 31 + std::bit_cast<std::uint64_t>(value);
    }
    EXPECT_EQ(sum, sums.at(name)) << name;
  }
}

TEST(Functions, AreExactWhereTheValueIs) {
  EXPECT_EQ(exponential(0.0), 1);
  EXPECT_EQ(logarithm(1.0), 0);
  EXPECT_EQ(hyperbolic_cosine(0.0), 1);
  EXPECT_EQ(hypotenuse(3.0, 4.0), 5);
  EXPECT_EQ(hypotenuse(-5e-324, 0.0), 5e-324);
  for (int n = 1; n < 1000; ++n) {
    const double x = n;
    ASSERT_EQ(power(x * x, 0.5), x);
    ASSERT_EQ(power(x, 3.0), x * x * x);
    ASSERT_EQ(power(x * x, 1.5), x * x * x);
    ASSERT_EQ(power(2.0, x), std::ldexp(1.0, n));
  }
}

}  // namespace
}  // namespace vinculum::kernel
