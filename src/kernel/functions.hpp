// What each operation does to its operands, on one lane (T = double) and on eight (T = Lanes<W>) by the same
// formula. Built without contraction of a*b + c, every formula gives the same bits on any number of lanes and
// on any hardware.
#pragma once
#include <cmath>

#include "kernel/lanes.hpp"

namespace vinculum::kernel {

// --- sine and cosine -----------------------------------------------------------------------------

/// Up to here the reduction below is exact enough: quarters < 2^20 have 20 bits, which times 33 bits is exact
/// in 53.
inline constexpr double largest_reduced = 0x1p20;

/// near, or the library's function where |x| > largest_reduced, infinite or not a number.
double sine_or_far(double x, double near);
double cosine_or_far(double x, double near);

/// An angle x >= 0 as quarters * pi/2 + (angle + tail), |angle| <= pi/4, |tail| below half a unit of angle.
template <class T>
struct ReducedAngle {
  T angle, tail;
  decltype(bits_of(T())) quarters;  // in the two lowest bits
};

/// pi/2 = P1 + P2 + P3 + P4 with 33 bits in each of the first three (Cody and Waite): the products with the
/// number of quarters are exact and so are the differences, with the tails kept, however close x is to a
/// multiple of pi/2.
template <class T>
[[gnu::always_inline]] inline ReducedAngle<T> reduce(const T& x) {
  constexpr double per_quarter = 0x1.45f306dc9c883p-1;  // 2/pi
  constexpr double P1 = 0x1.921fb544p+0, P2 = 0x1.0b4611a6p-34, P3 = 0x1.3198a2ep-69,
                   P4 = 0x1.b839a252049c1p-104;
  constexpr double rounder = 0x1.8p52;  // adding it leaves no bits behind the point: the nearest integer

  const T shifted = x * per_quarter + rounder;
  const T n = shifted - rounder;
  const T r1 = x - n * P1;
  const T w2 = n * P2, r2 = r1 - w2, tail2 = (r1 - r2) - w2;
  const T w3 = n * P3, r3 = r2 - w3, tail3 = (r2 - r3) - w3;
  return {r3, (tail2 + tail3) - n * P4, bits_of(shifted)};
}

/// sin(x + tail) for |x| <= pi/4; coefficients of fdlibm (Sun Microsystems, 1993), error below 2^-58.
template <class T>
[[gnu::always_inline]] inline T near_sine(const T& x, const T& tail) {
  constexpr double S1 = -1.66666666666666324348e-01, S2 = 8.33333333332248946124e-03,
                   S3 = -1.98412698298579493134e-04, S4 = 2.75573137070700676789e-06,
                   S5 = -2.50507602534068634195e-08, S6 = 1.58969099521155010221e-10;
  const T z = x * x, cube = z * x;
  const T p = (S2 + z * (S3 + z * S4)) + z * (z * z) * (S5 + z * S6);
  return x - ((z * (0.5 * tail - cube * p) - tail) - cube * S1);
}

/// cos(x + tail) for |x| <= pi/4, the same source. The rounding of 1 - z/2 is recovered and added.
template <class T>
[[gnu::always_inline]] inline T near_cosine(const T& x, const T& tail) {
  constexpr double C1 = 4.16666666666666019037e-02, C2 = -1.38888888888741095749e-03,
                   C3 = 2.48015872894767294178e-05, C4 = -2.75573143513906633035e-07,
                   C5 = 2.08757232129817482790e-09, C6 = -1.13596475577881948265e-11;
  const T z = x * x, z2 = z * z;
  const T p = z * (C1 + z * (C2 + z * C3)) + (z2 * z2) * (C4 + z * (C5 + z * C6));
  const T half = 0.5 * z, head = 1.0 - half;
  return head + (((1.0 - head) - half) + (z * p - x * tail));
}

template <class T>
[[gnu::always_inline]] inline T magnitude(const T& x) {
  return value_of(bits_of(x) & ~sign_bit);
}

/// sin(x) and cos(x) within 1 unit in the last place. Exactly odd and even, because only |x| is reduced.
template <class T>
[[gnu::always_inline]] inline void sin_cos(const T& x, T& sine, T& cosine) {
  const T size = magnitude(x);
  const auto at = reduce(size);
  const T s = near_sine(at.angle, at.tail), c = near_cosine(at.angle, at.tail);
  const auto swap = odd(at.quarters);
  const auto sine_sign = ((at.quarters & 2) << 62) ^ (bits_of(x) & sign_bit);
  const auto cosine_sign = ((at.quarters + 1) & 2) << 62;
  sine = value_of(bits_of(select(swap, c, s)) ^ sine_sign);
  cosine = value_of(bits_of(select(swap, s, c)) ^ cosine_sign);
  if (!all(size <= largest_reduced)) [[unlikely]] {
    sine = per_lane(sine_or_far, x, sine);
    cosine = per_lane(cosine_or_far, x, cosine);
  }
}

template <class T>
[[gnu::always_inline]] inline T sine(const T& x) {
  T s, c;
  sin_cos(x, s, c);
  return s;
}
template <class T>
[[gnu::always_inline]] inline T cosine(const T& x) {
  T s, c;
  sin_cos(x, s, c);
  return c;
}

/// sin(x), with cos(x) written to a register.
template <class T>
[[gnu::always_inline]] inline T sine_with_cosine(const T& x, double* file, std::uint32_t cosine_register) {
  T s, c;
  sin_cos(x, s, c);
  store(c, file, cosine_register);
  return s;
}

// --- powers and roots ----------------------------------------------------------------------------

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

[[gnu::always_inline]] inline double square_root(double x) { return std::sqrt(x); }

template <int W>
[[gnu::always_inline]] inline Lanes<W> square_root(const Lanes<W>& x) {
  Lanes<W> root;
  for (int k = 0; k < root.parts; ++k) {
    for (int lane = 0; lane < W; ++lane) root.part[k][lane] = std::sqrt(x.part[k][lane]);
  }
  return root;
}

// --- choices -------------------------------------------------------------------------------------

/// -1, 0 or 1; a zero or a not-a-number is its own sign.
template <class T>
[[gnu::always_inline]] inline T sign(const T& x) {
  return select(0.0 < x, T(1.0), select(x < 0.0, T(-1.0), x));
}

/// The smaller; where neither is, one of them is not a number, and so is their sum. (g++ 12 takes a != a on
/// eight doubles apart into single ones, so the usual test is no way.)
template <class T>
[[gnu::always_inline]] inline T minimum(const T& a, const T& b) {
  return select(a < b, a, select(b <= a, b, a + b));
}
template <class T>
[[gnu::always_inline]] inline T maximum(const T& a, const T& b) {
  return select(b < a, a, select(a <= b, b, a + b));
}

template <class T>
[[gnu::always_inline]] inline T less(const T& a, const T& b) {
  return select(a < b, T(1.0), T(0.0));
}
template <class T>
[[gnu::always_inline]] inline T less_equal(const T& a, const T& b) {
  return select(a <= b, T(1.0), T(0.0));
}

// --- functions of the C library, called lane after lane ------------------------------------------

inline constexpr auto library_power = [](double x, double y) { return std::pow(x, y); };
inline constexpr auto library_tan = [](double x) { return std::tan(x); };
inline constexpr auto library_asin = [](double x) { return std::asin(x); };
inline constexpr auto library_acos = [](double x) { return std::acos(x); };
inline constexpr auto library_atan = [](double x) { return std::atan(x); };
inline constexpr auto library_sinh = [](double x) { return std::sinh(x); };
inline constexpr auto library_cosh = [](double x) { return std::cosh(x); };
inline constexpr auto library_tanh = [](double x) { return std::tanh(x); };
inline constexpr auto library_exp = [](double x) { return std::exp(x); };
inline constexpr auto library_log = [](double x) { return std::log(x); };
inline constexpr auto library_atan2 = [](double y, double x) { return std::atan2(y, x); };
inline constexpr auto library_hypot = [](double x, double y) { return std::hypot(x, y); };

// --- functions of the user, called lane after lane -----------------------------------------------

/// The arguments are the registers from at.a on, `stride` lanes each; one number for each lane goes to `out`.
void call_function(const Instruction& at, const double* file, int stride, double* out);

[[gnu::always_inline]] inline double call_on_lanes(double, const double* file, const Instruction& at) {
  double value;
  call_function(at, file, 1, &value);
  return value;
}
template <int W>
[[gnu::always_inline]] inline Lanes<W> call_on_lanes(const Lanes<W>&, const double* file,
                                                     const Instruction& at) {
  alignas(64) double lane[lane_count];
  call_function(at, file, lane_count, lane);
  Lanes<W> result;
  load(result, lane, 0);
  return result;
}

}  // namespace vinculum::kernel
