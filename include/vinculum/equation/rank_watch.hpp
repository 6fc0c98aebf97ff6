// The rank of A along a motion: how near rows are to depending on each other, and when they pass through it.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/equation/equations.hpp"

namespace vinculum {

/// Looks at A from time to time. Each row has a part beyond the rows before it (in the order of elimination);
/// where that part vanishes the rank drops. A motion that passes such a position smoothly turns the part
/// around: its direction before and after are opposite, and that is how an instant between two looks is seen.
class VINCULUM_EXPORT RankWatch {
 public:
  /// The metric is a diagonal: rank does not depend on it.
  explicit RankWatch(const SparseMatrix& rows_pattern);
  /// One for the same pattern that has not looked yet, without the work on the pattern.
  RankWatch another() const;
  ~RankWatch();
  RankWatch(RankWatch&&) noexcept;
  RankWatch& operator=(RankWatch&&) noexcept;

  /// False where A M^-1 A^T would be too full to look at: then rank() is -1.
  bool possible() const;
  /// `weight`: of each coordinate, 1 over its mass.
  void look(const SparseMatrix& A, std::span<const double> weight);
  /// The same for who asks in every step. Few rows that are all far from depending on each other are looked
  /// at by a plain elimination, whose parts may differ in their last digits: what else is asked for is found
  /// when it is.
  void glance(const SparseMatrix& A, std::span<const double> weight);
  bool is_glance() const;  ///< The last look was that, and no more has been asked for.
  void look_closely();     ///< Makes a full look of a glance.

  /// Where rows depend on others all along, which of them are the dependent ones is a matter of choice; the
  /// first in the order of elimination may be a bad one, because its part vanishes where no rank is lost.
  /// Marks rows that depend on the others here, so that the others are as independent as rows of A can be.
  /// Empty where none depends, or where too many do that hang together. `tolerance`: of a part.
  std::vector<char> dependent_rows(const SparseMatrix& A, std::span<const double> weight,
                                   double tolerance = 1e-12);
  /// These are passed over from now on: they count as dependent. Empty: none.
  void leave_out(const std::vector<char>& rows);
  /// Whether all that are left out depend on the others, as they were at the last look.
  bool left_out_depend();
  int rank() const;
  /// Rows in the order of elimination: the part of one is what it has beyond those before it.
  std::vector<int> order() const;
  /// The part of each row beyond the others, relative to the largest the row has been: 1 free, 0 dependent.
  std::span<const double> parts() const;
  /// The square of the length of each row at the last look.
  std::span<const double> squares() const;
  /// That part as a vector over coordinates, weighted so that the length is that of the metric.
  void part_of(const SparseMatrix& A, std::span<const double> weight, int row, std::vector<double>& out);
  /// Keeps of these rows those that may have turned around between this look and another, `change` the square
  /// of what has been added to each row in between. Only glances tell so easily of any that they cannot have.
  void keep_turning(const RankWatch& other, std::span<const double> change, std::vector<int>& rows) const;
  /// For each of these rows, its part at this look times that at another of the same watch's kind: below zero
  /// where the row has turned around between them.
  /// Allocates at the first call only.
  void products(const SparseMatrix& A, RankWatch& other, const SparseMatrix& A_of_other,
                std::span<const double> weight, std::span<const int> rows, std::vector<double>& out);
  /// x = (A W A^T)^-1 x with the dependent rows left out, W the weights of the last look.
  void solve(std::span<double> x);
  /// The rows that make up for `row` where it depends on them, and the row itself.
  std::vector<int> involved(int row);

  /// u over rows with A^T u = the part of `row`: where it is dependent, multipliers that make no force.
  std::vector<double> null_vector(int row);

  struct Impl;
  struct Pattern;

 private:
  explicit RankWatch(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace vinculum
