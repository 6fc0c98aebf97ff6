#include "equation/dense/graded.hpp"

#include <algorithm>
#include <numeric>

#include "equation/dense/factorise.hpp"

namespace vinculum::dense {

namespace {

std::vector<int> largest_first(const Matrix& rows) {
  const Vector size = rows.rowwise().norm();
  std::vector<int> order(rows.rows());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return size(i) > size(j); });
  return order;
}

Matrix sorted_rows(const Matrix& rows, const std::vector<int>& order) {
  Matrix out(rows.rows(), rows.cols());
  for (int k = 0; k < out.rows(); ++k) out.row(k) = rows.row(order[k]);
  return out;
}

}  // namespace

GradedRows::GradedRows(const Matrix& W) : row_order_(largest_first(W)) {
  PivotedQr qr = pivoted_qr(sorted_rows(W, row_order_), W.cols());
  Q_ = std::move(qr.Q);
  R_ = std::move(qr.R);
  column_order_ = std::move(qr.order);
}

Vector GradedRows::least_squares(const Vector& e) const {
  Vector sorted(e.size());
  for (int k = 0; k < e.size(); ++k) sorted(k) = e(row_order_[k]);
  const Vector turned = solve_upper(R_, Q_.transpose() * sorted);
  Vector y(turned.size());
  for (int k = 0; k < y.size(); ++k) y(column_order_[k]) = turned(k);
  return y;
}

Matrix GradedRows::inverse() const {
  const Matrix turned = solve_upper(R_, Q_.transpose());
  Matrix out(turned.rows(), turned.cols());
  for (int i = 0; i < out.rows(); ++i)
    for (int k = 0; k < out.cols(); ++k) out(column_order_[i], row_order_[k]) = turned(i, k);
  return out;
}

// Q as the factorisation gives it is rounded at the size of its largest entries. columns R^-1 is the same,
// rounded row by row; it is orthonormal only as far as R is well conditioned, which after one pass it is.
Matrix orthonormal(const Matrix& columns) {
  Matrix out = columns;
  for (int pass = 0; pass < 2 && out.cols() > 0; ++pass) {
    const PivotedQr qr = pivoted_qr(sorted_rows(out, largest_first(out)), 0);
    Matrix turned(out.cols(), out.rows());
    for (int k = 0; k < out.cols(); ++k) turned.row(k) = out.col(qr.order[k]).transpose();
    out = solve_upper_transposed(qr.R, turned).transpose();
  }
  return out;
}

}  // namespace vinculum::dense
