#include "motion/sizes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "system/system_impl.hpp"
#include "vinculum/equation/row_scale.hpp"
#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {

Sizes::Sizes(const System& system, int first_other, int entries)
    : StepSizes(static_cast<int>(system.coordinate_names().size()),
                static_cast<int>(system.velocity_names().size()), first_other, entries),
      kin_(nv_) {
  of_rows_.reserve(nq_ + nv_);
  find_groups(system);
}

Sizes::Sizes(const System& system)
    : Sizes(system, static_cast<int>(system.coordinate_names().size() + system.velocity_names().size()),
            static_cast<int>(system.coordinate_names().size() + system.velocity_names().size())) {}

Sizes::Sizes(const System& system, const State& state, Workspace& work) : Sizes(system) {
  look_at(system, state, work);
}

void Sizes::look_at(const System& system, const State& state, Workspace& work) {
  for (Group& g : groups_) g = {g.kind, g.q, g.q_count, g.v, g.v_count, g.in_rows};
  heaviest_ = longest_arm_ = 0;
  weigh(evaluate(system, state, work));
  std::vector<double> y;
  y.reserve(entries_);
  y.insert(y.end(), state.q.begin(), state.q.end());
  y.insert(y.end(), state.v.begin(), state.v.end());
  begin(y.data());
  size_kin();
}

void Sizes::size_kin() {
  Kin most{}, widest[3] = {};
  for (const Group& g : groups_) {
    most.move = std::max(most.move, g.mass * g.largest_q * g.largest_q);
    most.velocity = std::max(most.velocity, g.mass * g.largest_v * g.largest_v);
    most.acceleration = std::max(most.acceleration, g.mass * g.free * g.free);
    Kin& kind = widest[static_cast<int>(g.kind)];
    kind = {std::max(kind.move, g.largest_q), std::max(kind.velocity, g.largest_v),
            std::max(kind.acceleration, g.free)};
  }
  for (const Group& g : groups_) {
    const Kin& kind = widest[static_cast<int>(g.kind)];
    std::fill_n(kin_.begin() + g.v, g.v_count,
                Kin{share(g, most.move, kind.move), share(g, most.velocity, kind.velocity),
                    share(g, most.acceleration, kind.acceleration)});
  }
}

void Sizes::find_groups(const System& system) {
  groups_.reserve(nv_);
  group_of_.reserve(nv_);
  std::vector<int> coordinate(nv_, -1), turned(nv_, -1);
  for (int i = 0; i < nq_; ++i)
    if (const int v = system.velocity_of_coordinate(i); v >= 0) coordinate[v] = i;
  for (const Rotation& r : system.rotations()) turned[r.velocity] = r.coordinate;
  std::vector<char> known(entries_, 0);
  for (int v = 0; v < nv_;) {
    Group g{};
    if (turned[v] >= 0)
      g = {Kind::turning, turned[v], 4, v, 3};
    else if (const std::vector<int>& kin = system.impl().kin; v + 1 < nv_ && kin[v + 1] == v)
      g = {Kind::place, coordinate[v], 3, v, 3};
    else
      g = {Kind::plain, std::max(coordinate[v], 0), coordinate[v] >= 0 ? 1 : 0, v, 1};
    group_of_.insert(group_of_.end(), g.v_count, static_cast<int>(groups_.size()));
    std::fill_n(known.begin() + g.q, g.q_count, 1);
    std::fill_n(known.begin() + nq_ + g.v, g.v_count, 1);
    groups_.push_back(g);
    v += g.v_count;
  }
  const auto any = [this](Kind kind) {
    return std::any_of(groups_.begin(), groups_.end(), [kind](const Group& g) { return g.kind == kind; });
  };
  has_arms_ = any(Kind::turning) && any(Kind::place);
  for (const int angle : system.impl().angles) is_angle_[angle] = 1;
  for (int i = 0; i < entries_; ++i)
    if (!known[i] && !(i >= nq_ + nv_ && i < first_other_)) others_.push_back(i);
}

