// Which rows of A could be left out: the combinations of rows that vanish, and what they say about sets of
// rows.
#pragma once
#include <vector>

#include "vinculum/equation/equations.hpp"
#include "vinculum/equation/solution.hpp"

namespace vinculum {

/// A basis of the combinations of rows that vanish, n^T A = 0, for rows of length one. With k of them,
/// leaving out a set R of rows takes  |R| - rank(N_R)  from the rank of A, where N_R is the basis on the rows
/// of R alone: vanishing combinations that do not need R are still there, the others are gone.
class RowDependence {
 public:
  /// Of a solution that was looked at in full; with a system too large for that, or a mass matrix of no use,
  /// A is looked at by itself. Nothing is known of an A that is not finite.
  RowDependence(const Equations& at, const Solution& solution, double rank_tolerance);

  int rank() const { return rank_; }  ///< of A; -1: A is too full to look at
  bool known() const { return rank_ >= 0; }
  /// The rank of A stays the same without these rows.
  bool redundant(const std::vector<int>& rows) const;
  /// The other rows, by themselves, depend on each other.
  bool dependent_without(const std::vector<int>& rows) const;

 private:
  /// One part of a vanishing combination, seen from its row.
  struct Weight {
    int combination = 0;
    double weight = 0.0;
  };
  void take(const std::vector<Dependency>& dependencies);
  void look_sparsely(const Equations& at);
  void add(const std::vector<int>& rows, const std::vector<double>& weights);
  int rank_of_parts(const std::vector<int>& rows) const;

  double tolerance_;
  int rank_ = -1, combinations_ = 0;
  std::vector<double> length_;              // of the rows of A
  std::vector<std::vector<Weight>> parts_;  // of each row
};

}  // namespace vinculum
