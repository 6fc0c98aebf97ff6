#include "motion/run/step_watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

constexpr int lane_count = std::tuple_size_v<decltype(StateBatch::t)>;

constexpr double eps = std::numeric_limits<double>::epsilon();
/// Numbers of the state that are changed one by one to see what a function owes them.
constexpr std::size_t most_one_by_one = 64;
/// Ways to round the operations of a function that are tried to see what it owes them.
constexpr unsigned ways_to_round = 3;

/// Evaluations along a step to find where a switch is passed and passed back.
constexpr long most_looks_at_switch = 50'000, least_looks_at_switch = 500;

bool watches_any(const Course& course) {
  return !course.system.events().empty() || course.watches_switches();
}

}  // namespace

StepWatch::StepWatch(Course& course)
    : course_(course),
      step_(course.step),
      system_(course.system),
      out_(course.out),
      work_(course.work),
      modes_(course.modes),
      flow_(course.flow),
      sizes_(course.sizes),
      singularity_(course.singularity),
      observer_(course.observer),
      tolerance_(course.tolerance),
      curve_(watches_any(course) ? course.flow.coordinates() : 0,
             watches_any(course) ? course.flow.velocities() : 0),
      event_places_(places_of_events(course.system)),
      switch_places_(places_of_switches(course.system)),
      walk_([this](double theta) { return watched_at(walked_, theta); },
            [this](double theta) { return noise_on_curve(walked_, theta); }),
      between_(watches_any(course) ? course.flow.size() : 0) {
  const auto entries_of = [this](const StatePlaces& places) {
    std::vector<int> entries = places.coordinates;
    for (const int i : places.velocities) entries.push_back(flow_.coordinates() + i);
    return entries;
  };
  event_entries_ = entries_of(event_places_);
  switch_entries_ = entries_of(switch_places_);
}

double StepWatch::value_at(const Watched& what, double t, const double* y) {
  watch_state(what.kind, course_.state_of(t, y), at_state_);
  return at_state_[what.index];
}

/// Each thing once: what follows may be as wild.
void StepWatch::note_unresolved(const Watched& what) {
  const std::string name = what.kind == Watch::events ? "event '" + system_.events()[what.index].name + "'"
                                                      : "the switch " + modes_.guard_text(what.index);
  if (std::find(unresolved_.begin(), unresolved_.end(), name) != unresolved_.end()) return;
  unresolved_.push_back(name);
  out_.notes.push_back(name + " changes too wildly around t = " + number_text(step_.t_new, 10) +
                       " for all its zeros to be found; a largest step ('step') makes it look closer");
}

const StatePlaces& StepWatch::places(Watch watch) const {
  if (watch == Watch::events) return events_need_multipliers(system_) ? curve_.all() : event_places_;
  const bool all = switches_need_multipliers(system_) || modes_.any();
  return all ? curve_.all() : switch_places_;
}

void StepWatch::watch_state(Watch watch, const State& state, std::vector<double>& values, unsigned rounding) {
  course_.use_modes_of(state.t);
  if (watch == Watch::events) {
    observer_.events(state, singularity_, values, rounding);
    return;
  }
  observer_.switches(state, singularity_, values, rounding);
  modes_.watch(state, values);
}

double StepWatch::watched_at(const Watched& what, double theta) {
  watch_state(what.kind, curve_.at(theta, places(what.kind)), watched_);
  return watched_[what.index];
}

void StepWatch::sample(Watch watch) {
  const std::vector<double>& from = watch == Watch::events ? step_.events : step_.switches;
  const std::vector<double>& to = watch == Watch::events ? step_.events_new : step_.switches_new;
  pieces_.assign(from.size(), {0.0, 1.0, {}});
  for (int j = 0; j <= Piece::degree; ++j) {
    const bool inside = j > 0 && j < Piece::degree;
    if (inside) watch_state(watch, curve_.at(pieces_.front().point(j), places(watch)), watched_);
    const std::vector<double>& now = inside ? watched_ : j == 0 ? from : to;
    for (std::size_t k = 0; k < pieces_.size(); ++k) pieces_[k].value[j] = now[k];
  }
}

void StepWatch::lay_curve() {
  off_curve_ = -1;
  if (course_.interpolate()) {
    curve_.lay(step_.polynomial, step_.t_new, step_.y_new.data());
    return;
  }
  cubic_of(step_.t, step_.t_new - step_.t, step_.y, step_.f.data(), step_.y_new.data(), step_.f_new.data(),
           cubic_);
  curve_.lay(cubic_, step_.t_new, step_.y_new.data());
}

