// Events of a run: zeros of expressions inside a step, in the order of time.
#include <algorithm>
#include <cmath>
#include <limits>

#include "motion/run/run.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr int most_polishing = 4;
/// An event is looked at for noise where it is smaller than this part of what it has been.
constexpr double small_event = 1e-3;

bool counts(bool rising, Model::Direction asked) {
  return asked == Model::Direction::both || rising == (asked == Model::Direction::rising);
}

/// Times this near are not told apart.
bool is_same_instant(double a, double b) { return std::fabs(a - b) <= 128 * eps * std::fabs(a); }

}  // namespace

bool crosses(double from, double to) { return (from < 0 && to >= 0) || (from > 0 && to <= 0); }

/// Looks at all events of the step. True when one of them ends the run.
bool Run::handle_events() {
  if (system_.events().empty()) return false;
  observer_.events(state_of(t_new_, y_new_.data()), singularity_, event_new_);
  std::vector<Found> found;
  find_events(found);
  for (auto at = found.begin(); at != found.end(); ++at) {
    const Found& f = *at;
    // A zero at the start does not count, nor one that rounding of the start has put a hair behind it.
    if (t_ == t_start_ && std::fabs(f.t - t_start_) <= 64 * eps * std::fabs(t_new_ - t_)) continue;
    if (is_same_zero(f)) continue;
    const EventInfo& info = system_.events()[f.what.index];
    const auto record = [this](const Found& e) {
      out_.events.push_back(
          {system_.events()[e.what.index].name, e.t, e.rising, e.touches, state_of(e.t, e.y.data())});
    };
    record(f);
    if (!info.stop) continue;
    // Others at the same instant happened as well, and there is none after it.
    for (auto other = at + 1; other != found.end() && is_same_instant(other->t, f.t); ++other)
      if (!is_same_zero(*other)) record({other->what, f.t, other->rising, other->touches, f.y});
    // The run ends here: the step is cut to the event.
    record_until(f.t, false);
    while (!out_.rank_changes.empty() && direction_ * (out_.rank_changes.back().time - f.t) > 0)
      out_.rank_changes.pop_back();
    t_ = f.t;
    std::copy(f.y.begin(), f.y.end(), y_.begin());
    ++out_.steps;
    finish(Stop::event, "event '" + info.name + "' at t = " + number_text(f.t, 10), {info.name});
    return true;
  }
  return false;
}

/// Where a motion comes to rest, or a zero is of a high order, one and the same may be found twice: in
/// between the event is nothing but noise.
bool Run::is_same_zero(const Found& found) {
  const double little = 1e-7 * std::fabs(options_.until - t_start_);
  const std::string& name = system_.events()[found.what.index].name;
  for (auto last = out_.events.rbegin(); last != out_.events.rend(); ++last) {
    if (std::fabs(found.t - last->time) > little) return false;
    if (last->name != name) continue;
    // What seemed to touch has passed.
    if (is_same_instant(found.t, last->time)) {
      if (last->touches && !found.touches) last->rising = found.rising;
      last->touches = last->touches && found.touches;
      return true;
    }
    const double from = direction_ * (last->time - t_) > 0 ? last->time : t_;
    for (const double part : {0.0, 0.5}) {
      const double theta = (from + part * (found.t - from) - t_) / (t_new_ - t_);
      if (!is_in_noise(found.what, theta)) return false;
    }
    return true;
  }
  return false;
}

double Run::event_value(const Watched& what, double t, const double* y) {
  watch_state(what.kind, state_of(t, y), event_scratch_);
  return event_scratch_[what.index];
}

/// The state at a part of the step, on its constraints.
bool Run::read_curve(double theta, std::vector<double>& y) {
  y.resize(y_.size());
  curve_.at(theta, y.data());
  return options_.keep != Stabilisation::projection || project(curve_.time(theta), y.data());
}

