#include "vinculum/expr/graph.hpp"

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
#include "vinculum/expr/print.hpp"

namespace rc {
template <>
struct Arbitrary<vinculum::sample::Step> {
  static Gen<vinculum::sample::Step> arbitrary() {
    using vinculum::sample::Step;
    static const auto ops = vinculum::sample::all_operations();
    const auto from = [] { return gen::inRange<std::uint32_t>(0, 1000); };
    return gen::map(gen::tuple(gen::elementOf(ops), from(), from(), from(), from(), gen::arbitrary<bool>()),
                    [](const auto& t) {
                      return Step{std::get<0>(t),
                                  {std::get<1>(t), std::get<2>(t), std::get<3>(t), std::get<4>(t)},
                                  std::get<5>(t)};
                    });
  }
};
}  // namespace rc

namespace vinculum {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

class GraphTest : public testing::Test {
 protected:
  Graph graph;
  Expr x = graph.symbol("x"), y = graph.symbol("y"), z = graph.symbol("z");
};

// --- One node for equal expressions --------------------------------------------------------------

TEST_F(GraphTest, ASymbolIsMadeOnce) {
  EXPECT_TRUE(identical(graph.symbol("x"), x));
  EXPECT_FALSE(identical(x, y));
  EXPECT_EQ(x.name(), "x");
  EXPECT_EQ(graph.size(), 3u);
}

TEST_F(GraphTest, EqualExpressionsAreOneNode) {
  const Expr first = sin(x * y) + 2;
  const std::size_t size = graph.size();
  EXPECT_TRUE(identical(sin(x * y) + 2, first));
  EXPECT_EQ(graph.size(), size);
}

TEST_F(GraphTest, OperandsOfCommutingOperationsMayBeExchanged) {
  EXPECT_TRUE(identical(x * y, y * x));
  EXPECT_TRUE(identical(x + y, y + x));
  EXPECT_TRUE(identical(min(x, y), min(y, x)));
  EXPECT_TRUE(identical(max(x, y), max(y, x)));
  EXPECT_TRUE(identical(hypot(x, y), hypot(y, x)));
  EXPECT_FALSE(identical(x - y, y - x));
  EXPECT_FALSE(identical(x / y, y / x));
  EXPECT_FALSE(identical(pow(x, y), pow(y, x)));
  EXPECT_FALSE(identical(atan2(x, y), atan2(y, x)));
}

TEST_F(GraphTest, OperandsComeBeforeWhatIsMadeOfThem) {
  const Expr e = sin(x * y) + pow(z, 2) / (x - 1);
  for (NodeId id = 0; id < graph.size(); ++id) {
    for (int i = 0; i < arity(graph.node(id).op); ++i) EXPECT_LT(graph.node(id).operand[i], id);
  }
  EXPECT_EQ(e.id() + 1, graph.size());
}

TEST_F(GraphTest, ConstantsAreIdenticalOnlyBitForBit) {
  EXPECT_TRUE(identical(2, 2.0));
  EXPECT_TRUE(identical(nan, nan));
  EXPECT_FALSE(identical(0.0, -0.0));
  EXPECT_FALSE(identical(x, 0));
}

// --- Simplification ------------------------------------------------------------------------------

TEST_F(GraphTest, NeutralElementsVanish) {
  EXPECT_TRUE(identical(x + 0, x));
  EXPECT_TRUE(identical(0 + x, x));
  EXPECT_TRUE(identical(x - 0, x));
  EXPECT_TRUE(identical(1 * x, x));
  EXPECT_TRUE(identical(x * 1, x));
  EXPECT_TRUE(identical(x / 1, x));
  EXPECT_TRUE(identical(pow(x, 1), x));
  EXPECT_TRUE(identical(-(-x), x));
  EXPECT_TRUE(identical(pow(x, 0), 1));
}

TEST_F(GraphTest, WhatMayBeInfiniteStays) {
  EXPECT_EQ(to_text(0 * x), "0*x");
  EXPECT_EQ(to_text(x - x), "x - x");
  EXPECT_EQ(to_text(x / x), "x/x");
  EXPECT_EQ(to_text(0 / x), "0/x");
}

TEST_F(GraphTest, SignsAreCollected) {
  EXPECT_TRUE(identical(x + (-y), x - y));
  EXPECT_TRUE(identical(-x + y, y - x));
  EXPECT_TRUE(identical(x - (-y), x + y));
  EXPECT_TRUE(identical(x + -2, x - 2));
  EXPECT_TRUE(identical((-x) * y, -(x * y)));
  EXPECT_TRUE(identical((-x) * (-y), x * y));
  EXPECT_TRUE(identical((-x) / (-y), x / y));
  EXPECT_TRUE(identical(-(x - y), y - x));
  EXPECT_TRUE(identical(-1 * x, -x));
  EXPECT_TRUE(identical(-(2 * x), -2 * x));
  EXPECT_TRUE(identical(abs(-x), abs(x)));
}

TEST_F(GraphTest, OnlyExactOperationsAreFoldedInTheGraph) {
  EXPECT_TRUE(identical(graph.make(Op::add, 1, 2), 3));
  EXPECT_TRUE(identical(graph.make(Op::divide, 1, 4), 0.25));
  EXPECT_TRUE(identical(graph.make(Op::select, graph.make(Op::less, 1, 2), x, y), x));
  EXPECT_EQ(graph.make(Op::sin, 1).op(), Op::sin) << "its value belongs to the kernel";
  EXPECT_EQ(graph.make(Op::divide, 1, 0).op(), Op::divide) << "1/0 stays visible";
}

TEST_F(GraphTest, AConstantNeedsNoGraph) {
  const Expr two = 2;
  EXPECT_TRUE(identical(two * 3 + 1, 7));
  EXPECT_TRUE(identical(cos(Expr(0)), 1));
}

TEST(Graph, ExpressionsOfTwoGraphsDoNotMix) {
  Graph one, other;
  EXPECT_THROW(one.symbol("x") + other.symbol("x"), Error);
}

// Infinities, NaN and sizes that overflow or vanish are among the inputs on purpose: no rewriting may rely on
// x - x being 0.
const std::vector<double>& hard_inputs() {
  static const std::vector<double> values{0, 1, -1, 2, 0.5, -2.5, 1e200, -1e200, 1e-200, 710, inf, -inf, nan};
  return values;
}

RC_GTEST_PROP(Graph, SimplificationNeverChangesAValue, (const sample::Recipe& recipe)) {
  const auto number = rc::gen::oneOf(rc::gen::elementOf(hard_inputs()), rc::gen::arbitrary<double>());
  sample::Inputs at;
  for (const std::string& name : sample::symbol_names()) at[name] = *number;
  Graph graph;
  const std::vector<Expr> simplified = sample::cook(graph, recipe);
  const std::vector<sample::Plain> plain = sample::cook(at, recipe);
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const double value = sample::evaluate(simplified[i], at);
    RC_ASSERT(!plain[i].certain || sample::same_value(value, plain[i].value));
  }
}

