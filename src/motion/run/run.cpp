#include "motion/run/run.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/text.hpp"

namespace vinculum {

Run::Run(const System& system, const MotionOptions& options, Workspace work, Trajectory& out,
         std::vector<StepPolynomial>* dense)
    : course_(system, options, std::move(work), out),
      step_(course_.step),
      out_(out),
      dense_(dense),
      landing_(course_),
      watch_(course_),
      recorder_(course_, landing_),
      events_(course_, watch_, landing_, recorder_),
      switches_(course_, watch_, landing_),
      changes_(course_),
      lookout_(course_, landing_),
      stall_(course_),
      clock_(course_),
      maker_(course_, {landing_, switches_, changes_, lookout_, stall_, recorder_, clock_}),
      start_(course_, {landing_, changes_, lookout_, stall_, recorder_, events_, maker_}),
      choice_(course_),
      loops_(course_) {}

void Run::begin(const State& start, const std::vector<PassedOver>& passed_over) {
  loops_.begin(start, passed_over);
  begun_ = start_.begin(start);
  choice_.begin();
}

void Run::go() {
  if (!begun_) return;
  while (!course_.finished && step()) {
  }
}

void Run::end() {
  recorder_.end();
  const State& last = course_.state_at_start();
  course_.observer.watch_controls(last, course_.singularity, out_);
  out_.last = last;
  out_.work = course_.flow.work_done(step_.y.data());
  out_.energy_end = energy(course_.system, last, course_.work);
  out_.evaluations = course_.flow.evaluations;
  out_.seconds = clock_.seconds();
  write_notes(course_);
}

bool Run::step() {
  const MotionOptions& options = course_.options;
  if (out_.steps >= options.step_limit) {
    course_.finish(Stop::step_limit, "the limit of " + std::to_string(options.step_limit) +
                                         (options.step_limit == 1 ? " step" : " steps") +
                                         " was reached at t = " + number_text(step_.t, 10));
    return false;
  }
  step_.refusal.cause = Refusal::Cause::none;
  step_.refusal.told = {};
  step_.refusal.contradicts = false;
  step_.refusal.forget_names();
  if (!maker_.make()) return false;
  if (course_.direction * (step_.t_new - options.until) > 0) maker_.cut_at_end();
  if (course_.singularity.watching()) lookout_.find_rank_changes();
  while (!out_.rank_changes.empty() && course_.direction * (out_.rank_changes.back().time - step_.t_new) > 0)
    out_.rank_changes.pop_back();
  if (dense_ && course_.interpolate()) dense_->push_back(step_.polynomial);
  if (events_.find()) return false;
  recorder_.record_until(step_.t_new, true);
  accept();
  if (!loops_.hold(miss_.position)) return false;
  if (step_.t == options.until) {
    course_.finish(Stop::end, "the end was reached");
    return false;
  }
  if (!switches_.jump().empty()) {
    switches_.stop_at_jump();
    return false;
  }
  if (stall_.stands_still()) {
    stall_.stop_standing_still();
    return false;
  }
  loops_.choose();
  choice_.accept();
  return clock_.report() && !course_.finished;
}

/// The end of the step becomes the start of the next one.
void Run::accept() {
  const System& system = course_.system;
  residuals(system, course_.state_at_end(), course_.work, miss_);
  course_.observer.watch_residuals(miss_.position, miss_.velocity, out_);
  ++out_.steps;
  if (course_.passer && course_.active == course_.passer.get()) ++course_.remarks.passed_steps;
  watch_.accept();
  stall_.accept();
  course_.sizes.accept(step_.y_new.data());
  if (course_.flow.careful()) {
    Remarks& remarks = course_.remarks;
    ++remarks.careful_steps;
    const bool passed =
        !out_.rank_changes.empty() && course_.direction * (out_.rank_changes.back().time - step_.t) >= 0;
    const double nearest = passed ? 0.0 : std::min(maker_.nearness_before(), course_.singularity.nearness());
    remarks.nearest_when_careful = std::min(remarks.nearest_when_careful, nearest);
  }
  step_.t = step_.t_new;
  step_.y.swap(step_.y_new);
  step_.f.swap(step_.f_new);
  course_.observer.watch_controls(course_.state_at_start(), course_.singularity, out_);
  if (step_.t != course_.options.until) out_.waypoints.pass(step_.t, course_.state().q);
  step_.events.swap(step_.events_new);
  step_.switches.swap(step_.switches_new);
  if (course_.modes.any() && course_.modes.accept(course_.view_of(step_.t, step_.y), step_.switches)) {
    if (!course_.flow.at_accepted(step_.t, step_.y.data(), step_.f.data())) course_.stop_unsolved(step_.t);
    course_.stepper->restart();
  }
  lookout_.look_at_shares();
}

}  // namespace vinculum
