// The exponential function.
#pragma once
#include "kernel/functions/arithmetic.hpp"

namespace vinculum::kernel {

/// ln 2 = L1 + L2, L1 with 32 bits: its product with an exponent is exact.
inline constexpr double L1 = 0x1.62e42feep-1, L2 = 0x1.a39ef35793c76p-33;

/// Up to here exp(x) and exp(-x) are normal numbers.
inline constexpr double largest_exponent = 708.0;

/// For any x: also where the result overflows or is subnormal.
double any_exponential(double x);

/// x = twos ln 2 + (rest + tail).
template <class T>
struct ReducedExponent {
  T rest, tail, twos;
};

inline constexpr double per_two = 0x1.71547652b82fep+0;  // 1 / ln 2

/// x + tail without an integer number of times ln 2.
template <class T>
[[gnu::always_inline]] inline ReducedExponent<T> reduce_exponent(const T& x, const T& tail, const T& twos) {
  const T most = x - twos * L1, less = twos * L2 - tail, rest = most - less;
  return {rest, (most - rest) - less, twos};
}

/// cosh(r) - 1 and sinh(r) - r for |r| <= 3/4 ln 2, z = r^2. Polynomials through Chebyshev points (chebyfit
/// of mpmath, 60 digits), error below 2^-58 and 2^-63.
template <class T>
[[gnu::always_inline]] inline T even_part(const T& z) {
  constexpr double C[] = {0x1.555555555555ap-5, 0x1.6c16c16c0ffb5p-10, 0x1.a01a01d22cc98p-16,
                          0x1.27e479eed7917p-22, 0x1.1fff0349fc059p-29};
  return 0.5 * z + z * z * polynomial(z, C);
}
template <class T>
[[gnu::always_inline]] inline T odd_part(const T& r, const T& z) {
  constexpr double S[] = {0x1.5555555555555p-3,  0x1.1111111111128p-7,  0x1.a01a01a00ad4dp-13,
                          0x1.71de3a913fbefp-19, 0x1.ae63814f6d42bp-26, 0x1.628269b0bdaa4p-33};
  return r * z * polynomial(z, S);
}

/// exp(r + tail), where even + odd = exp(r) - 1 - r. The rounding of 1 + r is recovered and is in the tail.
template <class T>
[[gnu::always_inline]] inline Twice<T> near_exponential(const T& r, const T& tail, const T& even_and_odd) {
  const T head = 1.0 + r;
  return {head, ((r - (head - 1.0)) + tail * head) + even_and_odd};
}

/// exp(rest + tail).
template <class T>
[[gnu::always_inline]] inline T exponential_of(const ReducedExponent<T>& at) {
  const T z = at.rest * at.rest;
  const auto e = near_exponential(at.rest, at.tail, even_part(z) + odd_part(at.rest, z));
  return e.head + e.tail;
}

/// exp(x) within 1 unit in the last place.
template <class T>
[[gnu::always_inline]] inline T exponential(const T& x) {
  const auto at = reduce_exponent(x, T(0.0), nearest(T(x * per_two)));
  const bool ordinary = all(magnitude(x) <= largest_exponent);
  return where_ordinary(ordinary, scaled(exponential_of(at), at.twos), any_exponential, x);
}

}  // namespace vinculum::kernel
