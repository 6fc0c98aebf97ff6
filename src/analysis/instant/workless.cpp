#include "analysis/instant/workless.hpp"

#include <algorithm>
#include <cmath>

#include "equation/dense/factorise.hpp"
#include "equation/dense/mass.hpp"
#include "equation/dense/row_space.hpp"

namespace vinculum {
namespace {

using dense::Matrix;
using dense::to_vector;
using dense::Vector;

/// Up to this size dense matrices cost nothing.
constexpr int small_size = 120;

/// Everything in the metric of M = L L^T, where accelerations Y are L^T Y and forces F are L^-1 F: there the
/// virtual directions are the orthonormal columns Z, and the power of F is (L^-1 F).(L^T v).
struct Metric {
  dense::Mass mass;
  Matrix Z;

  Metric(const dense::Problem& at, double rank_tolerance) : mass(dense::judge_mass(at.M)) {
    if (mass.kind != dense::MassKind::definite) return;
    const int n = at.coordinates();
    Z = Matrix::Identity(n, n);
    if (at.rows() > 0)
      Z = dense::RowSpace(dense::solve_lower(mass.factor, at.A.transpose()), rank_tolerance, true).complement;
  }
  Vector of_force(const Vector& force) const { return dense::solve_lower(mass.factor, force); }
  Vector of_motion(const Vector& v) const {
    return mass.factor.transpose().triangularView<Eigen::Upper>() * v;
  }
  Vector force(const Vector& turned) const { return mass.factor.triangularView<Eigen::Lower>() * turned; }
};

/// The direction among those virtual and without power that is nearest to pushing one velocity alone.
Vector plainest_direction(const Metric& metric, const Matrix& Z, const Vector& along) {
  Vector best = Vector::Zero(Z.rows());
  double most = 0.0;
  for (int i = 0; i < Z.rows(); ++i) {
    const Vector axis = metric.of_motion(Vector::Unit(Z.rows(), i));
    Vector part = Z.transpose() * axis;
    part -= along * along.dot(part);
    const double share = part.norm() / axis.norm();
    // The first of several that are as near: a rounding must not decide.
    if (share > most * (1.0 + 1e-9)) {
      most = share;
      best = Z * part;
    }
  }
  return best;
}

/// Forces F with A M^-1 F = b - A a and F.v = 0. Where v has a part in virtual directions, one dimension of
/// them goes; else F.v is the same for all of them.
Workless workless(const Metric& metric, const Solution& s, const Vector& v, double rank_tolerance) {
  Workless out;
  out.known = true;
  const Matrix& Z = metric.Z;
  const Vector ideal = metric.of_force(to_vector(s.constraint_force)), moving = metric.of_motion(v);
  const Vector virtual_part = Z.transpose() * moving;
  const double speed = virtual_part.norm(), power = ideal.dot(moving);
  const bool asks = speed > rank_tolerance * moving.norm();
  const bool works = std::abs(power) > rank_tolerance * ideal.norm() * moving.norm();
  out.dimension = static_cast<int>(Z.cols()) - (asks ? 1 : 0);
  out.empty = works && !asks;
  out.holds_ideal = !works;
  if (out.empty || (out.dimension == 0 && !works)) return out;
  const Vector along = asks ? Vector(virtual_part / speed) : Vector(Vector::Zero(Z.cols()));
  Vector example = to_vector(s.constraint_force);
  if (out.dimension > 0) {
    Vector direction = metric.force(plainest_direction(metric, Z, along));
    // As large as F^L, so that both are seen beside each other.
    const double size = example.lpNorm<Eigen::Infinity>();
    direction *= (size > 0.0 ? size : 1.0) / direction.lpNorm<Eigen::Infinity>();
    example += direction;
  }
  if (asks && works) example -= metric.force(Z * along) * (power / speed);
  dense::store(example, out.example);
  return out;
}

/// F^L.M^-1 F^C / (|F^L| |F^C|), lengths in the metric of M^-1.
double orthogonality(const Metric& metric, const Solution& s) {
  const Vector ideal = metric.of_force(to_vector(s.constraint_force));
  const Vector extra = metric.of_force(to_vector(s.nonideal_force));
  const double size = ideal.norm() * extra.norm();
  return size > 0.0 ? ideal.dot(extra) / size : 0.0;
}

}  // namespace

void look_at_forces(double rank_tolerance, int dense_limit, Instant& at) {
  const Equations& e = at.equations;
  at.orthogonality = at.solution.nonideal_force.empty() ? dense::not_a_number : 0.0;
  const int size = std::max(e.coordinates(), e.rows());
  if (at.solution.status == Status::solved && size > small_size &&
      look_at_forces_sparsely(rank_tolerance, at))
    return;
  if (at.solution.status != Status::solved || size > dense_limit) {
    if (!e.C.empty()) at.orthogonality = dense::not_a_number;
    return;
  }
  const Metric metric(dense::to_problem(e), rank_tolerance);
  if (metric.mass.kind != dense::MassKind::definite) {
    at.orthogonality = dense::not_a_number;
    return;
  }
  at.workless = workless(metric, at.solution, to_vector(at.state.v), rank_tolerance);
  at.orthogonality = orthogonality(metric, at.solution);
}

}  // namespace vinculum
