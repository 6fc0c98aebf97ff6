#include "motion/contacts.hpp"

#include <algorithm>
#include <cmath>

#include "system/friction.hpp"

namespace vinculum {
namespace {

/// On the side where the contact stays what it is, by as little as a number can be.
constexpr double just_inside = 1e-300;

}  // namespace

Contacts::Contacts(const System& system, Workspace& work)
    : system_(system), work_(work), now_(system.contacts().size()), next_(now_), direction_(now_.size()) {}

Contacts::Slide Contacts::slide(int contact, const StateView& at, const double* acceleration) const {
  const Friction::OtherSide& other = work_.impl().friction->other_side(contact, at);
  Slide s;
  for (const int i : system_.contacts()[contact].velocities) {
    s.velocity.push_back(at.part[2][i]);
    if (acceleration != nullptr) s.acceleration.push_back(acceleration[i]);
  }
  for (std::size_t i = 0; i < other.velocity.size(); ++i) {
    s.velocity[i] -= other.velocity[i];
    if (acceleration != nullptr) s.acceleration[i] -= other.rate[i];
  }
  return s;
}

double Contacts::along(int contact, const std::vector<double>& u) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < u.size() && i < direction_[contact].size(); ++i)
    sum += direction_[contact][i] * u[i];
  return sum;
}

void Contacts::set_to_rest(int contact, const StateView& at, double* v) const {
  const Friction::OtherSide& other = work_.impl().friction->other_side(contact, at);
  const std::vector<int>& velocities = system_.contacts()[contact].velocities;
  for (std::size_t i = 0; i < velocities.size(); ++i)
    v[velocities[i]] = other.velocity.empty() ? 0.0 : other.velocity[i];
}

void Contacts::put_to_rest(const StateView& at, double* v) const {
  const std::vector<ContactState>& states = changed_ ? next_ : now_;
  for (std::size_t k = 0; k < states.size(); ++k)
    if (states[k].grip != Grip::slides) set_to_rest(static_cast<int>(k), at, v);
}

void Contacts::watch_sliding(const StateView& at, double* values) const {
  for (std::size_t k = 0; k < now_.size(); ++k) {
    const int contact = static_cast<int>(k);
    values[k] = now_[k].grip == Grip::slides ? along(contact, slide(contact, at).velocity) : NAN;
  }
}

void Contacts::watch(const State& state, std::vector<double>& values) {
  if (now_.empty()) return;
  const std::size_t first = values.size();
  values.resize(first + now_.size());
  watch_sliding({{&state.t, state.q.data(), state.v.data()}}, values.data() + first);
  const auto sticks = [](const ContactState& c) { return c.grip == Grip::sticks; };
  if (std::none_of(now_.begin(), now_.end(), sticks)) return;
  evaluate(system_, state, work_);
  const std::vector<ContactState>& found = contacts_of(work_);
  for (std::size_t k = 0; k < now_.size(); ++k)
    if (sticks(now_[k])) values[first + k] = left_of(found[k]);
}

bool Contacts::any_at_rest(const StateView& at) const {
  for (std::size_t k = 0; k < now_.size(); ++k)
    if (length(slide(static_cast<int>(k), at).velocity) == 0) return true;
  return false;
}

double Contacts::rest_of(int contact, std::span<const double> rest) const {
  double largest = 0;
  for (const int i : system_.contacts()[contact].velocities) largest = std::max(largest, rest[i]);
  return largest;
}

void Contacts::begin(std::span<const double> rest, const StateView& at, double* v) {
  for (std::size_t k = 0; k < now_.size(); ++k)
    if (const int contact = static_cast<int>(k);
        length(slide(contact, at).velocity) <= rest_of(contact, rest))
      set_to_rest(contact, at, v);
}

void Contacts::settle_start() {
  now_ = next_ = contacts_of(work_);
  set_contacts(work_, now_);
}

/// Whether it would stick if it had no velocity.
bool Contacts::holds_at_rest(int contact, const StateView& at) {
  State state{*at.part[0], {}, {}};
  state.q.assign(at.part[1], at.part[1] + system_.coordinate_names().size());
  state.v.assign(at.part[2], at.part[2] + system_.velocity_names().size());
  set_to_rest(contact, at, state.v.data());
  std::vector<ContactState> trial = now_;
  trial[contact] = {};
  set_contacts(work_, trial);
  evaluate(system_, state, work_);
  const bool holds = contacts_of(work_)[contact].grip == Grip::sticks;
  set_contacts(work_, now_);
  return holds;
}

/// Where friction is hardly more than the load, the last of a velocity takes ever shorter steps, since its
/// direction follows the load within m|v|/limit. What has no way left to go, and would stick, is at rest.
bool Contacts::is_as_good_as_at_rest(int contact, const Slide& s, const Nothing& nothing,
                                     const StateView& at) {
  constexpr double within_tolerance = 100, beside_it = 1000, far_shorter = 0.02;
  const double speed = length(s.velocity), brake = -along(contact, s.acceleration);
  const double rest = rest_of(contact, nothing.rest);
  const bool crawls = nothing.step * brake < far_shorter * speed;
  return speed < (crawls ? beside_it : within_tolerance) * rest &&
         speed * speed < 2 * brake * rest_of(contact, nothing.reach) && holds_at_rest(contact, at);
}

