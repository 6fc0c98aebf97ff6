#include "motion/run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr int most_crawling = 1000;    // steps in a row, a thousand million of which the run would need
constexpr long most_standing = 1000;   // steps in a row that move nothing ...
constexpr double most_to_stand = 1e5;  // ... where the run would need more of them than this

}  // namespace

Run::Run(const System& system, const MotionOptions& options, Trajectory& out,
         std::vector<StepPolynomial>* dense)
    : system_(system),
      options_(options),
      out_(out),
      dense_(dense),
      work_(system),
      contacts_(system, work_),
      slides_(system, work_),
      flow_(system, work_, options, contacts_, slides_),
      sizes_(flow_.sizes()),
      projector_(system, sizes_),
      passage_(system),
      observer_(system, work_),
      curve_(flow_.coordinates(), flow_.velocities()),
      event_places_(places_of_events(system)),
      switch_places_(places_of_switches(system)),
      y_(flow_.size()),
      f_(flow_.size()),
      y_new_(flow_.size()),
      f_new_(flow_.size()),
      between_(flow_.size()),
      noisy_f_(flow_.size()) {
  tolerance_.relative = std::max(part_of_step * options.tolerance, smallest_tolerance);
  tolerance_.absolute = part_of_step * std::max(options.absolute_tolerance, 0.0);
  tolerance_.sizes = &sizes_;
  stepper_ = make_stepper(options.integrator, flow_, tolerance_, options.step);
  // Newton's method of an implicit step does not converge across a singular position: an explicit one passes.
  if (options.integrator == "radau5") passer_ = make_stepper("dop853", flow_, tolerance_, 0.0);
  active_ = stepper_.get();
  state_.q.resize(flow_.coordinates());
  state_.v.resize(flow_.velocities());
}

const State& Run::state_of(double t, const double* y) {
  use_contacts_of(t);
  state_.t = t;
  std::copy_n(y, flow_.coordinates(), state_.q.begin());
  std::copy_n(y + flow_.coordinates(), flow_.velocities(), state_.v.begin());
  return state_;
}

std::string Run::name_of(int entry) const {
  const int nq = flow_.coordinates();
  if (entry >= flow_.first_slide())
    return switch_name(system_.impl().sliding[entry - flow_.first_slide()].places.front());
  if (entry >= flow_.first_contact()) return names_of_contacts().front();
  if (entry >= flow_.controlled()) return "work";
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
  observer_.watch_controls(last, passage_, out_);
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
  out_.first = start;
  out_.waypoints.pass(t_, start.q);
  out_.energy_start = energy(system_, start, work_);
  free_momenta(system_, start.q, start.v, momenta_);
  if (!flow_.at_accepted(t_, y_.data(), f_.data())) {
    stop_unsolved(t_);
    return false;
  }
  const double span = options_.until - t_;
  size_start(span);
  rest_contacts();
  flow_.at_accepted(t_, y_.data(), f_.data());  // what it finds here is what the motion starts with
  contacts_.settle_start();
  slides_.settle_start();
  passage_.look(evaluate(system_, start, work_), t_);
  leave_singular_start();
  const Equations& at = evaluate(system_, start, work_);
  observer_.watch_accelerations(at, std::span(f_).subspan(flow_.coordinates(), flow_.velocities()), out_);
  Residuals miss;
  residuals(system_, start, work_, miss);
  observer_.watch_residuals(miss.position, miss.velocity, out_);
  observer_.watch_controls(start, passage_, out_);
  if (!system_.events().empty()) {
    observer_.events(start, passage_, event_values_);
    begin_events(start);
  }
  if (watches_switches()) switches_at(t_, y_.data(), switch_values_);
  if (contacts_.any()) contacts_.accept(view_of(t_, y_), switch_values_.data() + switches(system_).size());
  leave_switches();
  if (options_.samples != 1 || !options_.instants.empty()) record(t_, y_.data());
  next_sample_ = 1;
  direction_ = span < 0 ? -1 : 1;
  if (span == 0) {
    if (options_.samples == 1) record(t_, y_.data());
    look_at_shares();
    finish(Stop::end, "the end is the start");
    return false;
  }
  if (direction_ < 0 && contacts_.any_at_rest(view_of(t_, y_))) {
    stop_at_rest(t_);
    return false;
  }
  longest_ = std::fabs(h_next_);
  return true;
}

