#include "motion/steppers/series_sums.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "base/clones.hpp"

namespace vinculum {
namespace {

/// Where one of several begins that lie side by side from `first` on: the last ones may overlap those before.
template <class Many>
[[gnu::always_inline]] inline int place_of(int i, int first, int count) {
  constexpr int many = sizeof(typename Many::Number) / sizeof(double);
  return std::min(first + many * i, count - many);
}

/// By Horner's rule, `some` side by side: each waits for itself alone.
template <class Many, int some>
[[gnu::always_inline]] inline void sum_up_some(const Series& series, const SeriesAt& at, int first,
                                               double* value, double* slope, double* error) {
  using X = typename Many::Number;
  X sum[some], by[some];
  int place[some];
  _Pragma("GCC unroll 8") for (int i = 0; i < some; ++i) {
    sum[i] = by[i] = X{};
    place[i] = place_of<Many>(i, first, series.count);
  }
  for (int k = series.order; k >= 0; --k) {
    const double* const number = series.row(k);
    _Pragma("GCC unroll 8") for (int i = 0; i < some; ++i) {
      by[i] = sum[i] + at.theta * by[i];
      sum[i] = read<Many>(number, place[i]) + at.theta * sum[i];
    }
  }
  const double *const last = series.row(series.order), *const before = series.row(series.order - 1);
  _Pragma("GCC unroll 8") for (int i = some - 1; i >= 0; --i) {
    const X one = at.power * at.theta * read<Many>(last, place[i]),
            other = decay_of_orders * at.power * read<Many>(before, place[i]);
    write<Many>(value, place[i], sum[i]);
    write<Many>(slope, place[i], by[i]);
    write<Many>(error, place[i], magnitude_of(one) >= magnitude_of(other) ? one : other);
  }
}

}  // namespace

VINCULUM_CLONES
void sum_up(const Series& series, const SeriesAt& at, double* value, double* slope, double* error) {
  const auto some = [&]<class Many, int count>(int first) __attribute__((always_inline)) {
    sum_up_some<Many, count>(series, at, first, value, slope, error);
  };
  if (series.count < 4) {
    for (int i = 0; i < series.count; ++i) some.template operator()<OneByOne, 1>(i);
    return;
  }
  int first = 0;
  for (; first + 16 < series.count; first += 24) some.template operator()<FourByFour, 6>(first);
  for (; first + 4 < series.count; first += 8) some.template operator()<FourByFour, 2>(first);
  if (first < series.count) some.template operator()<FourByFour, 1>(first);
}

VINCULUM_CLONES
void find_last_orders(const Series& series, const AllowedErrors& allowed, LastOrders& found) {
  const double *const last = series.row(series.order), *const before = series.row(series.order - 1);
  Four lasts = {}, befores = {};
  for_fours(0, series.count, [&]<class Many>(int at, Many) __attribute__((always_inline)) {
    using X = typename Many::Number;
    const X part = allowed.of<Many>(at);
    const X one = magnitude_of(read<Many>(last, at)) / part;
    const X other = decay_of_orders * magnitude_of(read<Many>(before, at)) / part;
    if constexpr (std::is_same_v<Many, OneByOne>) {
      found.last = larger_of(found.last, one);
      found.before = larger_of(found.before, other);
    } else {
      lasts = larger_of(lasts, one);
      befores = larger_of(befores, other);
    }
  });
  for (int k = 0; k < 4; ++k) {
    found.last = larger_of(found.last, lasts[k]);
    found.before = larger_of(found.before, befores[k]);
  }
}

VINCULUM_CLONES
void find_doubts(const Confirmation& asked, const AllowedErrors& allowed, int from, int to, double time,
                 const double* slope, const double* f_new, bool& doubted) {
  FourTruths doubts = {};
  for_fours(from, to, [&]<class Many>(int at, Many) __attribute__((always_inline)) {
    using X = typename Many::Number;
    const X off = magnitude_of(read<Many>(f_new, at) - read<Many>(slope, at) / asked.unit);
    const auto in_step = asked.h * off > asked.enough * allowed.of<Many>(at);
    const auto for_long = time * off > asked.most * read<Many>(allowed.size, at);
    if constexpr (std::is_same_v<Many, OneByOne>)
      doubted = doubted || in_step || for_long;
    else
      doubts |= in_step | for_long;
  });
  for (int k = 0; k < 4; ++k) doubted = doubted || doubts[k] != 0;
}

}  // namespace vinculum
