// Chains and nets of unit masses joined by massless rods: plain data, from which both sides of a comparison
// are built.
#pragma once
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum::bench {

inline constexpr double gravity = 9.81;

struct RodNet {
  std::vector<std::array<double, 3>> place;
  /// Everything moves: a chain released from rest pulls at its first rods only, and the rest is a race of
  /// denormals.
  std::array<double, 3> velocity(std::size_t i) const {
    if (still) return {0, 0, 0};
    const double k = static_cast<double>(i);
    return {std::sin(0.9 * k), std::cos(1.3 * k), std::sin(0.4 * k + 1)};
  }
  std::vector<bool> fixed;
  bool still = false;  // taut nets: other velocities than their own would contradict the rods
  std::vector<std::array<int, 2>> rods;
};

/// Mass 0 is a fixed point, the others hang from it by N rods with kinks.
inline RodNet chain(int n) {
  RodNet net;
  net.place.push_back({0, 0, 0});
  for (int i = 0; i < n; ++i) {
    const double angle = -1.5707963267948966 + 0.5 * std::sin(0.7 * i + 0.3), turn = 0.4 * std::cos(0.5 * i);
    const auto& p = net.place.back();
    net.place.push_back({p[0] + std::cos(angle) * std::cos(turn), p[1] + std::sin(angle),
                         p[2] + std::cos(angle) * std::sin(turn)});
    net.rods.push_back({i, i + 1});
  }
  net.fixed.assign(n + 1, false);
  net.fixed[0] = true;
  return net;
}

/// n x n masses, two corners fixed. Curved: a surface of translation. Flat: a plane grid with a taut,
/// straight top row, where the rows of A depend on each other.
inline RodNet net(int n, bool flat) {
  RodNet result;
  result.still = flat;
  std::vector<std::array<double, 3>> along(n), down(n);
  for (int k = 1; k < n; ++k) {
    const double a = flat ? 0.0 : 0.6 * std::sin(1.3 * k + 0.5), b = 0.5 * std::sin(0.9 * k + 0.2);
    along[k] = {along[k - 1][0] + std::cos(a), along[k - 1][1] + std::sin(a), 0};
    down[k] = {0, down[k - 1][1] + (flat ? -1.0 : std::sin(b)), down[k - 1][2] + (flat ? 0.0 : std::cos(b))};
  }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      result.place.push_back({along[i][0], along[i][1] + down[j][1], down[j][2]});
      if (i + 1 < n) result.rods.push_back({j * n + i, j * n + i + 1});
      if (j + 1 < n) result.rods.push_back({j * n + i, j * n + i + n});
    }
  result.fixed.assign(result.place.size(), false);
  result.fixed[0] = result.fixed[n - 1] = true;
  return result;
}

/// A grid in which every rim mass is fixed: taut all over, with a self-stress along every inner line.
inline RodNet pinned_net(int n) {
  RodNet result = net(n, true);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (i == 0 || j == 0 || i == n - 1 || j == n - 1) result.fixed[j * n + i] = true;
  return result;
}

/// The net as a user of the library states it.
inline Model model_of(const RodNet& net) {
  Model m;
  m.gravity({0, -gravity, 0});
  std::vector<Vector> at(net.place.size());
  for (std::size_t i = 0; i < net.place.size(); ++i) {
    const auto& p = net.place[i];
    if (net.fixed[i])
      at[i] = {p[0], p[1], p[2]};
    else
      at[i] = m.particle("p" + std::to_string(i), {.mass = 1, .position = p, .velocity = net.velocity(i)});
  }
  int count = 0;
  for (const auto& [a, b] : net.rods) {
    if (net.fixed[a] && net.fixed[b]) continue;
    double length2 = 0;
    for (int k = 0; k < 3; ++k) length2 += std::pow(net.place[a][k] - net.place[b][k], 2);
    m.constrain("rod" + std::to_string(count++), norm_squared(at[a] - at[b]), length2);
  }
  return m;
}

}  // namespace vinculum::bench
