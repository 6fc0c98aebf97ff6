#include "motion/run/observer.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/text.hpp"
#include "vinculum/system/control.hpp"

namespace vinculum {

Observer::Observer(const System& system, Workspace& work, const Modes& modes)
    : system_(system),
      work_(work),
      modes_(modes),
      outputs_(system.output_names().size()),
      miss_(system.constraints().size()) {}

/// One state may be asked for its forces several times: by events and programmes, and for the record. (What
/// holds may change at one instant: then it is solved again.)
bool Observer::is_solved(const StateView& state, const SingularityWatch& passage) const {
  return !modes_.any() && looks_solved_ == passage.looks() && solved_at_.t == state.t &&
         std::equal(state.q.begin(), state.q.end(), solved_at_.q.begin()) &&
         std::equal(state.v.begin(), state.v.end(), solved_at_.v.begin());
}

void Observer::solve_at(const StateView& state, SingularityWatch& passage) {
  if (is_solved(state, passage)) return;
  solved_at_.t = state.t;
  solved_at_.q.assign(state.q.begin(), state.q.end());
  solved_at_.v.assign(state.v.begin(), state.v.end());
  looks_solved_ = passage.looks();
  SolveOptions options;
  // In vakonomic motion the free motion of the system as stated is looked at in full detail only.
  const bool all = system_.mechanics() == Mechanics::vakonomic && looks_at_free_motion(system_);
  options.detail = all ? Detail::full : Detail::motion;
  solve(system_, state, modes_.now(), work_, solution_, options);
  saw_saddle_ = saw_saddle_ || solution_.saddle;
  const bool small = static_cast<int>(std::max(system_.row_names().size(), state.v.size())) <= 3000;
  // Where a programme acts by its actuators, the rank of all rows says nothing of the multipliers.
  const bool driven = has_restricted_programmes(system_);
  const bool free =
      !solution_.multipliers_unique ||
      (!driven && solution_.rank < 0 && passage.rank() < static_cast<int>(system_.row_names().size()));
  if (!free) return;
  // Not unique: the least ones. For a few redundant rows a small correction of those at hand, else the
  // orthogonal road.
  saw_free_multipliers_ = true;
  if (passage.watching() && !driven) {
    passage.look_aside(evaluate(system_, state, modes_.now(), work_));
    // Rounding in a long loop makes a row that depends on the others look independent, never the reverse.
    if (const int rank = passage.rank_aside(); rank >= 0 && rank < solution_.rank) solution_.rank = rank;
    if (passage.make_least(solution_.multipliers)) return;
  }
  if (!small) return;
  options.detail = Detail::full;
  solve(system_, state, modes_.now(), work_, solution_, options);
}

void Observer::record(const StateView& state, const Work& done, SingularityWatch& passage,
                      const std::function<void(const Sample&)>& sink, Trajectory& out) {
  solve_at(state, passage);
  if (solution_.status != Status::solved)
    complain_once(said_unsolved_, "at t = " + number_text(state.t, 10) +
                                      ", where a state is recorded: " + describe(system_, solution_));
  fill_unsolved(state.v.size());
  observe(system_, state, modes_.now(), solution_, work_, outputs_);
  said_output_.resize(outputs_.size(), 0);
  for (std::size_t k = 0; k < outputs_.size(); ++k)
    if (!std::isfinite(outputs_[k]) && !said_output_[k]) {
      said_output_[k] = 1;
      complaints_.push_back("output '" + system_.output_names()[k] +
                            "' is not a finite number at t = " + number_text(state.t, 10));
    }
  residuals(system_, state, work_, residuals_);
  for (std::size_t c = 0; c < miss_.size(); ++c) {
    const ConstraintInfo& info = system_.constraints()[c];
    miss_[c] = 0;
    for (int r = info.first_row; r < info.first_row + info.row_count; ++r)
      miss_[c] = std::max({miss_[c], std::fabs(residuals_.position[r]), std::fabs(residuals_.velocity[r])});
  }
  Sample s;
  s.t = state.t;
  s.q = state.q;
  s.v = state.v;
  s.acceleration = solution_.acceleration;
  s.constraint_force = solution_.constraint_force;
  s.nonideal_force = solution_.nonideal_force;
  multipliers_ = solution_.multipliers;
  report_multipliers(system_, state, multipliers_);
  s.multipliers = multipliers_;
  s.control_force = solution_.control_force;
  s.outputs = outputs_;
  s.residual = miss_;
  s.energy = energy(system_, state, work_);
  s.work = done;
  s.rank = solution_.rank >= 0 ? solution_.rank : passage.rank();
  out.append(s);
  if (sink) sink(s);
}

/// What was not found is no number.
void Observer::fill_unsolved(std::size_t velocities) {
  solution_.acceleration.resize(velocities, NAN);
  solution_.constraint_force.resize(velocities, NAN);
  solution_.nonideal_force.resize(velocities, NAN);
  solution_.deviation.resize(velocities, NAN);
  solution_.multipliers.resize(system_.row_names().size(), NAN);
  solution_.dissatisfaction.resize(system_.row_names().size(), NAN);
  if (!programmes(system_).empty()) solution_.control_force.resize(velocities, NAN);
}

const std::vector<double>& Observer::outputs_at(const StateView& state, SingularityWatch& passage) {
  solve_at(state, passage);
  fill_unsolved(state.v.size());
  observe(system_, state, modes_.now(), solution_, work_, outputs_);
  return outputs_;
}

void Observer::complain_once(bool& said, const std::string& text) {
  if (!said) complaints_.push_back(text);
  said = true;
}

void Observer::events(const StateView& state, SingularityWatch& passage, std::vector<double>& values,
                      unsigned rounding) {
  values.resize(system_.events().size());
  if (events_need_multipliers(system_)) solve_at(state, passage);
  event_values(system_, state, solution_, work_, values, rounding);
}

void Observer::switches(const StateView& state, SingularityWatch& passage, std::vector<double>& values,
                        unsigned rounding) {
  values.resize(vinculum::switches(system_).size());
  if (switches_need_multipliers(system_)) solve_at(state, passage);
  switch_values(system_, state, solution_, work_, values, rounding);
}

void Observer::watch_residuals(const std::vector<double>& position, const std::vector<double>& velocity,
                               Trajectory& out) const {
  for (std::size_t c = 0; c < out.worst.size(); ++c) {
    const ConstraintInfo& info = system_.constraints()[c];
    WorstResidual& w = out.worst[c];
    double of_position = w.position, of_velocity = w.velocity;
    for (int r = info.first_row, end = r + info.row_count; r < end; ++r) {
      of_position = std::max(of_position, std::fabs(position[r]));
      of_velocity = std::max(of_velocity, std::fabs(velocity[r]));
    }
    w.position = of_position;
    w.velocity = of_velocity;
  }
}

void Observer::watch_controls(const StateView& state, SingularityWatch& passage, Trajectory& out) {
  const std::vector<ProgrammeInfo>& list = programmes(system_);
  if (list.empty()) return;
  solve_at(state, passage);
  if (solution_.status != Status::solved) return;
  programme_misses(system_, state, solution_.acceleration, work_, programme_miss_);
  const bool first = out.controls.empty();
  out.controls.resize(list.size());
  const Equations& at = evaluate(system_, state, modes_.now(), work_);
  for (std::size_t p = 0; p < list.size(); ++p) {
    ControlRecord& record = out.controls[p];
    programme_force(system_, list[p], state, at, solution_, work_, force_);
    double size = 0, power = 0;
    for (std::size_t i = 0; i < force_.size(); ++i) {
      size = std::hypot(size, force_[i]);
      power += force_[i] * state.v[i];
    }
    if (first)
      record = {
          system_.constraints()[list[p].constraint].name, size, state.t, power, state.t, programme_miss_[p]};
    if (size > record.largest_force) record.largest_force = size, record.largest_force_time = state.t;
    if (std::fabs(power) > std::fabs(record.largest_power))
      record.largest_power = power, record.largest_power_time = state.t;
    record.miss_end = programme_miss_[p];
  }
}

void Observer::watch_accelerations(const Equations& at, std::span<const double> acceleration,
                                   Trajectory& out) const {
  const double *const a = at.A.value.data(), *const b = at.b.data(), *const q = acceleration.data();
  const int *const start = at.A.start.data(), *const column = at.A.column.data();
  const ConstraintInfo* info = system_.constraints().data();
  for (WorstResidual& worst : out.worst) {
    double most = worst.acceleration;
    for (int r = info->first_row, end = r + info->row_count; r < end; ++r) {
      double miss = -b[r];
      for (int k = start[r]; k < start[r + 1]; ++k) miss += a[k] * q[column[k]];
      most = std::max(most, std::fabs(miss));
    }
    worst.acceleration = most;
    ++info;
  }
}

}  // namespace vinculum
