#include "equation/dense/row_space.hpp"

#include <algorithm>
#include <cmath>

#include "equation/dense/factorise.hpp"

namespace vinculum::dense {
namespace {

constexpr double near_factor = 1e3;
// A pivot of the column-pivoted factorisation overestimates its singular value, in practice by less than
// this.
constexpr double pivot_slack = 1e2;

/// Rank by the pivots where all of them are far from the tolerance, else by the singular values themselves.
void decide_rank(const Matrix& R, double tolerance, RowSpace& out) {
  const Vector pivots = R.diagonal().cwiseAbs();
  if (pivots.size() == 0 || pivots(0) == 0.0) return;
  const double low = tolerance / near_factor * pivots(0);
  const double high = tolerance * near_factor * pivot_slack * pivots(0);
  const bool grey = (pivots.array() > low && pivots.array() < high).any();
  const Vector values = grey ? singular_values(R) : pivots;
  out.rank = static_cast<int>((values.array() > tolerance * values(0)).count());
  if (!grey) return;
  double closest = std::log(near_factor);
  for (int k = 0; k < values.size(); ++k) {
    const double relative = values(k) / values(0);
    const double distance = relative > 0.0 ? std::abs(std::log(relative / tolerance)) : closest + 1.0;
    if (distance > closest) continue;
    closest = distance;
    out.near = relative;
  }
}

}  // namespace

RowSpace::RowSpace(const Matrix& columns, double rank_tolerance, bool with_complement) {
  const Eigen::Index n = columns.rows(), m = columns.cols();
  scale = columns.colwise().norm();
  for (double& length : scale) length = length > 0.0 ? 1.0 / length : 1.0;
  unit_rows = columns * scale.asDiagonal();
  PivotedQr qr = pivoted_qr(unit_rows, with_complement ? n : std::min(n, m));
  decide_rank(qr.R, rank_tolerance, *this);
  order = std::move(qr.order);
  R = qr.R.topRows(rank);
  if (rank < qr.R.rows())
    dropped = qr.R.bottomRightCorner(qr.R.rows() - rank, m - rank).colwise().norm().maxCoeff();
  basis = qr.Q.leftCols(rank);
  if (with_complement) complement = qr.Q.rightCols(n - rank);
  Matrix W(m, rank);
  for (int k = 0; k < m; ++k) W.row(order[k]) = R.col(k).transpose() / scale(order[k]);
  written = GradedRows(W);
}

Vector RowSpace::solve_independent(const Vector& e) const {
  Vector y(rank);
  for (int k = 0; k < rank; ++k) y(k) = scale(order[k]) * e(order[k]);
  return solve_upper_transposed(R.leftCols(rank), y);
}

Vector RowSpace::basic_multipliers(const Vector& y) const {
  const Vector turned = solve_upper(R.leftCols(rank), y);
  Vector lambda = Vector::Zero(static_cast<Eigen::Index>(order.size()));
  for (int k = 0; k < rank; ++k) lambda(order[k]) = scale(order[k]) * turned(k);
  return lambda;
}

Matrix RowSpace::weights() const { return solve_upper(R.leftCols(rank), R.rightCols(R.cols() - rank)); }

}  // namespace vinculum::dense
