// A M^-1 A^T assembled in place in the memory of its factor, a few rows at a time.
#pragma once
#include <vector>

#include "equation/sparse/multifrontal.hpp"
#include "vinculum/equation/equations.hpp"

namespace vinculum {

/// Rows that meet the same others, such as those of one joint, stand next to each other in the elimination
/// and form a group. Y = M^-1 A^T is kept in one dense block for each group, by columns, so that a part of a
/// column of S = A M^-1 A^T is one sum of short vectors:
///     S[rows of a group, i] = sum over coordinates c of A[i, c] Y[rows of the group, c]
struct SchurBlocks {
  SchurBlocks() = default;
  /// `y_start`, `y_column`: the pattern of Y by rows of A.
  SchurBlocks(const SparseMatrix& a, const std::vector<int>& y_start, const std::vector<int>& y_column,
              const LowerPattern& schur, const SparseLdl& ldl);

  std::vector<int> y_place;  // where each entry of Y stands
  int y_size = 0;

  struct Block {
    int slot;  // of its first entry in the factor
    unsigned rows : 4, terms : 28;
  };
  /// In `rows`: one row whose terms are neighbours, in A and in Y. The first stands for all.
  static constexpr unsigned neighbours = 0;
  struct Term {
    int a, y;  // A[a] * Y[y ..]
  };
  std::vector<Block> blocks;  // in the order of the elimination
  std::vector<Term> terms;
  struct Front {
    int block, term, fresh;  // its first ones
  };
  /// Rows of one group. Where it is one whose columns are neighbours, its first entry tells all others: its
  /// column, and where that of Y stands.
  struct Fresh {
    int begin, end;
    int entry = 0, entries = 0, column = -1, y = 0;
  };
  std::vector<Fresh> fresh;   // whose Y no front before has needed
  std::vector<Front> fronts;  // of the elimination, and the end
  std::vector<int> diagonal;  // slots
};

/// Every entry of S in the columns of one front; what the elimination fills in must hold zeros.
void assemble(const SchurBlocks& s, int front, const double* a, const double* y, double* value);
/// Every entry of S.
void assemble(const SchurBlocks& s, const double* a, const double* y, double* value);

}  // namespace vinculum
