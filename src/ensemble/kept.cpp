#include "vinculum/ensemble/kept.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <tuple>

#include "ensemble/survey.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

using Of = Kept::Of;
using How = Kept::How;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

struct Quantity {
  Of of;
  int index;
};

std::optional<int> place_in(std::span<const std::string> names, std::string_view name) {
  const auto found = std::ranges::find(names, name);
  return found == names.end() ? std::nullopt : std::optional(static_cast<int>(found - names.begin()));
}

std::span<const std::string> stated_coordinates(const System& system) {
  return std::span(system.coordinate_names()).first(static_cast<std::size_t>(system.stated_coordinates()));
}

std::optional<Quantity> quantity_named(const System& system, std::string_view name) {
  if (const auto k = place_in(stated_coordinates(system), name)) return Quantity{Of::coordinate, *k};
  if (const auto k = place_in(system.velocity_names(), name)) return Quantity{Of::velocity, *k};
  if (const auto k = place_in(system.output_names(), name)) return Quantity{Of::output, *k};
  if (name == "energy") return Quantity{Of::energy, 0};
  if (name == "t") return Quantity{Of::time, 0};
  return std::nullopt;
}

/// A name without its last part where that is the word asked for.
std::optional<std::string_view> before(std::string_view name, std::string_view word) {
  if (!name.ends_with(word)) return std::nullopt;
  return name.substr(0, name.size() - word.size());
}

std::vector<std::string> names_known(const System& system) {
  const auto stated = stated_coordinates(system);
  std::vector<std::string> all(stated.begin(), stated.end());
  all.insert(all.end(), system.velocity_names().begin(), system.velocity_names().end());
  all.insert(all.end(), system.output_names().begin(), system.output_names().end());
  for (const char* name : {"energy", "t"}) all.emplace_back(name);
  const std::size_t plain = all.size();
  for (std::size_t k = 0; k < plain; ++k)
    for (const char* how : {".max", ".min", ".mean", ".samples"}) all.push_back(all[k] + how);
  for (const EventInfo& event : system.events())
    for (const char* how : {".time", ".count"}) all.push_back(event.name + how);
  return all;
}

std::optional<Kept> find_kept(const System& system, const std::string& name) {
  if (const auto q = quantity_named(system, name)) return Kept{name, q->of, How::end, q->index};
  for (const auto& [word, how] : {std::pair{".max", How::max}, {".min", How::min}, {".mean", How::mean}})
    if (const auto of = before(name, word))
      if (const auto q = quantity_named(system, *of)) return Kept{name, q->of, how, q->index};
  if (const auto of = sampled(name))
    if (const auto q = quantity_named(system, *of)) return Kept{name, q->of, How::samples, q->index};
  if (const auto at = at_instant(name))
    if (const auto q = quantity_named(system, at->name))
      return Kept{name, q->of, How::at, q->index, at->instant};
  for (const auto& [word, how] : {std::pair{".time", How::instant}, {".count", How::count}})
    if (const auto of = before(name, word)) {
      const auto event = std::ranges::find(system.events(), *of, &EventInfo::name);
      if (event != system.events().end())
        return Kept{name, Of::event, how, static_cast<int>(event - system.events().begin())};
    }
  return std::nullopt;
}

Kept kept_named(const System& system, const std::string& name) {
  if (const auto found = find_kept(system, name)) return *found;
  const std::string near = nearest_name(name, names_known(system));
  fail(fmt::format(
      "there is no '{}' to keep: coordinates, velocities (x'), outputs, energy and t, each with "
      ".max, .min, .mean, .samples or an instant (x@0.5), and EVENT.time, EVENT.count; of anything else "
      "make an output{}",
      name, near.empty() ? "" : " (did you mean '" + near + "'?)"));
}

constexpr std::string_view samples_word = ".samples";

bool is_along(const Kept& k) { return k.how == How::max || k.how == How::min || k.how == How::mean; }
bool needs_solution(Of of) { return of == Of::output || of == Of::energy; }

}  // namespace

std::vector<Kept> kept_of(const System& system, std::span<const std::string> names) {
  std::vector<Kept> all;
  for (const std::string& name : names) all.push_back(kept_named(system, name));
  return all;
}

std::vector<std::string> kept_unless_said(const System& system) {
  if (!system.output_names().empty()) return system.output_names();
  const auto stated = stated_coordinates(system);
  std::vector<std::string> all(stated.begin(), stated.end());
  all.insert(all.end(), system.velocity_names().begin(), system.velocity_names().end());
  return all;
}

std::optional<AtInstant> at_instant(std::string_view name) {
  const std::size_t mark = name.rfind('@');
  if (mark == name.npos) return std::nullopt;
  const std::string_view text = name.substr(mark + 1);
  double instant = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), instant);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(instant))
    return std::nullopt;
  return AtInstant{std::string(name.substr(0, mark)), instant};
}

