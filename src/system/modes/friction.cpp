#include "system/modes/friction.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "system/modes/friction_shares.hpp"
#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {
namespace {

constexpr double rounding = 1e-15;    // of the forces on what is held
constexpr double difference = 1e-14;  // of two velocities: what is less is none
constexpr double broken = 1e-6;       // of its terms: a row that what is held does not keep

}  // namespace

SolveOptions holding_options() {
  SolveOptions options;
  options.detail = Detail::motion;
  options.within_step = true;
  return options;
}

double length(std::span<const double> x) {
  double sum = 0.0;
  for (const double value : x) sum += value * value;
  return std::sqrt(sum);
}

void normalise(std::vector<double>& x) {
  const double size = length(x);
  if (size > 0)
    for (double& value : x) value /= size;
}

namespace {

/// What a vector over these velocities has along one row.
void take_away(const SparseMatrix& rows, int r, const std::vector<int>& velocities,
               std::vector<double>& from) {
  const auto place = [&](int column) {
    return std::find(velocities.begin(), velocities.end(), column) - velocities.begin();
  };
  double part = 0.0, square = 0.0;
  for (const auto [column, value] : row_of(rows, r)) {
    part += value * from[place(column)];
    square += value * value;
  }
  if (!(square > 0)) return;
  for (const auto [column, value] : row_of(rows, r)) from[place(column)] -= part / square * value;
}

}  // namespace

void Directions::take_away_from(std::span<double> x) const {
  for (std::size_t k = 0; k < count_; ++k) {
    const std::span<const double> u = (*this)[k];
    const double part = std::inner_product(u.begin(), u.end(), x.begin(), 0.0);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] -= part * u[i];
  }
}

void Directions::add(std::span<const double> x) {
  memory_.resize((count_ + 1) * width_);
  const std::span<double> place(memory_.data() + count_ * width_, width_);
  std::copy(x.begin(), x.end(), place.begin());
  const double size = length(x);
  for (int twice = 0; twice < 2; ++twice) take_away_from(place);
  const double left = length(place);
  if (!(left > 1e-10 * size)) return;
  for (double& value : place) value /= left;
  ++count_;
}

std::vector<FrictionPair> frictions_of(const Model& model) {
  std::vector<FrictionPair> pairs;
  for (const Model::FrictionData& f : model.frictions()) {
    if (f.coefficient.is_constant(0)) continue;
    const auto same = std::find_if(pairs.begin(), pairs.end(),
                                   [&](const FrictionPair& c) { return c.velocities == f.velocities; });
    FrictionPair& pair = same == pairs.end() ? pairs.emplace_back() : *same;
    pair.velocities = f.velocities;
    pair.constraints.push_back(f.constraint);
    pair.coefficients.push_back(0.0);  // known when the parameters are
  }
  return pairs;
}

void hold(Equations& e, std::span<const char> fixed) {
  for (int k = 0; k < e.A.entries(); ++k)
    if (fixed[e.A.column[k]]) e.A.value[k] = 0.0;
  for (int i = 0; i < e.M.rows; ++i)
    for (int k = e.M.start[i]; k < e.M.start[i + 1]; ++k)
      if (e.M.column[k] != i && (fixed[i] || fixed[e.M.column[k]])) e.M.value[k] = 0.0;
}

Friction::Friction(const System& system, std::vector<FrictionState>& found)
    : pairs_(system.frictions()),
      laws_(system.impl().friction_laws),
      other_(pairs_.size()),
      drags_(pairs_.size()),
      limits_(pairs_.size()),
      open_(pairs_.size()),
      found_(found),
      needed_(open_.size()),
      slide_(open_.size()),
      rests_(open_.size()),
      held_(system.velocity_names().size()),
      held_rate_(held_.size()),
      fixed_(held_.size()),
      holding_(system.values().pattern),
      holding_work_(system.structure()) {
  for (std::size_t k = 0; k < laws_.size(); ++k) {
    if (laws_[k].drag.moves()) drags_[k] = {laws_[k].drag.function(), system.values().numbers};
    if (!laws_[k].limit.empty()) limits_[k] = {laws_[k].limit, system.values().numbers};
  }
  const SparseMatrix& a = system.rows_pattern();
  for (const FrictionPair& pair : system.frictions()) {
    const auto slides = [&](int v) {
      return std::find(pair.velocities.begin(), pair.velocities.end(), v) != pair.velocities.end();
    };
    const auto rubs = [&](int r) {
      const std::vector<int>& of = pair.constraints;
      return pair.law.empty() && std::find(of.begin(), of.end(), system.constraint_of_row(r)) != of.end();
    };
    std::vector<int>&rows = own_rows_.emplace_back(), &rubbing = rubbing_rows_.emplace_back();
    for (int r = 0; r < a.rows; ++r) {
      if (!std::ranges::all_of(row_of(a, r).columns, slides)) continue;
      rows.push_back(r);
      if (rubs(r)) rubbing.push_back(r);
    }
  }
  std::vector<int> owner(held_.size(), -1);
  for (std::size_t k = 0; k < pairs_.size(); ++k)
    for (const int v : pairs_[k].velocities) owner[v] = static_cast<int>(k);
  for (int r = 0; r < a.rows; ++r) {
    std::set<int> owners;
    for (const int column : row_of(a, r).columns) owners.insert(owner[column]);
    tied_ = tied_ || (owners.size() > 1 && !owners.contains(-1));
  }
}