/// How large the motion is as it begins, how long it stays what it is there, and the step for that.
void Run::size_start(double span) {
  weigh(evaluate(system_, state_of(t_, y_.data()), work_));
  sizes_.begin(y_.data());
  measure_noise();
  const double scale = span == 0 ? 0.0 : time_scale(flow_, sizes_, t_, y_.data(), f_.data(), span);
  sizes_.set_start(t_, scale, span);
  sizes_.aim(t_, y_.data(), f_.data(), 0.0);
  expect_forces(span);
  h_next_ = stepper_->first_step(scale);
}

/// What rests has the size of forces to come: right behind the start, and along the run.
void Run::expect_forces(double span) {
  const auto look = [&](double t) {
    if (flow_(t, y_.data(), noisy_f_.data())) sizes_.expect(noisy_f_.data());
  };
  look(t_ + std::copysign(sizes_.moment(), span));
  constexpr int parts = 32;
  for (int k = 1; k <= parts && sizes_.any_at_rest(); ++k) look(t_ + span * k / parts);
}

/// What rounding of the state and of time makes of f, unless it stands on a switch.
void Run::measure_noise() {
  std::vector<double>& beside = between_steps_;
  beside.resize(y_.size());
  sizes_.add_roundings(y_.data(), beside.data());
  if (!switch_values_.empty()) flow_.watch_switches(switch_values_);
  const double later = t_ + direction_ * 4 * eps * std::max(std::fabs(t_), std::fabs(t_ + h_));
  if (flow_(later, beside.data(), noisy_f_.data()) && !flow_.met_switch())
    sizes_.measure_noise(f_.data(), noisy_f_.data());
}

/// A start on a switch belongs to neither side: the motion goes on as it does just behind it.
void Run::leave_switches() {
  if (std::none_of(switch_values_.begin(), switch_values_.end(), [](double g) { return g == 0; })) return;
  const double hop = 1e-13 * (options_.until - t_);
  for (std::size_t i = 0; i < y_.size(); ++i) between_[i] = y_[i] + hop * f_[i];
  std::vector<double> f(f_.size());
  if (hop == 0 || !flow_(t_ + hop, between_.data(), f.data())) return;
  switches_at(t_ + hop, between_.data(), switch_new_);
  for (std::size_t k = 0; k < switch_values_.size(); ++k)
    if (switch_values_[k] == 0) switch_values_[k] = switch_new_[k];
  f_ = f;
}

bool Run::step() {
  if (out_.steps >= options_.step_limit) {
    finish(Stop::step_limit, "the limit of " + std::to_string(options_.step_limit) +
                                 " steps was reached at t = " + number_text(t_, 10));
    return false;
  }
  refusal_.clear();
  refusal_names_.clear();
  if (!try_step()) return false;
  if (direction_ * (t_new_ - options_.until) > 0) cut_at_end();
  if (passage_.watching()) find_rank_changes();
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
  const double longest = std::fabs(options_.until - t_start_) * most_unseen / stepper_->widest_gap();
  if (stepper_->adaptive() && options_.step <= 0 && std::fabs(h) > longest) h = direction_ * longest;
  if (std::fabs(h) >= std::fabs(left) * (1 - 1e-10)) return left;
  if (stepper_->adaptive() && 2 * std::fabs(h) > std::fabs(left) && refusals_ == 0) return 0.5 * left;
  return h;
}

