#include "motion/run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
/// Part of the tolerance a single step may use: errors of many steps add up.
constexpr double part_of_step = 0.03;
/// Below this a local error cannot be told from rounding.
constexpr double smallest_tolerance = 1e-15;
/// A row this near to depending on others makes f rough beside the constraints: steps there are careful.
constexpr double careful_below = 0.3;
/// A state this near to a singular position loses digits by their inverse: steps do not end there.
constexpr double evade_below = 1e-3;

}  // namespace

Run::Run(const System& system, const MotionOptions& options, Trajectory& out,
         std::vector<StepPolynomial>* dense)
    : system_(system),
      options_(options),
      out_(out),
      dense_(dense),
      work_(system),
      flow_(system, work_, options),
      projector_(system),
      passage_(system),
      observer_(system, work_),
      y_(flow_.size()),
      f_(flow_.size()),
      y_new_(flow_.size()),
      f_new_(flow_.size()),
      between_(flow_.size()) {
  tolerance_.relative = std::max(part_of_step * options.tolerance, smallest_tolerance);
  const double absolute = options.absolute_tolerance > 0 ? options.absolute_tolerance : options.tolerance;
  tolerance_.absolute = std::max(part_of_step * absolute, std::numeric_limits<double>::min());
  if (options.absolute_tolerance <= 0) tolerance_.absolute = std::max(tolerance_.absolute, smallest_tolerance);
  stepper_ = make_stepper(options.integrator, flow_, tolerance_, options.step);
  // Newton's method of an implicit step does not converge across a singular position: an explicit one passes.
  if (options.integrator == "radau5") passer_ = make_stepper("dop853", flow_, tolerance_, 0.0);
  active_ = stepper_.get();
  state_.q.resize(flow_.coordinates());
  state_.v.resize(flow_.velocities());
}

const State& Run::state_of(double t, const double* y) {
  state_.t = t;
  std::copy_n(y, flow_.coordinates(), state_.q.begin());
  std::copy_n(y + flow_.coordinates(), flow_.velocities(), state_.v.begin());
  return state_;
}

std::string Run::name_of(int entry) const {
  const int nq = flow_.coordinates();
  return entry < nq ? system_.coordinate_names()[entry] : system_.velocity_names()[entry - nq];
}

// --- The whole run
// ------------------------------------------------------------------------------------------------

void Run::go(const State& start) {
  began_ = reported_ = Clock::now();
  if (begin(start))
    while (!finished_ && step()) {
    }
  const State& last = state_of(t_, y_.data());
  out_.last = last;
  out_.work = flow_.work_done(y_.data());
  out_.energy_end = energy(system_, last, work_);
  out_.evaluations = flow_.evaluations;
  out_.seconds = std::chrono::duration<double>(Clock::now() - began_).count();
  write_notes();
}

bool Run::begin(const State& start) {
  t_ = t_start_ = start.t;
  std::copy(start.q.begin(), start.q.end(), y_.begin());
  std::copy(start.v.begin(), start.v.end(), y_.begin() + flow_.coordinates());
  out_.energy_start = energy(system_, start, work_);
  if (!flow_.at_accepted(t_, y_.data(), f_.data())) {
    stop_unsolved(t_);
    return false;
  }
  const Equations& at = evaluate(system_, start, work_);
  passage_.look(at, t_);
  observer_.watch_accelerations(at, std::span(f_).subspan(flow_.coordinates(), flow_.velocities()), out_);
  Residuals miss;
  residuals(system_, start, work_, miss);
  observer_.watch_residuals(miss.position, miss.velocity, out_);
  if (!system_.events().empty()) observer_.events(start, passage_, event_values_);
  if (!switches(system_).empty()) observer_.switches(start, passage_, switch_values_);
  if (options_.samples != 1) record(t_, y_.data());
  next_sample_ = 1;
  const double span = options_.until - t_;
  direction_ = span < 0 ? -1 : 1;
  if (span == 0) {
    if (options_.samples == 1) record(t_, y_.data());
    finish(Stop::end, "the end is the start");
    return false;
  }
  h_next_ = stepper_->first_step(t_, y_.data(), f_.data(), span);
  return true;
}

bool Run::step() {
  if (out_.steps >= options_.step_limit) {
    finish(Stop::step_limit, "the limit of " + std::to_string(options_.step_limit) + " steps was reached at t = " +
                                 number_text(t_, 10));
    return false;
  }
  if (!try_step()) return false;
  if (direction_ * (t_new_ - options_.until) > 0) cut_at_end();
  if (passage_.watching())
    passage_.find([this](double t) -> const Equations& { return evaluate(system_, state_between(t), work_); },
                  out_.rank_changes);
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
  return report_progress();
}

