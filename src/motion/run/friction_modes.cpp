#include "motion/run/friction_modes.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/system/friction.hpp"

namespace vinculum {
namespace {

/// On the side where the pair stays what it is, by as little as a number can be.
constexpr double just_inside = 1e-300;
constexpr double rounding = 1e-14;  // of two velocities that are taken from each other
constexpr Guard slides{.may_hold = true};
constexpr Guard held{.has_corners = true};
const FrictionState nothing_said;  // to be copied: what it is copied to keeps its memory

bool sticks(const FrictionState& f) { return f.grip == Grip::sticks; }

}  // namespace

FrictionModes::FrictionModes(const System& system, Workspace& work, int first_place)
    : system_(system), work_(work), first_place_(first_place), direction_(system.frictions().size()) {
  // Room for a trial, which most motions make much later.
  trial_.q.reserve(system.coordinate_names().size());
  trial_.v.reserve(system.velocity_names().size());
  trial_mode_.switches.resize(system.impl().sliding.size());
  for (const FrictionPair& pair : system.frictions()) {
    names_.push_back(vinculum::names_of(system, pair));
    trial_mode_.frictions.emplace_back().direction.reserve(pair.velocities.size());
  }
}

std::string FrictionModes::guard_text(int pair) const {
  const std::string& law = system_.frictions()[pair].law;
  return law.empty() ? "the rest of '" + names_of(pair).front() + "'" : law;
}

const Guard* FrictionModes::guard(int place, const Mode& now) const {
  if (place < first_place_ || place >= first_place_ + static_cast<int>(count())) return nullptr;
  return sticks(now.frictions[place - first_place_]) ? &held : &slides;
}

bool FrictionModes::holds(const Mode& now) const { return std::ranges::any_of(now.frictions, sticks); }

const FrictionModes::Slide& FrictionModes::slide(int pair, const StateView& at, const double* acceleration) {
  const Friction::OtherSide& other = friction().other_side(pair, parts_of(at));
  slide_.velocity.clear();
  slide_.acceleration.clear();
  for (const int i : system_.frictions()[pair].velocities) {
    slide_.velocity.push_back(at.v[i]);
    if (acceleration != nullptr) slide_.acceleration.push_back(acceleration[i]);
  }
  for (std::size_t i = 0; i < other.velocity.size(); ++i) {
    const double own = slide_.velocity[i];
    slide_.velocity[i] -= other.velocity[i];
    // What is left of two velocities by rounding alone is no slide: it would be one across the floor.
    if (std::fabs(slide_.velocity[i]) <= rounding * std::fabs(own)) slide_.velocity[i] = 0.0;
    if (acceleration != nullptr) slide_.acceleration[i] -= other.rate[i];
  }
  return slide_;
}

double FrictionModes::along(int pair, const std::vector<double>& u) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < u.size() && i < direction_[pair].size(); ++i) sum += direction_[pair][i] * u[i];
  return sum;
}

void FrictionModes::set_to_rest(int pair, const StateView& at, std::span<double> v) {
  const Friction::OtherSide& other = friction().other_side(pair, parts_of(at));
  const std::vector<int>& velocities = system_.frictions()[pair].velocities;
  for (std::size_t i = 0; i < velocities.size(); ++i)
    v[velocities[i]] = other.velocity.empty() ? 0.0 : other.velocity[i];
}

void FrictionModes::watch(const StateView& at, const Mode& now, const Mode* found, std::span<double> values) {
  for (int k = 0; k < static_cast<int>(direction_.size()); ++k) {
    double& value = values[first_place_ + k];
    if (!sticks(now.frictions[k]))
      value = along(k, slide(k, at).velocity);
    else
      value = found != nullptr ? left_of(found->frictions[k]) : NAN;
  }
}

bool FrictionModes::left(const Mode& found, double* left) const {
  bool beyond = false;
  for (std::size_t k = 0; k < found.frictions.size(); ++k) {
    left[k] = sticks(found.frictions[k]) ? left_of(found.frictions[k]) : 0.0;
    beyond = beyond || left[k] < 0;
  }
  return beyond;
}

bool FrictionModes::hides_its_past(const StateView& at) {
  for (std::size_t k = 0; k < direction_.size(); ++k)
    if (length(slide(static_cast<int>(k), at).velocity) == 0) return true;
  return false;
}