std::optional<std::string> sampled(std::string_view name) {
  const auto of = before(name, samples_word);
  return of ? std::optional<std::string>(*of) : std::nullopt;
}

std::vector<std::string> with_samples(std::span<const std::string> names, std::span<const double> instants) {
  std::vector<std::string> all;
  for (const std::string& name : names) {
    const auto of = sampled(name);
    if (!of) {
      all.push_back(name);
      continue;
    }
    for (const double t : instants) all.push_back(*of + "@" + number_text(t));
  }
  return all;
}

namespace {

void in_order_of_time(KeptTrajectory& one) {
  std::vector<std::pair<double, std::size_t>> both;
  for (std::size_t i = 0; i < one.places.size(); ++i) both.emplace_back(one.instants[i], one.places[i]);
  std::ranges::stable_sort(both, {}, &std::pair<double, std::size_t>::first);
  for (std::size_t i = 0; i < both.size(); ++i) std::tie(one.instants[i], one.places[i]) = both[i];
}

}  // namespace

std::vector<KeptTrajectory> kept_trajectories(std::span<const std::string> kept) {
  std::vector<KeptTrajectory> all;
  std::map<std::string, std::size_t> known;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    const auto at = at_instant(kept[k]);
    if (!at) continue;
    const auto [place, is_new] = known.try_emplace(at->name, all.size());
    if (is_new) all.push_back({at->name, {}, {}});
    all[place->second].places.push_back(k);
    all[place->second].instants.push_back(at->instant);
  }
  for (KeptTrajectory& one : all) in_order_of_time(one);
  return all;
}

std::vector<std::size_t> told_one_by_one(std::span<const std::string> kept) {
  constexpr std::size_t many = 6;
  std::vector<char> told(kept.size(), 1);
  for (const KeptTrajectory& one : kept_trajectories(kept))
    if (one.places.size() >= many)
      for (std::size_t i = 1; i + 1 < one.places.size(); ++i) told[one.places[i]] = 0;
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < kept.size(); ++k)
    if (told[k]) places.push_back(k);
  return places;
}

std::vector<double> even_instants(double from, double until, int count) {
  std::vector<double> all;
  for (int k = 0; k < count - 1; ++k)
    all.push_back(from + static_cast<double>(k) / (count - 1) * (until - from));
  if (count > 0) all.push_back(until);
  return all;
}

namespace {

/// What is looked at when the motion comes by.
struct Instant {
  double t;
  std::vector<std::pair<std::size_t, Quantity>> kept;  // the places they are kept at
  bool solves = false;
};

double value_of(const Quantity& q, const StepOfMotion::Look& look, double t) {
  switch (q.of) {
    case Of::coordinate:
      return look.q[q.index];
    case Of::velocity:
      return look.v[q.index];
    case Of::output:
      return look.outputs[q.index];
    case Of::energy:
      return look.energy;
    default:
      return t;
  }
}

/// Values at instants, seen step by step.
class Passing {
 public:
  void clear() { instants_.clear(); }
  bool empty() const { return instants_.empty(); }
  void add(std::size_t place, const Quantity& q, double t) {
    auto at = std::ranges::lower_bound(instants_, t, {}, &Instant::t);
    if (at == instants_.end() || at->t != t) at = instants_.insert(at, Instant{t, {}});
    at->kept.emplace_back(place, q);
    at->solves = at->solves || needs_solution(q.of);
  }
  void begin(std::size_t kept) {
    values_.assign(kept, none);
    passed_ = 0;
    begun_ = false;
  }
  double value(std::size_t place) const { return values_[place]; }

  /// The start of the first step counts, and the end of every one.
  void step(StepOfMotion& step) {
    const double direction = step.to < step.from ? -1.0 : 1.0;
    const auto next = [&]() -> const Instant& {
      return direction > 0 ? instants_[passed_] : instants_[instants_.size() - 1 - passed_];
    };
    if (!begun_)
      while (passed_ < instants_.size() && direction * (next().t - step.from) < 0) ++passed_;
    begun_ = true;
    for (; passed_ < instants_.size() && direction * (next().t - step.to) <= 0; ++passed_) {
      const Instant& due = next();
      const StepOfMotion::Look look = step.at(due.t, due.solves);
      if (!look.there) continue;
      for (const auto& [place, q] : due.kept) values_[place] = value_of(q, look, due.t);
    }
  }

 private:
  std::vector<Instant> instants_;  // in their order
  std::vector<double> values_;
  std::size_t passed_ = 0;
  bool begun_ = false;
};

}  // namespace

struct Keeper::Impl {
  std::vector<std::string> names;
  std::optional<System> compiled;  // the system that the places below are of
  std::vector<Kept> kept;
  std::vector<Quantity> curves;  // what is looked at along the motion, each once ...
  std::vector<char> peaks;       // ... and whether for its extremes
  std::vector<int> curve_of;     // for each kept number; -1: none
  bool solves = false;
  Survey survey;
  Passing passing;

