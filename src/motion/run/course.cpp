#include "motion/run/course.hpp"

#include <algorithm>

#include "system/system_impl.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

std::string text_of_miss(const Projection& p, const std::string& constraint,
                         const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back("'" + name + "'");
  const bool one = quoted.size() == 1;
  return (one ? "constraint " : "constraints ") + list_text(quoted) +
         (p.contradicting ? " cannot hold" : " cannot be kept") + (one ? "" : " together") +
         (!p.of_velocity ? ""
          : one          ? " in its velocities"
                         : " in their velocities") +
         "; '" + constraint + "' is missed by " + number_text(std::fabs(p.miss), 3);
}

}  // namespace

Course::Course(const System& of, const MotionOptions& asked, Workspace at_hand, Trajectory& to)
    : system(of),
      options(asked),
      out(to),
      work(std::move(at_hand)),
      modes(of, work),
      flow(of, work, asked, modes),
      sizes(flow.sizes()),
      projector(of, sizes),
      singularity(of),
      observer(of, work, modes),
      between_(flow.size()) {
  tolerance.relative = std::max(part_of_step * options.tolerance, smallest_tolerance);
  tolerance.absolute = part_of_step * std::max(options.absolute_tolerance, 0.0);
  tolerance.sizes = &sizes;
  use(options.integrator == Integrator::automatic ? Integrator::dop853 : options.integrator);
  for (std::vector<double>* y : {&step.y, &step.f, &step.y_new, &step.f_new}) y->resize(flow.size());
  state_.q.resize(flow.coordinates());
  state_.v.resize(flow.velocities());
}

Course::~Course() { leave_workspace(system, std::move(work)); }

void Course::use(Integrator which) {
  method = which;
  stepper = make_stepper(which, flow, tolerance, options.step);
  passer = stepper->needs_passer() ? make_stepper(Integrator::dop853, flow, tolerance, 0.0) : nullptr;
  active = stepper.get();
  if (!passer) return;
  // There is room for the polynomials of both when they are first needed.
  const int degree = std::max(stepper->degree(), passer->degree());
  step.polynomial.node.reserve(degree);
  step.polynomial.coefficient.reserve(static_cast<std::size_t>(degree + 1) * flow.size());
}

const State& Course::state_of(double t, const double* y) {
  use_modes_of(t);
  state_.t = t;
  std::copy_n(y, flow.coordinates(), state_.q.begin());
  std::copy_n(y + flow.coordinates(), flow.velocities(), state_.v.begin());
  return state_;
}

std::vector<std::string> Course::names_at(int entry) const {
  const int nq = flow.coordinates();
  if (entry >= flow.first_mode()) return {modes.names_of(entry - flow.first_mode()).front()};
  if (entry >= flow.controlled()) return {};
  return {entry < nq ? system.coordinate_names()[entry] : system.velocity_names()[entry - nq]};
}

std::string Course::what_of(int entry) const {
  const std::vector<std::string> names = names_at(entry);
  return names.empty() ? "the work of the forces" : "'" + names.front() + "'";
}

double Course::error_of_step() const {
  const double rounding = std::min(1.0, 4 * std::numeric_limits<double>::epsilon() / tolerance.relative);
  return std::clamp(stepper->adaptive() ? step.attempt.error : step.attempt.guess, std::max(0.01, rounding),
                    1.0);
}

bool Course::interpolate() {
  if (step.interpolated) return true;
  step.interpolated = active->interpolate(step.f_new.data(), step.polynomial);
  return step.interpolated;
}

const State& Course::state_between(double t) {
  if (!interpolate()) return state_of(step.t_new, step.y_new.data());
  read_polynomial(t, between_.data());
  return state_of(t, between_.data());
}

void Course::word_refusal() {
  Refusal& refusal = step.refusal;
  if (refusal.cause == Refusal::Cause::error) {
    refusal.forget_names();
    refusal.worst = step.attempt.worst;
  }
  const int row = refusal.missed.row;
  const std::string constraint = row < 0 ? "" : system.constraints()[system.constraint_of_row(row)].name;
  if (refusal.worst >= 0)
    refusal.names = names_at(refusal.worst);
  else if (refusal.names.empty() && (row >= 0 || refusal.cause == Refusal::Cause::rows))
    refusal.names = {constraint};
  if (refusal.cause == Refusal::Cause::error)
    refusal.text = "the error of " + what_of(refusal.worst) + " is " + number_text(step.attempt.error, 3) +
                   " times what the tolerance allows";
  else if (refusal.cause == Refusal::Cause::rows && refusal.jumps)
    refusal.text = "constraint '" + constraint + "' asks for a jump of positions or velocities";
  else if (refusal.cause == Refusal::Cause::rows)
    refusal.text = text_of_miss(refusal.missed, constraint, refusal.names);
  else
    refusal.text = refusal.told;
}

void Course::switches_at(double t, const double* y, std::vector<double>& values) {
  const State& state = state_of(t, y);
  observer.switches(state, singularity, values);
  modes.watch(state, values);
}

void Course::use_modes_of(double t) {
  if (modes.changed()) modes.use(direction * (t - step.t_new) >= 0);
}

void Course::finish(Stop stop, const std::string& reason, std::vector<std::string> names) {
  finished = true;
  records_last = stop != Stop::end;
  out.stop = stop;
  out.reason = reason;
  out.names = std::move(names);
}

void Course::stop_unsolved(double t) {
  State at = t == step.t ? state_of(step.t, step.y.data()) : state_of(t, step.y_new.data());
  Solution full = solve(system, at);
  if (full.status == Status::solved && !flow.failed_at().q.empty()) {  // it was inside the step
    at = flow.failed_at();
    t = at.t;
    full = solve(system, at);
  }
  std::vector<std::string> names;
  for (const int r : full.rows) {
    const std::string& name = system.constraints()[system.constraint_of_row(r)].name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  for (const int c : full.coordinates) names.push_back(name_of_moving(system, c));
  const Stop stop = full.status == Status::contradicting ? Stop::contradicting
                    : full.status == Status::not_finite  ? Stop::not_finite
                    : full.status == Status::solved      ? Stop::step_too_small
                                                         : Stop::singular;
  finish(stop,
         "at t = " + number_text(t, 10) + ": " +
             (full.status == Status::solved ? "the state grows beyond all numbers; the step is too long"
                                            : describe(system, full)),
         names);
  records_last = step.t != t_start;
}

}  // namespace vinculum
