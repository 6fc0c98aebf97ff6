// Least squares and orthonormal vectors for rows whose sizes differ by many orders of magnitude.
#pragma once
#include "equation/dense/dense.hpp"

namespace vinculum::dense {

/// W = Q R with the largest rows first and columns pivoted: then every row keeps its own relative accuracy
/// (Cox and Higham 1998), where a plain factorisation would drown a row of size 1e-6 in one of size 1e6.
/// W has at least as many rows as columns, and full column rank.
class GradedRows {
 public:
  GradedRows() = default;
  explicit GradedRows(const Matrix& W);

  Vector least_squares(const Vector& e) const;  ///< the y that makes |W y - e| smallest: W^+ e
  Matrix inverse() const;                       ///< W^+

 private:
  std::vector<int> row_order_;     // row k of the factorised matrix is row row_order_[k] of W
  std::vector<int> column_order_;  // the same for columns
  Matrix Q_;
  Matrix R_;
};

/// Orthonormal columns that span the same space. They are combinations of the given columns to the rounding
/// of each row by itself, however small the row; a row of zeros stays one.
Matrix orthonormal(const Matrix& columns);

}  // namespace vinculum::dense
