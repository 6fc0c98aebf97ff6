#include "vinculum/expr/derivative.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "expr/sample.hpp"
#include "support/growth.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/expr/parse.hpp"
#include "vinculum/expr/print.hpp"

namespace vinculum {
namespace {

using sample::evaluate;
using sample::Inputs;

std::string derivative_text(const std::string& f) {
  Graph graph;
  return to_text(derivative(parse(graph, f), graph.symbol("x")));
}

TEST(Derivative, HasTheClosedFormOfTheBooks) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"5", "0"},
      {"y", "0"},
      {"x", "1"},
      {"x + y", "1"},
      {"y - x", "-1"},
      {"3*x", "3"},
      {"x*y", "y"},
      {"x/y", "1/y"},
      {"y/x", "-y/x/x"},
      {"x^2", "2*x"},
      {"x^3", "3*x^2"},
      {"x^y", "y*x^(y - 1)"},
      {"y^x", "y^x*log(y)"},
      {"-x", "-1"},
      {"sin(x)", "cos(x)"},
      {"cos(x)", "-sin(x)"},
      {"tan(x)", "1 + tan(x)^2"},
      {"asin(x)", "1/sqrt(1 - x^2)"},
      {"acos(x)", "-1/sqrt(1 - x^2)"},
      {"atan(x)", "1/(1 + x^2)"},
      {"sinh(x)", "cosh(x)"},
      {"cosh(x)", "sinh(x)"},
      {"tanh(x)", "1 - tanh(x)^2"},
      {"exp(x)", "exp(x)"},
      {"log(x)", "1/x"},
      {"sqrt(x)", "0.5/sqrt(x)"},
      {"abs(x)", "sign(x)"},
      {"sign(x)", "0"},
      {"atan2(x, y)", "y/(x^2 + y^2)"},
      {"atan2(y, x)", "-y/(y^2 + x^2)"},
      {"hypot(x, y)", "x/hypot(x, y)"},
      {"min(x, y)", "if(x <= y, 1, 0)"},
      {"max(x, y)", "if(y <= x, 1, 0)"},
      {"if(x < y, x^2, y)", "if(x < y, 2*x, 0)"},
      {"sin(x^2)", "2*x*cos(x^2)"},
  };
  for (const auto& [f, expected] : cases) EXPECT_EQ(derivative_text(f), expected) << "d/dx " << f;
}

TEST(Derivative, AgreesWithCentralDifferences) {
  const std::vector<std::string> formulas{
      "x + 2*y",
      "y - 3*x",
      "x*y",
      "x/y",
      "y/x",
      "x^3",
      "x^y",
      "y^x",
      "-x^2",
      "sin(x)",
      "cos(x)",
      "tan(x)",
      "asin(x/4)",
      "acos(x/4)",
      "atan(x)",
      "sinh(x)",
      "cosh(x)",
      "tanh(x)",
      "exp(x)",
      "log(x)",
      "sqrt(x)",
      "abs(x - 1)",
      "abs(x + 1)",
      "sign(x)",
      "atan2(x, y)",
      "atan2(y, x)",
      "hypot(x, y)",
      "min(x, y)",
      "max(x, y)",
      "min(y, x, 2*x)",
      "if(x < y, x^2, x^3)",
      "if(x >= y, x^2, x^3)",
      "exp(sin(x*y)/x) + x^sqrt(y)",
  };
  // With h = eps^(1/3) truncation and rounding are both about eps^(2/3) = 4e-11 of the third derivative or of
  // the function; neither exceeds 100 times the derivative here.
  const double h = std::cbrt(std::numeric_limits<double>::epsilon());
  for (const std::string& formula : formulas) {
    for (const double x : {0.3, 0.7, 1.3}) {
      Graph graph;
      const Expr f = parse(graph, formula);
      const double exact = evaluate(derivative(f, graph.symbol("x")), {{"x", x}, {"y", 0.9}});
      const double ahead = evaluate(f, {{"x", x + h}, {"y", 0.9}}),
                   behind = evaluate(f, {{"x", x - h}, {"y", 0.9}});
      EXPECT_NEAR(exact, (ahead - behind) / (2 * h), 4e-9 * (1 + std::abs(exact))) << formula << " at " << x;
    }
  }
}

TEST(Derivative, OfAChoiceNeverTouchesTheOtherBranch) {
  Graph graph;
  const Expr f = parse(graph, "if(x > 0, sqrt(x), 0)");
  const std::array symbols{graph.symbol("x")};
  EXPECT_EQ(evaluate(derivative(f, symbols[0]), {{"x", -1}}), 0);
  EXPECT_EQ(evaluate(gradient(f, symbols)[0], {{"x", 0}}), 0);
  EXPECT_EQ(evaluate(gradient(f, symbols)[0], {{"x", 4}}), 0.25);
}

TEST(Derivative, AsksOnlyForWhatMoves) {
  Graph graph;
  // The rule for the exponent holds log(x), which is infinite at 0; a constant exponent must not meet it.
  const Expr f = parse(graph, "x^2 + x^3");
  EXPECT_EQ(evaluate(derivative(f, graph.symbol("x")), {{"x", 0}}), 0);
}

