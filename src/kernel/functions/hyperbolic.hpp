// The hyperbolic functions, made of the parts of the exponential one.
#pragma once
#include "kernel/functions/exponential.hpp"

namespace vinculum::kernel {

/// For any x: also where the result overflows.
double any_hyperbolic_sine(double x);
double any_hyperbolic_cosine(double x);

/// sinh(a) and cosh(a) of a >= 0, each times 2^(1 - twos).
template <class T>
struct Hyperbolic {
  Twice<T> sine, cosine;
  T twos;
};

/// exp(a) -+ exp(-a) with a = twos ln 2 + r, so 2^twos (exp(r) -+ 4^-twos exp(-r)): the two share their
/// polynomials. For twos = 0 the difference would lose digits, but then sinh(r) is at hand; it is taken up
/// to r = 3/4 ln 2, beyond which exp(-a) is less than 0.36 of exp(a).
template <class T>
[[gnu::always_inline]] inline Hyperbolic<T> hyperbolic(const T& a) {
  const auto at = reduce_exponent(a, T(0.0), nearest(T(a * per_two - 0.25)));
  const T r = at.rest, z = r * r, even = even_part(z), odd = odd_part(r, z);
  const auto up = near_exponential(r, at.tail, even + odd);
  const auto down = near_exponential(-r, -at.tail, even - odd);

  const T few = select(at.twos < 40.0, at.twos, T(40.0));  // 4^-40 changes nothing any more
  const T part = power_of_two(T(rounder - 2.0 * few));
  const auto difference = ordered_sum(up.head, -(part * down.head));
  const auto sum = ordered_sum(up.head, part * down.head);
  const auto small = at.twos < 0.5;
  return {{select(small, r + r, difference.head),
           select(small, odd + odd, difference.tail + (up.tail - part * down.tail))},
          {sum.head, sum.tail + (up.tail + part * down.tail)},
          at.twos};
}

/// sinh(x) within 1 unit in the last place, exactly odd.
template <class T>
[[gnu::always_inline]] inline T hyperbolic_sine(const T& x) {
  const T size = magnitude(x);
  const auto h = hyperbolic(size);
  const T result = turned(scaled(T(h.sine.head + h.sine.tail), T(h.twos - 1.0)), x);
  return where_ordinary(all(size <= largest_exponent), result, any_hyperbolic_sine, x);
}

/// cosh(x) within 1 unit in the last place, exactly even.
template <class T>
[[gnu::always_inline]] inline T hyperbolic_cosine(const T& x) {
  const T size = magnitude(x);
  const auto h = hyperbolic(size);
  const T result = scaled(T(h.cosine.head + h.cosine.tail), T(h.twos - 1.0));
  return where_ordinary(all(size <= largest_exponent), result, any_hyperbolic_cosine, x);
}

/// tanh(x) within 1 unit in the last place, exactly odd.
template <class T>
[[gnu::always_inline]] inline T hyperbolic_tangent(const T& x) {
  constexpr double where_one = 22.0;  // 1 - tanh = 2 exp(-44) is less than a quarter of a unit
  const T size = magnitude(x);
  const auto h = hyperbolic(select(where_one < size, T(where_one), size));
  const auto q = quotient(ordered_sum(h.sine.head, h.sine.tail), ordered_sum(h.cosine.head, h.cosine.tail));
  return turned(T(q.head + q.tail), x);
}

}  // namespace vinculum::kernel
