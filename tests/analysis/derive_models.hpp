// Models whose derived equations are compared with the engine: the gallery, and what is odd.
#pragma once
#include <random>
#include <string>
#include <vector>

#include "examples/cpp/gallery.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum::derived {

struct Named {
  std::string name;
  Model model;
};

inline Model massless() {
  Model m;
  const Expr k = m.parameter("k", 3.0);
  const Coordinate x = m.coordinate("x", {.start = 0.4}), y = m.coordinate("y", {.start = -0.3});
  m.mass(x, 2);
  m.mass(y, 0);
  m.force(x, -k * x);
  m.force(y, 0.7);
  m.constrain("tied", y, sin(x));
  return m;
}

inline Model double_pendulum() {
  Model m;
  const Expr m1 = m.parameter("m1", 1.2), m2 = m.parameter("m2", 0.7), l1 = m.parameter("l1", 0.9),
             l2 = m.parameter("l2", 1.1), g = m.parameter("g", 9.81);
  const Coordinate a = m.coordinate("theta1", {.start = 0.5}), b = m.coordinate("theta2", {.start = -0.8});
  const Expr kinetic = 0.5 * (m1 + m2) * pow(l1 * a.rate(), 2) + 0.5 * m2 * pow(l2 * b.rate(), 2) +
                       m2 * l1 * l2 * a.rate() * b.rate() * cos(a - b);
  m.lagrangian(kinetic + (m1 + m2) * g * l1 * cos(a) + m2 * g * l2 * cos(b));
  return m;
}

/// Velocities of degree one and explicit time in the Lagrangian, a row on the velocities.
inline Model moving_frame() {
  Model m;
  const Expr w = m.parameter("Omega", 0.8), t = m.time();
  const Coordinate x = m.coordinate("x", {.start = 0.5}), y = m.coordinate("y", {.start = 0.2});
  m.kinetic(0.5 * (1 + 0.2 * sin(t)) * (pow(x.rate() - w * y, 2) + pow(y.rate() + w * x, 2)) +
            x.rate() * y.rate() / 3);
  m.potential(pow(x, 4) / 4 + cos(y) * exp(-t));
  m.constrain("servo", x.rate() * y.rate() + x, sin(t) + 0.3);
  return m;
}

/// Coulomb friction: C depends on the ideal force.
inline Model rough_sphere() {
  Model m;
  const Expr mass = m.parameter("m", 1.3), mu = m.parameter("mu", 0.2), g = m.parameter("g", 9.81);
  const Coordinate x = m.coordinate("x", {.start = 0.3}), y = m.coordinate("y", {.start = -0.4}),
                   z = m.coordinate("z", {.start = 0.9});
  for (const Coordinate& q : {x, y, z}) m.mass(q, mass);
  m.force(z, -mass * g);
  m.constrain("sphere", x * x + y * y + z * z, 1);
  Expr size = 0, speed = 0;
  for (const Coordinate& q : {x, y, z}) {
    size += pow(m.reaction("sphere", q), 2);
    speed += pow(q.rate(), 2);
  }
  for (const Coordinate& q : {x, y, z}) m.nonideal(q, -mu * sqrt(size) * q.rate() / sqrt(speed));
  return m;
}

/// The same rod twice, with friction that asks how the multipliers share the load.
inline Model rough_rod_twice() {
  Model m;
  const Coordinate x = m.coordinate("x", {.start = 0.6}), y = m.coordinate("y", {.start = -0.8});
  m.mass(x, 1.5);
  m.mass(y, 2.5);
  m.force(y, -9.81);
  m.constrain("rod", x * x + y * y, 1);
  m.constrain("again", 3 * (x * x + y * y), 3);
  m.nonideal(x, -0.3 * abs(m.multiplier("again")) * sign(x.rate()));
  m.nonideal(y, -0.2 * m.multiplier("rod") * y.rate());
  return m;
}

/// Unequal masses in a coupled pair, drag as a non-ideal force, one row.
inline Model coupled_drag() {
  Model m;
  const Expr c = m.parameter("c", 0.4), k = m.parameter("k", 2.0);
  const Coordinate x = m.coordinate("x", {.start = 0.3}), y = m.coordinate("y", {.start = 0.4}),
                   z = m.coordinate("z", {.start = 0.5});
  m.mass(x, 2 + sin(x));
  m.mass(y, 3);
  m.mass(x, y, 0.5);
  m.mass(z, 1.5);
  m.force(x, -k * x);
  m.force(z, cos(m.time()));
  m.constrain("surface", z, x * y + 0.1 * m.time());
  m.nonideal(x, -c * x.rate());
  m.nonideal(z, -c * z.rate() * abs(z.rate()));
  return m;
}

