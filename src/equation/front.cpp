#include "equation/front.hpp"

#include <algorithm>
#include <cmath>

#include "base/clones.hpp"

namespace vinculum {

void extend_add(const double* child, int k, const int* relative, double* panel, int rows, int columns,
                double* update) {
  const int rest = rows - columns;
  for (int j = 0; j < k; ++j) {
    const int column = relative[j];
    // Local rows rise, so from j on every row stands at or below the diagonal of its column.
    if (column < columns) {
      double* target = panel + static_cast<long>(column) * rows;
      for (int i = j; i < k; ++i) target[relative[i]] += child[static_cast<long>(j) * k + i];
    } else {
      double* target = update + static_cast<long>(column - columns) * rest - columns;
      for (int i = j; i < k; ++i) target[relative[i]] += child[static_cast<long>(j) * k + i];
    }
  }
}

namespace {

/// target[i] -= w0 a0[i] + w1 a1[i] + w2 a2[i] + w3 a3[i]
inline void subtract_four(double* __restrict target, const double* a, long stride, const double* w, int from,
                          int to) {
  const double *a0 = a, *a1 = a + stride, *a2 = a + 2 * stride, *a3 = a + 3 * stride;
  const double w0 = w[0], w1 = w[1], w2 = w[2], w3 = w[3];
  for (int i = from; i < to; ++i) target[i] -= (w0 * a0[i] + w1 * a1[i]) + (w2 * a2[i] + w3 * a3[i]);
}

inline void subtract_one(double* __restrict target, const double* a, double w, int from, int to) {
  for (int i = from; i < to; ++i) target[i] -= w * a[i];
}

/// target -= L D l_r^T over pivots [begin, end): the part of the elimination that does the work.
inline void subtract_outer(double* target, const double* panel, int rows, const double* pivot, int r,
                           int begin, int end, int from, int to) {
  int p = begin;
  for (; p + 4 <= end; p += 4) {
    const double* a = panel + static_cast<long>(p) * rows;
    const double w[4] = {a[r] * pivot[p], a[r + rows] * pivot[p + 1], a[r + 2L * rows] * pivot[p + 2],
                         a[r + 3L * rows] * pivot[p + 3]};
    subtract_four(target, a, rows, w, from, to);
  }
  for (; p < end; ++p) {
    const double* a = panel + static_cast<long>(p) * rows;
    subtract_one(target, a, a[r] * pivot[p], from, to);
  }
}

/// Fronts up to this height are done entry by entry: vector loops would be set up more often than they run.
constexpr int small_front = 8;

/// The same elimination for a small front, passing over the zeros that wide supernodes bring along.
int eliminate_small(double* panel, int rows, int columns, double* update, double* pivot, double* inverse,
                    const int* original, const double* reference, double tolerance) {
  const int rest = rows - columns;
  int dropped = 0;
  for (int c = 0; c < columns; ++c) {
    double* column = panel + c * rows;
    const double d = column[c];
    const bool drop = !(std::fabs(d) > tolerance * reference[original[c]]);
    const double inv = drop ? 0.0 : 1.0 / d;
    pivot[c] = drop ? 0.0 : d;
    inverse[c] = inv;
    dropped += drop;
    column[c] = 1.0;
    for (int j = c + 1; j < rows; ++j) {
      if (column[j] == 0.0) continue;
      const double w = column[j] * inv;
      double* target = j < columns ? panel + j * rows : update + (j - columns) * rest - columns;
      for (int i = j; i < rows; ++i) target[i] -= w * column[i];
    }
    for (int j = c + 1; j < rows; ++j) column[j] *= inv;
  }
  return dropped;
}

VINCULUM_CLONES
int eliminate_large(double* panel, int rows, int columns, double* update, double* pivot, double* inverse,
                    const int* original, const double* reference, double tolerance) {
  int dropped = 0;
  for (int c = 0; c < columns; ++c) {
    double* column = panel + static_cast<long>(c) * rows;
    subtract_outer(column, panel, rows, pivot, c, 0, c, c, rows);
    const double d = column[c];
    // A quasi-definite matrix has pivots of both signs; a row that depends on earlier ones leaves nothing of
    // its pivot.
    const bool drop = !(std::fabs(d) > tolerance * reference[original[c]]);
    const double inv = drop ? 0.0 : 1.0 / d;
    pivot[c] = drop ? 0.0 : d;
    inverse[c] = inv;
    dropped += drop;
    column[c] = 1.0;
    for (int i = c + 1; i < rows; ++i) column[i] *= inv;
  }
  const int rest = rows - columns;
  for (int r = 0; r < rest; ++r)
    subtract_outer(update + static_cast<long>(r) * rest - columns, panel, rows, pivot, columns + r, 0,
                   columns, columns + r, rows);
  return dropped;
}

VINCULUM_CLONES
void forward_large(const double* panel, int rows, int columns, const int* below, double* y, int first,
                   double* scratch) {
  const int rest = rows - columns;
  double* x = y + first;
  std::fill(scratch, scratch + rest, 0.0);
  for (int c = 0; c < columns; ++c) {
    const double* column = panel + static_cast<long>(c) * rows;
    const double w = x[c];
    for (int i = c + 1; i < columns; ++i) x[i] -= w * column[i];
    for (int i = 0; i < rest; ++i) scratch[i] += w * column[columns + i];
  }
  for (int i = 0; i < rest; ++i) y[below[i]] -= scratch[i];
}

VINCULUM_CLONES
void backward_large(const double* panel, int rows, int columns, const int* below, double* y, int first,
                    double* scratch) {
  const int rest = rows - columns;
  double* x = y + first;
  for (int i = 0; i < rest; ++i) scratch[i] = y[below[i]];
  for (int c = columns - 1; c >= 0; --c) {
    const double* column = panel + static_cast<long>(c) * rows;
    // Four partial sums in a fixed order: vectorises without asking the compiler to reorder.
    double sum[4] = {0, 0, 0, 0};
    int i = 0;
    for (; i + 4 <= rest; i += 4)
      for (int k = 0; k < 4; ++k) sum[k] += column[columns + i + k] * scratch[i + k];
    for (; i < rest; ++i) sum[0] += column[columns + i] * scratch[i];
    for (int j = c + 1; j < columns; ++j) sum[1] += column[j] * x[j];
    x[c] -= (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
}

}  // namespace

int eliminate_front(double* panel, int rows, int columns, double* update, double* pivot, double* inverse,
                    const int* original, const double* reference, double tolerance) {
  return rows <= small_front
             ? eliminate_small(panel, rows, columns, update, pivot, inverse, original, reference, tolerance)
             : eliminate_large(panel, rows, columns, update, pivot, inverse, original, reference, tolerance);
}

void forward_front(const double* panel, int rows, int columns, const int* below, double* y, int first,
                   double* scratch) {
  if (rows > small_front) return forward_large(panel, rows, columns, below, y, first, scratch);
  double* x = y + first;
  for (int c = 0; c < columns; ++c) {
    const double* column = panel + c * rows;
    for (int i = c + 1; i < columns; ++i) x[i] -= x[c] * column[i];
    for (int i = columns; i < rows; ++i) y[below[i - columns]] -= x[c] * column[i];
  }
}

void backward_front(const double* panel, int rows, int columns, const int* below, double* y, int first,
                    double* scratch) {
  if (rows > small_front) return backward_large(panel, rows, columns, below, y, first, scratch);
  double* x = y + first;
  for (int c = columns - 1; c >= 0; --c) {
    const double* column = panel + c * rows;
    double sum = 0;
    for (int i = columns; i < rows; ++i) sum += column[i] * y[below[i - columns]];
    for (int i = c + 1; i < columns; ++i) sum += column[i] * x[i];
    x[c] -= sum;
  }
}

}  // namespace vinculum
