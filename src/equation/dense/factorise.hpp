// The dense factorisations that several files need, compiled once: Eigen's are slow to compile.
#pragma once
#include "equation/dense/dense.hpp"

namespace vinculum::dense {

/// a P = Q R with the largest column first: column k of a P is column order[k] of a.
struct PivotedQr {
  Matrix Q;  ///< as many orthonormal columns as were asked for
  Matrix R;  ///< min(rows, columns) x columns, upper
  std::vector<int> order;
};
PivotedQr pivoted_qr(const Matrix& a, Eigen::Index columns_of_Q);

/// a = V diag(values) V^T, values rising.
struct Spectrum {
  Vector values;
  Matrix vectors;
};
Spectrum spectrum(const Matrix& symmetric);

/// Falling; each is good to rounding of the largest.
Vector singular_values(const Matrix& a);

/// L with a = L L^T; no entries when a is not positive definite.
Matrix cholesky(const Matrix& a);

/// Triangular systems with any number of right sides; nothing to solve is no error.
Matrix solve_lower(const Matrix& lower, const Matrix& right);             ///< L^-1 x
Matrix solve_lower_transposed(const Matrix& lower, const Matrix& right);  ///< L^-T x
Matrix solve_upper(const Matrix& upper, const Matrix& right);             ///< U^-1 x
Matrix solve_upper_transposed(const Matrix& upper, const Matrix& right);  ///< U^-T x

}  // namespace vinculum::dense