/// They are the same all along.
void Sizes::look_at_patterns(const Equations& at) {
  if (!mass_place_.empty()) return;
  for (const int i : at.A.column) groups_[group_of_[i]].in_rows = true;
  mass_place_.reserve(nv_);
  for (int i = 0; i < nv_; ++i) {
    const std::span<const int> columns = row_of(at.M, i).columns;
    const auto found = std::find(columns.begin(), columns.end(), i);
    mass_place_.push_back(found == columns.end() ? -1
                                                 : at.M.start[i] + static_cast<int>(found - columns.begin()));
  }
}

void Sizes::weigh(const Equations& at) {
  look_at_patterns(at);
  const double *const mass = at.M.value.data(), *const force = at.Q.data(),
                      *const other = at.C.empty() ? force : at.C.data();
  const int* const place = mass_place_.data();
  StepSizes::weigh([=](int i) { return place[i] < 0 ? 0.0 : mass[place[i]]; },
                   [=](int i) { return std::max(std::fabs(force[i]), std::fabs(other[i])); });
  lend(at);
}

/// From a place to where rows hold what turns there.
void Sizes::measure_arms(const SparseMatrix& A) {
  if (!has_arms_) return;
  for (int r = 0; r < A.rows; ++r) {
    double most[3] = {};
    for (const auto [column, value] : row_of(A, r)) {
      double& of_kind = most[static_cast<int>(groups_[group_of_[column]].kind)];
      of_kind = std::max(of_kind, std::fabs(value));
    }
    const double arm = most[static_cast<int>(Kind::turning)] / most[static_cast<int>(Kind::place)];
    if (std::isfinite(arm)) longest_arm_ = std::max(longest_arm_, arm);
  }
}

/// What has no mass is as large as the mass that it moves by its rows would be.
void Sizes::lend(const Equations& at) {
  measure_arms(at.A);
  const auto massless = [](const Group& g) { return g.mass == 0 && g.kind == Kind::plain; };
  if (std::none_of(groups_.begin(), groups_.end(), massless)) return;
  const std::vector<double> mass = masses_of(at.M, at.A, group_of_);
  for (Group& g : groups_)
    if (massless(g)) g.lent = std::max(g.lent, 1 / mass[g.v]);
}

void Sizes::add_forces(std::span<const double> force) {
  for (Group& g : groups_)
    if (g.mass > 0) g.free = std::max(g.free, largest(force.data() + g.v, g.v_count) / g.mass);
}

void Sizes::begin(const double* y) {
  for (Group& g : groups_) g.largest_q = g.largest_v = 0;
  std::fill(largest_.begin(), largest_.end(), 0.0);
  largest_work_ = 0;
  accept(y);
  const std::vector<double> rest(entries_, 0.0);
  aim(0.0, y, rest.data(), 0.0);
}

void Sizes::set_start(double t, double time_scale, double span) {
  t_start_ = t;
  time_scale_ = time_scale;
  span_ = std::fabs(span);
}

/// As large as it becomes in a moment: the first step gives it a size of its own. What rows hold is pushed by
/// them, as far as they do: a size that it has, counts.
void Sizes::expect(const double* f) {
  for (Group& g : groups_) {
    const double gained = moment() * largest(f + nq_ + g.v, g.v_count);
    if (g.in_rows && g.now_v > 0) continue;
    if (!std::isfinite(gained) || gained <= std::max(g.now_v, g.held)) continue;
    g.held = gained;
    g.held_for = moment();
    g.awaited = true;
  }
}

bool Sizes::any_at_rest() const {
  return std::any_of(groups_.begin(), groups_.end(), [](const Group& g) { return g.now_v == 0; });
}

bool Sizes::any_unmoved() const {
  return std::any_of(groups_.begin(), groups_.end(),
                     [](const Group& g) { return !g.in_rows && g.largest_v == 0; });
}

void Sizes::blur(const double* f, double t) {
  const double instant = 4 * roundings * eps * std::max(std::fabs(t), 0.01 * span_);
  for (const Group& g : groups_) {
    const double jump = instant * std::max(g.pushed, largest(f + nq_ + g.v, g.v_count));
    work_noise_ += g.mass * jump * (jump + g.now_v);
    for (int i = g.v; i < g.v + g.v_count; ++i) noise_[nq_ + i] += jump;
    for (int i = g.q; i < g.q + g.q_count; ++i) noise_[i] += instant * jump;
  }
}

