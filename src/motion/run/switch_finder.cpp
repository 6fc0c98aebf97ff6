#include "motion/run/switch_finder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr int most_to_and_fro = 40;

/// Whether a value that goes from `from` to `to` passes zero; a zero at the beginning does not count.
bool crosses(double from, double to) { return (from < 0 && to >= 0) || (from > 0 && to <= 0); }

}  // namespace

void SwitchFinder::cut_at_switch() {
  if (step_.switches.empty()) return;
  int last = -1;  // the switch the step was cut at
  passed_along_.assign(step_.switches.size(), 0);
  course_.switches_at(step_.t_new, step_.y_new.data(), step_.switches_new);
  end_before_return();
  for (std::size_t rounds = 0; rounds <= step_.switches_new.size(); ++rounds) {
    const int crossed = next_crossed();  // another one: after each cut only those before it are left
    if (crossed < 0) break;
    const double side = step_.switches[crossed] > 0 ? -1e-300 : 1e-300;  // the end may be right on it
    // Stages at the very end of the step stand at t up to rounding: a margin keeps them on their side.
    const double least = time_resolution(std::max(std::fabs(step_.t), std::fabs(step_.t_new)));
    const bool cut = end_step_behind({{Watch::switches, crossed}, side > 0, least});
    if (!cut && falls_short_ && shorten_step(step_.t_new)) continue;  // what is crossed now, if anything?
    if (!cut && !jump_.empty()) {
      stop_at_jump();
      return;
    }
    if (cut) {
      course_.switches_at(step_.t_new, step_.y_new.data(), step_.switches_new);
      pass_along();
    }
    // From here on the switch stands on its new side, whatever rounding says of its zero. One that can hold
    // the motion is met by another step where this one could not come near enough.
    if (!(step_.switches_new[crossed] * side > 0) && !(cut && modes_.guard(crossed).met_again))
      step_.switches_new[crossed] = side;
    last = crossed;
    passed_along_[crossed] = 1;
    course_.stepper->restart();
    if (!cut) break;
  }
  // What rested until here has no size yet, and forces may begin from nothing: they are looked at a little
  // later.
  const double left = options_.until - step_.t_new;
  for (const double part : {1e-8, 1e-6, 1e-4, 1e-2})
    if (last >= 0 && flow_(step_.t_new + part * left, step_.y_new.data(), later_f_.data()))
      sizes_.expect(later_f_.data());
  // Pushed to a switch from both sides the motion would stay on it; steps only go to and fro.
  const double little = 1e-8 * course_.span();
  const bool at_switch = last >= 0 || flow_.met_switch();
  to_and_fro_ = std::fabs(step_.h) >= little ? 0 : to_and_fro_ + (at_switch ? 1 : 0);
  if (to_and_fro_ <= most_to_and_fro) return;
  const int nearest = nearest_switch();
  const std::string what = "at t = " + number_text(step_.t, 10) + " the forces push to and fro across " +
                           modes_.guard_text(nearest);
  const bool expression = nearest < static_cast<int>(switches(system_).size());
  course_.finish(Stop::step_too_small,
                 what + (expression ? ": the motion would stay there (state that as a constraint)"
                                    : ", and steps cannot tell whether it sticks"),
                 modes_.guard_names(nearest));
}

/// One that is passed within the step, and is not met where the step was cut.
int SwitchFinder::next_crossed() const {
  for (int k = 0; k < static_cast<int>(step_.switches_new.size()); ++k)
    if (!passed_along_[k] && crosses(step_.switches[k], step_.switches_new[k])) return k;
  return -1;
}

/// Several switches may be passed at one instant: those that stood on their old side just before the cut have
/// been passed with the one it was made at. Looked for one by one they would be cut at for ever, in turn.
void SwitchFinder::pass_along() {
  for (std::size_t k = 0; k < at_front_.size(); ++k) {
    const double from = step_.switches[k], to = step_.switches_new[k];
    if (!crosses(from, to) || crosses(from, at_front_[k])) continue;
    passed_along_[k] = 1;
    if (to == 0) step_.switches_new[k] = from > 0 ? -1e-300 : 1e-300;  // on its new side from here on
  }
}

