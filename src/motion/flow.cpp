#include "motion/flow.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/system/control.hpp"

namespace vinculum {

Flow::Flow(const System& system, Workspace& work, const MotionOptions& options, const Contacts& contacts,
           const Slides& slides)
    : system_(system),
      work_(work),
      contacts_(contacts),
      slides_(slides),
      keep_(options.keep),
      baumgarte_time_(options.baumgarte_time),
      nq_(static_cast<int>(system.coordinate_names().size())),
      nv_(static_cast<int>(system.velocity_names().size())),
      sizes_(system),
      projector_(system, sizes_) {
  // Off their constraints even constraints at rest do work.
  MayWork may = may_work(system);
  const bool off = keep_ != Keep::projection && !system.row_names().empty();
  may.constraint = may.constraint || off;
  may.control = may.control || (off && !programmes(system).empty());
  if (may.impressed) parts_.push_back(Part::impressed);
  if (may.constraint) parts_.push_back(Part::constraint);
  if (may.nonideal) parts_.push_back(Part::nonideal);
  if (may.explicit_time) parts_.push_back(Part::explicit_time);
  if (may.control) parts_.push_back(Part::control);
  needs_forces_ = may.constraint || may.nonideal || may.control || system.mechanics() == Mechanics::vakonomic;
  for (int i = 0; i < nq_; ++i) plain_ = plain_ && system.velocity_of_coordinate(i) == i;
  at_.q.resize(nq_);
  at_.v.resize(nv_);
  extra_.resize(system.row_names().size());
  sizes_ = Sizes(system, first_contact(), size());
}

bool Flow::operator()(double t, const double* y, double* dy) {
  if (!careful_ || keep_ != Keep::projection) return evaluate(t, y, y + nq_, dy, true);
  std::copy_n(y, nq_, at_.q.begin());
  std::copy_n(y + nq_, nv_, at_.v.begin());
  // The velocity of the curve is the one the step has; only the forces are taken beside it.
  if (!projector_(t, at_.q.data(), at_.v.data(), work_).done) return evaluate(t, y, y + nq_, dy, true);
  return evaluate(t, at_.q.data(), at_.v.data(), dy, true);
}

bool Flow::at_accepted(double t, const double* y, double* dy) {
  return evaluate(t, y, y + nq_, dy, keep_ != Keep::projection);
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

void Flow::look_at_switches(double t, const double* q, const double* v) {
  at_.t = t;
  if (q != at_.q.data()) std::copy_n(q, nq_, at_.q.begin());
  if (v != at_.v.data()) std::copy_n(v, nv_, at_.v.begin());
  // Those that depend on what is found at a state are seen at the ends of steps alone.
  switch_values(system_, at_, nothing_found_, work_, switch_values_);
  slides_.watch_free(switch_values_.data());
  if (contacts_.any())
    contacts_.watch_sliding({{&t, q, v}}, switch_values_.data() + switches(system_).size());
  for (std::size_t k = 0; k < side_.size(); ++k)
    met_switch_ = met_switch_ || (side_[k] < 0 && switch_values_[k] >= 0) ||
                  (side_[k] > 0 && switch_values_[k] <= 0);  // sign(0) is of neither side
}

bool Flow::evaluate(double t, const double* q, const double* v, double* dy, bool within_step) {
  ++evaluations;
  const bool may_meet = !side_.empty() && !met_switch_;
  if (may_meet) look_at_switches(t, q, v);
  const std::span<const double> at_q(q, nq_), at_v(v, nv_);
  if (plain_)
    std::copy_n(v, nq_, dy);
  else
    rates(system_, t, at_q, at_v, work_, {dy, static_cast<std::size_t>(nq_)});
  if (keep_ == Keep::baumgarte) {
    if (!evaluate_baumgarte(t, q, v, dy)) return false;
  } else if (!needs_forces_) {
    status_ =
        accelerate(system_, t, at_q, at_v, work_, {dy + nq_, static_cast<std::size_t>(nv_)}, within_step);
  } else {
    solve_at(t, q, v, within_step);
    status_ = solution_.status;
    for (int r = 0; r < static_cast<int>(solution_.multipliers.size()); ++r)
      if (const int mu = system_.multiplier_coordinate(r); mu >= 0) dy[mu] = -solution_.multipliers[r];
    if (solution_.acceleration.size() == at_v.size())
      std::copy(solution_.acceleration.begin(), solution_.acceleration.end(), dy + nq_);
  }
  if (status_ != Status::solved) {
    failed_at_ = {t, {q, q + nq_}, {v, v + nv_}};
    return false;
  }
  if (may_meet && met_switch_) sizes_.blur(dy, t);
  if (!parts_.empty()) evaluate_power(t, q, v, dy + nq_ + nv_);
  if (contacts_.any()) look_at_contacts(dy + first_contact());
  // A held switch is held beyond the point where it lets go, and smoothly: its stages may stand there.
  if (slides_.any()) slides_.left(dy + first_slide());
  return true;
}

void Flow::look_at_contacts(double* left) {
  const std::vector<ContactState>& found = contacts_of(work_);
  for (std::size_t k = 0; k < found.size(); ++k) {
    left[k] = found[k].grip == Grip::sticks ? left_of(found[k]) : 0.0;
    met_switch_ = met_switch_ || (left[k] < 0 && !side_.empty());
  }
}

/// Forces and multipliers. Where these are not unique they do not matter but to the mu of vakonomic motion,
/// which take the least ones: the road that knows them is the longer one. Where rows may depend on each other
/// unnoticed, this is looked at in every accepted state.
void Flow::solve_at(double t, const double* q, const double* v, bool within_step) {
  at_.t = t;
  if (q != at_.q.data()) std::copy_n(q, nq_, at_.q.begin());
  if (v != at_.v.data()) std::copy_n(v, nv_, at_.v.begin());
  SolveOptions options;
  options.detail = Detail::motion;
  options.within_step = within_step;
  solve(system_, at_, work_, solution_, options);
  if (system_.mechanics() != Mechanics::vakonomic || solution_.status != Status::solved) return;
  const bool known = solution_.rank >= 0 || (within_step && !free_multipliers_);
  if (known && solution_.multipliers_unique) return;
  options.detail = Detail::full;
  solve(system_, at_, work_, solution_, options);
  free_multipliers_ = !solution_.multipliers_unique;
}

/// phi'' + 2/T phi' + 1/T^2 phi = 0, and phi' + 1/T phi = 0 for constraints on velocities.
bool Flow::evaluate_baumgarte(double t, const double* q, const double* v, double* dy) {
  at_.t = t;
  std::copy_n(q, nq_, at_.q.begin());
  std::copy_n(v, nv_, at_.v.begin());
  residuals(system_, at_, work_, residuals_);
  const double rate = 1.0 / baumgarte_time_;
  for (std::size_t r = 0; r < extra_.size(); ++r) {
    const int order = system_.order_of_row(static_cast<int>(r));
    extra_[r] = order == 0   ? -2 * rate * residuals_.velocity[r] - rate * rate * residuals_.position[r]
                : order == 1 ? -rate * residuals_.velocity[r]
                             : 0.0;
  }
  status_ =
      accelerate_with(system_, t, at_.q, at_.v, extra_, work_, {dy + nq_, static_cast<std::size_t>(nv_)});
  if (status_ != Status::solved) return false;
  solution_.constraint_force = solution_of(work_).constraint_force;
  solution_.nonideal_force = solution_of(work_).nonideal_force;
  solution_.control_force = solution_of(work_).control_force;
  return true;
}

void Flow::evaluate_power(double t, const double* q, const double* v, double* power) {
  const auto times_velocity = [&](const std::vector<double>& force) {
    double sum = 0;
    for (std::size_t i = 0; i < force.size(); ++i) sum += force[i] * v[i];
    return sum;
  };
  Powers stated;
  bool have_stated = false;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const bool is_stated = parts_[k] == Part::impressed || parts_[k] == Part::explicit_time;
    if (is_stated && !have_stated) {
      stated =
          powers(system_, t, {q, static_cast<std::size_t>(nq_)}, {v, static_cast<std::size_t>(nv_)}, work_);
      have_stated = true;
    }
    switch (parts_[k]) {
      case Part::impressed:
        power[k] = stated.impressed;
        break;
      case Part::explicit_time:
        power[k] = stated.explicit_time;
        break;
      case Part::constraint:
        power[k] = times_velocity(solution_.constraint_force) - times_velocity(solution_.control_force);
        break;
      case Part::control:
        power[k] = times_velocity(solution_.control_force);
        break;
      case Part::nonideal:
        power[k] = times_velocity(solution_.nonideal_force);
        break;
    }
  }
}

Work Flow::work_done(const double* y) const {
  Work w;
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    const double value = y[nq_ + nv_ + k];
    switch (parts_[k]) {
      case Part::impressed:
        w.impressed = value;
        break;
      case Part::constraint:
        w.constraint = value;
        break;
      case Part::nonideal:
        w.nonideal = value;
        break;
      case Part::explicit_time:
        w.explicit_time = value;
        break;
      case Part::control:
        w.control = value;
        break;
    }
  }
  return w;
}

}  // namespace vinculum