bool Contacts::change(std::span<const double> watched, const Nothing& nothing, const StateView& at, double* v,
                      const double* acceleration) {
  next_ = now_;
  for (ContactState& c : next_) c.leaving = false;
  for (std::size_t k = 0; k < now_.size(); ++k) {
    const int contact = static_cast<int>(k);
    if (now_[k].grip == Grip::sticks) {
      if (!(watched[k] < 0)) continue;
      next_[k].grip = Grip::slides;
      next_[k].direction.clear();
      changed_ = true;
      continue;
    }
    const Slide s = slide(contact, at, acceleration);
    const bool ends = watched[k] <= 0 || along(contact, s.acceleration) < 0;
    const double slow = rest_of(contact, nothing.rest) + nothing.instant * length(s.acceleration);
    if (!ends || (length(s.velocity) > slow && !is_as_good_as_at_rest(contact, s, nothing, at))) continue;
    set_to_rest(contact, at, v);
    next_[k] = {};
    changed_ = true;
  }
  if (!changed_) return false;
  // One that lets go may be more than the others can hold.
  for (std::size_t k = 0; k < next_.size(); ++k) {
    if (next_[k].grip != Grip::sticks) continue;
    set_to_rest(static_cast<int>(k), at, v);  // implicit steps leave a rounding of velocity
    next_[k] = {};
  }
  set_contacts(work_, next_);
  return true;
}

std::vector<std::pair<int, bool>> Contacts::settle_change() {
  next_ = contacts_of(work_);
  set_contacts(work_, next_);
  std::vector<std::pair<int, bool>> changes;
  for (std::size_t k = 0; k < now_.size(); ++k) {
    const bool before = now_[k].grip == Grip::sticks, after = next_[k].grip == Grip::sticks;
    if (before != after) changes.emplace_back(static_cast<int>(k), after);
    next_[k].leaving = before && !after && !next_[k].direction.empty() &&
                       work_.impl().friction->is_wide(static_cast<int>(k));
  }
  set_contacts(work_, next_);
  return changes;
}

void Contacts::slopes(const StateView& at, const double* acceleration, double step,
                      std::vector<Slope>& out) const {
  out.clear();
  for (std::size_t k = 0; k < now_.size(); ++k) {
    const std::vector<int>& velocities = system_.contacts()[k].velocities;
    const Slide s = slide(static_cast<int>(k), at, acceleration);
    const std::vector<double>& u = s.velocity;
    const double speed = length(u);
    const bool turns = now_[k].grip == Grip::slides && !now_[k].leaving && speed > 0;
    double stiffness = contacts_of(work_)[k].limit / (speed + step * length(s.acceleration));
    if (!turns || !std::isfinite(stiffness)) stiffness = 0.0;
    for (std::size_t i = 0; i < u.size(); ++i)
      for (std::size_t j = 0; j < u.size(); ++j) {
        const double along = turns ? u[i] / speed * (u[j] / speed) : 0.0;
        out.push_back({velocities[i], velocities[j], stiffness * ((i == j ? 1.0 : 0.0) - along)});
      }
  }
}

bool Contacts::may_turn() const {
  for (std::size_t k = 0; k < now_.size(); ++k)
    if (now_[k].grip == Grip::slides && work_.impl().friction->is_wide(static_cast<int>(k))) return true;
  return false;
}

bool Contacts::leaving() const {
  return std::any_of(now_.begin(), now_.end(), [](const ContactState& c) { return c.leaving; });
}

double Contacts::departure(const StateView& at, double time, std::span<const double> rest,
                           std::span<const double> reach) const {
  double most = 0;
  for (std::size_t k = 0; k < now_.size(); ++k) {
    if (!now_[k].leaving) continue;
    const int contact = static_cast<int>(k);
    std::vector<double> turn = contacts_of(work_)[k].direction;
    for (std::size_t i = 0; i < turn.size(); ++i) turn[i] -= now_[k].direction[i];
    const double angle = length(turn), speed = length(slide(contact, at).velocity);
    most = std::max({most, angle * angle * speed / rest_of(contact, rest),
                     angle * speed * time / rest_of(contact, reach)});
  }
  return most;
}

std::vector<std::pair<int, bool>> Contacts::tear(const State& behind) {
  std::vector<std::pair<int, bool>> changes;
  evaluate(system_, behind, work_);
  const auto torn = [](const ContactState& c) { return c.torn; };
  if (std::none_of(contacts_of(work_).begin(), contacts_of(work_).end(), torn)) return changes;
  std::vector<ContactState> opened = now_;
  for (ContactState& c : opened)
    if (c.grip == Grip::sticks) c = {};
  set_contacts(work_, opened);
  evaluate(system_, behind, work_);
  for (std::size_t k = 0; k < now_.size(); ++k)
    if (now_[k].grip == Grip::sticks && contacts_of(work_)[k].grip == Grip::slides) {
      now_[k] = contacts_of(work_)[k];
      changes.emplace_back(static_cast<int>(k), false);
    }
  next_ = now_;
  set_contacts(work_, now_);
  return changes;
}

void Contacts::use(bool behind) {
  if (changed_) set_contacts(work_, behind ? next_ : now_);
}

bool Contacts::accept(const StateView& at, double* watched) {
  const bool left = !changed_ && leaving();
  if (changed_) now_ = next_;
  if (left)
    for (ContactState& c : now_) c.leaving = false;
  if (changed_ || left) set_contacts(work_, now_);
  changed_ = false;
  for (std::size_t k = 0; k < now_.size(); ++k) {
    if (now_[k].grip == Grip::slides) {
      direction_[k] = slide(static_cast<int>(k), at).velocity;
      const double size = length(direction_[k]);
      for (double& x : direction_[k]) x /= size > 0 ? size : 1.0;
      if (!(size > 0)) direction_[k] = now_[k].direction;
      watched[k] = size;
    }
    if (!(watched[k] > 0)) watched[k] = just_inside;
  }
  return left;
}

}  // namespace vinculum