std::span<const char> Friction::held_by(const Mode& mode) {
  bool any = false;
  std::fill(fixed_.begin(), fixed_.end(), 0);
  for (std::size_t k = 0; k < mode.frictions.size(); ++k)
    if (mode.frictions[k].grip == Grip::sticks && !pairs_[k].moves)
      for (const int v : pairs_[k].velocities) fixed_[v] = any = true;
  return any ? std::span<const char>(fixed_) : std::span<const char>();
}

void Friction::rest(std::vector<double>& acceleration) const {
  if (!any_held_) return;
  for (std::size_t i = 0; i < acceleration.size(); ++i)
    if (held_[i]) acceleration[i] = held_rate_[i];
}

bool Friction::all_slide() const {
  for (std::size_t k = 0; k < found_.size(); ++k)
    if (found_[k].grip != Grip::slides || found_[k].leaving || rests_[k]) return false;
  return true;
}

const Friction::OtherSide& Friction::other_side(int pair, const StateParts& at) {
  OtherSide& other = other_[pair];
  if (laws_[pair].drag.moves()) laws_[pair].drag.find(drags_[pair](at), other.velocity, other.rate);
  return other;
}

/// The velocity against the other side. Inside a step velocities miss the rows by its error, which is more
/// than what begins to slide has: friction is across the rows that press. At rest is what is left of
/// velocities that are taken from each other by rounding alone.
void Friction::find_slide(int pair, const double* v, const SparseMatrix& rows) {
  const std::vector<int>& velocities = pairs_[pair].velocities;
  const std::vector<double>& other = other_[pair].velocity;
  std::vector<double>& u = slide_[pair];
  u.resize(velocities.size());
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = v[velocities[i]] - (other.empty() ? 0.0 : other[i]);
  const double rounded = length(other) + length(u);
  if (rubbing_rows_[pair].size() == 1) {
    take_away(rows, rubbing_rows_[pair].front(), velocities, u);
  } else {
    find_span(rows, pair, rubbing_rows_[pair]);
    directions_.take_away_from(u);
  }
  rests_[pair] = length(u) <= difference * rounded;
}

/// mu |A_c^T lambda_c|, summed over the constraints of each pair; where rows depend on each other, over
/// what presses.
void Friction::measure_limits(const System& system, const StateParts& at, const Workspace::Impl& w) {
  const SparseMatrix& a = w.equations.A;
  for (std::size_t k = 0; k < found_.size(); ++k) {
    if (laws_[k].limit.empty()) continue;
    const double limit = limits_[k](at)[0];
    // A force along the motion has no direction at rest.
    found_[k].limit = limit < 0 && rests_[k] ? NAN : limit;
    found_[k].needed = 0.0;
  }
  if (!w.solution.multipliers_unique) {
    for (std::size_t k = 0; k < found_.size(); ++k) {
      if (!laws_[k].limit.empty()) continue;
      Pressing pressing = pressing_of(system, pairs_[k], own_rows_[k], w.equations, w.solution);
      found_[k].limit = pressing.limit;
      found_[k].needed = 0.0;
      found_[k].together = std::move(pressing.together);
      found_[k].handed_over = std::move(pressing.handed_over);
      found_[k].chosen = std::move(pressing.chosen);
    }
    return;
  }
  std::vector<double>& force = force_;
  force.resize(system.velocity_names().size());
  for (std::size_t k = 0; k < found_.size(); ++k) {
    const FrictionPair& pair = system.frictions()[k];
    if (!laws_[k].limit.empty()) continue;
    found_[k].limit = found_[k].needed = 0.0;
    found_[k].together.clear();
    found_[k].handed_over.clear();
    found_[k].chosen.clear();
    for (std::size_t c = 0; c < pair.constraints.size(); ++c) {
      const ConstraintInfo& info = system.constraints()[pair.constraints[c]];
      std::fill(force.begin(), force.end(), 0.0);
      for (int r = info.first_row; r < info.first_row + info.row_count; ++r)
        row_of(a, r).add_to(force, w.solution.multipliers[r]);
      found_[k].limit += pair.coefficients[c] * length(force);
    }
  }
}