  void look(StepOfMotion& step, double t, std::vector<double>& values) const {
    const StepOfMotion::Look look = step.at(t, solves);
    values.assign(curves.size(), none);
    if (!look.there) return;
    for (std::size_t k = 0; k < curves.size(); ++k) values[k] = value_of(curves[k], look, t);
  }
  /// Members may be compiled each by itself: the same name has another place in each.
  void find(const System& system) {
    if (compiled && &compiled->impl() == &system.impl()) return;
    compiled = system;
    kept.clear();
    curves.clear();
    peaks.clear();
    curve_of.clear();
    solves = false;
    passing.clear();
    for (const std::string& name : names)
      kept.push_back(find_kept(system, name).value_or(Kept{name, Of::nothing}));
    for (const Kept& k : kept) add_curve(k);
  }
  /// None of the values that are told beside it lies beyond.
  double extreme(const Kept& of, const Survey::Curve& curve, double end) const {
    double found = of.how == How::max ? curve.max : curve.min;
    const auto take = [&](double x) {
      if (std::isfinite(x)) found = of.how == How::max ? std::max(found, x) : std::min(found, x);
    };
    take(end);
    for (std::size_t k = 0; k < kept.size(); ++k)
      if (kept[k].how == How::at && kept[k].of == of.of && kept[k].index == of.index) take(passing.value(k));
    return found;
  }
  void add_curve(const Kept& k) {
    curve_of.push_back(-1);
    if (k.how == How::at) passing.add(curve_of.size() - 1, {k.of, k.index}, k.instant);
    if (!is_along(k)) return;
    const auto same =
        std::ranges::find_if(curves, [&](const Quantity& q) { return q.of == k.of && q.index == k.index; });
    curve_of.back() = static_cast<int>(same - curves.begin());
    if (same == curves.end()) {
      curves.push_back({k.of, k.index});
      peaks.push_back(0);
    }
    if (k.how != How::mean) peaks[curve_of.back()] = 1;
    solves = solves || needs_solution(k.of);
  }
};

Keeper::Keeper(std::vector<std::string> names) : impl_(std::make_unique<Impl>()) {
  impl_->names = std::move(names);
}
Keeper::~Keeper() = default;
Keeper::Keeper(Keeper&&) noexcept = default;
Keeper& Keeper::operator=(Keeper&&) noexcept = default;

void Keeper::follow(const System& system, MotionOptions& motion) {
  impl_->find(system);
  impl_->survey.begin(impl_->peaks);
  impl_->passing.begin(impl_->kept.size());
  motion.along = nullptr;
  if (impl_->curves.empty() && impl_->passing.empty()) return;
  motion.along = [impl = impl_.get()](StepOfMotion& step) {
    impl->passing.step(step);
    if (impl->curves.empty()) return;
    impl->survey.step(step.from, step.to,
                      [&](double t, std::vector<double>& values) { impl->look(step, t, values); });
  };
}

bool Keeper::keeps_events() const {
  return std::ranges::any_of(impl_->kept, [](const Kept& k) { return k.of == Of::event; });
}

namespace {

double at_end(const Kept& k, const Trajectory& motion) {
  switch (k.of) {
    case Of::coordinate:
      return motion.last.q[k.index];
    case Of::velocity:
      return motion.last.v[k.index];
    case Of::output:
      return motion.empty() ? none : motion.back().outputs[k.index];
    case Of::energy:
      return motion.energy_end;
    default:
      return motion.last.t;
  }
}

}  // namespace

void Keeper::gather(const Trajectory& motion, std::span<double> out) const {
  for (std::size_t k = 0; k < impl_->kept.size(); ++k) {
    const Kept& kept = impl_->kept[k];
    if (kept.of == Of::nothing || kept.how == How::samples) {
      out[k] = none;
      continue;
    }
    if (kept.of == Of::event) {
      const std::string& name = kept.name.substr(0, kept.name.rfind('.'));
      const auto first = std::ranges::find(motion.events, name, &EventRecord::name);
      out[k] = kept.how == How::count
                   ? static_cast<double>(std::ranges::count(motion.events, name, &EventRecord::name))
               : first == motion.events.end() ? none
                                              : first->time;
      continue;
    }
    if (kept.how == How::at) {
      // A motion without a step is where it starts.
      out[k] =
          motion.steps == 0 && kept.instant == motion.last.t ? at_end(kept, motion) : impl_->passing.value(k);
      continue;
    }
    const bool moved = impl_->survey.length() > 0;
    if (!is_along(kept) || !moved) {
      out[k] = at_end(kept, motion);
      continue;
    }
    const Survey::Curve& curve = impl_->survey.curves()[impl_->curve_of[k]];
    out[k] = !curve.finite           ? none
             : kept.how == How::mean ? curve.integral / impl_->survey.length()
                                     : impl_->extreme(kept, curve, at_end(kept, motion));
  }
}

}  // namespace vinculum
