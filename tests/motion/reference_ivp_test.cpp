// Problems of the test set for initial value problem solvers, and their relatives: b02 to b06.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "motion/reference.hpp"

namespace vinculum {
namespace {

using reference::Case;
using reference::expect_reproduced;
using reference::Point;
using reference::standard_demands;

/// A car's axle on a bumpy road: the left wheel is held by a fixed point, the right one by one that moves.
Model car_axis(const Case& c) {
  const double eps = c.parameter("eps"), k = c.parameter("M") * eps * eps / 2, L = c.parameter("L"),
               L0 = c.parameter("L0"), r = c.parameter("r"), w = c.parameter("w"), g = c.parameter("g");
  c.expect_says("vxl", "-L0 r w / L");
  c.expect_says("vxr", "-L0 r w / L");
  Model m;
  const double roll = -L0 * r * w / L;
  const Point l = reference::point(m, {"xl", "yl"}, k, {0, L0}, {roll, 0});
  const Point right = reference::point(m, {"xr", "yr"}, k, {L, L0}, {roll, 0});
  const Expr yb = r * sin(w * m.time()), xb = sqrt(L * L - yb * yb);  // where the road holds the right wheel
  const Expr Ll = sqrt(pow(l.x, 2) + pow(l.y, 2)), Lr = sqrt(pow(right.x - xb, 2) + pow(right.y - yb, 2));
  m.potential(pow(Ll - L0, 2) / 2 + pow(Lr - L0, 2) / 2);
  for (const Point& p : {l, right}) m.force(p.y, -k * g);
  m.constrain("upright", l.x * xb + l.y * yb);
  m.constrain("axle", pow(l.x - right.x, 2) + pow(l.y - right.y, 2), L * L);
  m.output("vxl", l.x.rate());
  m.output("vyl", l.y.rate());
  m.output("vxr", right.x.rate());
  m.output("vyr", right.y.rate());
  m.output("lambda1", m.multiplier("upright"));
  m.output("lambda2", m.multiplier("axle"));
  return m;
}

TEST(ReferenceIvp, TheCarAxisFollowsTheRoad) {
  const Case c("b02-car-axis");
  expect_reproduced(c, car_axis(c));
}

TEST(ReferenceIvp, AnotherCarAxisFollowsTheRoad) {
  const Case c("b02b-car-axis-variant");
  expect_reproduced(c, car_axis(c));
}

/// Longitude and latitude at which particle i (from 1) of the Fekete problem starts.
std::array<double, 2> fekete_start(int i) {
  constexpr double pi = std::numbers::pi;
  if (i <= 3) return {2 * pi * i / 3 + pi / 13, 3 * pi / 8};
  if (i <= 10) return {2 * pi * (i - 3) / 7 + pi / 29, pi / 8};
  if (i <= 16) return {2 * pi * (i - 10) / 6 + pi / 7, -2 * pi / 15};
  return {2 * pi * (i - 17) / 4 + pi / 17, -3 * pi / 10};
}

/// Particles on the unit sphere repel each other like line charges and lose speed.
Model fekete(const Case& c) {
  const int count = static_cast<int>(c.parameter("N"));
  const double alpha = c.parameter("alpha");
  Model m;
  std::vector<Particle> p;
  for (int i = 1; i <= count; ++i) {
    const auto [a, b] = fekete_start(i);
    p.push_back(m.particle("p" + std::to_string(i), {.position = {std::cos(a) * std::cos(b),
                                                                  std::sin(a) * std::cos(b), std::sin(b)}}));
    m.force(p.back(), -alpha * p.back().velocity());
    m.constrain("sphere" + std::to_string(i), norm_squared(p.back()), 1);
  }
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < i; ++j) m.potential(-0.5 * log(norm_squared(p[i] - p[j])));
  for (const int i : {1, 10, 20}) {
    const Particle& at = p[i - 1];
    const std::string k = std::to_string(i);
    m.output("p" + k + "x", at.x);
    m.output("p" + k + "y", at.y);
    m.output("p" + k + "z", at.z);
    m.output("v" + k + "x", at.x.rate());
    m.output("v" + k + "y", at.y.rate());
    m.output("v" + k + "z", at.z.rate());
  }
  return m;
}

TEST(ReferenceIvp, FeketePointsSettleWhereTheyRepelLeast) {
  const Case c("b03-fekete");
  const double until = reference::sanitized ? 1 : 300;
  expect_reproduced(c, fekete(c), standard_demands({.until = until}));
}

TEST(ReferenceIvp, AtRestEachFeketePointIsHeldByExactlyHalfOfTheOthers) {
  const Case c("b03-fekete");
  const double count = c.parameter("N");
  const System system(fekete(c));
  MotionOptions options;
  options.until = 300;
  options.samples = 1;
  const Trajectory motion = simulate(system, options);
  ASSERT_EQ(motion.stop, Stop::end) << motion.reason;
  for (const double lambda : motion.back().multipliers)  // p'' = F + 2 lambda p, and p.F = (N - 1)/2
    EXPECT_NEAR(lambda, -(count - 1) / 4, 1e-8);
}

/// A slider crank with a spring-damper between crank and rod and a constant force on the slider.
Model slider_crank(const Case& c) {
  const double a = c.parameter("a"), k = c.parameter("k"), damping = c.parameter("c"), l0 = c.parameter("l0"),
               F = c.parameter("F");
  c.expect_says("q", "pi/2");
  c.expect_says("p", "asin(-a)");
  c.expect_says("x", "cos p");
  Model m;
  const Coordinate q = m.coordinate("q", {std::numbers::pi / 2, 0});
  const Coordinate x = m.coordinate("x", {std::cos(std::asin(-a)), 0});
  const Coordinate p = m.coordinate("p", {std::asin(-a), 0});
  m.mass(q, c.parameter("J1"));
  m.mass(x, c.parameter("m2"));
  m.mass(p, c.parameter("J2"));
  const Expr l = sqrt(x * x - x * (cos(p) + a * cos(q)) + (1 + a * a) / 4 + a * cos(p - q) / 2);
  const Expr f = k * (l - l0) + damping * m.rate(l);
  for (const Coordinate& on : {q, x, p}) m.force(on, -f * derivative(l, on));
  m.force(x, F);
  m.force(p, -F * sin(p));
  m.constrain("along", x, cos(p) + a * cos(q));
  m.constrain("across", sin(p), -a * sin(q));
  m.output("q_dot", q.rate());
  m.output("x_dot", x.rate());
  m.output("p_dot", p.rate());
  return m;
}

TEST(ReferenceIvp, TheRigidSliderCrankSwings) {
  const Case c("b04-slider-crank");
  expect_reproduced(c, slider_crank(c));
}

TEST(ReferenceIvp, TheUnitPendulumPullsWithLambda) {
  const Case c("b05-pendulum-index3");
  const double mass = c.parameter("m"), g = c.parameter("g"), L = c.parameter("L");
  Model m;
  const Point p = reference::point(m, {"x", "y"}, mass, {c.initial("x"), c.initial("y")},
                                   {c.initial("vx"), c.initial("vy")});
  m.force(p.y, -mass * g);
  m.constrain("rod", (p.x * p.x + p.y * p.y - L * L) / 2);  // the half makes its row (x, y)
  m.output("vx", p.x.rate());
  m.output("vy", p.y.rate());
  m.output("lam", -m.multiplier("rod"));  // x'' = -x lam
  expect_reproduced(c, m);
}

using Four = std::array<Expr, 4>;
Expr dot(const Four& a, const Four& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]; }
Four times(const std::array<std::array<double, 4>, 4>& matrix, const Four& v) {
  Four out;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      if (matrix[i][j] != 0) out[i] += matrix[i][j] * v[j];
  return out;
}

