#include "vinculum/expr/factors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>

#include "vinculum/expr/valuation.hpp"

namespace vinculum {
namespace {

std::vector<double> values_of(std::span<const Expr> expressions, const std::vector<Expr>& symbols,
                              const std::vector<double>& numbers) {
  Valuation valuation(expressions);
  std::vector<double> at, values(expressions.size());
  for (const Expr& s : valuation.symbols())
    for (std::size_t i = 0; i < symbols.size(); ++i)
      if (identical(s, symbols[i])) at.push_back(numbers[i]);
  valuation.at(at, values);
  return values;
}

/// Formulas full of signs and powers of two: all of their parts, operands first.
std::vector<Expr> random_parts(const std::vector<Expr>& symbols, std::mt19937& random) {
  std::vector<Expr> parts = symbols;
  const auto pick = [&] { return parts[random() % parts.size()]; };
  const double factors[] = {2, -2, 0.5, -1, 8, -0.25, 3, -9.81};
  const auto other = [&](const Expr& x) {  // x * x is a power, which the valuation leaves to the library
    for (int k = 0; k < 20; ++k)
      if (const Expr y = pick(); !identical(abs(x), abs(y))) return y;
    return symbols[0] + symbols[1];
  };
  for (int k = 0; k < 25; ++k) {
    const Expr x = pick(), y = other(x);
    const Expr made[] = {factors[random() % 8] * x,
                         factors[random() % 8] * x,
                         x + y,
                         x - y,
                         (2 * x) * y,
                         -x / (4 * y),
                         factors[random() % 8] / x,
                         abs(-2 * x),
                         sqrt(4 * abs(x)),
                         if_less(-2 * x, -y, 2 * x, -2 * y),
                         if_less_equal(2 * x, factors[random() % 8], x, 0),
                         if_less(y, x, 0, -4 * y),
                         sin(-2 * x),
                         min(2 * x, -y)};
    parts.push_back(made[random() % std::size(made)]);
  }
  return parts;
}

TEST(Factors, NoBitChangesButTheSignOfAZero) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal(0, 2);
  int compared = 0, shorter = 0;
  for (int round = 0; round < 3000; ++round) {
    const GraphRef graph = GraphRef::create();
    std::vector<Expr> symbols;
    for (int i = 0; i < 4; ++i) symbols.push_back(graph->symbol("x" + std::to_string(i)));
    const std::vector<Expr> parts = random_parts(symbols, random);
    const std::vector<Expr> some(parts.end() - 4, parts.end()), carried = carry_factors(some);
    shorter += graph->reachable(carried).size() < graph->reachable(some).size();
    std::vector<double> numbers(symbols.size());
    for (double& x : numbers) x = normal(random);
    const auto is_tame = [](double x) { return x == 0 || (std::abs(x) > 1e-200 && std::abs(x) < 1e200); };
    if (!std::ranges::all_of(values_of(parts, symbols, numbers), is_tame)) continue;
    ASSERT_EQ(values_of(carried, symbols, numbers), values_of(some, symbols, numbers)) << "round " << round;
    ++compared;
  }
  EXPECT_GT(compared, 2000);
  EXPECT_GT(shorter, 1000);
}

TEST(Factors, ARowOfSquaresKeepsNoneOfItsTwos) {
  const GraphRef graph = GraphRef::create();
  const Expr x = graph->symbol("x"), y = graph->symbol("y"), e = graph->symbol("e");
  const Expr row[] = {2 * x, -2 * y}, push = e / (pow(row[0], 2) + pow(row[1], 2));
  const std::vector<Expr> carried =
      carry_factors(std::array{row[0] * push * 2, row[1] * (-2 * push), if_less(2 * e, -2 * y, 1, 0)});
  const Expr plain = e / (pow(x, 2) + pow(y, 2));
  EXPECT_TRUE(identical(carried[0], x * plain));
  EXPECT_TRUE(identical(carried[1], y * plain));
  EXPECT_TRUE(identical(carried[2], if_less(e, -y, 1, 0)));
}

TEST(Factors, OddPowersKeepTheSignAndEvenOnesDoNot) {
  const GraphRef graph = GraphRef::create();
  const Expr x = graph->symbol("x");
  const std::array<Expr, 3> powers{pow(-2 * x, 2) * 0.25, pow(-2 * x, 3) * 0.125, pow(-2 * x, -1) * 2};
  const std::vector<Expr> carried = carry_factors(powers);
  EXPECT_EQ(values_of(carried, {x}, {3.0}), (std::vector<double>{9, -27, -1.0 / 3}));
  EXPECT_TRUE(identical(carried[0], pow(x, 2)));
}

TEST(Factors, WhatIsNotShorterStaysAsItIs) {
  const GraphRef graph = GraphRef::create();
  const Expr x = graph->symbol("x"), y = graph->symbol("y");
  const std::vector<Expr> before{2 * x, 2 * x + y, sin(-x), 1.5}, after = carry_factors(before);
  for (std::size_t k = 0; k < before.size(); ++k) EXPECT_TRUE(identical(before[k], after[k]));
}

}  // namespace
}  // namespace vinculum