void Friction::push_sliding(Equations& e) {
  for (std::size_t k = 0; k < found_.size(); ++k) {
    if (found_[k].grip != Grip::slides) continue;
    const FrictionPair& pair = pairs_[k];
    const std::vector<double>& along = found_[k].leaving || rests_[k] ? found_[k].direction : slide_[k];
    const double size = length(along);
    for (std::size_t i = 0; i < along.size() && size > 0; ++i)
      e.C[pair.velocities[i]] -= found_[k].limit * (along[i] / size);
  }
}

void Friction::mark_held() {
  any_held_ = false;
  std::fill(held_.begin(), held_.end(), 0);
  std::fill(held_rate_.begin(), held_rate_.end(), 0.0);
  for (std::size_t k = 0; k < found_.size(); ++k) {
    if (found_[k].grip != Grip::sticks) continue;
    for (std::size_t i = 0; i < pairs_[k].velocities.size(); ++i) {
      const int v = pairs_[k].velocities[i];
      held_[v] = any_held_ = true;
      if (!other_[k].rate.empty()) held_rate_[v] = other_[k].rate[i];
    }
  }
}

/// What is held on something that moves takes its acceleration to the rows and masses it is part of.
void Friction::carry_held() {
  for (int r = 0; r < holding_.A.rows; ++r)
    for (const auto [column, value] : row_of(holding_.A, r)) holding_.b[r] -= value * held_rate_[column];
  for (int i = 0; i < holding_.M.rows; ++i) {
    if (held_[i]) continue;
    for (const auto [column, value] : row_of(holding_.M, i)) holding_.Q[i] -= value * held_rate_[column];
  }
}

/// The motion with what sticks held, and the force that holds each pair.
void Friction::press(const System& system, const Equations& e) {
  mark_held();
  holding_.M.value = e.M.value;
  holding_.A.value = e.A.value;
  holding_.b = e.b;
  holding_.C.clear();
  for (std::size_t i = 0; i < held_.size(); ++i) holding_.Q[i] = held_[i] ? 0.0 : e.Q[i] + e.C[i];
  carry_held();
  hold(holding_, held_);
  solve(system.structure(), holding_, holding_work_, holding_solution_, holding_options());
  holding_solution_.acceleration.resize(held_.size(), NAN);
  rest(holding_solution_.acceleration);
  holding_solution_.multipliers.resize(system.row_names().size(), 0.0);
  const bool torn = any_held_ && !rows_hold(e);
  for (std::size_t k = 0; k < found_.size(); ++k) {
    found_[k].torn = torn && found_[k].grip == Grip::sticks;
    if (found_[k].grip != Grip::sticks) continue;
    find_needed(e, static_cast<int>(k));
    found_[k].needed = length(needed_[k]);
  }
}

/// What is missing in M q'' = Q + C + A^T lambda on the velocities of a pair. Rows that act on these alone
/// press, and rubbing is across them.
void Friction::find_needed(const Equations& e, int pair) {
  const std::vector<int>& velocities = pairs_[pair].velocities;
  const auto place = [&](int v) {
    const auto at = std::find(velocities.begin(), velocities.end(), v);
    return at == velocities.end() ? -1 : static_cast<int>(at - velocities.begin());
  };
  force_.clear();
  for (const int i : velocities)
    force_.push_back(row_of(e.M, i).dot(holding_solution_.acceleration, -e.Q[i] - e.C[i]));
  for (int r = 0; r < e.A.rows; ++r)
    for (const auto [column, value] : row_of(e.A, r))
      if (const int i = place(column); i >= 0) force_[i] -= value * holding_solution_.multipliers[r];
  const std::size_t width = velocities.size();
  find_span(e.A, pair, own_rows_[pair]);
  const std::size_t pressing = directions_.count();  // the others are those it can slide in
  for (std::size_t i = 0; i < width && directions_.count() < width; ++i) {
    row_.assign(width, 0.0);
    row_[i] = 1.0;
    directions_.add(row_);
  }
  needed_[pair].assign(width, 0.0);
  for (std::size_t k = pressing; k < directions_.count(); ++k) {
    const std::span<const double> along = directions_[k];
    const double part = std::inner_product(along.begin(), along.end(), force_.begin(), 0.0);
    for (std::size_t i = 0; i < width; ++i) needed_[pair][i] += part * along[i];
  }
}

