// Powers, and the root of a sum of squares.
#pragma once
#include "kernel/functions/exponential.hpp"
#include "kernel/functions/logarithm.hpp"

namespace vinculum::kernel {

inline constexpr double root_of_three = 0x1.bb67ae8584caap+0;

/// twos ln 2 + ln m, m up to the root of three, with 2^-65 of error, relative; the head is an upper half.
/// With c = 1 or 3/2 near m, and s = (m - c) / (m + c), |s| < 0.102,
///     ln m = ln c + 2/3 s (3 + s^2 + s^4 (3/5 + 3/7 s^2 + ...))
/// in heads of 26 bits, whose products are exact (as fdlibm does, Sun Microsystems, 1993). The polynomial
/// goes through Chebyshev points (chebyfit of mpmath, 60 digits), error below 2^-76.
template <class T>
[[gnu::always_inline]] inline Twice<T> long_logarithm(const Mantissa<T>& at) {
  constexpr double R[] = {0x1.3333333333333p-1, 0x1.b6db6db6db6b3p-2, 0x1.5555555564993p-2,
                          0x1.1745d1515fc1dp-2, 0x1.d89dd62c06782p-3, 0x1.996eecb137fe9p-3,
                          0x1.75343d71a0cc3p-3};
  constexpr double ln_c = 0x1.9f323ecap-2,
                   ln_c_tail = 0x1.f984bf2b68d76p-34;  // of 3/2; sums with L1 are exact
  constexpr double two_thirds = 0x1.5555555555555p-1, upper_two_thirds = 0x1.5555550000000p-1,
                   lower_two_thirds = 0x1.5555555555555p-27;

  const auto middle = 0x1.3988e1409212ep+0 < at.m;  // the root of 3/2
  const T c = select(middle, T(1.5), T(1.0));
  const T f = at.m - c, d = at.m + c, inverse = 1.0 / d, s = f * inverse;
  const T d1 = upper_half(d), d2 = at.m - (d1 - c);
  const T s1 = upper_half(s), s2 = ((f - s1 * d1) - s1 * d2) * inverse;

  const T z = s * s, z1 = s1 * s1;
  const T rest = z * z * polynomial(z, R) + s2 * (s1 + s);
  const T t1 = upper_half(T((3.0 + z1) + rest)), t2 = rest - ((t1 - 3.0) - z1);
  const T u = s1 * t1, v = s2 * t1 + t2 * s;
  const T p1 = upper_half(T(u + v)), p2 = v - (p1 - u);

  const T start = at.twos * L1 + select(middle, T(ln_c), T(0.0));
  const T head = upper_two_thirds * p1;
  const T tail =
      (lower_two_thirds * p1 + two_thirds * p2) + (at.twos * L2 + select(middle, T(ln_c_tail), T(0.0)));
  const T sum = upper_half(T((head + tail) + start));
  return {sum, tail - ((sum - start) - head)};
}

/// The exponent y ln(2^twos m), for |y| <= largest_power.
inline constexpr double largest_power = 0x1p64;
template <class T>
[[gnu::always_inline]] inline Twice<T> exponent_of_power(const Mantissa<T>& at, const T& y) {
  const auto log = long_logarithm(at);
  const T upper = upper_half(y);
  return {upper * log.head, (y - upper) * log.head + y * log.tail};
}

/// For any x and y.
double any_power(double x, double y);

/// x^y within 1 unit in the last place.
template <class T>
[[gnu::always_inline]] inline T power(const T& x, const T& y) {
  const auto p = exponent_of_power(mantissa(x, root_of_three), y);
  const auto at = reduce_exponent(p.head, p.tail, nearest(T(p.head * per_two)));
  // A y that is not a number, or too large, does not pass by its product; that has a tail beside it: hence
  // less than largest_exponent.
  const bool ordinary = positive_and_normal(x) && all(magnitude(p.head) <= 707.0);
  return where_ordinary(ordinary, scaled(exponential_of(at), at.twos), any_power, x, y);
}

template <class T>
[[gnu::always_inline]] inline T square(const T& x) {
  return x * x;
}

/// x^n by repeated squaring, 1 / x^|n| for negative n; x^0 = 1 whatever x is.
template <class T>
[[gnu::always_inline]] inline T integer_power(const T& base, std::int32_t n) {
  T x = base, result = 1.0;
  for (std::uint32_t rest = n < 0 ? 0u - static_cast<std::uint32_t>(n) : static_cast<std::uint32_t>(n);
       rest != 0;) {
    if (rest & 1) result = result * x;
    rest >>= 1;
    if (rest != 0) x = x * x;
  }
  return n < 0 ? T(1.0 / result) : result;
}

/// The root of x^2 + y^2, whose squares are exact, after scaling by a power of two: 1/2 unit of the root, and
/// the rounding of the sum, which the root makes 0.36 of a unit at most.
template <class T>
[[gnu::always_inline]] inline T hypotenuse(const T& x, const T& y) {
  const T a = magnitude(x), b = magnitude(y);
  const T large = select(a < b, b, a), small = select(a < b, a, b);
  const auto huge = 0x1p500 < large, tiny = large < 0x1p-450;
  const T scale = select(huge, T(0x1p-600), select(tiny, T(0x1p600), T(1.0)));
  const T back = select(huge, T(0x1p600), select(tiny, T(0x1p-600), T(1.0)));
  const T p = large * scale, q = small * scale;
  const auto p2 = long_square(p), q2 = long_square(q), sum = ordered_sum(p2.head, q2.head);
  const T root = square_root(T(sum.head + (sum.tail + (p2.tail + q2.tail)))) * back;
  return select(largest_finite < a, a, select(largest_finite < b, b, root));
}

}  // namespace vinculum::kernel
