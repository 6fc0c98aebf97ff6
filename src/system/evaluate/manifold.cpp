// What a motion keeps by itself: unit quaternions, angles of joints that count their turns, and the angular
// momentum of bodies that nothing turns.
#include <Eigen/Dense>
#include <cmath>
#include <numbers>

#include "system/system_impl.hpp"
#include "vinculum/equation/sparse_row.hpp"
#include "vinculum/model/stated.hpp"
#include "vinculum/system/manifold.hpp"

namespace vinculum {
namespace {

using Quaternion = std::array<double, 4>;  // w, x, y, z

Quaternion product(const Quaternion& a, const Quaternion& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

Quaternion at(std::span<const double> q, const Rotation& r) {
  const double* p = q.data() + r.coordinate;
  return {p[0], p[1], p[2], p[3]};
}

}  // namespace

void System::Impl::compile_angles(Constants& constants) {
  for (const Model::BodyData& b : model.bodies())
    if (b.body.plane == Plane::none) rotations.push_back({b.first_coordinate + 3, b.first_velocity + 3});
  std::vector<Statement> parts;
  std::vector<Expr> starts;
  for (const AngleData& a : model.stated().angles) {
    angles.push_back(a.coordinate);
    starts.push_back(a.start);
    for (const Expr& part : {a.sine, a.cosine})
      parts.push_back({StatementKind::switching, {part}, {}, static_cast<int>(parts.size())});
  }
  angle_starts = LivingNumbers(model, starts);
  constants[static_cast<int>(Target::Where::switching)].assign(parts.size(), 0.0);
  angle_kernels = kernels_of_observed(parts, constants);
}

void renormalise(const System& system, std::span<double> q, Workspace& work) {
  const System::Impl& s = system.impl();
  Workspace::Impl& w = work.impl();
  fit(system, w);
  for (const Rotation& r : s.rotations) {
    double* const p = q.data() + r.coordinate;
    const double length = std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    // Rounding is left alone: a state that is kept already stays the same to the bit.
    if (std::fabs(length - 1) <= 2e-16) continue;
    for (int k = 0; k < 4; ++k) p[k] /= length;
  }
  if (s.angles.empty()) return;
  Numbers to;
  to[static_cast<int>(Target::Where::switching)] = w.angle_parts.data();
  const double t = 0.0;  // joints know no time
  s.angle_kernels.evaluate({{&t, q.data(), nullptr}}, to, w.angle_scratch);
  for (std::size_t k = 0; k < s.angles.size(); ++k) {
    const double turned =
        system.values().angle_start[k] + std::atan2(w.angle_parts[2 * k], w.angle_parts[2 * k + 1]);
    double& angle = q[s.angles[k]];
    angle = turned + 2 * std::numbers::pi * std::round((angle - turned) / (2 * std::numbers::pi));
  }
}

/// No row, no force but the gyroscopic one and no mass beside its own reaches the turning of such a body.
void System::Impl::find_free_turns(const std::vector<Statement>& statements,
                                   const std::vector<LoweredGroup>& lowered) {
  if (rotations.empty() || !mass_constant || drive || model.mechanics() != Mechanics::dalembert) return;
  std::vector<int> touched(velocity_names.size(), 0);
  for (const int column : pattern.A.column) ++touched[column];
  for (const LoweredGroup& group : lowered)
    for (const std::vector<Target>& targets : group.targets)
      for (const Target& t : targets)
        if (t.where == Target::Where::force || t.where == Target::Where::nonideal) ++touched[t.i];
  for (const Statement& s : statements)
    for (const Expr& target : s.targets) {
      if (s.kind == StatementKind::gyroscopic) --touched[model.stated().role(target).index];
      if (s.kind == StatementKind::nonideal) ++touched[model.stated().role(target).index];
    }
  for (const Rotation& r : rotations) {
    bool alone = true;
    for (int i = r.velocity; i < r.velocity + 3; ++i) {
      alone = alone && touched[i] == 0;
      for (const int column : row_of(pattern.M, i).columns)
        alone = alone && column >= r.velocity && column < r.velocity + 3;
    }
    if (alone) free_turns.push_back(r);
  }
}

namespace {

Eigen::Quaterniond orientation(std::span<const double> q, const Rotation& r) {
  const auto [w, x, y, z] = at(q, r);
  return {w, x, y, z};
}

/// Of the free turn k.
Eigen::Vector3d momentum_of(const System& system, std::size_t k, std::span<const double> q,
                            std::span<const double> v) {
  const Rotation& turn = system.impl().free_turns[k];
  const Eigen::Map<const Eigen::Matrix3d> inertia(system.values().free_inertia[k].data());
  const Eigen::Map<const Eigen::Vector3d> omega(v.data() + turn.velocity);
  return orientation(q, turn) * (inertia * omega).eval();
}

}  // namespace

void free_momenta(const System& system, std::span<const double> q, std::span<const double> v,
                  std::vector<double>& momenta) {
  momenta.clear();
  for (std::size_t k = 0; k < system.impl().free_turns.size(); ++k) {
    const Eigen::Vector3d momentum = momentum_of(system, k, q, v);
    momenta.insert(momenta.end(), momentum.data(), momentum.data() + 3);
  }
}

/// The angular velocity goes its own way in the body, whatever its orientation: its size is put right, and
/// the orientation by the shortest turn.
void keep_momenta(const System& system, std::span<const double> momenta, std::span<double> q,
                  std::span<double> v) {
  for (std::size_t k = 0; k < system.impl().free_turns.size(); ++k) {
    const Rotation& turn = system.impl().free_turns[k];
    const double* kept = momenta.data() + 3 * k;
    const Eigen::Vector3d momentum(kept[0], kept[1], kept[2]), now = momentum_of(system, k, q, v);
    const double size = now.norm();
    if (!(size > 0) || !std::isfinite(size) || momentum.norm() == 0) continue;
    for (int i = 0; i < 3; ++i) v[turn.velocity + i] *= momentum.norm() / size;
    const Eigen::Quaterniond turned =
        (Eigen::Quaterniond::FromTwoVectors(now, momentum) * orientation(q, turn)).normalized();
    double* const p = q.data() + turn.coordinate;
    p[0] = turned.w(), p[1] = turned.x(), p[2] = turned.y(), p[3] = turned.z();
  }
}

bool displacement_between(const System& system, std::span<const double> from, std::span<const double> to,
                          std::span<double> x) {
  const System::Impl& s = system.impl();
  std::size_t known = s.angles.size() + 4 * s.rotations.size();
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (s.plain_rate[i] < 0) continue;
    x[s.plain_rate[i]] = to[i] - from[i];
    ++known;
  }
  for (const Rotation& r : s.rotations) {
    const Quaternion a = at(from, r);
    Quaternion turn = product({a[0], -a[1], -a[2], -a[3]}, at(to, r));
    const double sine = std::hypot(turn[1], turn[2], turn[3]);
    // Both signs of a quaternion are one orientation: the shorter way.
    const double half = std::atan2(sine, std::fabs(turn[0]));
    const double scale = (turn[0] < 0 ? -1 : 1) * (sine > 0 ? 2 * half / sine : 2.0);
    for (int k = 0; k < 3; ++k) x[r.velocity + k] = scale * turn[k + 1];
  }
  return known == from.size();
}

void displace(const System& system, std::span<const double> from, std::span<const double> x,
              std::span<double> to) {
  const System::Impl& s = system.impl();
  for (std::size_t i = 0; i < from.size(); ++i)
    to[i] = s.plain_rate[i] >= 0 ? from[i] + x[s.plain_rate[i]] : from[i];
  for (const Rotation& r : s.rotations) {
    const double* const w = x.data() + r.velocity;
    const double angle = std::hypot(w[0], w[1], w[2]), part = angle > 0 ? std::sin(angle / 2) / angle : 0.5;
    const Quaternion turned =
        product(at(from, r), {std::cos(angle / 2), part * w[0], part * w[1], part * w[2]});
    for (int k = 0; k < 4; ++k) to[r.coordinate + k] = turned[k];
  }
}

}  // namespace vinculum
