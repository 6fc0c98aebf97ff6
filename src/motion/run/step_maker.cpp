#include "motion/run/step_maker.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "vinculum/base/text.hpp"
#include "vinculum/system/manifold.hpp"

namespace vinculum {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
/// A state this near to a singular position loses digits by their inverse: steps do not end there.
constexpr double evade_below = 1e-3;
/// No step is so long that its stages leave more than this part of the run unseen between them.
constexpr double most_unseen = 1.0 / 32;

}  // namespace

StepMaker::StepMaker(Course& course, const Helpers& helpers)
    : course_(course),
      step_(course.step),
      system_(course.system),
      options_(course.options),
      out_(course.out),
      work_(course.work),
      modes_(course.modes),
      flow_(course.flow),
      sizes_(course.sizes),
      singularity_(course.singularity),
      tolerance_(course.tolerance),
      landing_(helpers.landing),
      switches_(helpers.switches),
      changes_(helpers.changes),
      lookout_(helpers.lookout),
      stall_(helpers.stall),
      recorder_(helpers.recorder),
      clock_(helpers.clock),
      between_(course.flow.size()),
      change_(course.flow.velocities()),
      beside_(course.flow.coordinates()),
      beside_start_(course.flow.size()),
      noisy_f_(course.flow.size()) {}

void StepMaker::begin(bool smooth, bool leaves_singular_start) {
  smooth_ = smooth;
  leaves_singular_start_ = leaves_singular_start;
}

/// Where a step must end: the next instant that was named, or the end. One that is nearer than a step should
/// be short is read from the step.
double StepMaker::aim() const {
  const std::optional<double> due = options_.instants.empty() ? std::nullopt : recorder_.next_due();
  const bool ahead = due && course_.direction * (options_.until - *due) > 0 &&
                     std::fabs(*due - step_.t) > 1e-9 * course_.span();
  return ahead ? *due : options_.until;
}

/// The step, cut so that the end is met exactly and no tiny step is left before it.
double StepMaker::clipped(double h) const {
  if (options_.step > 0 && std::fabs(h) > options_.step) h = course_.direction * options_.step;
  const double left = aim() - step_.t;
  if (leaping_) return h;  // an end in between is read from the step
  // What lies between two stages is not seen: no step grows beyond what the run has to look at, unless the
  // largest step was named.
  const double longest = course_.span() * most_unseen / course_.stepper->widest_stage_gap();
  if (course_.stepper->adaptive() && options_.step <= 0 && std::fabs(h) > longest)
    h = course_.direction * longest;
  if (std::fabs(h) >= std::fabs(left) * (1 - 1e-10)) return left;
  if (course_.stepper->adaptive() && 2 * std::fabs(h) > std::fabs(left) && step_.refusals == 0)
    return 0.5 * left;
  return h;
}

bool StepMaker::make() {
  step_.refusals = 0;
  nearness_before_ = singularity_.nearness();
  const bool near = nearness_before_ < careful_below;
  flow_.set_careful(near && (!course_.stepper->adaptive() || flow_.careful()));
  choose_method(near);
  plan_passage();
  modes_.leave_out(near ? std::span<const char>() : singularity_.left_out());
  tried_first_ = step_.h_next;
  while (true) {
    measure();
    if (stall_.too_short()) {
      stall_.stop_too_short();
      return false;
    }
    if (attempt_step()) break;
    if (course_.finished || !clock_.report()) return false;
  }
  // A switch says nothing of the length that the motion asks for.
  const double before_switch = switches_.approaches() ? std::fabs(step_.h_next) : 0.0;
  step_.h_next =
      leaping_ && course_.passer ? before_leap_ : course_.active->next_step(step_.h, step_.attempt, true);
  step_.h_next = course_.direction * std::max(std::fabs(step_.h_next), before_switch);
  if (course_.active != course_.stepper.get()) course_.stepper->restart();
  switches_.cut_at_switch();
  if (!course_.finished) changes_.change_modes();
  if (course_.finished) return false;
  lookout_.look_around();
  return true;
}

void StepMaker::measure() {
  step_.h = switches_.before_expected(clipped(course_.direction * std::fabs(step_.h_next)));
  const double end = aim();
  step_.t_new = step_.h == end - step_.t ? end : step_.t + step_.h;
}

