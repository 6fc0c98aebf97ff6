// The benchmark problems of the IFToMM library that need no rigid body: a01, a02, a03, a05.
#include <gtest/gtest.h>

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
using reference::snap_through;
using reference::standard_demands;

TEST(ReferenceIftomm, ASimplePendulumKeepsItsPhaseForTwoThousandSeconds) {
  const Case c("a01-simple-pendulum");
  const double mass = c.parameter("m"), L = c.parameter("L"), g = c.parameter("g");
  Model m;
  const Point p = reference::point(m, {"x", "y"}, mass, {c.initial("x"), c.initial("y")},
                                   {c.initial("vx"), c.initial("vy")});
  m.force(p.y, -mass * g);
  m.constrain("rod", p.x * p.x + p.y * p.y, L * L);
  m.output("vx", p.x.rate());
  m.output("vy", p.y.rate());
  expect_reproduced(c, m, standard_demands({.until = 10}));
  if (reference::sanitized) return;
  // Local errors change the energy, each by a little, and the energy sets the period: the error of the phase
  // grows with the square of time. Where 10 s may cost one tolerance, 2000 s cost 200^2.
  const double growth = 200.0 * 200.0;
  expect_reproduced(
      c, m, {{.tolerance = 1e-9, .allowed = growth * 1e-9}, {.tolerance = 1e-12, .allowed = growth * 1e-12}});
}

/// Uniform rods by their end points: T = m/6 (v1^2 + v1.v2 + v2^2), half of the weight at each end.
Model four_bars(const Case& c) {
  const int windows = static_cast<int>(c.parameter("N"));
  const double rod = c.parameter("m"), L = c.parameter("L"), g = c.parameter("g"), v0 = c.parameter("v0");
  c.expect_says("B_i", "(i L, L)");
  c.expect_says("velocity of B_i", "(v0, 0)");
  Model m;
  const auto add_end = [&](const Point& p) {
    m.mass(p.x, rod / 3);
    m.mass(p.y, rod / 3);
    m.force(p.y, -rod * g / 2);
  };
  std::vector<Point> B;
  for (int i = 0; i <= windows; ++i) {
    const std::string name = "B" + std::to_string(i);
    B.push_back({m.coordinate(name + "x", {i * L, v0}), m.coordinate(name + "y", {L, 0})});
    add_end(B[i]);
    m.constrain("upright" + std::to_string(i), pow(B[i].x - i * L, 2) + pow(B[i].y, 2), L * L);
  }
  for (int i = 1; i <= windows; ++i) {
    add_end(B[i - 1]);
    add_end(B[i]);
    m.mass(B[i - 1].x, B[i].x, rod / 6);
    m.mass(B[i - 1].y, B[i].y, rod / 6);
    m.constrain("coupler" + std::to_string(i), pow(B[i].x - B[i - 1].x, 2) + pow(B[i].y - B[i - 1].y, 2),
                L * L);
  }
  m.output("B0vx", B[0].x.rate());
  m.output("B0vy", B[0].y.rate());
  m.output("theta_dot", (B[0].x.rate() * B[0].y - B[0].y.rate() * B[0].x) / (L * L));
  return m;
}

TEST(ReferenceIftomm, TwoFourBarsPassTheFlatPositionAgainAndAgain) {
  const Case c("a02-fourbar-N2");
  expect_reproduced(c, four_bars(c));
}

TEST(ReferenceIftomm, FortyFourBarsPassTheFlatPositionAgainAndAgain) {
  const Case c("a02-fourbar-N40");
  const double until = reference::sanitized ? 0.5 : 20;
  expect_reproduced(c, four_bars(c), standard_demands({.until = until}));
}

