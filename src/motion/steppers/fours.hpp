// Four numbers of a state in a vector register, wherever they lie; what is written for one number holds for
// them, too.
#pragma once
#include <cmath>
#include <cstdint>

#include "motion/steppers/stepper.hpp"

namespace vinculum {

using Four [[gnu::vector_size(32), gnu::aligned(8), gnu::may_alias]] = double;
using FourTruths [[gnu::vector_size(32)]] = std::int64_t;

/// How many are looked at together. (As an argument of a template `Four` would lose where it may lie.)
struct OneByOne {
  using Number = double;
};
struct FourByFour {
  using Number = Four;
};

/// Number `at`, or those from there on.
template <class Many>
[[gnu::always_inline]] inline typename Many::Number read(const double* x, int at) {
  return *reinterpret_cast<const typename Many::Number*>(x + at);
}
template <class Many>
[[gnu::always_inline]] inline void write(double* x, int at, const typename Many::Number& number) {
  *reinterpret_cast<typename Many::Number*>(x + at) = number;
}
[[gnu::always_inline]] inline double magnitude_of(double x) { return std::fabs(x); }
[[gnu::always_inline]] inline Four magnitude_of(const Four& x) { return x < 0.0 ? -x : x; }
/// As std::max has it.
[[gnu::always_inline]] inline double larger_of(double a, double b) { return a < b ? b : a; }
[[gnu::always_inline]] inline Four larger_of(const Four& a, const Four& b) { return a < b ? b : a; }

/// What errors of the numbers from y to y_new are allowed, as Tolerance::of() has it.
struct AllowedErrors {
  AllowedErrors(const Tolerance& tolerance, const double* from, const double* to)
      : size(tolerance.sizes->all().data()),
        noise(tolerance.sizes->all_noise().data()),
        y(from),
        y_new(to),
        absolute(tolerance.absolute),
        relative(tolerance.relative) {}
  template <class Many>
  [[gnu::always_inline]] typename Many::Number of(int at) const {
    const typename Many::Number a = magnitude_of(read<Many>(y, at)), b = magnitude_of(read<Many>(y_new, at));
    return absolute + relative * larger_of(larger_of(read<Many>(size, at), a), b) + read<Many>(noise, at);
  }
  const double *size, *noise, *y, *y_new;
  double absolute, relative;
};

/// act(at, FourByFour()), or OneByOne() where there are less than four: every number once, but for the last
/// four, which may overlap those before.
template <class Act>
[[gnu::always_inline]] inline void for_fours(int from, int to, Act act) {
  if (to - from < 4) {
    for (int at = from; at < to; ++at) act(at, OneByOne());
    return;
  }
  for (int at = from; at + 4 < to; at += 4) act(at, FourByFour());
  act(to - 4, FourByFour());
}

}  // namespace vinculum
