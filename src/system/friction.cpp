#include "system/friction.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "system/friction_shares.hpp"

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

void take_away(const std::vector<std::vector<double>>& directions, std::vector<double>& from) {
  for (const std::vector<double>& u : directions) {
    const double part = std::inner_product(u.begin(), u.end(), from.begin(), 0.0);
    for (std::size_t i = 0; i < from.size(); ++i) from[i] -= part * u[i];
  }
}

/// The same for one row, over these velocities.
void take_away(const SparseMatrix& rows, int r, const std::vector<int>& velocities,
               std::vector<double>& from) {
  const auto place = [&](int k) {
    return std::find(velocities.begin(), velocities.end(), rows.column[k]) - velocities.begin();
  };
  double part = 0.0, square = 0.0;
  for (int k = rows.start[r]; k < rows.start[r + 1]; ++k) {
    part += rows.value[k] * from[place(k)];
    square += rows.value[k] * rows.value[k];
  }
  for (int k = rows.start[r]; k < rows.start[r + 1] && square > 0; ++k)
    from[place(k)] -= part / square * rows.value[k];
}

/// Orthonormal: x is added where it has something beyond those known.
void add_beyond(std::vector<double> x, std::vector<std::vector<double>>& known) {
  const double size = length(x);
  for (int twice = 0; twice < 2; ++twice) take_away(known, x);
  if (!(length(x) > 1e-10 * size)) return;
  normalise(x);
  known.push_back(std::move(x));
}

}  // namespace

std::vector<ContactInfo> contacts_of(const Model& model) {
  std::vector<ContactInfo> contacts;
  for (const Model::FrictionData& f : model.frictions()) {
    if (f.coefficient.is_constant(0)) continue;
    const auto same = std::find_if(contacts.begin(), contacts.end(),
                                   [&](const ContactInfo& c) { return c.velocities == f.velocities; });
    ContactInfo& contact = same == contacts.end() ? contacts.emplace_back() : *same;
    contact.velocities = f.velocities;
    contact.constraints.push_back(f.constraint);
    contact.coefficients.push_back(0.0);  // known when the parameters are
  }
  return contacts;
}

void hold(Equations& e, std::span<const char> fixed) {
  for (int k = 0; k < e.A.entries(); ++k)
    if (fixed[e.A.column[k]]) e.A.value[k] = 0.0;
  for (int i = 0; i < e.M.rows; ++i)
    for (int k = e.M.start[i]; k < e.M.start[i + 1]; ++k)
      if (e.M.column[k] != i && (fixed[i] || fixed[e.M.column[k]])) e.M.value[k] = 0.0;
}

void set_contacts(Workspace& work, const std::vector<ContactState>& contacts) {
  if (work.impl().friction) work.impl().friction->take(contacts);
}

const std::vector<ContactState>& contacts_of(const Workspace& work) {
  static const std::vector<ContactState> none;
  return work.impl().friction ? work.impl().friction->as_found() : none;
}