double FrictionModes::rest_of(int pair, std::span<const double> rest) const {
  double largest = 0;
  for (const int i : system_.frictions()[pair].velocities) largest = std::max(largest, rest[i]);
  return largest;
}

void FrictionModes::begin(std::span<const double> rest, const StateView& at, std::span<double> v) {
  for (int k = 0; k < static_cast<int>(direction_.size()); ++k)
    if (length(slide(k, at).velocity) <= rest_of(k, rest)) set_to_rest(k, at, v);
}

void FrictionModes::settle_start(const Mode& found, Mode& now) { now.frictions = found.frictions; }

/// Whether it would stick if it had no velocity.
bool FrictionModes::holds_at_rest(int pair, const StateView& at, const Mode& now) {
  trial_.t = at.t;
  trial_.q.assign(at.q.begin(), at.q.end());
  trial_.v.assign(at.v.begin(), at.v.end());
  set_to_rest(pair, at, trial_.v);
  trial_mode_ = now;
  trial_mode_.frictions[pair] = nothing_said;
  return sticks(evaluate(system_, trial_, trial_mode_, work_).found.frictions[pair]);
}

/// Where friction is hardly more than the load, the last of a velocity takes ever shorter steps, since its
/// direction follows the load within m|v|/limit. What has no way left to go, and would stick, is at rest.
bool FrictionModes::is_as_good_as_at_rest(int pair, const Slide& s, const StepEnd& end, const Mode& now) {
  constexpr double within_tolerance = 100, beside_it = 1000, far_shorter = 0.02;
  const double speed = length(s.velocity), brake = -along(pair, s.acceleration);
  const double rest = rest_of(pair, end.rest);
  const bool crawls = end.step * brake < far_shorter * speed;
  return speed < (crawls ? beside_it : within_tolerance) * rest &&
         speed * speed < 2 * brake * rest_of(pair, end.reach) && holds_at_rest(pair, end.at(), now);
}

void FrictionModes::look(const StepEnd& end, const Mode& now, const Mode& /*found*/) {
  ends_.assign(direction_.size(), 0);
  lets_go_.assign(direction_.size(), 0);
  for (int k = 0; k < static_cast<int>(direction_.size()); ++k) {
    const double watched = end.to[first_place_ + k];
    if (sticks(now.frictions[k])) {
      lets_go_[k] = watched < 0;
      continue;
    }
    const Slide& s = slide(k, end.at(), end.acceleration.data());
    const bool brakes = watched <= 0 || along(k, s.acceleration) < 0;
    const double slow = rest_of(k, end.rest) + end.instant * length(s.acceleration);
    ends_[k] = brakes && (length(s.velocity) <= slow || is_as_good_as_at_rest(k, s, end, now));
  }
}

bool FrictionModes::changes(bool /*forward*/) const {
  const auto set = [](char flag) { return flag != 0; };
  return std::ranges::any_of(ends_, set) || std::ranges::any_of(lets_go_, set);
}

std::string FrictionModes::no_way_back(const StepEnd& /*end*/, std::vector<std::string>& names) const {
  for (int k = 0; k < static_cast<int>(direction_.size()); ++k)
    for (const std::string& name : names_of(k)) names.push_back(name);
  return " a contact under friction is at rest, and rest is not followed backward in time";
}

bool FrictionModes::put_back(const StepEnd& end, const Mode& mode) {
  for (std::size_t k = 0; k < mode.frictions.size(); ++k)
    if (mode.frictions[k].grip != Grip::slides) set_to_rest(static_cast<int>(k), end.at(), end.v);
  return false;
}

bool FrictionModes::open(const StepEnd& end, const Mode& now, Mode& next) {
  for (int k = 0; k < static_cast<int>(direction_.size()); ++k) {
    FrictionState& f = next.frictions[k];
    f.leaving = false;
    if (lets_go_[k]) {
      f.grip = Grip::slides;
      f.direction.clear();
    } else if (ends_[k] || sticks(now.frictions[k])) {
      // What sticks is opened, too: one that lets go may be more than the others can hold.
      set_to_rest(k, end.at(), end.v);  // implicit steps leave a rounding of velocity
      f = nothing_said;
    }
  }
  return true;
}