/// What some of its own rows span, over its velocities.
void Friction::find_span(const SparseMatrix& rows, int pair, const std::vector<int>& chosen) {
  const std::vector<int>& velocities = pairs_[pair].velocities;
  directions_.start_over(velocities.size());
  for (const int r : chosen) {
    row_.assign(velocities.size(), 0.0);
    for (const auto [column, value] : row_of(rows, r))
      row_[std::find(velocities.begin(), velocities.end(), column) - velocities.begin()] = value;
    directions_.add(row_);
  }
}

/// Whether every row is kept while what sticks has no acceleration. Inside a step redundant rows disagree by
/// the truncation error, and then the ideal motion misses them as well.
bool Friction::rows_hold(const Equations& e) const {
  const std::vector<double>& held = holding_solution_.acceleration;
  for (int r = 0; r < e.A.rows; ++r) {
    double miss = -e.b[r], ideal_miss = -e.b[r], terms = std::fabs(e.b[r]), size = 0.0;
    for (const auto [v, value] : row_of(e.A, r)) {
      miss += value * held[v];
      ideal_miss += value * ideal_[v];
      terms += std::fabs(value * held[v]);
      size += std::fabs(value);
    }
    if (std::fabs(miss) > broken * terms + 10 * std::fabs(ideal_miss) &&
        std::fabs(miss) > edge_of_limit * size)
      return false;
  }
  return true;
}

/// Whether all that are taken to stick can do so.
bool Friction::all_hold(const Equations& e) const {
  for (std::size_t k = 0; k < found_.size(); ++k) {
    if (found_[k].grip != Grip::sticks || given_[k].grip == Grip::sticks) continue;
    double weight = 0.0;  // of what is held: rounding of its sum is no force
    for (const int i : pairs_[k].velocities) weight = std::max(weight, std::fabs(e.Q[i]) + std::fabs(e.C[i]));
    if (found_[k].needed > found_[k].limit * (1 + edge_of_limit) + rounding * weight) return false;
    if (found_[k].torn) return false;
  }
  return true;
}

/// Those that slide push with their limits, and with that the forces of those that stick are found.
void Friction::push_all(const System& system, Equations& e) {
  e.C = stated_;
  push_sliding(e);
  if (std::ranges::any_of(found_, [](const FrictionState& f) { return f.grip == Grip::sticks; })) {
    press(system, e);
    share_load(system, e);
    return;
  }
  mark_held();
  for (FrictionState& f : found_) f.torn = false;
}

void Friction::resolve(const System& system, const StateParts& at, const Mode& mode, Workspace::Impl& w) {
  const double* v = at.part[2];
  given_ = mode.frictions.empty() ? open_ : mode.frictions;
  found_.assign(given_.begin(), given_.end());
  for (std::size_t k = 0; k < found_.size(); ++k) {
    other_side(static_cast<int>(k), at);
    find_slide(static_cast<int>(k), v, w.equations.A);
  }
  ideal_ = w.solution.acceleration;
  ideal_.resize(held_.size(), NAN);
  measure_limits(system, at, w);
  std::vector<int>&open = open_pairs_, &leaving = leaving_pairs_;
  open.clear();
  leaving.clear();
  for (std::size_t k = 0; k < found_.size(); ++k) {
    if (found_[k].grip == Grip::sticks) continue;
    const bool rests = rests_[k] != 0;
    const bool opens = rests && found_[k].grip == Grip::open;
    const bool leaves =
        found_[k].leaving || (rests && found_[k].grip == Grip::slides && found_[k].direction.empty());
    if (opens) open.push_back(static_cast<int>(k));
    if (leaves) leaving.push_back(static_cast<int>(k));
    found_[k].grip = opens || leaves ? Grip::sticks : Grip::slides;
  }
  Equations& e = w.equations;
  stated_ = e.C;
  push_all(system, e);
  // One that leaves its limit begins to slide against the force that has held it.
  for (const int k : leaving) {
    if (found_[k].torn && !found_[k].leaving) {
      open.push_back(k);
      continue;
    }
    found_[k].grip = Grip::slides;
    found_[k].direction = needed_[k];
    for (double& x : found_[k].direction) x = -x;
    normalise(found_[k].direction);
  }
  if (!leaving.empty()) push_all(system, e);
  if (!open.empty() && !all_hold(e)) {
    let_go(system, e, open);
    push_all(system, e);
  }
  for (std::size_t k = 0; k < found_.size(); ++k) {
    for (std::size_t i = 0; i < needed_[k].size() && found_[k].grip == Grip::sticks; ++i)
      e.C[pairs_[k].velocities[i]] += needed_[k][i];
    if (std::isnan(found_[k].limit))
      for (const int i : pairs_[k].velocities) e.C[i] = NAN;
  }
}

}  // namespace vinculum
