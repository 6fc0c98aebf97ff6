#include "system/friction.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum {
namespace {

constexpr int most_turns = 200;           // of the direction in which a contact begins to slide
constexpr double same_direction = 1e-14;  // a few roundings of a unit vector
constexpr double edge = 1e-12;            // a force this near its limit is at it: both are rounded sums

double length(std::span<const double> x) {
  double sum = 0.0;
  for (const double value : x) sum += value * value;
  return std::sqrt(sum);
}

/// Unit length; zero stays zero.
void normalise(std::vector<double>& x) {
  const double size = length(x);
  if (size > 0)
    for (double& value : x) value /= size;
}

std::vector<double> part_of(std::span<const double> x, const std::vector<int>& places) {
  std::vector<double> part;
  for (const int i : places) part.push_back(x[i]);
  return part;
}

bool at_rest(std::span<const double> v, const ContactInfo& contact) {
  return std::all_of(contact.velocities.begin(), contact.velocities.end(), [&](int i) { return v[i] == 0; });
}

}  // namespace

std::vector<ContactInfo> contacts_of(const Model& model) {
  std::vector<ContactInfo> contacts;
  for (const Model::FrictionData& f : model.frictions()) {
    if (f.coefficient.value() == 0) continue;
    const auto same = std::find_if(contacts.begin(), contacts.end(),
                                   [&](const ContactInfo& c) { return c.velocities == f.velocities; });
    ContactInfo& contact = same == contacts.end() ? contacts.emplace_back() : *same;
    contact.velocities = f.velocities;
    contact.constraints.push_back(f.constraint);
    contact.coefficients.push_back(f.coefficient.value());
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
      given_(contacts_.size()),
      found_(given_),
      needed_(given_.size()),
      held_(system.velocity_names().size()),
      holding_(system.impl().pattern),
      holding_work_(system.structure()) {
  const SparseMatrix& a = system.rows_pattern();
  for (const ContactInfo& contact : system.contacts()) {
    const auto slides = [&](int v) {
      return std::find(contact.velocities.begin(), contact.velocities.end(), v) != contact.velocities.end();
    };
    std::vector<int>& rows = own_rows_.emplace_back();
    for (int r = 0; r < a.rows; ++r)
      if (std::all_of(a.column.begin() + a.start[r], a.column.begin() + a.start[r + 1], slides))
        rows.push_back(r);
  }
}

void Friction::take(const std::vector<ContactState>& contacts) {
  given_ = found_ = contacts;
  mark_held();
}

void Friction::rest(std::vector<double>& acceleration) const {
  if (!any_held_) return;
  for (std::size_t i = 0; i < acceleration.size(); ++i)
    if (held_[i]) acceleration[i] = 0.0;
}

/// mu |A_c^T lambda_c|, summed over the constraints of each contact.
void Friction::measure_limits(const System& system, const Workspace::Impl& w) {
  const SparseMatrix& a = w.equations.A;
  std::vector<double> force(system.velocity_names().size());
  for (std::size_t k = 0; k < found_.size(); ++k) {
    const ContactInfo& contact = system.contacts()[k];
    found_[k].limit = found_[k].needed = 0.0;
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

void Friction::push_sliding(const System& system, std::span<const double> v, Equations& e) {
  for (std::size_t k = 0; k < found_.size(); ++k) {
    if (found_[k].grip != Grip::slides) continue;
    const ContactInfo& contact = system.contacts()[k];
    std::vector<double> along = at_rest(v, contact) ? found_[k].direction : part_of(v, contact.velocities);
    normalise(along);
    for (std::size_t i = 0; i < along.size(); ++i) e.C[contact.velocities[i]] -= found_[k].limit * along[i];
  }
}

void Friction::mark_held() {
  any_held_ = false;
  std::fill(held_.begin(), held_.end(), 0);
  for (std::size_t k = 0; k < found_.size(); ++k)
    if (found_[k].grip == Grip::sticks)
      for (const int i : contacts_[k].velocities) held_[i] = any_held_ = true;
}

/// The motion with what sticks held, and the force that holds each contact.
void Friction::press(const System& system, const Equations& e) {
  mark_held();
  holding_.M.value = e.M.value;
  holding_.A.value = e.A.value;
  holding_.b = e.b;
  holding_.C.clear();
  for (std::size_t i = 0; i < held_.size(); ++i) holding_.Q[i] = held_[i] ? 0.0 : e.Q[i] + e.C[i];
  hold(holding_, held_);
  SolveOptions options;
  options.detail = Detail::motion;
  options.within_step = true;
  solve(system.structure(), holding_, holding_work_, holding_solution_, options);
  holding_solution_.acceleration.resize(held_.size(), NAN);
  holding_solution_.multipliers.resize(system.row_names().size(), 0.0);
  for (std::size_t k = 0; k < found_.size(); ++k) {
    if (found_[k].grip != Grip::sticks) continue;
    needed_[k] = needed_of(system, e, static_cast<int>(k));
    found_[k].needed = length(needed_[k]);
  }
}

/// What is missing in M q'' = Q + C + A^T lambda on the velocities of a contact. Rows that act on these alone
/// press, and rubbing is across them.
std::vector<double> Friction::needed_of(const System& system, const Equations& e, int contact) const {
  const std::vector<int>& velocities = system.contacts()[contact].velocities;
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
  std::vector<std::vector<double>> pressing;  // orthonormal
  for (const int r : own_rows_[contact]) {
    std::vector<double> row(velocities.size());
    for (int k = e.A.start[r]; k < e.A.start[r + 1]; ++k) row[place(e.A.column[k])] = e.A.value[k];
    const double size = length(row);
    const auto take = [](const std::vector<double>& along, std::vector<double>& from) {
      double part = 0.0;
      for (std::size_t i = 0; i < from.size(); ++i) part += along[i] * from[i];
      for (std::size_t i = 0; i < from.size(); ++i) from[i] -= part * along[i];
    };
    for (int twice = 0; twice < 2; ++twice)
      for (const auto& before : pressing) take(before, row);
    if (!(length(row) > 1e-10 * size)) continue;
    normalise(row);
    take(row, force);
    pressing.push_back(std::move(row));
  }
  return force;
}

/// A row whose velocities are all held must ask for no acceleration.
bool Friction::can_hold(const System& system, const Equations& e, int contact) const {
  const std::vector<int>& velocities = system.contacts()[contact].velocities;
  for (int r = 0; r < e.A.rows; ++r) {
    bool touches = false, all_held = true;
    double size = 0.0;
    for (int k = e.A.start[r]; k < e.A.start[r + 1]; ++k) {
      const int v = e.A.column[k];
      touches = touches || std::find(velocities.begin(), velocities.end(), v) != velocities.end();
      all_held = all_held && held_[v];
      size += std::fabs(e.A.value[k]);
    }
    if (touches && all_held && std::fabs(e.b[r]) > edge * size) return false;
  }
  return true;
}

/// Of the contacts that are taken to stick: the one that can do so least; -1 where all can.
int Friction::first_to_slide(const System& system, const Equations& e) const {
  int first = -1;
  double most = 1.0 + edge;
  for (std::size_t k = 0; k < found_.size(); ++k) {
    if (found_[k].grip != Grip::sticks || given_[k].grip == Grip::sticks) continue;
    const ContactState& contact = found_[k];
    const bool must = given_[k].grip == Grip::slides || !can_hold(system, e, static_cast<int>(k));
    double weight = 0.0;  // of what is held: rounding of its sum is no force
    for (const int i : system.contacts()[k].velocities) weight = std::max(weight, std::fabs(e.Q[i] + e.C[i]));
    const double ratio = must                               ? INFINITY
                         : contact.needed <= 1e-15 * weight ? 0.0
                         : contact.limit > 0                ? contact.needed / contact.limit
                                                            : INFINITY;
    if (ratio > most) {
      most = ratio;
      first = static_cast<int>(k);
      if (must) break;
    }
  }
  return first;
}

/// A contact slides from rest where its acceleration goes, which friction against that direction changes.
void Friction::find_direction(const System& system, std::span<const double> v,
                              const std::vector<double>& stated, int contact, Equations& e) {
  ContactState& c = found_[contact];
  c.direction = needed_[contact];
  for (double& x : c.direction) x = -x;
  normalise(c.direction);
  for (int turn = 0; turn < most_turns; ++turn) {
    e.C = stated;
    push_sliding(system, v, e);
    press(system, e);
    std::vector<double> along =
        part_of(holding_solution_.acceleration, system.contacts()[contact].velocities);
    normalise(along);
    double change = 0.0;
    for (std::size_t i = 0; i < along.size(); ++i)
      change = std::max(change, std::fabs(along[i] - c.direction[i]));
    if (!(length(along) > 0) || !(change > same_direction)) return;
    // Half-way after a few turns: where it would go to and fro.
    for (std::size_t i = 0; i < along.size() && turn > 20; ++i) along[i] += c.direction[i];
    normalise(along);
    if (!(length(along) > 0)) return;
    c.direction = along;
  }
}

void Friction::resolve(const System& system, std::span<const double> v, Workspace::Impl& w) {
  found_ = given_;
  measure_limits(system, w);
  for (std::size_t k = 0; k < found_.size(); ++k) {
    const bool rests = at_rest(v, system.contacts()[k]);
    const bool undecided = found_[k].grip == Grip::open || found_[k].direction.empty();
    if (found_[k].grip == Grip::sticks) continue;
    found_[k].grip = rests && undecided ? Grip::sticks : Grip::slides;
  }
  Equations& e = w.equations;
  const std::vector<double> stated = e.C;
  while (true) {
    e.C = stated;
    push_sliding(system, v, e);
    mark_held();
    if (!any_held_) return;
    press(system, e);
    const int next = first_to_slide(system, e);
    if (next < 0) break;
    found_[next].grip = Grip::slides;
    find_direction(system, v, stated, next, e);
  }
  for (std::size_t k = 0; k < found_.size(); ++k)
    for (std::size_t i = 0; i < needed_[k].size() && found_[k].grip == Grip::sticks; ++i)
      e.C[system.contacts()[k].velocities[i]] += needed_[k][i];
}

}  // namespace vinculum
