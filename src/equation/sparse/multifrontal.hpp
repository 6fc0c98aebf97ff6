// Sparse LDL^T of a symmetric positive semidefinite (or quasi-definite) matrix with a pattern that never
// changes.
#pragma once
#include <limits>
#include <span>
#include <vector>

#include "equation/sparse/front.hpp"

namespace vinculum {

/// The lower triangle of a symmetric pattern, by columns, rows rising, diagonal present.
struct LowerPattern {
  int size = 0;
  std::vector<int> start;
  std::vector<int> row;
};

/// Runs of neighbouring rows that meet the same rows, themselves included: where each run begins, and the
/// end.
std::vector<int> alike_rows(const LowerPattern& pattern);

/// Multifrontal LDL^T. Columns of one structure form a supernode with a small dense front; a front gathers
/// the matrix entries of its columns and the updates of its children, eliminates its columns densely, and
/// hands the rest to its parent. All index work is done here, once; factorising and solving only move numbers
/// and allocate nothing.
class SparseLdl {
 public:
  SparseLdl() = default;
  explicit SparseLdl(const LowerPattern& pattern);

  int size() const { return size_; }
  /// Where entry k of the pattern stands in the factor's memory: matrices are assembled in place.
  std::span<const int> slots() const { return slot_; }
  /// The same for the entry of two rows. Rows that are alike stand next to each other, in their order: where
  /// one of them is met, the others follow.
  int slot(int row, int column) const;
  int position(int row) const { return order_[row]; }  ///< in the elimination
  int row_at(int position) const { return inverse_[position]; }
  /// Columns are eliminated front by front.
  int fronts() const { return static_cast<int>(supernodes_.size()); }
  int front_of(int row) const { return supernode_of_[order_[row]]; }
  int first(int front) const { return supernodes_[front].first; }  ///< position of its first column
  int columns(int front) const { return supernodes_[front].shape.columns; }
  int stride(int front) const { return supernodes_[front].shape.stride(); }
  int factor_entries() const { return factor_size_; }

  /// The numbers of one matrix: one per thread.
  struct Factor {
    std::vector<double> value;     // the panels of all supernodes; the matrix goes in, L comes out
    std::vector<double> pivot;     // D, in elimination order
    std::vector<double> inverse;   // 1/D, and 0 for a dropped column
    std::vector<double> updates;   // those on their way to the parent
    std::vector<double> permuted;  // a right side in elimination order
    std::vector<double> gathered;  // rows of one front
    int dropped = 0;
    int front = -1, dropped_before = 0;  // the front eliminated last, and what was dropped before it
    bool doubtful = false;               // some pivot of it is so small that it may be noise
    std::vector<double> u;               // a null vector, in elimination order
  };
  Factor make_factor() const;
  void clear(Factor& f) const;
  /// Makes room for the next matrix in the columns of a front, every entry of which will be given: only what
  /// is filled in is set to zero.
  void make_room(Factor& f, int front) const;
  void make_room(Factor& f) const;