/// Where the lanes of a sketch lie: its inner points, its witnesses, and the middle, which is taken once as
/// it is and twice by what the cubic may be off, all numbers in one sense and in turn.
struct SketchLanes {
  static constexpr int inner = Sketch::degree - 1, off = inner + Sketch::witnesses;
  static_assert(off + 2 < lane_count);
  double theta[lane_count], square[lane_count], cube[lane_count];  // with the last factor 1 - theta less
  SketchLanes() {
    for (int lane = 0; lane < lane_count; ++lane) {
      theta[lane] = lane < inner ? Sketch::point(lane + 1) : lane < off ? Sketch::witness[lane - inner] : 0.5;
      square[lane] = theta[lane] * theta[lane];
      cube[lane] = square[lane] * (theta[lane] - 1);
    }
  }
};

/// The numbers of the state that the functions read, on the cubics of the step.
void StepWatch::lay_lanes(std::span<const int> entries, const SketchLanes& at) {
  const int nq = flow_.coordinates();
  const double h = step_.t_new - step_.t;
  lanes_.q.resize(lane_count * static_cast<std::size_t>(nq));
  lanes_.v.resize(lane_count * static_cast<std::size_t>(flow_.velocities()));
  for (int lane = 0; lane < lane_count; ++lane) lanes_.t[lane] = step_.t + at.theta[lane] * h;
  double sign = 1;
  for (std::size_t k = 0; k < entries.size(); ++k) {
    const int i = entries[k];
    double* const x = i < nq ? &lanes_.q[lane_count * i] : &lanes_.v[lane_count * (i - nq)];
    const double change = step_.y_new[i] - step_.y[i], first = h * step_.f[i], bend = change - first,
                 turn = h * step_.f_new[i] - change - bend;
    for (int lane = 0; lane < lane_count; ++lane)
      x[lane] = step_.y[i] + at.theta[lane] * first + at.square[lane] * bend + at.cube[lane] * turn;
    x[at.off] += sketch_gap_[k];
    x[at.off + 1] += sign * sketch_gap_[k];
    sign = -sign;
  }
}

/// The functions at the points of a sketch, at its witnesses (what turns many times in the step may look even
/// at five points), and what they may be off by in the middle: eight states at once.
void StepWatch::sketch(Watch watch, std::span<const int> entries) {
  static const SketchLanes at;
  const std::vector<double>& from = watch == Watch::events ? step_.events : step_.switches;
  const std::vector<double>& to = watch == Watch::events ? step_.events_new : step_.switches_new;
  const std::size_t count = from.size();
  lay_lanes(entries, at);
  lane_values_.resize(lane_count * count);
  if (watch == Watch::events)
    event_values(system_, lanes_, work_, lane_values_);
  else
    switch_values(system_, lanes_, work_, lane_values_);
  sketches_.resize(count);
  margins_.resize(count);
  for (std::size_t k = 0; k < count; ++k) {
    const double* const value = lane_values_.data() + lane_count * k;
    Sketch& s = sketches_[k];
    s.value.front() = from[k];
    s.value.back() = to[k];
    std::copy_n(value, at.inner, s.value.begin() + 1);
    std::copy_n(value + at.inner, Sketch::witnesses, s.seen.begin());
    const double middle = s.value[Sketch::degree / 2];
    margins_[k] = 4 * (std::fabs(value[at.off] - middle) + std::fabs(value[at.off + 1] - middle));
  }
}

bool StepWatch::stays_clear(Watch watch, const std::vector<int>& side) {
  const bool dear =
      watch == Watch::events ? events_need_multipliers(system_) : &places(watch) == &curve_.all();
  if (step_.interpolated || dear) return false;
  const std::vector<int>& entries = watch == Watch::events ? event_entries_ : switch_entries_;
  sketch_gap_.resize(entries.size());
  if (!course_.active->sketch_gap(entries, step_.y_new.data(), step_.f_new.data(), sketch_gap_.data()))
    return false;
  sketch(watch, entries);
  sides_seen_.resize(sketches_.size());
  for (std::size_t k = 0; k < sketches_.size(); ++k) {
    sides_seen_[k] = sketches_[k].side(margins_[k]);
    if (sides_seen_[k] == 0 || (side[k] != 0 && side[k] != sides_seen_[k])) return false;
  }
  return true;
}

double StepWatch::noise_on_curve(const Watched& what, double theta) {
  if (what.kind == Watch::events && off_curve_ < 0) {
    off_curve_ = 0;
    const double t = curve_.time(0.5);
    course_.use_modes_of(t);
    look_f_.resize(step_.y.size());
    if (course_.active->attempt(step_.t, step_.y.data(), step_.f.data(), t - step_.t, look_f_.data())
            .evaluated) {
      curve_.at(0.5, between_.data());
      for (int i = 0; i < flow_.controlled(); ++i)
        if (look_f_[i] != between_[i])
          off_curve_ = std::max(
              off_curve_, std::fabs(look_f_[i] - between_[i]) / tolerance_.of(i, step_.y[i], step_.y_new[i]));
    }
  }
  // The curve is the motion at both ends.
  const double off = std::max(0.0, off_curve_) * std::min(1.0, 8 * theta * (1 - theta));
  return noise_of(what, curve_.at(theta, places(what.kind)), off);
}

