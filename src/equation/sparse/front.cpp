#include "equation/sparse/front.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "base/clones.hpp"

namespace vinculum {

namespace {

using Four [[gnu::vector_size(32), gnu::may_alias]] = double;
using Eight [[gnu::vector_size(64), gnu::may_alias]] = double;

template <class Vector>
[[gnu::always_inline]] inline Vector load(const void* from) {
  Vector x;
  std::memcpy(&x, from, sizeof x);
  return x;
}
template <class Vector>
[[gnu::always_inline]] inline void store(const Vector& x, double* to) {
  std::memcpy(to, &x, sizeof x);
}

/// target += from
[[gnu::always_inline]] inline void add(double* target, const double* from, int count) {
  int i = 0;
  for (; i + 4 <= count; i += 4) store(load<Four>(target + i) + load<Four>(from + i), target + i);
  for (; i < count; ++i) target[i] += from[i];
}

/// A child's rows that stand together in its parent among the pivots. Whole columns: nobody reads what
/// stands above the diagonal.
template <int Rest>
[[gnu::always_inline]] inline void extend_pivots(const double* from, int child_stride, double* target,
                                                 int stride, int right) {
#pragma GCC unroll 8
  for (int j = 0; j < Rest; ++j, from += child_stride, target += stride) {
    constexpr int whole = Rest / 4 * 4;
    if constexpr (whole > 0) store(load<Four>(target) + load<Four>(from), target);
#pragma GCC unroll 4
    for (int i = whole; i < Rest; ++i) target[i] += from[i];
    target[right] += from[Rest];
  }
}

}  // namespace

VINCULUM_CLONES
void extend_add(const FrontShape& child, const double* child_update, const int* relative,
                const FrontShape& front, double* panel, double* update) {
  const int k = child.rest(), child_stride = child.update_stride();
  const int stride = front.stride(), update_stride = front.update_stride();
  double* const outside = update + front.update_first() - front.columns;
  const double* from = child_update + child.update_first();
  const bool together = relative[k - 1] - relative[0] == k - 1;
  if (together && child.is_middle() && relative[k - 1] < front.columns) {
    double* target = panel + relative[0] * (stride + 1L);
    const int right = front.rows - relative[0];
    if (k == 5) return extend_pivots<5>(from, child_stride, target, stride, right);
    if (k == 6) return extend_pivots<6>(from, child_stride, target, stride, right);
  }
  for (int j = 0; j < k; ++j, from += child_stride) {
    const int column = relative[j];
    const bool passes = column >= front.columns;
    double* target = passes ? outside + static_cast<long>(column - front.columns) * update_stride
                            : panel + static_cast<long>(column) * (front.is_path ? stride - 1 : stride);
    // Local rows rise, so from j on every row stands at or below the diagonal of its column.
    if (together)
      add(target + column, from + j, k - j);
    else
      for (int i = j; i < k; ++i) target[relative[i]] += from[i];
    target[front.is_path && !passes ? column + 2 : relative[k]] += from[k];
  }
}

/// Nearly all are above either limit: then one is asked for.
[[gnu::always_inline]] inline bool PivotRule::drops(int c, double pivot) const {
  constexpr double least = std::numeric_limits<double>::min();  // below it 1/D may be no number
  const double size = std::fabs(pivot), whole = reference[original[c]];
  if (size > std::max(std::max(tolerance, doubtful_pivot) * whole, least)) [[likely]]
    return false;
  const bool kept = size > std::max(tolerance * whole, least);
  doubtful = doubtful || kept;
  return !kept;
}

namespace {

/// Notes D and 1/D of a column and returns 1/D; both are 0 where the pivot is dropped.
[[gnu::always_inline]] inline double take_pivot(const PivotRule& rule, int c, double d, double* pivot,
                                                double* inverse) {
  const bool drop = rule.drops(c, d);
  pivot[c] = drop ? 0.0 : d;
  return inverse[c] = drop ? 0.0 : 1.0 / d;
}

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

/// target -= L D l_r^T over the first `count` pivots: the part of the elimination that does the work.
inline void subtract_outer(double* target, const double* panel, int stride, const double* pivot, int r,
                           int count, int from, int to) {
  int p = 0;
  for (; p + 4 <= count; p += 4) {
    const double* a = panel + static_cast<long>(p) * stride;
    const double w[4] = {a[r] * pivot[p], a[r + stride] * pivot[p + 1], a[r + 2L * stride] * pivot[p + 2],
                         a[r + 3L * stride] * pivot[p + 3]};
    subtract_four(target, a, stride, w, from, to);
  }
  for (; p < count; ++p) {
    const double* a = panel + static_cast<long>(p) * stride;
    subtract_one(target, a, a[r] * pivot[p], from, to);
  }
}

/// A front that is small, passing over the zeros that wide supernodes bring along.
int eliminate_small(const FrontShape& front, double* panel, double* update, double* pivot, double* inverse,
                    const PivotRule& rule) {
  const int rows = front.rows, columns = front.columns, stride = front.stride();
  const int update_stride = front.update_stride();
  int dropped = 0;
  for (int c = 0; c < columns; ++c) {
    double* column = panel + c * stride;
    const double d = column[c];
    const double inv = take_pivot(rule, c, d, pivot, inverse);
    dropped += inv == 0.0;
    for (int j = c + 1; j < rows; ++j) {
      if (column[j] == 0.0) continue;
      const double w = column[j] * inv;
      double* target = j < columns ? panel + j * stride : update + (j - columns) * update_stride - columns;
      for (int i = j; i <= rows; ++i) target[i] -= w * column[i];
    }
    for (int j = c + 1; j <= rows; ++j) column[j] *= inv;
  }
  return dropped;
}

/// What the next pivot and its right side become stays in the processor.
int eliminate_path(const FrontShape& front, double* panel, double* update, bool fresh, double* pivot,
                   double* inverse, const PivotRule& rule) {
  const int columns = front.columns, last = columns - 1;
  int dropped = 0;
  double d = panel[0], right = panel[2];
  for (int c = 0;; ++c, panel += 3) {
    const double inv = take_pivot(rule, c, d, pivot, inverse);
    dropped += inv == 0.0;
    const double below = panel[1], w = below * inv, own = right;
    panel[2] = right * inv;
    if (c == last) {
      if (front.rest() > 0) {
        panel[1] = w;
        update[0] = (fresh ? 0.0 : update[0]) - w * below;
        update[1] = (fresh ? 0.0 : update[1]) - w * own;
      }
      return dropped;
    }
    panel[1] = w;
    d = panel[3] - w * below;
    right = panel[5] - w * own;
  }
}

VINCULUM_CLONES
int eliminate_large(const FrontShape& front, double* panel, double* update, double* pivot, double* inverse,
                    const PivotRule& rule) {
  const int rows = front.rows, columns = front.columns, stride = front.stride();
  int dropped = 0;
  for (int c = 0; c < columns; ++c) {
    double* column = panel + static_cast<long>(c) * stride;
    subtract_outer(column, panel, stride, pivot, c, c, c, rows + 1);
    const double d = column[c];
    // A quasi-definite matrix has pivots of both signs; a row that depends on earlier ones leaves nothing of
    // its pivot.
    const double inv = take_pivot(rule, c, d, pivot, inverse);
    dropped += inv == 0.0;
    for (int i = c + 1; i <= rows; ++i) column[i] *= inv;
  }
  for (int r = columns; r < rows; ++r)
    subtract_outer(update + static_cast<long>(r - columns) * front.update_stride() - columns, panel, stride,
                   pivot, r, columns, r, rows + 1);
  return dropped;
}

// --- Fronts of a few vectors: columns padded to `Blocks` vectors of four, worked on as a whole.

/// From its place middle_front - 1 - c on: zeros up to row c, ones below.
constexpr struct BelowDiagonal {
  std::int64_t bits[2 * middle_front + vector_length] = {};
  constexpr BelowDiagonal() {
    for (int i = middle_front; i < 2 * middle_front + vector_length; ++i) bits[i] = -1;
  }
  const std::int64_t* of(int c) const { return bits + middle_front - 1 - c; }
} below_diagonal;

[[gnu::always_inline]] inline Four masked(const Four& x, const std::int64_t* kept) {
  using Bits [[gnu::vector_size(32), gnu::may_alias]] = std::int64_t;
  return reinterpret_cast<Four>(reinterpret_cast<Bits>(x) & load<Bits>(kept));
}
[[gnu::always_inline]] inline Eight masked(const Eight& x, const std::int64_t* kept) {
  using Bits [[gnu::vector_size(64), gnu::may_alias]] = std::int64_t;
  return reinterpret_cast<Eight>(reinterpret_cast<Bits>(x) & load<Bits>(kept));
}

/// A column of 4 Blocks numbers, or what is left of it: vectors of eight, before them one of four where it is
/// odd. What was written as one vector is read as one: else the processor waits for memory.
template <int Blocks>
struct Column {
  static constexpr int eights = Blocks / 2;
  static constexpr bool odd = Blocks % 2 == 1;
  static constexpr int place(int k) { return (odd ? 4 : 0) + 8 * k; }
  Four head;
  Eight part[eights];
  [[gnu::always_inline]] static Column at(const double* from) {
    Column x;
    if constexpr (odd) x.head = load<Four>(from);
    for (int k = 0; k < eights; ++k) x.part[k] = load<Eight>(from + place(k));
    return x;
  }
  [[gnu::always_inline]] void put(double* to) const {
    if constexpr (odd) store(head, to);
    for (int k = 0; k < eights; ++k) store(part[k], to + place(k));
  }
  [[gnu::always_inline]] void subtract(double w, const Column& l) {
    if constexpr (odd) head -= w * l.head;
    for (int k = 0; k < eights; ++k) part[k] -= w * l.part[k];
  }
  /// Times `inverse` below row c, zero elsewhere: a column of L.
  [[gnu::always_inline]] Column scaled(double inverse, int c) const {
    Column l;
    const std::int64_t* kept = below_diagonal.of(c);
    if constexpr (odd) l.head = masked(head * inverse, kept);
    for (int k = 0; k < eights; ++k) l.part[k] = masked(part[k] * inverse, kept + place(k));
    return l;
  }
};

/// update -= L21 D L21^T; a first vector that holds none of its rows is passed over.
template <int Blocks, int Passed>
[[gnu::always_inline]] inline void update_blocks(const FrontShape& front, const double* panel,
                                                 const double* before, double* update, bool fresh) {
  using Part = Column<Blocks - Passed>;
  constexpr int stride = Blocks * vector_length, from = Passed * vector_length;
  for (int r = front.columns; r < front.rows; ++r, update += stride) {
    Part target = fresh ? Part{} : Part::at(update + from);
    for (int p = 0; p < front.columns; ++p)
      target.subtract(before[p * stride + r], Part::at(panel + p * stride + from));
    target.put(update + from);
  }
}

/// The next pivot waits for as little as can be: it is made by itself, before its column, of numbers that
/// were known before this one was divided by.
template <int Blocks>
[[gnu::always_inline]] inline int eliminate_blocks(const FrontShape& front, double* panel, double* update,
                                                   bool fresh, double* pivot, double* inverse,
                                                   const PivotRule& rule) {
  constexpr int stride = Blocks * vector_length;
  const int columns = front.columns;
  alignas(64) double before[middle_front * stride];  // the columns of L times D
  int dropped = 0;
  double next = panel[0];
  for (int c = 0; c < columns; ++c) {
    double *column = panel + c * stride, *unscaled = before + c * stride;
    const Column<Blocks> x = Column<Blocks>::at(column);
    x.put(unscaled);
    const double d = next;
    const double inv = take_pivot(rule, c, d, pivot, inverse);
    dropped += inv == 0.0;
    if (c + 1 < columns) {
      const double below = column[c + 1];
      next = column[stride + c + 1] - below * (below * inv);
    }
    const Column<Blocks> l = x.scaled(inv, c);
    l.put(column);
    for (int j = c + 1; j < columns; ++j) {
      Column<Blocks> target = Column<Blocks>::at(panel + j * stride);
      target.subtract(unscaled[j], l);
      target.put(panel + j * stride);
    }
  }
  constexpr int head = Column<Blocks>::odd ? 1 : 0;
  if (columns >= vector_length)
    update_blocks<Blocks, head>(front, panel, before, update, fresh);
  else
    update_blocks<Blocks, 0>(front, panel, before, update, fresh);
  return dropped;
}

/// The same with the number of pivots known: all columns stay in the processor. For five and six, the rows of
/// most joints.
template <int Blocks, int Columns>
[[gnu::always_inline]] inline int eliminate_known(const FrontShape& front, double* panel, double* update,
                                                  bool fresh, double* pivot, double* inverse,
                                                  const PivotRule& rule) {
  constexpr int stride = Blocks * vector_length;
  alignas(64) double before[Columns * stride];  // the columns of L times D
  Column<Blocks> x[Columns];
#pragma GCC unroll 8
  for (int c = 0; c < Columns; ++c) x[c] = Column<Blocks>::at(panel + c * stride);
  int dropped = 0;
  double next = panel[0];
#pragma GCC unroll 8
  for (int c = 0; c < Columns; ++c) {
    x[c].put(before + c * stride);
    const double d = next;
    const double inv = take_pivot(rule, c, d, pivot, inverse);
    dropped += inv == 0.0;
    if (c + 1 < Columns) {
      const double below = before[c * stride + c + 1];
      x[c + 1].put(before + (c + 1) * stride);
      next = before[(c + 1) * stride + c + 1] - below * (below * inv);
    }
    x[c] = x[c].scaled(inv, c);
    x[c].put(panel + c * stride);
#pragma GCC unroll 8
    for (int j = c + 1; j < Columns; ++j) x[j].subtract(before[c * stride + j], x[c]);
  }
  for (int r = Columns; r < front.rows; ++r, update += stride) {
    Column<Blocks> target = fresh ? Column<Blocks>{} : Column<Blocks>::at(update);
#pragma GCC unroll 8
    for (int p = 0; p < Columns; ++p) target.subtract(before[p * stride + r], x[p]);
    target.put(update);
  }
  return dropped;
}

VINCULUM_CLONES
int eliminate_middle(const FrontShape& front, double* panel, double* update, bool fresh, double* pivot,
                     double* inverse, const PivotRule& rule) {
  switch (front.stride() / vector_length) {
    case 3:
      if (front.columns == 5) return eliminate_known<3, 5>(front, panel, update, fresh, pivot, inverse, rule);
      if (front.columns == 6) return eliminate_known<3, 6>(front, panel, update, fresh, pivot, inverse, rule);
      return eliminate_blocks<3>(front, panel, update, fresh, pivot, inverse, rule);
    case 4:
      if (front.columns == 5) return eliminate_known<4, 5>(front, panel, update, fresh, pivot, inverse, rule);
      if (front.columns == 6) return eliminate_known<4, 6>(front, panel, update, fresh, pivot, inverse, rule);
      return eliminate_blocks<4>(front, panel, update, fresh, pivot, inverse, rule);
    case 5:
      return eliminate_blocks<5>(front, panel, update, fresh, pivot, inverse, rule);
    case 6:
      return eliminate_blocks<6>(front, panel, update, fresh, pivot, inverse, rule);
    case 7:
      return eliminate_blocks<7>(front, panel, update, fresh, pivot, inverse, rule);
    case 8:
      return eliminate_blocks<8>(front, panel, update, fresh, pivot, inverse, rule);
    default:
      return eliminate_blocks<9>(front, panel, update, fresh, pivot, inverse, rule);
  }
}

void forward_path(const FrontShape& front, const double* panel, const int* below, double* y, int first) {
  double* x = y + first;
  double known = x[0];
  for (int c = 0; c + 1 < front.columns; ++c, panel += 3) x[c + 1] = known = x[c + 1] - known * panel[1];
  if (front.rest() > 0) y[*below] -= known * panel[1];
}

void backward_path(const FrontShape& front, const double* panel, const int* below, double* y, int first) {
  double* x = y + first;
  int c = front.columns - 1;
  double known = front.rest() > 0 ? y[*below] : x[c--];
  for (; c >= 0; --c) x[c] = known = x[c] - panel[3 * c + 1] * known;
}

VINCULUM_CLONES
void forward_large(const FrontShape& front, const double* panel, const int* below, double* y, int first,
                   double* scratch) {
  const int columns = front.columns, rest = front.rest(), stride = front.stride();
  double* x = y + first;
  std::fill(scratch, scratch + rest, 0.0);
  for (int c = 0; c < columns; ++c) {
    const double* column = panel + static_cast<long>(c) * stride;
    const double w = x[c];
    for (int i = c + 1; i < columns; ++i) x[i] -= w * column[i];
    for (int i = 0; i < rest; ++i) scratch[i] += w * column[columns + i];
  }
  for (int i = 0; i < rest; ++i) y[below[i]] -= scratch[i];
}

/// L^T y = y with the shape known.
template <int Columns, int Rest>
[[gnu::always_inline]] inline void backward_known(const double* panel, int stride, const int* below,
                                                  double* y, int first) {
  double known[Rest], left[Columns];
  double* x = y + first;
#pragma GCC unroll 16
  for (int i = 0; i < Rest; ++i) known[i] = y[below[i]];
#pragma GCC unroll 8
  for (int c = 0; c < Columns; ++c) {
    const double* column = panel + c * stride + Columns;
    double even = column[0] * known[0], odd = column[1] * known[1];
#pragma GCC unroll 16
    for (int i = 2; i < Rest; ++i) (i % 2 ? odd : even) += column[i] * known[i];
    left[c] = x[c] - (even + odd);
  }
#pragma GCC unroll 8
  for (int c = Columns - 1; c >= 0; --c) {
    x[c] = left[c];
#pragma GCC unroll 8
    for (int j = 0; j < c; ++j) left[j] -= panel[j * stride + c] * left[c];
  }
}

/// Number by number: what was just written in pieces is slow to be read as a vector.
void backward_middle(const FrontShape& front, const double* panel, const int* below, double* y, int first) {
  const int columns = front.columns, rest = front.rest(), stride = front.stride();
  if (columns == 5 && rest == 5) return backward_known<5, 5>(panel, stride, below, y, first);
  if (columns == 5 && rest == 10) return backward_known<5, 10>(panel, stride, below, y, first);
  if (columns == 6 && rest == 6) return backward_known<6, 6>(panel, stride, below, y, first);
  double known[middle_front], left[middle_front];
  double* x = y + first;
  for (int i = 0; i < rest; ++i) known[i] = y[below[i]];
  for (int c = 0; c < columns; ++c) {
    const double* column = panel + c * stride + columns;
    double even = 0, odd = 0;
    int i = 0;
    for (; i + 2 <= rest; i += 2) {
      even += column[i] * known[i];
      odd += column[i + 1] * known[i + 1];
    }
    if (i < rest) even += column[i] * known[i];
    left[c] = x[c] - (even + odd);
  }
  for (int c = columns - 1; c >= 0; --c) {
    x[c] = left[c];
    for (int j = 0; j < c; ++j) left[j] -= panel[j * stride + c] * x[c];
  }
}

VINCULUM_CLONES
void backward_large(const FrontShape& front, const double* panel, const int* below, double* y, int first,
                    double* scratch) {
  const int columns = front.columns, rest = front.rest(), stride = front.stride();
  double* x = y + first;
  for (int i = 0; i < rest; ++i) scratch[i] = y[below[i]];
  for (int c = columns - 1; c >= 0; --c) {
    const double* column = panel + static_cast<long>(c) * stride;
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

int eliminate_front(const FrontShape& front, double* panel, double* update, bool fresh, double* pivot,
                    double* inverse, const PivotRule& rule) {
  if (front.is_path) return eliminate_path(front, panel, update, fresh, pivot, inverse, rule);
  if (front.is_middle()) return eliminate_middle(front, panel, update, fresh, pivot, inverse, rule);
  if (fresh) std::fill_n(update, front.update_size(), 0.0);
  return front.rows <= small_front ? eliminate_small(front, panel, update, pivot, inverse, rule)
                                   : eliminate_large(front, panel, update, pivot, inverse, rule);
}

void forward_front(const FrontShape& front, const double* panel, const int* below, double* y, int first,
                   double* scratch) {
  if (front.is_path) return forward_path(front, panel, below, y, first);
  if (front.rows > small_front) return forward_large(front, panel, below, y, first, scratch);
  const int rows = front.rows, columns = front.columns;
  double* x = y + first;
  for (int c = 0; c < columns; ++c) {
    const double* column = panel + c * front.stride();
    for (int i = c + 1; i < columns; ++i) x[i] -= x[c] * column[i];
    for (int i = columns; i < rows; ++i) y[below[i - columns]] -= x[c] * column[i];
  }
}

void backward_front(const FrontShape& front, const double* panel, const int* below, double* y, int first,
                    double* scratch) {
  if (front.is_path) return backward_path(front, panel, below, y, first);
  if (front.is_middle() && front.rows <= 2 * small_front)
    return backward_middle(front, panel, below, y, first);
  if (front.rows > small_front) return backward_large(front, panel, below, y, first, scratch);
  const int rows = front.rows, columns = front.columns;
  double* x = y + first;
  for (int c = columns - 1; c >= 0; --c) {
    const double* column = panel + c * front.stride();
    double sum = 0;
    for (int i = columns; i < rows; ++i) sum += column[i] * y[below[i - columns]];
    for (int i = c + 1; i < columns; ++i) sum += column[i] * x[i];
    x[c] -= sum;
  }
}

}  // namespace vinculum
