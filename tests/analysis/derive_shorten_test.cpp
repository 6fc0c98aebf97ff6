// Shorter forms against the value of what they replace.
#include "analysis/derive/shorten.hpp"

#include <gtest/gtest.h>

#include <random>

#include "expr/sample.hpp"
#include "vinculum/expr/print.hpp"

namespace vinculum::derive {
namespace {

/// A model with two angles, two lengths and a point on a circle of radius R.
struct Circle {
  Circle() {
    model.mass(x, 1);
    model.mass(y, 1);
    model.constrain("circle", pow(x, 2) + pow(y, 2), pow(R, 2));
  }
  Model model;
  const Expr a = model.parameter("a", 0.7), b = model.parameter("b", -0.4), R = model.parameter("R", 1.3);
  const Coordinate x = model.coordinate("x"), y = model.coordinate("y");
  sample::Inputs at(double angle, double rate) const {
    return {{"a", 0.7},
            {"b", -0.4},
            {"R", 1.3},
            {"x", 1.3 * std::cos(angle)},
            {"y", 1.3 * std::sin(angle)},
            {"x'", -1.3 * rate * std::sin(angle)},
            {"y'", 1.3 * rate * std::cos(angle)}};
  }
};

std::string shortened(const Model& model, const Expr& e, bool on_constraints = false) {
  Tidy tidy(model, [](const Expr& s) { return s.name(); });
  Effort effort{100'000};
  std::vector<Relation> given;
  if (on_constraints) given = relations_of_constraints(tidy, model, effort);
  Shortening shortening(tidy, given, effort);
  return to_text(tidy.write(shortening.shorter(tidy.read(e))));
}

TEST(DeriveShorten, SquaresOfSineAndCosineAreOneAlsoWhereOthersStay) {
  Circle c;
  const Expr s2 = pow(sin(c.a), 2), c2 = pow(cos(c.a), 2);
  EXPECT_EQ(shortened(c.model, c.R * s2 + c.R * c2), "R");
  EXPECT_EQ(shortened(c.model, c.x * s2 + c.x * c2 + c.y * c2), "x + y*cos(a)^2");
  EXPECT_EQ(shortened(c.model, cos(c.a) * cos(c.b) + sin(c.a) * sin(c.b)), "cos(a - b)");
  EXPECT_EQ(shortened(c.model, sin(c.a) * cos(c.b) + cos(c.a) * sin(c.b)), "sin(a + b)");
  EXPECT_EQ(shortened(c.model, pow(cosh(c.a), 2) - pow(sinh(c.a), 2) + c.x), "x + 1");
  EXPECT_EQ(shortened(c.model, 1 / c.a + 1 / c.b), "(a + b)/(a*b)");
}

TEST(DeriveShorten, AConstraintIsUsedWithItsRate) {
  Circle c;
  const Expr vx = c.x.rate(), vy = c.y.rate();
  EXPECT_EQ(shortened(c.model, c.a / (pow(c.x, 2) + pow(c.y, 2)), true), "a/R^2");
  EXPECT_EQ(shortened(c.model, c.x * vx + c.y * vy + c.a, true), "a");
  EXPECT_EQ(shortened(c.model, pow(c.x, 2) + pow(c.y, 2)), "x^2 + y^2") << "not unless it may be";
}

/// Random sums of products of everything, at states of the circle: to rounding, and never longer.
TEST(DeriveShorten, RandomFormsKeepTheirValueAndAreNeverLonger) {
  Circle c;
  const std::vector<Expr> atoms{sin(c.a),
                                cos(c.a),
                                sin(c.b),
                                cos(c.b),
                                c.x,
                                c.y,
                                c.R,
                                c.a,
                                c.x.rate(),
                                c.y.rate(),
                                sqrt(pow(c.x, 2) + pow(c.y, 2)),
                                pow(c.x, 2) + pow(c.y, 2)};
  std::mt19937 draw(3);
  int shorter = 0;
  for (int k = 0; k < 400; ++k) {
    Expr e = 0;
    const int terms = 2 + static_cast<int>(draw() % 5);
    for (int t = 0; t < terms; ++t) {
      Expr term = 1 + static_cast<int>(draw() % 3);
      for (int f = 0; f < 3; ++f) {
        const Expr& atom = atoms[draw() % atoms.size()];
        term = draw() % 5 == 0 ? term / atom : draw() % 3 == 0 ? term * pow(atom, 2) : term * atom;
      }
      e = draw() % 2 == 0 ? e + term : e - term;
    }
    Tidy tidy(c.model, [](const Expr& s) { return s.name(); });
    Effort effort{50'000};
    Shortening shortening(tidy, relations_of_constraints(tidy, c.model, effort), effort);
    const Product stated = tidy.read(e), found = shortening.shorter(stated);
    Length length(tidy.graph());
    EXPECT_LE(length.of(tidy.write(found)), length.of(tidy.write(stated)));
    shorter += length.of(tidy.write(found)) < length.of(tidy.write(stated));
    for (const double angle : {0.3, 1.9, -2.2}) {
      const sample::Inputs in = c.at(angle, 0.8);
      const double expected = sample::evaluate(tidy.write(stated), in);
      EXPECT_NEAR(sample::evaluate(tidy.write(found), in), expected, 1e-12 * (100 + std::fabs(expected)))
          << to_text(tidy.write(stated)) << " became " << to_text(tidy.write(found));
    }
  }
  EXPECT_GT(shorter, 100);
}

TEST(DeriveShorten, WithoutEffortEverythingStaysAsItIs) {
  Circle c;
  Tidy tidy(c.model, [](const Expr& s) { return s.name(); });
  Effort none{0};
  Shortening shortening(tidy, {}, none);
  const Product stated = tidy.read(pow(sin(c.a), 2) + pow(cos(c.a), 2));
  EXPECT_EQ(to_text(tidy.write(shortening.shorter(stated))), "sin(a)^2 + cos(a)^2");
  EXPECT_FALSE(shortening.changed());
}

}  // namespace
}  // namespace vinculum::derive
