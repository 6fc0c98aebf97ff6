#include "motion/run/run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

/// Some roundings of a place, or of the terms of a row.
constexpr double rounding_of_rest = 16 * std::numeric_limits<double>::epsilon();

}  // namespace

/// One step of the length at hand. False where it is refused: another is to be tried, unless the run has
/// ended.
bool Run::attempt_step() {
  projected_ = interpolated_ = false;
  flow_.set_rounding(rounding_of_forces());
  // A step that is refused again and again may miss by rounding alone; where neither switches nor rows make
  // steps short, any. Not friction that turns: it is steep, and takes errors away.
  if (refusals_ > 0 && (refusals_ % 3 == 0 || smooth_) && !modes_.steep()) {
    measure_noise();
    measure_rounding_of_rows(state_of(t_, y_.data()));
  }
  sizes_.aim(t_, y_.data(), f_.data(), h_);
  if (!switch_values_.empty()) flow_.watch_switches(switch_values_);
  attempt_ = active_->attempt(t_, y_.data(), f_.data(), h_, y_new_.data());
  bool good = attempt_.evaluated && attempt_.error <= 1;
  if (!good && attempt_.evaluated && stepper_->adaptive() && options_.keep == Stabilisation::projection)
    good = good_after_projection();
  if (!good) {
    if (attempt_.evaluated)
      refuse_error();
    else
      refuse("the equations could not be solved inside the step", false);
    return false;
  }
  return meets_constraints() && evaluate_accepted() && !near_singular_position() && !refuse_departure() &&
         !refuse_hidden_switch();
}

void Run::refuse(const std::string& what, bool halve) {
  if (what != refusal_) contradicts_ = false;  // this refusal has another reason
  refusal_ = what;
  error_refused_ = false;
  if (!halve) refusal_names_ = names_at(attempt_.worst);
  try_shorter(halve);
}

/// Steps are refused for their error all along: the words for it are found when a run ends there.
void Run::refuse_error() {
  contradicts_ = false;
  error_refused_ = true;
  try_shorter(false);
}

void Run::word_refusal() {
  if (!error_refused_) return;
  refusal_ = "the error of " + what_of(attempt_.worst) + " is " + number_text(attempt_.error, 3) +
             " times what the tolerance allows";
  refusal_names_ = names_at(attempt_.worst);
  error_refused_ = false;
}

void Run::stop_fixed_step() {
  word_refusal();
  if (!attempt_.evaluated)
    stop_unsolved(t_new_);
  else if (contradicts_)
    finish(Stop::contradicting, "at t = " + number_text(t_new_, 10) + ": " + refusal_, refusal_names_);
  else
    finish(Stop::step_too_small, "a fixed step fails at t = " + number_text(t_, 10) + ": " + refusal_,
           refusal_names_);
}

/// After a step that was no good: a smaller one next, and near a singular position a careful one.
void Run::try_shorter(bool halve) {
  ++out_.rejected;
  ++refusals_;
  if (!stepper_->adaptive()) {
    stop_fixed_step();
    return;
  }
  if (leaping_) {
    leaping_ = false;
    active_ = stepper_.get();
    h_next_ = half_way_;
    return;
  }
  if (singularity_.nearness() < careful_below && !flow_.careful() &&
      options_.keep == Stabilisation::projection) {
    flow_.set_careful(true);
    return;  // the same step once more
  }
  if (passes_for_implicit()) return;
  h_next_ = halve ? 0.5 * h_ : active_->next_step(h_, attempt_, false);
  if (!(std::fabs(h_next_) < 0.95 * std::fabs(h_))) h_next_ = 0.5 * h_;  // or this would never end
}

/// Newton's iterates of an implicit step from a switch, or out of rest, may stand on the wrong side of it
/// however short the step is: an explicit step of the first length leaves in its place.
bool Run::passes_for_implicit() {
  constexpr int enough = 6;
  if (!passer_ || active_ == passer_.get() || refusals_ < enough || !watches_switches()) return false;
  active_ = passer_.get();
  h_next_ = tried_first_;
  return true;
}

