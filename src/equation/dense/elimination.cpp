#include "equation/dense/elimination.hpp"

#include <Eigen/LU>
#include <algorithm>

#include "equation/dense/factorise.hpp"

namespace vinculum::dense {

Elimination::Elimination(const Problem& at, const Mass& mass, double rank_tolerance) {
  const int n = at.coordinates(), m = at.rows();
  Matrix scaled = at.A * mass.scale.asDiagonal();
  scale = scaled.rowwise().norm();
  for (double& length : scale) length = length > 0.0 ? 1.0 / length : 1.0;
  scaled = scale.asDiagonal() * scaled;
  row_order.resize(m);
  column_order.resize(n);
  for (int i = 0; i < m; ++i) row_order[i] = i;
  for (int j = 0; j < n; ++j) column_order[j] = j;
  Matrix L(m, 0);
  if (n > 0 && m > 0) {
    const Eigen::FullPivLU<Matrix> lu(scaled);
    const Vector pivots = lu.matrixLU().diagonal().cwiseAbs();
    while (rank < pivots.size() && pivots(rank) > rank_tolerance * pivots(0)) ++rank;
    if (rank > 0) smallest_pivot = pivots(rank - 1) / pivots(0);
    if (rank < pivots.size()) dropped = pivots(rank);
    for (int i = 0; i < m; ++i) row_order[lu.permutationP().indices()(i)] = i;
    for (int j = 0; j < n; ++j) column_order[j] = lu.permutationQ().indices()(j);
    L = lu.matrixLU().leftCols(rank).triangularView<Eigen::UnitLower>();
    U_ = lu.matrixLU().topRows(rank).triangularView<Eigen::Upper>();
  }
  L_ = L.topRows(rank);
  W_.resize(m, rank);
  for (int k = 0; k < m; ++k) W_.row(row_order[k]) = L.row(k) / scale(row_order[k]);
  written = GradedRows(W_);
  find_freedom(L);
  T = Matrix::Zero(n, n - rank);
  if (rank > 0 && rank < n) {
    const Matrix X = solve_upper(U_.leftCols(rank), U_.rightCols(n - rank));
    for (int k = 0; k < rank; ++k) T.row(column_order[k]) = -X.row(k);
  }
  for (int k = rank; k < n; ++k) T(column_order[k], k - rank) = 1.0;
}

/// The rows that follow are L21 L11^-1 times the independent ones. Multipliers of pivots are at most one in
/// size, so a weight at rounding is what is left of a zero.
void Elimination::find_freedom(const Matrix& L) {
  const int m = static_cast<int>(row_order.size());
  const Matrix weights = solve_lower_transposed(L_, L.bottomRows(m - rank).transpose());
  std::vector<Dependency> following;
  for (int k = rank; k < m; ++k) {
    Dependency one{row_order[k], {}, {}};
    for (int i = 0; i < rank; ++i) {
      if (std::abs(weights(i, k - rank)) <= 64.0 * m * epsilon) continue;
      one.on.push_back(row_order[i]);
      one.weight.push_back(weights(i, k - rank) * scale(row_order[i]) / scale(row_order[k]));
    }
    following.push_back(std::move(one));
  }
  free = freedom(following, m);
}

Vector Elimination::particular(const Vector& b) const {
  Vector x = Vector::Zero(static_cast<Eigen::Index>(column_order.size()));
  if (rank == 0) return x;
  Vector right(rank);
  for (int k = 0; k < rank; ++k) right(k) = scale(row_order[k]) * b(row_order[k]);
  right = solve_upper(U_.leftCols(rank), solve_lower(L_, right));
  for (int k = 0; k < rank; ++k) x(column_order[k]) = right(k);
  return x;
}

Vector Elimination::pull(const Vector& scaled_force) const {
  Vector y(rank);
  for (int k = 0; k < rank; ++k) y(k) = scaled_force(column_order[k]);
  return solve_upper_transposed(U_.leftCols(rank), y);
}

Vector Elimination::force(const Vector& scaled_force) const {
  Vector out = Vector::Zero(scaled_force.size());
  if (rank == 0) return out;
  const Vector in_order = U_.transpose() * pull(scaled_force);
  for (int k = 0; k < out.size(); ++k) out(column_order[k]) = in_order(k);
  return out;
}

Vector Elimination::nearest_right_side(const Vector& b) const { return W_ * written.least_squares(b); }

Vector Elimination::multipliers(const Problem& at, const Mass& mass, const Vector& force) const {
  return shortest(at.A, force, free, [&](const Vector& of) {
    const Vector chosen = solve_lower_transposed(L_, pull(mass.scale.cwiseProduct(of)));
    Vector lambda = Vector::Zero(at.rows());
    for (int k = 0; k < rank; ++k) lambda(row_order[k]) = scale(row_order[k]) * chosen(k);
    return lambda;
  });
}

double Elimination::disagreement(const Problem& at, const Vector& acceleration,
                                 const Vector& released) const {
  const double moving = acceleration.norm() + (released.allFinite() ? released.norm() : 0.0);
  const double rounding = 64.0 * static_cast<double>(at.coordinates() + at.rows()) * epsilon;
  double worst = 0.0;
  for (std::size_t k = rank; k < row_order.size(); ++k) {
    const auto row = at.A.row(row_order[k]);
    const double apart = std::abs(row.dot(acceleration) - at.b(row_order[k]));
    // The same floor as for the search of a smallest set: rounding of e, and squares of velocities that are
    // rounding.
    if (apart <= row.norm() * (rounding * moving + 1e-28)) continue;
    worst =
        std::max(worst, apart / (row.cwiseAbs().dot(acceleration.cwiseAbs()) + std::abs(at.b(row_order[k]))));
  }
  return worst;
}

}  // namespace vinculum::dense
