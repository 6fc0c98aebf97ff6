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
    if (states[k].grip != Grip::slides && system_.contacts()[k].moves)
      set_to_rest(static_cast<int>(k), at, v);
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

bool Contacts::change(std::span<const double> watched, std::span<const double> rest, double instant,
                      const StateView& at, double* v, const double* acceleration) {
  next_ = now_;
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
    if (!ends || length(s.velocity) > rest_of(contact, rest) + instant * length(s.acceleration)) continue;
    set_to_rest(contact, at, v);
    next_[k] = {};
    changed_ = true;
  }
  if (!changed_) return false;
  // One that lets go may be more than the others can hold.
  for (ContactState& c : next_)
    if (c.grip == Grip::sticks) c = {};
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
  }
  return changes;
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

void Contacts::accept(const StateView& at, double* watched) {
  if (changed_) {
    now_ = next_;
    set_contacts(work_, now_);
  }
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
}

}  // namespace vinculum
