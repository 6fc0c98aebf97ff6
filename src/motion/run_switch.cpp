// Corners and jumps of the equations: a step ends there, and the next begins on the other side.
#include <algorithm>
#include <cmath>
#include <limits>

#include "motion/run.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr int most_to_and_fro = 40;

}  // namespace

/// Where the equations have a corner or a jump inside the step, the step ends just behind it and the next one
/// begins on the other side. What error control would only squeeze through is met exactly.
void Run::cut_at_switch() {
  if (switch_values_.empty()) return;
  int last = -1;  // the switch the step was cut at
  switches_at(t_new_, y_new_.data(), switch_new_);
  for (std::size_t rounds = 0; rounds <= switch_new_.size(); ++rounds) {
    int crossed = -1;  // another one: after each cut only those before it are left
    for (int k = 0; k < static_cast<int>(switch_new_.size()) && crossed < 0; ++k)
      if (k != last && crosses(switch_values_[k], switch_new_[k], Model::Direction::both)) crossed = k;
    if (crossed < 0) break;
    const double side = switch_new_[crossed] < 0 ? -1e-300 : 1e-300;
    const bool cut = end_step_behind({true, crossed}, side > 0);
    if (cut) switches_at(t_new_, y_new_.data(), switch_new_);
    // From here on the switch stands on its new side, whatever rounding says of its zero. One that can hold
    // the motion is met by another step where this one could not come near enough.
    if (!(switch_new_[crossed] * side > 0) && !(cut && slides_.watches(crossed))) switch_new_[crossed] = side;
    last = crossed;
    stepper_->restart();
    if (!cut) break;
  }
  // Pushed to a switch from both sides the motion would stay on it; steps only go to and fro.
  const double little = 1e-8 * std::fabs(options_.until - t_start_);
  const bool at_switch = last >= 0 || flow_.met_switch();
  to_and_fro_ = std::fabs(h_) >= little ? 0 : to_and_fro_ + (at_switch ? 1 : 0);
  if (to_and_fro_ <= most_to_and_fro) return;
  const int nearest = nearest_switch(), contact = nearest - static_cast<int>(switches(system_).size());
  const std::string what =
      "at t = " + number_text(t_, 10) + " the forces push to and fro across " + switch_name(nearest);
  if (contact < 0) {
    finish(Stop::step_too_small, what + ": the motion would stay there (state that as a constraint)",
           {switch_name(nearest)});
    return;
  }
  std::vector<std::string> names;
  for (const int c : system_.contacts()[contact].constraints) names.push_back(system_.constraints()[c].name);
  finish(Stop::step_too_small, what + ", and steps cannot tell whether it sticks", names);
}

int Run::nearest_switch() const {
  int nearest = 0;
  for (int k = 1; k < static_cast<int>(switch_new_.size()); ++k)
    if (std::fabs(switch_new_[k]) < std::fabs(switch_new_[nearest])) nearest = k;
  return nearest;
}

/// A stage stood on the other side of a switch, but the end of the step does not: it may have been to and
/// fro.
bool Run::hides_a_switch() {
  if (!flow_.met_switch() || (!stepper_->adaptive() && !contacts_.any() && !slides_.any())) return false;
  switches_at(t_new_, y_new_.data(), switch_new_);
  for (std::size_t k = 0; k < switch_new_.size(); ++k)
    if (crosses(switch_values_[k], switch_new_[k], Model::Direction::both)) return false;
  // What may hold the motion is met as near as time resolves, and so is all that fixed steps meet: no error
  // control watches over these.
  const bool coarse = stepper_->adaptive() && !slides_.any() && !contacts_.any();
  const double least = coarse ? 1e-10 * std::fabs(options_.until - t_start_)
                              : 512 * eps * std::max(std::fabs(t_), std::fabs(t_new_));
  return std::fabs(h_) > least;
}

/// A step of the method from the start of the step at hand to t, into `between_`.
bool Run::step_to(double t) {
  use_contacts_of(t);
  const Attempt made = active_->attempt(t_, y_.data(), f_.data(), t - t_, between_.data());
  return made.evaluated && made.error <= 1 &&
         (options_.keep != Keep::projection || project(t, between_.data()));
}

