#include "motion/run/method_choice.hpp"

#include <cmath>
#include <utility>

#include "system/series/motion_series.hpp"
#include "vinculum/system/control.hpp"

namespace vinculum {
namespace {

constexpr int between_looks = 32;  // steps
constexpr int looks_needed = 3;    // in a row
/// Step times rate: explicit methods are stable up to about 6, and where the tolerance is what holds them
/// they stay below 1.5.
constexpr double held_by_stability = 4, held_by_motion = 1;
/// A step of radau5 costs about as much as four of dop853.
constexpr double worth_implicit = 4;
constexpr int most_changes = 16;
/// After so many steps the motion has cost as much as its series does to compile (docs/speed.md).
constexpr long worth_compiling = 1000;
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
  // What friction and switches hold is no matter of the method; the states beside it are none of the motion.
  if (course_.modes.any() || changes_ >= most_changes) return;
  if (course_.method == Integrator::radau5)
    look_at_implicit(h);
  else
    look_at_explicit(h);
}

void MethodChoice::look_at_explicit(double h) {
  if (may_be_implicit_) {
    looks_ = h * fastest_rate() > held_by_stability ? looks_ + 1 : 0;
    if (looks_ == looks_needed) {
      pace_ = h;
      return change_to(Integrator::radau5, "the motion is stiff there");
    }
  }
  if (course_.method == Integrator::dop853) {
    if (is_worth_series()) change_to(Integrator::taylor, "faster for many steps to a tight tolerance");
  } else if (course_.remarks.passed_steps > steps_ / 2) {
    may_be_series_ = false;
    change_to(Integrator::dop853, "which made most of the steps already");
  }
}

void MethodChoice::look_at_implicit(double h) {
  if (steps_ >= looks_needed * between_looks && h < worth_implicit * pace_) {
    may_be_implicit_ = false;
    return change_to(Integrator::dop853, "steps of radau5 are not long enough to be worth it");
  }
  looks_ = h * fastest_rate() < held_by_motion ? looks_ + 1 : 0;
  if (looks_ == looks_needed) change_to(Integrator::dop853, "the motion is not stiff any more");
}

/// Kernels are compiled for it where it is worth asking.
bool MethodChoice::is_worth_series() const {
  return may_be_series_ && steps_ >= worth_compiling &&
         has_small_series(course_.system, course_.tolerance.relative);
}

/// How fast motions beside this one go apart or together, by a few steps of the power method that begin with
/// the motion itself. 0 where there is no acceleration beside it.
double MethodChoice::fastest_rate() {
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
  flow.watch_switches({});
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
  return std::isfinite(rate) ? rate : 0;
}

void MethodChoice::change_to(Integrator method, const char* why) {
  ++changes_;
  steps_ = 0;
  looks_ = 0;
  tell_of_passed_steps(course_);
  course_.use(method);
  course_.out.methods.push_back({course_.step.t, method, why});
}

}  // namespace vinculum
