#include "motion/run/modes.hpp"

#include <cmath>

#include "motion/run/friction_modes.hpp"
#include "motion/run/switch_modes.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {

Modes::Modes(const System& system, Workspace& work)
    : system_(system), work_(work), expressions_(vinculum::switches(system).size()) {
  now_.frictions.resize(system.frictions().size());
  now_.switches.resize(system.impl().sliding.size());
  if (!now_.frictions.empty())
    laws_.push_back(std::make_unique<FrictionModes>(system, work, static_cast<int>(expressions_)));
  if (!now_.switches.empty()) laws_.push_back(std::make_unique<SwitchModes>(system, work));
  for (const auto& law : laws_) count_ += static_cast<int>(law->count());
  next_ = now_;
}

void Modes::leave_out(std::span<const char> rows) {
  now_.left_out.assign(rows.begin(), rows.end());
  next_.left_out.assign(rows.begin(), rows.end());
}

Guard Modes::guard(int place) const {
  for (const auto& law : laws_)
    if (const Guard* guard = law->guard(place, now_)) return *guard;
  return {};
}

std::pair<const ModeLaw*, int> Modes::owner_of(int place) const {
  int thing = place - static_cast<int>(expressions_);
  for (const auto& law : laws_) {
    const int own = static_cast<int>(law->own_guards());
    if (thing < own) return {law.get(), thing};
    thing -= own;
  }
  return {nullptr, 0};
}

std::string Modes::guard_text(int place) const {
  if (place < static_cast<int>(expressions_)) return vinculum::switches(system_)[place] + " = 0";
  const auto [law, thing] = owner_of(place);
  return law->guard_text(thing);
}

std::vector<std::string> Modes::guard_names(int place) const {
  if (place < static_cast<int>(expressions_)) return {guard_text(place)};
  const auto [law, thing] = owner_of(place);
  return law->names_of(thing);
}

void Modes::watch(const StateView& at, std::vector<double>& values) {
  std::size_t size = expressions_;
  bool holds = false;
  for (const auto& law : laws_) {
    size += law->own_guards();
    holds = holds || law->holds(now());
  }
  values.resize(size);
  const Mode* found = holds ? &evaluate(system_, at, now(), work_).found : nullptr;
  for (const auto& law : laws_) law->watch(at, now(), found, values);
}

void Modes::watch_free(const StateView& at, std::span<double> values) const {
  for (const auto& law : laws_) law->watch(at, now(), nullptr, values);
}

bool Modes::left(const Mode& found, double* left) const {
  bool beyond = false;
  for (const auto& law : laws_) {
    beyond = law->left(found, left) || beyond;
    left += law->count();
  }
  return beyond;
}

std::vector<std::string> Modes::names_of(int number) const {
  for (const auto& law : laws_) {
    if (number < static_cast<int>(law->count())) return law->names_of(number);
    number -= static_cast<int>(law->count());
  }
  return {};
}

void Modes::begin(std::span<const double> rest, const StateView& at, std::span<double> v) {
  for (const auto& law : laws_) law->begin(rest, at, v);
}

void Modes::settle_start() {
  for (const auto& law : laws_) law->settle_start(found_, now_);
  next_ = now_;
}

bool Modes::hides_its_past(const StateView& at) const {
  for (const auto& law : laws_)
    if (law->hides_its_past(at)) return true;
  return false;
}

bool Modes::open(ModeLaw& law, const StepEnd& end) {
  if (!changed_) next_ = now_;
  changed_ = behind_ = true;
  return law.open(end, now_, next_);
}

bool Modes::settle(ModeLaw& law, const StepEnd& end, std::vector<ModeChange>& changes) {
  return law.settle(end, now_, found_, next_, changes);
}

void Modes::take_values(const ModeLaw& law, std::span<const double> at_new, std::span<double> values) const {
  law.take_values(now_, next_, at_new, values);
}

bool Modes::accept(const StateView& at, std::span<double> values) {
  if (changed_) now_ = next_;
  bool other_forces = false;
  for (const auto& law : laws_) other_forces = law->accept(at, changed_, now_, values) || other_forces;
  changed_ = behind_ = false;
  return other_forces;
}

bool Modes::tear(const State& behind, std::vector<std::pair<const ModeLaw*, ModeChange>>& changes) {
  std::vector<ModeChange> own;
  for (const auto& law : laws_) {
    own.clear();
    law->tear(behind, now_, own);
    for (const ModeChange& change : own) changes.emplace_back(law.get(), change);
  }
  return !changes.empty();
}

bool Modes::leaves() const {
  for (const auto& law : laws_)
    if (law->leaves(now_)) return true;
  return false;
}

double Modes::departure(const StepEnd& end) const {
  double most = 0;
  for (const auto& law : laws_) most = std::max(most, law->departure(end, now_, found_));
  return most;
}

bool Modes::steep() const {
  for (const auto& law : laws_)
    if (law->steep(now_)) return true;
  return false;
}

void Modes::slopes(const StateView& at, const Mode& found, const double* acceleration, double step,
                   std::vector<ForceSlope>& out) const {
  out.clear();
  for (const auto& law : laws_) law->slopes(at, now_, found, acceleration, step, out);
}

void Modes::add_forces(const StateView& at, Sizes& sizes) {
  for (const auto& law : laws_) law->add_forces(at, now(), sizes);
}

}  // namespace vinculum