/// Two rows with three velocities and unequal masses.
inline Model bead_on_curve() {
  Model m;
  const Expr a = m.parameter("alpha", 0.7);
  const Coordinate x = m.coordinate("x", {.start = 0.3}), y = m.coordinate("y", {.start = 0.4}),
                   z = m.coordinate("z", {.start = 0.5});
  m.mass(x, 1);
  m.mass(y, 2);
  m.mass(z, 3 * a);
  m.force(z, -9.81 * 3 * a);
  m.constrain("wall", x, a * sin(z));
  m.constrain("floor", y, a * cos(z) + x * z);
  return m;
}

/// Every function of the grammar, once.
inline Model all_functions() {
  Model m;
  const Coordinate x = m.coordinate("x", {.start = 0.3}), y = m.coordinate("y", {.start = 0.4});
  const Expr u = x.rate(), t = m.time();
  m.mass(x, 1 + pow(x, 4));
  m.mass(y, 2);
  m.force(x, sin(x) * cos(y) + tan(0.3 * x) + asin(0.2 * sin(y)) + acos(0.1 * cos(x)) + atan(u));
  m.force(x, sinh(0.2 * x) - cosh(0.1 * y) + tanh(u) + exp(-x * x) + log(2 + y * y) + sqrt(1 + u * u));
  m.force(y, abs(x - 0.1) + sign(u) - atan2(y, 2 + x * x) + min(x, min(y, u)) + max(x, y) * hypot(x, u));
  m.force(y, if_less(x, y, x * u, -y) + if_less_equal(u, t, pow(1 + x * x, 1.5), pow(2, y)));
  m.force(y, -pow(2 + sin(y), -3) + pow(x, 5) / 7 - (x - (y - 2)) - sign(0 * x));
  return m;
}

/// Names that mean something else in C, or that derive would like for itself.
inline Model odd_names() {
  Model m;
  const Expr f = m.parameter("f", 1.1), s1 = m.parameter("s1", 0.6), D = m.parameter("double", 1.7),
             h = m.parameter("h", 0.5), r = m.parameter("r", 2.0), q = m.parameter("q", 0.9);
  const Particle p = m.particle("p", {.mass = D, .position = {0.4, 0.5, 0.6}});
  const Coordinate px = m.coordinate("p_x", {.start = 0.2}), s = m.coordinate("_S11", {.start = 0.3});
  m.mass(px, f);
  m.mass(s, r * h);
  m.force(px, -s1 * px * cos(p.x - px) + q * cos(p.x - px));
  m.force(s, pow(p.x - px, 2) * cos(p.x - px));
  m.potential(sqrt(pow(p.x - px, 2) + pow(p.y, 2) + 1) + f * log(pow(p.x - px, 2) + pow(p.y, 2) + 1));
  m.constrain("int", p.x * px + s, r);
  m.nonideal(s, -h * s.rate());
  return m;
}

/// Two rows, three unequal masses, and forces of the constraints that are not ideal; one of them asks for a
/// multiplier.
inline Model rough_curve() {
  Model m = bead_on_curve();
  const Expr x = m.coordinates()[0].symbol, z = m.coordinates()[2].symbol;
  m.nonideal(x, -0.3 * m.velocities()[0].symbol);
  m.nonideal(z, -0.2 * abs(m.multiplier("wall")) * m.velocities()[2].symbol);
  return m;
}

/// A wheel that a massless lever drives: one row moves the lever, another is left.
inline Model massless_lever() {
  Model m;
  const Expr k = m.parameter("k", 3.0), c = m.parameter("c", 0.4);
  const Coordinate x = m.coordinate("x", {.start = 0.4}), y = m.coordinate("y", {.start = -0.3}),
                   z = m.coordinate("z", {.start = 0.2});
  m.mass(x, 2);
  m.mass(y, 0);
  m.mass(z, 1.5);
  m.force(x, -k * x);
  m.force(y, 0.7 - c * y.rate());
  m.force(z, m.time());
  m.constrain("lever", y, sin(x) + z * z);
  m.constrain("gear", 2 * y.rate() + x.rate(), z * z.rate());
  return m;
}

/// As many rows as velocities without mass.
inline Model two_massless() {
  Model m;
  const Coordinate x = m.coordinate("x", {.start = 0.4}), y = m.coordinate("y", {.start = -0.3}),
                   z = m.coordinate("z", {.start = 0.2});
  m.mass(x, 2);
  m.mass(y, 0);
  m.mass(z, 0);
  m.force(y, -3 * y);
  m.force(z, 1 - x.rate());
  m.constrain("one", y + 2 * z, sin(x));
  m.constrain("two", z * y + 3 * z, cos(x) + m.time());
  return m;
}

/// Four rows that are two: three of them say the same, one with a factor that moves, and one says nothing.
inline Model rows_stated_again() {
  Model m;
  const Expr L = m.parameter("L", 1.1);
  const Coordinate x = m.coordinate("x", {.start = 0.3}), y = m.coordinate("y", {.start = 0.4}),
                   z = m.coordinate("z", {.start = 0.5});
  m.mass(x, 1);
  m.mass(y, 2);
  m.mass(z, 3);
  m.force(z, -9.81);
  m.constrain("rod", x * x + y * y + z * z, L * L);
  m.constrain("again", L * (x * x + y * y + z * z), L * L * L);
  m.constrain("nothing", 0 * x, 0);
  m.constrain("drive", x.rate() - y.rate() * z, 0.3);
  m.constrain("rate", -2 * x * x.rate() - 2 * y * y.rate() - 2 * z * z.rate(), 0);
  return m;
}

