#include "motion/run/event_finder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

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

bool EventFinder::find() {
  if (system_.events().empty()) return false;
  observer_.events(course_.state_at_end(), singularity_, step_.events_new);
  std::vector<Found> found;
  find_events(found);
  for (auto at = found.begin(); at != found.end(); ++at) {
    const Found& f = *at;
    // A zero at the start does not count, nor one that rounding of the start has put a hair behind it.
    if (step_.t == course_.t_start &&
        std::fabs(f.t - course_.t_start) <= 64 * eps * std::fabs(step_.t_new - step_.t))
      continue;
    if (is_same_zero(f)) continue;
    const EventInfo& info = system_.events()[f.what.index];
    const auto record = [this](const Found& e) {
      out_.events.push_back(
          {system_.events()[e.what.index].name, e.t, e.rising, e.touches, course_.state_of(e.t, e.y.data())});
    };
    record(f);
    if (!info.stop) continue;
    // Others at the same instant happened as well, and there is none after it.
    for (auto other = at + 1; other != found.end() && is_same_instant(other->t, f.t); ++other)
      if (!is_same_zero(*other)) record({other->what, f.t, other->rising, other->touches, f.y});
    // The run ends here: the step is cut to the event.
    recorder_.record_until(f.t, false);
    while (!out_.rank_changes.empty() && course_.direction * (out_.rank_changes.back().time - f.t) > 0)
      out_.rank_changes.pop_back();
    step_.t = f.t;
    std::copy(f.y.begin(), f.y.end(), step_.y.begin());
    ++out_.steps;
    course_.finish(Stop::event, "event '" + info.name + "' at t = " + number_text(f.t, 10), {info.name});
    return true;
  }
  return false;
}

/// Where a motion comes to rest, or a zero is of a high order, one and the same may be found twice: in
/// between the event is nothing but noise.
bool EventFinder::is_same_zero(const Found& found) {
  const double little = 1e-7 * course_.span();
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
    const double from = course_.direction * (last->time - step_.t) > 0 ? last->time : step_.t;
    for (const double part : {0.0, 0.5}) {
      const double theta = (from + part * (found.t - from) - step_.t) / (step_.t_new - step_.t);
      if (!watch_.is_in_noise(found.what, theta)) return false;
    }
    return true;
  }
  return false;
}

/// The state at a part of the step, on its constraints.
bool EventFinder::read_curve(double theta, std::vector<double>& y) {
  y.resize(step_.y.size());
  watch_.curve().at(theta, y.data());
  return !course_.projects() || landing_.project_to_look(watch_.curve().time(theta), y.data());
}

