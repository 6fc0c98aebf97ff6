// Eight numbers side by side, and what one number and eight are asked alike: formulas are written once for
// both.
#pragma once
#include <cmath>
#include <cstdint>

namespace vinculum {

/// Eight numbers that are treated alike. Plain loops: the compiler turns them into vector instructions.
struct alignas(64) Eight {
  double lane[8];
  Eight() = default;
  [[gnu::always_inline]] Eight(
      double x) {  // NOLINT(google-explicit-constructor): constants stand in formulas
    _Pragma("GCC unroll 1") for (double& v : lane) v = x;
  }
};
#define VINCULUM_EIGHT(op)                                                                  \
  [[gnu::always_inline]] inline Eight operator op(const Eight& a, const Eight& b) {         \
    Eight c;                                                                                \
    _Pragma("GCC unroll 1") for (int k = 0; k < 8; ++k) c.lane[k] = a.lane[k] op b.lane[k]; \
    return c;                                                                               \
  }                                                                                         \
  [[gnu::always_inline]] inline Eight& operator op##=(Eight & a, const Eight & b) {         \
    _Pragma("GCC unroll 1") for (int k = 0; k < 8; ++k) a.lane[k] op## = b.lane[k];         \
    return a;                                                                               \
  }
VINCULUM_EIGHT(+)
VINCULUM_EIGHT(-)
VINCULUM_EIGHT(*)
VINCULUM_EIGHT(/)
#undef VINCULUM_EIGHT

[[gnu::always_inline]] inline double magnitude(double x) { return std::fabs(x); }
[[gnu::always_inline]] inline Eight magnitude(Eight x) {
  _Pragma("GCC unroll 1") for (double& v : x.lane) v = std::fabs(v);
  return x;
}
/// 1 where a <= b, else 0: also for a that is not a number.
[[gnu::always_inline]] inline double at_most(double a, double b) { return a <= b ? 1.0 : 0.0; }
[[gnu::always_inline]] inline Eight at_most(const Eight& a, const Eight& b) {
  Eight c;
  _Pragma("GCC unroll 1") for (int k = 0; k < 8; ++k) c.lane[k] = a.lane[k] <= b.lane[k] ? 1.0 : 0.0;
  return c;
}

// --- Choices
// ------------------------------------------------------------------------------------------------

/// What holds of each of eight: all bits, or none.
struct alignas(64) EightTruths {
  std::int64_t lane[8];
  EightTruths() = default;
  [[gnu::always_inline]] explicit EightTruths(bool x) {
    for (std::int64_t& v : lane) v = x ? -1 : 0;
  }
};

template <class X>
struct TruthOf {
  using Type = bool;
};
template <>
struct TruthOf<Eight> {
  using Type = EightTruths;
};
template <class X>
using truth_of = typename TruthOf<X>::Type;

[[gnu::always_inline]] inline EightTruths operator>(const Eight& a, const Eight& b) {
  EightTruths c;
  _Pragma("GCC unroll 1") for (int k = 0; k < 8; ++k) c.lane[k] = a.lane[k] > b.lane[k] ? -1 : 0;
  return c;
}
[[gnu::always_inline]] inline EightTruths operator<=(const Eight& a, const Eight& b) {
  EightTruths c;
  _Pragma("GCC unroll 1") for (int k = 0; k < 8; ++k) c.lane[k] = a.lane[k] <= b.lane[k] ? -1 : 0;
  return c;
}
[[gnu::always_inline]] inline EightTruths operator==(const Eight& a, const Eight& b) {
  EightTruths c;
  _Pragma("GCC unroll 1") for (int k = 0; k < 8; ++k) c.lane[k] = a.lane[k] == b.lane[k] ? -1 : 0;
  return c;
}
[[gnu::always_inline]] inline bool holds_for_all(bool x) { return x; }
[[gnu::always_inline]] inline bool holds_for_all(const EightTruths& x) {
  std::int64_t all = -1;
  _Pragma("GCC unroll 1") for (const std::int64_t v : x.lane) all &= v;
  return all != 0;
}
[[gnu::always_inline]] inline bool both(bool a, bool b) { return a && b; }
[[gnu::always_inline]] inline EightTruths both(EightTruths a, const EightTruths& b) {
  _Pragma("GCC unroll 1") for (int k = 0; k < 8; ++k) a.lane[k] &= b.lane[k];
  return a;
}
[[gnu::always_inline]] inline bool but_not(bool a, bool b) { return a && !b; }
[[gnu::always_inline]] inline EightTruths but_not(EightTruths a, const EightTruths& b) {
  _Pragma("GCC unroll 1") for (int k = 0; k < 8; ++k) a.lane[k] &= ~b.lane[k];
  return a;
}
[[gnu::always_inline]] inline double select(bool which, double a, double b) { return which ? a : b; }
[[gnu::always_inline]] inline Eight select(const EightTruths& which, const Eight& a, const Eight& b) {
  Eight c;
  _Pragma("GCC unroll 1") for (int k = 0; k < 8; ++k) c.lane[k] = which.lane[k] != 0 ? a.lane[k] : b.lane[k];
  return c;
}
/// As std::max has it: a unless b is larger.
[[gnu::always_inline]] inline double larger(double a, double b) { return a < b ? b : a; }
[[gnu::always_inline]] inline Eight larger(Eight a, const Eight& b) {
  _Pragma("GCC unroll 1") for (int k = 0; k < 8; ++k) a.lane[k] =
      a.lane[k] < b.lane[k] ? b.lane[k] : a.lane[k];
  return a;
}
[[gnu::always_inline]] inline double root(double x) { return std::sqrt(x); }
[[gnu::always_inline]] inline Eight root(Eight x) {
  _Pragma("GCC unroll 1") for (double& v : x.lane) v = std::sqrt(v);
  return x;
}

}  // namespace vinculum
