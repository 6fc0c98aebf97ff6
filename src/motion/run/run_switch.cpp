// Corners and jumps of the equations: a step ends there, and the next begins on the other side.
#include <algorithm>
#include <cmath>
#include <limits>

#include "motion/run/run.hpp"
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
  end_before_return();
  for (std::size_t rounds = 0; rounds <= switch_new_.size(); ++rounds) {
    int crossed = -1;  // another one: after each cut only those before it are left
    for (int k = 0; k < static_cast<int>(switch_new_.size()) && crossed < 0; ++k)
      if (k != last && crosses(switch_values_[k], switch_new_[k])) crossed = k;
    if (crossed < 0) break;
    const double side = switch_new_[crossed] < 0 ? -1e-300 : 1e-300;
    // Stages at the very end of the step stand at t up to rounding: a margin keeps them on their side.
    const double least = time_resolution(std::max(std::fabs(t_), std::fabs(t_new_)));
    const bool cut = end_step_behind({{Watch::switches, crossed}, side > 0, least});
    if (!cut && falls_short_ && shorten_step(t_new_)) continue;  // what is crossed now, if anything?
    if (!cut && !jump_.empty()) {
      stop_at_jump();
      return;
    }
    if (cut) switches_at(t_new_, y_new_.data(), switch_new_);
    // From here on the switch stands on its new side, whatever rounding says of its zero. One that can hold
    // the motion is met by another step where this one could not come near enough.
    if (!(switch_new_[crossed] * side > 0) && !(cut && modes_.guard(crossed).met_again))
      switch_new_[crossed] = side;
    last = crossed;
    stepper_->restart();
    if (!cut) break;
  }
  // What rested until here has no size yet, and forces may begin from nothing: they are looked at a little
  // later.
  const double left = options_.until - t_new_;
  for (const double part : {1e-8, 1e-6, 1e-4, 1e-2})
    if (last >= 0 && flow_(t_new_ + part * left, y_new_.data(), noisy_f_.data()))
      sizes_.expect(noisy_f_.data());
  // Pushed to a switch from both sides the motion would stay on it; steps only go to and fro.
  const double little = 1e-8 * std::fabs(options_.until - t_start_);
  const bool at_switch = last >= 0 || flow_.met_switch();
  to_and_fro_ = std::fabs(h_) >= little ? 0 : to_and_fro_ + (at_switch ? 1 : 0);
  if (to_and_fro_ <= most_to_and_fro) return;
  const int nearest = nearest_switch();
  const std::string what =
      "at t = " + number_text(t_, 10) + " the forces push to and fro across " + modes_.guard_text(nearest);
  const bool expression = nearest < static_cast<int>(switches(system_).size());
  finish(Stop::step_too_small,
         what + (expression ? ": the motion would stay there (state that as a constraint)"
                            : ", and steps cannot tell whether it sticks"),
         modes_.guard_names(nearest));
}

