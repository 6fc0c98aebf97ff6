#include "motion/stepper.hpp"

#include <cmath>

namespace vinculum {

/// All work together counts as a coordinate does: a motion that its constraints prescribe has no other error
/// to tell the size of a step. So does what the limits of friction leave, added up over time: where a contact
/// sticks nothing moves, and a step must not miss that it lets go. What f does not tell for rounding is no
/// error that a shorter step would mend.
Attempt largest_error(const Flow& flow, const Tolerance& tolerance, const double* y, const double* y_new,
                      const double* error) {
  Attempt result;
  const auto judge = [&](int entry, double miss, double from, double to) {
    double e = std::fabs(miss) / (tolerance.of(from, to) + flow.rounding() * std::fabs(to - from));
    if (!std::isfinite(to)) e = INFINITY;
    if (e <= result.error) return;
    result.error = e;
    result.worst = entry;
  };
  for (int i = 0; i < flow.controlled(); ++i) judge(i, error[i], y[i], y_new[i]);
  for (int i = flow.first_contact(); i < flow.size(); ++i) judge(i, error[i], y[i], y_new[i]);
  double missed = 0.0, before = 0.0, after = 0.0;
  for (int i = flow.controlled(); i < flow.first_contact(); ++i) {
    missed += error[i];
    before += y[i];
    after += y_new[i];
  }
  if (result.error <= 1) judge(flow.controlled(), missed, before, after);
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