Friction::Friction(const System& system)
    : contacts_(system.contacts()),
      laws_(system.impl().contact_laws),
      other_(contacts_.size()),
      registers_(contacts_.size()),
      given_(contacts_.size()),
      found_(given_),
      needed_(given_.size()),
      slide_(given_.size()),
      rests_(given_.size()),
      held_(system.velocity_names().size()),
      held_rate_(held_.size()),
      fixed_(held_.size()),
      holding_(system.values().pattern),
      holding_work_(system.structure()) {
  for (ContactLaw& law : laws_) law.drag.bind(system.values().numbers);
  for (std::size_t k = 0; k < laws_.size(); ++k)
    registers_[k] = registers_for(laws_[k].limit, system.values().numbers);
  const SparseMatrix& a = system.rows_pattern();
  for (const ContactInfo& contact : system.contacts()) {
    const auto slides = [&](int v) {
      return std::find(contact.velocities.begin(), contact.velocities.end(), v) != contact.velocities.end();
    };
    const auto rubs = [&](int r) {
      const std::vector<int>& of = contact.constraints;
      return contact.law.empty() && std::find(of.begin(), of.end(), system.constraint_of_row(r)) != of.end();
    };
    std::vector<int>&rows = own_rows_.emplace_back(), &rubbing = rubbing_rows_.emplace_back();
    for (int r = 0; r < a.rows; ++r) {
      if (!std::all_of(a.column.begin() + a.start[r], a.column.begin() + a.start[r + 1], slides)) continue;
      rows.push_back(r);
      if (rubs(r)) rubbing.push_back(r);
    }
  }
  std::vector<int> owner(held_.size(), -1);
  for (std::size_t k = 0; k < contacts_.size(); ++k)
    for (const int v : contacts_[k].velocities) owner[v] = static_cast<int>(k);
  for (int r = 0; r < a.rows; ++r) {
    std::set<int> owners;
    for (int k = a.start[r]; k < a.start[r + 1]; ++k) owners.insert(owner[a.column[k]]);
    tied_ = tied_ || (owners.size() > 1 && !owners.contains(-1));
  }
}

void Friction::take(const std::vector<ContactState>& contacts) {
  given_ = found_ = contacts;
  mark_held();
}

void Friction::rest(std::vector<double>& acceleration) const {
  if (!any_held_) return;
  for (std::size_t i = 0; i < acceleration.size(); ++i)
    if (held_[i]) acceleration[i] = held_rate_[i];
}

const Friction::OtherSide& Friction::other_side(int contact, const StateView& at) {
  OtherSide& other = other_[contact];
  if (laws_[contact].drag.moves()) laws_[contact].drag.at(at, other.velocity, other.rate);
  return other;
}

/// The velocity against the other side. Inside a step velocities miss the rows by its error, which is more
/// than what begins to slide has: friction is across the rows that press. At rest is what is left of
/// velocities that are taken from each other by rounding alone.
void Friction::find_slide(int contact, const double* v, const SparseMatrix& rows) {
  const std::vector<int>& velocities = contacts_[contact].velocities;
  const std::vector<double>& other = other_[contact].velocity;
  std::vector<double>& u = slide_[contact];
  u.resize(velocities.size());
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = v[velocities[i]] - (other.empty() ? 0.0 : other[i]);
  const double rounded = length(other) + length(u);
  if (rubbing_rows_[contact].size() == 1)
    take_away(rows, rubbing_rows_[contact].front(), velocities, u);
  else
    take_away(span_of(rows, contact, rubbing_rows_[contact]), u);
  rests_[contact] = length(u) <= difference * rounded;
}

/// mu |A_c^T lambda_c|, summed over the constraints of each contact; where rows depend on each other, over
/// what presses.
void Friction::measure_limits(const System& system, const StateView& at, const Workspace::Impl& w) {
  const SparseMatrix& a = w.equations.A;
  for (std::size_t k = 0; k < found_.size(); ++k) {
    if (laws_[k].limit.empty()) continue;
    laws_[k].limit.evaluate(at, registers_[k], limit_);
    // A force along the motion has no direction at rest.
    found_[k].limit = limit_[0] < 0 && rests_[k] ? NAN : limit_[0];
    found_[k].needed = 0.0;
  }
  if (!w.solution.multipliers_unique) {
    for (std::size_t k = 0; k < found_.size(); ++k) {
      if (!laws_[k].limit.empty()) continue;
      Pressing pressing = pressing_of(system, contacts_[k], own_rows_[k], w.equations, w.solution);
      found_[k].limit = pressing.limit;
      found_[k].needed = 0.0;
      found_[k].together = std::move(pressing.together);
      found_[k].handed_over = std::move(pressing.handed_over);
      found_[k].chosen = std::move(pressing.chosen);
    }
    return;
  }
  std::vector<double> force(system.velocity_names().size());
  for (std::size_t k = 0; k < found_.size(); ++k) {
    const ContactInfo& contact = system.contacts()[k];
    if (!laws_[k].limit.empty()) continue;
    found_[k].limit = found_[k].needed = 0.0;
    found_[k].together.clear();
    found_[k].handed_over.clear();
    found_[k].chosen.clear();
    for (std::size_t c = 0; c < contact.constraints.size(); ++c) {
      const ConstraintInfo& info = system.constraints()[contact.constraints[c]];
      std::fill(force.begin(), force.end(), 0.0);
      for (int r = info.first_row; r < info.first_row + info.row_count; ++r)
        for (int j = a.start[r]; j < a.start[r + 1]; ++j)
          force[a.column[j]] += a.value[j] * w.solution.multipliers[r];
      found_[k].limit += contact.coefficients[c] * length(force);
    }
  }
}