void Run::find_events(std::vector<Found>& found) {
  event_size_.resize(event_new_.size());
  for (std::size_t e = 0; e < event_size_.size(); ++e)
    event_size_[e] = std::max(event_size_[e], std::fabs(event_new_[e]));
  const bool at_end = t_new_ == options_.until && any_near_zero_at_end();
  if (!at_end && stays_clear(Watch::events, event_side_)) return;
  lay_curve();
  sample(Watch::events);
  note_not_finite();
  for (int e = 0; e < static_cast<int>(event_side_.size()); ++e) {
    const Watched what{Watch::events, e};
    const std::size_t first = found.size();
    const bool turned = event_near_[e] && turned_at_start(what);
    if (turned) {
      found.push_back({what, t_, false, true, y_});
      event_side_[e] = 0;
    }
    for (const Zero& zero : zeros_of(what, event_side_[e])) {
      if (zero.touches)
        locate_touch(what, zero, found);
      else if (counts(zero.rising(), system_.events()[e].direction)) {
        found.push_back({what, 0.0, zero.rising(), false, {}});
        locate(found.back(), zero);
      }
    }
    found.erase(std::remove_if(found.begin() + static_cast<std::ptrdiff_t>(first), found.end(),
                               [this](const Found& f) { return is_pole(f); }),
                found.end());
    // What turned between the steps may show in this one as well, and better.
    if (turned && found.size() > first + 1 && is_in_noise(what, 0.5 * curve_.theta(found[first + 1].t)))
      found.erase(found.begin() + static_cast<std::ptrdiff_t>(first));
    event_near_[e] = approaches_zero({Watch::events, e}, found);
    if (at_end && comes_to_zero_at_end({Watch::events, e}))
      found.push_back({{Watch::events, e}, t_new_, event_side_[e] < 0, false, y_new_});
  }
  std::stable_sort(found.begin(), found.end(),
                   [this](const Found& x, const Found& y2) { return direction_ * (y2.t - x.t) > 0; });
}

/// A zero that touches may lie between two steps, where neither sees it turn: whether the step ends within
/// noise of zero, on its way there and not on its way from one that was found ...
bool Run::approaches_zero(const Watched& what, const std::vector<Found>& found) {
  const Piece& step = pieces_[what.index];
  const int side = event_side_[what.index];
  const double end = side * step.value.back(), before = side * step.value[Piece::degree - 1],
               earlier = side * step.value[Piece::degree - 2];
  // Where it jumps noise says nothing.
  const bool falls = end > 0 && end < before && before - end <= 3 * (earlier - before);
  if (!falls || end > small_event * event_size_[what.index]) return false;
  if (!(end <= noise_of(what, state_of(t_new_, y_new_.data()), 0.0))) return false;
  return std::none_of(found.begin(), found.end(), [&](const Found& zero) {
    return zero.what.index == what.index && is_in_noise(what, 0.5 * (1 + curve_.theta(zero.t)));
  });
}

bool Run::is_in_noise(const Watched& what, double theta) {
  return std::fabs(watched_at(what, theta)) <= noise_on_curve(what, theta);
}

/// ... and whether the next one begins on its way back.
bool Run::turned_at_start(const Watched& what) {
  const Piece& step = pieces_[what.index];
  return system_.events()[what.index].direction == Model::Direction::both &&
         event_side_[what.index] * (step.value[1] - step.value[0]) > 0;
}

/// Whether an event that is small beside what it has been, or has not been anything yet, ends the step within
/// noise of zero.
bool Run::any_in_noise_at_end() {
  for (int e = 0; e < static_cast<int>(event_new_.size()); ++e) {
    const double end = std::fabs(event_new_[e]);
    const bool small = event_side_[e] == 0 || end <= small_event * event_size_[e];
    if (small && end <= noise_at_end({Watch::events, e})) return true;
  }
  return false;
}

double Run::noise_at_end(const Watched& what) {
  const double errors = std::min(errors_ + error_of_step(), 1 / part_of_step);
  return noise_of(what, state_of(t_new_, y_new_.data()), errors - errors_);
}

bool Run::any_near_zero_at_end() {
  for (int e = 0; e < static_cast<int>(event_new_.size()); ++e)
    if (std::fabs(event_new_[e]) <= noise_at_end({Watch::events, e})) return true;
  return false;
}

/// Where the run ends there is no next step: what comes to zero there, as far as rounding and the tolerance
/// tell, has come to it.
bool Run::comes_to_zero_at_end(const Watched& what) {
  const Piece& step = pieces_[what.index];
  const int side = event_side_[what.index];
  const double end = side * step.value.back();
  if (!(end > 0 && end < side * step.value[Piece::degree - 1])) return false;
  if (!counts(side < 0, system_.events()[what.index].direction)) return false;
  return end <= noise_at_end(what);
}

