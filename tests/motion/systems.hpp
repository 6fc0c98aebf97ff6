// Systems that several tests use.
#pragma once
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "vinculum/motion/simulate.hpp"

namespace vinculum::test {

inline constexpr double gravity = 9.81;

/// A point on a rod, y upward, from (-1, 0) at rest unless told.
inline Model pendulum(double x0 = -1, double y0 = 0, double vx = 0, double vy = 0) {
  Model m;
  const Coordinate x = m.coordinate("x", {x0, vx}), y = m.coordinate("y", {y0, vy});
  m.mass(x, 1.0);
  m.mass(y, 1.0);
  m.potential(gravity * y);
  m.constrain("rod", pow(x, 2) + pow(y, 2), 1.0);
  return m;
}

/// N four-bars of uniform rods, stated by the upper ends of the uprights: IFToMM problem A02.
inline Model four_bars(int n, double speed = 1.0) {
  Model m;
  std::vector<Coordinate> x, y;
  for (int i = 0; i <= n; ++i) {
    x.push_back(m.coordinate("x" + std::to_string(i), {1.0 * i, speed}));
    y.push_back(m.coordinate("y" + std::to_string(i), {1.0, 0.0}));
    const int rods = 1 + (i > 0) + (i < n);  // that end here; m/3 each, and half of their weight
    for (const Coordinate* c : {&x[i], &y[i]}) m.mass(*c, rods / 3.0);
    m.potential(0.5 * rods * gravity * y[i]);
  }
  for (int i = 0; i < n; ++i) {
    m.mass(x[i], x[i + 1], 1.0 / 6);
    m.mass(y[i], y[i + 1], 1.0 / 6);
  }
  for (int i = 0; i <= n; ++i)
    m.constrain("upright" + std::to_string(i), pow(x[i] - i, 2) + pow(y[i], 2), 1.0);
  for (int i = 0; i < n; ++i)
    m.constrain("coupler" + std::to_string(i), pow(x[i + 1] - x[i], 2) + pow(y[i + 1] - y[i], 2), 1.0);
  return m;
}

/// The exact motion of N four-bars: ((4N+1)/3) theta'' = ((3N+1)/2) g sin theta, theta from the upward
/// vertical; Kutta's method with steps far below what is asked of the tests.
struct Upright {
  double theta = 0, rate = 0;
};
inline Upright exact_upright(int n, double until, double speed = 1.0) {
  const double k = 0.5 * (3 * n + 1) * gravity / ((4 * n + 1) / 3.0);
  Upright u{0, speed};
  const int steps = static_cast<int>(until * 20000);
  const double h = until / steps;
  for (int i = 0; i < steps; ++i) {
    const double v1 = u.rate, a1 = k * std::sin(u.theta);
    const double v2 = u.rate + 0.5 * h * a1, a2 = k * std::sin(u.theta + 0.5 * h * v1);
    const double v3 = u.rate + 0.5 * h * a2, a3 = k * std::sin(u.theta + 0.5 * h * v2);
    const double v4 = u.rate + h * a3, a4 = k * std::sin(u.theta + h * v3);
    u.theta += h / 6 * (v1 + 2 * v2 + 2 * v3 + v4);
    u.rate += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
  }
  return u;
}

/// A coordinate x of mass 1 under a force of (x, x', t).
inline Model on_line(double x0, double v0, const std::function<Expr(const Coordinate&, const Expr&)>& force) {
  Model m;
  const Coordinate x = m.coordinate("x", {x0, v0});
  m.mass(x, 1.0);
  m.force(x, force(x, m.time()));
  return m;
}

/// Turns about an axis of its own: omega = 0.7 along z.
inline Model turning() {
  Model m;
  BodyOptions o;
  o.inertia = {1, 1, 2, 0, 0, 0};
  o.omega_body = {0, 0, 0.7};
  m.body("b", o);
  return m;
}

/// Recorded at its end only.
inline MotionOptions asked(const std::string& integrator, double tolerance, double until) {
  MotionOptions o;
  o.integrator = integrator_named(integrator).value();
  o.tolerance = tolerance;
  o.until = until;
  o.samples = 1;
  if (integrator == "rk4") o.step = 0.01;
  return o;
}

}  // namespace vinculum::test