/// One step of the length at hand. False where it is refused: another is to be tried, unless the run has
/// ended.
bool StepMaker::attempt_step() {
  projected_ = step_.interpolated = false;
  flow_.set_rounding(rounding_of_forces());
  // A step that is refused again and again may miss by rounding alone; where neither switches nor rows make
  // steps short, any. Not friction that turns: it is steep, and takes errors away.
  if (step_.refusals > 0 && (step_.refusals % 3 == 0 || smooth_) && !modes_.steep()) {
    measure_noise();
    landing_.measure_rounding_of_rows(course_.state_at_start());
  }
  sizes_.aim(step_.t, step_.y.data(), step_.f.data(), step_.h);
  if (!step_.switches.empty()) flow_.watch_switches(step_.switches);
  step_.attempt =
      course_.active->attempt(step_.t, step_.y.data(), step_.f.data(), step_.h, step_.y_new.data());
  bool good = step_.attempt.evaluated && step_.attempt.error <= 1;
  if (!good && step_.attempt.evaluated && course_.stepper->adaptive() && course_.projects())
    good = good_after_projection();
  if (!good) {
    if (step_.attempt.evaluated && ends_before_switch()) return true;
    if (step_.attempt.evaluated)
      refuse_error();
    else
      refuse("the equations could not be solved inside the step", false);
    return false;
  }
  return meets_constraints() && evaluate_accepted() && !near_singular_position() && !refuse_departure() &&
         !refuse_hidden_switch();
}

/// `what` is part of the program.
void StepMaker::refuse(std::string_view what, bool halve) {
  step_.refusal.cause = Refusal::Cause::told;
  step_.refusal.told = what;
  step_.refusal.contradicts = false;
  if (!halve) {
    step_.refusal.forget_names();
    step_.refusal.worst = step_.attempt.worst;
  }
  try_shorter(halve);
}

void StepMaker::refuse_error() {
  step_.refusal.contradicts = false;
  step_.refusal.cause = Refusal::Cause::error;
  try_shorter(false);
}

void StepMaker::stop_fixed_step() {
  course_.word_refusal();
  if (!step_.attempt.evaluated)
    course_.stop_unsolved(step_.t_new);
  else if (step_.refusal.contradicts)
    course_.finish(Stop::contradicting, "at t = " + number_text(step_.t_new, 10) + ": " + step_.refusal.text,
                   step_.refusal.names);
  else
    course_.finish(Stop::step_too_small,
                   "a fixed step fails at t = " + number_text(step_.t, 10) + ": " + step_.refusal.text,
                   step_.refusal.names);
}

/// After a step that was no good: a smaller one next, and near a singular position a careful one.
void StepMaker::try_shorter(bool halve) {
  ++out_.rejected;
  ++step_.refusals;
  if (!course_.stepper->adaptive()) {
    stop_fixed_step();
    return;
  }
  if (leaping_) {
    leaping_ = false;
    course_.active = course_.stepper.get();
    step_.h_next = half_way_;
    return;
  }
  if (singularity_.nearness() < careful_below && !flow_.careful() && course_.projects()) {
    flow_.set_careful(true);
    return;  // the same step once more
  }
  if (passes_for_other()) return;
  step_.h_next = halve ? 0.5 * step_.h : course_.active->next_step(step_.h, step_.attempt, false);
  if (!(std::fabs(step_.h_next) < 0.95 * std::fabs(step_.h)))
    step_.h_next = 0.5 * step_.h;  // or this would never end
}

/// Newton's iterates of an implicit step from a switch, or out of rest, may stand on the wrong side of it
/// however short the step is, and a series may be none of the motion: an explicit step of the first length
/// leaves in its place.
bool StepMaker::passes_for_other() {
  constexpr int enough = 6;
  if (!course_.passer || course_.active == course_.passer.get() || step_.refusals < enough) return false;
  if (course_.stepper->implicit() && !course_.watches_switches()) return false;
  course_.active = course_.passer.get();
  step_.h_next = tried_first_;
  return true;
}

/// The new state is taken to its constraints.
bool StepMaker::meets_constraints() {
  if (!course_.projects()) {
    renormalise(system_, {step_.y_new.data(), static_cast<std::size_t>(flow_.coordinates())}, work_);
    return true;
  }
  if (projected_ || landing_.project(step_.t_new, step_.y_new.data())) return true;
  const bool of_left_out = step_.refusal.contradicts && !singularity_.left_out().empty();
  // Where rows that are kept come to depend on each other in a step so long, others are chosen at the end of
  // a shorter one.
  const bool too_long =
      course_.stepper->adaptive() && singularity_.time_to_singular() < 4 * std::fabs(step_.h);
  if (of_left_out && !too_long) {  // a row that was left out is none that depends
    singularity_.forget_rows();
    modes_.leave_out({});
  } else if (of_left_out || !changes_.tear_modes()) {
    try_shorter(true);
  }
  return false;
}

