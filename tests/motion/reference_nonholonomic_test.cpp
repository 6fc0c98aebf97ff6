// Nonholonomic systems, linear, affine and nonlinear in the velocities: c01 to c11.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "motion/reference.hpp"

namespace vinculum {
namespace {

using reference::Case;
using reference::expect_reproduced;
using reference::Point;

/// A body with a knife edge, by its mass centre (X, Y), which lies a ahead of the edge at (x, y).
Model sleigh(const Case& c) {
  const double a = c.parameter("a"), th0 = c.initial("th"), turn = c.initial("th_dot"), v = c.initial("v");
  Model m;
  const Point p = reference::point(
      m, {"X", "Y"}, c.parameter("m"),
      {c.initial("x") + a * std::cos(th0), c.initial("y") + a * std::sin(th0)},
      {v * std::cos(th0) - a * turn * std::sin(th0), v * std::sin(th0) + a * turn * std::cos(th0)});
  const Coordinate th = m.coordinate("th", {th0, turn});
  m.mass(th, c.parameter("I"));
  m.constrain("edge", p.x.rate() * sin(th) - p.y.rate() * cos(th) + a * th.rate());
  m.output("x", p.x - a * cos(th));
  m.output("y", p.y - a * sin(th));
  m.output("v", p.x.rate() * cos(th) + p.y.rate() * sin(th));
  m.output("th_dot", th.rate());
  return m;
}

TEST(ReferenceNonholonomic, TheChaplyginSleighTurnsUntilItsMassCentreLeads) {
  const Case c("c01-chaplygin-sleigh");
  expect_reproduced(c, sleigh(c));
}

TEST(ReferenceNonholonomic, AnotherChaplyginSleighTurnsUntilItsMassCentreLeads) {
  const Case c("c01b-chaplygin-sleigh");
  expect_reproduced(c, sleigh(c));
}

TEST(ReferenceNonholonomic, AnUprightDiskRollsOnACircle) {
  const Case c("c02-vertical-disk");
  const double R = c.parameter("R"), heading = c.initial("th"), roll = c.initial("ph_dot");
  Model m;
  const Point p = reference::point(m, {"x", "y"}, c.parameter("m"), {c.initial("x"), c.initial("y")},
                                   {R * std::cos(heading) * roll, R * std::sin(heading) * roll});
  const Coordinate th = m.coordinate("th", {heading, c.initial("th_dot")});
  const Coordinate ph = m.coordinate("ph", {c.initial("ph"), roll});
  m.mass(th, c.parameter("J"));
  m.mass(ph, c.parameter("I"));
  m.force(th, c.parameter("tth"));
  m.force(ph, c.parameter("tphi"));
  m.constrain("roll_x", p.x.rate(), R * cos(th) * ph.rate());
  m.constrain("roll_y", p.y.rate(), R * sin(th) * ph.rate());
  m.output("th_dot", th.rate());
  m.output("ph_dot", ph.rate());
  expect_reproduced(c, m);
}

/// A coin by its centre and three angles: heading psi, inclination th to the ground, roll ph.
Model coin(const Case& c) {
  const double mass = c.parameter("m"), R = c.parameter("R"), A = c.parameter("A"), C = c.parameter("C");
  const double th0 = c.initial("th"), w1 = c.initial("w1"), w2 = c.initial("w2"), w3 = c.initial("w3");
  // psi(0) = 0, so the rolling conditions at the start read x' = -R w3, y' = -R w1 sin th, z' = R w1 cos th.
  Model m;
  const Coordinate x = m.coordinate("x", {c.initial("x"), -R * w3});
  const Coordinate y = m.coordinate("y", {c.initial("y"), -R * w1 * std::sin(th0)});
  const Coordinate z = m.coordinate("z", {R * std::sin(th0), R * w1 * std::cos(th0)});
  const Coordinate psi = m.coordinate("psi", {c.initial("psi"), w2 / std::sin(th0)});
  const Coordinate th = m.coordinate("th", {th0, w1});
  const Coordinate ph = m.coordinate("ph", {c.initial("ph"), w3 - w2 / std::tan(th0)});
  const Expr spin = ph.rate() + psi.rate() * cos(th), yaw = psi.rate() * sin(th);
  m.kinetic(mass / 2 * (pow(x.rate(), 2) + pow(y.rate(), 2) + pow(z.rate(), 2)) +
            A / 2 * (pow(th.rate(), 2) + pow(yaw, 2)) + C / 2 * pow(spin, 2));
  m.potential(mass * c.parameter("g") * z);
  m.constrain("roll_x", x.rate() + R * spin * cos(psi), R * th.rate() * sin(th) * sin(psi));
  m.constrain("roll_y", y.rate() + R * spin * sin(psi), -R * th.rate() * sin(th) * cos(psi));
  m.constrain("ground", z, R * sin(th));
  m.output("w1", th.rate());
  m.output("w2", yaw);
  m.output("w3", spin);
  return m;
}

TEST(ReferenceNonholonomic, ATiltedCoinRollsAndWobbles) {
  const Case c("c03-rolling-coin");
  expect_reproduced(c, coin(c));
}

/// A skate on a slope, x pointing down the slope.
Model skate(const Case& c, double alpha) {
  const double mass = c.parameter("m"), heading = c.initial("phi"), speed = c.initial("forward_speed");
  Model m;
  const Point p = reference::point(m, {"x", "y"}, mass, {c.initial("x"), c.initial("y")},
                                   {speed * std::cos(heading), speed * std::sin(heading)});
  const Coordinate phi = m.coordinate("phi", {heading, c.initial("phi_dot")});
  m.mass(phi, c.parameter("I"));
  m.force(p.x, mass * c.parameter("g") * std::sin(alpha));
  m.constrain("edge", p.x.rate() * sin(phi) - p.y.rate() * cos(phi));
  m.output("vx", p.x.rate());
  m.output("vy", p.y.rate());
  m.output("lambda", m.multiplier("edge"));
  return m;
}

TEST(ReferenceNonholonomic, ASkateOnASlopeDrawsACycloidAndDoesNotDescend) {
  const Case c("c04-knife-edge-incline");
  c.expect_says("alpha", "pi/6");
  expect_reproduced(c, skate(c, std::numbers::pi / 6));
}

TEST(ReferenceNonholonomic, AnotherSkateOnASlopeIsPushedSideways) {
  const Case c("c04b-knife-edge-incline");
  expect_reproduced(c, skate(c, c.parameter("alpha")));
}

TEST(ReferenceNonholonomic, AnAffineConstraintDoesWork) {
  const Case c("c05-seed-example3");
  c.expect_says("alpha", "0.4 sin(2 t)");
  c.expect_says("X", "0.3 cos t");
  c.expect_says("Z", "-0.2 + 0.1 t");
  c.expect_says("vy", "z vx + alpha(0)");
  const double vx = c.initial("vx");
  Model m;
  const Expr t = m.time(), alpha = 0.4 * sin(2 * t);
  const Coordinate x = m.coordinate("x", {c.initial("x"), vx});
  const Coordinate y = m.coordinate("y", {c.initial("y"), c.initial("z") * vx});
  const Coordinate z = m.coordinate("z", {c.initial("z"), c.initial("vz")});
  for (const Coordinate& q : {x, y, z}) m.mass(q, c.parameter("m"));
  m.force(x, 0.3 * cos(t));
  m.force(y, c.parameter("Y"));
  m.force(z, -0.2 + 0.1 * t);
  m.constrain("roll", y.rate(), z * x.rate() + alpha);
  m.output("vx", x.rate());
  m.output("vy", y.rate());
  m.output("vz", z.rate());
  m.output("lambda", m.multiplier("roll"));
  m.output("P_c", m.reaction("roll", x) * x.rate() + m.reaction("roll", y) * y.rate() +
                      m.reaction("roll", z) * z.rate());
  expect_reproduced(c, m);
}

/// A body that turns about a fixed point and may not spin about its own third axis.
Model suslov(const Case& c) {
  c.expect_says("quaternion", "1,0,0,0");
  const double I11 = c.parameter("I11"), I22 = c.parameter("I22"), I33 = c.parameter("I33"),
               I12 = c.parameter("I12"), I13 = c.parameter("I13"), I23 = c.parameter("I23");
  Model m;
  const Speed w1 = m.speed("w1", c.initial("w1")), w2 = m.speed("w2", c.initial("w2")),
              w3 = m.speed("w3", c.initial("w3"));
  const Expr q0 = m.coordinate_with_rate("q0", 0, 1), q1 = m.coordinate_with_rate("q1", 0, 0),
             q2 = m.coordinate_with_rate("q2", 0, 0), q3 = m.coordinate_with_rate("q3", 0, 0);
  m.set_rate(q0, 0.5 * (-q1 * w1 - q2 * w2 - q3 * w3));
  m.set_rate(q1, 0.5 * (q0 * w1 + q2 * w3 - q3 * w2));
  m.set_rate(q2, 0.5 * (q0 * w2 + q3 * w1 - q1 * w3));
  m.set_rate(q3, 0.5 * (q0 * w3 + q1 * w2 - q2 * w1));
  m.mass(w1, I11);
  m.mass(w2, I22);
  m.mass(w3, I33);
  m.mass(w1, w2, I12);
  m.mass(w1, w3, I13);
  m.mass(w2, w3, I23);
  const Vector w{w1, w2, w3};
  const Vector momentum{I11 * w1 + I12 * w2 + I13 * w3, I12 * w1 + I22 * w2 + I23 * w3,
                        I13 * w1 + I23 * w2 + I33 * w3};
  const Vector torque = cross(momentum, w);
  m.force(w1, torque.x);
  m.force(w2, torque.y);
  m.force(w3, torque.z);
  m.constrain("no_spin", w3);
  return m;
}

TEST(ReferenceNonholonomic, TheSuslovBodyTendsToALineOfItsEnergyEllipse) {
  const Case c("c06-suslov");
  expect_reproduced(c, suslov(c));
}

TEST(ReferenceNonholonomic, AnotherSuslovBodyTendsToALineOfItsEnergyEllipse) {
  const Case c("c06b-suslov");
  expect_reproduced(c, suslov(c));
}

TEST(ReferenceNonholonomic, ABallOnATurntableCirclesAtTwoSeventhsOfItsRate) {
  const Case c("c07-ball-turntable");
  c.expect_says("wx", "(Om x - vy)/R");
  c.expect_says("wy", "(vx + Om y)/R");
  const double mass = c.parameter("m"), R = c.parameter("R"), Om = c.parameter("Om"),
               inertia = c.parameter("k") * mass * R * R;
  const double x0 = c.initial("x"), y0 = c.initial("y"), vx = c.initial("vx"), vy = c.initial("vy");
  Model m;
  const Point p = reference::point(m, {"x", "y"}, mass, {x0, y0}, {vx, vy});
  const Speed wx = m.speed("wx", (Om * x0 - vy) / R), wy = m.speed("wy", (vx + Om * y0) / R),
              wz = m.speed("wz", c.initial("wz"));
  for (const Speed& w : {wx, wy, wz}) m.mass(w, inertia);
  m.force(p.x, mass * c.parameter("gx"));
  m.constrain("roll_x", p.x.rate() - R * wy, -Om * p.y);
  m.constrain("roll_y", p.y.rate() + R * wx, Om * p.x);
  m.output("vx", p.x.rate());
  m.output("vy", p.y.rate());
  expect_reproduced(c, m);
}

/// A board on two steerable axles with a rotor; torques on the rotor and between the axles.
Model snakeboard(Model m, const Case& c, const Expr& tau_psi, const Expr& tau_phi) {
  c.expect_says("th_dot", "v tan(phf)/l");
  c.expect_says("phb", "-phf");
  const double mass = c.parameter("m"), l = c.parameter("l"), J = c.parameter("J"), Jr = c.parameter("Jr"),
               Jw = c.parameter("Jw");
  const double speed = c.initial("v"), steer = c.initial("phf"), steering = c.initial("phf_dot");
  const Coordinate x = m.coordinate("x", {c.initial("x"), speed});  // heading along x at the start
  const Coordinate y = m.coordinate("y", {c.initial("y"), 0});
  const Coordinate th = m.coordinate("th", {c.initial("th"), speed * std::tan(steer) / l});
  const Coordinate psi = m.coordinate("psi", {c.initial("psi"), c.initial("psi_dot")});
  const Coordinate phb = m.coordinate("phb", {-steer, -steering});
  const Coordinate phf = m.coordinate("phf", {steer, steering});
  m.kinetic(mass / 2 * (pow(x.rate(), 2) + pow(y.rate(), 2)) + J / 2 * pow(th.rate(), 2) +
            Jr / 2 * pow(th.rate() + psi.rate(), 2) +
            Jw / 2 * (pow(th.rate() + phb.rate(), 2) + pow(th.rate() + phf.rate(), 2)));
  m.force(psi, tau_psi);
  m.force(phb, -tau_phi / 2);
  m.force(phf, tau_phi / 2);
  m.constrain("back", -sin(th + phb) * x.rate() + cos(th + phb) * y.rate(), l * cos(phb) * th.rate());
  m.constrain("front", -sin(th + phf) * x.rate() + cos(th + phf) * y.rate(), -l * cos(phf) * th.rate());
  m.constrain("steering", phb + phf);
  m.output("v", x.rate() * cos(th) + y.rate() * sin(th));
  m.output("psi_dot", psi.rate());
  m.output("phf_dot", phf.rate());
  return m;
}

TEST(ReferenceNonholonomic, TheSnakeboardIsDrivenByItsRotor) {
  const Case c("c08-snakeboard");
  c.expect_says("tau_psi", "0.12 sin(2 t)");
  c.expect_says("tau_phi", "0.02 cos(2 t)");
  Model m;
  const Expr t = m.time();
  expect_reproduced(c, snakeboard(m, c, 0.12 * sin(2 * t), 0.02 * cos(2 * t)));
}

TEST(ReferenceNonholonomic, AnotherSnakeboardIsDrivenBackwards) {
  const Case c("c08b-snakeboard");
  c.expect_says("tau_psi", "-0.08 cos(3 t)");
  c.expect_says("tau_phi", "0.03 sin(3 t)");
  Model m;
  const Expr t = m.time();
  expect_reproduced(c, snakeboard(m, c, -0.08 * cos(3 * t), 0.03 * sin(3 * t)));
}

Particle falling_particle(Model& m, const Case& c, const std::array<double, 3>& velocity) {
  const Particle p = m.particle("p", {.mass = c.parameter("m"),
                                      .position = {c.initial("x"), c.initial("y"), c.initial("z")},
                                      .velocity = velocity});
  m.gravity({0, 0, -c.parameter("g")});
  m.output("x", p.x);
  m.output("y", p.y);
  m.output("z", p.z);
  m.output("vx", p.x.rate());
  m.output("vy", p.y.rate());
  m.output("vz", p.z.rate());
  return p;
}

TEST(ReferenceNonholonomic, TheAppellHamelParticleFallsAlongAStraightLine) {
  const Case c("c09-appell-hamel");
  c.expect_says("vx", "kappa 1.2 cos 0.6");
  c.expect_says("vy", "kappa 1.2 sin 0.6");
  const double kappa = c.parameter("kappa");
  Model m;
  const Particle p =
      falling_particle(m, c, {kappa * 1.2 * std::cos(0.6), kappa * 1.2 * std::sin(0.6), c.initial("vz")});
  m.constrain("cone", pow(p.x.rate(), 2) + pow(p.y.rate(), 2), kappa * kappa * pow(p.z.rate(), 2));
  expect_reproduced(c, m);
}

TEST(ReferenceNonholonomic, TwoParticlesFallWithParallelVelocities) {
  const Case c("c10-benenti-parallel");
  c.expect_says("F1", "(0,0)");  // besides gravity
  c.expect_says("F2", "(0,0)");
  c.expect_says("note", "velocities u_i (cos dir, sin dir)");
  const double direction = c.initial("direction"), g = c.parameter("g");
  const double m1 = c.parameter("m1"), m2 = c.parameter("m2"), u1 = c.initial("u1"), u2 = c.initial("u2");
  Model m;
  const Point a = reference::point(m, {"x1", "y1"}, m1, {c.initial("x1"), c.initial("y1")},
                                   {u1 * std::cos(direction), u1 * std::sin(direction)});
  const Point b = reference::point(m, {"x2", "y2"}, m2, {c.initial("x2"), c.initial("y2")},
                                   {u2 * std::cos(direction), u2 * std::sin(direction)});
  m.force(a.y, -m1 * g);
  m.force(b.y, -m2 * g);
  m.constrain("parallel", a.x.rate() * b.y.rate(), b.x.rate() * a.y.rate());
  m.output("vx1", a.x.rate());
  m.output("vy1", a.y.rate());
  m.output("vx2", b.x.rate());
  m.output("vy2", b.y.rate());
  expect_reproduced(c, m);
}

TEST(ReferenceNonholonomic, AParticleOfConstantSpeedTurnsDownwards) {
  const Case c("c11-constant-speed");
  const double speed = c.parameter("c");
  Model m;
  const Particle p = falling_particle(m, c, {c.initial("vx"), c.initial("vy"), c.initial("vz")});
  m.constrain("speed", norm_squared(p.velocity()), speed * speed);
  expect_reproduced(c, m);
}

}  // namespace
}  // namespace vinculum
