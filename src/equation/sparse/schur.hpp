// The steps of the fast road, written once: for one state (T = double), for eight states side by side (T =
// Eight), and in expressions (system/compile/traced.hpp).
#pragma once
#include <cmath>
#include <limits>
#include <type_traits>

#include "equation/sparse/counts.hpp"
#include "equation/sparse/eight.hpp"
#include "equation/sparse/structure.hpp"

namespace vinculum {

/// 1 where x is 0 (or less): of an inverse, where there is none.
[[gnu::always_inline]] inline double vanishes(double x) { return at_most(x, 0.0); }
[[gnu::always_inline]] inline Eight vanishes(const Eight& x) { return at_most(x, Eight(0.0)); }
/// 1/d where d > limit, else 0.
[[gnu::always_inline]] inline double inverse_above(double d, double limit) {
  return d > limit ? 1.0 / d : 0.0;
}
[[gnu::always_inline]] inline Eight inverse_above(const Eight& d, const Eight& limit) {
  Eight c;
  for (int k = 0; k < 8; ++k) c.lane[k] = d.lane[k] > limit.lane[k] ? 1.0 / d.lane[k] : 0.0;
  return c;
}

/// A pivot of a block of M below this part of its diagonal: the explicit inverse would cost more than six
/// digits of q'', so the robust road, which has none, answers.
inline constexpr double mass_tolerance = 1e-6;
/// A pivot of S below this part of its diagonal means a dependent row. Rounding of S leaves about 1e-15 of
/// it.
inline constexpr double row_tolerance = 1e-12;
/// Below this the square of a row's length has not all its digits any more: what divides by it is no number.
inline constexpr double least_square = 1e-290;

/// inverse = M^-1, block by block. Returns 1 where every block is safely positive definite, else 0.
template <class T>
[[gnu::always_inline]] inline T invert_mass(const Structure::Impl& s, const T* mass, T* inverse) {
  T good = 1.0;
  for (std::size_t k = 0; k + 1 < s.block_start.size(); ++k) {
    const int size = s.block_start[k + 1] - s.block_start[k];
    const int* entry = s.mass_entry.data() + s.inverse_start[k];
    T* x = inverse + s.inverse_start[k];
    if (size == 1) {
      const T m = entry[0] >= 0 ? mass[entry[0]] : T(0.0);
      x[0] = inverse_above(m, T(0.0));
      good *= T(1.0) - vanishes(x[0]);
      continue;
    }
    for (int i = 0; i < size * size; ++i) x[i] = entry[i] >= 0 ? mass[entry[i]] : T(0.0);
    if (size == 2) {
      const T a = x[0], c = x[3];
      const T first = inverse_above(a, T(0.0));
      const T ratio = x[1] * first;
      const T second = inverse_above(c - ratio * x[1], c * T(mass_tolerance));
      good *= (T(1.0) - vanishes(first)) * (T(1.0) - vanishes(second));
      x[3] = second;
      x[1] = x[2] = T(0.0) - ratio * second;
      x[0] = first - ratio * x[1];
      continue;
    }
    // Gauss-Jordan in place; a positive definite block needs no pivoting.
    for (int p = 0; p < size; ++p) {
      const T scale = entry[p * size + p] >= 0 ? mass[entry[p * size + p]] : T(0.0);
      const T d = inverse_above(x[p * size + p], p == 0 ? T(0.0) : scale * T(mass_tolerance));
      good *= T(1.0) - vanishes(d);
      x[p * size + p] = T(1.0);
      for (int j = 0; j < size; ++j) x[p * size + j] *= d;
      for (int i = 0; i < size; ++i) {
        if (i == p) continue;
        const T w = x[i * size + p];
        x[i * size + p] = T(0.0);
        for (int j = 0; j < size; ++j) x[i * size + j] -= w * x[p * size + j];
      }
    }
  }
  return good;
}

/// take(i, (M^-1 x)_i) for every coordinate.
template <class T, class Take>
[[gnu::always_inline]] inline void for_inverse_mass_times(const Structure::Impl& s, const T* inverse,
                                                          const T* x, Take take) {
  if (s.diagonal) {
    for (int i = 0; i < s.coordinates; ++i) take(i, inverse[i] * x[i]);
    return;
  }
  for (std::size_t k = 0; k + 1 < s.block_start.size(); ++k) {
    const int size = s.block_start[k + 1] - s.block_start[k];
    const int* at = s.block_coordinate.data() + s.block_start[k];
    const T* w = inverse + s.inverse_start[k];
    for (int i = 0; i < size; ++i) {
      T sum = 0.0;
      for (int j = 0; j < size; ++j) sum += w[i * size + j] * x[at[j]];
      take(at[i], sum);
    }
  }
}

/// y = M^-1 x
template <class T>
[[gnu::always_inline]] inline void apply_inverse_mass(const Structure::Impl& s, const T* inverse, const T* x,
                                                      T* y) {
  for_inverse_mass_times(s, inverse, x,
                         [y](int i, const T& value) __attribute__((always_inline)) { y[i] = value; });
}

/// q = from + M^-1 F; q may be `from` itself.
template <class T>
[[gnu::always_inline]] inline void push_from(const Structure::Impl& s, const T* inverse, const T* from,
                                             const T* force, T* q) {
  for_inverse_mass_times(s, inverse, force, [from, q](int i, const T& value) __attribute__((always_inline)) {
    q[i] = from[i] + value;
  });
}

/// Y = M^-1 A^T; where it has no entry, its memory must hold zeros.
template <class T>
[[gnu::always_inline]] inline void fill_y(const Structure::Impl& s, const T* inverse, const T* a, T* y) {
  const std::size_t entries = s.y_column.size();
  const int *column = s.y_column.data(), *place = s.y_place.data();
  if (s.diagonal) {
    for (std::size_t k = 0; k < entries; ++k) y[place[k]] = inverse[column[k]] * a[k];
    return;
  }
  for (int k = 0; k < s.y_size; ++k) y[k] = T(0.0);
  for (const auto& term : s.y_terms) y[term.y] += inverse[term.i] * a[term.a];
}

/// What stands at some columns, looked up.
template <class T>
struct Picked {
  T* of;
  const int* column;
  [[gnu::always_inline]] T& operator[](int e) const { return of[column[e]]; }
};
struct LookedUp {
  const int* column;
  template <class T>
  [[gnu::always_inline]] Picked<T> in(T* of) const {
    return {of, column};
  }
};
/// The same where the columns are neighbours.
struct Neighbours {
  int first;
  template <class T>
  [[gnu::always_inline]] T* in(T* of) const {
    return of + first;
  }
};

/// work(i, count, begin, columns) for every row i: how many entries it has, where they begin, their columns.
template <class Work>
[[gnu::always_inline]] inline void for_rows(int rows, const int* start, const int* column, Work work) {
  for (int i = 0; i < rows; ++i) {
    const int begin = start[i];
    work(i, start[i + 1] - begin, begin, LookedUp{column + begin});
  }
}
/// The same, where it is known which rows are alike.
template <class Work>
[[gnu::always_inline]] inline void for_rows(const std::vector<RowRun>& runs, const int* start,
                                            const int* column, Work work) {
  for (const RowRun& run : runs) {
    if (run.neighbours == 0) {
      for (int i = run.begin; i < run.end; ++i)
        work(i, start[i + 1] - start[i], start[i], LookedUp{column + start[i]});
      continue;
    }
    with_count(run.neighbours, [&](auto count) __attribute__((always_inline)) {
      int begin = start[run.begin];
      for (int i = run.begin; i < run.end; ++i, begin += count)
        work(i, count, begin, Neighbours{column[begin]});
    });
  }
}

/// r = b - A q
template <class T>
[[gnu::always_inline]] inline void residual(int rows, const int* start, const int* column, const T* a,
                                            const T* b, const T* q, T* r) {
  for (int i = 0; i < rows; ++i) {
    T sum = b ? b[i] : T(0.0);
    for (int k = start[i]; k < start[i + 1]; ++k) sum -= a[k] * q[column[k]];
    r[i] = sum;
  }
}

/// r = b - A q and Y = M^-1 A^T in one go over the entries of A.
template <class T>
[[gnu::always_inline]] inline void residual_and_y(const Structure::Impl& s, const SchurBlocks::Fresh& rows,
                                                  const int* start, const int* column, const T* a, const T* b,
                                                  const T* q, const T* inverse, T* r, T* y) {
  const int* place = s.y_place.data();
  for (int i = rows.begin; i < rows.end; ++i) {
    T sum = b[i];
    for (int k = start[i]; k < start[i + 1]; ++k) {
      const int c = column[k];
      const T value = a[k];
      y[place[k]] = inverse[c] * value;
      sum -= value * q[c];
    }
    r[i] = sum;
  }
}

/// The same for the entries of one row that are neighbours, of q and of Y. Returns what it leaves of b.
[[gnu::always_inline]] inline double residual_and_y(int entries, const double* a, double b, const double* q,
                                                    const double* inverse, double* y) {
  return with_count(entries, [=](auto count) __attribute__((always_inline)) {
    double sum = b;
    for (int e = 0; e < count; ++e) {
      const double value = a[e];
      y[e] = inverse[e] * value;
      sum -= value * q[e];
    }
    return sum;
  });
}

/// Entry k of S = A M^-1 A^T.
template <class T>
[[gnu::always_inline]] inline T schur_entry(const Structure::Impl& s, int k, const T* a, const T* y) {
  T sum = 0.0;
  const auto* const end = s.schur_terms.data() + s.schur_start[k + 1];
  for (const auto* term = s.schur_terms.data() + s.schur_start[k]; term != end; ++term)
    sum += a[term->a] * y[term->y];
  return sum;
}

/// No pivot is asked whether it is noise: with eight states at once.
struct NoNoise {};

/// A small S = L D L^T inside its profile; L below the diagonal, by rows of length m; 1/D in `inverse`, zero
/// for a dependent row. `pivot_limit` (may be null) raises the limit below which a row is one; so is one
/// whose pivot is_noise(row, pivot). Returns how many rows were dependent.
template <class T, class IsNoise = NoNoise>
[[gnu::always_inline]] inline T factorize_dense(const Structure::Impl& s, const T* a, const T* y, T* l,
                                                T* inverse, const double* pivot_limit = nullptr,
                                                IsNoise is_noise = {}) {
  const int m = s.rows;
  const int* first = s.profile.data();
  T dropped = 0.0;
  for (int i = 0; i < m; ++i)
    for (int j = first[i]; j < i; ++j) l[i * m + j] = T(0.0);
  for (int j = 0; j < m; ++j)
    for (int k = s.schur.start[j]; k < s.schur.start[j + 1]; ++k)
      l[s.schur.row[k] * m + j] = schur_entry(s, k, a, y);
  for (int i = 0; i < m; ++i) {
    const T reference = l[i * m + i];
    T d = reference;
    for (int j = first[i]; j < i; ++j) {
      T sum = l[i * m + j];  // becomes L_ij D_j
      for (int k = first[i] > first[j] ? first[i] : first[j]; k < j; ++k) sum -= l[i * m + k] * l[j * m + k];
      l[i * m + j] = sum;
    }
    for (int j = first[i]; j < i; ++j) {
      const T w = l[i * m + j] * inverse[j];
      d -= w * l[i * m + j];
      l[i * m + j] = w;
    }
    // A row without earlier ones cannot depend on them; it must only be there, with all its digits.
    const bool first_of_its_kind = first[i] == i && pivot_limit == nullptr;
    const double limit = pivot_limit ? row_tolerance * pivot_limit[i] : row_tolerance;
    inverse[i] = inverse_above(d, first_of_its_kind ? T(least_square) : reference * T(limit));
    if constexpr (!std::is_same_v<IsNoise, NoNoise>)
      if (inverse[i] != 0.0 && is_noise(i, d)) inverse[i] = 0.0;
    dropped += vanishes(inverse[i]);
  }
  return dropped;
}

template <class T>
[[gnu::always_inline]] inline void solve_dense(const Structure::Impl& s, const T* l, const T* inverse, T* x) {
  const int m = s.rows;
  for (int i = 1; i < m; ++i)
    for (int j = s.profile[i]; j < i; ++j) x[i] -= l[i * m + j] * x[j];
  for (int i = 0; i < m; ++i) x[i] *= inverse[i];
  for (int i = m - 1; i > 0; --i)
    for (int j = s.profile[i]; j < i; ++j) x[j] -= l[i * m + j] * x[i];
}

/// r = b - A q, and 1 where every |r_i| is within the rounding of its own terms:
///     |r_i| <= (32 + 2 entries) eps (|b_i| + sum |A_ij q_j|)
template <class T, class Rows>
[[gnu::always_inline]] inline T checked_residual(const Rows& rows, const int* start, const int* column,
                                                 const T* a, const T* b, const T* q, T* r) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  T good = 1.0;
  for_rows(rows, start, column,
           [&](int i, auto count, int begin, auto columns) __attribute__((always_inline)) {
             const T* const of_row = a + begin;
             const auto of_q = columns.in(q);
             T sum = b ? b[i] : T(0.0);
             T size = magnitude(sum);
             for (int e = 0; e < count; ++e) {
               const T term = of_row[e] * of_q[e];
               sum -= term;
               size += magnitude(term);
             }
             r[i] = sum;
             good *= at_most(magnitude(sum), T((32 + 2 * count) * eps) * size);
           });
  return good;
}

