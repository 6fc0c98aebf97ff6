// What a step of Taylor's method asks of all numbers of its series, four of them in a register.
#pragma once
#include <cstddef>

#include "motion/steppers/fours.hpp"

namespace vinculum {

/// With e^-2 of the radius of convergence as a step the work for a digit is least (Jorba and Zou, 2005): each
/// order then gains this factor, and two more orders leave room for it.
inline constexpr double decay_of_orders = 0.135;

/// Coefficients of series side by side: those of one order stand together.
struct Series {
  const double* first;
  std::ptrdiff_t stride;
  int count, order;
  const double* row(int k) const { return first + k * stride; }
};

/// The series and their slopes at theta, and the larger of their last two terms: the last as it is, the one
/// before as far as orders gain.
struct SeriesAt {
  double theta, power;  // theta^(order - 1)
};
void sum_up(const Series& series, const SeriesAt& at, double* value, double* slope, double* error);

/// The largest of the last coefficients, and of those before as far as orders gain, over what is allowed.
struct LastOrders {
  double last = 0.0, before = 0.0;
};
void find_last_orders(const Series& series, const AllowedErrors& allowed, LastOrders& found);

/// Whether slopes at the end of a step are not those expected: h f is off by more than `enough` times what is
/// allowed, or f in a `time` by more than so much of the size.
struct Confirmation {
  double unit, h, enough, most;
};
void find_doubts(const Confirmation& asked, const AllowedErrors& allowed, int from, int to, double time,
                 const double* slope, const double* f_new, bool& doubted);

}  // namespace vinculum
