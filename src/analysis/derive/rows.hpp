// Rows of A that closed forms are made of: those that say something new, and velocities without mass taken
// out by the rows that move them.
#pragma once
#include <optional>
#include <vector>

#include "analysis/derive/mass.hpp"

namespace vinculum::derive {

/// Rows that are multiples of each other, everywhere or where the constraints hold: row i is factor_i times
/// the first of them.
struct RowGroup {
  struct Member {
    int row = 0;
    Product factor;
  };
  std::vector<Member> members;  ///< the first has factor 1
};

/// Rows of zeros are in no group. Nothing where a row of a group asks for another right side than the first
/// does, as far as can be seen: then a closed form would hide a contradiction.
std::optional<std::vector<RowGroup>> groups_of_rows(Tidy& tidy, const std::vector<Products>& rows,
                                                    const Products& b, Shortening* shortening);

/// A q'' = b and what pushes: Q, on all velocities.
struct RowProblem {
  std::vector<Products> rows;
  Products b, Q;
};

/// A velocity without mass is moved by a row alone: its equation 0 = Q_i + (A^T lambda)_i gives the
/// multiplier of that row, and the row gives its acceleration. What is left has one row and one velocity
/// less.
struct MasslessElimination {
  int velocity = 0, row = 0;
  RowProblem before;        ///< with this velocity and row still in
  std::vector<int> others;  ///< the rows that were left beside this one
};

/// Takes out every velocity without mass; nothing where no row moves one of them. `problem` becomes what is
/// left, `left` the rows of it.
std::optional<std::vector<MasslessElimination>> eliminate_massless(Tidy& tidy, const Mass& mass,
                                                                   RowProblem& problem,
                                                                   std::vector<int>& left,
                                                                   Shortening* shortening);

}  // namespace vinculum::derive
