// Functions written in C++ in compiled programs.
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "kernel/evaluation.hpp"
#include "support/allocations.hpp"
#include "vinculum/expr/derivative.hpp"

namespace vinculum {
namespace {

using test::evaluate;
using test::evaluate_lanes;
using test::same_bits;

/// a + 10 b + 100 c + ..: tells every argument and its place.
OpaqueFunction places(int count) {
  return {.name = "places" + std::to_string(count),
          .arguments = count,
          .value =
              [](std::span<const double> at) {
                double sum = 0, weight = 1;
                for (const double x : at) {
                  sum += weight * x;
                  weight *= 10;
                }
                return sum;
              },
          .gradient =
              [](std::span<const double>, std::span<double> d) {
                double weight = 1;
                for (double& x : d) {
                  x = weight;
                  weight *= 10;
                }
              }};
}

struct Sheet {
  Graph graph;
  std::vector<Expr> in{graph.symbol("x"), graph.symbol("y"), graph.symbol("z")};
  Function two = graph.add_function(places(2)), three = graph.add_function(places(3));
};

TEST(Call, HasItsArgumentsInTheirOrder) {
  Sheet s;
  const auto& [x, y, z] = std::tie(s.in[0], s.in[1], s.in[2]);
  // The lists share their ends, an argument is a call itself, and one is a number.
  const std::vector<Expr> out{s.three(x, y, z), s.two(y, z), s.two(x, s.two(y, z)), s.two(7, 8), s.two(z, z)};
  EXPECT_EQ(evaluate(Kernel(out, s.in), std::array{1.0, 2.0, 3.0}),
            (std::vector<double>{321, 32, 321, 87, 33}));
}

TEST(Call, GivesItsDerivativesByTheSameArguments) {
  Sheet s;
  const Expr f = s.three(s.in[0], s.in[1], s.in[2]);
  std::vector<Expr> out = gradient(f, s.in);
  out.push_back(f);
  EXPECT_EQ(evaluate(Kernel(out, s.in), std::array{1.0, 2.0, 3.0}), (std::vector<double>{1, 10, 100, 321}));
}

/// Expressions drawn at random, with calls among them, against value_of(): no register of an argument is
/// taken for anything else.
TEST(Call, StandsAmongOtherOperationsOnOneLaneAndOnEight) {
  std::mt19937_64 random(11);
  const auto draw = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int round = 0; round < 200; ++round) {
    Sheet s;
    std::vector<Expr> made = s.in;
    for (int k = 0; k < 30; ++k) {
      const Expr a = made[draw(made.size())], b = made[draw(made.size())], c = made[draw(made.size())];
      const Expr more[] = {a * b + c, a - b, s.two(a, b) / 64, s.three(c, a, b) / 512, sin(a), 0.25 * b};
      made.push_back(more[draw(6)]);
    }
    const std::vector<Expr> out(made.end() - 8, made.end());
    const Kernel program(out, s.in);
    std::vector<std::vector<double>> points(lane_count), single;
    for (auto& p : points) {
      for (int i = 0; i < 3; ++i) p.push_back(static_cast<double>(draw(100)) / 50 - 1);
      single.push_back(evaluate(program, p));
      for (std::size_t o = 0; o < out.size(); ++o) {
        const double want = value_of(out[o], [&](const Expr& e) { return p[e.name()[0] - 'x']; });
        ASSERT_NEAR(single.back()[o], want, 1e-12 * (1 + std::fabs(want))) << round;
      }
    }
    for (const auto& [width, execute] : kernel::lane_executors()) {
      const auto got = evaluate_lanes(program, points, execute);
      for (int lane = 0; lane < lane_count; ++lane)
        for (std::size_t o = 0; o < out.size(); ++o)
          ASSERT_TRUE(same_bits(got[lane][o], single[lane][o])) << round << " width " << width;
    }
  }
}

TEST(Call, IsOffByARoundingWhereResultsAreAskedToBe) {
  Sheet s;
  const std::vector<Expr> out{s.two(s.in[0], s.in[1])};
  const Kernel program(out, s.in);
  test::Registers file(program.register_count());
  prepare(program, file.data(), 1);
  for (int i = 0; i < 3; ++i) file[i] = 1.0;
  run_rounded(program, file.data(), 1, 3);
  EXPECT_NE(file[program.outputs()[0]], 11.0);
  EXPECT_NEAR(file[program.outputs()[0]], 11.0, 1e-14);
}

TEST(Call, OutlivesTheProgramItWasCompiledIn) {
  Sheet s;
  Kernel copy;
  {
    const std::vector<Expr> out{s.two(s.in[0], s.in[1])};
    copy = Kernel(out, s.in);
  }
  EXPECT_EQ(evaluate(copy, std::array{1.0, 2.0, 0.0})[0], 21);
}

TEST(Call, AllocatesNothing) {
  Sheet s;
  const std::vector<Expr> out = gradient(s.three(s.in[0], s.in[1], s.in[2]), s.in);
  const Kernel program(out, s.in);
  test::Registers file(program.register_count());
  prepare(program, file.data(), lane_count);
  const long before = allocations();
  run_lanes(program, file.data());
  EXPECT_EQ(allocations(), before);
}

}  // namespace
}  // namespace vinculum
