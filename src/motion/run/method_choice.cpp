#include "motion/run/method_choice.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "system/series/motion_series.hpp"
#include "vinculum/system/control.hpp"

namespace vinculum {
namespace {

constexpr int looks_needed = 3;  // in a row
/// Step times rate. Explicit methods are stable up to about 6, and where the tolerance is what holds them
/// they stay below 1.5. A step of radau5 costs about as much as four of dop853.
constexpr double held_by_stability = 4, worth_implicit = 4 * 6, held_by_motion = 1;
constexpr long first_patience = 256;
/// After so many steps the motion has cost about as much as its series does to compile (docs/speed.md): a
/// step takes about as long as four operations of a series, and little series cost something, too.
constexpr long least_worth_compiling = 1000;
constexpr double operations_in_a_step = 4;
constexpr double worth_series = 1e-8;  // tolerances below

}  // namespace

MethodChoice::MethodChoice(Course& course)
    : course_(course),
      may_be_implicit_(!has_restricted_programmes(course.system)),
      may_be_series_(course.options.tolerance <= worth_series && course.projects()) {
  if (course.options.integrator != Integrator::automatic) return;
  for (std::vector<double>* list : {&beside_, &f_, &along_}) list->resize(course.flow.size());
}

void MethodChoice::begin() {
  t_before_ = course_.step.t;
  course_.out.methods = {{course_.step.t, course_.method, ""}};
}

void MethodChoice::accept() {
  if (course_.options.integrator != Integrator::automatic) return;
  ++steps_;
  way_ += std::fabs(course_.step.t - t_before_);
  t_before_ = course_.step.t;
  if (steps_ % between_looks == 0) look();
}

void MethodChoice::look() {
  const double h = std::exchange(way_, 0.0) / between_looks;
  if (is_held()) return;
  if (course_.method == Integrator::radau5)
    look_at_implicit(h);
  else
    look_at_explicit(h);
}

/// What friction or a switch holds is no matter of the method: states beside it are none of the motion.
bool MethodChoice::is_held() const {
  const Mode& mode = course_.modes.now();
  const auto sticks = [](const auto& of) { return of.grip == Grip::sticks; };
  return std::ranges::any_of(mode.frictions, sticks) || std::ranges::any_of(mode.switches, sticks);
}

void MethodChoice::look_at_explicit(double h) {
  if (may_be_implicit_ && steps_ >= patience_) {
    // Where a switch has made the motion another, its rate tells of the steps behind it alone.
    const double at_hand = std::min(h, std::fabs(course_.step.h));
    looks_ = at_hand * fastest_rate() > held_by_stability ? looks_ + 1 : 0;
    if (looks_ == looks_needed) return change_to(Integrator::radau5, "the motion is stiff there");
    if (looks_ > 0) return;
  }
  if (course_.method == Integrator::dop853) {
    if (is_worth_series()) change_to(Integrator::taylor, "faster for many steps to a tight tolerance");
  } else if (course_.remarks.passed_steps > steps_ / 2) {
    may_be_series_ = false;
    change_to(Integrator::dop853, "which made most of the steps already");
  }
}

/// Where it was of no use it is tried again after longer and longer.
void MethodChoice::look_at_implicit(double h) {
  const double held = h * fastest_rate();
  const bool is_worth = held >= worth_implicit;
  looks_ = is_worth ? 0 : looks_ + 1;
  worth_ += is_worth ? 1 : 0;
  if (looks_ < looks_needed) return;
  patience_ = worth_ >= looks_needed ? 0 : std::max(first_patience, 2 * patience_);
  change_to(Integrator::dop853, held < held_by_motion
                                    ? "the motion is not stiff any more"
                                    : "steps of radau5 are not long enough there to be worth their price");
}

/// Kernels are compiled for it where it is worth asking.
bool MethodChoice::is_worth_series() const {
  if (!may_be_series_ || steps_ < least_worth_compiling) return false;
  const double tolerance = course_.tolerance.relative;
  return static_cast<double>(steps_) * operations_in_a_step >= series_operations(course_.system, tolerance) &&
         has_small_series(course_.system, tolerance);
}

/// How fast motions beside this one go apart or together; 0 where there is no acceleration beside it.
double MethodChoice::fastest_rate() {
  const Step& step = course_.step;
  course_.flow.watch_switches({});
  const double rate = rate_beside();
  // What is found at the state counts, and not what was found beside it.
  if (course_.modes.any()) course_.flow.at_accepted(step.t, step.y.data(), f_.data());
  return std::isfinite(rate) ? rate : 0;
}

/// By a few steps of the power method that begin with the motion itself.
double MethodChoice::rate_beside() {
  constexpr int iterations = 4;
  constexpr double small = 1e-5;  // of the size of the motion
  const Step& step = course_.step;
  Flow& flow = course_.flow;
  const int n = flow.controlled();
  const auto length = [&](const std::vector<double>& x) {
    double sum = 0;
    for (int i = 0; i < n; ++i)
      if (const double size = course_.sizes[i]; size > 0) sum += (x[i] / size) * (x[i] / size);
    return std::sqrt(sum);
  };
  along_ = step.f;
  double rate = 0;
  for (int k = 0; k < iterations; ++k) {
    const double before = length(along_);
    if (!(before > 0) || !std::isfinite(before)) return 0;
    const double part = small / before;
    beside_ = step.y;
    for (int i = 0; i < n; ++i) beside_[i] += part * along_[i];
    if (!flow(step.t, beside_.data(), f_.data())) return 0;
    for (int i = 0; i < n; ++i) along_[i] = (f_[i] - step.f[i]) / part;
    rate = length(along_) / before;
  }
  return rate;
}

void MethodChoice::change_to(Integrator method, const char* why) {
  steps_ = 0;
  looks_ = worth_ = 0;
  tell_of_passed_steps(course_);
  course_.use(method);
  course_.out.methods.push_back({course_.step.t, method, why});
}

}  // namespace vinculum