/// An error where forces switch inside the step is none of the method: the step ends before the switch.
bool StepMaker::ends_before_switch() {
  if (!flow_.met_switch() || leaping_ || !switches_.end_before_switch()) return false;
  ++out_.rejected;
  projected_ = true;
  return evaluate_accepted() && !near_singular_position() && !refuse_departure();
}

/// f at the new state, where contradictions are judged, and the misses of the constraints there.
bool StepMaker::evaluate_accepted() {
  if (!flow_.at_accepted(step_.t_new, step_.y_new.data(), step_.f_new.data())) {
    if (flow_.why() == Status::not_finite && course_.stepper->adaptive()) {
      step_.attempt.evaluated = false;
      refuse("the equations are not finite at the end of the step", false);
      return false;
    }
    // Where it begins to contradict is found by shorter steps.
    if (flow_.why() == Status::contradicting && course_.stepper->adaptive() &&
        std::fabs(step_.h) > 1e-9 * course_.span() && singularity_.nearness() >= evade_below) {
      refuse("the constraints contradict each other at the end of the step", true);
      return false;
    }
    // In a singular position rows agree only as far as the velocities are known there, which is less than
    // elsewhere: no contradiction.
    const Equations& at = course_.evaluate_at(course_.state_at_end());
    if (flow_.why() == Status::contradicting && singularity_.watching() &&
        singularity_.nearness_of(at) < evade_below &&
        flow_(step_.t_new, step_.y_new.data(), step_.f_new.data()))
      return true;
    course_.stop_unsolved(step_.t_new);
    return false;
  }
  // Behind a switch the forces are others: the step is cut there.
  if (flow_.met_switch() || course_.active->is_confirmed(step_.y_new.data(), step_.f_new.data())) return true;
  refuse("the motion at the end of the step is not the one it began with", true);
  return false;
}

bool StepMaker::refuse_hidden_switch() {
  if (!switches_.hides_a_switch()) return false;
  step_.refusal.forget_names();
  if (course_.stepper->adaptive())
    refuse("the forces switch inside the step", true);
  else  // fixed steps are shortened to meet it
    step_.h_next = 0.5 * step_.h;
  return true;
}

/// What leaves its rest takes a step as long as the direction of its load is known well enough.
bool StepMaker::refuse_departure() {
  if (!modes_.leaves()) return false;
  const double too_far = modes_.departure(changes_.end_of_step());
  if (too_far <= 1 || !course_.stepper->adaptive()) return false;
  ++out_.rejected;
  ++step_.refusals;
  // It grows with the fourth power of the step.
  step_.h_next = step_.h * std::clamp(0.9 * std::pow(too_far, -0.25), 0.05, 0.9);
  return true;
}

/// The method asked for, unless it knows no step from here.
void StepMaker::choose_method(bool near_singular) {
  course_.active = course_.stepper.get();
  if (!course_.passer) return;
  if ((near_singular && !course_.stepper->can_be_careful()) ||
      !course_.stepper->begins_at(step_.t, step_.y.data(), step_.f.data(), step_.h_next))
    course_.active = course_.passer.get();
  else
    step_.h_next = course_.stepper->suited(step_.h_next);
}

/// A singular position that the next step would meet or come near: pass it with no stage close to it, all
/// stages on the constraints. A step too long for that first goes half the way.
void StepMaker::plan_passage() {
  leaping_ = false;
  if (!course_.stepper->adaptive() || !course_.projects() || singularity_.nearness() >= careful_below) return;
  const double ahead = singularity_.time_to_singular();
  if (ahead > 1.5 * std::fabs(step_.h_next)) return;
  leaping_ = true;
  before_leap_ = step_.h_next;
  if (course_.passer) course_.active = course_.passer.get();
  half_way_ = course_.direction * 0.5 * ahead;
  step_.h_next = course_.direction * ahead / course_.active->farthest_from_stages();
  flow_.set_careful(true);
}

/// An error that leaves the constraints does not stay: the projection takes it away. Near singular positions,
/// where constraints hold some directions only weakly, nearly all of an error may be of that kind.
bool StepMaker::good_after_projection() {
  if (!leaping_ && step_.attempt.error > most_to_project()) return false;
  between_ = step_.y_new;
  if (!landing_.project(step_.t_new, between_.data()) || !good_on_constraints()) return false;
  step_.y_new.swap(between_);
  projected_ = true;
  return true;
}