void Friction::push_sliding(Equations& e) {
  for (std::size_t k = 0; k < found_.size(); ++k) {
    if (found_[k].grip != Grip::slides) continue;
    const ContactInfo& contact = contacts_[k];
    const std::vector<double>& along = found_[k].leaving || rests_[k] ? found_[k].direction : slide_[k];
    const double size = length(along);
    for (std::size_t i = 0; i < along.size() && size > 0; ++i)
      e.C[contact.velocities[i]] -= found_[k].limit * (along[i] / size);
  }
}

void Friction::mark_held() {
  any_held_ = any_fixed_ = false;
  std::fill(fixed_.begin(), fixed_.end(), 0);
  std::fill(held_.begin(), held_.end(), 0);
  std::fill(held_rate_.begin(), held_rate_.end(), 0.0);
  for (std::size_t k = 0; k < found_.size(); ++k) {
    if (found_[k].grip != Grip::sticks) continue;
    for (std::size_t i = 0; i < contacts_[k].velocities.size(); ++i) {
      const int v = contacts_[k].velocities[i];
      held_[v] = any_held_ = true;
      if (!contacts_[k].moves) fixed_[v] = any_fixed_ = true;
      if (!other_[k].rate.empty()) held_rate_[v] = other_[k].rate[i];
    }
  }
}

/// What is held on something that moves takes its acceleration to the rows and masses it is part of.
void Friction::carry_held() {
  for (int r = 0; r < holding_.A.rows; ++r)
    for (int k = holding_.A.start[r]; k < holding_.A.start[r + 1]; ++k)
      holding_.b[r] -= holding_.A.value[k] * held_rate_[holding_.A.column[k]];
  for (int i = 0; i < holding_.M.rows; ++i)
    for (int k = holding_.M.start[i]; k < holding_.M.start[i + 1] && !held_[i]; ++k)
      holding_.Q[i] -= holding_.M.value[k] * held_rate_[holding_.M.column[k]];
}

/// The motion with what sticks held, and the force that holds each contact.
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
    needed_[k] = needed_of(e, static_cast<int>(k));
    found_[k].needed = length(needed_[k]);
  }
}

/// What is missing in M q'' = Q + C + A^T lambda on the velocities of a contact. Rows that act on these alone
/// press, and rubbing is across them.
std::vector<double> Friction::needed_of(const Equations& e, int contact) const {
  const std::vector<int>& velocities = contacts_[contact].velocities;
  const auto place = [&](int v) {
    const auto at = std::find(velocities.begin(), velocities.end(), v);
    return at == velocities.end() ? -1 : static_cast<int>(at - velocities.begin());
  };
  std::vector<double> force;
  for (const int i : velocities) {
    double sum = -e.Q[i] - e.C[i];
    for (int k = e.M.start[i]; k < e.M.start[i + 1]; ++k)
      sum += e.M.value[k] * holding_solution_.acceleration[e.M.column[k]];
    force.push_back(sum);
  }
  for (int r = 0; r < e.A.rows; ++r)
    for (int k = e.A.start[r]; k < e.A.start[r + 1]; ++k)
      if (const int i = place(e.A.column[k]); i >= 0)
        force[i] -= e.A.value[k] * holding_solution_.multipliers[r];
  std::vector<double> needed(force.size());
  for (const std::vector<double>& along : sliding_directions(e, contact)) {
    const double part = std::inner_product(along.begin(), along.end(), force.begin(), 0.0);
    for (std::size_t i = 0; i < needed.size(); ++i) needed[i] += part * along[i];
  }
  return needed;
}