/// A crank that turns uniformly drives a slider through a connecting rod that bends (q1, q2) and stretches
/// (q3, q4).
Model flexible_slider_crank(const Case& c) {
  const double M2 = c.parameter("M2"), M3 = c.parameter("M3"), L1 = c.parameter("L1"), L2 = c.parameter("L2"),
               J1 = c.parameter("J1"), J2 = c.parameter("J2"), PI = c.parameter("PI"), EE = c.parameter("EE"),
               BB = c.parameter("BB"), HH = c.parameter("HH"), RHO = c.parameter("RHO"),
               OM = c.parameter("OM");
  const double FM = RHO * BB * HH * L2, FK = EE * BB * HH / L2, FB = BB * HH * L2;
  const double slender = FK * std::pow(PI, 4) * std::pow(HH / L2, 2);
  const std::array<std::array<double, 4>, 4> MQ{
      {{FM / 2, 0, 0, 0}, {0, FM / 2, 0, 0}, {0, 0, 8 * FM, FM}, {0, 0, FM, 2 * FM}}};
  const std::array<std::array<double, 4>, 4> KQ{{{slender / 24, 0, 0, 0},
                                                 {0, slender * 2 / 3, 0, 0},
                                                 {0, 0, FK * 16 / 3, -FK * 8 / 3},
                                                 {0, 0, -FK * 8 / 3, FK * 7 / 3}}};
  const double B13 = -16 * FB / std::pow(PI, 3), B14 = FB * (8 / std::pow(PI, 3) - 1 / PI),
               B24 = FB / (2 * PI);
  const std::array<std::array<double, 4>, 4> BQ{
      {{0, 0, B13, B14}, {0, 0, 0, B24}, {-B13, 0, 0, 0}, {-B14, -B24, 0, 0}}};
  const Four c1{0, 0, FB * 2 / 3, FB / 6}, c2{FB * 2 / PI, 0, 0, 0}, c12{0, 0, L2 * FB / 3, L2 * FB / 6},
      c21{L2 * FB / PI, -L2 * FB / (2 * PI), 0, 0};

  Model m;
  const double stretch = c.initial("q4");  // phi2, x3 and their rates follow from the constraints
  const Coordinate phi1 = m.coordinate("phi1", {c.initial("phi1"), OM});
  const Coordinate phi2 = m.coordinate("phi2", {0, -L1 * OM / (L2 + stretch)});
  const Coordinate x3 = m.coordinate("x3", {L1 + L2 + stretch, c.initial("q4_dot")});
  std::array<Coordinate, 4> elastic;
  Four q, qd;
  for (int i = 0; i < 4; ++i) {
    const std::string name = "q" + std::to_string(i + 1);
    elastic[i] = m.coordinate(name, {c.initial(name), c.initial(name + "_dot")});
    q[i] = elastic[i];
    qd[i] = elastic[i].rate();
  }

  const Expr C = cos(phi1 - phi2), S = sin(phi1 - phi2), v1 = phi1.rate(), v2 = phi2.rate();
  const Four MQq = times(MQ, q), BQq = times(BQ, q), BQqd = times(BQ, qd), KQq = times(KQ, q);
  m.mass(phi1, J1 + M2 * L1 * L1);
  m.mass(phi1, phi2, L1 * L2 * M2 / 2 * C + RHO * L1 * (S * dot(c2, q) + C * dot(c1, q)));
  m.mass(phi2, J2 + dot(q, MQq) + 2 * RHO * dot(c12, q));
  m.mass(x3, M3);
  for (int i = 0; i < 4; ++i) {
    m.mass(phi1, elastic[i], RHO * L1 * (-S * c1[i] + C * c2[i]));
    m.mass(phi2, elastic[i], RHO * c21[i] - RHO * BQq[i]);  // q^T BQ = -BQ q, as BQ is skew
    for (int j = 0; j <= i; ++j) {
      if (i == j) m.mass(elastic[i], MQ[i][i]);
      if (i != j && MQ[i][j] != 0) m.mass(elastic[i], elastic[j], MQ[i][j]);
    }
  }
  m.force(phi1, -L1 * L2 * M2 / 2 * v2 * v2 * S + RHO * L1 * v2 * v2 * (-S * dot(c1, q) + C * dot(c2, q)) -
                    2 * RHO * L1 * v2 * (C * dot(c1, qd) + S * dot(c2, qd)));
  m.force(phi2, L1 * L2 * M2 / 2 * v1 * v1 * S + RHO * L1 * v1 * v1 * (S * dot(c1, q) - C * dot(c2, q)) -
                    2 * RHO * v2 * dot(c12, qd) - 2 * v2 * dot(qd, MQq) - RHO * dot(qd, BQqd));
  for (int i = 0; i < 4; ++i)
    m.force(elastic[i],
            v2 * v2 * MQq[i] +
                RHO * (v2 * v2 * c12[i] + L1 * v1 * v1 * (C * c1[i] + S * c2[i]) + 2 * v2 * BQqd[i]) -
                KQq[i]);

  m.constrain("across", L1 * sin(phi1) + (L2 + q[3]) * sin(phi2));
  m.constrain("along", x3, L1 * cos(phi1) + (L2 + q[3]) * cos(phi2));
  m.constrain("drive", phi1, OM * m.time());
  const std::vector<std::pair<std::string, Coordinate>> all{
      {"phi1", phi1},     {"phi2", phi2},     {"x3", x3},        {"q1", elastic[0]},
      {"q2", elastic[1]}, {"q3", elastic[2]}, {"q4", elastic[3]}};
  for (const auto& [name, coordinate] : all) {
    m.output(name + "_dot", coordinate.rate());
    m.output(name + "_ddot", coordinate.acceleration());
  }
  // M p'' = F - G^T lambda: our multipliers negated.
  m.output("lambda1", -m.multiplier("across"));
  m.output("lambda2", -m.multiplier("along"));
  m.output("lambda3", -m.multiplier("drive"));
  return m;
}

