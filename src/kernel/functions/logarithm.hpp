// The logarithm.
#pragma once
#include "kernel/functions/exponential.hpp"

namespace vinculum::kernel {

inline constexpr double smallest_normal = std::numeric_limits<double>::min();

/// Is every lane so, and finite?
template <class T>
[[gnu::always_inline]] inline bool positive_and_normal(const T& x) {
  return all(smallest_normal <= select(x <= largest_finite, x, T(0.0)));
}

/// A normal x > 0 as 2^twos m, largest / 2 < m <= largest.
template <class T>
struct Mantissa {
  T m, twos;
};

template <class T>
[[gnu::always_inline]] inline Mantissa<T> mantissa(const T& x, double largest) {
  constexpr std::int64_t one = 0x3ff0'0000'0000'0000, of_rounder = 0x4330'0000'0000'0000;  // 2^52
  const T m = value_of((bits_of(x) & 0x000f'ffff'ffff'ffff) + one);
  const T twos = value_of(shifted_right(bits_of(x), 52) + of_rounder) - (0x1p52 + 1023);
  const auto large = largest < m;
  return {select(large, 0.5 * m, m), select(large, twos + 1.0, twos)};
}

inline constexpr double root_of_two = 0x1.6a09e667f3bcdp+0;

/// twos ln 2 + ln m, m up to the root of two; s = f / (2 + f), f = m - 1, ln m = 2 atanh(s) = f - f^2/2 + s
/// (f^2/2 + R). Coefficients of fdlibm (Sun Microsystems, 1993), error below 2^-58.
template <class T>
[[gnu::always_inline]] inline T near_logarithm(const Mantissa<T>& at) {
  constexpr double R[] = {6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01,
                          2.222219843214978396e-01, 1.818357216161805012e-01, 1.531383769920937332e-01,
                          1.479819860511658591e-01};
  const T f = at.m - 1.0, s = f / (2.0 + f), z = s * s, half = 0.5 * f * f;
  const T low = s * (half + z * polynomial(z, R)) + at.twos * L2;
  return at.twos * L1 - ((half - low) - f);
}

/// For any x: also where it is subnormal, zero, negative or infinite.
double any_logarithm(double x);

/// ln(x) within 1 unit in the last place.
template <class T>
[[gnu::always_inline]] inline T logarithm(const T& x) {
  return where_ordinary(positive_and_normal(x), near_logarithm(mantissa(x, root_of_two)), any_logarithm, x);
}

}  // namespace vinculum::kernel
