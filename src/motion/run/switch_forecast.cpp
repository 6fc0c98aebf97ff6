#include "motion/run/switch_forecast.hpp"

#include <algorithm>
#include <cmath>

#include "motion/run/bracket.hpp"
#include "motion/run/curve.hpp"

namespace vinculum {
namespace {

/// Of the way that is looked at: nearer than this a zero on the curve tells no more than the curve does.
constexpr double least_part = 1e-13;
constexpr int most_looks = 60;
/// Where the slope of what is watched is taken, before its zero.
constexpr double part_for_slope = 0.01;

}  // namespace

/// Where a switch is met first, memory is at hand.
SwitchForecast::SwitchForecast(Course& course) : course_(course) {
  if (!course.watches_switches()) return;
  state_.resize(course.flow.size());
  curve_.node.reserve(3);
  curve_.coefficient.reserve(4 * state_.size());
  const std::size_t count = switches(course.system).size() + course.modes.count();
  for (std::vector<double>* values : {&from_, &here_, &later_}) values->reserve(count);
}

std::optional<Meeting> SwitchForecast::inside(double t, const double* y, const double* f) {
  const Step& step = course_.step;
  cubic_of(step.t, t - step.t, step.y, step.f.data(), y, f, curve_);
  from_ = step.switches;
  return first(0.0, 1.0);
}

std::optional<Meeting> SwitchForecast::beyond_end(double latest) {
  const Step& step = course_.step;
  if (!(course_.direction * (latest - step.t_new) > 0)) return std::nullopt;
  cubic_of(step.t, step.t_new - step.t, step.y, step.f.data(), step.y_new.data(), step.f_new.data(), curve_);
  from_ = step.switches_new;
  return first(1.0, theta(latest));
}

double SwitchForecast::error(double t) const {
  const double beyond = std::max(theta(t) - 1, 0.0);
  const double part = beyond * beyond * (1 + beyond) * (1 + beyond);
  const double* const cube = curve_.coefficient.data() + 3 * static_cast<std::ptrdiff_t>(curve_.size);
  double most = 0;
  for (int i = 0; i < course_.flow.controlled(); ++i)
    most = std::max(
        most, part * std::fabs(cube[i]) / course_.tolerance.of(i, course_.step.y[i], course_.step.y_new[i]));
  return most;
}

void SwitchForecast::values_at(double theta, std::vector<double>& values) {
  curve_.at(theta, state_.data());
  course_.switches_at(time(theta), state_.data(), values);
}

double SwitchForecast::without_cube(int place, double theta) {
  curve_.at(theta, state_.data());
  const double* const cube = curve_.coefficient.data() + 3 * static_cast<std::ptrdiff_t>(curve_.size);
  for (int i = 0; i < curve_.size; ++i) state_[i] -= theta * theta * (theta - 1) * cube[i];
  course_.switches_at(time(theta), state_.data(), later_);
  return later_[place];
}

/// Each one that is passed before the first one found so far is the first one from there on.
std::optional<Meeting> SwitchForecast::first(double from, double to) {
  const double all = to - from;
  const auto next = [&](int last) {
    for (int k = 0; k < static_cast<int>(from_.size()); ++k)
      if (k != last && crosses(from_[k], here_[k])) return k;
    return -1;
  };
  int place = -1;
  values_at(to, here_);
  for (std::size_t rounds = 0; rounds <= from_.size(); ++rounds) {
    const int earlier = next(place);
    if (earlier < 0) break;
    place = earlier;
    to = zero_of(place, from, to);
    values_at(to, here_);
  }
  if (place < 0) return std::nullopt;
  Meeting found{place, time(to), 0.0};
  const double before = to - part_for_slope * (to - from);
  values_at(before, here_);
  const double off = std::fabs(without_cube(place, to));
  found.doubt = std::fabs(curve_.h) * std::min(all, (to - before) * off / std::fabs(here_[place]));
  return found;
}

/// On its far side, so that others that are passed at the same instant stand on theirs.
double SwitchForecast::zero_of(int place, double from, double to) {
  Bracket zero{from, to, from_[place], here_[place]};
  const double least = least_part * (to - from);
  for (int pass = 0; pass < most_looks && zero.to - zero.from > 2 * least; ++pass) {
    // Not on either end: where one is the zero itself, the other comes to it by the next look.
    const double theta = std::max(zero.from + least, std::min(zero.guess(pass, 4), zero.to - least));
    values_at(theta, later_);
    if (crosses(from_[place], later_[place]))
      zero.move_to(theta, later_[place]);
    else
      zero.move_from(theta, later_[place]);
  }
  return zero.to;
}

}  // namespace vinculum