/// What bends on the way is of the second order in the error: it must be less than is asked for.
double StepMaker::most_to_project() const { return 0.003 / std::sqrt(tolerance_.relative); }

bool StepMaker::is_good_on_constraints() {
  between_ = step_.y_new;
  return good_on_constraints();
}

/// What is left of the error at the end that lies between.
bool StepMaker::good_on_constraints() {
  const int nq = flow_.coordinates(), nv = flow_.velocities();
  const StateView at = course_.view_of(step_.t_new, between_);
  const std::span<const double> q = at.q;
  bool factorised = false;  // the rows at the end, which are the same for all errors
  const auto filter = [&](double* error) {
    change_.assign(nv, 0.0);
    beside_.assign(q.begin(), q.end());
    for (int i = 0; i < nq; ++i) beside_[i] += error[i];
    displacement_between(system_, q, beside_, change_);
    keep_tangent_part(system_, Level::position, at, modes_.now(), work_, change_, factorised);
    rates(system_, {step_.t_new, q, change_}, work_, beside_);
    for (int i = 0; i < nq; ++i)
      if (system_.velocity_of_coordinate(i) >= 0) error[i] = beside_[i];
    for (const Rotation& r : system_.rotations())
      std::copy_n(beside_.begin() + r.coordinate, 4, error + r.coordinate);
    keep_tangent_part(system_, Level::velocity, at, modes_.now(), work_,
                      {error + nq, static_cast<std::size_t>(nv)}, factorised);
  };
  const Attempt left = course_.active->filtered(step_.attempt, between_.data(), std::cref(filter));
  if (!left.evaluated || left.error > 1) return false;
  step_.attempt = left;
  return true;
}

/// Forces and accelerations are known to the rounding of S = A M^-1 A^T over what S has left of the nearest
/// row: towards a dead point, where they grow beyond all limits, their last digits are no motion. There, and
/// there alone, steps are shorter and shorter parts of the way that is left.
double StepMaker::rounding_of_forces() const {
  if (!singularity_.watching() || singularity_.nearness() >= careful_below) return 0.0;
  const double ahead = singularity_.time_to_singular();
  if (ahead < 4 * std::fabs(step_.h) || ahead > 1e-3 * std::fabs(step_.t_new - course_.t_start)) return 0.0;
  const double left = singularity_.nearness() * singularity_.nearness();
  return std::min(0.01, 64 * std::numeric_limits<double>::epsilon() / left);
}

/// Steps end on either side of a singular position, not in it: what is lost there is never regained.
bool StepMaker::near_singular_position() {
  // A row vanishes no faster than its part shrinks: far from a singular position there is nothing to look at.
  const bool may_evade = singularity_.watching() && course_.stepper->adaptive() && course_.projects() &&
                         step_.refusals < 20 && step_.t_new != options_.until &&
                         singularity_.nearness() > evade_below;
  if (!may_evade || singularity_.time_to_singular() > 4 * std::fabs(step_.h)) return false;
  if (singularity_.nearness_of(course_.evaluate_at(course_.state_at_end())) >= evade_below) return false;
  ++step_.refusals;
  ++course_.remarks.evasions;
  step_.h_next = 0.9 * step_.h;
  return true;
}

void StepMaker::cut_at_end() {
  const bool read = course_.interpolate();
  if (read) course_.read_polynomial(options_.until, between_.data());
  if (read && landing_.project(options_.until, between_.data())) {
    step_.y_new = between_;
  } else {  // the end is in the singular position itself
    if (read) step_.y_new = between_;
    course_.remarks.end_not_projected = true;
  }
  step_.t_new = options_.until;
  step_.h = step_.t_new - step_.t;
  if (!flow_(step_.t_new, step_.y_new.data(), step_.f_new.data())) course_.remarks.end_not_projected = true;
}

void StepMaker::measure_noise() {
  if (leaves_singular_start_ && step_.t == course_.t_start) return;  // f jumps there: that is no rounding
  std::vector<double>& beside = beside_start_;
  beside.resize(step_.y.size());
  sizes_.add_roundings(step_.y.data(), beside.data());
  if (!step_.switches.empty()) flow_.watch_switches(step_.switches);
  const double later =
      step_.t + course_.direction * 4 * eps * std::max(std::fabs(step_.t), std::fabs(step_.t + step_.h));
  if (flow_(later, beside.data(), noisy_f_.data()) && !flow_.met_switch())
    sizes_.measure_noise(step_.f.data(), noisy_f_.data());
}

}  // namespace vinculum
