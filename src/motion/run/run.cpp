#include "motion/run/run.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/text.hpp"

namespace vinculum {

Run::Run(const System& system, const MotionOptions& options, Trajectory& out,
         std::vector<StepPolynomial>* dense)
    : system_(system),
      options_(options),
      out_(out),
      dense_(dense),
      work_(system),
      modes_(system, work_),
      flow_(system, work_, options, modes_),
      sizes_(flow_.sizes()),
      projector_(system, sizes_),
      singularity_(system),
      observer_(system, work_, modes_),
      curve_(flow_.coordinates(), flow_.velocities()),
      event_places_(places_of_events(system)),
      switch_places_(places_of_switches(system)),
      y_(flow_.size()),
      f_(flow_.size()),
      y_new_(flow_.size()),
      f_new_(flow_.size()),
      between_(flow_.size()),
      change_(flow_.velocities()),
      beside_(flow_.coordinates()),
      between_steps_(flow_.size()),
      noisy_f_(flow_.size()) {
  tolerance_.relative = std::max(part_of_step * options.tolerance, smallest_tolerance);
  tolerance_.absolute = part_of_step * std::max(options.absolute_tolerance, 0.0);
  tolerance_.sizes = &sizes_;
  const auto entries_of = [this](const StatePlaces& places) {
    std::vector<int> entries = places.coordinates;
    for (const int i : places.velocities) entries.push_back(flow_.coordinates() + i);
    return entries;
  };
  event_entries_ = entries_of(event_places_);
  switch_entries_ = entries_of(switch_places_);
  stepper_ = make_stepper(options.integrator, flow_, tolerance_, options.step);
  if (stepper_->implicit()) passer_ = make_stepper(Integrator::dop853, flow_, tolerance_, 0.0);
  active_ = stepper_.get();
  state_.q.resize(flow_.coordinates());
  state_.v.resize(flow_.velocities());
}

const State& Run::state_of(double t, const double* y) {
  use_modes_of(t);
  state_.t = t;
  std::copy_n(y, flow_.coordinates(), state_.q.begin());
  std::copy_n(y + flow_.coordinates(), flow_.velocities(), state_.v.begin());
  return state_;
}

/// The names that a number of the state goes by; none for the work of the forces.
std::vector<std::string> Run::names_at(int entry) const {
  const int nq = flow_.coordinates();
  if (entry >= flow_.first_mode()) return {modes_.names_of(entry - flow_.first_mode()).front()};
  if (entry >= flow_.controlled()) return {};
  return {entry < nq ? system_.coordinate_names()[entry] : system_.velocity_names()[entry - nq]};
}

std::string Run::what_of(int entry) const {
  const std::vector<std::string> names = names_at(entry);
  return names.empty() ? "the work of the forces" : "'" + names.front() + "'";
}

void Run::go(const State& start) {
  began_ = reported_ = looked_ = Clock::now();
  if (begin(start))
    while (!finished_ && step()) {
    }
  const State& last = state_of(t_, y_.data());
  observer_.watch_controls(last, singularity_, out_);
  out_.last = last;
  out_.work = flow_.work_done(y_.data());
  out_.energy_end = energy(system_, last, work_);
  out_.evaluations = flow_.evaluations;
  out_.seconds = std::chrono::duration<double>(Clock::now() - began_).count();
  write_notes();
}

bool Run::step() {
  if (out_.steps >= options_.step_limit) {
    finish(Stop::step_limit, "the limit of " + std::to_string(options_.step_limit) +
                                 (options_.step_limit == 1 ? " step" : " steps") +
                                 " was reached at t = " + number_text(t_, 10));
    return false;
  }
  refusal_.clear();
  refusal_names_.clear();
  error_refused_ = false;
  if (!try_step()) return false;
  if (direction_ * (t_new_ - options_.until) > 0) cut_at_end();
  if (singularity_.watching()) find_rank_changes();
  while (!out_.rank_changes.empty() && direction_ * (out_.rank_changes.back().time - t_new_) > 0)
    out_.rank_changes.pop_back();
  if (dense_ && interpolate()) dense_->push_back(polynomial_);
  if (handle_events()) return false;
  record_until(t_new_, true);
  accept();
  if (t_ == options_.until) {
    finish(Stop::end, "the end was reached");
    return false;
  }
  if (!jump_.empty()) {
    stop_at_jump();
    return false;
  }
  if (stands_still()) {
    stop_standing_still();
    return false;
  }
  return report_progress();
}

/// Where a step must end: the next instant that was named, or the end. One that is nearer than a step should
/// be short is read from the step.
double Run::aim() const {
  const std::optional<double> due = options_.instants.empty() ? std::nullopt : next_due();
  const bool ahead = due && direction_ * (options_.until - *due) > 0 &&
                     std::fabs(*due - t_) > 1e-9 * std::fabs(options_.until - t_start_);
  return ahead ? *due : options_.until;
}

/// The step, cut so that the end is met exactly and no tiny step is left before it.
double Run::clipped(double h) const {
  if (options_.step > 0 && std::fabs(h) > options_.step) h = direction_ * options_.step;
  const double left = aim() - t_;
  if (leaping_) return h;  // an end in between is read from the step
  // What lies between two stages is not seen: no step grows beyond what the run has to look at, unless the
  // largest step was named.
  const double longest = std::fabs(options_.until - t_start_) * most_unseen / stepper_->widest_stage_gap();
  if (stepper_->adaptive() && options_.step <= 0 && std::fabs(h) > longest) h = direction_ * longest;
  if (std::fabs(h) >= std::fabs(left) * (1 - 1e-10)) return left;
  if (stepper_->adaptive() && 2 * std::fabs(h) > std::fabs(left) && refusals_ == 0) return 0.5 * left;
  return h;
}

/// Tries until a step is good. True with y_new, f_new and h_next ready; false when the run has ended.
bool Run::try_step() {
  refusals_ = 0;
  nearness_before_ = singularity_.nearness();
  const bool near = nearness_before_ < careful_below;
  flow_.set_careful(near && (!stepper_->adaptive() || flow_.careful()));
  plan_passage();
  modes_.leave_out(near ? std::span<const char>() : singularity_.left_out());
  tried_first_ = h_next_;
  while (true) {
    h_ = clipped(direction_ * std::fabs(h_next_));
    const double end = aim();
    t_new_ = h_ == end - t_ ? end : t_ + h_;
    if (too_short()) {
      stop_too_short();
      return false;
    }
    if (attempt_step()) break;
    if (finished_ || !report_progress()) return false;
  }
  h_next_ = leaping_ && passer_ ? before_leap_ : active_->next_step(h_, attempt_, true);
  if (active_ != stepper_.get()) stepper_->restart();
  cut_at_switch();
  if (!finished_) change_modes();
  if (finished_) return false;
  look_around();
  return true;
}

/// In parts of what is allowed; never less than rounding may add up to.
double Run::error_of_step() const {
  const double rounding = std::min(1.0, 4 * std::numeric_limits<double>::epsilon() / tolerance_.relative);
  return std::clamp(stepper_->adaptive() ? attempt_.error : attempt_.guess, std::max(0.01, rounding), 1.0);
}

void Run::accept() {
  residuals(system_, state_of(t_new_, y_new_.data()), work_, miss_);
  observer_.watch_residuals(miss_.position, miss_.velocity, out_);
  ++out_.steps;
  if (passer_ && active_ == passer_.get()) ++passed_steps_;
  errors_ += error_of_step();
  const double noise = sizes_.noisiest(), span = std::fabs(options_.until - t_start_);
  noisy_ = noise > 10 * tolerance_.relative;
  if (noisy_) {
    ++noisy_steps_;
    noisiest_ = std::max(noisiest_, noise / tolerance_.relative);
  }
  sizes_.accept(y_new_.data());
  longest_ = std::max(longest_, std::fabs(h_));
  // Steps that rounding keeps short never were longer.
  const bool crawls =
      noisy_ ? std::fabs(h_) < 1e-6 * span : std::fabs(h_) < 1e-6 * longest_ && std::fabs(h_) < 1e-9 * span;
  crawling_ = crawls ? crawling_ + 1 : 0;
  if (flow_.careful()) {
    ++careful_steps_;
    const bool passed = !out_.rank_changes.empty() && direction_ * (out_.rank_changes.back().time - t_) >= 0;
    const double nearest = passed ? 0.0 : std::min(nearness_before_, singularity_.nearness());
    nearest_when_careful_ = std::min(nearest_when_careful_, nearest);
  }
  t_ = t_new_;
  y_.swap(y_new_);
  f_.swap(f_new_);
  observer_.watch_controls(state_of(t_, y_.data()), singularity_, out_);
  if (t_ != options_.until) out_.waypoints.pass(t_, state_.q);
  event_values_.swap(event_new_);
  switch_values_.swap(switch_new_);
  if (modes_.any() && modes_.accept(view_of(t_, y_), switch_values_)) {
    if (!flow_.at_accepted(t_, y_.data(), f_.data())) stop_unsolved(t_);
    stepper_->restart();
  }
  look_at_shares();
}

bool Run::interpolate() {
  if (interpolated_) return true;
  interpolated_ = active_->interpolate(f_new_.data(), polynomial_);
  return interpolated_;
}

void Run::read_polynomial(double t, double* y) const {
  polynomial_.at((t - polynomial_.t) / polynomial_.h, y);
}

/// A state inside the step at hand, not projected.
const State& Run::state_between(double t) {
  if (!interpolate()) return state_of(t_new_, y_new_.data());
  read_polynomial(t, between_.data());
  return state_of(t, between_.data());
}

}  // namespace vinculum