// --- Gradient and Jacobian -----------------------------------------------------------------------

TEST(Gradient, EqualsTheDerivativeByEachSymbol) {
  // Small whole numbers under + - * are exact in doubles, so both sweeps must give the very same number.
  const std::vector<Op> exact{Op::add, Op::subtract, Op::multiply, Op::negate};
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    Graph graph;
    sample::Recipe recipe = sample::random_recipe(seed, 8, exact);
    for (sample::Step& s : recipe) {
      for (std::uint32_t& from : s.from) from = from < 14 ? from % 5 : from - 9;  // symbols, 0 and 1 alone
    }
    const Expr f = sample::cook(graph, recipe).back();
    const std::array symbols{graph.symbol("x"), graph.symbol("y'"), graph.symbol("p.z")};
    const Inputs at{{"x", 2}, {"y'", -3}, {"p.z", 1}};
    const std::vector<Expr> g = gradient(f, symbols);
    for (std::size_t j = 0; j < symbols.size(); ++j)
      ASSERT_EQ(evaluate(g[j], at), evaluate(derivative(f, symbols[j]), at))
          << "seed " << seed << ": " << to_text(f);
  }
}

TEST(Gradient, EqualsTheDerivativeOfFormulasOfEveryKind) {
  Graph graph;
  const Expr f =
      parse(graph, "sin(x*y)^2/z + hypot(x - z, y)*exp(-z^2) + atan2(y, x)*tanh(z*x) + x^y + sqrt(z)*log(y)");
  const std::array symbols{graph.symbol("x"), graph.symbol("y"), graph.symbol("z"), graph.symbol("absent")};
  const Inputs at{{"x", 0.4}, {"y", 1.7}, {"z", 0.8}, {"absent", 1}};
  const std::vector<Expr> g = gradient(f, symbols);
  for (std::size_t j = 0; j < symbols.size(); ++j) {
    // The two sweeps add the same few terms in another order: a few roundings of terms of size 1.
    EXPECT_NEAR(evaluate(g[j], at), evaluate(derivative(f, symbols[j]), at), 1e-14);
  }
  EXPECT_TRUE(g[3].is_constant(0));
}

TEST(Gradient, OfAConstantAndOfASymbol) {
  Graph graph;
  const std::array symbols{graph.symbol("x"), graph.symbol("y")};
  for (const Expr& g : gradient(3, symbols)) EXPECT_TRUE(g.is_constant(0));
  EXPECT_TRUE(gradient(symbols[0], symbols)[0].is_constant(1));
  EXPECT_TRUE(gradient(symbols[0], symbols)[1].is_constant(0));
}

TEST(Jacobian, HoldsTheEntriesThatDoNotVanish) {
  Graph graph;
  const std::array symbols{graph.symbol("z"), graph.symbol("y"), graph.symbol("x")};
  const std::array f{parse(graph, "x^2 + y"), parse(graph, "7"), parse(graph, "z*w"),
                     parse(graph, "sign(x) + z*y")};
  std::vector<std::string> entries;
  for (const JacobianEntry& e : jacobian(f, symbols))
    entries.push_back(std::to_string(e.row) + "," + std::to_string(e.column) + ": " + to_text(e.value));
  const std::vector<std::string> expected{"0,1: 1", "0,2: 2*x", "2,0: w", "3,0: y", "3,1: z"};
  EXPECT_EQ(entries, expected);
}

// --- Along time ----------------------------------------------------------------------------------

SymbolMap rates_of(Graph& graph, const std::vector<std::string>& coordinates) {
  SymbolMap rates;
  for (const std::string& q : coordinates) {
    rates.set(graph.symbol(q), graph.symbol(q + "'"));
    rates.set(graph.symbol(q + "'"), graph.symbol(q + "''"));
  }
  rates.set(graph.symbol("t"), 1);
  return rates;
}

TEST(TimeDerivative, OfASphereTwice) {
  Graph graph;
  const SymbolMap rates = rates_of(graph, {"x", "y", "z"});
  const Expr sphere = parse(graph, "x^2 + y^2 + z^2 - L^2");
  const Expr first = time_derivative(sphere, rates);
  EXPECT_EQ(to_text(first), "2*x*x' + 2*y*y' + 2*z*z'");
  const Expr second = time_derivative(first, rates);
  const Expr known = parse(graph, "2*(x'^2 + y'^2 + z'^2) + 2*(x*x'' + y*y'' + z*z'')");
  const Inputs at{{"x", 1},  {"y", 2},   {"z", 3},   {"x'", 4}, {"y'", 5},
                  {"z'", 6}, {"x''", 7}, {"y''", 8}, {"z''", 9}};
  EXPECT_EQ(evaluate(second, at), evaluate(known, at));
  const std::array accelerations{graph.symbol("x''"), graph.symbol("y''"), graph.symbol("z''")};
  const std::vector<Expr> row = gradient(second, accelerations);
  EXPECT_EQ(to_text(row[0]), "2*x");
  EXPECT_EQ(to_text(row[1]), "2*y");
  EXPECT_EQ(to_text(row[2]), "2*z");
}

