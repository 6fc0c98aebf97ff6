#include "vinculum/expr/opaque.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "support/message.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/print.hpp"

namespace vinculum {
namespace {

using test::message;

/// x^2 y, with its derivative.
OpaqueFunction area() {
  return {.name = "area",
          .arguments = 2,
          .value = [](std::span<const double> at) { return at[0] * at[0] * at[1]; },
          .gradient =
              [](std::span<const double> at, std::span<double> d) {
                d[0] = 2 * at[0] * at[1];
                d[1] = at[0] * at[0];
              }};
}

struct Sheet {
  Graph graph;
  Expr x = graph.symbol("x"), y = graph.symbol("y");
  Function f = graph.add_function(area());
  double at(const Expr& e, double px, double py) const {
    return value_of(e, [&](const Expr& s) { return s.name() == "x" ? px : py; });
  }
};

TEST(Opaque, HasTheValueOfItsFunction) {
  const Sheet s;
  EXPECT_EQ(s.at(s.f(s.x + 1, 2 * s.y) + s.x, 2, 5), 9 * 10 + 2);
  EXPECT_EQ(s.at(s.f(3, 4), 0, 0), 36);  // of numbers, too
}

TEST(Opaque, EqualCallsAreOneNodeAndOthersAreNot) {
  const Sheet s;
  EXPECT_TRUE(identical(s.f(s.x, s.y), s.f(s.x, s.y)));
  EXPECT_FALSE(identical(s.f(s.x, s.y), s.f(s.y, s.x)));
}

TEST(Opaque, ReadsAsACallOfItsName) {
  const Sheet s;
  EXPECT_EQ(to_text(-s.f(s.x, s.y + 1) * s.x), "-area(x, y + 1)*x");
  EXPECT_EQ(to_text(derivative(s.f(s.x, s.y), s.y)), "area_d2(x, y)");
  EXPECT_EQ(to_latex(s.f(s.x, -s.y)), "\\mathrm{area}\\left(x, -y\\right)");
}

/// Forward, backward and along time: the chain rule with the derivative as given.
TEST(Opaque, IsDifferentiatedByTheDerivativeGiven) {
  const Sheet s;
  const Expr e = s.f(sin(s.x), s.x * s.y);  // sin^2(x) x y
  const double x = 0.7, y = 1.3, sine = std::sin(x), cosine = std::cos(x);
  const double by_x = 2 * sine * cosine * x * y + sine * sine * y, by_y = sine * sine * x;
  EXPECT_NEAR(s.at(derivative(e, s.x), x, y), by_x, 1e-15);
  const std::vector<Expr> both = gradient(e, std::array{s.x, s.y});
  EXPECT_NEAR(s.at(both[0], x, y), by_x, 1e-15);
  EXPECT_NEAR(s.at(both[1], x, y), by_y, 1e-15);
  SymbolMap rates;
  rates.set(s.x, 2);
  rates.set(s.y, 3);
  EXPECT_NEAR(s.at(time_derivative(e, rates), x, y), 2 * by_x + 3 * by_y, 1e-14);
}

TEST(Opaque, TakesPartInSubstitution) {
  const Sheet s;
  SymbolMap map;
  map.set(s.x, s.y + 1);
  EXPECT_TRUE(identical(substitute(s.f(s.x, s.y), map), s.f(s.y + 1, s.y)));
}

/// The quotient to both sides: h^2 f'''/6 and rounding over h, both about 1e-10 here.
TEST(Opaque, WithoutADerivativeTakesDifferenceQuotients) {
  OpaqueFunction wave{.name = "wave",
                      .arguments = 1,
                      .value = [](std::span<const double> at) { return std::sin(at[0]); },
                      .gradient = nullptr};
  for (const double x : {-2.0, 0.0, 0.3, 40.0})
    EXPECT_NEAR(derivative_at(wave, std::array{x}, 0), std::cos(x), x == 0 ? 1e-7 : 2e-8) << x;
  EXPECT_EQ(derivative_at(area(), std::array{3.0, 4.0}, 0), 24);
}

TEST(Opaque, HasNoSecondDerivative) {
  const Sheet s;
  const Expr first = derivative(s.f(s.x, s.y), s.x);
  EXPECT_EQ(message([&] { derivative(first, s.y); }),
            "function 'area' is written in C++ and has no second derivatives, which are asked for here");
}

TEST(Opaque, IsFoundInWhatCallsIt) {
  const Sheet s;
  const std::array roots{Expr(1.0), s.x * s.f(s.x, s.f(s.y, 1)), s.y};
  const auto found = functions_of(roots);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0]->name, "area");
  EXPECT_TRUE(functions_of(std::array{s.x}).empty());
}

TEST(Opaque, RefusesWhatIsNoFunction) {
  Sheet s;
  EXPECT_EQ(message([&] { s.f(s.x); }), "function 'area' takes 2 arguments and is given 1");
  const auto refused = [&](const std::function<void(OpaqueFunction&)>& change) {
    OpaqueFunction bad = area();
    change(bad);
    return message([&] { s.graph.add_function(bad); });
  };
  EXPECT_EQ(refused([](OpaqueFunction& f) { f.name = "2d"; }),
            "'2d' cannot name a function: a name is letters, digits and _");
  EXPECT_EQ(refused([](OpaqueFunction& f) { f.value = nullptr; }),
            "function 'area' has no value: give it a C++ function");
  EXPECT_EQ(refused([](OpaqueFunction& f) { f.arguments = 33; }),
            "function 'area' has 33 arguments; from 1 to 32 are possible");
}

}  // namespace
}  // namespace vinculum