bool FrictionModes::settle(const StepEnd& /*end*/, const Mode& now, const Mode& found, Mode& next,
                           std::vector<ModeChange>& changes) {
  next.frictions = found.frictions;
  for (int k = 0; k < static_cast<int>(direction_.size()); ++k) {
    const bool before = sticks(now.frictions[k]), after = sticks(next.frictions[k]);
    if (before != after) changes.push_back({k, after});
    next.frictions[k].leaving =
        before && !after && !next.frictions[k].direction.empty() && friction().is_wide(k);
  }
  return false;
}

bool FrictionModes::accept(const StateView& at, bool changed, Mode& now, std::span<double> values) {
  const bool left = !changed && leaves(now);
  if (left)
    for (FrictionState& f : now.frictions) f.leaving = false;
  for (int k = 0; k < static_cast<int>(direction_.size()); ++k) {
    double& watched = values[first_place_ + k];
    if (now.frictions[k].grip == Grip::slides) {
      direction_[k] = slide(k, at).velocity;
      const double size = length(direction_[k]);
      for (double& x : direction_[k]) x /= size > 0 ? size : 1.0;
      if (!(size > 0)) direction_[k] = now.frictions[k].direction;
      watched = size;
    }
    if (!(watched > 0)) watched = just_inside;
  }
  return left;
}

void FrictionModes::slopes(const StateView& at, const Mode& now, const Mode& found,
                           const double* acceleration, double step, std::vector<ForceSlope>& out) {
  for (int k = 0; k < static_cast<int>(direction_.size()); ++k) {
    const std::vector<int>& velocities = system_.frictions()[k].velocities;
    const Slide& s = slide(k, at, acceleration);
    const std::vector<double>& u = s.velocity;
    const double speed = length(u);
    const bool turns = now.frictions[k].grip == Grip::slides && !now.frictions[k].leaving && speed > 0 &&
                       friction().is_wide(k);
    double stiffness = found.frictions[k].limit / (speed + step * length(s.acceleration));
    if (!turns || !std::isfinite(stiffness)) stiffness = 0.0;
    for (std::size_t i = 0; i < u.size(); ++i)
      for (std::size_t j = 0; j < u.size(); ++j) {
        const double along = turns ? u[i] / speed * (u[j] / speed) : 0.0;
        out.push_back({velocities[i], velocities[j], stiffness * ((i == j ? 1.0 : 0.0) - along)});
      }
  }
}

bool FrictionModes::steep(const Mode& now) const {
  for (std::size_t k = 0; k < now.frictions.size(); ++k)
    if (now.frictions[k].grip == Grip::slides && friction().is_wide(static_cast<int>(k))) return true;
  return false;
}

bool FrictionModes::leaves(const Mode& now) const {
  return std::ranges::any_of(now.frictions, [](const FrictionState& f) { return f.leaving; });
}

double FrictionModes::departure(const StepEnd& end, const Mode& now, const Mode& found) {
  double most = 0;
  for (int k = 0; k < static_cast<int>(direction_.size()); ++k) {
    if (!now.frictions[k].leaving) continue;
    const std::vector<double>&to = found.frictions[k].direction, &from = now.frictions[k].direction;
    double square = 0;
    for (std::size_t i = 0; i < to.size(); ++i) square += (to[i] - from[i]) * (to[i] - from[i]);
    const double angle = std::sqrt(square), speed = length(slide(k, end.at()).velocity);
    most = std::max({most, angle * angle * speed / rest_of(k, end.rest),
                     angle * speed * end.step / rest_of(k, end.reach)});
  }
  return most;
}

void FrictionModes::tear(const State& behind, Mode& now, std::vector<ModeChange>& changes) {
  const auto torn = [](const FrictionState& f) { return f.torn; };
  if (std::ranges::none_of(evaluate(system_, behind, now, work_).found.frictions, torn)) return;
  Mode& opened = trial_mode_ = now;
  for (FrictionState& f : opened.frictions)
    if (sticks(f)) f = nothing_said;
  const Mode& found = evaluate(system_, behind, opened, work_).found;
  for (int k = 0; k < static_cast<int>(direction_.size()); ++k)
    if (sticks(now.frictions[k]) && found.frictions[k].grip == Grip::slides) {
      now.frictions[k] = found.frictions[k];
      changes.push_back({k, false});
    }
}

}  // namespace vinculum