/// The same question where one refinement has not brought it to a yes: the free acceleration, from which q
/// was reached, belongs to the terms. So it must be where rows ask for no motion at all, and q is rounding.
template <class T>
[[gnu::always_inline]] inline T within_cancellation(int rows, const int* start, const int* column, const T* a,
                                                    const T* b, const T* q, const T* free, const T* r) {
  constexpr double eps = std::numeric_limits<double>::epsilon();
  T good = 1.0;
  for (int i = 0; i < rows; ++i) {
    T size = b ? magnitude(b[i]) : T(0.0);
    for (int k = start[i]; k < start[i + 1]; ++k)
      size += magnitude(a[k]) * (magnitude(q[column[k]]) + magnitude(free[column[k]]));
    good *= at_most(magnitude(r[i]), T((32 + 2 * (start[i + 1] - start[i])) * eps) * size);
  }
  return good;
}

/// y += A^T w
template <class T, class Rows>
[[gnu::always_inline]] inline void add_transposed(const Rows& rows, const int* start, const int* column,
                                                  const T* a, const T* w, T* y) {
  for_rows(rows, start, column,
           [=](int i, auto count, int begin, auto columns) __attribute__((always_inline)) {
             const T* const of_row = a + begin;
             const auto of_y = columns.in(y);
             const T x = w[i];
             for (int e = 0; e < count; ++e) of_y[e] += of_row[e] * x;
           });
}

}  // namespace vinculum