/// A leap over a singular position went past the end: the end is read from its polynomial.
void Run::cut_at_end() {
  if (!interpolate()) return;
  polynomial_.at((options_.until - t_) / h_, between_.data());
  t_new_ = options_.until;
  y_new_ = between_;
  if (project(t_new_, between_.data())) y_new_ = between_;
  flow_(t_new_, y_new_.data(), f_new_.data());
}

/// The step, cut so that the end is met exactly and no tiny step is left before it.
double Run::clipped(double h) const {
  if (options_.step > 0 && std::fabs(h) > options_.step) h = direction_ * options_.step;
  const double left = options_.until - t_;
  if (leaping_) return h;  // an end in between is read from the step
  if (std::fabs(h) >= std::fabs(left) * (1 - 1e-10)) return left;
  if (stepper_->adaptive() && 2 * std::fabs(h) > std::fabs(left) && refusals_ == 0) return 0.5 * left;
  return h;
}

/// Tries until a step is good. True with y_new, f_new and h_next ready; false when the run has ended.
bool Run::try_step() {
  refusals_ = 0;
  const bool near = passage_.nearness() < careful_below;
  flow_.set_careful(near && (!stepper_->adaptive() || flow_.careful()));
  plan_passage();
  while (true) {
    h_ = clipped(direction_ * std::fabs(h_next_));
    t_new_ = h_ == options_.until - t_ ? options_.until : t_ + h_;
    if (std::fabs(h_) <= 4 * eps * std::max(std::fabs(t_), std::fabs(t_new_)) || t_new_ == t_) {
      if (flow_.why() == Status::not_finite && !attempt_.evaluated) {
        stop_unsolved(t_);
        return false;
      }
      finish(Stop::step_too_small,
             "the step became too small at t = " + number_text(t_, 17) + ": " + refusal_, refusal_names_);
      return false;
    }
    projected_ = interpolated_ = false;
    if (!switch_values_.empty()) flow_.watch_switches(switch_values_);
    attempt_ = active_->attempt(t_, y_.data(), f_.data(), h_, y_new_.data());
    bool good = attempt_.evaluated && attempt_.error <= 1;
    if (!good && attempt_.evaluated && flow_.careful())
      good = good_after_projection();
    if (!good) {
      refuse(attempt_.evaluated
                 ? "the error of '" + name_of(attempt_.worst) + "' is " + number_text(attempt_.error, 3) +
                       " times what the tolerance allows"
                 : "the equations could not be solved inside the step",
             false);
      if (finished_) return false;
      continue;
    }
    if (options_.keep == Keep::projection && !projected_ && !project(t_new_, y_new_.data())) {
      refuse(refusal_, true);
      if (finished_) return false;
      continue;
    }
    if (!evaluate_accepted()) {
      if (finished_) return false;
      continue;
    }
    if (near_singular_position()) continue;
    if (hides_a_switch()) {
      refusal_names_.clear();
      refuse("the forces switch inside the step", true);
      if (finished_) return false;
      continue;
    }
    if (active_ == stepper_.get()) {
      h_next_ = stepper_->next_step(h_, attempt_, true);
    } else {
      h_next_ = before_leap_;
      stepper_->restart();
    }
    cut_at_switch();
    if (finished_) return false;
    look_around();
    return true;
  }
}

/// An error that leaves the constraints does not stay: the projection takes it away. Near singular positions,
/// where constraints hold some directions only weakly, nearly all of an error may be of that kind.
bool Run::good_after_projection() {
  const int nq = flow_.coordinates(), nv = flow_.velocities();
  between_ = y_new_;
  if (!project(t_new_, between_.data())) return false;
  const std::span<const double> q(between_.data(), nq), v(between_.data() + nq, nv);
  const Filter filter = [&](double* error) {
    change_.assign(nv, 0.0);
    for (int i = 0; i < nq; ++i)
      if (const int u = system_.velocity_of_coordinate(i); u >= 0) change_[u] = error[i];
    keep_tangent_part(system_, Level::position, t_new_, q, v, work_, change_);
    for (int i = 0; i < nq; ++i)
      if (const int u = system_.velocity_of_coordinate(i); u >= 0) error[i] = change_[u];
    keep_tangent_part(system_, Level::velocity, t_new_, q, v, work_, {error + nq, static_cast<std::size_t>(nv)});
  };
  const Attempt left = active_->filtered(attempt_, between_.data(), filter);
  if (!left.evaluated || left.error > 1) return false;
  attempt_ = left;
  y_new_.swap(between_);
  projected_ = true;
  ++filtered_steps_;
  return true;
}