  /// Factorises what has been added to f.value[slots()[k]]. A pivot of column i at or below tolerance *
  /// reference[i] means that this row depends on those before it: it is dropped, that is, its unknown is set
  /// to zero. A right side is eliminated along with the matrix, which costs next to nothing: what is left of
  /// its solution is finish().
  void factorize(Factor& f, std::span<const double> reference, double tolerance,
                 std::span<const double> right = {}) const;
  /// The same, front by front in their order: a front needs nothing of the matrix but its own columns. One
  /// pivot waits for the other, and a processor may well assemble the next front meanwhile.
  void eliminate(Factor& f, int front, std::span<const double> reference, double tolerance,
                 std::span<const double> right) const;
  /// x = (L D L^T)^-1 r with dropped unknowns zero, r the right side factorize() was given. Once only.
  void finish(Factor& f, std::span<double> x) const;
  /// x = (L D L^T)^-1 x with dropped unknowns zero.
  void solve(Factor& f, std::span<double> x) const;
  /// D and 1/D of a row; 1/D is 0 for a dropped one.
  double pivot(const Factor& f, int row) const { return f.pivot[order_[row]]; }
  double inverse_pivot(const Factor& f, int row) const { return f.inverse[order_[row]]; }
  /// A pivot is u^T S u, u the combination of rows it stands for: where rows before it nearly depend on each
  /// other u is large, and the rounding of S with it. The first row of the front eliminated last whose pivot
  /// is below what that can make, `diagonal` being that of S; -1 where there is none. Later pivots have taken
  /// part of it: the front is to be filled and eliminated anew without this row.
  int noise_in_front(Factor& f, std::span<const double> diagonal) const;
  /// Eliminates a front as often as there are such rows in it; `refill` fills its panel anew. The references
  /// of these rows become infinite.
  template <class Refill>
  void eliminate_without_noise(Factor& f, int front, std::span<double> reference, double tolerance,
                               std::span<const double> right, Refill refill) const {
    eliminate(f, front, reference, tolerance, right);
    for (int row = noise_in_front(f, reference); row >= 0; row = noise_in_front(f, reference)) {
      reference[row] = std::numeric_limits<double>::infinity();
      refill();
      eliminate(f, front, reference, tolerance, right);
    }
  }
  /// The rows that were dropped.
  std::vector<int> dropped_rows(const Factor& f) const;
  /// u with 1 at a row, weights at rows eliminated before it and 0 elsewhere, and u^T S u = D of the row:
  /// what the row has beyond those before it. For a dropped row a vector of the null space.
  void null_vector(Factor& f, int row, std::vector<double>& u) const;
  std::vector<double> null_vector(Factor& f, int row) const;

  /// Memory of null_products, so that it allocates nothing.
  struct Products {
    std::vector<int> start, entry;            // of the pattern, front by front
    std::vector<int> row, column;             // of the entries
    std::vector<double> C, product;           // of one front; for every row
    std::vector<std::vector<double>> update;  // of every front, on its way to the parent
  };
  Products make_products(const LowerPattern& pattern) const;
  /// u^T C w for every row, u its null vector by one factor and w by the other: the diagonal of
  /// L_u^-1 C L_w^-T, by one elimination for all of them. C stands on the pattern of the matrix: `lower` at
  /// its entries, `upper` at their mirror images.
  const std::vector<double>& null_products(const Factor& u, const Factor& w, std::span<const double> lower,
                                           std::span<const double> upper, Products& room) const;
  /// The multiplications this takes, and those of a null vector at most.
  double work_of_products() const;
  double work_of_null_vector() const { return factor_size_; }

 private:
  struct Supernode {
    int first = 0;                         // its first pivot in elimination order
    FrontShape shape;                      // its pivots, then the rows they update
    int row_start = 0;                     // into row_: the updated rows
    int panel = 0;                         // into Factor::value: the pivots' columns
    int update = 0;                        // into Factor::updates
    int child_start = 0, child_count = 0;  // into child_
    int subtree = 0;                       // the first supernode that passes on to it, by whatever way
    bool passes_on = false;                // its children add to its update
    bool fills_in = false;                 // its panel holds more than entries of the matrix
    int relative =
        0;  // into relative_: where its updated rows and the right side stand in the parent's front
  };
  void join_columns(const std::vector<int>& parent, const std::vector<std::vector<int>>& structure);
  static bool is_path(const Supernode& s, const std::vector<std::vector<int>>& structure);
  void join_paths(const std::vector<std::vector<int>>& structure);
  void shape_fronts(const std::vector<std::vector<int>>& structure);
  void find_relative();
  int local_row(const Supernode& s, int position) const;
  void find_slots(const LowerPattern& pattern);
  void plan_updates();
  void find_filled();
  int first_below(int front) const;
  /// The null vector of a position into f.u, front by front down from its own; `each` is told of every front
  /// that has a part in it, and whether to go on.
  template <class Each>
  void find_null_vector(Factor& f, int position, const Each& each) const;
  void eliminate_product(const Supernode& s, const Factor& u, const Factor& w, std::vector<double>& C,
                         std::vector<double>& product) const;

  int size_ = 0;
  int factor_size_ = 0;
  int updates_size_ = 0;
  int tallest_ = 0;
  std::vector<int> order_;    // elimination position of each row
  std::vector<int> inverse_;  // row at each elimination position
  std::vector<int> supernode_of_;
  std::vector<Supernode> supernodes_;
  std::vector<int> row_, child_, relative_;
  std::vector<int> slot_;
};

}  // namespace vinculum