/// A switch may be passed and passed back within the step. Where one is, the step is taken to end right
/// behind the first passage, unless a step of the method does not find it there.
void Run::end_before_return() {
  switch_side_.resize(switch_values_.size());
  for (std::size_t k = 0; k < switch_side_.size(); ++k)
    switch_side_[k] = (switch_values_[k] > 0) - (switch_values_[k] < 0);
  if (stays_clear(Watch::switches, switch_side_)) return;
  lay_curve();
  sample(Watch::switches);
  std::vector<std::pair<double, Crossing>> passages;
  for (int k = 0; k < static_cast<int>(switch_side_.size()); ++k) {
    // What is solved for has corners: points along the step must do.
    std::vector<Zero> zeros = modes_.guard(k).has_corners ? zeros_between_points(pieces_[k])
                                                          : zeros_of({Watch::switches, k}, switch_side_[k]);
    std::erase_if(zeros, [](const Zero& zero) { return zero.touches; });
    if (zeros.size() < 2) continue;  // one alone shows at the end of the step
    passages.push_back({zeros.front().to, {{Watch::switches, k}, zeros.front().rising(), 0.0}});
  }
  std::sort(passages.begin(), passages.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [theta, crossing] : passages) {
    const double t = curve_.time(theta);
    if (step_to(t)) {
      if (!(beyond(crossing, t) > 0) || !take_between(t)) continue;
      return;
    }
    if (shorten_step(t)) return;
  }
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
  if (!flow_.met_switch()) return false;
  switches_at(t_new_, y_new_.data(), switch_new_);
  for (std::size_t k = 0; k < switch_new_.size(); ++k)
    if (crosses(switch_values_[k], switch_new_[k])) return false;
  // What may hold the motion is met as near as time resolves, and so is all that fixed steps meet: no error
  // control watches over these.
  const bool coarse = stepper_->adaptive() && !modes_.any();
  const double least = coarse ? 1e-10 * std::fabs(options_.until - t_start_)
                              : 512 * eps * std::max(std::fabs(t_), std::fabs(t_new_));
  return std::fabs(h_) > least;
}

/// A step of the method from the start of the step at hand to t, into `between_`.
bool Run::step_to(double t) {
  use_modes_of(t);
  const Attempt made = active_->attempt(t_, y_.data(), f_.data(), t - t_, between_.data());
  return made.evaluated && made.error <= 1 &&
         (options_.keep != Stabilisation::projection || project(t, between_.data()));
}

/// The state in `between_` becomes the end of the step.
bool Run::take_between(double t) {
  if (!flow_.at_accepted(t, between_.data(), f_new_.data())) return false;
  t_new_ = t;
  y_new_ = between_;
  h_ = t_new_ - t_;
  interpolated_ = false;  // the polynomial was that of a longer step
  switches_at(t_new_, y_new_.data(), switch_new_);
  return true;
}

/// A step whose stages happened to see nothing of what lies between them is none: steps to a switch inside it
/// fail. One that is good is taken in its place, and the next is no longer than what was not seen.
bool Run::shorten_step(double t) {
  for (double part = 0.5; part > 1e-9; part /= 2) {
    const double end = t_ + part * (t - t_);
    if (!step_to(end) || !take_between(end)) continue;
    h_next_ = std::min(std::fabs(h_next_), part * std::fabs(t - t_));
    stepper_->restart();
    return true;
  }
  return false;
}

/// The value in `between_`, negative before the switch and positive behind it.
double Run::beyond(const Crossing& crossing, double t) {
  const double g = event_value(crossing.what, t, between_.data());
  return crossing.rising ? g : -g;
}

/// The step once more, to just before the switch, so that all its stages are on the old side; then a hop of a
/// few roundings of time to the new one.
bool Run::end_step_behind(const Crossing& crossing) {
  falls_short_ = false;
  jump_.clear();
  const double front = last_before(crossing) - direction_ * crossing.least;
  const bool steps = direction_ * (front - t_) > 0;
  std::vector<double> f(f_new_.size());
  if (steps) {
    if (!step_to_front(front, f)) {
      falls_short_ = stepper_->adaptive();
      return false;
    }
  } else {  // it stands at the very start: nothing but the hop
    between_ = y_;
    f = f_;
  }
  double t = steps ? front : t_;
  // A zero of the switch that no step comes near: they fail before it.
  const double there = std::fabs(beyond(crossing, t));
  double zero = NAN;
  if (!hop_behind(crossing, f, t, zero))
    return !jump_.empty() && steps && step_to(front) && take_between(front);
  const double size =
      std::max(std::fabs(switch_values_[crossing.what.index]), std::fabs(switch_new_[crossing.what.index]));
  falls_short_ = stepper_->adaptive() && !(beyond(crossing, t) > 0) && there > 1e-6 * size;
  if (falls_short_) return false;
  // Forces are those behind the switch, whatever rounding says of the end of a step that ends on it.
  const double passed = t;
  const std::vector<double> passed_y = between_;
  if (direction_ * (t_new_ - t) <= 0) {
    if (!steps || !hop_to_end(front, f)) return false;
    t = t_new_;
  }
  // The curve of the step, for samples and events in it, is that of its own side: of the step to the front.
  const std::vector<double> behind = between_, slope = f;
  if (steps && !step_to(front)) return false;
  interpolated_ = steps && active_->interpolate(slope.data(), polynomial_);
  if (!flow_.at_accepted(passed, passed_y.data(), f.data())) return false;
  t_new_ = t;
  y_new_ = behind;
  f_new_ = f;
  h_ = t_new_ - t_;
  take_back_to(zero, crossing, slope);
  if (interpolated_) return true;
  cubic_of(t_, h_, y_, f_.data(), y_new_.data(), slope.data(), polynomial_);
  interpolated_ = true;
  return true;
}

