// Index work of the fast road, done once for the patterns of M and A.
#pragma once
#include <vector>

#include "equation/multifrontal.hpp"
#include "vinculum/equation/solve.hpp"

namespace vinculum {

/// How the fast road factorises.
enum class Method {
  free,   ///< no rows at all
  dense,  ///< A M^-1 A^T as a small dense matrix
  schur,  ///< A M^-1 A^T, sparse
  kkt,    ///< [M A^T; A -shift], sparse: where M couples many coordinates, or one coordinate meets many rows
};

struct Structure::Impl {
  Impl(const SparseMatrix& mass, const SparseMatrix& rows);

  int coordinates = 0, rows = 0;
  Method method = Method::free;

  // M falls into blocks of coordinates that it couples: block k holds block_coordinate[block_start[k] ..].
  std::vector<int> block_start{0}, block_coordinate;
  std::vector<int> inverse_start;  // where block k's inverse stands: size x size, row-major
  std::vector<int> mass_entry;     // same layout: index into M.value, or -1 for a zero
  bool diagonal = true;

  // Y = M^-1 A^T, kept by rows of A. Its pattern is that of A, each row filled up to whole blocks of M. A
  // diagonal M needs no Y: its weights are applied on the way.
  std::vector<int> y_start{0}, y_column;
  struct YTerm {  // Y[y] += inverse[i] * A[a]
    int y, i, a;
  };
  std::vector<YTerm> y_terms;  // by rising y

  // S = A M^-1 A^T: entry k of the lower pattern is the sum of A[a + i] * Y[y + i], i < count, over its runs.
  // Rows that meet in a point share neighbouring coordinates, so a run is usually all there is.
  LowerPattern schur;
  struct SchurRun {
    int a, y, count;
  };
  std::vector<int> schur_start;
  std::vector<SchurRun> schur_runs;
  std::vector<int> profile;  // first column of each row of S's lower triangle: L has nothing before it

  // K = [M A^T; A -shift]: entry of the pattern for each entry of M (lower), of A, and the diagonal of the
  // rows.
  LowerPattern kkt;
  std::vector<int> kkt_mass, kkt_rows, kkt_shift;
  SparseLdl mass_ldl;           // of M alone, for the free acceleration
  std::vector<int> mass_lower;  // entry of M's lower pattern for each entry of M, or -1

  SparseLdl ldl;  // of S or K, by method

 private:
  void find_blocks(const SparseMatrix& mass);
  void fill_y(const SparseMatrix& rows_pattern);
  double schur_work(const SparseMatrix& rows_pattern) const;
  void build_schur(const SparseMatrix& rows_pattern);
  void build_kkt(const SparseMatrix& mass, const SparseMatrix& rows_pattern);
};

}  // namespace vinculum
