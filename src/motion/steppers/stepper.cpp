#include "motion/steppers/stepper.hpp"

#include <algorithm>
#include <cmath>

#include "base/clones.hpp"
#include "motion/steppers/in_eights.hpp"

namespace vinculum {
namespace {

constexpr double nothing = 1e-180;

/// What errors of numbers side by side are judged by.
struct Errors {
  const double *size, *noise, *y, *y_new, *error;
  double absolute, relative, rounding;  // rounding: of f, as a part of it
};

/// The largest error over what is allowed, and where.
struct Largest {
  double error = 0.0;
  int place = 0;
};

[[gnu::always_inline]] inline Four magnitude_of(const Four& x) { return x < 0 ? -x : x; }

/// Numbers `at` to at + 3, each beside the largest of every fourth so far. What starts at zero and stays there
/// has no size, and no error either: no unit makes a number of nothing. What f does not tell for rounding is
/// no error that a shorter step would mend.
[[gnu::always_inline]] inline void judge_four(const Errors& of, int at, Four& most, FourTruths& place) {
  const auto four = [at](const double* x) __attribute__((always_inline)) {
    return *reinterpret_cast<const Four*>(x + at);
  };
  const Four from = four(of.y), to = four(of.y_new), miss = magnitude_of(four(of.error));
  const Four a = magnitude_of(from), b = magnitude_of(to), infinite = Four{} + INFINITY;
  Four size = four(of.size);
  size = size < a ? a : size;
  size = size < b ? b : size;
  const Four allowed = of.absolute + of.relative * size + four(of.noise);
  Four e = miss < nothing ? Four{} : miss / (allowed + of.rounding * magnitude_of(to - from));
  e = (e < infinite) & (b < infinite) ? e : infinite;
  const FourTruths larger = e > most, here = {at, at + 1, at + 2, at + 3};
  most = larger ? e : most;
  place = larger ? here : place;
}

/// Of `count` numbers, four or more: the last four may overlap those before.
VINCULUM_CLONES
void judge_numbers(const Errors& of, int count, Largest& largest) {
  Four most = {};
  FourTruths place = {};
  for (int at = 0; at + 4 < count; at += 4) judge_four(of, at, most, place);
  judge_four(of, count - 4, most, place);
  for (int k = 0; k < 4; ++k) {
    const bool is_first = most[k] == largest.error && place[k] < largest.place;
    if (most[k] <= largest.error && !is_first) continue;
    largest = {most[k], static_cast<int>(place[k])};
  }
}

}  // namespace

/// All work together counts as a coordinate does: a motion that its constraints prescribe has no other error
/// to tell the size of a step. So does what the limits of friction leave, added up over time: where a contact
/// sticks nothing moves, and a step must not miss that it lets go.
Attempt largest_error(const Flow& flow, const Tolerance& tolerance, const double* y, const double* y_new,
                      const double* error) {
  const Sizes& sizes = *tolerance.sizes;
  const Errors all{sizes.all().data(), sizes.all_noise().data(), y,
                   y_new,              error,                    tolerance.absolute,
                   tolerance.relative, flow.rounding()};
  Largest largest;
  const auto judge = [&](int entry, double miss, double from, double to, double allowed) {
    double e = std::fabs(miss) < nothing
                   ? 0.0
                   : std::fabs(miss) / (allowed + flow.rounding() * std::fabs(to - from));
    if (!std::isfinite(e) || !std::isfinite(to)) e = INFINITY;
    if (e > largest.error) largest = {e, entry};
  };
  const auto judge_entries = [&](int from, int to) {
    for (int i = from; i < to; ++i) judge(i, error[i], y[i], y_new[i], tolerance.of(i, y[i], y_new[i]));
  };
  if (flow.controlled() < 4)
    judge_entries(0, flow.controlled());
  else
    judge_numbers(all, flow.controlled(), largest);
  judge_entries(flow.first_mode(), flow.size());
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
