// What each operation does to its operands, on one lane (T = double) and on eight (T = Lanes<W>) by the same
// formula. Built without contraction of a*b + c, every formula gives the same bits on any number of lanes and
// on any hardware.
#pragma once
#include "kernel/functions/circle.hpp"
#include "kernel/functions/exponential.hpp"
#include "kernel/functions/hyperbolic.hpp"
#include "kernel/functions/inverse.hpp"
#include "kernel/functions/logarithm.hpp"
#include "kernel/functions/power.hpp"

namespace vinculum::kernel {

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

// --- functions as long formulas, part after part --------------------------------------------------

#define OF_PART(name, formula) \
  inline constexpr auto name = [](const auto&... x) __attribute__((always_inline)) { return formula(x...); };
OF_PART(tan_of_part, tangent)
OF_PART(asin_of_part, arc_sine)
OF_PART(acos_of_part, arc_cosine)
OF_PART(atan_of_part, arc_tangent)
OF_PART(sinh_of_part, hyperbolic_sine)
OF_PART(cosh_of_part, hyperbolic_cosine)
OF_PART(tanh_of_part, hyperbolic_tangent)
OF_PART(exp_of_part, exponential)
OF_PART(log_of_part, logarithm)
OF_PART(power_of_part, power)
OF_PART(atan2_of_part, angle)
OF_PART(hypot_of_part, hypotenuse)
#undef OF_PART

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