/// An orthonormal basis, over its velocities, of what some of its own rows span.
std::vector<std::vector<double>> Friction::span_of(const SparseMatrix& rows, int contact,
                                                   const std::vector<int>& chosen) const {
  const std::vector<int>& velocities = contacts_[contact].velocities;
  std::vector<std::vector<double>> span;
  for (const int r : chosen) {
    std::vector<double> row(velocities.size());
    for (int k = rows.start[r]; k < rows.start[r + 1]; ++k)
      row[std::find(velocities.begin(), velocities.end(), rows.column[k]) - velocities.begin()] =
          rows.value[k];
    add_beyond(std::move(row), span);
  }
  return span;
}

/// The same of the directions across the rows that act on these alone.
std::vector<std::vector<double>> Friction::sliding_directions(const Equations& e, int contact) const {
  std::vector<std::vector<double>> all = span_of(e.A, contact, own_rows_[contact]);
  const std::size_t width = contacts_[contact].velocities.size(), pressing = all.size();
  for (std::size_t i = 0; i < width && all.size() < width; ++i) {
    std::vector<double> axis(width);
    axis[i] = 1.0;
    add_beyond(std::move(axis), all);
  }
  return {all.begin() + static_cast<std::ptrdiff_t>(pressing), all.end()};
}

/// Whether every row is kept while what sticks has no acceleration. Inside a step redundant rows disagree by
/// the truncation error, and then the ideal motion misses them as well.
bool Friction::rows_hold(const Equations& e) const {
  const std::vector<double>& held = holding_solution_.acceleration;
  for (int r = 0; r < e.A.rows; ++r) {
    double miss = -e.b[r], ideal_miss = -e.b[r], terms = std::fabs(e.b[r]), size = 0.0;
    for (int k = e.A.start[r]; k < e.A.start[r + 1]; ++k) {
      const int v = e.A.column[k];
      miss += e.A.value[k] * held[v];
      ideal_miss += e.A.value[k] * ideal_[v];
      terms += std::fabs(e.A.value[k] * held[v]);
      size += std::fabs(e.A.value[k]);
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
    for (const int i : contacts_[k].velocities)
      weight = std::max(weight, std::fabs(e.Q[i]) + std::fabs(e.C[i]));
    if (found_[k].needed > found_[k].limit * (1 + edge_of_limit) + rounding * weight) return false;
    if (found_[k].torn) return false;
  }
  return true;
}

void Friction::resolve(const System& system, const StateView& at, Workspace::Impl& w) {
  const double* v = at.part[2];
  found_ = given_;
  for (std::size_t k = 0; k < found_.size(); ++k) {
    other_side(static_cast<int>(k), at);
    find_slide(static_cast<int>(k), v, w.equations.A);
  }
  ideal_ = w.solution.acceleration;
  ideal_.resize(held_.size(), NAN);
  measure_limits(system, at, w);
  std::vector<int> open, leaving;
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
  const std::vector<double> stated = e.C;
  const auto push = [&] {
    e.C = stated;
    push_sliding(e);
    press(system, e);
    share_load(system, e);
  };
  push();
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
  if (!leaving.empty()) push();
  if (!open.empty() && !all_hold(e)) {
    let_go(system, e, open);
    push();
  }
  for (std::size_t k = 0; k < found_.size(); ++k) {
    for (std::size_t i = 0; i < needed_[k].size() && found_[k].grip == Grip::sticks; ++i)
      e.C[contacts_[k].velocities[i]] += needed_[k][i];
    if (std::isnan(found_[k].limit))
      for (const int i : contacts_[k].velocities) e.C[i] = NAN;
  }
}

}  // namespace vinculum