TEST(TimeDerivative, SeesExplicitTimeAndLeavesParametersAlone) {
  Graph graph;
  const SymbolMap rates = rates_of(graph, {"x"});
  EXPECT_EQ(to_text(time_derivative(parse(graph, "a*x + sin(t)"), rates)), "a*x' + cos(t)");
  EXPECT_TRUE(time_derivative(parse(graph, "a^2*b"), rates).is_constant(0));
}

TEST(TimeDerivative, MayMapToWholeExpressions) {
  Graph graph;
  SymbolMap rates;
  rates.set(graph.symbol("qw"), parse(graph, "qx*wx"));
  EXPECT_EQ(to_text(time_derivative(parse(graph, "3*qw"), rates)), "3*(qx*wx)");
}

TEST(SymbolMap, MapsSymbolsOnly) {
  Graph graph;
  SymbolMap map;
  EXPECT_TRUE(map.empty());
  EXPECT_THROW(map.set(graph.symbol("x") + 1, 2), Error);
  EXPECT_THROW(derivative(graph.symbol("x"), 2), Error);
}

// --- Substitution and symbols --------------------------------------------------------------------

TEST(Substitute, ReplacesAllAtOnce) {
  Graph graph;
  SymbolMap exchange;
  exchange.set(graph.symbol("x"), graph.symbol("y"));
  exchange.set(graph.symbol("y"), graph.symbol("x"));
  EXPECT_EQ(to_text(substitute(parse(graph, "x - sin(y)^2"), exchange)), "y - sin(x)^2");
}

TEST(Substitute, SimplifiesWhatBecomesConstant) {
  Graph graph;
  SymbolMap values;
  values.set(graph.symbol("m"), 2);
  values.set(graph.symbol("g"), 10);
  EXPECT_EQ(to_text(substitute(parse(graph, "m*g*x + if(m < g, 1, x)"), values)), "20*x + 1");
  EXPECT_TRUE(substitute(4, values).is_constant(4));
}

TEST(SymbolsOf, ListsEachSymbolOnceInTheOrderAReaderMeetsThem) {
  Graph graph;
  const Expr a = graph.symbol("a"), b = graph.symbol("b"), c = graph.symbol("c");
  const std::array f{Expr(1), c * b, b + sin(a), Expr(2)};
  std::string names;
  for (const Expr& s : symbols_of(f)) names += s.name();
  EXPECT_EQ(names, "cba");
  EXPECT_TRUE(symbols_of({}).empty());
}

// --- Size ----------------------------------------------------------------------------------------

// Rods between neighbouring particles: what a model of n constraints asks of this layer. Nodes per
// constraint.
double chain_nodes(int n) {
  Graph graph;
  SymbolMap rates;
  std::vector<std::array<Expr, 3>> position, acceleration;
  for (int i = 0; i <= n; ++i) {
    auto& q = position.emplace_back();
    auto& a = acceleration.emplace_back();
    for (int k = 0; k < 3; ++k) {
      const std::string name = "p" + std::to_string(i) + "." + "xyz"[k];
      q[k] = graph.symbol(name);
      const Expr v = graph.symbol(name + "'");
      a[k] = graph.symbol(name + "''");
      rates.set(q[k], v);
      rates.set(v, a[k]);
    }
  }
  std::size_t entries = 0;
  for (int i = 0; i < n; ++i) {
    Expr rod = -1;
    for (int k = 0; k < 3; ++k) rod += pow(position[i + 1][k] - position[i][k], 2);
    const Expr second = time_derivative(time_derivative(rod, rates), rates);
    std::vector<Expr> wanted(acceleration[i].begin(), acceleration[i].end());
    wanted.insert(wanted.end(), acceleration[i + 1].begin(), acceleration[i + 1].end());
    entries += gradient(second, wanted).size();
  }
  EXPECT_EQ(entries, 6u * static_cast<std::size_t>(n));
  return static_cast<double>(graph.size()) / n;
}

TEST(Size, OfAChainOfRodsIsLinearInTimeAndMemory) {
  // Ten times the work, and up to half as much again for a graph that has left the caches; 40 leaves room for
  // neighbours who use them too. What grows with the square would need 100.
  double nodes[2];
  test::expect_growth_below(40, [&](bool large) {
    return test::seconds_of([&] { nodes[large] = chain_nodes(large ? 100000 : 10000); });
  });
  // The ends of the chain are shared by fewer rods: nine symbols in all.
  EXPECT_NEAR(nodes[true], nodes[false], 0.01);
}

TEST(Size, OfAGradientDoesNotGrowWithTheNumberOfSymbols) {
  Graph graph;
  Expr f = 0;
  std::vector<Expr> symbols;
  for (int i = 0; i < 100000; ++i) {
    symbols.push_back(graph.symbol("x" + std::to_string(i)));
    f += sin(symbols.back());
  }
  const std::vector<Expr> g = gradient(f, symbols);
  EXPECT_EQ(to_text(g.front()), "cos(x0)");
  EXPECT_EQ(to_text(g.back()), "cos(x99999)");
}

}  // namespace
}  // namespace vinculum