/// Tries until a step is good. True with y_new, f_new and h_next ready; false when the run has ended.
bool Run::try_step() {
  refusals_ = 0;
  nearness_before_ = passage_.nearness();
  const bool near = nearness_before_ < careful_below;
  flow_.set_careful(near && (!stepper_->adaptive() || flow_.careful()));
  plan_passage();
  leave_out_rows(work_, near ? std::span<const char>() : passage_.left_out());
  while (true) {
    h_ = clipped(direction_ * std::fabs(h_next_));
    const double end = aim();
    t_new_ = h_ == end - t_ ? end : t_ + h_;
    if (too_short()) {
      stop_too_short();
      return false;
    }
    if (attempt_step()) break;
    if (finished_) return false;
  }
  if (active_ == stepper_.get()) {
    h_next_ = stepper_->next_step(h_, attempt_, true);
  } else {
    h_next_ = before_leap_;
    stepper_->restart();
  }
  cut_at_switch();
  if (!finished_) change_contacts();
  if (!finished_) change_slides();
  if (finished_) return false;
  look_around();
  return true;
}

/// No less than time can resolve, here and on the scale of the whole run; nor so much shorter than others
/// before, and for so long, that the run would never end.
bool Run::too_short() const {
  if (crawling_ > most_crawling) return true;
  const double least =
      4 * eps * std::max({std::fabs(t_), std::fabs(t_new_), 0.01 * std::fabs(options_.until - t_start_)});
  return !(std::fabs(h_) > least) && (h_ != options_.until - t_start_ || refusals_ > 0);
}

/// Steps are made, but nothing moves, and they are so short that the end is out of reach: counted by steps
/// and by the time they have advanced. Steps whose length was asked for are none of these.
bool Run::stands_still() {
  const bool asked_for = !stepper_->adaptive() || (options_.step > 0 && std::fabs(h_) > 0.5 * options_.step);
  bool moves = asked_for || stood_at_.empty();
  for (int i = 0; i < flow_.coordinates() && !moves; ++i)
    moves = std::fabs(y_[i] - stood_at_[i]) > tolerance_.of(i, y_[i], stood_at_[i]) / part_of_step;
  if (moves) {
    standing_ = 0;
    standing_since_ = t_;
    stood_at_.assign(y_.begin(), y_.begin() + flow_.coordinates());
    return false;
  }
  if (++standing_ < most_standing) return false;
  const double pace = std::fabs(t_ - standing_since_) / static_cast<double>(standing_);
  return most_to_stand * pace < std::fabs(options_.until - t_);
}

void Run::stop_standing_still() {
  const double pace = std::fabs(t_ - standing_since_) / static_cast<double>(standing_);
  std::vector<std::string> laws = laws_without_direction(system_);
  std::string why = "the forces on '" + name_of(attempt_.worst) +
                    "' change faster than steps can follow (radau5 is for laws that are stiff)";
  if (!laws.empty())
    why = list_text(laws) +
          ", which has no direction at rest: write friction = .., sign(..) of one velocity, or the same -L "
          "v_i/|v| on every "
          "velocity of |v|";
  finish(Stop::step_too_small,
         "at t = " + number_text(t_, 10) + " no coordinate has moved by more than the tolerance in " +
             std::to_string(standing_) + " steps, and the end is " +
             number_text(std::fabs(options_.until - t_) / pace, 2) + " such steps away: " + why,
         {name_of(attempt_.worst)});
}

void Run::stop_too_short() {
  if (!attempt_.evaluated && flow_.why() != Status::solved) {
    stop_unsolved(t_);
    return;
  }
  if (refusal_.empty()) {
    refusal_ = "steps shrink towards this time, where '" + name_of(attempt_.worst) + "' changes fastest";
    refusal_names_ = {name_of(attempt_.worst)};
  }
  if (contradicts_) {
    finish(Stop::contradicting, "at t = " + number_text(t_, 10) + ": " + refusal_, refusal_names_);
    return;
  }
  name_dependent_rows();
  finish(Stop::step_too_small, "the step became too small at t = " + number_text(t_, 17) + ": " + refusal_,
         refusal_names_);
}

