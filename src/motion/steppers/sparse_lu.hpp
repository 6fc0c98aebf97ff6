// L U of sparse matrices whose entries stand in the same places again and again.
#pragma once
#include <span>
#include <vector>

namespace vinculum {

template <class T>
struct MatrixEntry {
  int row = 0, column = 0;
  T value = {};
};

/// P A Q = L U. Q keeps the factors sparse, and is found once for a pattern. P is found where pivots are
/// compared; it and the places of all numbers are kept while the pivots stay good, and only numbers are
/// computed then, as KLU does. Nothing is allocated but for a new pattern, or where new pivots fill more than
/// any before.
template <class T>
class SparseLu {
 public:
  /// Entries in one place are added. False where the matrix is singular, or not finite.
  bool factorize(int size, std::span<const MatrixEntry<T>> entries);
  /// x becomes A^-1 x.
  void solve(std::span<T> x);

 private:
  struct Place {
    int row, column;
  };
  struct Columns {  // of a sparse matrix
    std::vector<int> start, row;
    std::vector<T> value;
    void start_over() {
      start.assign(1, 0);
      row.clear();
      value.clear();
    }
    void add(int r, T v) {
      row.push_back(r);
      value.push_back(v);
    }
    void end_column() { start.push_back(static_cast<int>(row.size())); }
  };
  bool has_pattern(int size, std::span<const MatrixEntry<T>> entries) const;
  void analyse(int size, std::span<const MatrixEntry<T>> entries);
  void weigh_rows();
  bool find_pivots();
  bool refactor();
  void reach(int row, int mark);
  int choose_pivot(int column) const;

  int size_ = 0;
  std::vector<Place> pattern_;  // of the entries
  std::vector<int> place_;      // of each entry, among the values of A
  std::vector<int> order_;      // Q: the column eliminated in each step
  Columns a_;                   // A Q
  std::vector<int> pivot_row_;  // P: the row eliminated in each step
  std::vector<int> step_of_;    // of each row; -1: not yet
  Columns lower_, upper_;       // without their diagonals; rows are steps
  std::vector<T> inverse_pivot_;
  std::vector<double> weight_;  // of each row, by which its numbers are compared with those of others
  bool has_pivots_ = false;
  // Scratch.
  std::vector<T> work_;
  std::vector<int> mark_, reached_, stack_, next_;
};

}  // namespace vinculum