/// The new state is taken to its constraints.
bool Run::meets_constraints() {
  if (options_.keep != Stabilisation::projection) {
    renormalise(system_, {y_new_.data(), static_cast<std::size_t>(flow_.coordinates())}, work_);
    return true;
  }
  if (projected_ || project(t_new_, y_new_.data())) return true;
  if (contradicts_ && !singularity_.left_out().empty()) {  // a row that was left out is none that depends
    singularity_.forget_rows();
    modes_.leave_out({});
  } else if (!tear_modes()) {
    refuse(refusal_, true);
  }
  return false;
}

bool Run::project(double t, double* y) {
  use_modes_of(t);
  between_steps_.assign(y, y + flow_.controlled());
  const Projection p = projector_(t, y, y + flow_.coordinates(), modes_.now(), work_);
  keep_momenta(system_, momenta_, {y, static_cast<std::size_t>(flow_.coordinates())},
               {y + flow_.coordinates(), static_cast<std::size_t>(flow_.velocities())});
  jumps_ = p.done && teleports(p, t, between_steps_.data(), y);
  if (p.done && !jumps_) return true;
  const std::string constraint = jumps_       ? most_missed(state_of(t, between_steps_.data()))
                                 : p.row >= 0 ? system_.constraints()[system_.constraint_of_row(p.row)].name
                                              : std::string();
  error_refused_ = false;
  contradicts_ = p.contradicting;
  refusal_names_ = {constraint};
  // Where shorter steps are tried, the reason of the last one names them (run_stall.cpp).
  if (p.row >= 0 && (p.contradicting || !stepper_->adaptive()))
    refusal_names_ = singularity_.constraints_beside(p.row, evaluate_at(state_of(t, y)));
  std::vector<std::string> quoted;
  for (const std::string& name : refusal_names_) quoted.push_back("'" + name + "'");
  const bool one = quoted.size() == 1;
  const std::string these = (one ? "constraint " : "constraints ") + list_text(quoted);
  const std::string of_what = !p.of_velocity ? "" : one ? " in its velocities" : " in their velocities";
  if (jumps_)
    refusal_ = "constraint '" + constraint + "' asks for a jump of positions or velocities";
  else
    refusal_ = these + (p.contradicting ? " cannot hold" : " cannot be kept") + (one ? "" : " together") +
               of_what + "; '" + constraint + "' is missed by " + number_text(std::fabs(p.miss), 3);
  return false;
}

/// A projection takes away an error, a small part of what the step has moved. One that moves as much as the
/// step does has left the curve: the constraint jumps or turns too sharply for the step.
bool Run::teleports(const Projection& projection, double t, const double* before, const double* after) {
  if (changed(before, after) <= options_.tolerance) return false;
  const double part = stepper_->adaptive() ? 0.25 : 1.0;  // fixed steps may be as coarse as one likes
  if (projection.moved <= part * changed(y_.data(), before) + 1000 * options_.tolerance) return false;
  // A programme is told to the rounding of its terms and of time, which may be more than it has moved yet.
  measure_rounding_of_rows(state_of(t, before));
  for (int i = 0; i < flow_.controlled(); ++i)
    if (std::fabs(after[i] - before[i]) > sizes_.rounding_of_rows(i) &&
        changed(before, after, i, i + 1) > options_.tolerance)
      return true;
  return false;
}

/// What the rounding of rows is a part of: their own terms, and what they change by in the time itself.
const Residuals& Run::terms_of_rows(const State& at) {
  Residuals& size = terms_;
  residual_sizes(system_, at, work_, size);
  const SparseMatrix& rows = evaluate_at(at).equations.A;
  for (int r = 0; r < rows.rows; ++r) {
    size.position[r] += std::fabs(at.t) * size.velocity[r];
    for (int k = rows.start[r]; k < rows.start[r + 1]; ++k)
      size.velocity[r] += std::fabs(at.t * rows.value[k] * f_[flow_.coordinates() + rows.column[k]]);
  }
  return size;
}