/// The latest time, as near as can be told, that a step reaches with the switch on its old side.
double Run::last_before(const Crossing& crossing) {
  // Some methods do not tell that their stages stood on both sides; near rest, where velocities are less than
  // a loose tolerance, none does. What holds the motion does so smoothly beyond the switch: no stage matters.
  const int k = crossing.what.index;
  const Guard guard = modes_.guard(k);
  const bool tells = guard.holds_smoothly || (stepper_->feels_switches() && !guard.may_hold);
  Bracket zero{t_, t_new_, -std::fabs(switch_values_[k]), std::fabs(switch_new_[k])};
  for (int pass = 0; pass < 200 && std::fabs(zero.to - zero.from) > crossing.least; ++pass) {
    double t = zero.at_to > 0 ? zero.guess(pass, 4) : zero.middle();
    // Not nearer to either end than can be told apart. (Rounding may lay the two limits the wrong way round
    // when hardly more than that lies between the ends: std::clamp does not allow it.)
    const double margin = 0.5 * crossing.least;
    const double nearest = direction_ * zero.from + margin, farthest = direction_ * zero.to - margin;
    t = direction_ * std::max(nearest, std::min(direction_ * t, farthest));
    if (!tells) flow_.watch_switches(switch_values_);
    const bool reached = step_to(t) && (tells || !flow_.met_switch());
    const double g = reached ? beyond(crossing, t) : INFINITY;  // a step that fails has run into the switch
    if (g >= 0)  // on the switch itself the equations are of neither side
      zero.move_to(t, std::isfinite(g) ? g : 0.0);
    else
      zero.move_from(t, g);
  }
  return zero.from;
}

/// A step to just before the switch, and f there.
bool Run::step_to_front(double front, std::vector<double>& f) {
  return step_to(front) && flow_(front, between_.data(), f.data());
}

/// From t on along f, by hops that grow, until the switch is behind; where it was passed.
bool Run::hop_behind(const Crossing& crossing, const std::vector<double>& f, double& t, double& zero) {
  double before = beyond(crossing, t);
  const double front = t;
  for (double hop = crossing.least; hop <= 1e6 * crossing.least; hop *= 2) {
    const double from = t;
    t += direction_ * hop;
    for (std::size_t i = 0; i < f.size(); ++i) between_[i] += (t - from) * f[i];
    if (!land(t, t - front)) return false;
    const double behind = beyond(crossing, t);
    if (behind > 0) {
      // One that stood behind from the start, by rounding, has no zero in this hop.
      const double part = before < 0 ? before / (before - behind) : 0.0;
      zero = from + (t - from) * part;
      back_to_zero(crossing, zero + direction_ * crossing.least, f, t);
      break;
    }
    before = behind;
  }
  return true;
}

