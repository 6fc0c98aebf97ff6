// The inverse functions of the circle.
#pragma once
#include "kernel/functions/arithmetic.hpp"

namespace vinculum::kernel {

/// pi/2 and what its rounding lost.
inline constexpr double quarter = 0x1.921fb54442d18p+0, quarter_tail = 0x1.1a62633145c07p-54;

// --- the angle of a point ------------------------------------------------------------------------

/// 1 - atan(t) / t for |t| <= 1/4, z = t^2. Polynomial through Chebyshev points (chebyfit of mpmath, 60
/// digits), error below 2^-61.
template <class T>
[[gnu::always_inline]] inline T arc_lag(const T& z) {
  constexpr double C[] = {0x1.5555555555555p-2,  -0x1.9999999999815p-3, 0x1.2492492469c29p-3,
                          -0x1.c71c719302309p-4, 0x1.745d067597759p-4,  -0x1.3b10a28e789aap-4,
                          0x1.10bd064002fffp-4,  -0x1.d7412a8d5c85ap-5, 0x1.5005923b76ca6p-5};
  return z * polynomial(z, C);
}

/// The angle of the point (x, y), where the larger of |x| and |y| is in the ordinary range and the smaller
/// is, too, or zero. With n <= d the two sizes and c = 0, 1/2 or 1 near n/d
///     atan(n/d) = atan(c) + atan(t),   t = (n - c d) / (d + c n),   |t| <= 1/4
/// where n - c d is exact. The axis it is counted from is at 0, pi/2 or pi.
template <class T>
[[gnu::always_inline]] inline T near_angle(const T& y, const T& x) {
  constexpr double atan_half = 0x1.dac670561bb4fp-2, atan_half_tail = 0x1.a2b7f222f65e2p-56;
  const T a = magnitude(x), b = magnitude(y);
  const auto steep = a < b;
  const T d = select(steep, b, a), n = select(steep, a, b);
  const auto flat = n < 0.25 * d, middle = n < 0.71875 * d;
  const T c = select(flat, T(0.0), select(middle, T(0.5), T(1.0)));
  const T from = select(flat, T(0.0), select(middle, T(atan_half), T(0.5 * quarter)));
  const T from_tail = select(flat, T(0.0), select(middle, T(atan_half_tail), T(0.5 * quarter_tail)));

  const auto t = quotient<T>({n - c * d, T(0.0)}, ordered_sum(d, T(c * n)));
  const T low = from_tail + (t.tail - t.nearly * arc_lag(T(t.nearly * t.nearly)));

  const T one = turned(T(1.0), x), sense = select(steep, -one, one);
  const T axis = select(steep, T(1.0), 1.0 - one);
  const auto start = ordered_sum(T(axis * quarter), T(sense * from));
  const T rest = sense * t.head + (start.tail + (axis * quarter_tail + sense * low));
  return turned(T(start.head + rest), y);
}

/// For any x and y.
double any_angle(double y, double x);

/// atan2(y, x) within 1 unit in the last place.
template <class T>
[[gnu::always_inline]] inline T angle(const T& y, const T& x) {
  constexpr double least = 0x1p-500, most = 0x1p500;
  const T a = magnitude(x), b = magnitude(y);
  const T large = select(a < b, b, a), small = select(a < b, a, b);
  const T smallest = select(small <= 0.0, large, small);
  const auto ordinary = least <= select(large <= most, smallest, T(0.0));
  return where_ordinary(all(ordinary), near_angle(y, x), any_angle, y, x);
}

/// atan(x): the angle of (1, x). A tiny x comes through exactly, a huge one is as good as 2^500.
template <class T>
[[gnu::always_inline]] inline T arc_tangent(const T& x) {
  const T size = magnitude(x);
  return turned(near_angle(select(0x1p500 < size, T(0x1p500), size), T(1.0)), x);
}

// --- arcs of a sine and a cosine -----------------------------------------------------------------

/// asin(v) / v - 1 for z = v^2 <= 1/4. Polynomial through Chebyshev points (chebyfit of mpmath, 60 digits),
/// error below 2^-61.
template <class T>
[[gnu::always_inline]] inline T arc_lead(const T& z) {
  constexpr double C[] = {0x1.5555555555555p-3,  0x1.3333333333389p-4, 0x1.6db6db6dac0eap-5,
                          0x1.f1c71c7a5e151p-6,  0x1.6e8ba121b9d5fp-6, 0x1.1c4efd20ebb99p-6,
                          0x1.c990a42b32b03p-7,  0x1.7b02ef007d23ep-7, 0x1.3b462d121c5d3p-7,
                          0x1.31777489dfd29p-7,  0x1.8dcdf11997e12p-9, 0x1.40c91fa8deb7ep-6,
                          -0x1.3bd7e353ddbc1p-6, 0x1.e58a4f278e006p-6};
  return z * polynomial(z, C);
}

/// asin(a) for a <= 1/2, and 2 asin(sqrt((1 - a)/2)) = acos(a) above: head + tail.
template <class T>
[[gnu::always_inline]] inline Twice<T> half_arc(const T& a) {
  constexpr double not_zero = 0x1p-1000;  // nothing beside a root that is not zero
  const auto steep = 0.5 < a;
  const T z = select(steep, 0.5 * (1.0 - a), a * a);
  const T root = square_root(z);
  const auto back = long_square(root);
  const T lost = ((z - back.head) - back.tail) / (root + not_zero);  // twice what the root lost
  const T v = select(steep, 2.0 * root, a);
  return {v, select(steep, lost, T(0.0)) + v * arc_lead(z)};
}

/// asin(x) within 1 unit in the last place, exactly odd; not a number for |x| > 1.
template <class T>
[[gnu::always_inline]] inline T arc_sine(const T& x) {
  const T a = magnitude(x);
  const auto arc = half_arc(a);
  const auto steep = 0.5 < a;
  const auto rest = ordered_sum(T(quarter), -arc.head);
  return turned(select(steep, rest.head + (rest.tail + (quarter_tail - arc.tail)), arc.head + arc.tail), x);
}

/// acos(x) within 1 unit in the last place; not a number for |x| > 1.
template <class T>
[[gnu::always_inline]] inline T arc_cosine(const T& x) {
  const T a = magnitude(x);
  const auto arc = half_arc(a);
  const T one = turned(T(1.0), x);
  const auto steep = 0.5 < a;
  const T axis = select(steep, 1.0 - one, T(1.0)), sense = select(steep, one, -one);
  const auto start = ordered_sum(T(axis * quarter), T(sense * arc.head));
  return start.head + (start.tail + (axis * quarter_tail + sense * arc.tail));
}

}  // namespace vinculum::kernel