/// One step of the length at hand. False where it is refused: another is to be tried, unless the run has
/// ended.
bool Run::attempt_step() {
  projected_ = interpolated_ = false;
  flow_.set_rounding(rounding_of_forces());
  // A step that is refused again and again may miss by rounding alone.
  if (refusals_ > 0 && refusals_ % 3 == 0) measure_noise();
  sizes_.aim(t_, y_.data(), f_.data(), h_);
  if (!switch_values_.empty()) flow_.watch_switches(switch_values_);
  attempt_ = active_->attempt(t_, y_.data(), f_.data(), h_, y_new_.data());
  bool good = attempt_.evaluated && attempt_.error <= 1;
  if (!good && attempt_.evaluated && stepper_->adaptive() && options_.keep == Keep::projection)
    good = good_after_projection();
  if (!good) {
    refuse(attempt_.evaluated ? "the error of '" + name_of(attempt_.worst) + "' is " +
                                    number_text(attempt_.error, 3) + " times what the tolerance allows"
                              : "the equations could not be solved inside the step",
           false);
    return false;
  }
  return meets_constraints() && evaluate_accepted() && !near_singular_position() && !refuse_hidden_switch();
}

/// The new state is taken to its constraints.
bool Run::meets_constraints() {
  if (options_.keep != Keep::projection) {
    keep(system_, {y_new_.data(), static_cast<std::size_t>(flow_.coordinates())}, work_);
    return true;
  }
  if (projected_ || project(t_new_, y_new_.data())) return true;
  if (contradicts_ && !passage_.left_out().empty()) {  // a row that was left out is none that depends
    passage_.forget_rows();
    leave_out_rows(work_, {});
  } else if (!tear_contacts()) {
    refuse(refusal_, true);
  }
  return false;
}

bool Run::refuse_hidden_switch() {
  if (!hides_a_switch()) return false;
  refusal_names_.clear();
  if (stepper_->adaptive())
    refuse("the forces switch inside the step", true);
  else  // a contact: fixed steps are shortened to meet it
    h_next_ = 0.5 * h_;
  return true;
}