/// A switch may be passed and passed back within the step. Where one is, the step is taken to end right
/// behind the first passage, unless a step of the method does not find it there.
void SwitchFinder::end_before_return() {
  side_.resize(step_.switches.size());
  for (std::size_t k = 0; k < side_.size(); ++k) side_[k] = (step_.switches[k] > 0) - (step_.switches[k] < 0);
  if (watch_.stays_clear(Watch::switches, side_)) return;
  watch_.lay_curve();
  watch_.sample(Watch::switches);
  passages_.clear();
  for (int k = 0; k < static_cast<int>(side_.size()); ++k) {
    // What is solved for has corners: points along the step must do.
    const std::vector<Zero>& zeros = modes_.guard(k).has_corners
                                         ? watch_.zeros_between_points_of(k)
                                         : watch_.zeros_of({Watch::switches, k}, side_[k]);
    const auto passes = [](const Zero& zero) { return !zero.touches; };
    if (std::count_if(zeros.begin(), zeros.end(), passes) < 2) continue;  // one alone shows at the end
    const Zero& first = *std::find_if(zeros.begin(), zeros.end(), passes);
    passages_.push_back({first.to, {{Watch::switches, k}, first.rising(), 0.0}});
  }
  std::sort(passages_.begin(), passages_.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [theta, crossing] : passages_) {
    const double t = watch_.curve().time(theta);
    if (landing_.step_to(t, between_)) {
      if (!(beyond(crossing, t) > 0) || !take_between(t)) continue;
      return;
    }
    if (shorten_step(t)) return;
  }
}

int SwitchFinder::nearest_switch() const {
  int nearest = 0;
  for (int k = 1; k < static_cast<int>(step_.switches_new.size()); ++k)
    if (std::fabs(step_.switches_new[k]) < std::fabs(step_.switches_new[nearest])) nearest = k;
  return nearest;
}

bool SwitchFinder::hides_a_switch() {
  if (!flow_.met_switch()) return false;
  course_.switches_at(step_.t_new, step_.y_new.data(), step_.switches_new);
  for (std::size_t k = 0; k < step_.switches_new.size(); ++k)
    if (crosses(step_.switches[k], step_.switches_new[k])) return false;
  // What may hold the motion is met as near as time resolves, and so is all that fixed steps meet: no error
  // control watches over these.
  const bool coarse = course_.stepper->adaptive() && !modes_.any();
  const double least =
      coarse ? 1e-10 * course_.span() : 512 * eps * std::max(std::fabs(step_.t), std::fabs(step_.t_new));
  return std::fabs(step_.h) > least;
}

/// The state in `between_` becomes the end of the step.
bool SwitchFinder::take_between(double t) {
  if (!flow_.at_accepted(t, between_.data(), step_.f_new.data())) return false;
  step_.t_new = t;
  step_.y_new = between_;
  step_.h = step_.t_new - step_.t;
  step_.interpolated = false;  // the polynomial was that of a longer step
  course_.switches_at(step_.t_new, step_.y_new.data(), step_.switches_new);
  return true;
}

/// A step whose stages happened to see nothing of what lies between them is none: steps to a switch inside it
/// fail. One that is good is taken in its place, and the next is no longer than what was not seen.
bool SwitchFinder::shorten_step(double t) {
  for (double part = 0.5; part > 1e-9; part /= 2) {
    const double end = step_.t + part * (t - step_.t);
    if (!landing_.step_to(end, between_) || !take_between(end)) continue;
    step_.h_next = std::min(std::fabs(step_.h_next), part * std::fabs(t - step_.t));
    course_.stepper->restart();
    return true;
  }
  return false;
}

