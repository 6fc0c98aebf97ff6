#include "motion/run/switch_modes.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum {
namespace {

/// On the side where the motion stays held, by as little as a number can be.
constexpr double just_inside = 1e-300;
constexpr int stay = 2;  // no target of SwitchLaw::move
constexpr Guard passed{.may_hold = true, .met_again = true};
constexpr Guard held{.may_hold = true, .holds_smoothly = true, .met_again = true};

bool sticks(const SwitchState& s) { return s.grip == Grip::sticks; }
/// In memory that is kept.
void say_only(Grip grip, SwitchState& s) {
  static const SwitchState nothing_said;
  s = nothing_said;
  s.grip = grip;
}
bool contains(const SlidingSwitch& s, int place) {
  return std::find(s.places.begin(), s.places.end(), place) != s.places.end();
}

}  // namespace

SwitchModes::SwitchModes(const System& system, Workspace& work)
    : system_(system), work_(work), switches_(system.impl().sliding), jump_(switches_.size()) {
  for (const SlidingSwitch& s : switches_)
    names_.push_back({vinculum::switches(system)[s.places.front()] + " = 0"});
}

const Guard* SwitchModes::guard(int place, const Mode& now) const {
  const Guard* found = nullptr;
  for (std::size_t k = 0; k < switches_.size(); ++k)
    if (contains(switches_[k], place) && found != &held) found = sticks(now.switches[k]) ? &held : &passed;
  return found;
}

bool SwitchModes::holds(const Mode& now) const { return std::ranges::any_of(now.switches, sticks); }

void SwitchModes::watch(const StateView& /*at*/, const Mode& now, const Mode* found,
                        std::span<double> values) {
  for (std::size_t k = 0; k < switches_.size(); ++k)
    for (const int place : switches_[k].places)
      if (sticks(now.switches[k])) values[place] = found != nullptr ? found->switches[k].left() : NAN;
}

bool SwitchModes::left(const Mode& found, double* left) const {
  for (std::size_t k = 0; k < found.switches.size(); ++k)
    left[k] = sticks(found.switches[k]) ? found.switches[k].left() : 0.0;
  return false;
}

void SwitchModes::settle_start(const Mode& found, Mode& now) {
  now.switches.resize(switches_.size());
  for (std::size_t k = 0; k < switches_.size(); ++k) say_only(found.switches[k].grip, now.switches[k]);
  remember(found);
}

void SwitchModes::remember(const Mode& found) {
  way_out_.resize(switches_.size());
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    way_out_[k] = found.switches[k].way_out();
    if (!found.switches[k].jump.empty()) jump_[k] = found.switches[k].jump;
  }
}

void SwitchModes::look(const StepEnd& end, const Mode& now, const Mode& found) {
  remember(found);
  reached_.assign(switches_.size(), 0);
  lets_go_.assign(switches_.size(), 0);
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    const int place = switches_[k].places.front();
    const double from = end.from[place], to = end.to[place];
    if (sticks(now.switches[k])) {
      lets_go_[k] = to < 0;
      continue;
    }
    const bool passes = (from < 0 && to >= 0) || (from > 0 && to <= 0);
    const SwitchLaw::Course c = sliding().course(static_cast<int>(k), end.at(), end.acceleration, end.rest);
    const bool near = std::fabs(c.value) <= c.rest + end.instant * std::fabs(c.rate);
    reached_[k] = passes || (near && c.value * c.rate < 0);
  }
}

bool SwitchModes::changes(bool forward) const {
  const auto set = [](char flag) { return flag != 0; };
  return std::ranges::any_of(lets_go_, set) || (forward && std::ranges::any_of(reached_, set));
}

std::string SwitchModes::no_way_back(const StepEnd& end, std::vector<std::string>& names) const {
  std::size_t nearest = 0;
  for (std::size_t k = 1; k < vinculum::switches(system_).size(); ++k)
    if (std::fabs(end.to[k]) < std::fabs(end.to[nearest])) nearest = k;
  names = {vinculum::switches(system_)[nearest] + " = 0"};
  return " forces hold the motion at " + names.front() +
         ": it may have stood there for any time, so it cannot be followed further back";
}

bool SwitchModes::open(const StepEnd& /*end*/, const Mode& now, Mode& next) {
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    SwitchState& s = next.switches[k];
    say_only(lets_go_[k] ? Grip::slides : Grip::open, s);
    if (lets_go_[k]) {
      s.side = way_out_[k];
      continue;
    }
    s.on = sticks(now.switches[k]) || reached_[k];
    if (!s.on) s.grip = Grip::slides;
  }
  return false;
}

bool SwitchModes::settle(const StepEnd& end, const Mode& now, const Mode& found, Mode& next,
                         std::vector<ModeChange>& changes) {
  remember(found);
  target_.assign(switches_.size(), stay);
  for (std::size_t k = 0; k < switches_.size(); ++k) {
    const SwitchState& s = found.switches[k];
    const bool before = sticks(now.switches[k]), after = sticks(s);
    if (after)
      target_[k] = 0;
    else if (before)
      target_[k] = s.side != 0 ? s.side : 1;
    if (before != after) changes.push_back({static_cast<int>(k), after});
    say_only(s.grip, next.switches[k]);
  }
  sliding().move(jump_, end.t, end.q, target_, end.v);
  return true;
}

bool SwitchModes::put_back(const StepEnd& end, const Mode& mode) {
  if (!holds(mode)) return false;
  target_.assign(switches_.size(), stay);
  for (std::size_t k = 0; k < switches_.size(); ++k)
    if (sticks(mode.switches[k])) target_[k] = 0;
  return sliding().move(jump_, end.t, end.q, target_, end.v);
}

void SwitchModes::take_values(const Mode& now, const Mode& next, std::span<const double> at_new,
                              std::span<double> values) const {
  for (std::size_t k = 0; k < switches_.size(); ++k)
    for (const int place : switches_[k].places) {
      if (sticks(now.switches[k]) || sticks(next.switches[k])) values[place] = at_new[place];
      if (sticks(next.switches[k]) && !(values[place] > 0)) values[place] = just_inside;
    }
}

bool SwitchModes::accept(const StateView& /*at*/, bool /*changed*/, Mode& /*now*/,
                         std::span<double> /*values*/) {
  return false;
}

void SwitchModes::add_forces(const StateView& at, const Mode& now, Sizes& sizes) {
  for (const SwitchLaw::Side& side : sliding().sides(system_, at, now, work_.impl()))
    sizes.add_forces(side.Q);
}

}  // namespace vinculum
