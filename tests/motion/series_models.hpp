// Models whose series have more in them than ideal constraints: non-ideal forces, friction, mu, actuators.
#pragma once
#include "vinculum/motion/simulate.hpp"

namespace vinculum::test {

/// A drag of the surroundings on a spherical pendulum: no force of the rod in it.
inline Model dragged() {
  Model m;
  const Coordinate x = m.coordinate("x", {1.2, 0.8}), y = m.coordinate("y", {1.6, -0.6}),
                   z = m.coordinate("z", {0.0, 0.5});
  const Expr speed = sqrt(pow(x.rate(), 2) + pow(y.rate(), 2) + pow(z.rate(), 2));
  for (const Coordinate& q : {x, y, z}) {
    m.mass(q, 1.3);
    m.nonideal(q, -0.2 * speed * q.rate() - 0.1 * q);
  }
  m.force(y, -9.81 * 1.3);
  m.constrain("rod", x * x + y * y + z * z, 4);
  return m;
}

/// As much drag as the rod pulls, and the rod moves: constraint, C and what the row takes of C do work.
inline Model dragged_by_a_moving_rod() {
  Model m;
  const Coordinate x = m.coordinate("x", {1.0, 0.3}), y = m.coordinate("y", {0.0, 0.9}),
                   z = m.coordinate("z", {0.5, 0.2});
  m.mass(x, 1);
  m.mass(y, 2 + 0.3 * sin(x));
  m.mass(x, y, 0.2);
  m.mass(z, 1);
  m.force(z, -2 * z);
  m.constrain("rod", x * x + y * y - pow(1 + 0.3 * m.time(), 2));
  m.constrain("lead", z.rate() - 0.2 - 0.5 * sin(m.time()) * x.rate());
  const Expr pull = m.multiplier("rod");
  m.nonideal(x, -0.3 * pull * pull * x.rate());
  m.nonideal(y, -0.3 * pull * pull * y.rate() - 0.1 * m.multiplier("lead"));
  m.nonideal(z, 0.2 * pull);
  return m;
}

/// A bead shot along a ring that rubs: one direction to slide in, two velocities.
inline Model rubbed_on_a_ring() {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 9}), y = m.coordinate("y", {-0.5, 0});
  m.mass(x, 0.4);
  m.mass(y, 0.4);
  m.force(y, -0.4 * 9.81);
  m.constrain("ring", x * x + y * y, 0.25);
  m.friction("ring", 0.05);
  return m;
}

/// A puck on a table that rises and falls, pulled by a spring: two directions.
inline Model puck_on_a_lift() {
  Model m;
  const Particle p = m.particle("p", {.mass = 0.2, .position = {1, 0, 0}, .velocity = {0, 2, 0.3}});
  m.gravity({0, 0, -9.81});
  m.force(p.x, -2 * p.x);
  m.force(p.y, -2 * p.y);
  m.constrain("table", p.z, 0.1 * sin(3 * m.time()));
  m.friction("table", 0.08);
  return m;
}

/// The same law written out, against a belt that runs, with a load that the motion changes.
inline Model puck_on_a_belt() {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 0.2}), y = m.coordinate("y", {0, 1.5}),
                   z = m.coordinate("z", {0, 0});
  for (const Coordinate& q : {x, y, z}) m.mass(q, 1.5);
  m.force(z, -1.5 * 9.81 * (1 + 0.2 * sin(2 * m.time()) + 0.1 * x));
  m.constrain("belt", z);
  const Expr u = x.rate() - 2, speed = hypot(u, y.rate()), limit = 0.1 * abs(m.multiplier("belt"));
  m.nonideal(x, -limit * u / speed);
  m.nonideal(y, -limit * y.rate() / speed);
  return m;
}

/// Two pucks with a spring between them, one on a slope; each rubs.
inline Model two_pucks() {
  Model m;
  const Particle p = m.particle("p", {.mass = 1, .position = {0, 0, 0}, .velocity = {3, 1, 0}}),
                 q = m.particle("q", {.mass = 2, .position = {1, 0, 0.2}, .velocity = {-2, 4, -0.4}});
  m.gravity({0, 0, -9.81});
  const Expr pull = 3 * (q.x - p.x - 1);
  m.force(p.x, pull);
  m.force(q.x, -pull);
  m.constrain("floor", p.z);
  m.constrain("slope", q.z, 0.2 * q.x);
  m.friction("floor", 0.1);
  m.friction("slope", 0.15);
  return m;
}

inline Model vakonomic_skate() {
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y"), phi = m.coordinate("phi", {0, 1});
  m.lagrangian((pow(x.rate(), 2) + pow(y.rate(), 2) + pow(phi.rate(), 2)) / 2 + x);
  m.constrain("blade", x.rate() * sin(phi), y.rate() * cos(phi));
  m.set_mechanics(Mechanics::vakonomic);
  m.start_multiplier("blade", 0, 0.3);
  return m;
}

/// A row that is not homogeneous: its mu does work.
inline Model vakonomic_wind() {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 1}), y = m.coordinate("y", {0, 0.75}),
                   z = m.coordinate("z", {0.5, 0.4});
  for (const Coordinate& q : {x, y, z}) m.mass(q, 1);
  m.force(z, -z);
  m.constrain("plane", y.rate(), z * x.rate() + 0.25 * cos(m.time()));
  m.set_mechanics(Mechanics::vakonomic);
  m.start_multiplier("plane", 0, 0.4);
  return m;
}

/// A pole that nods as it is told, by a push on its cart.
inline Model cart_and_pole() {
  Model m;
  const Coordinate x = m.coordinate("x", {0, -1}), a = m.coordinate("a", {0.1, 0.6});
  m.kinetic(0.8 * pow(x.rate(), 2) + 0.28 * cos(a) * x.rate() * a.rate() + 0.098 * pow(a.rate(), 2));
  m.potential(0.4 * 9.81 * 0.7 * cos(a));
  m.constrain("nod", a, 0.2 * sin(3 * m.time()));
  ServoOptions by;
  by.actuators = {x};
  by.frequency = 4;
  by.damping = 1;
  m.servo("nod", by);
  return m;
}

/// Two masses on a rod, the middle of which is led by forces on one of them.
inline Model led_rod() {
  Model m;
  const Coordinate x = m.coordinate("x", {0, 0}), y = m.coordinate("y", {0, 0.1}),
                   u = m.coordinate("u", {1, 0}), w = m.coordinate("w", {0, 0.3});
  m.mass(x, 1);
  m.mass(y, 1);
  m.mass(u, 1.5);
  m.mass(w, 1.5);
  m.force(w, -2);
  m.force(y, -2);
  m.constrain("rod", pow(u - x, 2) + pow(w - y, 2), 1);
  m.constrain("course_x", x + u, 1 + 0.3 * (1 - cos(m.time())));
  m.constrain("course_y", y + w, 0.4 * m.time());
  ServoOptions by;
  by.actuators = {x, y};
  m.servo("course_x", by);
  m.servo("course_y", by);
  return m;
}

}  // namespace vinculum::test
