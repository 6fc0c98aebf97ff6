#include "vinculum/expr/valuation.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace vinculum {
namespace {

TEST(Valuation, EvaluatesItsExpressionsForOneSetOfNumbersAfterAnother) {
  const GraphRef graph = GraphRef::create();
  const Expr x = graph->symbol("x"), y = graph->symbol("y");
  const std::array<Expr, 4> of{sin(y) * x, 2.5, x, if_less(x, y, x / y, -y)};
  Valuation valuation(of);
  ASSERT_EQ(valuation.symbols().size(), 2u);
  EXPECT_TRUE(identical(valuation.symbols()[0], y));  // as a reader meets them
  EXPECT_FALSE(valuation.has_calls());
  std::array<double, 4> values{};
  for (const auto& [at_x, at_y] : {std::pair{1.0, 2.0}, {3.0, 0.5}}) {
    valuation.at(std::array{at_y, at_x}, values);
    EXPECT_EQ(values[0], std::sin(at_y) * at_x);
    EXPECT_EQ(values[1], 2.5);
    EXPECT_EQ(values[2], at_x);
    EXPECT_EQ(values[3], at_x < at_y ? at_x / at_y : -at_y);
  }
}

TEST(Valuation, NumbersAloneNeedNoGraph) {
  const std::array<Expr, 2> of{1.5, 2};
  Valuation valuation(of);
  EXPECT_TRUE(valuation.symbols().empty());
  std::array<double, 2> values{};
  valuation.at({}, values);
  EXPECT_EQ(values, (std::array{1.5, 2.0}));
}

TEST(Valuation, CallsWhatIsWrittenInCpp) {
  const GraphRef graph = GraphRef::create();
  const Expr x = graph->symbol("x");
  const Function f = graph->add_function({.name = "f",
                                          .arguments = 2,
                                          .value = [](std::span<const double> a) { return a[0] - 10 * a[1]; },
                                          .gradient = {}});
  const std::array<Expr, 1> of{f(x, 2 * x) + 1};
  Valuation valuation(of);
  EXPECT_TRUE(valuation.has_calls());
  double value = 0;
  valuation.at(std::array{3.0}, {&value, 1});
  EXPECT_EQ(value, 3 - 60 + 1);
}

TEST(Valuation, TellsWhetherEveryPartWasFinite) {
  Graph graph;
  const Expr x = graph.symbol("x"), hidden = if_less(x, 1, x, 1 / (x - 2));
  Valuation valuation({&hidden, 1});
  double value = 0;
  for (const auto& [at, finite] : {std::pair{0.0, true}, {2.0, false}}) {
    valuation.at({&at, 1}, {&value, 1});
    EXPECT_EQ(valuation.was_finite(), finite) << at;
  }
}

}  // namespace
}  // namespace vinculum
