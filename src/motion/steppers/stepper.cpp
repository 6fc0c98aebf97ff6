#include "motion/steppers/stepper.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "base/clones.hpp"
#include "motion/steppers/fours.hpp"

namespace vinculum {
namespace {

constexpr double nothing = 1e-180;

/// The largest error over what is allowed, and where.
struct Largest {
  double error = 0.0;
  int place = 0;
};

/// Of numbers from 0 on. What starts at zero and stays there has no size, and no error either: no unit makes
/// a number of nothing. What f does not tell for rounding is no error that a shorter step would mend.
VINCULUM_CLONES
void judge_numbers(const AllowedErrors& allowed, const double* error, double rounding, int count,
                   Largest& largest) {
  Four most = {};  // of every fourth
  FourTruths place = {};
  for_fours(0, count, [&]<class Many>(int at, Many) __attribute__((always_inline)) {
    using X = typename Many::Number;
    const X from = read<Many>(allowed.y, at), to = read<Many>(allowed.y_new, at), infinite = X{} + INFINITY;
    const X miss = magnitude_of(read<Many>(error, at)), end = magnitude_of(to);
    X e = miss / (allowed.of<Many>(at) + rounding * magnitude_of(to - from));
    e = miss < nothing ? X{} : e;
    e = e < infinite ? e : infinite;
    e = end < infinite ? e : infinite;
    if constexpr (std::is_same_v<Many, OneByOne>) {
      if (e > largest.error) largest = {e, at};
    } else {
      const FourTruths more = e > most, here = {at, at + 1, at + 2, at + 3};
      most = more ? e : most;
      place = more ? here : place;
    }
  });
  for (int k = 0; k < 4; ++k) {
    const bool is_first = most[k] == largest.error && place[k] < largest.place;
    if (most[k] > largest.error || is_first) largest = {most[k], static_cast<int>(place[k])};
  }
}

}  // namespace

/// All work together counts as a coordinate does: a motion that its constraints prescribe has no other error
/// to tell the size of a step. So does what the limits of friction leave, added up over time: where a contact
/// sticks nothing moves, and a step must not miss that it lets go.
Attempt largest_error(const Flow& flow, const Tolerance& tolerance, const double* y, const double* y_new,
                      const double* error) {
  Largest largest;
  judge_numbers(AllowedErrors(tolerance, y, y_new), error, flow.rounding(), flow.controlled(), largest);
  const auto judge = [&](int entry, double miss, double from, double to, double allowed) {
    double e = std::fabs(miss) < nothing
                   ? 0.0
                   : std::fabs(miss) / (allowed + flow.rounding() * std::fabs(to - from));
    if (!std::isfinite(e) || !std::isfinite(to)) e = INFINITY;
    if (e > largest.error) largest = {e, entry};
  };
  for (int i = flow.first_mode(); i < flow.size(); ++i)
    judge(i, error[i], y[i], y_new[i], tolerance.of(i, y[i], y_new[i]));
  double missed = 0.0, before = 0.0, after = 0.0;
  for (int i = flow.controlled(); i < flow.first_mode(); ++i) {
    missed += error[i];
    before += y[i];
    after += y_new[i];
  }
  if (largest.error <= 1) judge(flow.controlled(), missed, before, after, tolerance.of_work(before, after));
  return {std::isfinite(largest.error), largest.error, largest.place};
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
