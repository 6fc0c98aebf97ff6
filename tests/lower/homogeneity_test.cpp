#include "vinculum/lower/rows.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

namespace vinculum {
namespace {

struct Plane {
  Model m;
  Coordinate x = m.coordinate("x"), y = m.coordinate("y"), z = m.coordinate("z");
  Expr u = x.rate(), v = y.rate(), w = z.rate();
  double degree(const Expr& f) const { return degree_in_velocities(m, f); }
};

TEST(Homogeneity, DegreesAddUpInProductsAndSubtractInQuotients) {
  const Plane p;
  EXPECT_EQ(p.degree(p.u * p.v / p.w), 1.0);
  EXPECT_EQ(p.degree(p.v / p.u - tan(p.z)), 0.0);
  EXPECT_EQ(p.degree(pow(p.u, 3) * sqrt(p.v)), 3.5);
  EXPECT_EQ(p.degree(p.x / pow(p.u, 2)), -2.0);
}

TEST(Homogeneity, DirectionsSignsAndOrderDoNotChangeWithThePace) {
  const Plane p;
  EXPECT_EQ(p.degree(atan2(p.v, p.u) - p.z), 0.0);
  EXPECT_EQ(p.degree(hypot(p.u, p.v) - abs(p.w)), 1.0);
  EXPECT_EQ(p.degree(sign(p.u - p.v) * p.w), 1.0);
  EXPECT_EQ(p.degree(max(p.u, p.v) + min(p.v, p.w)), 1.0);
  EXPECT_EQ(p.degree(if_less(p.u, p.v, p.w, 2.0 * p.u)), 1.0);
  EXPECT_EQ(p.degree(sin(p.u / p.v) + exp(p.x)), 0.0);
}

TEST(Homogeneity, LikeSummandsAreTakenTogether) {
  const Plane p;
  EXPECT_EQ(p.degree(p.u - p.v + 1.0 - 1.0), 1.0);
  EXPECT_EQ(p.degree(2.0 * (p.u + 3.0) - 6.0), 1.0);
  EXPECT_EQ(p.degree(p.u + p.x - p.v - p.x), 1.0);
}

TEST(Homogeneity, WhatIsNotHomogeneousHasNoDegree) {
  Plane p;
  for (const Expr& f : {p.u + 1.0, p.u - p.v + sin(p.m.time()), pow(p.u, 2) + p.v, exp(p.u),
                        atan2(p.v, Expr(1.0)), if_less(p.u, Expr(1.0), p.u, p.v), p.u / (p.v + 1.0)})
    EXPECT_TRUE(std::isnan(p.degree(f)));
}

/// Random expressions: a degree that is claimed is that of f(k v) = k^d f(v).
TEST(Homogeneity, ADegreeThatIsClaimedIsKeptByTheNumbers) {
  Plane p;
  std::mt19937 random(7);
  const auto draw = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const std::function<Expr(int)> make = [&](int depth) -> Expr {
    if (depth == 0) {
      const Expr leaves[] = {p.u, p.v, p.w, p.x, Expr(2.0)};
      return leaves[draw(5)];
    }
    const Expr a = make(depth - 1), b = make(depth - 1);
    switch (draw(9)) {
      case 0:
        return a + b;
      case 1:
        return a - b;
      case 2:
        return a * b;
      case 3:
        return a / b;
      case 4:
        return hypot(a, b);
      case 5:
        return atan2(a, b);
      case 6:
        return max(a, b);
      case 7:
        return sqrt(abs(a));
      default:
        return if_less(a, b, a, b);
    }
  };
  int claimed = 0;
  for (int k = 0; k < 4000; ++k) {
    const Expr f = make(1 + draw(3));
    const double d = p.degree(f);
    if (std::isnan(d)) continue;
    ++claimed;
    const double at[] = {0.7, -1.3, 2.1, 0.4};
    const auto value = [&](double pace) {
      return value_of(f, [&](const Expr& s) {
        return identical(s, p.u)   ? pace * at[0]
               : identical(s, p.v) ? pace * at[1]
               : identical(s, p.w) ? pace * at[2]
                                   : at[3];
      });
    };
    const double once = value(1.0), twice = value(2.0);
    if (!std::isfinite(once) || !std::isfinite(twice)) continue;
    // A sum of a few terms of size up to 10: rounding alone.
    const double expected = std::isinf(d) ? 0.0 : std::pow(2.0, d) * once;
    EXPECT_NEAR(twice, expected, 1e-12 * (1.0 + std::fabs(twice)));
  }
  EXPECT_GT(claimed, 1000);
}

}  // namespace
}  // namespace vinculum