/// The step once more, to just before the switch, so that all its stages are on the old side; then a hop of a
/// few roundings of time to the new one.
bool Run::end_step_behind(const Watched& what, bool rising) {
  const auto value = [&](double at) {
    const double g = event_value(what, at, between_.data());
    return rising ? g : -g;  // negative before, positive behind
  };
  // Stages at the very end of the step stand at t up to rounding: a margin keeps them on their side.
  const double least = 16 * eps * std::max(std::fabs(t_), std::fabs(t_new_));
  // A fixed step has no error to tell that its stages stood on both sides, and extrapolation, which halves
  // its steps until the error is small, may take one that does.
  const bool tells = stepper_->adaptive() && options_.integrator != "extrapolation";
  double a = t_, b = t_new_;
  double ga = -std::fabs(switch_values_[what.index]), gb = std::fabs(switch_new_[what.index]);
  for (int pass = 0; pass < 200 && std::fabs(b - a) > least; ++pass) {
    double t = pass % 4 == 3 || !(gb > 0) ? 0.5 * (a + b) : (a * gb - b * ga) / (gb - ga);
    // Not nearer to either end than can be told apart. (Rounding may lay the two limits the wrong way round
    // when hardly more than that lies between the ends: std::clamp does not allow it.)
    const double nearest = direction_ * a + 0.5 * least, farthest = direction_ * b - 0.5 * least;
    t = direction_ * std::max(nearest, std::min(direction_ * t, farthest));
    if (!tells) flow_.watch_switches(switch_values_);
    const bool reached = step_to(t) && (tells || !flow_.met_switch());
    const double g = reached ? value(t) : INFINITY;  // a step that fails has run into the switch
    if (g > 0) {
      b = t;
      gb = std::isfinite(g) ? g : 0.0;
      ga *= 0.5;
    } else {
      a = t;
      ga = g;
      gb *= 0.5;
    }
  }
  const double front = a - direction_ * least;
  std::vector<double> f(f_new_.size());
  if (direction_ * (front - t_) > 0) {
    if (!step_to(front) || !flow_(front, between_.data(), f.data())) return false;
  } else {  // it stands at the very start: nothing but the hop
    between_ = y_;
    f = f_;
  }
  double t = direction_ * (front - t_) > 0 ? front : t_;
  // Hops are lines: the last one is cut where it passes zero.
  const auto back_to_zero = [&](double before, double behind, double from, double& at) {
    const double zero = from + (at - from) * before / (before - behind) + direction_ * least;
    if (!(direction_ * (at - zero) > 0)) return;
    const std::vector<double> far = between_;
    for (std::size_t i = 0; i < f.size(); ++i) between_[i] -= (at - zero) * f[i];
    const bool good = options_.keep != Keep::projection || project(zero, between_.data());
    if (good && value(zero) > 0)
      at = zero;
    else
      between_ = far;
  };
  double before = value(t);
  for (double hop = least; hop <= 1e6 * least; hop *= 2) {
    const double from = t;
    t += direction_ * hop;
    for (std::size_t i = 0; i < f.size(); ++i) between_[i] += (t - from) * f[i];
    if (options_.keep == Keep::projection && !project(t, between_.data())) return false;
    const double behind = value(t);
    if (behind > 0) {
      back_to_zero(before, behind, from, t);
      break;
    }
    before = behind;
  }
  if (direction_ * (t_new_ - t) <= 0) {
    // The switch is at the very end of the step: its stages stay before it, and what follows begins behind.
    if (direction_ * (front - t_) <= 0 || !step_to(front) || !flow_(front, between_.data(), f.data()))
      return false;
    for (std::size_t i = 0; i < f.size(); ++i) between_[i] += (t_new_ - front) * f[i];
    if (options_.keep == Keep::projection && !project(t_new_, between_.data())) return false;
    t = t_new_;
  }
  if (!flow_.at_accepted(t, between_.data(), f.data())) return false;
  // The polynomial of the step, for samples and events in it, is that of the step to the front.
  if (direction_ * (front - t_) > 0) {
    const std::vector<double> behind = between_;
    if (!step_to(front)) return false;
    between_ = behind;
  }
  t_new_ = t;
  y_new_ = between_;
  f_new_ = f;
  h_ = t_new_ - t_;
  interpolated_ = false;
  return true;
}

}  // namespace vinculum
