#include "equation/dense/factorise.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>

namespace vinculum::dense {

PivotedQr pivoted_qr(const Matrix& a, Eigen::Index columns_of_Q) {
  PivotedQr out{Matrix::Identity(a.rows(), columns_of_Q), Matrix(std::min(a.rows(), a.cols()), a.cols()), {}};
  out.order.resize(a.cols());
  for (int k = 0; k < a.cols(); ++k) out.order[k] = k;
  if (a.size() == 0) return out;
  const Eigen::ColPivHouseholderQR<Matrix> qr(a);
  out.Q.applyOnTheLeft(qr.householderQ());
  out.R = qr.matrixR().topRows(out.R.rows()).triangularView<Eigen::Upper>();
  for (int k = 0; k < a.cols(); ++k) out.order[k] = qr.colsPermutation().indices()(k);
  return out;
}

Spectrum spectrum(const Matrix& symmetric) {
  if (symmetric.size() == 0) return {};
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(symmetric);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

// The eigenvalues of [0 a; a^T 0] are plus and minus the singular values of a: nothing is squared.
Vector singular_values(const Matrix& a) {
  const Eigen::Index m = a.rows(), n = a.cols();
  if (a.size() == 0) return {};
  Matrix both = Matrix::Zero(m + n, m + n);
  both.topRightCorner(m, n) = a;
  both.bottomLeftCorner(n, m) = a.transpose();
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(both, Eigen::EigenvaluesOnly);
  return solver.eigenvalues().reverse().head(std::min(m, n)).cwiseMax(0.0);
}

Matrix cholesky(const Matrix& a) {
  if (a.size() == 0) return {};
  const Eigen::LLT<Matrix> llt(a);
  return llt.info() == Eigen::Success ? Matrix(llt.matrixL()) : Matrix();
}

Matrix solve_lower(const Matrix& lower, const Matrix& right) {
  Matrix x = right;
  if (x.size() > 0) lower.triangularView<Eigen::Lower>().solveInPlace(x);
  return x;
}

Matrix solve_lower_transposed(const Matrix& lower, const Matrix& right) {
  Matrix x = right;
  if (x.size() > 0) lower.transpose().triangularView<Eigen::Upper>().solveInPlace(x);
  return x;
}

Matrix solve_upper(const Matrix& upper, const Matrix& right) {
  Matrix x = right;
  if (x.size() > 0) upper.triangularView<Eigen::Upper>().solveInPlace(x);
  return x;
}

Matrix solve_upper_transposed(const Matrix& upper, const Matrix& right) {
  Matrix x = right;
  if (x.size() > 0) upper.transpose().triangularView<Eigen::Lower>().solveInPlace(x);
  return x;
}

}  // namespace vinculum::dense
