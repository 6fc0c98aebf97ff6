#include "motion/contacts.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum {
namespace {

/// On the side where the contact stays what it is, by as little as a number can be.
constexpr double just_inside = 1e-300;

}  // namespace

Contacts::Contacts(const System& system, Workspace& work)
    : system_(system), work_(work), now_(system.contacts().size()), next_(now_), direction_(now_.size()) {}

double Contacts::speed(int contact, const double* v) const {
  double square = 0.0;
  for (const int i : system_.contacts()[contact].velocities) square += v[i] * v[i];
  return std::sqrt(square);
}

double Contacts::along(int contact, const double* v) const {
  const std::vector<int>& velocities = system_.contacts()[contact].velocities;
  double sum = 0.0;
  for (std::size_t i = 0; i < velocities.size() && i < direction_[contact].size(); ++i)
    sum += direction_[contact][i] * v[velocities[i]];
  return sum;
}

void Contacts::watch_sliding(const double* v, double* values) const {
  for (std::size_t k = 0; k < now_.size(); ++k)
    values[k] = now_[k].grip == Grip::slides ? along(static_cast<int>(k), v) : NAN;
}

void Contacts::watch(const State& state, std::vector<double>& values) {
  if (now_.empty()) return;
  const std::size_t first = values.size();
  values.resize(first + now_.size());
  watch_sliding(state.v.data(), values.data() + first);
  const auto sticks = [](const ContactState& c) { return c.grip == Grip::sticks; };
  if (std::none_of(now_.begin(), now_.end(), sticks)) return;
  evaluate(system_, state, work_);
  const std::vector<ContactState>& found = contacts_of(work_);
  for (std::size_t k = 0; k < now_.size(); ++k)
    if (sticks(now_[k])) values[first + k] = left_of(found[k]);
}

bool Contacts::any_at_rest(const double* v) const {
  for (std::size_t k = 0; k < now_.size(); ++k)
    if (speed(static_cast<int>(k), v) == 0) return true;
  return false;
}

void Contacts::begin(double rest, double* v) {
  for (std::size_t k = 0; k < now_.size(); ++k)
    if (speed(static_cast<int>(k), v) <= rest)
      for (const int i : system_.contacts()[k].velocities) v[i] = 0.0;
}

void Contacts::settle_start() {
  now_ = next_ = contacts_of(work_);
  set_contacts(work_, now_);
}

bool Contacts::change(std::span<const double> watched, double rest, double instant, double* v,
                      const double* acceleration) {
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
    const bool ends = watched[k] <= 0 || along(contact, acceleration) < 0;
    if (!ends || speed(contact, v) > rest + instant * speed(contact, acceleration)) continue;
    for (const int i : system_.contacts()[k].velocities) v[i] = 0.0;
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

void Contacts::accept(const double* v, double* watched) {
  if (changed_) {
    now_ = next_;
    set_contacts(work_, now_);
  }
  changed_ = false;
  for (std::size_t k = 0; k < now_.size(); ++k) {
    const std::vector<int>& velocities = system_.contacts()[k].velocities;
    if (now_[k].grip == Grip::slides) {
      const double size = speed(static_cast<int>(k), v);
      direction_[k].resize(velocities.size());
      for (std::size_t i = 0; i < velocities.size(); ++i)
        direction_[k][i] = size > 0                       ? v[velocities[i]] / size
                           : i < now_[k].direction.size() ? now_[k].direction[i]
                                                          : 0.0;
      watched[k] = size;
    }
    if (!(watched[k] > 0)) watched[k] = just_inside;
  }
}

}  // namespace vinculum