double StepWatch::noise_of(const Watched& what, const State& at, double off_curve) {
  const double errors = what.kind == Watch::events ? errors_ + off_curve : 0.0;
  // Each step rounds time and state once more.
  const double roundings = what.kind == Watch::events ? 4.0 + static_cast<double>(out_.steps) : 4.0;
  const StatePlaces& read = places(what.kind);
  const auto uncertain = [&](std::size_t k, double x) {
    const int entry = k < read.coordinates.size()
                          ? read.coordinates[k]
                          : flow_.coordinates() + read.velocities[k - read.coordinates.size()];
    const double rate =
        what.kind == Watch::events ? std::max(std::fabs(step_.f[entry]), std::fabs(step_.f_new[entry])) : 0;
    // What passes zero has the rounding of where it has been.
    const double size = what.kind == Watch::events ? std::max(std::fabs(x), sizes_[entry]) : std::fabs(x);
    return 2 * errors * tolerance_.of(entry, x, x) +
           roundings * (eps * size + 0.25 * rate * time_resolution(at.t));
  };
  probe_ = at;
  const auto value = [&] {
    watch_state(what.kind, probe_, watched_);
    return watched_[what.index];
  };
  const double here = value();
  double sum = 0;
  for (unsigned rounding = 1; rounding <= ways_to_round; ++rounding) {
    watch_state(what.kind, probe_, watched_, rounding);
    sum = std::max(sum, std::fabs(watched_[what.index] - here));
  }
  const std::size_t count = read.coordinates.size() + read.velocities.size();
  const auto number = [&](std::size_t k) -> double& {
    return k < read.coordinates.size() ? probe_.q[read.coordinates[k]]
                                       : probe_.v[read.velocities[k - read.coordinates.size()]];
  };
  if (count <= most_one_by_one) {
    for (std::size_t k = 0; k < count; ++k) {
      const double before = number(k);
      const double by = uncertain(k, before);
      const auto change = [&](double part) {
        number(k) = before + part * by;
        return std::fabs(value() - here);
      };
      // About a turn both sides may look alike; where one alone jumps, the other tells.
      const double up = change(1), down = change(-1), most = std::max(up, down), least = std::min(up, down);
      const double half = most > 10 * least ? change(up > down ? 0.5 : -0.5) : 0.5 * most;
      sum += half > 0.1 * most && half < 0.9 * most ? most : std::max(least, std::min(half, most - half));
      number(k) = before;
    }
  } else {  // all at once, with signs that change in another way each time
    double most = 0;
    for (std::size_t pattern = 1; pattern <= 8; ++pattern) {
      for (std::size_t k = 0; k < count; ++k)
        number(k) += ((k * pattern * 2654435761u) >> 16 & 1 ? 1 : -1) * uncertain(k, number(k));
      most = std::max(most, 4 * std::fabs(value() - here));
      probe_ = at;
    }
    sum += most;
  }
  probe_.t += roundings * eps * std::fabs(at.t);
  return 2 * (sum + std::fabs(value() - here)) + std::numeric_limits<double>::min();
}

/// Nothing but noise over the whole of a step, with room for the rounding of the curve itself.
bool StepWatch::is_noise(const Watched& what, const Piece& whole) {
  for (int j = 0; j <= Piece::degree; ++j)
    if (!(std::fabs(whole.value[j]) <= 64 * noise_on_curve(what, whole.point(j)))) return false;
  return true;
}

const std::vector<Zero>& StepWatch::zeros_of(const Watched& what, int& side) {
  walked_ = what;
  walk_.set_least(4 * eps *
                  std::max({1.0, std::fabs(step_.t / (step_.t_new - step_.t)),
                            std::fabs(step_.t_new / (step_.t_new - step_.t))}));
  const Piece whole = pieces_[what.index];
  walk_.set_budget(ZeroWalk::usual_budget);
  walk_.set_most(ZeroWalk::any_number);
  if (what.kind == Watch::switches) {
    switch_budget_.resize(step_.switches.size(), most_looks_at_switch);
    walk_.set_budget(switch_budget_[what.index]);
    walk_.set_most(2);  // the step ends at the first of them, and one alone shows at its end
  }
  // Zero all along, as far as can be told: signs of rounding are none.
  zeros_.clear();
  if (what.kind == Watch::events && side == 0 && is_noise(what, whole)) return zeros_;
  const std::vector<Zero>& zeros = walk_.walk(whole, side);
  const bool finite =
      std::all_of(whole.value.begin(), whole.value.end(), [](double g) { return std::isfinite(g); });
  if (walk_.gave_up() && (finite || what.kind == Watch::switches))
    note_unresolved(what);  // of what is no number a sentence of its own speaks
  // What was noise in this step will be so in the next: less and less is spent on it.
  if (what.kind == Watch::switches) {
    long& budget = switch_budget_[what.index];
    budget = walk_.gave_up() ? std::max(budget / 2, least_looks_at_switch) : most_looks_at_switch;
  }
  return zeros;
}

}  // namespace vinculum
