// Where something comes to rest, is held or lets go, the motion goes on as what it has become.
#include <algorithm>
#include <cmath>
#include <limits>

#include "motion/run/run.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/system/friction.hpp"

namespace vinculum {
namespace {

/// Behind a switch a motion is as far as a few roundings of time bring it.
constexpr double roundings_of_time = 1024 * std::numeric_limits<double>::epsilon();

}  // namespace

bool Run::watches_switches() const { return !switches(system_).empty() || modes_.any(); }

void Run::switches_at(double t, const double* y, std::vector<double>& values) {
  const State& state = state_of(t, y);
  observer_.switches(state, singularity_, values);
  modes_.watch(state, values);
}

/// What is read inside a step is read with the mode it has.
void Run::use_modes_of(double t) {
  if (modes_.changed()) modes_.use(direction_ * (t - t_new_) >= 0);
}

/// Velocities this small are none: they are well within the error of a step, or rounding.
std::span<const double> Run::rest_speeds() {
  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
  rest_.resize(flow_.velocities());
  for (int i = 0; i < flow_.velocities(); ++i)
    rest_[i] = std::max(0.01 * (tolerance_.absolute + tolerance_.relative * sizes_[flow_.coordinates() + i]),
                        rounding * sizes_.fastest(i));
  return rest_;
}

/// Ways as small as that are none, over velocities.
std::span<const double> Run::reaches() {
  reach_.resize(flow_.velocities());
  for (int i = 0; i < flow_.velocities(); ++i)
    reach_[i] = 0.01 * (tolerance_.absolute + tolerance_.relative * sizes_.of_move(i));
  return reach_;
}

StepEnd Run::end_of_step() {
  StepEnd end;
  end.t = t_new_;
  end.q = {y_new_.data(), static_cast<std::size_t>(flow_.coordinates())};
  end.v = {y_new_.data() + flow_.coordinates(), static_cast<std::size_t>(flow_.velocities())};
  end.acceleration = std::span(f_new_).subspan(flow_.coordinates(), flow_.velocities());
  end.from = switch_values_;
  end.to = switch_new_;
  end.rest = rest_speeds();
  end.reach = reaches();
  end.instant = smallest_instant();
  end.step = std::fabs(h_);
  return end;
}

bool Run::evaluate_end() {
  const bool solved = flow_.at_accepted(t_new_, y_new_.data(), f_new_.data());
  if (!solved) stop_unsolved(t_new_);
  return solved;
}

/// At the end of the step: what comes to rest, is held from here on, or lets go.
void Run::change_modes() {
  if (!modes_.any()) return;
  if (switch_new_.size() < switch_values_.size()) switches_at(t_new_, y_new_.data(), switch_new_);
  for (const auto& law : modes_.laws())
    if (!finished_) change_mode(*law);
}

void Run::change_mode(ModeLaw& law) {
  law.look(end_of_step(), modes_.now(), modes_.found());
  if (!law.changes(direction_ > 0)) {
    if (law.put_back(end_of_step(), modes_.now())) evaluate_end();
    return;
  }
  if (direction_ < 0) {
    std::vector<std::string> names;
    const std::string why = law.no_way_back(end_of_step(), names);
    return stop_without_past(t_new_, why, names);
  }
  interpolate();  // while the mode is that of the step
  law.remember(evaluate_at(state_of(t_new_, y_new_.data())).found);
  const bool slowed = modes_.open(law, end_of_step());
  if (slowed) {
    // What came to rest has taken a little velocity away; what is tied to it follows.
    if (options_.keep == Stabilisation::projection)
      projector_(t_new_, y_new_.data(), y_new_.data() + flow_.coordinates(), modes_.now(), work_);
    law.put_back(end_of_step(), modes_.now());
  }
  if (!evaluate_end()) return;
  std::vector<ModeChange> changes;
  if (modes_.settle(law, end_of_step(), changes) && !evaluate_end()) return;
  for (const ModeChange& change : changes) note_change(t_new_, law, change);
  switches_at(t_new_, y_new_.data(), between_steps_);
  modes_.take_values(law, between_steps_, switch_new_);
  if (slowed || !changes.empty()) stepper_->restart();
}

/// Where what holds and the rows cannot both be kept at the end of the step, rows begin to move it at its
/// start, however smoothly: it lets go there. True where that is so.
bool Run::tear_modes() {
  if (!contradicts_ || !modes_.any() || direction_ < 0) return false;
  State behind = state_of(t_, y_.data());
  behind.t = t_new_;
  std::vector<std::pair<const ModeLaw*, ModeChange>> changes;
  if (!modes_.tear(behind, changes) || !flow_.at_accepted(t_, y_.data(), f_.data())) return false;
  for (const auto& [law, change] : changes) note_change(t_, *law, change);
  modes_.accept(view_of(t_, y_), switch_values_);
  stepper_->restart();
  return true;
}

/// What leaves its rest takes a step as long as the direction of its load is known well enough.
bool Run::refuse_departure() {
  if (!modes_.leaves()) return false;
  const double too_far = modes_.departure(end_of_step());
  if (too_far <= 1 || !stepper_->adaptive()) return false;
  ++out_.rejected;
  ++refusals_;
  // It grows with the fourth power of the step.
  h_next_ = h_ * std::clamp(0.9 * std::pow(too_far, -0.25), 0.05, 0.9);
  return true;
}

/// What rests tells nothing of when it came to rest.
void Run::stop_without_past(double t, const std::string& why, std::vector<std::string> names) {
  finish(Stop::singular, "at t = " + number_text(t, 10) + why, std::move(names));
}

/// Time is told apart to its own rounding, and no finer than steps can be on the scale of the run.
double Run::smallest_instant() const {
  return roundings_of_time *
         std::max({std::fabs(t_), std::fabs(t_new_), 1e-3 * std::fabs(options_.until - t_start_)});
}

void Run::note_change(double t, const ModeLaw& law, const ModeChange& change) {
  for (const std::string& name : law.names_of(change.thing))
    out_.grip_changes.push_back({t, name, change.holds});
}

/// Whether some law reads a share of a force that is a matter of the norm: that is decided by which rows
/// depend on each other. A position that is singular for an instant decides nothing.
void Run::look_at_shares() {
  const int rank = singularity_.watching() ? singularity_.rank() : 0;
  if (rank == rank_of_shares_) return;
  rank_of_shares_ = rank;
  const State& state = state_of(t_, y_.data());
  for (NormDependence& found : norm_dependences(system_, state)) {
    const auto same = [&](const NormDependence& known) { return known.law == found.law; };
    if (std::none_of(dependences_.begin(), dependences_.end(), same))
      dependences_.push_back(std::move(found));
  }
  if (system_.frictions().empty()) return;
  const std::vector<FrictionState>& found = evaluate_at(state).found.frictions;
  for (std::size_t k = 0; k < found.size(); ++k) {
    const std::string text = friction_text(system_, system_.frictions()[k], found[k]);
    if (!text.empty() && std::find(pressing_.begin(), pressing_.end(), text) == pressing_.end())
      pressing_.push_back(text);
  }
}

}  // namespace vinculum
