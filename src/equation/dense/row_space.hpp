// The rank-revealing orthogonal factorisation of the rows, and what can be read off it.
#pragma once
#include "equation/dense/dense.hpp"
#include "equation/dense/graded.hpp"

namespace vinculum::dense {

/// With T a square root of M^-1 and D the scales that give every row of D A T length one:
///     (D A T)^T P = Q [R11 R12; 0 ~0],   so   A T = W Q1^T,   W = D^-1 P [R11 R12]^T
/// W keeps the rows as the user wrote them; A^T lambda = force means W^T lambda = y, force = T^-T Q1 y.
struct RowSpace {
  int rank = 0;
  Vector scale;            ///< D; 1 for a row of zeros
  Matrix unit_rows;        ///< (D A T)^T: one column for each row of A
  std::vector<int> order;  ///< rows as they were chosen; the first `rank` are independent
  Matrix basis;            ///< Q1, orthonormal
  Matrix complement;       ///< Q2, orthonormal, when asked for: A T Q2 = 0
  Matrix R;                ///< [R11 R12]
  double dropped = 0.0;    ///< length of the largest row that is left beside the independent ones (unit rows)
  double near = 0.0;  ///< the relative singular value closest to the tolerance, 0 if none is within 1e3 of it
  GradedRows written;  ///< of W

  /// `columns` is (A T)^T.
  RowSpace(const Matrix& columns, double rank_tolerance, bool with_complement);

  /// Solves W y = e from the independent rows; the others follow when the rows agree.
  Vector solve_independent(const Vector& e) const;
  /// lambda with W^T lambda = y that is zero but for the independent rows.
  Vector basic_multipliers(const Vector& y) const;
  /// The unit rows that are left as combinations of the independent ones: R11^-1 R12, one column for each.
  Matrix weights() const;
};

}  // namespace vinculum::dense
