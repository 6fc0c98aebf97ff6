// The rank of a large A and the combinations of its rows that vanish, without dense matrices.
#pragma once
#include <vector>

#include "vinculum/equation/equations.hpp"
#include "vinculum/equation/solution.hpp"

namespace vinculum {

struct SparseRank {
  bool certain = false;  ///< else nothing of the rest holds, and a dense look must decide
  int rank = 0;
  double smallest = 1.0;            ///< relative singular value of the rows that are independent, estimated
  bool combinations_known = false;  ///< not where there are too many of them
  std::vector<Dependency> dependencies;  ///< each row by rows written before it
};

/// The rank is certain where the rows fall apart into two kinds: those that are independent by far, and those
/// that follow from them to rounding. A M^-1 A^T squares lengths, and what lies between is not for it to say.
SparseRank look_at_rank(const Equations& at);

}  // namespace vinculum