/// What one row leaves unknown others hand on, in the metric of the masses.
void Sizes::set_rounding_of_rows(std::span<const double> place, std::span<const double> velocity) {
  double energy = 0, inertia = 0, fastest[3] = {}, widest[3] = {};
  for (const Group& g : groups_) {
    const double v = largest(&velocity[g.v], g.v_count), q = largest(&place[g.v], g.v_count);
    energy = std::max(energy, g.mass * v * v);
    inertia = std::max(inertia, g.mass * q * q);
    const auto kind = static_cast<int>(g.kind);
    fastest[kind] = std::max(fastest[kind], v);
    widest[kind] = std::max(widest[kind], q);
  }
  of_rows_.assign(nq_ + nv_, 0.0);
  for (const Group& g : groups_) {
    if (!g.in_rows) continue;
    const auto kind = static_cast<int>(g.kind);
    std::fill_n(of_rows_.begin() + nq_ + g.v, g.v_count, share(g, energy, fastest[kind]));
    std::fill_n(of_rows_.begin() + g.q, g.q_count, share(g, inertia, widest[kind]));
  }
}

/// Signs and sizes differ from one number to the next, so that they do not move all together.
void Sizes::add_roundings(const double* y, double* beside) const {
  for (int i = 0; i < entries_; ++i) {
    const double part = std::fmod(0.6180339887 * (i + 1), 1.0);
    beside[i] = y[i] + (part < 0.5 ? -1 : 1) * (0.5 + part) * eps * size_[i];
  }
}

void Sizes::forget_noise() {
  for (Group& g : groups_) g.noise = 0;
  for (const int i : others_) other_noise_[i] = 0;
}

void Sizes::measure_noise(const double* f, const double* f_beside) {
  const auto apart = [&](int i) {
    const double noise = std::fabs(f_beside[i] - f[i]);
    return std::isfinite(noise) ? noise : 0.0;
  };
  for (Group& g : groups_)
    for (int i = nq_ + g.v; i < nq_ + g.v + g.v_count; ++i) g.noise = std::max(g.noise, apart(i));
  for (const int i : others_) other_noise_[i] = std::max(other_noise_[i], apart(i));
}

void Sizes::go_ahead(const double* y, const double* f, double h, double* ahead) const {
  for (int i = 0; i < entries_; ++i) ahead[i] = y[i] + h * f[i];
  for (const Group& g : groups_)
    if (g.kind != Kind::turning)
      for (int k = 0; k < g.q_count; ++k) ahead[g.q + k] += 0.5 * h * h * f[nq_ + g.v + k];
}

/// What the change of an acceleration makes in the time h is more than half of all the velocity there is.
/// What neither moves nor begins to, tied to nothing, tells nothing: it has no time of its own yet.
bool Sizes::differs(const double* y, const double* f, const double* f_ahead, double h) const {
  h = std::fabs(h);
  double energy = 0, fastest[3] = {};
  const auto reached = [&](const Group& g) {
    return largest(y + nq_ + g.v, g.v_count) + h * largest(f + nq_ + g.v, g.v_count);
  };
  for (const Group& g : groups_) {
    const double v = reached(g);
    energy = std::max(energy, g.mass * v * v);
    double& of_kind = fastest[static_cast<int>(g.kind)];
    of_kind = std::max(of_kind, v);
  }
  double& turning = fastest[static_cast<int>(Kind::turning)];
  turning = std::max(turning, turning_of_places(fastest[static_cast<int>(Kind::place)], h));
  for (const Group& g : groups_) {
    const double v = reached(g);
    if (v == 0 && !g.in_rows) continue;
    if (g.kind == Kind::turning && h * v > 1) return true;
    double change = 0;
    for (int i = nq_ + g.v; i < nq_ + g.v + g.v_count; ++i) {
      const double part = std::fabs(f_ahead[i] - f[i]);
      if (!(part <= change)) change = part;
    }
    const double part = g.kind == Kind::plain ? part_of_others(g) : part_of_kin;
    const double allowed = 0.5 * std::max(v, part * share(g, energy, fastest[static_cast<int>(g.kind)])) +
                           roundings * h * std::max(g.noise, eps * g.free);
    if (!(h * change <= allowed)) return true;
  }
  return false;
}

}  // namespace vinculum
