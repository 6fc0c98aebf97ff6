// Dense work on one front of the multifrontal factorisation. Matrices are stored by columns.
#pragma once
#include <limits>
#include <span>

namespace vinculum {

/// Fronts up to `small_front` rows are done entry by entry: vector loops would be set up more often than they
/// run. Up to `middle_front` their columns are padded to whole vectors.
inline constexpr int small_front = 8, middle_front = 32, vector_length = 4;

/// Rows 0 .. columns - 1 are the pivots, up to rows - 1 those they update; row `rows` is the right side,
/// which is eliminated along.
struct FrontShape {
  int rows = 0, columns = 0;
  /// Each pivot updates the next row alone, as along a chain: a column has its diagonal, that row and the
  /// right side.
  bool is_path = false;
  int stride() const {
    if (is_path) return 3;
    const int height = rows + 1;
    return is_middle() ? (height + vector_length - 1) / vector_length * vector_length : height;
  }
  /// Where a row of a column stands in the panel.
  int place(int row, int column) const {
    return column * stride() + (!is_path ? row : row == rows ? 2 : row - column);
  }
  /// Rows below `column` end here, those a column of L has.
  int end_of_column(int column) const { return is_path && column + 2 < rows ? column + 2 : rows; }
  bool is_middle() const { return !is_path && rows > small_front && rows <= middle_front; }
  int rest() const { return rows - columns; }
  /// The update: one column for each updated row. Those of padded fronts are as high as the front.
  int update_stride() const { return is_middle() ? stride() : rest() + 1; }
  int update_size() const { return rest() * update_stride(); }
  /// Where row `columns` stands in a column of the update.
  int update_first() const { return is_middle() ? columns : 0; }
};

/// Adds a child's update to the front of its parent. relative[i] is the place of its i-th updated row, the
/// last that of the right side.
void extend_add(const FrontShape& child, const double* child_update, const int* relative,
                const FrontShape& front, double* panel, double* update);

/// A pivot below this part of its diagonal may be noise.
inline constexpr double doubtful_pivot = 1e-7;
/// What the rounding of S, some eps of sqrt(S_ii S_jj) in each entry, makes of u^T S u; `diagonal(i)` is
/// S_ii.
template <class Diagonal>
double noise_of_pivot(std::span<const double> u, Diagonal diagonal) {
  constexpr double some_eps = 16 * std::numeric_limits<double>::epsilon();
  double sum = 0.0;
  const int count = static_cast<int>(u.size());
  for (int i = 0; i < count; ++i)
    if (u[i] != 0.0) sum += u[i] * u[i] * diagonal(i);
  return some_eps * sum;
}

/// Which rows of the matrix the pivots are, and when one of them is dropped.
struct PivotRule {
  const int* original;
  const double* reference;
  double tolerance;
  mutable bool doubtful = false;  ///< a pivot was kept that may be noise
  /// !(|pivot| > tolerance * reference[original[c]]), or too small to be divided by.
  bool drops(int c, double pivot) const;
};

/// Eliminates the columns of the panel: L below the diagonal, D in `pivot`, and update -= L21 D L21^T. What
/// it leaves of the right side is D^-1 L^-1 r. The column of L of a dropped pivot becomes zero and its
/// inverse 0. `fresh`: no child has added to the update, whatever stands there. Returns the number dropped.
int eliminate_front(const FrontShape& front, double* panel, double* update, bool fresh, double* pivot,
                    double* inverse, const PivotRule& rule);

/// L y = y for the panel's columns: y[first..] are its pivots, `below` the other rows.
void forward_front(const FrontShape& front, const double* panel, const int* below, double* y, int first,
                   double* scratch);

/// L^T y = y.
void backward_front(const FrontShape& front, const double* panel, const int* below, double* y, int first,
                    double* scratch);

}  // namespace vinculum
