#include "motion/steppers/stepper.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum {
namespace {

constexpr double nothing = 1e-180;

}  // namespace

/// All work together counts as a coordinate does: a motion that its constraints prescribe has no other error
/// to tell the size of a step. So does what the limits of friction leave, added up over time: where a contact
/// sticks nothing moves, and a step must not miss that it lets go. What f does not tell for rounding is no
/// error that a shorter step would mend.
Attempt largest_error(const Flow& flow, const Tolerance& tolerance, const double* y, const double* y_new,
                      const double* error) {
  Attempt result;
  const auto judge = [&](int entry, double miss, double from, double to, double allowed) {
    // What starts at zero and stays there has no size, and no error either: no unit makes a number of
    // nothing.
    double e = std::fabs(miss) < nothing
                   ? 0.0
                   : std::fabs(miss) / (allowed + flow.rounding() * std::fabs(to - from));
    if (!std::isfinite(to)) e = INFINITY;
    if (e <= result.error) return;
    result.error = e;
    result.worst = entry;
  };
  const auto judge_entry = [&](int i) {
    judge(i, error[i], y[i], y_new[i], tolerance.of(i, y[i], y_new[i]));
  };
  for (int i = 0; i < flow.controlled(); ++i) judge_entry(i);
  for (int i = flow.first_mode(); i < flow.size(); ++i) judge_entry(i);
  double missed = 0.0, before = 0.0, after = 0.0;
  for (int i = flow.controlled(); i < flow.first_mode(); ++i) {
    missed += error[i];
    before += y[i];
    after += y_new[i];
  }
  if (result.error <= 1) judge(flow.controlled(), missed, before, after, tolerance.of_work(before, after));
  if (!std::isfinite(result.error)) result.evaluated = false;
  return result;
}

/// Up from a hundredth of the span, or down from it where that is too long already. A time after which the
/// forces happen to be the same again must not count: a part of it is looked at, too.
double time_scale(Flow& flow, const Sizes& sizes, double t, const double* y, const double* f0, double span) {
  std::vector<double> ahead(flow.size()), f(flow.size());
  const auto same = [&](double h) {
    sizes.go_ahead(y, f0, h, ahead.data());
    return flow(t + h, ahead.data(), f.data()) && !sizes.differs(y, f0, f.data(), h);
  };
  constexpr double first = 0.01, factor = 8, least = 1e-12;  // of the span
  double h = first * span;
  // Where nothing moves yet, nothing tells.
  const double* const v = y + flow.coordinates();
  const double* const a = f0 + flow.coordinates();
  bool rests = true;
  for (int i = 0; i < flow.velocities(); ++i) rests = rests && v[i] == 0 && a[i] == 0;
  if (rests) return std::fabs(h);
  if (same(h) && same(h / 3)) {
    while (std::fabs(h) < std::fabs(span) && same(factor * h)) h *= factor;
    return std::min(std::fabs(h), std::fabs(span));
  }
  do h /= factor;
  while (std::fabs(h) > least * std::fabs(span) && !same(h));
  return std::fabs(h);
}

double first_step_of_order(int order, const Tolerance& tolerance, double time_scale) {
  const double size = (*tolerance.sizes)[0];
  const double allowed = tolerance.absolute > 0 && size > 0 ? tolerance.absolute / size + tolerance.relative
                                                            : tolerance.relative;
  return time_scale * std::pow(std::min(0.01 * allowed, 1.0), 1.0 / order);
}

std::unique_ptr<Stepper> make_stepper(Integrator which, Flow& flow, const Tolerance& tolerance,
                                      double fixed_step) {
  if (which == Integrator::extrapolation) return make_extrapolation(flow, tolerance);
  if (which == Integrator::taylor) return make_taylor(flow, tolerance);
  if (which == Integrator::radau5) return make_radau(flow, tolerance);
  if (which == Integrator::automatic) which = Integrator::dop853;  // to begin with
  return make_explicit(integrator_name(which), flow, tolerance, fixed_step);
}

}  // namespace vinculum