/// A singular position that the next step would meet or come near: pass it with no stage close to it, all
/// stages on the constraints. A step too long for that first goes half the way.
void Run::plan_passage() {
  leaping_ = false;
  active_ = stepper_.get();
  if (!stepper_->adaptive() || options_.keep != Keep::projection || passage_.nearness() >= careful_below) return;
  const double ahead = passage_.time_to_singular();
  if (ahead > 1.5 * std::fabs(h_next_)) return;
  leaping_ = true;
  before_leap_ = h_next_;
  if (passer_) active_ = passer_.get();
  half_way_ = direction_ * 0.5 * ahead;
  h_next_ = direction_ * ahead / active_->quiet_part();
  flow_.set_careful(true);
}

/// A step that was no good: a smaller one next, and near a singular position a careful one.
void Run::refuse(const std::string& what, bool halve) {
  ++out_.rejected;
  ++refusals_;
  refusal_ = what;
  if (!halve) refusal_names_ = {name_of(attempt_.worst)};
  if (!stepper_->adaptive()) {
    if (!attempt_.evaluated)
      stop_unsolved(t_new_);
    else
      finish(Stop::step_too_small, "a fixed step fails at t = " + number_text(t_, 10) + ": " + what,
             refusal_names_);
    return;
  }
  if (leaping_) {
    leaping_ = false;
    active_ = stepper_.get();
    h_next_ = half_way_;
    return;
  }
  if (passage_.nearness() < careful_below && !flow_.careful() && options_.keep == Keep::projection) {
    flow_.set_careful(true);
    return;  // the same step once more
  }
  h_next_ = halve ? 0.5 * h_ : stepper_->next_step(h_, attempt_, false);
  if (!(std::fabs(h_next_) < 0.95 * std::fabs(h_))) h_next_ = 0.5 * h_;  // or this would never end
}

bool Run::project(double t, double* y) {
  const Projection p = projector_(t, y, y + flow_.coordinates(), work_);
  if (p.done) return true;
  const std::string constraint =
      p.row >= 0 ? system_.constraints()[system_.constraint_of_row(p.row)].name : std::string();
  refusal_names_ = {constraint};
  refusal_ = "constraint '" + constraint + "' cannot be kept" +
             (p.of_velocity ? " in its velocities" : "") + "; it is missed by " + number_text(p.miss, 3);
  return false;
}

/// f at the new state, where contradictions are judged, and the misses of the constraints there.
bool Run::evaluate_accepted() {
  if (!flow_.at_accepted(t_new_, y_new_.data(), f_new_.data())) {
    if (flow_.why() == Status::not_finite && stepper_->adaptive()) {
      attempt_.evaluated = false;
      refuse("the equations are not finite at the end of the step", false);
      return false;
    }
    // In a singular position rows agree only as far as the velocities are known there, which is less than
    // elsewhere: no contradiction.
    const Equations& at = evaluate(system_, state_of(t_new_, y_new_.data()), work_);
    if (flow_.why() == Status::contradicting && passage_.watching() && passage_.nearness_of(at) < evade_below &&
        flow_(t_new_, y_new_.data(), f_new_.data()))
      return true;
    stop_unsolved(t_new_);
    return false;
  }
  return true;
}

/// Steps end on either side of a singular position, not in it: what is lost there is never regained.
bool Run::near_singular_position() {
  // A row vanishes no faster than its part shrinks: far from a singular position there is nothing to look at.
  const bool may_evade = passage_.watching() && stepper_->adaptive() && options_.keep == Keep::projection &&
                         refusals_ < 20 && t_new_ != options_.until && passage_.nearness() > evade_below;
  if (!may_evade || passage_.time_to_singular() > 4 * std::fabs(h_)) return false;
  if (passage_.nearness_of(evaluate(system_, state_of(t_new_, y_new_.data()), work_)) >= evade_below) return false;
  ++refusals_;
  ++evasions_;
  h_next_ = 0.9 * h_;
  return true;
}

/// Rank and misses at the state to be accepted.
void Run::look_around() {
  if (!passage_.watching()) return;
  const Equations& at = evaluate(system_, state_of(t_new_, y_new_.data()), work_);
  passage_.look(at, t_new_);
  observer_.watch_accelerations(at, std::span(f_new_).subspan(flow_.coordinates(), flow_.velocities()), out_);
}

void Run::accept() {
  if (options_.keep == Keep::projection) {
    observer_.watch_residuals(projector_.position_residual(), projector_.velocity_residual(), out_);
  } else {
    Residuals miss;
    residuals(system_, state_of(t_new_, y_new_.data()), work_, miss);
    observer_.watch_residuals(miss.position, miss.velocity, out_);
  }
  ++out_.steps;
  if (flow_.careful()) ++careful_steps_;
  t_ = t_new_;
  y_.swap(y_new_);
  f_.swap(f_new_);
  event_values_.swap(event_new_);
  switch_values_.swap(switch_new_);
}