TEST(Graph, SimplificationNeverChangesAValueInDeepFormulas) {
  std::mt19937 random(7);
  int certain = 0;
  for (std::uint32_t seed = 0; seed < 5000; ++seed) {
    const sample::Recipe recipe = sample::random_recipe(seed, 25, sample::all_operations());
    sample::Inputs at;
    for (const std::string& name : sample::symbol_names())
      at[name] = hard_inputs()[random() % hard_inputs().size()];
    Graph graph;
    const sample::Plain plain = sample::cook(at, recipe).back();
    const double value = sample::evaluate(sample::cook(graph, recipe).back(), at);
    if (!plain.certain) continue;
    ++certain;
    ASSERT_TRUE(sample::same_value(value, plain.value))
        << "seed " << seed << ": " << value << " for " << plain.value;
  }
  EXPECT_GT(certain, 4000) << "the sign of a zero decides too often for the test to mean much";
}

// --- Walking -------------------------------------------------------------------------------------

TEST_F(GraphTest, ReachableListsOperandsFirstAndEachNodeOnce) {
  const Expr shared = x * y;
  const std::array roots{sin(shared) + shared, cos(shared)};
  sin(z);  // not asked for
  const std::vector<NodeId> order = graph.reachable(roots);
  EXPECT_EQ(order.size(), 6u);  // x, y, x*y, sin, +, cos
  std::vector<bool> seen(graph.size(), false);
  for (const NodeId id : order) {
    EXPECT_FALSE(seen[id]);
    for (int i = 0; i < arity(graph.node(id).op); ++i) EXPECT_TRUE(seen[graph.node(id).operand[i]]);
    seen[id] = true;
  }
  EXPECT_FALSE(seen[z.id()]);
}

TEST_F(GraphTest, DepthCostsNoStack) {
  Expr e = x;
  for (int i = 0; i < 1000000; ++i) e = sin(e);
  EXPECT_EQ(graph.reachable({&e, 1}).size(), 1000001u);
}

/// Nodes stand behind their newest operand: one that all have has no room for them there, neighbours that
/// have many each have.
TEST(Graph, ManyNodesOfOneNewestOperandGrowAsTheirNumber) {
  const auto seconds_of_nodes = [](int count) {
    return test::seconds_of([count] {
      Graph many;
      std::vector<Expr> older;
      for (int i = 0; i < count; ++i) older.push_back(many.symbol("a" + std::to_string(i)));
      const Expr newest = many.symbol("newest");
      for (const Expr& a : older) (void)(a * newest);
      for (const Expr& a : older)
        for (int k = 2; k < 8; ++k) (void)(a * k);
      const std::size_t size = many.size();
      for (const Expr& a : older) (void)(newest * a);
      EXPECT_EQ(many.size(), size);
      EXPECT_EQ(size, 8u * static_cast<std::size_t>(count) + 1 + 6);
    });
  };
  // The square of the number would take sixty-four times as long.
  test::expect_growth_below(24, [&](bool large) { return seconds_of_nodes(large ? 80000 : 10000); });
}

TEST_F(GraphTest, MisuseIsAnError) {
  EXPECT_THROW((x + y).name(), Error);
  EXPECT_THROW(Expr(2).name(), Error);
}

}  // namespace
}  // namespace vinculum
