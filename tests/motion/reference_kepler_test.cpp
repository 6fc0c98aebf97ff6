// Kepler's laws stated as constraints of a free particle: j01 to j03.
#include <gtest/gtest.h>

#include "motion/reference.hpp"

namespace vinculum {
namespace {

using reference::Case;
using reference::expect_reproduced;
using reference::Point;

/// A free particle that reports its velocity.
Point planet(Model& m, const Case& c, const std::array<double, 2>& start,
             const std::array<double, 2>& velocity) {
  const Point p = reference::point(m, {"x", "y"}, c.parameter("m"), start, velocity);
  m.output("vx", p.x.rate());
  m.output("vy", p.y.rate());
  return p;
}

/// r = eps x + p: an ellipse with one focus at the origin.
void keep_on_ellipse(Model& m, const Case& c, const Point& p) {
  m.constrain("ellipse", hypot(p.x, p.y), c.parameter("eps") * p.x + c.parameter("p"));
}

void keep_areal_velocity(Model& m, const Case& c, const Point& p) {
  m.constrain("areas", p.x * p.y.rate() - p.y * p.x.rate(), c.parameter("c"));
}

reference::Quantities force(const Sample& at) {
  return {{"Fx", at.constraint_force[0]}, {"Fy", at.constraint_force[1]}};
}

TEST(ReferenceKepler, TheFirstTwoLawsNeedTheInverseSquareForce) {
  const Case c("j01-kepler-both-constraints");
  Model m;
  const Point p = planet(m, c, {c.initial("x"), c.initial("y")}, {c.initial("vx"), c.initial("vy")});
  keep_on_ellipse(m, c, p);
  keep_areal_velocity(m, c, p);
  expect_reproduced(c, m, reference::standard_demands(), force);
}

TEST(ReferenceKepler, TheFirstLawAloneNeedsAnotherForce) {
  const Case c("j02-ellipse-only");
  c.expect_says("x", "p/(1-eps)");
  c.expect_says("vy", "v");
  Model m;
  const Point p = planet(m, c, {c.parameter("p") / (1 - c.parameter("eps")), 0}, {0, c.parameter("v")});
  keep_on_ellipse(m, c, p);
  expect_reproduced(c, m, reference::standard_demands(), force);
}

TEST(ReferenceKepler, TheSecondLawAloneNeedsNoForce) {
  const Case c("j03-areal-law-only");
  Model m;
  const Point p = planet(m, c, {c.initial("x"), c.initial("y")}, {c.initial("vx"), c.initial("vy")});
  keep_areal_velocity(m, c, p);
  expect_reproduced(c, m, reference::standard_demands(), force);
}

}  // namespace
}  // namespace vinculum