/// The projection gives places and velocities the rounding of the rows: no step is more exact. Where rows
/// fade, near a singular position, their rounding would excuse any error: there it is not looked at.
void Run::measure_rounding_of_rows(const State& at) {
  if (options_.keep != Stabilisation::projection || system_.row_names().empty()) return;
  if (singularity_.nearness() < careful_below) return;
  const Residuals& size = terms_of_rows(at);
  const SparseMatrix& rows = evaluate_at(at).equations.A;
  std::vector<double>&place = rounding_of_place_, &velocity = rounding_of_velocity_;
  place.assign(flow_.velocities(), 0.0);
  velocity.assign(flow_.velocities(), 0.0);
  for (int r = 0; r < rows.rows; ++r) {
    double square = 0;
    for (int k = rows.start[r]; k < rows.start[r + 1]; ++k) square += rows.value[k] * rows.value[k];
    for (int k = rows.start[r]; k < rows.start[r + 1] && square > 0; ++k) {
      const double share = rounding_of_rest * std::fabs(rows.value[k]) / square;
      const int i = rows.column[k];
      place[i] = std::max(place[i], share * size.position[r]);
      velocity[i] = std::max(velocity[i], share * size.velocity[r]);
    }
  }
  sizes_.set_rounding_of_rows(place, velocity);
}

double Run::changed(const double* from, const double* to) const {
  return changed(from, to, 0, flow_.controlled());
}

/// The largest change of a coordinate or velocity, relative to its size. A velocity that moves nothing by a
/// rounding in the whole run is none.
double Run::changed(const double* from, const double* to, int first, int last) const {
  const int nq = flow_.coordinates();
  const double span = std::fabs(options_.until - t_start_);
  double most = 0;
  for (int i = first; i < last; ++i) {
    if (to[i] == from[i]) continue;
    const double rest = i < nq || span == 0 ? 0.0 : rounding_of_rest * sizes_.of_move(i - nq) / span;
    most = std::max(most, std::fabs(to[i] - from[i]) / (sizes_[i] + rest + std::fabs(to[i])));
  }
  return most;
}

/// f at the new state, where contradictions are judged, and the misses of the constraints there.
bool Run::evaluate_accepted() {
  if (!flow_.at_accepted(t_new_, y_new_.data(), f_new_.data())) {
    if (flow_.why() == Status::not_finite && stepper_->adaptive()) {
      attempt_.evaluated = false;
      refuse("the equations are not finite at the end of the step", false);
      return false;
    }
    // Where it begins to contradict is found by shorter steps.
    if (flow_.why() == Status::contradicting && stepper_->adaptive() &&
        std::fabs(h_) > 1e-9 * std::fabs(options_.until - t_start_) &&
        singularity_.nearness() >= evade_below) {
      refuse("the constraints contradict each other at the end of the step", true);
      return false;
    }
    // In a singular position rows agree only as far as the velocities are known there, which is less than
    // elsewhere: no contradiction.
    const Equations& at = evaluate_at(state_of(t_new_, y_new_.data()));
    if (flow_.why() == Status::contradicting && singularity_.watching() &&
        singularity_.nearness_of(at) < evade_below && flow_(t_new_, y_new_.data(), f_new_.data()))
      return true;
    stop_unsolved(t_new_);
    return false;
  }
  return true;
}

bool Run::refuse_hidden_switch() {
  if (!hides_a_switch()) return false;
  refusal_names_.clear();
  if (stepper_->adaptive())
    refuse("the forces switch inside the step", true);
  else  // fixed steps are shortened to meet it
    h_next_ = 0.5 * h_;
  return true;
}

}  // namespace vinculum
