// The problems as a user of the library states them.
#include "bench/precision/models.hpp"

#include <array>
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

void squeezer_masses(Model& m, const Angles& q) {
  const SqueezerData<double>& k = squeezer_data<double>;
  m.mass(q.b, k.m11 - 2 * k.k12 * cos(q.t));
  m.mass(q.b, q.t, k.m22 - k.k12 * cos(q.t));
  m.mass(q.t, k.m22);
  m.mass(q.g, k.m33);
  m.mass(q.p, k.m44);
  m.mass(q.p, q.d, k.m44 + k.k45 * sin(q.p));
  m.mass(q.d, k.m55 + 2 * k.k45 * sin(q.p));
  m.mass(q.o, k.m66);
  m.mass(q.o, q.e, k.m66 - k.k67 * sin(q.o));
  m.mass(q.e, k.m77 - 2 * k.k67 * sin(q.o));
}

void squeezer_forces(Model& m, const Angles& q) {
  const SqueezerData<double>& k = squeezer_data<double>;
  const Expr b = q.b.rate(), t = q.t.rate(), p = q.p.rate(), d = q.d.rate(), o = q.o.rate(), e = q.e.rate();
  m.force(q.b, k.drive - k.k12 * t * (t + 2 * b) * sin(q.t));
  m.force(q.t, k.k12 * pow(b, 2) * sin(q.t));
  m.force(q.p, k.k45 * pow(d, 2) * cos(q.p));
  m.force(q.d, -k.k45 * p * (p + 2 * d) * cos(q.p));
  m.force(q.o, -k.k67 * pow(e, 2) * cos(q.o));
  m.force(q.e, k.k67 * o * (o + 2 * e) * cos(q.o));
  const Expr dx = k.sd * cos(q.g) + k.sc * sin(q.g) + (k.xb - k.xc);
  const Expr dy = k.sd * sin(q.g) - k.sc * cos(q.g) + (k.yb - k.yc);
  const Expr length = sqrt(pow(dx, 2) + pow(dy, 2));
  m.potential(0.5 * k.c0 * pow(length - k.l0, 2));
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
  squeezer_masses(m, angles);
  squeezer_forces(m, angles);
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

}  // namespace vinculum::precision