/// The crank turns to 15 rad, where a double is rounded by 2e-15, and the rod is held to it. Its stiffest
/// mode has w^2 = 2.1 FK/FM = 6e8 1/s^2: rounding alone moves velocities by 2e-15 w = 5e-11, and
/// accelerations with the forces that make them by 2e-15 w^2 = 1e-6.
std::function<double(const std::string&)> stiff(double allowed) {
  return [allowed](const std::string& quantity) {
    const bool force = quantity.ends_with("_ddot") || quantity.starts_with("lambda");
    const double rounding = force ? 1e-6 : quantity.ends_with("_dot") ? 5e-11 : 2e-15;
    return std::max(1.0, rounding / allowed);
  };
}

TEST(ReferenceIvp, AnElasticRodRingsWhileItsCrankTurns) {
  const Case c("b06-slider-crank-flexible");
  const double until = reference::sanitized ? 0.02 : 0.1;
  // Elastic coordinates are of size 1e-5: an absolute tolerance says that they count, too.
  expect_reproduced(
      c, flexible_slider_crank(c),
      {{.tolerance = 1e-9, .absolute_tolerance = 1e-12, .until = until, .magnified = stiff(1e-8)},
       {.tolerance = 1e-12, .absolute_tolerance = 1e-15, .until = until, .magnified = stiff(1e-11)}});
}

}  // namespace
}  // namespace vinculum