/// The value in `between_`, negative before the switch and positive behind it.
double SwitchFinder::beyond(const Crossing& crossing, double t) {
  const double g = watch_.value_at(crossing.what, t, between_.data());
  return crossing.rising ? g : -g;
}

/// The step once more, to just before the switch, so that all its stages are on the old side; then a hop of a
/// few roundings of time to the new one.
bool SwitchFinder::end_step_behind(const Crossing& crossing) {
  falls_short_ = false;
  jump_.clear();
  const double front = last_before(crossing) - course_.direction * crossing.least;
  const bool steps = course_.direction * (front - step_.t) > 0;
  std::vector<double>& f = hop_f_;
  f.resize(step_.f_new.size());
  if (steps) {
    if (!step_to_front(front, f)) {
      falls_short_ = course_.stepper->adaptive();
      return false;
    }
  } else {  // it stands at the very start: nothing but the hop
    between_ = step_.y;
    f = step_.f;
  }
  double t = steps ? front : step_.t;
  course_.switches_at(t, between_.data(), at_front_);
  // A zero of the switch that no step comes near: they fail before it.
  const double there = std::fabs(beyond(crossing, t));
  double zero = NAN;
  if (!hop_behind(crossing, f, t, zero))
    return !jump_.empty() && steps && landing_.step_to(front, between_) && take_between(front);
  const double size = std::max(std::fabs(step_.switches[crossing.what.index]),
                               std::fabs(step_.switches_new[crossing.what.index]));
  falls_short_ = course_.stepper->adaptive() && !(beyond(crossing, t) > 0) && there > 1e-6 * size;
  if (falls_short_) return false;
  // Forces are those behind the switch, whatever rounding says of the end of a step that ends on it.
  const double passed = t;
  passed_ = between_;
  if (course_.direction * (step_.t_new - t) <= 0) {
    if (!steps || !hop_to_end(front, f)) return false;
    t = step_.t_new;
  }
  // The curve of the step, for samples and events in it, is that of its own side: of the step to the front.
  behind_ = between_;
  const std::vector<double>& slope = slope_ = f;
  if (steps && !landing_.step_to(front, between_)) return false;
  step_.interpolated = steps && course_.active->interpolate(slope.data(), step_.polynomial);
  if (!flow_.at_accepted(passed, passed_.data(), f.data())) return false;
  step_.t_new = t;
  step_.y_new = behind_;
  step_.f_new = f;
  step_.h = step_.t_new - step_.t;
  take_back_to(zero, crossing, slope, passed);
  if (step_.interpolated) return true;
  cubic_of(step_.t, step_.h, step_.y, step_.f.data(), step_.y_new.data(), slope.data(), step_.polynomial);
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

/// From t on along f, by hops that grow, until the switch is behind; where it was passed.
bool SwitchFinder::hop_behind(const Crossing& crossing, const std::vector<double>& f, double& t,
                              double& zero) {
  double before = beyond(crossing, t);
  const double front = t;
  for (double hop = crossing.least; hop <= 1e6 * crossing.least; hop *= 2) {
    const double from = t;
    t += course_.direction * hop;
    for (std::size_t i = 0; i < f.size(); ++i) between_[i] += (t - from) * f[i];
    if (!land(t, t - front)) return false;
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

void SwitchFinder::stop_at_jump() {
  course_.finish(Stop::step_too_small,
                 "at t = " + number_text(step_.t, 10) + " constraint '" + jump_ +
                     "' asks for a jump of positions or velocities",
                 {jump_});
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
bool SwitchFinder::hop_to_end(double front, std::vector<double>& f) {
  if (!step_to_front(front, f)) return false;
  for (std::size_t i = 0; i < f.size(); ++i) between_[i] += (step_.t_new - front) * f[i];
  return !course_.projects() || landing_.project(step_.t_new, between_.data());
}

}  // namespace vinculum
