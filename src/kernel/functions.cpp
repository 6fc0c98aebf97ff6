#include "kernel/functions.hpp"

namespace vinculum::kernel {

// Here, and not beside the formulas, so that one lane and eight call the very same code.

double sine_or_far(double x, double near) { return std::abs(x) <= largest_reduced ? near : std::sin(x); }
double cosine_or_far(double x, double near) { return std::abs(x) <= largest_reduced ? near : std::cos(x); }

}  // namespace vinculum::kernel
