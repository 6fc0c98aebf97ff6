// The numbers of one instant: M, Q, A, b, C. No time, no names, no files.
#pragma once
#include <span>
#include <vector>

#include "vinculum/base/export.hpp"

namespace vinculum {

/// A sparse matrix in compressed rows. The pattern is fixed while values change; columns rise within a row.
struct VINCULUM_EXPORT SparseMatrix {
  int rows = 0;
  int columns = 0;
  std::vector<int> start{0};  // start[i] .. start[i+1]: the entries of row i
  std::vector<int> column;
  std::vector<double> value;

  int entries() const { return static_cast<int>(column.size()); }
  /// All entries of a dense row-major matrix, zeros dropped unless `keep_zeros`.
  static SparseMatrix from_dense(int rows, int columns, std::span<const double> values,
                                 bool keep_zeros = false);
  static SparseMatrix diagonal(std::span<const double> values);
  std::vector<double> dense() const;  ///< row-major
};

/// The free system M q'' = Q and the rows A q'' = b its motion must obey; C is the non-ideal vector of the
/// extended principle (empty means none).
struct Equations {
  SparseMatrix M;  ///< symmetric, both triangles stored
  std::vector<double> Q;
  SparseMatrix A;
  std::vector<double> b;
  std::vector<double> C;

  int coordinates() const { return M.rows; }
  int rows() const { return A.rows; }
};

}  // namespace vinculum
