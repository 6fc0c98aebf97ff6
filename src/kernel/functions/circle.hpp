// Sine, cosine and tangent.
#pragma once
#include "kernel/functions/arithmetic.hpp"

namespace vinculum::kernel {

/// Up to here the reduction below is exact enough: quarters < 2^20 have 20 bits, which times 33 bits is exact
/// in 53.
inline constexpr double largest_reduced = 0x1p20;

/// For any x: beyond largest_reduced with more digits of pi, not a number for infinite x.
double any_sine(double x);
double any_cosine(double x);
double any_tangent(double x);

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

  const T shifted = x * per_quarter + rounder;
  const T n = shifted - rounder;
  const T r1 = x - n * P1;
  const T w2 = n * P2, r2 = r1 - w2, tail2 = (r1 - r2) - w2;
  const T w3 = n * P3, r3 = r2 - w3, tail3 = (r2 - r3) - w3;
  return {r3, (tail2 + tail3) - n * P4, bits_of(shifted)};
}

/// sin(x + tail) - x for |x| <= pi/4; coefficients of fdlibm (Sun Microsystems, 1993), error below 2^-58.
template <class T>
[[gnu::always_inline]] inline T sine_less_angle(const T& x, const T& tail) {
  constexpr double S1 = -1.66666666666666324348e-01, S2 = 8.33333333332248946124e-03,
                   S3 = -1.98412698298579493134e-04, S4 = 2.75573137070700676789e-06,
                   S5 = -2.50507602534068634195e-08, S6 = 1.58969099521155010221e-10;
  const T z = x * x, cube = z * x;
  const T p = (S2 + z * (S3 + z * S4)) + z * (z * z) * (S5 + z * S6);
  return cube * S1 - (z * (0.5 * tail - cube * p) - tail);
}

/// cos(x) - 1 + z/2 for |x| <= pi/4, z = x^2; the same source.
template <class T>
[[gnu::always_inline]] inline T cosine_rest(const T& z) {
  constexpr double C1 = 4.16666666666666019037e-02, C2 = -1.38888888888741095749e-03,
                   C3 = 2.48015872894767294178e-05, C4 = -2.75573143513906633035e-07,
                   C5 = 2.08757232129817482790e-09, C6 = -1.13596475577881948265e-11;
  const T z2 = z * z;
  return z * (z * (C1 + z * (C2 + z * C3)) + (z2 * z2) * (C4 + z * (C5 + z * C6)));
}

/// cos(x + tail) for |x| <= pi/4. The rounding of 1 - z/2 is recovered and added.
template <class T>
[[gnu::always_inline]] inline T near_cosine(const T& x, const T& tail) {
  const T z = x * x, half = 0.5 * z, head = 1.0 - half;
  return head + (((1.0 - head) - half) + (cosine_rest(z) - x * tail));
}

/// The same with its tail, and with what the rounding of z lost.
template <class T>
[[gnu::always_inline]] inline Twice<T> long_cosine(const T& x, const T& tail) {
  const auto z = long_square(x);
  const T half = 0.5 * z.head, head = 1.0 - half;
  const T rest = cosine_rest(T(x * x)) - (0.5 * z.tail + x * tail);
  return ordered_sum(head, ((1.0 - head) - half) + rest);
}

/// sin(x) and cos(x) of a reduced |x|.
template <class T>
[[gnu::always_inline]] inline void sin_cos_of(const ReducedAngle<T>& at, const T& x, T& sine, T& cosine) {
  const T s = at.angle + sine_less_angle(at.angle, at.tail), c = near_cosine(at.angle, at.tail);
  const auto swap = odd(at.quarters);
  const auto sine_sign = ((at.quarters & 2) << 62) ^ (bits_of(x) & sign_bit);
  const auto cosine_sign = ((at.quarters + 1) & 2) << 62;
  sine = value_of(bits_of(select(swap, c, s)) ^ sine_sign);
  cosine = value_of(bits_of(select(swap, s, c)) ^ cosine_sign);
}

/// sin(x) and cos(x) within 1 unit in the last place. Exactly odd and even, because only |x| is reduced.
template <class T>
[[gnu::always_inline]] inline void sin_cos(const T& x, T& sine, T& cosine) {
  const T size = magnitude(x);
  sin_cos_of(reduce(size), x, sine, cosine);
  const bool near = all(size <= largest_reduced);
  sine = where_ordinary(near, sine, any_sine, x);
  cosine = where_ordinary(near, cosine, any_cosine, x);
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

/// tan(x) of a reduced |x|: sine over cosine, or minus cosine over sine after an odd number of quarters, both
/// with their tails.
template <class T>
[[gnu::always_inline]] inline T tangent_of(const ReducedAngle<T>& at, const T& x) {
  const auto s = ordered_sum(at.angle, sine_less_angle(at.angle, at.tail));
  const auto c = long_cosine(at.angle, at.tail);
  const auto swap = odd(at.quarters);
  const auto q = quotient<T>({select(swap, c.head, s.head), select(swap, c.tail, s.tail)},
                             {select(swap, s.head, c.head), select(swap, s.tail, c.tail)});
  return value_of(bits_of(q.head + q.tail) ^ (at.quarters << 63) ^ (bits_of(x) & sign_bit));
}

/// tan(x) within 1 unit in the last place, exactly odd.
template <class T>
[[gnu::always_inline]] inline T tangent(const T& x) {
  const T size = magnitude(x);
  return where_ordinary(all(size <= largest_reduced), tangent_of(reduce(size), x), any_tangent, x);
}

}  // namespace vinculum::kernel
