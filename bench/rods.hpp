// Chains of uniform rods (1 m, 1 kg) hinged end to end about z: plain data, from which both sides of a
// comparison are built.
#pragma once
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum::bench {

/// Of a rod along x. The moment about its own axis plays no part where all hinges are parallel.
inline constexpr double rod_inertia_along = 1.25e-3, rod_inertia_across = 1.0 / 12;
inline constexpr double rod_gravity = 9.81;

/// A rod begins where the one before it ends; the first at the origin.
struct RodChain {
  std::vector<double> angle, rate;  // of each rod in the world, about z
  bool closed = false;              // the end of the last rod is hinged to the ground as well
  int size() const { return static_cast<int>(angle.size()); }
};

/// Hanging with kinks, everything moving: forces of a chain at rest die out along it, and the rest would be a
/// race of denormals.
inline RodChain open_chain(int n) {
  RodChain chain;
  for (int i = 0; i < n; ++i) {
    chain.angle.push_back(-std::numbers::pi / 2 + 0.5 * std::sin(0.7 * i + 0.3));
    chain.rate.push_back(std::sin(0.9 * i));
  }
  return chain;
}

/// A V between two points of the ground, at rest.
inline RodChain closed_chain(int n) {
  RodChain chain;
  for (int i = 0; i < n; ++i) chain.angle.push_back((i < n / 2 ? -1 : 1) * std::numbers::pi / 3);
  chain.rate.assign(n, 0.0);
  chain.closed = true;
  return chain;
}

/// The chain as a user of the library states it: a body for each rod, a revolute joint for each hinge.
inline Model model_of(const RodChain& chain) {
  Model m;
  m.gravity({0, -rod_gravity, 0});
  double x = 0, y = 0, vx = 0, vy = 0;  // the end reached, and its velocity
  Part before;
  for (int i = 0; i < chain.size(); ++i) {
    const double c = std::cos(chain.angle[i]), s = std::sin(chain.angle[i]), w = chain.rate[i];
    const double half = chain.angle[i] / 2;
    BodyOptions rod;
    rod.inertia = {rod_inertia_along, rod_inertia_across, rod_inertia_across, 0.0, 0.0, 0.0};
    rod.position = {x + c / 2, y + s / 2, 0};
    rod.velocity = {vx - w * s / 2, vy + w * c / 2, 0};
    rod.orientation = {std::cos(half), 0, 0, std::sin(half)};
    rod.omega_body = {0, 0, w};
    const Body body = m.body("rod" + std::to_string(i), rod);
    m.joint("hinge" + std::to_string(i), before, body, {.type = JointType::revolute, .point = {x, y, 0}});
    x += c, y += s, vx -= w * s, vy += w * c;
    before = body;
  }
  if (chain.closed) m.joint("end", before, Part(), {.type = JointType::revolute, .point = {x, y, 0}});
  return m;
}

}  // namespace vinculum::bench
