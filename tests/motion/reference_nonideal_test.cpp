// Constraints that do work in virtual displacements, friction first of all: d01 to d04.
#include <gtest/gtest.h>

#include <cmath>

#include "motion/reference.hpp"

namespace vinculum {
namespace {

using reference::Case;
using reference::expect_reproduced;
using reference::Point;
using reference::Quantities;

/// Coulomb's law for a point in the plane: mu times the size of the ideal force, against the velocity.
void add_friction(Model& m, const Point& p, double mu, const char* constraint) {
  const Expr normal = hypot(m.reaction(constraint, p.x), m.reaction(constraint, p.y));
  m.nonideal(p.x, -mu * normal * p.x.rate() / p.speed());
  m.nonideal(p.y, -mu * normal * p.y.rate() / p.speed());
}

/// Both parts of the constraint force, as the motion reports them.
Quantities both_forces(const Sample& at) {
  return {{"FLx", at.constraint_force[0]},
          {"FLy", at.constraint_force[1]},
          {"FCx", at.nonideal_force[0]},
          {"FCy", at.nonideal_force[1]}};
}

/// A block thrown up a slope that falls towards +x.
Model block(const Case& c) {
  c.expect_says("vx", "-3 cos alpha");
  c.expect_says("vy", "3 sin alpha");
  const double mass = c.parameter("m"), alpha = c.parameter("alpha");
  Model m;
  const Point p = reference::point(m, {"x", "y"}, mass, {c.initial("x"), c.initial("y")},
                                   {-3 * std::cos(alpha), 3 * std::sin(alpha)});
  m.force(p.y, -mass * c.parameter("g"));
  m.constrain("slope", p.x * std::tan(alpha) + p.y);
  add_friction(m, p, c.parameter("mu"), "slope");
  m.output("vx", p.x.rate());
  m.output("vy", p.y.rate());
  return m;
}

TEST(ReferenceNonideal, ABlockSlidesUpASlopeTurnsAndSlidesBack) {
  const Case c("d01-block-coulomb");
  expect_reproduced(c, block(c), reference::standard_demands(), both_forces);
}

TEST(ReferenceNonideal, ABeadWithFrictionPassesTheTopOfItsRing) {
  const Case c("d02-bead-vertical-ring-coulomb");
  c.expect_says("y", "-R");
  c.expect_says("vx", "v0");
  const double mass = c.parameter("m"), R = c.parameter("R");
  Model m;
  const Point p =
      reference::point(m, {"x", "y"}, mass, {c.initial("x"), -R}, {c.parameter("v0"), c.initial("vy")});
  m.force(p.y, -mass * c.parameter("g"));
  m.constrain("ring", p.x * p.x + p.y * p.y, R * R);
  add_friction(m, p, c.parameter("mu"), "ring");
  m.output("vx", p.x.rate());
  m.output("vy", p.y.rate());
  m.output("N", -(m.reaction("ring", p.x) * p.x + m.reaction("ring", p.y) * p.y) / R);
  expect_reproduced(c, m, reference::standard_demands(), [](const Sample& at) -> Quantities {
    return {{"friction", std::hypot(at.nonideal_force[0], at.nonideal_force[1])}};
  });
}

TEST(ReferenceNonideal, APendulumWithQuadraticDragLosesHeight) {
  const Case c("d03-pendulum-quadratic-drag");
  c.expect_says("x", "L sin th0");
  c.expect_says("y", "-L cos th0");
  const double mass = c.parameter("m"), L = c.parameter("L"), th0 = c.parameter("th0"),
               c2 = c.parameter("c2");
  Model m;
  const Point p = reference::point(m, {"x", "y"}, mass, {L * std::sin(th0), -L * std::cos(th0)}, {0, 0});
  m.force(p.y, -mass * c.parameter("g"));
  m.constrain("rod", p.x * p.x + p.y * p.y, L * L);
  for (const Coordinate& q : {p.x, p.y}) m.nonideal(q, -c2 * p.speed() * q.rate());
  m.output("vx", p.x.rate());
  m.output("vy", p.y.rate());
  expect_reproduced(c, m);
}

TEST(ReferenceNonideal, ABeadWithFrictionOnAHelixTendsToATerminalSpeed) {
  const Case c("d04-bead-helix-coulomb");
  const double R = c.parameter("R"), h = c.parameter("h"), mu = c.parameter("mu");
  const double turn = c.initial("speed") / std::hypot(R, h);  // p' of (R cos p, R sin p, -h p) at p = 0
  Model m;
  const Particle p = m.particle(
      "bead", {.mass = c.parameter("m"), .position = {R, 0, 0}, .velocity = {0, R * turn, -h * turn}});
  m.gravity({0, 0, -c.parameter("g")});
  m.constrain("helix_x", p.x, R * cos(p.z / h));
  m.constrain("helix_y", p.y, -R * sin(p.z / h));
  const auto pull = [&](const Coordinate& q) { return m.reaction("helix_x", q) + m.reaction("helix_y", q); };
  const Expr normal = norm({pull(p.x), pull(p.y), pull(p.z)}), speed = norm(p.velocity());
  m.nonideal(p, -mu * normal / speed * p.velocity());
  m.output("x", p.x);
  m.output("y", p.y);
  m.output("z", p.z);
  m.output("speed", speed);
  expect_reproduced(c, m);
}

}  // namespace
}  // namespace vinculum
