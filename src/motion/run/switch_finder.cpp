#include "motion/run/switch_finder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr int most_to_and_fro = 40;
/// Less of a run is no time at all.
constexpr double part_of_span = 0.08 * eps;
/// Steps towards a switch end at least this part of their length before it: stages scatter about their
/// states.
constexpr double part_left = 1e-3;
/// A step that came too near to a switch is made anew this often, and as much farther from it each time.
constexpr int most_retreats = 6;
constexpr double retreat = 8;
/// The way from the end of a step to a switch is read from its curve where it is at most this part of a step
/// as the motion asks for it, and off by at most that part of what a step may be off by.
constexpr double most_of_hop = 0.01, part_of_hop = 0.1;

}  // namespace

void SwitchFinder::cut_at_switch() {
  if (step_.switches.empty()) return;
  int last = -1;  // the switch the step was cut at
  passed_along_.assign(step_.switches.size(), 0);
  course_.switches_at(step_.t_new, step_.y_new.data(), step_.switches_new);
  end_before_return();
  for (std::size_t rounds = 0; rounds <= step_.switches_new.size(); ++rounds) {
    const int crossed = next_crossed();  // another one: after each cut only those before it are left
    if (crossed < 0 || end_before_switch()) break;
    expected_.reset();
    const Crossing crossing = crossing_of(crossed, step_.switches);
    const bool cut = end_step_behind(crossing);
    if (!cut && falls_short_ && shorten_step(step_.t_new)) continue;  // what is crossed now, if anything?
    if (!cut && !jump_.empty()) {
      stop_at_jump();
      return;
    }
    stand_behind(crossing, cut);
    last = crossed;
    if (!cut) break;
  }
  if (expected_) last = meet_expected();
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

/// From here on the switch stands on its new side, whatever rounding says of its zero. One that can hold the
/// motion is met by another step where this one could not come near enough.
void SwitchFinder::stand_behind(const Crossing& crossing, bool cut) {
  const int crossed = crossing.what.index;
  const double side = crossing.rising ? 1e-300 : -1e-300;  // the end may be right on it
  if (cut) {
    course_.switches_at(step_.t_new, step_.y_new.data(), step_.switches_new);
    pass_along();
  }
  if (!(step_.switches_new[crossed] * side > 0) && !(cut && modes_.guard(crossed).met_again))
    step_.switches_new[crossed] = side;
  passed_along_[crossed] = 1;
  course_.stepper->restart();
}

/// Stages at the very end of the step stand at t up to rounding: a margin keeps them on their side. Where
/// time is zero it has no rounding, and hops of no length would never get anywhere.
double SwitchFinder::least() const {
  const double t = std::max(std::fabs(step_.t), std::fabs(step_.t_new));
  return t > 0 ? time_resolution(t) : part_of_span * course_.span();
}

/// A run stops where steps are shorter: none to a switch is.
double SwitchFinder::shortest_step() const { return std::max(least(), part_of_span * course_.span()); }

SwitchFinder::Crossing SwitchFinder::crossing_of(int place, const std::vector<double>& before) const {
  return {{Watch::switches, place}, before[place] < 0, least()};
}

double SwitchFinder::front_of(const Meeting& meeting) const {
  const double way = std::fabs(meeting.t - step_.t);
  const double margin = meeting.closely ? least() : std::max({meeting.doubt, part_left * way, least()});
  return meeting.t - course_.direction * std::min(margin, 0.5 * way);
}

double SwitchFinder::before_expected(double h) const {
  if (!expected_) return h;
  const double way = front_of(*expected_) - step_.t;
  const bool ahead = course_.direction * way > shortest_step();
  return ahead && std::fabs(h) > std::fabs(way) ? way : h;
}

/// From where the curve of the step meets the switch the step is made anew to just before that. What jumps
/// there has bent the curve, all the less the nearer its end was to the switch.
bool SwitchFinder::end_before_switch() {
  if (step_.switches.empty() || (expected_ && expected_->closely)) return false;
  std::vector<double>& f = later_f_;
  far_ = step_.y_new;
  double t = step_.t_new;
  std::optional<Meeting> met;
  for (int pass = 0; pass < most_retreats; ++pass) {
    if (!flow_(t, far_.data(), f.data())) return false;
    if (const std::optional<Meeting> nearer = forecast_.inside(t, far_.data(), f.data()))
      met = nearer;
    else if (met)
      met->doubt = retreat * std::fabs(met->t - t);
    else
      return false;
    if (std::fabs(met->t - step_.t) <= 2 * least()) return end_at_start(*met);
    t = front_of(*met);
    if (std::fabs(t - step_.t) <= shortest_step()) return false;
    flow_.watch_switches(step_.switches);
    const bool reached = landing_.step_to(t, between_);
    if (!landing_.made().evaluated) return false;
    if (!flow_.met_switch()) {
      if (!reached || !take_between(t)) return false;
      step_.attempt = landing_.made();
      expected_ = met;
      return true;
    }
    far_ = between_;
  }
  return false;
}

/// It stands at the very start: there is no step to it, nothing but a hop, if the motion leads there at all
/// and rounding has not made it.
bool SwitchFinder::end_at_start(const Meeting& meeting) {
  if (no_hop_from_ == step_.t) return false;
  for (std::size_t i = 0; i < between_.size(); ++i)
    between_[i] = step_.y[i] + 4 * course_.direction * least() * step_.f[i];
  const Crossing crossing = crossing_of(meeting.place, step_.switches);
  if (!(beyond(crossing, step_.t + 4 * course_.direction * least()) > 0)) return false;
  between_ = step_.y;
  if (!take_between(step_.t)) return false;
  step_.attempt = {};
  expected_ = meeting;
  return true;
}

/// Whether the curve of the step leads there as well as another step would.
bool SwitchFinder::reaches(const Meeting& meeting) const {
  const double longest = std::max(std::fabs(step_.h), std::fabs(step_.h_next));
  return std::fabs(meeting.t - step_.t_new) <= most_of_hop * longest &&
         forecast_.error(meeting.t) <= part_of_hop;
}

/// A step has come near a switch. Where its curve leads there as well as a step would, it ends behind; else
/// another step comes nearer. The switch it ends at; -1 for none.
int SwitchFinder::meet_expected() {
  Front front{step_.t_new, step_.h != 0, expected_->t, options_.until};
  Meeting met = *expected_;
  expected_.reset();
  if (front.steps) {
    const std::optional<Meeting> ahead = forecast_.beyond_end(2 * met.t - step_.t_new);
    if (!ahead) return -1;
    met = {ahead->place, ahead->t, ahead->doubt, met.closely};
    front.zero = met.t;
    if (!reaches(met)) {
      expected_ = met;
      return -1;
    }
  }
  between_ = step_.y_new;
  hop_f_ = step_.f_new;
  falls_short_ = false;
  jump_.clear();
  const Crossing crossing = crossing_of(met.place, step_.switches_new);
  const bool cut = hop_from(front, crossing);
  if (!cut && !front.steps) {
    no_hop_from_ = step_.t;
    return -1;
  }
  if ((!cut || !jump_.empty()) && !met.closely) {
    jump_.clear();
    met.closely = true;
    expected_ = met;
    return -1;
  }
  stand_behind(crossing, cut);
  return met.place;
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

void SwitchFinder::stop_at_jump() {
  course_.finish(Stop::step_too_small,
                 "at t = " + number_text(step_.t, 10) + " constraint '" + jump_ +
                     "' asks for a jump of positions or velocities",
                 {jump_});
}

}  // namespace vinculum
