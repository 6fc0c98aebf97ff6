#include "vinculum/expr/print.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "expr/sample.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/expr/parse.hpp"

namespace vinculum {
namespace {

TEST(ToText, HasTheParenthesesItNeedsAndNoOthers) {
  // Left: what is read; right: what is written.
  const std::vector<std::pair<std::string, std::string>> cases{
      {"a - b - c", "a - b - c"},
      {"a - (b - c)", "a - (b - c)"},
      {"a - (b + c)", "a - (b + c)"},
      {"(a + b) - c", "a + b - c"},
      {"a + (b + c)", "b + c + a"},
      {"a + (b - c)", "b - c + a"},
      {"a/b/c", "a/b/c"},
      {"a/(b*c)", "a/(b*c)"},
      {"a/(b/c)", "a/(b/c)"},
      {"(a*b)/c", "a*b/c"},
      {"(a + b)*c", "(a + b)*c"},
      {"c*(a + b)", "c*(a + b)"},
      {"(a + b)*(c - d)", "(a + b)*(c - d)"},
      {"2*(a*b)", "2*(a*b)"},
      {"2*(a/b)", "2*(a/b)"},
      {"a^b^c", "a^b^c"},
      {"(a^b)^c", "(a^b)^c"},
      {"(a*b)^c", "(a*b)^c"},
      {"a^(b*c)", "a^(b*c)"},
      {"sin(a)^2", "sin(a)^2"},
      {"-x^2", "-x^2"},
      {"(-x)^2", "(-x)^2"},
      {"x^-2", "x^(-2)"},
      {"x^-y", "x^(-y)"},
      {"(-2)^x", "(-2)^x"},
      {"2^-1", "2^(-1)"},
      {"a*-b", "-a*b"},
      {"-(a*b)", "-a*b"},
      {"-(a/b*c)", "-a/b*c"},
      {"-(a + b)", "-(a + b)"},
      {"-(a + b)*c", "-(a + b)*c"},
      {"-(a - b)", "b - a"},
      {"-(2/x)", "-(2/x)"},
      {"-2/x", "-2/x"},
      {"x/-2", "x/(-2)"},
      {"-x - y", "-x - y"},
      {"x - -2", "x + 2"},
      {"x + -2", "x - 2"},
      {"-2 - x", "-2 - x"},
      {"a - -2*x", "a - (-2*x)"},
      {"a + -2*x", "-2*x + a"},
      {"min(min(a, b), c)", "min(a, b, c)"},
      {"min(a, min(b, c))", "min(b, c, a)"},
      {"max(a, min(b, c))", "max(a, min(b, c))"},
      {"min(min(a, b), min(c, d))", "min(a, b, min(c, d))"},
      {"if(a > b, c, d)", "if(b < a, c, d)"},
      {"2*if(a <= b + 1, -c, d)", "2*if(a <= b + 1, -c, d)"},
      {"p.x'*p'.y + x''", "p.x'*p'.y + x''"},
      {"pi*r^2 - pi", "pi*r^2 - pi"},
      {"1/0 + x", "1/0 + x"},
      {"1e-12*x + 2.50e3", "1e-12*x + 2500"},
      {"atan2(y, -x) + hypot(3, x)", "atan2(y, -x) + hypot(3, x)"},
  };
  for (const auto& [text, expected] : cases) {
    Graph graph;
    const Expr e = parse(graph, text);
    EXPECT_EQ(to_text(e), expected) << text;
    EXPECT_TRUE(identical(parse(graph, expected), e)) << text;
  }
}

TEST(ToText, OfAProductWithItsNumberBehind) {
  Graph graph;
  const Expr x = graph.symbol("x"), y = graph.symbol("y");
  for (const Expr& e : {-(x * 2), -((x * 2) * y), -(x * 2 / y), (x * -2) * y, -((x - y) * x)}) {
    EXPECT_TRUE(identical(parse(graph, to_text(e)), e)) << to_text(e);
  }
}

TEST(ToText, OfConstants) {
  EXPECT_EQ(to_text(2), "2");
  EXPECT_EQ(to_text(-0.1), "-0.1");
  EXPECT_EQ(to_text(-3.141592653589793), "-pi");
  for (const double value : {-0.0, 0.1, -1.0 / 3, 5e-324, 1.7976931348623157e308, -1e22, 123456789.123}) {
    Graph graph;
    EXPECT_TRUE(identical(parse(graph, to_text(value)), value)) << to_text(value);
    const Expr e = sin(graph.symbol("x") * value);
    EXPECT_TRUE(identical(parse(graph, to_text(e)), e)) << to_text(e);
  }
}

std::string error_of(const Expr& e, std::size_t limit = 1000) {
  try {
    return to_text(e, limit);
  } catch (const Error& error) {
    return error.what();
  }
}

TEST(ToText, RefusesWhatNoTextCanSay) {
  Graph graph;
  const Expr x = graph.symbol("x");
  const double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const std::string end = " cannot be written in an expression; only finite numbers can";
  EXPECT_EQ(error_of(inf), "the constant inf" + end);
  EXPECT_EQ(error_of(x * -inf), "the constant -inf" + end);
  EXPECT_EQ(error_of(x + nan), "the constant nan" + end);
  const Expr less = graph.make(Op::less, x, 1);
  EXPECT_EQ(error_of(less), "a comparison outside the condition of an 'if' cannot be written as text");
  EXPECT_EQ(error_of(less + x), "a comparison outside the condition of an 'if' cannot be written as text");
  EXPECT_EQ(error_of(graph.make(Op::select, x, 1, 2)),
            "the condition of an 'if' is no comparison and cannot be written as text");
}

TEST(ToText, StopsAtItsLimit) {
  Graph graph;
  Expr e = graph.symbol("x");
  for (int i = 0; i < 100; ++i) e = e * (e + 1);  // 2^100 letters
  EXPECT_EQ(error_of(e), "the text of the expression is longer than 1000 characters");
  EXPECT_EQ(error_of(graph.symbol("abc") + 1, 7), "abc + 1");
  EXPECT_EQ(error_of(graph.symbol("abc") + 1, 6), "the text of the expression is longer than 6 characters");
}

// --- There and back ------------------------------------------------------------------------------

// The same node in the same graph; in a fresh graph the same text again.
bool comes_back(Graph& graph, const Expr& e) {
  std::string text;
  try {
    text = to_text(e, 20000);
  } catch (const Error&) {
    return true;  // shared parts written out are longer than a test should wait for
  }
  Graph fresh;
  return identical(parse(graph, text), e) && to_text(parse(fresh, text)) == text;
}

TEST(ToText, OfRandomFormulasReadsBack) {
  const std::vector<Op> arithmetic{Op::add,   Op::subtract, Op::multiply, Op::divide,
                                   Op::power, Op::negate,   Op::min};
  for (std::uint32_t seed = 0; seed < 10000; ++seed) {
    Graph graph;
    const sample::Recipe recipe =
        sample::random_recipe(seed, 15, seed % 2 ? arithmetic : sample::all_operations());
    const Expr e = sample::cook(graph, recipe).back();
    ASSERT_TRUE(comes_back(graph, e)) << "seed " << seed << ": " << to_text(e);
  }
}

RC_GTEST_PROP(ToText, OfAnyConstantReadsBackToTheSameBits, (std::uint64_t bits)) {
  const double value = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(value));
  Graph graph;
  RC_ASSERT(identical(parse(graph, to_text(value)), value));
  const Expr e = pow(graph.symbol("x"), value) / value - hypot(value, graph.symbol("x"));
  RC_ASSERT(comes_back(graph, e));
}

// --- Size ----------------------------------------------------------------------------------------

TEST(ToShortText, IsTheWholeTextOrItsBeginning) {
  Graph graph;
  const Expr e = sin(graph.symbol("x")) + 2;
  const std::string whole = to_text(e);
  EXPECT_EQ(to_short_text(e, whole.size()), whole);
  EXPECT_EQ(to_short_text(e, 5), whole.substr(0, 5) + " ..");
  EXPECT_EQ(to_short_text(Expr(2.5), 1), "2.5");
}

TEST(ToShortText, DoesNotWriteOutWhatIsShared) {
  Graph graph;
  Expr e = graph.symbol("x");
  for (int k = 0; k < 200; ++k) e = if_less(e, k, e * e, sin(e));  // 3^200 symbols, written out
  for (std::size_t limit = 1; limit <= 80; ++limit)                // the cut may fall on any part of a call
    EXPECT_EQ(to_short_text(e, limit).size(), limit + 3);
}

TEST(ToTextSize, OfLongSumsIsFlatFromWhicheverSideTheyWereBuilt) {
  Graph graph;
  Expr left = graph.symbol("x0"), right = left, product = left;
  for (int i = 1; i < 100000; ++i) {
    const Expr x = graph.symbol("x" + std::to_string(i));
    left = left + x;
    right = x + right;
    product = 2 * (product * x);  // the number in front would cost a level each time
  }
  EXPECT_TRUE(identical(left, right));
  EXPECT_TRUE(identical(parse(graph, to_text(left)), left));
  EXPECT_TRUE(identical(parse(graph, to_text(product)), product));
}

TEST(ToTextSize, DepthCostsNoStack) {
  Graph graph;
  Expr sines = graph.symbol("x"), differences = sines, choices = sines;
  for (int i = 0; i < 100000; ++i) {
    sines = sin(sines);
    differences = graph.symbol("y") - differences;
    choices = if_less(sines.operand(0), 1, choices, 2);
    choices = if_less(0, choices, 1, graph.symbol("x"));
  }
  EXPECT_EQ(to_text(sines).size(), 500001u);
  EXPECT_EQ(to_text(differences).size(), 599999u);
}

}  // namespace
}  // namespace vinculum
