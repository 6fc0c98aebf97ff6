#include "motion/slides.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum {
namespace {

/// On the side where the motion stays held, by as little as a number can be.
constexpr double just_inside = 1e-300;
constexpr int stay = 2;  // no target of Sliding::move

bool sticks(const SwitchState& s) { return s.grip == Grip::sticks; }
bool contains(const SlidingSwitch& s, int place) {
  return std::find(s.places.begin(), s.places.end(), place) != s.places.end();
}

}  // namespace

Slides::Slides(const System& system, Workspace& work)
    : work_(work),
      system_(system),
      switches_(system.impl().sliding),
      now_(switches_.size()),
      next_(switches_.size()) {}

bool Slides::holds() const { return std::any_of(now_.begin(), now_.end(), sticks); }

bool Slides::watches(int place) const {
  return std::any_of(switches_.begin(), switches_.end(),
                     [place](const SlidingSwitch& s) { return contains(s, place); });
}

bool Slides::holds_at(int place) const {
  for (std::size_t k = 0; k < now_.size(); ++k)
    if (sticks(now_[k]) && contains(switches_[k], place)) return true;
  return false;
}

void Slides::watch(const State& state, std::vector<double>& values) {
  if (!any()) return;
  const std::vector<SwitchState>& found = sliding().as_found();
  if (std::none_of(found.begin(), found.end(), sticks)) return;
  evaluate(system_, state, work_);
  for (std::size_t k = 0; k < found.size(); ++k)
    for (const int place : switches_[k].places)
      if (sticks(found[k])) values[place] = found[k].left();
}

void Slides::watch_free(double* values) const {
  for (std::size_t k = 0; k < now_.size(); ++k)
    for (const int place : switches_[k].places)
      if (sticks(now_[k])) values[place] = NAN;
}

void Slides::left(double* values) const {
  for (std::size_t k = 0; k < now_.size(); ++k) {
    const SwitchState& found = sliding().as_found()[k];
    values[k] = sticks(found) ? found.left() : 0.0;
  }
}

void Slides::settle_start() {
  if (!any()) return;
  for (std::size_t k = 0; k < now_.size(); ++k) now_[k] = {sliding().as_found()[k].grip};
  next_ = now_;
  sliding().take(now_);
}

void Slides::look(const End& end, const std::vector<double>& from, const std::vector<double>& to) {
  reached_.assign(now_.size(), 0);
  lets_go_.assign(now_.size(), 0);
  for (std::size_t k = 0; k < now_.size(); ++k) {
    const int place = switches_[k].places.front();
    if (sticks(now_[k])) {
      lets_go_[k] = to[place] < 0;
      continue;
    }
    const bool passed = (from[place] < 0 && to[place] >= 0) || (from[place] > 0 && to[place] <= 0);
    const Sliding::Course c =
        sliding().course(static_cast<int>(k), end.t, end.q, end.v, end.acceleration, end.rest);
    const bool near = std::fabs(c.value) <= c.rest + end.instant * std::fabs(c.rate);
    reached_[k] = passed || (near && c.value * c.rate < 0);
  }
}

bool Slides::lets_go() const {
  return std::any_of(lets_go_.begin(), lets_go_.end(), [](char goes) { return goes; });
}

bool Slides::changes() const {
  return lets_go() || std::any_of(reached_.begin(), reached_.end(), [](char reached) { return reached; });
}

void Slides::open() {
  const std::vector<SwitchState> found = sliding().as_found();
  for (std::size_t k = 0; k < now_.size(); ++k) {
    next_[k] = {};
    next_[k].on = sticks(now_[k]) || reached_[k];
    if (lets_go_[k])
      next_[k] = {Grip::slides, found[k].way_out()};
    else if (!next_[k].on)
      next_[k].grip = Grip::slides;
  }
  changed_ = true;
  sliding().take(next_);
}

std::vector<std::pair<int, bool>> Slides::settle_change(double t, std::span<double> q, std::span<double> v) {
  std::vector<std::pair<int, bool>> changes;
  std::vector<int> target(now_.size(), stay);
  for (std::size_t k = 0; k < now_.size(); ++k) {
    const SwitchState& found = sliding().as_found()[k];
    if (sticks(found))
      target[k] = 0;
    else if (sticks(now_[k]))
      target[k] = found.side != 0 ? found.side : 1;
    if (sticks(found) != sticks(now_[k])) changes.emplace_back(switches_[k].places.front(), sticks(found));
    next_[k] = {found.grip};
  }
  sliding().move(t, q, target, v);
  sliding().take(next_);
  return changes;
}

bool Slides::put_back(double t, std::span<double> q, std::span<double> v) {
  std::vector<int> target(now_.size(), stay);
  for (std::size_t k = 0; k < now_.size(); ++k)
    if (sticks(now_[k])) target[k] = 0;
  return sliding().move(t, q, target, v);
}

void Slides::take_values(const std::vector<double>& at_new, std::vector<double>& values) const {
  for (std::size_t k = 0; k < now_.size(); ++k)
    for (const int place : switches_[k].places) {
      if (sticks(now_[k]) || sticks(next_[k])) values[place] = at_new[place];
      if (sticks(next_[k]) && !(values[place] > 0)) values[place] = just_inside;
    }
}

void Slides::use(bool behind) {
  if (changed_) sliding().take(behind ? next_ : now_);
}

void Slides::accept() {
  if (changed_) {
    now_ = next_;
    sliding().take(now_);
  }
  changed_ = false;
}

}  // namespace vinculum