/// Andrews' squeezing mechanism. The reference has M q'' = f - G^T lambda, so its multipliers are ours
/// negated.
Model squeezer(const Case& c) {
  const auto par = [&](const char* name) { return c.parameter(name); };
  const double m1 = par("m1"), m2 = par("m2"), m3 = par("m3"), m4 = par("m4"), m5 = par("m5"), m6 = par("m6"),
               m7 = par("m7"), i1 = par("i1"), i2 = par("i2"), i3 = par("i3"), i4 = par("i4"), i5 = par("i5"),
               i6 = par("i6"), i7 = par("i7"), xa = par("xa"), ya = par("ya"), xb = par("xb"), yb = par("yb"),
               xc = par("xc"), yc = par("yc"), c0 = par("c0"), d = par("d"), da = par("da"), e = par("e"),
               ea = par("ea"), rr = par("rr"), ra = par("ra"), l0 = par("l0"), ss = par("ss"), sa = par("sa"),
               sb = par("sb"), sc = par("sc"), sd = par("sd"), ta = par("ta"), tb = par("tb"), u = par("u"),
               ua = par("ua"), ub = par("ub"), zf = par("zf"), zt = par("zt"), fa = par("fa"),
               mom = par("mom");
  c.expect_says("velocities", "all zero");
  Model m;
  const auto angle = [&](const char* name) {
    const Coordinate q = m.coordinate(name, {c.initial(name), 0});
    m.output(std::string(name) + "_dot", q.rate());
    m.output(std::string(name) + "_ddot", q.acceleration());
    return q;
  };
  const Coordinate beta = angle("beta"), theta = angle("Theta"), gamma = angle("gamma"), phi = angle("Phi"),
                   delta = angle("delta"), omega = angle("Omega"), epsilon = angle("epsilon");

  m.mass(beta, m1 * ra * ra + m2 * (rr * rr - 2 * da * rr * cos(theta) + da * da) + i1 + i2);
  m.mass(beta, theta, m2 * (da * da - da * rr * cos(theta)) + i2);
  m.mass(theta, m2 * da * da + i2);
  m.mass(gamma, m3 * (sa * sa + sb * sb) + i3);
  const double ee = e - ea, zz = zf - fa;
  m.mass(phi, m4 * ee * ee + i4);
  m.mass(phi, delta, m4 * (ee * ee + zt * ee * sin(phi)) + i4);
  m.mass(delta, m4 * (zt * zt + 2 * zt * ee * sin(phi) + ee * ee) + m5 * (ta * ta + tb * tb) + i4 + i5);
  m.mass(omega, m6 * zz * zz + i6);
  m.mass(omega, epsilon, m6 * (zz * zz - u * zz * sin(omega)) + i6);
  m.mass(epsilon, m6 * (zz * zz - 2 * u * zz * sin(omega) + u * u) + m7 * (ua * ua + ub * ub) + i6 + i7);

  m.force(beta, mom - m2 * da * rr * theta.rate() * (theta.rate() + 2 * beta.rate()) * sin(theta));
  m.force(theta, m2 * da * rr * pow(beta.rate(), 2) * sin(theta));
  const Expr xd = sd * cos(gamma) + sc * sin(gamma) + xb, yd = sd * sin(gamma) - sc * cos(gamma) + yb;
  m.potential(c0 / 2 * pow(sqrt(pow(xd - xc, 2) + pow(yd - yc, 2)) - l0, 2));  // the spring
  m.force(phi, m4 * zt * ee * pow(delta.rate(), 2) * cos(phi));
  m.force(delta, -m4 * zt * ee * phi.rate() * (phi.rate() + 2 * delta.rate()) * cos(phi));
  m.force(omega, -m6 * u * zz * pow(epsilon.rate(), 2) * cos(omega));
  m.force(epsilon, m6 * u * zz * omega.rate() * (omega.rate() + 2 * epsilon.rate()) * cos(omega));

  const Expr x = rr * cos(beta) - d * cos(beta + theta), y = rr * sin(beta) - d * sin(beta + theta);
  m.constrain("g1", x - ss * sin(gamma) - xb);
  m.constrain("g2", y + ss * cos(gamma) - yb);
  m.constrain("g3", x - e * sin(phi + delta) - zt * cos(delta) - xa);
  m.constrain("g4", y + e * cos(phi + delta) - zt * sin(delta) - ya);
  m.constrain("g5", x - zf * cos(omega + epsilon) - u * sin(epsilon) - xa);
  m.constrain("g6", y - zf * sin(omega + epsilon) + u * cos(epsilon) - ya);
  for (int k = 1; k <= 6; ++k) m.output("lambda" + std::to_string(k), -m.multiplier("g" + std::to_string(k)));
  return m;
}

TEST(ReferenceIftomm, AndrewsSqueezerReproducesAnglesAccelerationsAndMultipliers) {
  const Case c("a03-andrews-squeezer");
  expect_reproduced(c, squeezer(c), standard_demands({.magnified = snap_through}));
}

/// A box of the given mass, [length along the axis, width, width]: inertia along and across the axis.
struct Box {
  double mass, along, across;
  Box(double density, double length, double width)
      : mass(density * length * width * width),
        along(mass * width * width / 6),
        across(mass * (length * length + width * width) / 12) {}
};

/// The governor by its three freedoms: turn of the shaft, height of the slider, angle of both arms.
Model governor(const Case& c) {
  const double rho = c.parameter("rho"), mb = c.parameter("mb"), K = c.parameter("K"), C = c.parameter("C"),
               l0 = c.parameter("l0"), g = c.parameter("g"), hinge = c.parameter("hinge offset");
  c.expect_says("phi_dot", "2 pi (whole assembly)");
  c.expect_says("alpha", "pi/6");
  const Box shaft(rho, 1, 0.01), rod(rho, 1, 0.01), slider(rho, 0.1, 0.1);
  Model m;
  const Coordinate phi = m.coordinate("phi", {c.initial("phi"), 2 * std::numbers::pi});
  const Coordinate s = m.coordinate("s", {c.initial("s"), c.initial("s_dot")});
  const Coordinate alpha = m.coordinate("alpha", {std::numbers::pi / 6, c.initial("alpha_dot")});

  const Expr turn = pow(phi.rate(), 2), swing = pow(alpha.rate(), 2);
  const Expr rod_turn = rod.mass * pow(hinge + cos(alpha) / 2, 2) + rod.along * pow(sin(alpha), 2) +
                        rod.across * pow(cos(alpha), 2);
  const Expr ball_turn = mb * pow(hinge + cos(alpha), 2);
  m.kinetic((shaft.along + slider.along) / 2 * turn + slider.mass / 2 * pow(s.rate(), 2) +
            (rod_turn + ball_turn) * turn + (rod.mass / 4 + rod.across + mb) * swing);
  m.potential(slider.mass * g * s - 2 * (rod.mass / 2 + mb) * g * sin(alpha));

  // Two spring-dampers between the middle of each arm and the slider.
  const Expr length = sqrt(pow(cos(alpha) / 2, 2) + pow(1 - sin(alpha) / 2 - s, 2));
  m.potential(K * pow(length - l0, 2));
  const Expr damping = 2 * C * m.rate(length);
  m.force(s, -damping * derivative(length, s));
  m.force(alpha, -damping * derivative(length, alpha));
  m.output("s_dot", s.rate());
  m.output("alpha_dot", alpha.rate());
  return m;
}

TEST(ReferenceIftomm, TheStiffGovernorRaisesItsSlider) {
  const Case c("a05-flyball-governor");
  const double until = reference::sanitized ? 0.5 : 10;
  expect_reproduced(c, governor(c), standard_demands({.until = until}));
}

}  // namespace
}  // namespace vinculum
