// Index work of the fast road, done once for the patterns of M and A.
#pragma once
#include <vector>

#include "equation/sparse/multifrontal.hpp"
#include "equation/sparse/schur_blocks.hpp"
#include "vinculum/equation/solve.hpp"

namespace vinculum {

/// How the fast road factorises.
enum class Method {
  free,   ///< no rows at all
  dense,  ///< A M^-1 A^T as a small dense matrix
  schur,  ///< A M^-1 A^T, sparse
  kkt,    ///< [M A^T; A -shift], sparse: where M couples many coordinates, or one coordinate meets many rows
};

/// Rows of A one after the other whose columns are neighbours, as many in each; 0: they are looked up.
struct RowRun {
  int begin, end, neighbours;
};

struct Structure::Impl {
  /// `small_is_dense`: few rows are not worth a sparse factorisation.
  Impl(const SparseMatrix& mass, const SparseMatrix& rows, bool small_is_dense = true);

  int coordinates = 0, rows = 0;
  std::vector<int> kin;  // for each coordinate the number of those told in its unit; empty: of itself alone
  Method method = Method::free;

  std::vector<RowRun> row_runs;  // all rows
  // M falls into blocks of coordinates that it couples: block k holds block_coordinate[block_start[k] ..].
  std::vector<int> block_start{0}, block_coordinate;
  std::vector<int> inverse_start;  // where block k's inverse stands: size x size, row-major
  std::vector<int> mass_entry;     // same layout: index into M.value, or -1 for a zero
  bool diagonal = true;

  // Y = M^-1 A^T. Its pattern, by rows of A, is that of A, each row filled up to whole blocks of M.
  std::vector<int> y_start{0}, y_column;
  std::vector<int> y_place;  // where each entry is kept
  int y_size = 0;
  struct YTerm {  // Y[y] += inverse[i] * A[a]
    int y, i, a;
  };
  std::vector<YTerm> y_terms;  // a diagonal M needs none

  // S = A M^-1 A^T. Dense: entry k of the lower pattern is the sum of A[a] * Y[y] over its terms.
  LowerPattern schur;
  std::vector<int> schur_start;
  std::vector<SchurBlocks::Term> schur_terms;
  SchurBlocks blocks;        // sparse
  std::vector<int> profile;  // first column of each row of S's lower triangle: L has nothing before it

  // K = [M A^T; A -shift]: entry of the pattern for each entry of M (lower), of A, and the diagonal of the
  // rows.
  LowerPattern kkt;
  std::vector<int> kkt_mass, kkt_rows, kkt_shift;
  SparseLdl mass_ldl;           // of M alone, for the free acceleration
  std::vector<int> mass_lower;  // entry of M's lower pattern for each entry of M, or -1

  SparseLdl ldl;  // of S or K, by method

 private:
  void find_row_runs(const SparseMatrix& rows_pattern);
  void find_blocks(const SparseMatrix& mass);
  void fill_y(const SparseMatrix& rows_pattern);
  void place_y();
  double schur_work(const SparseMatrix& rows_pattern) const;
  void build_schur(const SparseMatrix& rows_pattern);
  void build_kkt(const SparseMatrix& mass, const SparseMatrix& rows_pattern);
};

}  // namespace vinculum
