// Events of a run: zeros of expressions inside a step, in the order of time.
#include <algorithm>
#include <cmath>
#include <limits>

#include "motion/run.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr int parts_of_step = 4;  // where signs are looked at: an event may come and go within a step
constexpr int most_polishing = 4;

}  // namespace

bool crosses(double from, double to, Model::Direction direction) {
  const bool rising = from < 0 && to >= 0, falling = from > 0 && to <= 0;
  switch (direction) {
    case Model::Direction::rising:
      return rising;
    case Model::Direction::falling:
      return falling;
    default:
      return rising || falling;
  }
}

/// Looks at all events of the step. True when one of them ends the run.
bool Run::handle_events() {
  if (system_.events().empty()) return false;
  observer_.events(state_of(t_new_, y_new_.data()), passage_, event_new_);
  std::vector<Found> found;
  find_events(found);
  for (auto at = found.begin(); at != found.end(); ++at) {
    const Found& f = *at;
    // A zero at the start does not count, nor one that rounding of the start has put a hair behind it.
    if (t_ == t_start_ && std::fabs(f.t - t_start_) <= 64 * eps * std::fabs(t_new_ - t_)) continue;
    const EventInfo& info = system_.events()[f.what.index];
    const auto record = [this](const Found& e) {
      out_.events.push_back({system_.events()[e.what.index].name, e.t, e.rising, state_of(e.t, e.y.data())});
    };
    record(f);
    if (!info.stop) continue;
    // Others at the same instant happened as well.
    for (auto other = at + 1; other != found.end() && std::fabs(other->t - f.t) <= 4 * eps * std::fabs(f.t);
         ++other)
      record(*other);
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

double Run::event_value(const Watched& what, double t, const double* y) {
  if (what.is_switch)
    switches_at(t, y, event_scratch_);
  else
    observer_.events(state_of(t, y), passage_, event_scratch_);
  return event_scratch_[what.index];
}

void Run::find_events(std::vector<Found>& found) {
  const std::size_t count = system_.events().size();
  std::vector<double> from = event_values_, to(count), y(y_.size());
  double a = t_;
  for (int part = 1; part <= parts_of_step; ++part) {
    const double b = part == parts_of_step ? t_new_ : t_ + (t_new_ - t_) * part / parts_of_step;
    if (part == parts_of_step) {
      to = event_new_;
    } else {
      if (!interpolate()) continue;
      read_polynomial(b, y.data());
      if (options_.keep == Keep::projection) project(b, y.data());
      observer_.events(state_of(b, y.data()), passage_, to);
    }
    for (std::size_t e = 0; e < count; ++e) {
      if (std::isfinite(from[e]) && !std::isfinite(to[e]))
        out_.notes.push_back("event '" + system_.events()[e].name +
                             "' is not a finite number at t = " + number_text(b, 10));
      if (!crosses(from[e], to[e], system_.events()[e].direction)) continue;
      Found f;
      f.what = {false, static_cast<int>(e)};
      f.rising = to[e] > from[e];
      locate(f, {a, b, from[e], to[e]});
      // A value that grows towards its change of sign has a pole there, no zero.
      const double g = std::fabs(event_value(f.what, f.t, f.y.data()));
      if (g <= std::max(std::fabs(from[e]), std::fabs(to[e]))) found.push_back(std::move(f));
    }
    a = b;
    from = to;
  }
  std::stable_sort(found.begin(), found.end(),
                   [this](const Found& x, const Found& y2) { return direction_ * (y2.t - x.t) > 0; });
}

/// Reads an event on the polynomial of the step.
double Run::event_between(const Watched& what, double t, std::vector<double>& y) {
  read_polynomial(t, y.data());
  if (options_.keep == Keep::projection) project(t, y.data());
  return event_value(what, t, y.data());
}

/// First on the step's polynomial, then by steps of the method itself to the event: the time is that of the
/// computed motion, not of its interpolation.
void Run::locate(Found& found, Bracket zero) {
  std::vector<double>& y = found.y;
  y.resize(y_.size());
  const double resolution = 2 * eps * std::max(std::fabs(zero.from), std::fabs(zero.to));
  const double apart = 1e-3 * (zero.to - zero.from);
  const auto is_wide = [&] { return std::fabs(zero.to - zero.from) > resolution && zero.at_to != 0; };
  for (int pass = 0; pass < 100 && is_wide() && interpolate(); ++pass) {
    double t = zero.guess(pass, 6);
    if (!((t > zero.from && t < zero.to) || (t < zero.from && t > zero.to))) t = zero.middle();
    if (t == zero.from || t == zero.to) break;
    const double g = event_between(found.what, t, y);
    if ((g > 0) == (zero.at_to > 0) || g == 0)
      zero.move_to(t, g);
    else
      zero.move_from(t, g);
  }
  found.t = zero.to;
  if (found.t == t_new_ || !interpolate()) {
    y = y_new_;
    return;
  }
  polish(found, apart, resolution);
}

/// By the slope from two points a little apart: near enough for a line, far enough for rounding.
void Run::polish(Found& found, double apart, double resolution) {
  std::vector<double>& y = found.y;
  const double slope =
      (event_between(found.what, found.t + apart, y) - event_between(found.what, found.t - apart, y)) /
      (2 * apart);
  double best = INFINITY, t = found.t;
  event_between(found.what, found.t,
                y);  // the polynomial's answer, unless a step of the method has a better one
  std::vector<double>& trial = event_state_;
  for (int pass = 0; pass < most_polishing; ++pass) {
    trial.resize(y.size());
    use_contacts_of(t);
    if (!active_->attempt(t_, y_.data(), f_.data(), t - t_, trial.data()).evaluated ||
        (options_.keep == Keep::projection && !project(t, trial.data())))
      break;
    const double g = event_value(found.what, t, trial.data());
    // Every step is taken only if it brings the value nearer to zero: a jump or a steep turn has no slope to
    // follow.
    if (!(std::fabs(g) < best) || (pass > 0 && !(std::fabs(t - found.t) <= std::fabs(apart)))) break;
    best = std::fabs(g);
    found.t = t;
    y = trial;
    t -= g / slope;
    const bool inside = direction_ * (t - t_) > 0 && direction_ * (t_new_ - t) > 0;
    if (!std::isfinite(t) || !inside || std::fabs(t - found.t) <= resolution) break;
  }
}

}  // namespace vinculum