/// A step that was no good: a smaller one next, and near a singular position a careful one.
void Run::refuse(const std::string& what, bool halve) {
  ++out_.rejected;
  ++refusals_;
  if (what != refusal_) contradicts_ = false;  // this refusal has another reason
  refusal_ = what;
  if (!halve) refusal_names_ = {name_of(attempt_.worst)};
  if (!stepper_->adaptive()) {
    if (!attempt_.evaluated)
      stop_unsolved(t_new_);
    else if (contradicts_)
      finish(Stop::contradicting, "at t = " + number_text(t_new_, 10) + ": " + what, refusal_names_);
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

/// Of rows that disagree: those that the one which misses depends on.
void Run::name_rows_beside(int row, double t, const double* y) {
  const Solution full = solve(system_, state_of(t, y));
  std::set<int> constraints{system_.constraint_of_row(row)};
  for (const Dependency& d : full.dependencies) {
    if (d.row != row && std::find(d.on.begin(), d.on.end(), row) == d.on.end()) continue;
    constraints.insert(system_.constraint_of_row(d.row));
    for (const int r : d.on) constraints.insert(system_.constraint_of_row(r));
  }
  refusal_names_.clear();
  for (const int c : constraints) refusal_names_.push_back(system_.constraints()[c].name);
}

bool Run::project(double t, double* y) {
  use_contacts_of(t);
  between_steps_.assign(y, y + flow_.controlled());
  const Projection p = projector_(t, y, y + flow_.coordinates(), work_);
  keep_momenta(system_, momenta_, {y, static_cast<std::size_t>(flow_.coordinates())},
               {y + flow_.coordinates(), static_cast<std::size_t>(flow_.velocities())});
  const bool jumps = p.done && teleports(p, between_steps_.data(), y);
  if (p.done && !jumps) return true;
  const std::string constraint =
      p.row >= 0 ? system_.constraints()[system_.constraint_of_row(p.row)].name : std::string();
  refusal_names_ = {constraint};
  contradicts_ = p.contradicting;
  if (p.contradicting) {
    name_rows_beside(p.row, t, y);
    std::vector<std::string> quoted;
    for (const std::string& name : refusal_names_) quoted.push_back("'" + name + "'");
    refusal_ = "constraints " + list_text(quoted) + " cannot hold together" +
               (p.of_velocity ? " in their velocities" : "") + "; '" + constraint + "' is missed by " +
               number_text(std::fabs(p.miss), 3);
    return false;
  }
  if (jumps) {
    refusal_ = "constraint '" + constraint + "' asks for a jump of positions or velocities";
    return false;
  }
  refusal_ = "constraint '" + constraint + "' cannot be kept" + (p.of_velocity ? " in its velocities" : "") +
             "; it is missed by " + number_text(p.miss, 3);
  return false;
}

/// A projection takes away an error, a small part of what the step has moved. One that moves as much as the
/// step does has left the curve: the constraint jumps or turns too sharply for the step.
bool Run::teleports(const Projection& projection, const double* before, const double* after) const {
  if (changed(before, after) <= options_.tolerance) return false;
  const double part = stepper_->adaptive() ? 0.25 : 1.0;  // fixed steps may be as coarse as one likes
  return projection.moved > part * changed(y_.data(), before) + 1000 * options_.tolerance;
}

/// The largest change of a coordinate or velocity, relative to its size.
double Run::changed(const double* from, const double* to) const {
  double most = 0;
  for (int i = 0; i < flow_.controlled(); ++i)
    if (to[i] != from[i]) most = std::max(most, std::fabs(to[i] - from[i]) / (sizes_[i] + std::fabs(to[i])));
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
        std::fabs(h_) > 1e-9 * std::fabs(options_.until - t_start_) && passage_.nearness() >= evade_below) {
      refuse("the constraints contradict each other at the end of the step", true);
      return false;
    }
    // In a singular position rows agree only as far as the velocities are known there, which is less than
    // elsewhere: no contradiction.
    const Equations& at = evaluate(system_, state_of(t_new_, y_new_.data()), work_);
    if (flow_.why() == Status::contradicting && passage_.watching() &&
        passage_.nearness_of(at) < evade_below && flow_(t_new_, y_new_.data(), f_new_.data()))
      return true;
    stop_unsolved(t_new_);
    return false;
  }
  return true;
}

void Run::accept() {
  residuals(system_, state_of(t_new_, y_new_.data()), work_, miss_);
  observer_.watch_residuals(miss_.position, miss_.velocity, out_);
  ++out_.steps;
  errors_ += stepper_->adaptive() ? std::clamp(attempt_.error, 0.01, 1.0) : 1.0;
  sizes_.accept(y_new_.data());
  longest_ = std::max(longest_, std::fabs(h_));
  const bool crawls =
      std::fabs(h_) < 1e-6 * longest_ && std::fabs(h_) < 1e-9 * std::fabs(options_.until - t_start_);
  crawling_ = crawls ? crawling_ + 1 : 0;
  if (flow_.careful()) {
    ++careful_steps_;
    const bool passed = !out_.rank_changes.empty() && direction_ * (out_.rank_changes.back().time - t_) >= 0;
    const double nearest = passed ? 0.0 : std::min(nearness_before_, passage_.nearness());
    nearest_when_careful_ = std::min(nearest_when_careful_, nearest);
  }
  t_ = t_new_;
  y_.swap(y_new_);
  f_.swap(f_new_);
  observer_.watch_controls(state_of(t_, y_.data()), passage_, out_);
  if (t_ != options_.until) out_.waypoints.pass(t_, state_.q);
  event_values_.swap(event_new_);
  switch_values_.swap(switch_new_);
  slides_.accept();
  if (contacts_.any()) contacts_.accept(view_of(t_, y_), switch_values_.data() + switches(system_).size());
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
