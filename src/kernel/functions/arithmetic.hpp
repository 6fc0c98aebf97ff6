// What the formulas of the functions are made of: signs, powers of two, polynomials, and numbers of twice the
// digits.
#pragma once
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "kernel/lanes.hpp"

namespace vinculum::kernel {

// (Comparisons are made with the largest finite number: g++ 12 takes those with the infinite one apart.)
inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double largest_finite = std::numeric_limits<double>::max();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// Adding it leaves no bits behind the point: the nearest integer, which then stands in the lowest bits.
inline constexpr double rounder = 0x1.8p52;

template <class T>
[[gnu::always_inline]] inline T nearest(const T& x) {
  return (x + rounder) - rounder;
}

template <class T>
[[gnu::always_inline]] inline T magnitude(const T& x) {
  return value_of(bits_of(x) & ~sign_bit);
}

/// x, turned around where `by` has a minus sign (a zero may have one).
template <class T>
[[gnu::always_inline]] inline T turned(const T& x, const T& by) {
  return value_of(bits_of(x) ^ (bits_of(by) & sign_bit));
}

[[gnu::always_inline]] inline double square_root(double x) { return std::sqrt(x); }

/// All lanes of a part in one expression: lanes that are set one after the other g++ 12 puts together in
/// memory.
template <class Value, int... lane>
[[gnu::always_inline]] inline Value root_of_part(const Value& x, std::integer_sequence<int, lane...>) {
  return Value{std::sqrt(x[lane])...};
}
template <int W, int N>
[[gnu::always_inline]] inline Lanes<W, N> square_root(const Lanes<W, N>& x) {
  Lanes<W, N> r;
  for (int k = 0; k < N; ++k) r.part[k] = root_of_part(x.part[k], std::make_integer_sequence<int, W>());
  return r;
}

/// `near`, which a formula found, where all arguments are ordinary ones for it; or, rarely, what the whole
/// function gives, which exists for one double and out of line: all lanes, and one alone, call the very same
/// code.
template <class T, class Any, class... X>
[[gnu::always_inline]] inline T where_ordinary(bool ordinary, const T& near, Any any, const X&... x) {
  if (!ordinary) [[unlikely]]
    return per_lane(any, x...);
  return near;
}

// --- powers of two -------------------------------------------------------------------------------

/// 2^k of an integer |k| <= 1022, given as k + rounder.
template <class T>
[[gnu::always_inline]] inline T power_of_two(const T& shifted) {
  return value_of((bits_of(shifted) + 1023) << 52);
}

/// x 2^k where neither 2^k nor the result leaves the normal numbers.
template <class T>
[[gnu::always_inline]] inline T scaled(const T& x, const T& k) {
  return x * power_of_two(T(k + rounder));
}

// --- polynomials ---------------------------------------------------------------------------------

/// The part of `count` coefficients from `first` on; power[i] is z^(2^i).
template <std::size_t first, std::size_t count, class T, std::size_t n>
[[gnu::always_inline]] inline T polynomial_part(const T* power, const double (&c)[n]) {
  if constexpr (count == 1) {
    return T(c[first]);
  } else {
    constexpr std::size_t low = std::bit_ceil(count) / 2;
    return polynomial_part<first, low>(power, c) +
           power[std::bit_width(low) - 1] * polynomial_part<first + low, count - low>(power, c);
  }
}

/// c[0] + c[1] z + c[2] z^2 ..., by halves (Estrin): the halves do not wait for each other as the steps of
/// Horner's rule do.
template <class T, std::size_t n>
[[gnu::always_inline]] inline T polynomial(const T& z, const double (&c)[n]) {
  static_assert(n >= 2 && n <= 16);
  const T z2 = z * z, z4 = z2 * z2;
  const T power[] = {z, z2, z4, z4 * z4};
  return polynomial_part<0, n>(power, c);
}

// --- numbers of twice the digits (Dekker, 1971) --------------------------------------------------

/// head + tail, the tail being much smaller.
template <class T>
struct Twice {
  T head, tail;
};

/// a + b, exact where |a| >= |b| or a = 0.
template <class T>
[[gnu::always_inline]] inline Twice<T> ordered_sum(const T& a, const T& b) {
  const T head = a + b;
  return {head, b - (head - a)};
}

/// The upper 26 of the 53 bits: a product of two such is exact, and so is one with the rest of 27 bits.
template <class T>
[[gnu::always_inline]] inline T upper_half(const T& x) {
  return value_of(bits_of(x) & ~std::int64_t{0x7ffffff});
}

/// x^2: the head is the exact square of the upper half.
template <class T>
[[gnu::always_inline]] inline Twice<T> long_square(const T& x) {
  const T upper = upper_half(x);
  return {upper * upper, (x - upper) * (x + upper)};
}

/// A quotient as head + tail, the head an upper half; and within two units of it, at hand earlier than the
/// tail.
template <class T>
struct Quotient {
  T head, tail, nearly;
};

/// n / d: what the head leaves over is divided once more.
template <class T>
[[gnu::always_inline]] inline Quotient<T> quotient(const Twice<T>& n, const Twice<T>& d) {
  const T inverse = 1.0 / d.head, nearly = n.head * inverse;
  const T q = upper_half(nearly), upper = upper_half(d.head);
  const T left = (n.head - q * upper) - q * (d.head - upper);
  return {q, (left + (n.tail - q * d.tail)) * inverse, nearly};
}

}  // namespace vinculum::kernel