bool Run::interpolate() {
  if (interpolated_) return true;
  interpolated_ = active_->interpolate(f_new_.data(), polynomial_);
  return interpolated_;
}

/// A state inside the step at hand, not projected.
const State& Run::state_between(double t) {
  if (!interpolate()) return state_of(t_new_, y_new_.data());
  polynomial_.at((t - t_) / h_, between_.data());
  return state_of(t, between_.data());
}

// --- The record
// ----------------------------------------------------------------------------------------------------

void Run::record(double t, const double* y) {
  observer_.record(state_of(t, y), flow_.work_done(y), passage_, out_);
}

/// Records what is due in the step, up to t; at the end of the step itself from the state itself.
void Run::record_until(double t, bool inclusive) {
  if (options_.samples == 0) {
    if (inclusive) record(t, t == t_new_ ? y_new_.data() : between_.data());
    return;
  }
  if (options_.samples == 1) {
    if (t == options_.until) record(t, y_new_.data());
    return;
  }
  while (next_sample_ < options_.samples) {
    const double part = static_cast<double>(next_sample_) / (options_.samples - 1);
    const double due = next_sample_ == options_.samples - 1 ? options_.until
                                                            : t_start_ + part * (options_.until - t_start_);
    if (direction_ * (due - t) > 0) return;
    if (due == t_new_ || !interpolate()) {
      record(due, y_new_.data());
    } else {
      polynomial_.at((due - t_) / h_, between_.data());
      if (options_.keep == Keep::projection) project(due, between_.data());
      record(due, between_.data());
    }
    ++next_sample_;
  }
}

bool Run::report_progress() {
  if (!options_.progress || out_.steps % 16 != 0) return true;
  const Clock::time_point now = Clock::now();
  if (now - reported_ < std::chrono::milliseconds(50)) return true;
  reported_ = now;
  Progress p;
  p.t = t_;
  p.steps = out_.steps;
  p.fraction = (t_ - t_start_) / (options_.until - t_start_);
  const double spent = std::chrono::duration<double>(now - began_).count();
  p.seconds_left = p.fraction > 0 ? spent * (1 - p.fraction) / p.fraction : INFINITY;
  if (options_.progress(p)) return true;
  finish(Stop::cancelled, "cancelled at t = " + number_text(t_, 10));
  return false;
}

// --- Endings
// -------------------------------------------------------------------------------------------------------

void Run::finish(Stop stop, const std::string& reason, std::vector<std::string> names) {
  finished_ = true;
  out_.stop = stop;
  out_.reason = reason;
  out_.names = std::move(names);
  // What was reached is part of the record, however the run ends.
  if ((out_.empty() || out_.times().back() != t_) && stop != Stop::end) record(t_, y_.data());
}

void Run::stop_unsolved(double t) {
  State at = t == t_ ? state_of(t_, y_.data()) : state_of(t, y_new_.data());
  const Solution full = solve(system_, at);
  std::vector<std::string> names;
  for (const int r : full.rows) {
    const std::string& name = system_.constraints()[system_.constraint_of_row(r)].name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  for (const int c : full.coordinates) names.push_back(system_.velocity_names()[c]);
  const Stop stop = full.status == Status::contradicting ? Stop::contradicting
                    : full.status == Status::not_finite  ? Stop::not_finite
                                                         : Stop::singular;
  finished_ = true;
  out_.stop = stop;
  out_.reason = "at t = " + number_text(t, 10) + ": " + describe(system_, full);
  out_.names = names;
  if ((out_.empty() || out_.times().back() != t_) && t != t_start_) record(t_, y_.data());
}

void Run::write_notes() {
  if (careful_steps_ > 0)
    out_.notes.push_back(std::to_string(careful_steps_) +
                         " steps near a singular position were made with every stage projected onto the constraints");
  if (filtered_steps_ > 0)
    out_.notes.push_back(std::to_string(filtered_steps_) +
                         " of them were accepted because their error leaves the constraints and was projected away");
  if (evasions_ > 0)
    out_.notes.push_back(std::to_string(evasions_) + " steps were shortened so as not to end in a singular position");
  if (observer_.saw_free_multipliers())
    out_.notes.push_back("the multipliers are not unique: those of least norm are recorded");
  if (!passage_.watching() && !system_.row_names().empty())
    out_.notes.push_back("the rank of A is not watched: A M^-1 A^T is too full");
  if (tolerance_.relative > part_of_step * options_.tolerance * 1.0001)
    out_.notes.push_back("a tolerance of " + number_text(options_.tolerance, 3) +
                         " is below rounding; steps were held to " + number_text(smallest_tolerance, 3));
}

}  // namespace vinculum
