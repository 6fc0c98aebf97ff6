#include "motion/steppers/flow.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/system/accelerate.hpp"
#include "vinculum/system/control.hpp"

namespace vinculum {
namespace {

/// Whose power is asked for. Off their constraints even constraints at rest do work.
MayWork may_work(const System& system, Stabilisation keep) {
  MayWork may = may_work(system);
  const bool off = keep != Stabilisation::projection && !system.row_names().empty();
  may.constraint = may.constraint || off;
  may.control = may.control || (off && !programmes(system).empty());
  return may;
}

std::vector<Flow::ForceKind> powers_of(const MayWork& may) {
  using enum Flow::ForceKind;
  std::vector<Flow::ForceKind> parts;
  if (may.impressed) parts.push_back(impressed);
  if (may.constraint) parts.push_back(constraint);
  if (may.nonideal) parts.push_back(nonideal);
  if (may.explicit_time) parts.push_back(explicit_time);
  if (may.control) parts.push_back(control);
  return parts;
}

}  // namespace

Flow::Flow(const System& system, Workspace& work, const MotionOptions& options, Modes& modes)
    : system_(system),
      work_(work),
      modes_(modes),
      keep_(options.keep),
      baumgarte_time_(options.baumgarte_time),
      nq_(static_cast<int>(system.coordinate_names().size())),
      nv_(static_cast<int>(system.velocity_names().size())),
      parts_(powers_of(may_work(system, keep_))),
      sizes_(system, first_mode(), size()) {
  const MayWork may = may_work(system, keep_);
  needs_forces_ = may.constraint || may.nonideal || may.control || system.mechanics() == Mechanics::vakonomic;
  for (int i = 0; i < nq_; ++i) plain_ = plain_ && system.velocity_of_coordinate(i) == i;
  at_.q.resize(nq_);
  at_.v.resize(nv_);
  extra_.resize(system.row_names().size());
}

bool Flow::operator()(double t, const double* y, double* dy) {
  if (!careful_ || keep_ != Stabilisation::projection) return evaluate(view(t, y, y + nq_), dy, true);
  std::copy_n(y, nq_, at_.q.begin());
  std::copy_n(y + nq_, nv_, at_.v.begin());
  // The velocity of the curve is the one the step has; only the forces are taken beside it.
  if (!(*projector_)(t, at_.q.data(), at_.v.data(), modes_.now(), work_).done)
    return evaluate(view(t, y, y + nq_), dy, true);
  return evaluate(view(t, at_.q.data(), at_.v.data()), dy, true);
}

bool Flow::at_accepted(double t, const double* y, double* dy) {
  return evaluate(view(t, y, y + nq_), dy, keep_ != Stabilisation::projection);
}

void Flow::watch_switches(const std::vector<double>& values) {
  met_switch_ = false;
  side_ = values;
  switch_values_.resize(values.size());
  for (auto* of_rows : {&nothing_found_.multipliers, &nothing_found_.dissatisfaction})
    of_rows->assign(system_.row_names().size(), NAN);
  for (auto* of_velocities : {&nothing_found_.deviation, &nothing_found_.nonideal_force})
    of_velocities->assign(nv_, NAN);
  nothing_found_.gaussian = NAN;
}

void Flow::look_at_switches(const StateView& at) {
  // Those that depend on what is found at a state are seen at the ends of steps alone.
  switch_values(system_, at, nothing_found_, work_, switch_values_);
  modes_.watch_free(at, switch_values_);
  for (std::size_t k = 0; k < side_.size(); ++k)
    met_switch_ = met_switch_ || (side_[k] < 0 && switch_values_[k] >= 0) ||
                  (side_[k] > 0 && switch_values_[k] <= 0);  // sign(0) is of neither side
}

/// Rates and accelerations into dy, and what was found; nothing where there is no acceleration.
const Mode* Flow::evaluate_motion(const StateView& at, double* dy, bool within_step) {
  if (plain_)
    std::copy_n(at.v.begin(), nq_, dy);
  else
    rates(system_, at, work_, {dy, static_cast<std::size_t>(nq_)});
  if (keep_ == Stabilisation::baumgarte || needs_forces_) return evaluate_forces(at, dy, within_step);
  const Accelerated made =
      accelerate(system_, at, modes_.now(), work_, {dy + nq_, static_cast<std::size_t>(nv_)}, within_step);
  status_ = made.status;
  if (made.solution != nullptr) count_dense(at, *made.solution);
  return made.status == Status::solved ? &made.found : nullptr;
}

/// The same where forces are asked for as well.
const Mode* Flow::evaluate_forces(const StateView& at, double* dy, bool within_step) {
  const Mode* found = nullptr;
  if (keep_ == Stabilisation::baumgarte) {
    found = &evaluate_baumgarte(at, dy);
  } else {
    found = &solve_at(at, within_step);
    status_ = solution_.status;
    count_dense(at, solution_);
    for (int r = 0; r < static_cast<int>(solution_.multipliers.size()); ++r)
      if (const int mu = system_.multiplier_coordinate(r); mu >= 0) dy[mu] = -solution_.multipliers[r];
    if (solution_.acceleration.size() == at.v.size())
      std::copy(solution_.acceleration.begin(), solution_.acceleration.end(), dy + nq_);
  }
  return status_ == Status::solved ? found : nullptr;
}

void Flow::count_dense(const StateView& at, const Solution& found) {
  if (found.doubt == Doubt::none || found.status != Status::solved) return;
  if (dense_use_.count++ > 0) return;
  dense_use_.doubt = found.doubt;
  dense_use_.at = {at.t, {at.q.begin(), at.q.end()}, {at.v.begin(), at.v.end()}};
}

bool Flow::evaluate(const StateView& at, double* dy, bool within_step) {
  ++evaluations;
  const bool may_meet = !side_.empty() && !met_switch_;
  if (may_meet) look_at_switches(at);
  const Mode* found = evaluate_motion(at, dy, within_step);
  if (found == nullptr) {
    failed_at_ = at.copy();
    return false;
  }
  if (may_meet && met_switch_) sizes_.blur(dy, at.t);
  if (modes_.any()) {
    const bool beyond = modes_.left(*found, dy + first_mode());
    met_switch_ = met_switch_ || (beyond && !side_.empty());
    modes_.take_found(*found);
  }
  if (!parts_.empty()) evaluate_power(at, dy + nq_ + nv_);
  return true;
}

/// Forces and multipliers. Where these are not unique they do not matter but to the mu of vakonomic motion,
/// which take the least ones: the road that knows them is the longer one. Where rows may depend on each other
/// unnoticed, this is looked at in every accepted state.
const Mode& Flow::solve_at(const StateView& at, bool within_step) {
  SolveOptions options;
  options.detail = Detail::motion;
  options.within_step = within_step;
  const Mode& found = solve(system_, at, modes_.now(), work_, solution_, options);
  if (system_.mechanics() != Mechanics::vakonomic || solution_.status != Status::solved) return found;
  const bool known = solution_.rank >= 0 || (within_step && !free_multipliers_);
  if (known && solution_.multipliers_unique) return found;
  options.detail = Detail::full;
  solve(system_, at, modes_.now(), work_, solution_, options);
  free_multipliers_ = !solution_.multipliers_unique;
  return found;
}

/// phi'' + 2/T phi' + 1/T^2 phi = 0, and phi' + 1/T phi = 0 for constraints on velocities.
const Mode& Flow::evaluate_baumgarte(const StateView& at, double* dy) {
  residuals(system_, at, work_, residuals_);
  const double rate = 1.0 / baumgarte_time_;
  for (std::size_t r = 0; r < extra_.size(); ++r) {
    const int order = system_.order_of_row(static_cast<int>(r));
    extra_[r] = order == 0   ? -2 * rate * residuals_.velocity[r] - rate * rate * residuals_.position[r]
                : order == 1 ? -rate * residuals_.velocity[r]
                             : 0.0;
  }
  const Accelerated made =
      accelerate_with(system_, at, modes_.now(), extra_, work_, {dy + nq_, static_cast<std::size_t>(nv_)});
  status_ = made.status;
  solution_.constraint_force = made.solution->constraint_force;
  solution_.nonideal_force = made.solution->nonideal_force;
  solution_.control_force = made.solution->control_force;
  return made.found;
}

void Flow::evaluate_power(const StateView& at, double* power) {
  if (!needs_forces_) {  // stated forces alone
    const Powers stated = powers(system_, at, modes_.now(), work_);
    for (const ForceKind kind : parts_)
      *power++ = kind == ForceKind::impressed ? stated.impressed : stated.explicit_time;
    return;
  }
  const auto times_velocity = [&](const std::vector<double>& force) {
    double sum = 0;
    for (std::size_t i = 0; i < force.size(); ++i) sum += force[i] * at.v[i];
    return sum;
  };
  Powers stated;
  bool have_stated = false;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const bool is_stated = parts_[k] == ForceKind::impressed || parts_[k] == ForceKind::explicit_time;
    if (is_stated && !have_stated) {
      stated = powers(system_, at, modes_.now(), work_);
      have_stated = true;
    }
    switch (parts_[k]) {
      case ForceKind::impressed:
        power[k] = stated.impressed;
        break;
      case ForceKind::explicit_time:
        power[k] = stated.explicit_time;
        break;
      case ForceKind::constraint:
        power[k] = times_velocity(solution_.constraint_force) - times_velocity(solution_.control_force);
        break;
      case ForceKind::control:
        power[k] = times_velocity(solution_.control_force);
        break;
      case ForceKind::nonideal:
        power[k] = times_velocity(solution_.nonideal_force);
        break;
    }
  }
}

namespace {

double& entry_of(Work& w, Flow::ForceKind kind) {
  switch (kind) {
    case Flow::ForceKind::impressed:
      return w.impressed;
    case Flow::ForceKind::constraint:
      return w.constraint;
    case Flow::ForceKind::nonideal:
      return w.nonideal;
    case Flow::ForceKind::explicit_time:
      return w.explicit_time;
    case Flow::ForceKind::control:
      break;
  }
  return w.control;
}

}  // namespace

Work Flow::work_done(const double* y) const {
  Work w;
  for (std::size_t k = 0; k < parts_.size(); ++k) entry_of(w, parts_[k]) = y[nq_ + nv_ + k];
  return w;
}

void Flow::put_work(const Work& work, double* y) const {
  Work w = work;
  for (std::size_t k = 0; k < parts_.size(); ++k) y[nq_ + nv_ + k] = entry_of(w, parts_[k]);
}

}  // namespace vinculum