void Run::note_not_finite() {
  for (std::size_t e = 0; e < pieces_.size(); ++e) {
    const auto& value = pieces_[e].value;
    const auto bad = std::find_if(value.begin(), value.end(), [](double g) { return !std::isfinite(g); });
    if (bad == value.end() || (bad == value.begin() && t_ != t_start_)) continue;  // told before
    out_.notes.push_back(
        "event '" + system_.events()[e].name + "' is not a finite number at t = " +
        number_text(curve_.time(pieces_[e].point(static_cast<int>(bad - value.begin()))), 10));
  }
}

/// Each thing once: what follows may be as wild.
void Run::note_unresolved(const Watched& what) {
  const std::string name = what.kind == Watch::events ? "event '" + system_.events()[what.index].name + "'"
                                                      : "the switch " + modes_.guard_text(what.index);
  if (std::find(unresolved_.begin(), unresolved_.end(), name) != unresolved_.end()) return;
  unresolved_.push_back(name);
  out_.notes.push_back(name + " changes too wildly around t = " + number_text(t_new_, 10) +
                       " for all its zeros to be found; a largest step ('step') makes it look closer");
}

/// First on the curve of the step, then by steps of the method itself to the event: the time is that of the
/// computed motion, not of its interpolation.
void Run::locate(Found& found, const Zero& zero) {
  Bracket at{zero.from, zero.to, zero.at_from, zero.at_to};
  const double resolution = 2 * eps * std::max(1.0, std::fabs(t_new_ / (t_new_ - t_)));
  const bool passes = !zero.touches && at.at_from * at.at_to <= 0 && at.at_to != 0;
  if (!zero.touches && at.at_from * at.at_to > 0) at.to = at.from;  // it was passed before the step began
  if (at.at_from == 0 && at.at_to != 0) at.at_from = -at.at_to;     // next to nothing: it is in between
  for (int pass = 0; pass < 100 && passes && at.to - at.from > resolution && at.at_to != 0; ++pass) {
    double theta = at.guess(pass, 6);
    if (!(theta > at.from && theta < at.to)) theta = at.middle();
    if (theta == at.from || theta == at.to) break;
    const double g = watched_at(found.what, theta);
    if ((g > 0) == (zero.at_to > 0) || g == 0)
      at.move_to(theta, g);
    else
      at.move_from(theta, g);
  }
  found.t = curve_.time(at.to);
  if (at.to == 1) {
    found.y = y_new_;
    return;
  }
  read_curve(at.to, found.y);
  if (passes && direction_ * (found.t - t_) > 0) polish(found, at.to, 1e-3 * (zero.to - zero.from));
}

/// Changes its sign through infinity: the nearer, the larger, on every side of it in the step, as near as it
/// can be told from noise.
bool Run::is_pole(const Found& found) {
  const double theta = curve_.theta(found.t);
  const auto size = [&](double there) { return std::fabs(watched_at(found.what, there)); };
  const auto grows_towards = [&](double side) {
    for (double near = 1e-7; near < 1e-2; near *= 10) {
      const double here = theta + side * near, far = theta + 4 * side * near;
      if (!(far > 0 && far < 1)) return false;
      if (size(here) > noise_on_curve(found.what, here)) return size(here) > 1.2 * size(far);
    }
    return false;
  };
  const bool from_left = theta > 0.05, to_right = theta < 0.95;
  return (!from_left || grows_towards(-1)) && (!to_right || grows_towards(1));
}

/// A step of the method to the time of an event; its value there, or no number.
double Run::step_to_event(Found& found) {
  found.y.resize(y_.size());
  use_modes_of(found.t);
  const bool made = active_->attempt(t_, y_.data(), f_.data(), found.t - t_, found.y.data()).evaluated &&
                    (options_.keep != Stabilisation::projection || project(found.t, found.y.data()));
  return made ? event_value(found.what, found.t, found.y.data()) : NAN;
}

