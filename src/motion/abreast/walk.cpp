#include "motion/abreast/walk.hpp"

#include <algorithm>
#include <cmath>

#include "system/system_impl.hpp"

namespace vinculum {
namespace {

/// A run looks at its noise when a step is refused for the third time.
constexpr int most_refusals = 2;
/// A run ends after so many steps that move nothing, or that rounding keeps short or drowns
/// (motion/run/stall_watch.cpp): steps which may be of that kind are counted, and before there are as many a
/// run by itself decides. The lengths are parts of the run.
constexpr double short_step = 1.1e-5, very_short_step = 1.1e-9, short_for_noise = 1.1e-6, drowned = 0.009;
constexpr long most_short_steps = 900, most_drowned = 60;

bool is_explicit(Integrator method) {
  return method == Integrator::rk4 || method == Integrator::dopri5 || method == Integrator::dop853;
}

}  // namespace

bool Walk::may_go_along() {
  if (motion_->run() == nullptr) return false;
  Course& c = course();
  const System::Impl& s = c.system.impl();
  const MotionOptions& o = c.options;
  const bool only_the_end = o.samples == 1 && o.instants.empty() && !o.along && !o.sink;
  const bool no_events =
      asked_.events ? c.system.events().empty() : std::ranges::none_of(c.system.events(), &EventInfo::stop);
  const bool only_motion = no_events && !c.watches_switches() && s.rotations.empty() && s.angles.empty() &&
                           c.flow.is_plain() && c.sizes.is_simple();
  const bool only_stated = std::ranges::all_of(c.flow.parts(), [](Flow::ForceKind kind) {
    return kind == Flow::ForceKind::impressed || kind == Flow::ForceKind::explicit_time;
  });
  const bool rows_hold = c.singularity.watching() && c.out.passed_over.empty() &&
                         !run().maker_.begins_singular() &&
                         c.singularity.rank() == static_cast<int>(c.system.row_names().size()) &&
                         c.singularity.nearness() >= careful_below && c.singularity.left_out().empty();
  if (!run().begun_ || c.finished || !only_the_end || !only_motion || !only_stated || !rows_hold ||
      !c.projects() || !is_explicit(c.method))
    return false;
  c.active = c.stepper.get();
  c.flow.set_careful(false);
  c.modes.leave_out({});
  return true;
}

Trajectory& Walk::go_alone() {
  if (motion_->run() != nullptr) run().go();
  return motion_->end();
}

Trajectory& Walk::start_again() {
  motion_ = std::make_unique<Motion>(asked_.system, asked_.start, asked_.options);
  return go_alone();
}

bool Walk::plan(double t) {
  Step& s = step();
  s.t = t;
  s.refusals = refusals_;
  if (course().out.steps >= course().options.step_limit || refusals_ > most_refusals) return false;
  run().maker_.measure();
  return !run().stall_.too_short();
}

bool Walk::slope(double t, const std::vector<double>& y, std::vector<double>& dy, bool accepted) {
  Flow& flow = course().flow;
  const long evaluations = flow.evaluations;  // counted for all of them together
  const bool good = accepted ? flow.at_accepted(t, y.data(), dy.data()) : flow(t, y.data(), dy.data());
  flow.evaluations = evaluations;
  return good;
}

bool Walk::mend(double& missed, std::span<const double> error, std::span<const double> error_low) {
  Step& s = step();
  s.attempt = {true, missed};
  course().active->take_errors(s.y.data(), error.data(), error_low.data());
  if (!run().maker_.is_good_on_constraints()) return false;
  missed = s.attempt.error;
  return true;
}

void Walk::refuse(double missed) {
  Step& s = step();
  Course& c = course();
  s.attempt = {true, missed};
  ++c.out.rejected;
  ++refusals_;
  s.h_next = c.active->next_step(s.h, s.attempt, false);
  if (!(std::fabs(s.h_next) < 0.95 * std::fabs(s.h))) s.h_next = 0.5 * s.h;
}

bool Walk::agrees(std::span<const double> position, std::span<const double> velocity) {
  Course& c = course();
  return c.projector.agrees(position, velocity, c.state_at_end(), c.modes.now(), c.work);
}

bool Walk::accept(double error, double noisiest) {
  Step& s = step();
  Course& c = course();
  s.attempt.error = error;
  s.h_next = c.direction * std::fabs(c.active->next_step(s.h, s.attempt, true));
  s.t = s.t_new;
  refusals_ = 0;
  ++c.out.steps;
  const double h = std::fabs(s.h), span = c.span();
  const bool noisy = noisiest > 9 * c.tolerance.relative;
  if (h < span * (c.stepper->adaptive() ? short_step : noisy ? short_for_noise : very_short_step))
    ++short_steps_;
  if (noisiest > drowned) ++drowned_steps_;
  return short_steps_ <= most_short_steps && drowned_steps_ <= most_drowned;
}

bool Walk::choose_method() {
  if (!automatic()) return true;
  const Integrator before = course().method;
  run().choice_.accept();
  return course().method == before;
}

Trajectory& Walk::end() {
  Course& c = course();
  if (!c.finished) {
    step().y_new = step().y;
    run().recorder_.record_until(step().t, true);
    c.finish(Stop::end, "the end was reached");
  }
  return motion_->end();
}

}  // namespace vinculum
