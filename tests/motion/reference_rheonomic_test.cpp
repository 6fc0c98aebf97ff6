// Constraints that move with time: e01 to e04.
#include <gtest/gtest.h>

#include <cmath>

#include "motion/reference.hpp"

namespace vinculum {
namespace {

using reference::Case;
using reference::expect_reproduced;
using reference::Point;

TEST(ReferenceRheonomic, AFastShakenPendulumStandsUpright) {
  const Case c("e01-kapitza-pendulum");
  c.expect_says("th", "th0");
  const double mass = c.parameter("m"), L = c.parameter("L"), a = c.parameter("a"), th0 = c.parameter("th0");
  Model m;
  const Point p = reference::point(m, {"x", "y"}, mass, {L * std::sin(th0), a - L * std::cos(th0)}, {0, 0});
  m.force(p.y, -mass * c.parameter("g"));
  m.constrain("rod", pow(p.x, 2) + pow(p.y - a * cos(c.parameter("Om") * m.time()), 2), L * L);
  m.output("vx", p.x.rate());
  m.output("vy", p.y.rate());
  expect_reproduced(c, m);
}

TEST(ReferenceRheonomic, ATurningHoopPushesItsBeadAndDoesWork) {
  const Case c("e02-bead-rotating-hoop");
  c.expect_says("note", "velocity (0, Om R sin th0, 0)");
  const double R = c.parameter("R"), Om = c.parameter("Om"), th0 = c.parameter("th0");
  Model m;
  const Particle p = m.particle("bead", {.mass = c.parameter("m"),
                                         .position = {R * std::sin(th0), 0, -R * std::cos(th0)},
                                         .velocity = {0, Om * R * std::sin(th0), 0}});
  m.gravity({0, 0, -c.parameter("g")});
  const Expr turn = Om * m.time();
  const Vector out{cos(turn), sin(turn), 0},
      normal{-sin(turn), cos(turn), 0};  // in and across the hoop's plane
  m.constrain("sphere", norm_squared(p), R * R);
  m.constrain("plane", dot(normal, p));
  const auto pull = [&](const Coordinate& q) { return m.reaction("sphere", q) + m.reaction("plane", q); };
  const Vector force{pull(p.x), pull(p.y), pull(p.z)};
  const Expr along = dot(out, p), along_rate = m.rate(along);
  m.output("x", p.x);
  m.output("y", p.y);
  m.output("z", p.z);
  m.output("th", atan2(along, -p.z));
  m.output("th_dot", (along * p.z.rate() - p.z * along_rate) / (R * R));
  m.output("F_n", dot(force, normal));
  m.output("F_r", -dot(force, p) / R);
  m.output("power", dot(force, p.velocity()));
  expect_reproduced(c, m);
}

TEST(ReferenceRheonomic, ATurningRodThrowsItsBeadOut) {
  const Case c("e03-bead-rotating-rod");
  c.expect_says("x", "r0");
  c.expect_says("vx", "vr0");
  c.expect_says("vy", "Om r0");
  const double mass = c.parameter("m"), Om = c.parameter("Om"), r0 = c.parameter("r0");
  Model m;
  const Point p = reference::point(m, {"x", "y"}, mass, {r0, 0}, {c.parameter("vr0"), Om * r0});
  m.force(p.y, -mass * c.parameter("g"));
  const Expr turn = Om * m.time(), along = p.x * cos(turn) + p.y * sin(turn);
  m.constrain("rod", p.x * sin(turn) - p.y * cos(turn));
  m.output("r", along);
  m.output("r_dot", m.rate(along));
  m.output("F_n", m.reaction("rod", p.y) * cos(turn) - m.reaction("rod", p.x) * sin(turn));
  expect_reproduced(c, m);
}

/// A pendulum whose length is a given function of time.
Model changing_pendulum(Model m, const Case& c, const Expr& length, double length_start, double rate_start) {
  c.expect_says("note", "radial velocity L'(0)");
  const double mass = c.parameter("m"), th0 = c.parameter("th0");
  const Point p =
      reference::point(m, {"x", "y"}, mass, {length_start * std::sin(th0), -length_start * std::cos(th0)},
                       {rate_start * std::sin(th0), -rate_start * std::cos(th0)});
  m.force(p.y, -mass * c.parameter("g"));
  m.constrain("rod", pow(p.x, 2) + pow(p.y, 2), pow(length, 2));
  m.output("th", atan2(p.x, -p.y));
  m.output("th_dot", (p.x * p.y.rate() - p.y * p.x.rate()) / pow(length, 2));
  m.output("Fr_over_m",
           (m.reaction("rod", p.x) * p.x + m.reaction("rod", p.y) * p.y) / (mass * hypot(p.x, p.y)));
  return m;
}

TEST(ReferenceRheonomic, APendulumOfOscillatingLengthSwings) {
  const Case c("e04-variable-length-pendulum");
  c.expect_says("L", "1 + 0.2 sin(3 t)");
  Model m;
  expect_reproduced(c, changing_pendulum(m, c, 1 + 0.2 * sin(3 * m.time()), 1, 0.6));
}

TEST(ReferenceRheonomic, APendulumOfGrowingLengthSwings) {
  const Case c("e04b-lengthening-pendulum");
  c.expect_says("L", "0.5 + 0.3 t");
  Model m;
  expect_reproduced(c, changing_pendulum(m, c, 0.5 + 0.3 * m.time(), 0.5, 0.3));
}

}  // namespace
}  // namespace vinculum
