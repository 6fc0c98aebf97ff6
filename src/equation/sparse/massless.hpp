// Coordinates without mass on the fast road: M has no inverse there. A small weight W on them gives M + W
// one, and what W adds to the forces is taken away again, until nothing of it is left:
//     (M + W) q_k+1 - A^T lambda = Q + W q_k,   A q_k+1 = b
// Where it ends the answer is that of M itself; each pass leaves the part W / (what M is felt) of the error.
#pragma once
#include <span>
#include <vector>

#include "equation/sparse/multifrontal.hpp"
#include "vinculum/equation/row_scale.hpp"

namespace vinculum {

/// The weight, beside the mass that moves as the rows make the coordinate move. Rows see it by one over its
/// size: a smaller one hides what else they hold, a larger one takes more passes.
inline constexpr double weight_of_massless = 1e-6;

class Massless {
 public:
  bool any() const { return !coordinates_.empty(); }
  const std::vector<int>& coordinates() const { return coordinates_; }
  /// Whether the weights are the same wherever the masses are.
  bool is_constant() const { return !lent_by_rows_; }
  double weight(int coordinate) const { return weight_of_massless * mass_[coordinate]; }
  double lent(int coordinate) const { return mass_[coordinate]; }

  /// Finds those whose row of M is nothing, and lends them weights. Whether there are any.
  bool find(const SparseMatrix& M, const SparseMatrix& A, const Kin& kin);
  void forget() { coordinates_.clear(); }  ///< there are none
  /// M + W, entry by entry of M. A coordinate may have none on the diagonal.
  const std::vector<double>& weighted() const { return weighted_; }
  /// Whether the rows leave none of them open: their columns of A are independent, beyond doubt.
  bool are_held(const SparseMatrix& A);

  /// Q + A^T lambda of each, into `left`: a force on what has no mass. Whether it is rounding of its terms.
  bool are_balanced(const SparseMatrix& A, std::span<const double> Q, std::span<const double> lambda);
  /// The same question where multipliers are no better than the largest forces that they balance elsewhere:
  /// each force beside the root of its mass. Asked after every pass; not yet after the first.
  bool is_left_of_rounding(std::span<const double> Q, std::span<const double> force, bool first);
  /// What is left moves them by W^-1 of it: q and r = b - A q change.
  void put_back(const SparseMatrix& A, std::span<double> q, std::span<double> r) const;

 private:
  void find_columns(const SparseMatrix& A);
  void plan_products(const SparseMatrix& A);

  std::vector<int> coordinates_;
  bool lent_by_rows_ = false;
  std::vector<double> mass_;          // of all coordinates
  std::vector<double> per_mass_;      // 1 over it
  std::vector<double> per_root_;      // of each of them: 1 over the root of what is lent
  std::vector<int> found_, planned_;  // planned_: those the columns below belong to
  std::vector<double> weighted_;
  std::vector<double> left_;  // of each of them
  double left_before_ = 0.0;  // the largest one of the pass before, beside the root of its mass, squared
  // Their columns of A.
  std::vector<int> start_, row_, entry_;
  // The products of these columns, their rows of length one.
  struct Term {
    int slot, row, a, b, i, j;
  };
  std::vector<Term> terms_;
  std::vector<int> rows_;              // that meet them
  std::vector<double> one_by_square_;  // of the length of each row
  SparseLdl ldl_;
  SparseLdl::Factor factor_;
  std::vector<double> ones_;
};

}  // namespace vinculum
