#include "motion/run/mode_changes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

/// Behind a switch a motion is as far as a few roundings of time bring it.
constexpr double roundings_of_time = 1024 * std::numeric_limits<double>::epsilon();

}  // namespace

std::span<const double> ModeChanges::rest_speeds() {
  constexpr double rounding = 64 * std::numeric_limits<double>::epsilon();
  rest_.resize(flow_.velocities());
  for (int i = 0; i < flow_.velocities(); ++i)
    rest_[i] = std::max(0.01 * (tolerance_.absolute + tolerance_.relative * sizes_[flow_.coordinates() + i]),
                        rounding * sizes_.fastest(i));
  return rest_;
}

/// Ways as small as that are none, over velocities.
std::span<const double> ModeChanges::reaches() {
  reach_.resize(flow_.velocities());
  for (int i = 0; i < flow_.velocities(); ++i)
    reach_[i] = 0.01 * (tolerance_.absolute + tolerance_.relative * sizes_.of_move(i));
  return reach_;
}

StepEnd ModeChanges::end_of_step() {
  StepEnd end;
  end.t = step_.t_new;
  end.q = {step_.y_new.data(), static_cast<std::size_t>(flow_.coordinates())};
  end.v = {step_.y_new.data() + flow_.coordinates(), static_cast<std::size_t>(flow_.velocities())};
  end.acceleration = std::span(step_.f_new).subspan(flow_.coordinates(), flow_.velocities());
  end.from = step_.switches;
  end.to = step_.switches_new;
  end.rest = rest_speeds();
  end.reach = reaches();
  end.instant = smallest_instant();
  end.step = std::fabs(step_.h);
  return end;
}

bool ModeChanges::evaluate_end() {
  const bool solved = flow_.at_accepted(step_.t_new, step_.y_new.data(), step_.f_new.data());
  if (!solved) course_.stop_unsolved(step_.t_new);
  return solved;
}

void ModeChanges::change_modes() {
  if (!modes_.any()) return;
  if (step_.switches_new.size() < step_.switches.size())
    course_.switches_at(step_.t_new, step_.y_new.data(), step_.switches_new);
  for (const auto& law : modes_.laws())
    if (!course_.finished) change_mode(*law);
}

void ModeChanges::change_mode(ModeLaw& law) {
  law.look(end_of_step(), modes_.now(), modes_.found());
  if (!law.changes(course_.direction > 0)) {
    if (law.put_back(end_of_step(), modes_.now())) evaluate_end();
    return;
  }
  if (course_.direction < 0) {
    std::vector<std::string> names;
    const std::string why = law.no_way_back(end_of_step(), names);
    return stop_without_past(step_.t_new, why, names);
  }
  course_.interpolate();  // while the mode is that of the step
  law.remember(course_.evaluate_at(course_.state_at_end()).found);
  const bool slowed = modes_.open(law, end_of_step());
  if (slowed) {
    // What came to rest has taken a little velocity away; what is tied to it follows.
    if (course_.projects())
      projector_(step_.t_new, step_.y_new.data(), step_.y_new.data() + flow_.coordinates(), modes_.now(),
                 work_);
    law.put_back(end_of_step(), modes_.now());
  }
  if (!evaluate_end()) return;
  std::vector<ModeChange>& changes = changed_;
  changes.clear();
  if (modes_.settle(law, end_of_step(), changes) && !evaluate_end()) return;
  for (const ModeChange& change : changes) note_change(step_.t_new, law, change);
  course_.switches_at(step_.t_new, step_.y_new.data(), values_);
  modes_.take_values(law, values_, step_.switches_new);
  if (slowed || !changes.empty()) course_.stepper->restart();
}

bool ModeChanges::tear_modes() {
  if (!step_.refusal.contradicts || !modes_.any() || course_.direction < 0) return false;
  State behind = course_.state_at_start();
  behind.t = step_.t_new;
  std::vector<std::pair<const ModeLaw*, ModeChange>> changes;
  if (!modes_.tear(behind, changes) || !flow_.at_accepted(step_.t, step_.y.data(), step_.f.data()))
    return false;
  for (const auto& [law, change] : changes) note_change(step_.t, *law, change);
  modes_.accept(course_.view_of(step_.t, step_.y), step_.switches);
  course_.stepper->restart();
  return true;
}

void ModeChanges::stop_without_past(double t, const std::string& why, std::vector<std::string> names) {
  course_.finish(Stop::singular, "at t = " + number_text(t, 10) + why, std::move(names));
}

/// Time is told apart to its own rounding, and no finer than steps can be on the scale of the run.
double ModeChanges::smallest_instant() const {
  return roundings_of_time * std::max({std::fabs(step_.t), std::fabs(step_.t_new), 1e-3 * course_.span()});
}

void ModeChanges::note_change(double t, const ModeLaw& law, const ModeChange& change) {
  for (const std::string& name : law.names_of(change.thing))
    out_.grip_changes.push_back({t, name, change.holds});
}

}  // namespace vinculum