/// The end of the step stands a few roundings behind the switch, and came there along f of the other side:
/// always late, and a thousand switches would add that up. The new forces act from the zero on, unless they
/// lead back to it.
void Run::take_back_to(double zero, const Crossing& crossing, const std::vector<double>& slope) {
  if (!(direction_ * (t_new_ - zero) > 0)) return;
  for (std::size_t i = 0; i < slope.size(); ++i)
    between_[i] = y_new_[i] + (t_new_ - zero) * (f_new_[i] - slope[i]);
  const bool good = options_.keep != Stabilisation::projection || project(t_new_, between_.data());
  if (good && beyond(crossing, t_new_) > 0 && flow_.at_accepted(t_new_, between_.data(), f_new_.data()))
    y_new_ = between_;
  else
    flow_.at_accepted(t_new_, y_new_.data(), f_new_.data());
}

/// Onto the constraints after a hop. A hop is a few roundings of time: what moves the motion there by more
/// than its tolerance is a jump of the constraints themselves.
bool Run::land(double t, double hopped_for) {
  if (options_.keep != Stabilisation::projection) return true;
  if (system_.row_names().empty()) return project(t, between_.data());
  const State hopped = state_of(t, between_.data());
  const std::vector<double> before = between_;
  const bool done = project(t, between_.data());
  if (done && changed(before.data(), between_.data()) <= 10 * options_.tolerance) return true;
  if ((done || jumps_) && is_made_by_forces(before, t, hopped_for)) return true;
  if (!done && !jumps_) return false;
  jump_ = most_missed(hopped);
  return false;
}

/// From rest even that is more than there was: a programme that begins to move there asks for no jump where
/// its own rates make what is between the two in so little time.
bool Run::is_made_by_forces(const std::vector<double>& before, double t, double time) {
  std::vector<double> f(f_new_.size());
  if (!flow_(t, between_.data(), f.data())) return false;
  for (int i = 0; i < flow_.controlled(); ++i)
    if (!(std::fabs(between_[i] - before[i]) <= 2 * std::fabs(time * f[i])) &&
        !(changed(before.data(), between_.data(), i, i + 1) <= 10 * options_.tolerance))
      return false;
  return true;
}

/// The constraint that a state misses most, beside the sizes of its terms; "" where there is none.
std::string Run::most_missed(const State& at) {
  if (system_.row_names().empty()) return "";
  Residuals miss, size;
  residuals(system_, at, work_, miss);
  residual_sizes(system_, at, work_, size);
  double most = 0;
  int row = 0;
  for (std::size_t r = 0; r < miss.position.size(); ++r)
    for (const auto part : {&Residuals::position, &Residuals::velocity})
      if (const double missed = std::fabs((miss.*part)[r]); missed > most * (size.*part)[r]) {
        most = missed / (size.*part)[r];
        row = static_cast<int>(r);
      }
  return system_.constraints()[system_.constraint_of_row(row)].name;
}

void Run::stop_at_jump() {
  finish(Stop::step_too_small,
         "at t = " + number_text(t_, 10) + " constraint '" + jump_ +
             "' asks for a jump of positions or velocities",
         {jump_});
}

/// Hops are lines: the last one is cut where it passes zero.
void Run::back_to_zero(const Crossing& crossing, double zero, const std::vector<double>& f, double& t) {
  if (!(direction_ * (t - zero) > 0)) return;
  const std::vector<double> far = between_;
  for (std::size_t i = 0; i < f.size(); ++i) between_[i] -= (t - zero) * f[i];
  const bool good = options_.keep != Stabilisation::projection || project(zero, between_.data());
  if (good && beyond(crossing, zero) > 0)
    t = zero;
  else
    between_ = far;
}

/// The switch is at the very end of the step: its stages stay before it, and what follows begins behind.
bool Run::hop_to_end(double front, std::vector<double>& f) {
  if (!step_to_front(front, f)) return false;
  for (std::size_t i = 0; i < f.size(); ++i) between_[i] += (t_new_ - front) * f[i];
  return options_.keep != Stabilisation::projection || project(t_new_, between_.data());
}

}  // namespace vinculum
