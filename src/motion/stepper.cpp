#include "motion/stepper.hpp"

#include <cmath>

namespace vinculum {

/// Work counts as coordinates do: a motion that its constraints prescribe has no other error to tell the size
/// of a step. So does what the limits of friction leave, added up over time: where a contact sticks nothing
/// moves, and a step must not miss that it lets go.
Attempt largest_error(const Flow& flow, const Tolerance& tolerance, const double* y, const double* y_new,
                      const double* error) {
  Attempt result;
  for (int i = 0; i < flow.size(); ++i) {
    double e = std::fabs(error[i]) / tolerance.of(y[i], y_new[i]);
    if (!std::isfinite(y_new[i])) e = INFINITY;
    if (!(e <= result.error)) {
      result.error = e;
      result.worst = i;
    }
  }
  if (!std::isfinite(result.error)) result.evaluated = false;
  return result;
}

std::unique_ptr<Stepper> make_stepper(std::string_view name, Flow& flow, const Tolerance& tolerance,
                                      double fixed_step) {
  if (name == "extrapolation") return make_extrapolation(flow, tolerance);
  if (name == "radau5") return make_radau(flow, tolerance);
  return make_explicit(name, flow, tolerance, fixed_step);
}

}  // namespace vinculum
