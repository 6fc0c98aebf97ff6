// The problems as a user of the library states them.
#include "bench/precision/models.hpp"

#include <array>
#include <cmath>
#include <string>

#include "bench/precision/loop.hpp"
#include "bench/precision/pendulum.hpp"
#include "bench/precision/squeezer.hpp"

namespace vinculum::precision {
namespace {

std::array<double, 3> corner(int k) {
  std::array<double, 3> p{};
  Loop::corner(k, p.data());
  return p;
}

struct Angles {
  Coordinate b, t, g, p, d, o, e;
};

/// Links on the way share their inertia through the angle between them.
void squeezer_energies(Model& m, const Angles& q) {
  const SqueezerData<double>& k = squeezer_data<double>;
  const Expr b = q.b.rate(), t = q.t.rate(), g = q.g.rate(), p = q.p.rate(), d = q.d.rate(), o = q.o.rate(),
             e = q.e.rate();
  const auto pair = [](const Expr& m11, const Expr& m21, const Expr& m22, const Expr& u, const Expr& w) {
    return 0.5 * m11 * pow(u, 2) + m21 * u * w + 0.5 * m22 * pow(w, 2);
  };
  m.kinetic(pair(k.m11 - 2 * k.k12 * cos(q.t), k.m22 - k.k12 * cos(q.t), k.m22, b, t));
  m.kinetic(0.5 * k.m33 * pow(g, 2));
  m.kinetic(pair(k.m44, k.m44 + k.k45 * sin(q.p), k.m55 + 2 * k.k45 * sin(q.p), p, d));
  m.kinetic(pair(k.m66, k.m66 - k.k67 * sin(q.o), k.m77 - 2 * k.k67 * sin(q.o), o, e));
  const Expr dx = k.sd * cos(q.g) + k.sc * sin(q.g) + (k.xb - k.xc);
  const Expr dy = k.sd * sin(q.g) - k.sc * cos(q.g) + (k.yb - k.yc);
  m.potential(0.5 * k.c0 * pow(sqrt(pow(dx, 2) + pow(dy, 2)) - k.l0, 2));
  m.potential(-k.drive * q.b);
}

void squeezer_loops(Model& m, const Angles& q) {
  const SqueezerData<double>& k = squeezer_data<double>;
  const Expr x = k.rr * cos(q.b) - k.d * cos(q.b + q.t), y = k.rr * sin(q.b) - k.d * sin(q.b + q.t);
  m.constrain("spring_x", x - k.ss * sin(q.g), k.xb);
  m.constrain("spring_y", y + k.ss * cos(q.g), k.yb);
  m.constrain("upper_x", x - k.e * sin(q.p + q.d) - k.zt * cos(q.d), k.xa);
  m.constrain("upper_y", y + k.e * cos(q.p + q.d) - k.zt * sin(q.d), k.ya);
  m.constrain("lower_x", x - k.zf * cos(q.o + q.e) - k.u * sin(q.e), k.xa);
  m.constrain("lower_y", y - k.zf * sin(q.o + q.e) + k.u * cos(q.e), k.ya);
}

}  // namespace

Model pendulum_model() {
  Model m;
  m.gravity({0, -Pendulum::g, 0});
  const Particle bob = m.particle("bob", {.mass = 1, .position = {1, 0, 0}, .velocity = {0, 0, 2}});
  m.constrain("rod", norm_squared(bob), 1);
  return m;
}

Model loop_model() {
  Model m;
  m.gravity({0, -Loop::g, 0});
  Vector from{0, 0, 0};
  for (int k = 1; k <= 5; ++k) {
    const auto place = corner(k);
    const Vector to = k < 5 ? m.particle("p" + std::to_string(k), {.mass = 1, .position = place}).position()
                            : Vector{place[0], place[1], place[2]};
    m.constrain("rod" + std::to_string(k), norm_squared(to - from), 1);
    from = to;
  }
  return m;
}

Model squeezer_model() {
  double q[7], v[7];
  Squeezer::start(q, v);
  Model m;
  const Angles angles{
      m.coordinate("beta", {.start = q[0]}),    m.coordinate("Theta", {.start = q[1]}),
      m.coordinate("gamma", {.start = q[2]}),   m.coordinate("Phi", {.start = q[3]}),
      m.coordinate("delta", {.start = q[4]}),   m.coordinate("Omega", {.start = q[5]}),
      m.coordinate("epsilon", {.start = q[6]}),
  };
  squeezer_energies(m, angles);
  squeezer_loops(m, angles);
  return m;
}

Model four_bar_model(int count) {
  Model m;
  std::vector<Coordinate> x(count + 1), y(count + 1);
  for (int i = 0; i <= count; ++i) {
    x[i] = m.coordinate("x" + std::to_string(i), {.start = static_cast<double>(i), .rate = 1});
    y[i] = m.coordinate("y" + std::to_string(i), {.start = 1});
  }
  // A uniform rod by its ends: T = m/6 (v1^2 + v1.v2 + v2^2), half of its weight at each.
  const Expr third = Expr(1.0) / 3, sixth = Expr(1.0) / 6;
  const auto rod_end = [&](int i) {
    m.mass(x[i], third);
    m.mass(y[i], third);
    m.potential(0.5 * 9.81 * y[i]);
  };
  for (int i = 0; i <= count; ++i) {
    rod_end(i);
    m.constrain("upright" + std::to_string(i), pow(x[i] - i, 2) + pow(y[i], 2), 1);
  }
  for (int i = 1; i <= count; ++i) {
    rod_end(i - 1);
    rod_end(i);
    m.mass(x[i - 1], x[i], sixth);
    m.mass(y[i - 1], y[i], sixth);
    m.constrain("coupler" + std::to_string(i), pow(x[i] - x[i - 1], 2) + pow(y[i] - y[i - 1], 2), 1);
  }
  return m;
}

Model four_bar_body_model(int count, double moment) {
  Model m;
  m.gravity({0, -9.81, 0});
  BodyOptions upright, coupler;
  upright.inertia = coupler.inertia = {moment, 1.0 / 12, 1.0 / 12, 0.0, 0.0, 0.0};
  upright.orientation = {std::sqrt(0.5), 0, 0, std::sqrt(0.5)};
  upright.omega_body = {0, 0, -1};
  upright.velocity = {0.5, 0, 0};
  coupler.velocity = {1, 0, 0};
  const auto hinge = [&m](const std::string& name, const Part& a, const Part& b, double x, double y) {
    m.joint(name, a, b, {.type = JointType::revolute, .point = {x, y, 0}});
  };
  Part before;
  for (int i = 0; i <= count; ++i) {
    const std::string number = std::to_string(i);
    upright.position = {1.0 * i, 0.5, 0};
    const Body rod = m.body("upright" + number, upright);
    hinge("foot" + number, Part(), rod, i, 0);
    if (i > 0) {
      coupler.position = {i - 0.5, 1, 0};
      const Body across = m.body("coupler" + number, coupler);
      hinge("left" + number, before, across, i - 1, 1);
      hinge("right" + number, across, rod, i, 1);
    }
    before = rod;
  }
  return m;
}

}  // namespace vinculum::precision