void EventFinder::find_events(std::vector<Found>& found) {
  size_.resize(step_.events_new.size());
  for (std::size_t e = 0; e < size_.size(); ++e)
    size_[e] = std::max(size_[e], std::fabs(step_.events_new[e]));
  const bool at_end = step_.t_new == options_.until && any_near_zero_at_end();
  if (!at_end && stays_clear()) return;
  watch_.lay_curve();
  watch_.sample(Watch::events);
  note_not_finite();
  for (int e = 0; e < static_cast<int>(side_.size()); ++e) {
    const Watched what{Watch::events, e};
    const std::size_t first = found.size();
    const bool turned = near_[e] && turned_at_start(what);
    if (turned) {
      found.push_back({what, step_.t, false, true, step_.y});
      side_[e] = 0;
    }
    for (const Zero& zero : watch_.zeros_of(what, side_[e])) {
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
    if (turned && found.size() > first + 1 &&
        watch_.is_in_noise(what, 0.5 * watch_.curve().theta(found[first + 1].t)))
      found.erase(found.begin() + static_cast<std::ptrdiff_t>(first));
    near_[e] = approaches_zero({Watch::events, e}, found);
    if (at_end && comes_to_zero_at_end({Watch::events, e}))
      found.push_back({{Watch::events, e}, step_.t_new, side_[e] < 0, false, step_.y_new});
  }
  std::stable_sort(found.begin(), found.end(),
                   [this](const Found& x, const Found& y2) { return course_.direction * (y2.t - x.t) > 0; });
}

/// A zero that touches may lie between two steps, where neither sees it turn: whether the step ends within
/// noise of zero, on its way there and not on its way from one that was found ...
bool EventFinder::approaches_zero(const Watched& what, const std::vector<Found>& found) {
  const Piece& step = watch_.pieces()[what.index];
  const int side = side_[what.index];
  const double end = side * step.value.back(), before = side * step.value[Piece::degree - 1],
               earlier = side * step.value[Piece::degree - 2];
  // Where it jumps noise says nothing.
  const bool falls = end > 0 && end < before && before - end <= 3 * (earlier - before);
  if (!falls || end > small_event * size_[what.index]) return false;
  if (!(end <= watch_.noise_of(what, course_.state_at_end(), 0.0))) return false;
  return std::none_of(found.begin(), found.end(), [&](const Found& zero) {
    return zero.what.index == what.index &&
           watch_.is_in_noise(what, 0.5 * (1 + watch_.curve().theta(zero.t)));
  });
}

/// ... and whether the next one begins on its way back.
bool EventFinder::turned_at_start(const Watched& what) {
  const Piece& step = watch_.pieces()[what.index];
  return system_.events()[what.index].direction == Model::Direction::both &&
         side_[what.index] * (step.value[1] - step.value[0]) > 0;
}

/// Whether an event that is small beside what it has been, or has not been anything yet, ends the step within
/// noise of zero.
bool EventFinder::any_in_noise_at_end() {
  for (int e = 0; e < static_cast<int>(step_.events_new.size()); ++e) {
    const double end = std::fabs(step_.events_new[e]);
    const bool small = side_[e] == 0 || end <= small_event * size_[e];
    if (small && end <= noise_at_end({Watch::events, e})) return true;
  }
  return false;
}

double EventFinder::noise_at_end(const Watched& what) {
  const double errors = std::min(watch_.errors() + course_.error_of_step(), 1 / part_of_step);
  return watch_.noise_of(what, course_.state_at_end(), errors - watch_.errors());
}

bool EventFinder::any_near_zero_at_end() {
  for (int e = 0; e < static_cast<int>(step_.events_new.size()); ++e)
    if (std::fabs(step_.events_new[e]) <= noise_at_end({Watch::events, e})) return true;
  return false;
}

/// Where the run ends there is no next step: what comes to zero there, as far as rounding and the tolerance
/// tell, has come to it.
bool EventFinder::comes_to_zero_at_end(const Watched& what) {
  const Piece& step = watch_.pieces()[what.index];
  const int side = side_[what.index];
  const double end = side * step.value.back();
  if (!(end > 0 && end < side * step.value[Piece::degree - 1])) return false;
  if (!counts(side < 0, system_.events()[what.index].direction)) return false;
  return end <= noise_at_end(what);
}

void EventFinder::note_not_finite() {
  for (std::size_t e = 0; e < watch_.pieces().size(); ++e) {
    const auto& value = watch_.pieces()[e].value;
    const auto bad = std::find_if(value.begin(), value.end(), [](double g) { return !std::isfinite(g); });
    if (bad == value.end() || (bad == value.begin() && step_.t != course_.t_start)) continue;  // told before
    out_.notes.push_back(
        "event '" + system_.events()[e].name + "' is not a finite number at t = " +
        number_text(watch_.curve().time(watch_.pieces()[e].point(static_cast<int>(bad - value.begin()))),
                    10));
  }
}

/// First on the curve of the step, then by steps of the method itself to the event: the time is that of the
/// computed motion, not of its interpolation.
void EventFinder::locate(Found& found, const Zero& zero) {
  Bracket at{zero.from, zero.to, zero.at_from, zero.at_to};
  const double resolution = 2 * eps * std::max(1.0, std::fabs(step_.t_new / (step_.t_new - step_.t)));
  const bool passes = !zero.touches && at.at_from * at.at_to <= 0 && at.at_to != 0;
  if (!zero.touches && at.at_from * at.at_to > 0) at.to = at.from;  // it was passed before the step began
  if (at.at_from == 0 && at.at_to != 0) at.at_from = -at.at_to;     // next to nothing: it is in between
  for (int pass = 0; pass < 100 && passes && at.to - at.from > resolution && at.at_to != 0; ++pass) {
    double theta = at.guess(pass, 6);
    if (!(theta > at.from && theta < at.to)) theta = at.middle();
    if (theta == at.from || theta == at.to) break;
    const double g = watch_.watched_at(found.what, theta);
    if ((g > 0) == (zero.at_to > 0) || g == 0)
      at.move_to(theta, g);
    else
      at.move_from(theta, g);
  }
  found.t = watch_.curve().time(at.to);
  if (at.to == 1) {
    found.y = step_.y_new;
    return;
  }
  read_curve(at.to, found.y);
  if (passes && course_.direction * (found.t - step_.t) > 0)
    polish(found, at.to, 1e-3 * (zero.to - zero.from));
}

/// Changes its sign through infinity: the nearer, the larger, on every side of it in the step, as near as it
/// can be told from noise.
bool EventFinder::is_pole(const Found& found) {
  const double theta = watch_.curve().theta(found.t);
  const auto size = [&](double there) { return std::fabs(watch_.watched_at(found.what, there)); };
  const auto grows_towards = [&](double side) {
    for (double near = 1e-7; near < 1e-2; near *= 10) {
      const double here = theta + side * near, far = theta + 4 * side * near;
      if (!(far > 0 && far < 1)) return false;
      if (size(here) > watch_.noise_on_curve(found.what, here)) return size(here) > 1.2 * size(far);
    }
    return false;
  };
  const bool from_left = theta > 0.05, to_right = theta < 0.95;
  return (!from_left || grows_towards(-1)) && (!to_right || grows_towards(1));
}

/// A step of the method to the time of an event; its value there, or no number.
double EventFinder::step_to_event(Found& found) {
  found.y.resize(step_.y.size());
  course_.use_modes_of(found.t);
  const bool made =
      course_.active->attempt(step_.t, step_.y.data(), step_.f.data(), found.t - step_.t, found.y.data())
          .evaluated &&
      (!course_.projects() || landing_.project_to_look(found.t, found.y.data()));
  return made ? watch_.value_at(found.what, found.t, found.y.data()) : NAN;
}

/// What touches zero on the curve, as far as that is known, is looked at by steps of the method itself: its
/// lowest point may be zero within the errors of the motion, it may pass zero to and fro, or not reach it.
void EventFinder::locate_touch(const Watched& what, const Zero& zero, std::vector<Found>& found) {
  const EventInfo& event = system_.events()[what.index];
  const double h = step_.t_new - step_.t;
  const auto at = [&](double t) { return Found{what, t, false, false, {}}; };
  const double theta0 = 0.5 * (zero.from + zero.to);
  Found low = at(watch_.curve().time(theta0));
  read_curve(theta0, low.y);
  if (!(course_.direction * (low.t - step_.t) > 0))
    return;  // the start of the step was looked at by the one before
  double value = step_to_event(low), bend = 0;
  // Nearer to its lowest point an event is smaller, and less is owed to errors: to be zero within them on the
  // way there is enough. The state there differs from that of the curve by as much as noise tells.
  const auto may_be_zero = [&](const Found& f, double g) {
    return !(std::fabs(g) > 3 * watch_.noise_of(what, course_.state_of(f.t, f.y.data()), 0.0));
  };
  bool touches = may_be_zero(low, value);
  // Well above noise, and not as far as another zero.
  double apart = std::clamp(100 * (zero.to - zero.from), 1e-6, 0.02) * h;
  for (int pass = 0; pass < (touches ? 4 : 8) && std::isfinite(value); ++pass, apart *= 0.1) {
    Found left = at(low.t - apart), right = at(low.t + apart);
    if (!(course_.direction * (left.t - step_.t) > 0) || !(course_.direction * (step_.t_new - right.t) > 0))
      continue;
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
  const double away = course_.direction * std::sqrt(2 * std::fabs(value / bend));
  for (const double way : {-away, away}) {
    Found one = at(low.t + way);
    one.rising = (zero.before < 0) == (way == -away);
    const double theta = watch_.curve().theta(one.t);
    if (!(theta > 0 && theta < 1) || !counts(one.rising, event.direction)) continue;
    read_curve(theta, one.y);
    polish(one, theta, 0.1 * std::fabs(watch_.curve().theta(low.t) - theta));
    found.push_back(std::move(one));
  }
}

/// By the slope from two points a little apart: near enough for a line, far enough for rounding. A step of
/// the method to where the curve has its zero ends so near to its own that the rest of the way is a line.
void EventFinder::polish(Found& found, double theta, double apart) {
  const double before = std::max(0.0, theta - apart), after = std::min(1.0, theta + apart);
  const double slope = (watch_.watched_at(found.what, after) - watch_.watched_at(found.what, before)) /
                       (watch_.curve().time(after) - watch_.curve().time(before));
  double best = INFINITY;
  Found trial{found.what, found.t, found.rising, false, {}};
  slope_.resize(step_.y.size());
  for (int pass = 0; pass < most_polishing; ++pass) {
    const double g = step_to_event(trial);
    // Every step is taken only if it brings the value nearer to zero: a jump or a steep turn has no slope to
    // follow.
    if (!(std::fabs(g) < best)) return;
    best = std::fabs(g);
    found = trial;
    const double left = -g / slope, t = trial.t + left;
    const bool inside = course_.direction * (t - step_.t) > 0 && course_.direction * (step_.t_new - t) > 0;
    if (!std::isfinite(left) || !inside || std::fabs(left) > apart * std::fabs(step_.t_new - step_.t)) return;
    if (t == trial.t) return;
    const bool near = std::fabs(left) <= 1e-8 * std::fabs(step_.t_new - step_.t);
    if (near && !flow_(trial.t, trial.y.data(), slope_.data())) return;
    trial.t = t;
    if (!near) continue;
    for (std::size_t i = 0; i < trial.y.size(); ++i) trial.y[i] += left * slope_[i];
    if (course_.projects() && !landing_.project_to_look(t, trial.y.data())) return;
    if (std::fabs(watch_.value_at(found.what, t, trial.y.data())) <= best) found = trial;
    return;
  }
}

void EventFinder::begin(const State& start) {
  side_.resize(step_.events.size());
  near_.assign(step_.events.size(), 0);
  const std::vector<double> values = step_.events;
  for (int e = 0; e < static_cast<int>(values.size()); ++e) {
    const bool zero = std::fabs(values[e]) <= watch_.noise_of({Watch::events, e}, start, 0.0);
    side_[e] = zero ? 0 : (values[e] > 0) - (values[e] < 0);
  }
}

bool EventFinder::stays_clear() {
  const bool near = std::find(near_.begin(), near_.end(), 1) != near_.end();
  if (near || !watch_.stays_clear(Watch::events, side_) || any_in_noise_at_end()) return false;
  side_ = watch_.sides_seen();
  return true;
}

}  // namespace vinculum
