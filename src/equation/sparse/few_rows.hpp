// A W A^T of a few rows, term by term, and its elimination where they are far from depending on each other:
// what is looked at in every step of a small system.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "equation/sparse/multifrontal.hpp"
#include "vinculum/equation/equations.hpp"

namespace vinculum {

/// Index work, done once. Positions are those of the elimination of the sparse factor; S = A W A^T = L D L^T
/// is dense.
class FewRows {
 public:
  static constexpr int most = 8;  ///< beyond that vectors work faster on the fronts of a factor
  FewRows() = default;
  FewRows(const SparseMatrix& pattern, const SparseLdl& ldl);
  bool are_few() const { return !row_at_.empty(); }

  /// What one look finds.
  struct Look {
    std::vector<double> a, y;           // the entries of A, and each times the weight of its coordinate
    std::array<double, most * most> l;  // L below the diagonal, by rows as long as there are rows
    std::array<double, most> pivot;     // D
    std::array<double, most> square;    // of each row: its diagonal of S
  };
  Look make_look() const;
  void look(const SparseMatrix& A, std::span<const double> weight, Look& out) const;
  /// Of each row its pivot beside the largest square it has had. False where one is not above `least`.
  bool are_parts_above(double least, const Look& at, std::span<const double> largest,
                       std::span<double> parts) const;
  /// Keeps of these rows those whose parts may be turned to each other by more than a right angle at the two
  /// looks, as far as it can be told by the squares of what has been added to each row in between.
  void keep_turning(const Look& one, const Look& other, std::span<const double> change,
                    std::vector<int>& rows) const;
  /// Of each of these rows its part at one look times that at the other.
  void products(const Look& one, const Look& other, std::span<const int> rows,
                std::vector<double>& out) const;

 private:
  struct Term {
    int earlier, later;  // entries of A, of the row that is eliminated first and of the other
  };
  struct Entry {
    int place, terms;  // in L; how many
  };
  void assemble(Look& out) const;
  void null_vector(const Look& at, int position, double* u) const;

  int count_ = 0;
  std::vector<int> row_at_, position_;
  std::vector<int> column_;     // of the entries of A
  std::vector<Entry> entries_;  // of S; the others are zero
  std::vector<Term> terms_;     // of one entry after the other
};

}  // namespace vinculum
