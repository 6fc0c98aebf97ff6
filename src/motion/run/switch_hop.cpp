// From just before a switch to right behind it.
#include <algorithm>
#include <cmath>

#include "motion/run/switch_finder.hpp"

namespace vinculum {
namespace {

/// Beyond its end the polynomial of a step is read for this part of it; its cubic goes farther.
constexpr double most_of_curve = 0.1;

}  // namespace

/// The step once more, to just before the switch, so that all its stages are on the old side; then a hop of a
/// few roundings of time to the new one.
bool SwitchFinder::end_step_behind(const Crossing& crossing) {
  falls_short_ = false;
  jump_.clear();
  const double t = last_before(crossing) - course_.direction * crossing.least;
  const bool steps = course_.direction * (t - step_.t) > 0;
  hop_f_.resize(step_.f_new.size());
  if (!steps) {  // it stands at the very start: nothing but the hop
    between_ = step_.y;
    hop_f_ = step_.f;
  } else if (!step_to_front(t, hop_f_)) {
    falls_short_ = course_.stepper->adaptive();
    return false;
  }
  return hop_from({steps ? t : step_.t, steps, NAN, step_.t_new}, crossing);
}

/// From the state in `between_`, along its rates in `hop_f_`, to the other side of the switch: the step at
/// hand ends there.
bool SwitchFinder::hop_from(const Front& front, const Crossing& crossing) {
  std::vector<double>& f = hop_f_;
  double t = front.t;
  front_y_ = between_;
  slope_ = f;
  course_.switches_at(t, between_.data(), at_front_);
  // The curve of the step, for samples and events in it, is that of its own side: of the step to the front.
  const bool near = !(forecast_.theta(front.zero) > 1 + most_of_curve);
  step_.interpolated = near && front.steps && course_.active->interpolate(slope_.data(), step_.polynomial);
  // A zero of the switch that no step comes near: they fail before it.
  const double there = std::fabs(beyond(crossing, t));
  double zero = NAN;
  if (!hop_behind(front, crossing, f, t, zero)) {
    between_ = front_y_;
    return !jump_.empty() && front.steps && take_between(front.t);
  }
  const double size = std::max(std::fabs(step_.switches[crossing.what.index]),
                               std::fabs(step_.switches_new[crossing.what.index]));
  falls_short_ = course_.stepper->adaptive() && !(beyond(crossing, t) > 0) && there > 1e-6 * size;
  if (falls_short_) return false;
  // Forces are those behind the switch, whatever rounding says of the end of a step that ends on it.
  const double passed = t;
  passed_ = between_;
  if (course_.direction * (front.latest - t) <= 0) {
    if (!front.steps || !hop_to_end(front, f)) return false;
    t = front.latest;
  }
  behind_ = between_;
  if (!flow_.at_accepted(passed, passed_.data(), f.data())) return false;
  step_.t_new = t;
  step_.y_new = behind_;
  step_.f_new = f;
  step_.h = step_.t_new - step_.t;
  take_back_to(zero, crossing, slope_, passed);
  if (step_.interpolated) return true;
  cubic_of(step_.t, step_.h, step_.y, step_.f.data(), step_.y_new.data(), slope_.data(), step_.polynomial);
  step_.interpolated = true;
  return true;
}

/// The latest time, as near as can be told, that a step reaches with the switch on its old side.
double SwitchFinder::last_before(const Crossing& crossing) {
  // Some methods do not tell that their stages stood on both sides; near rest, where velocities are less than
  // a loose tolerance, none does. What holds the motion does so smoothly beyond the switch: no stage matters.
  const int k = crossing.what.index;
  const Guard guard = modes_.guard(k);
  const bool tells = guard.holds_smoothly || (course_.stepper->feels_switches() && !guard.may_hold);
  Bracket zero{step_.t, step_.t_new, -std::fabs(step_.switches[k]), std::fabs(step_.switches_new[k])};
  for (int pass = 0; pass < 200 && std::fabs(zero.to - zero.from) > crossing.least; ++pass) {
    double t = zero.at_to > 0 ? zero.guess(pass, 4) : zero.middle();
    // Not nearer to either end than can be told apart. (Rounding may lay the two limits the wrong way round
    // when hardly more than that lies between the ends: std::clamp does not allow it.)
    const double margin = 0.5 * crossing.least;
    const double nearest = course_.direction * zero.from + margin,
                 farthest = course_.direction * zero.to - margin;
    t = course_.direction * std::max(nearest, std::min(course_.direction * t, farthest));
    if (!tells) flow_.watch_switches(step_.switches);
    const bool reached = landing_.step_to(t, between_) && (tells || !flow_.met_switch());
    const double g = reached ? beyond(crossing, t) : INFINITY;  // a step that fails has run into the switch
    if (g >= 0)  // on the switch itself the equations are of neither side
      zero.move_to(t, std::isfinite(g) ? g : 0.0);
    else
      zero.move_from(t, g);
  }
  return zero.from;
}

/// A step to just before the switch, and f there.
bool SwitchFinder::step_to_front(double front, std::vector<double>& f) {
  return landing_.step_to(front, between_) && flow_(front, between_.data(), f.data());
}

/// On to where the curve of the step meets the switch, and on along f, by hops that grow, until it is behind;
/// where it was passed.
bool SwitchFinder::hop_behind(const Front& front, const Crossing& crossing, const std::vector<double>& f,
                              double& t, double& zero) {
  if (std::isfinite(front.zero)) {
    t = front.zero + course_.direction * crossing.least;
    if (front.steps)
      forecast_.at(t, between_.data());
    else
      for (std::size_t i = 0; i < f.size(); ++i) between_[i] += (t - front.t) * f[i];
    if (!land(t, t - front.t)) return false;
    zero = front.zero;
    if (front.steps) forecast_.slope_at(zero, slope_.data());
    if (beyond(crossing, t) > 0) return true;
  }
  double before = beyond(crossing, t);
  // Where the curve leads to the switch it leads as far behind it: rounding may hide its very zero.
  const double farthest = std::max(1e6 * crossing.least, std::isfinite(zero) ? std::fabs(zero - front.t) : 0);
  for (double hop = crossing.least; hop <= farthest; hop *= 2) {
    const double from = t;
    t += course_.direction * hop;
    for (std::size_t i = 0; i < f.size(); ++i) between_[i] += (t - from) * f[i];
    if (!land(t, t - front.t)) return false;
    const double behind = beyond(crossing, t);
    if (behind > 0) {
      // One that stood behind from the start, by rounding, has no zero in this hop.
      const double part = before < 0 ? before / (before - behind) : 0.0;
      zero = from + (t - from) * part;
      back_to_zero(crossing, zero + course_.direction * crossing.least, f, t);
      break;
    }
    before = behind;
  }
  return true;
}

/// The end of the step stands a few roundings behind the switch, and came there along f of the other side:
/// always late, and a thousand switches would add that up. The new forces act from the zero on, unless they
/// lead back to it.
void SwitchFinder::take_back_to(double zero, const Crossing& crossing, const std::vector<double>& slope,
                                double passed) {
  if (!(course_.direction * (step_.t_new - zero) > 0)) return;
  for (std::size_t i = 0; i < slope.size(); ++i)
    between_[i] = step_.y_new[i] + (step_.t_new - zero) * (step_.f_new[i] - slope[i]);
  const bool good = !course_.projects() || landing_.project(step_.t_new, between_.data());
  if (good && beyond(crossing, step_.t_new) > 0 &&
      flow_.at_accepted(step_.t_new, between_.data(), step_.f_new.data()))
    step_.y_new = between_;
  else  // an end that is right on the switch has no forces of its own
    flow_.at_accepted(passed, passed_.data(), step_.f_new.data());
}

/// Onto the constraints after a hop. A hop is a few roundings of time: what moves the motion there by more
/// than its tolerance is a jump of the constraints themselves.
bool SwitchFinder::land(double t, double hopped_for) {
  if (!course_.projects()) return true;
  if (system_.row_names().empty()) return landing_.project(t, between_.data());
  const std::vector<double>& before = before_landing_ = between_;
  const bool done = landing_.project(t, between_.data());
  if (done && landing_.changed(before.data(), between_.data()) <= 10 * options_.tolerance) return true;
  if ((done || landing_.jumps()) && is_made_by_forces(before, t, hopped_for)) return true;
  if (!done && !landing_.jumps()) return false;
  const int row = landing_.most_missed(course_.state_of(t, before.data()));
  jump_ = system_.constraints()[system_.constraint_of_row(row)].name;
  return false;
}

/// From rest even that is more than there was: a programme that begins to move there asks for no jump where
/// its own rates make what is between the two in so little time.
bool SwitchFinder::is_made_by_forces(const std::vector<double>& before, double t, double time) {
  std::vector<double>& f = later_f_;
  if (!flow_(t, between_.data(), f.data())) return false;
  for (int i = 0; i < flow_.controlled(); ++i)
    if (!(std::fabs(between_[i] - before[i]) <= 2 * std::fabs(time * f[i])) &&
        !(landing_.changed(before.data(), between_.data(), i, i + 1) <= 10 * options_.tolerance))
      return false;
  return true;
}

/// Hops are lines: the last one is cut where it passes zero.
void SwitchFinder::back_to_zero(const Crossing& crossing, double zero, const std::vector<double>& f,
                                double& t) {
  if (!(course_.direction * (t - zero) > 0)) return;
  far_ = between_;
  for (std::size_t i = 0; i < f.size(); ++i) between_[i] -= (t - zero) * f[i];
  const bool good = !course_.projects() || landing_.project(zero, between_.data());
  if (good && beyond(crossing, zero) > 0)
    t = zero;
  else
    between_ = far_;
}

/// The switch is at the very end of the step: its stages stay before it, and what follows begins behind.
bool SwitchFinder::hop_to_end(const Front& front, const std::vector<double>& f) {
  between_ = front_y_;
  for (std::size_t i = 0; i < f.size(); ++i) between_[i] += (front.latest - front.t) * f[i];
  return !course_.projects() || landing_.project(front.latest, between_.data());
}

}  // namespace vinculum