/// What touches zero on the curve, as far as that is known, is looked at by steps of the method itself: its
/// lowest point may be zero within the errors of the motion, it may pass zero to and fro, or not reach it.
void Run::locate_touch(const Watched& what, const Zero& zero, std::vector<Found>& found) {
  const EventInfo& event = system_.events()[what.index];
  const double h = t_new_ - t_;
  const auto at = [&](double t) { return Found{what, t, false, false, {}}; };
  const double theta0 = 0.5 * (zero.from + zero.to);
  Found low = at(curve_.time(theta0));
  read_curve(theta0, low.y);
  if (!(direction_ * (low.t - t_) > 0)) return;  // the start of the step was looked at by the one before
  double value = step_to_event(low), bend = 0;
  // Nearer to its lowest point an event is smaller, and less is owed to errors: to be zero within them on the
  // way there is enough. The state there differs from that of the curve by as much as noise tells.
  const auto may_be_zero = [&](const Found& f, double g) {
    return !(std::fabs(g) > 3 * noise_of(what, state_of(f.t, f.y.data()), 0.0));
  };
  bool touches = may_be_zero(low, value);
  // Well above noise, and not as far as another zero.
  double apart = std::clamp(100 * (zero.to - zero.from), 1e-6, 0.02) * h;
  for (int pass = 0; pass < (touches ? 4 : 8) && std::isfinite(value); ++pass, apart *= 0.1) {
    Found left = at(low.t - apart), right = at(low.t + apart);
    if (!(direction_ * (left.t - t_) > 0) || !(direction_ * (t_new_ - right.t) > 0)) continue;
    const double before = step_to_event(left), after = step_to_event(right);
    if (!(zero.before * before > 0 && zero.before * after > 0)) continue;
    const double curvature = before - 2 * value + after;
    if (bend == 0) bend = curvature / (apart * apart);
    // It turns where a parabola does, or in a corner, where the lines from both sides meet.
    Found inner_left = at(low.t - 0.5 * apart), inner_right = at(low.t + 0.5 * apart);
    const double falls = 2 * (step_to_event(inner_left) - before),
                 rises = 2 * (after - step_to_event(inner_right));
    const double center = low.t;
    for (const double way :
         {0.5 * (before - after) / curvature, (after - before - rises - falls) / (falls - rises)}) {
      Found next = at(center + way * apart);
      if (!(std::fabs(way) <= 1)) continue;
      const double there = step_to_event(next);
      if (!(zero.before * there < zero.before * value)) continue;
      value = there;
      low = std::move(next);
      touches = touches || may_be_zero(low, value);
    }
  }
  if (touches) {
    low.touches = true;
    const auto same = [&](const Found& other) {  // met twice in noise
      return other.what.index == what.index && std::fabs(other.t - low.t) <= 1e-6 * std::fabs(h);
    };
    if (event.direction == Model::Direction::both && std::none_of(found.begin(), found.end(), same))
      found.push_back(std::move(low));
    return;
  }
  if (zero.before * value > 0 || bend == 0) return;
  const double away = direction_ * std::sqrt(2 * std::fabs(value / bend));
  for (const double way : {-away, away}) {
    Found one = at(low.t + way);
    one.rising = (zero.before < 0) == (way == -away);
    const double theta = curve_.theta(one.t);
    if (!(theta > 0 && theta < 1) || !counts(one.rising, event.direction)) continue;
    read_curve(theta, one.y);
    polish(one, theta, 0.1 * std::fabs(curve_.theta(low.t) - theta));
    found.push_back(std::move(one));
  }
}

/// By the slope from two points a little apart: near enough for a line, far enough for rounding. A step of
/// the method to where the curve has its zero ends so near to its own that the rest of the way is a line.
void Run::polish(Found& found, double theta, double apart) {
  const double before = std::max(0.0, theta - apart), after = std::min(1.0, theta + apart);
  const double slope = (watched_at(found.what, after) - watched_at(found.what, before)) /
                       (curve_.time(after) - curve_.time(before));
  double best = INFINITY;
  Found trial{found.what, found.t, found.rising, false, {}};
  event_slope_.resize(y_.size());
  for (int pass = 0; pass < most_polishing; ++pass) {
    const double g = step_to_event(trial);
    // Every step is taken only if it brings the value nearer to zero: a jump or a steep turn has no slope to
    // follow.
    if (!(std::fabs(g) < best)) return;
    best = std::fabs(g);
    found = trial;
    const double left = -g / slope, t = trial.t + left;
    const bool inside = direction_ * (t - t_) > 0 && direction_ * (t_new_ - t) > 0;
    if (!std::isfinite(left) || !inside || std::fabs(left) > apart * std::fabs(t_new_ - t_)) return;
    if (t == trial.t) return;
    const bool near = std::fabs(left) <= 1e-8 * std::fabs(t_new_ - t_);
    if (near && !flow_(trial.t, trial.y.data(), event_slope_.data())) return;
    trial.t = t;
    if (!near) continue;
    for (std::size_t i = 0; i < trial.y.size(); ++i) trial.y[i] += left * event_slope_[i];
    if (options_.keep == Stabilisation::projection && !project(t, trial.y.data())) return;
    if (std::fabs(event_value(found.what, t, trial.y.data())) <= best) found = trial;
    return;
  }
}

}  // namespace vinculum
