// Numbers of the elimination as expressions.
#pragma once
#include <cmath>
#include <utility>
#include <vector>

#include "vinculum/expr/derivative.hpp"

namespace vinculum {

/// What numbers are asked on their way through the elimination. From its making to its end it notes what this
/// thread asks of numbers that are expressions.
class Conditions {
 public:
  Conditions() : before_(std::exchange(noting_, this)) {}
  ~Conditions() { noting_ = before_; }
  Conditions(const Conditions&) = delete;
  Conditions& operator=(const Conditions&) = delete;
  static Conditions& now() { return *noting_; }

  void require(const Expr& small, const Expr& large, bool strict) { all_.push_back({small, large, strict}); }
  void require_finite(const Expr& x) {
    if (!x.is_constant())
      finite_ += x;
    else if (!std::isfinite(x.value()))
      hopeless_ = true;
  }
  /// The last condition so far also watches for numbers that are not finite.
  void watch_here() { watching_ = all_.size() - 1; }

  /// 1 where every condition holds and every number is finite, else 0. 0 * x is 0 for a number and NaN for
  /// everything else, and no comparison with NaN holds. Conditions for which `first` holds stand inside all
  /// others: together they are one number.
  template <class First>
  Expr good(const First& first) const {
    if (hopeless_) return 0;
    Expr result = 1;
    for (const bool now : {true, false})
      for (std::size_t k = all_.size(); k-- > 0;) {
        const auto& [small, large, strict] = all_[k];
        const bool watches = k == watching_;
        if ((!watches && first(small, large)) != now) continue;
        const Expr watched = watches ? 0 * finite_ + large : large;
        result = strict ? if_less(small, watched, result, 0) : if_less_equal(small, watched, result, 0);
      }
    return result;
  }

 private:
  struct Condition {
    Expr small, large;
    bool strict;
  };
  static inline thread_local Conditions* noting_ = nullptr;
  Conditions* before_;
  std::vector<Condition> all_;
  std::size_t watching_ = 0;
  Expr finite_ = 0;        // the sum of those that must be
  bool hopeless_ = false;  // a constant is not
};

/// A number that is an expression. What stands nowhere in the equations, a zero of the pattern, leaves no
/// trace: 0 * x is 0.
struct Traced {
  Traced(double x = 0.0) : value(x) {}     // NOLINT(google-explicit-constructor): constants stand in
  Traced(Expr x) : value(std::move(x)) {}  // NOLINT(google-explicit-constructor): formulas
  Expr value;

  bool is_zero() const { return value.is_constant(0); }
};
inline Traced operator+(const Traced& a, const Traced& b) { return a.value + b.value; }
inline Traced operator-(const Traced& a, const Traced& b) { return a.value - b.value; }
inline Traced operator*(const Traced& a, const Traced& b) {
  return a.is_zero() || b.is_zero() ? Expr(0.0) : a.value * b.value;
}
inline Traced& operator+=(Traced& a, const Traced& b) { return a = a + b; }
inline Traced& operator-=(Traced& a, const Traced& b) { return a = a - b; }
inline Traced& operator*=(Traced& a, const Traced& b) { return a = a * b; }

inline Traced magnitude(const Traced& x) { return abs(x.value); }
/// It holds wherever the form answers.
inline Traced at_most(const Traced& a, const Traced& b) {
  Conditions::now().require(a.value, b.value, false);
  return 1.0;
}
inline Traced inverse_above(const Traced& d, const Traced& limit) {
  Conditions::now().require(limit.value, d.value, true);
  Conditions::now().require_finite(d.value);
  return 1 / d.value;
}
inline Traced vanishes(const Traced&) { return 0.0; }

}  // namespace vinculum