/// Rows on accelerations, and a vector equation with a row that says nothing new.
inline Model bars() {
  Model m;
  const Particle a = m.particle("a", {.mass = 1.5, .position = {1, 0, 0.2}});
  const Particle b = m.particle("b", {.mass = 0.5, .position = {1.5, 0.4, 0.1}});
  m.gravity({0, 0, -9.81});
  m.constrain("together", a.velocity() + 0.5 * cross(a.position(), b.velocity()), Vector{m.time(), 0, a.x});
  m.constrain("driven", a.x.acceleration() + b.y * b.z.acceleration(), cos(m.time()));
  m.constrain("nothing", 0 * b.x, 0);
  return m;
}

inline Model contradiction() {
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
  m.mass(x, 1);
  m.mass(y, 2);
  m.constrain("one", x.rate() + y.rate(), m.time());
  m.constrain("two", 2 * x.rate() + 2 * y.rate(), 5 * m.time());
  return m;
}

inline Model left_open() {
  Model m;
  const Coordinate x = m.coordinate("x"), y = m.coordinate("y");
  m.mass(x, 1);
  m.mass(y, 0);
  m.constrain("x_stays", x, 0);
  return m;
}

inline Model not_finite() {
  Model m;
  const Coordinate x = m.coordinate("x");
  m.mass(x, 1);
  m.force(x, log(-1 - x * x));
  return m;
}

/// Random masses, forces and rows; the last row follows from those on positions.
inline Model random_model(unsigned seed) {
  std::mt19937 draw(seed);
  std::uniform_real_distribution<double> number(-1, 1);
  Model m;
  const int n = 1 + static_cast<int>(seed % 6), rows = static_cast<int>(seed / 2 % (n + 1));
  std::vector<Coordinate> q;
  for (int i = 0; i < n; ++i) q.push_back(m.coordinate("x" + std::to_string(i), {.start = number(draw)}));
  const auto any = [&] { return q[draw() % n]; };
  Expr all = 0;
  for (int i = 0; i < n; ++i) {
    m.mass(q[i], 1.5 + 0.3 * sin(any()));
    if (i > 0 && draw() % 3 == 0) m.mass(q[i - 1], q[i], 0.4);
    m.force(q[i], number(draw) * any() + number(draw) * any().rate() * any() - cos(any() - any()));
  }
  for (int r = 0; r < rows; ++r) {
    Expr phi = number(draw) + m.time();
    for (int k = 0; k < 3; ++k) phi += number(draw) * any() + number(draw) * any() * any();
    const bool on_velocities = draw() % 3 == 0;
    if (on_velocities) phi = phi * any().rate() + any().rate();
    m.constrain("row" + std::to_string(r), phi);
    if (!on_velocities) all += (r + 1) * phi;
  }
  m.constrain("sum", all);
  return m;
}

inline std::vector<Named> all_models() {
  std::vector<Named> list;
  for (const auto& e : examples::gallery()) list.push_back({std::string(e.name), e.model()});
  list.insert(list.end(), {{"massless", massless()},
                           {"double_pendulum", double_pendulum()},
                           {"moving_frame", moving_frame()},
                           {"rough_sphere", rough_sphere()},
                           {"rough_rod_twice", rough_rod_twice()},
                           {"coupled_drag", coupled_drag()},
                           {"bead_on_curve", bead_on_curve()},
                           {"all_functions", all_functions()},
                           {"odd_names", odd_names()},
                           {"bars", bars()},
                           {"rough_curve", rough_curve()},
                           {"massless_lever", massless_lever()},
                           {"two_massless", two_massless()},
                           {"rows_stated_again", rows_stated_again()}});
  for (unsigned seed = 0; seed < 12; ++seed)
    list.push_back({"random" + std::to_string(seed), random_model(seed)});
  return list;
}

/// The start, then states around it. The rows of an instant hold at any of them.
inline std::vector<State> states_of(const System& system, int count) {
  std::mt19937 draw(7);
  std::normal_distribution<double> step(0, 0.3);
  std::vector<State> list{system.start()};
  // At rest friction has no direction; every model here may start with some velocity.
  for (double& v : list[0].v) v += 0.1 + (v == 0 ? 0.05 : 0);
  for (int k = 1; k < count; ++k) {
    State s = system.start();
    s.t = std::abs(step(draw));
    for (double& q : s.q) q += step(draw);
    for (double& v : s.v) v = 2 * step(draw);
    list.push_back(s);
  }
  return list;
}

}  // namespace vinculum::derived
