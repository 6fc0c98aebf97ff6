#include "system/friction.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace vinculum {
namespace {

constexpr double rounding = 1e-15;   // of the forces on what is held
constexpr double resting = 1e-12;    // an acceleration this small beside its terms is none
constexpr double broken = 1e-6;      // of its terms: a row that what is held does not keep
constexpr double immovable = 1e-10;  // of a free mass: what answers less to a force is blocked by rows
constexpr double shared = 1e-9;      // of its limit is left to a contact that others help

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

void Friction::push_sliding(std::span<const double> v, Equations& e) {
  for (std::size_t k = 0; k < found_.size(); ++k) {
    if (found_[k].grip != Grip::slides) continue;
    const ContactInfo& contact = contacts_[k];
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
  solve(system.structure(), holding_, holding_work_, holding_solution_, holding_options());
  holding_solution_.acceleration.resize(held_.size(), NAN);
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

/// An orthonormal basis, over its velocities, of the directions across the rows that act on these alone.
std::vector<std::vector<double>> Friction::sliding_directions(const Equations& e, int contact) const {
  const std::vector<int>& velocities = contacts_[contact].velocities;
  const std::size_t width = velocities.size();
  std::vector<std::vector<double>> pressing, sliding;
  const auto add_beyond = [](std::vector<double> x, const auto& known, const auto& more, auto& to) {
    const double size = length(x);
    for (int twice = 0; twice < 2; ++twice)
      for (const auto* list : {&known, &more})
        for (const std::vector<double>& u : *list) {
          const double part = std::inner_product(u.begin(), u.end(), x.begin(), 0.0);
          for (std::size_t i = 0; i < x.size(); ++i) x[i] -= part * u[i];
        }
    if (!(length(x) > 1e-10 * size)) return;
    normalise(x);
    to.push_back(std::move(x));
  };
  for (const int r : own_rows_[contact]) {
    std::vector<double> row(width);
    for (int k = e.A.start[r]; k < e.A.start[r + 1]; ++k)
      row[std::find(velocities.begin(), velocities.end(), e.A.column[k]) - velocities.begin()] = e.A.value[k];
    add_beyond(row, pressing, sliding, pressing);
  }
  for (std::size_t i = 0; i < width && pressing.size() + sliding.size() < width; ++i) {
    std::vector<double> axis(width);
    axis[i] = 1.0;
    add_beyond(axis, pressing, sliding, sliding);
  }
  return sliding;
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

/// What a unit force does to the velocities of a contact where no row is in its way, and what the forces do.
Friction::Freely Friction::freely(const Equations& e, int contact) const {
  Freely found;
  for (const int i : contacts_[contact].velocities)
    for (int k = e.M.start[i]; k < e.M.start[i + 1]; ++k) {
      if (e.M.column[k] != i || !(e.M.value[k] > 0)) continue;
      found.answer = std::max(found.answer, 1 / e.M.value[k]);
      found.push += std::fabs(e.Q[i] + e.C[i]) / e.M.value[k];
    }
  return found;
}

/// From all velocities of the contacts to directions of each: those in which it can move, and the one in
/// which rows drive it, if they do.
void Friction::turn_to_directions(const Equations& e, const std::vector<int>& contacts, Together& t) const {
  const Eigen::Index all = t.at.a0.size();
  Eigen::MatrixXd turn = Eigen::MatrixXd::Zero(all, all);  // as many columns as it has directions
  std::vector<int> driven_at;
  t.at.start.push_back(0);
  int first = 0;
  for (const int k : contacts) {
    const int width = static_cast<int>(contacts_[k].velocities.size());
    const Freely free = freely(e, k);
    const auto add = [&](const Eigen::VectorXd& direction) {
      turn.col(static_cast<Eigen::Index>(t.basis.size())).segment(first, width) = direction;
      t.basis.emplace_back(direction.begin(), direction.end());
    };
    const Eigen::MatrixXd W = t.at.W.block(first, first, width, width);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> modes(0.5 * (W + W.transpose()));
    const Eigen::VectorXd a0 = t.at.a0.segment(first, width);
    Eigen::VectorXd driven = a0;
    for (int j = 0; j < width; ++j) {
      if (!(modes.eigenvalues()(j) > immovable * free.answer)) continue;
      const Eigen::VectorXd direction = modes.eigenvectors().col(j);
      add(direction);
      driven -= direction.dot(driven) * direction;
    }
    t.at.driven.push_back(driven.norm() > resting * (a0.norm() + free.push));
    if (t.at.driven.back()) driven_at.push_back(static_cast<int>(t.basis.size()));
    if (t.at.driven.back()) add(driven.normalized());
    t.at.start.push_back(static_cast<int>(t.basis.size()));
    t.at.limit.push_back(found_[k].limit);
    first += width;
  }
  turn.conservativeResize(all, static_cast<Eigen::Index>(t.basis.size()));
  t.at.a0 = (turn.transpose() * t.at.a0).eval();
  t.at.W = (turn.transpose() * t.at.W * turn).eval();
  for (const int j : driven_at) t.at.W.row(j).setZero();
  for (const int j : driven_at) t.at.W.col(j).setZero();
}

/// How contacts answer each other's frictions when nothing else holds them.
Friction::Together Friction::together(const System& system, const Equations& e,
                                      const std::vector<int>& contacts) {
  std::vector<int> places;
  for (const int k : contacts) {
    found_[k].grip = Grip::open;
    places.insert(places.end(), contacts_[k].velocities.begin(), contacts_[k].velocities.end());
  }
  Together t;
  const int size = static_cast<int>(places.size());
  press(system, e);
  t.at.a0.resize(size);
  t.at.W = Eigen::MatrixXd::Zero(size, size);
  for (int j = 0; j < size; ++j) t.at.a0(j) = holding_solution_.acceleration[places[j]];
  for (int j = 0; j < size; ++j) {
    holding_.Q.assign(held_.size(), 0.0);
    holding_.b.assign(holding_.b.size(), 0.0);
    holding_.Q[places[j]] = 1.0;
    solve(system.structure(), holding_, holding_work_, holding_solution_, holding_options());
    for (int i = 0; i < size; ++i) t.at.W(i, j) = holding_solution_.acceleration[places[i]];
  }
  turn_to_directions(e, contacts, t);
  t.force = frictions_at_rest(t.at);
  t.acceleration = t.at.a0 + t.at.W * t.force;
  return t;
}

/// Some that are at rest cannot stick: all of them together.
void Friction::let_go(const System& system, const Equations& e, const std::vector<int>& open) {
  const Together t = together(system, e, open);
  for (std::size_t k = 0; k < open.size(); ++k) {
    const int first = t.at.start[k], width = t.at.start[k + 1] - first;
    ContactState& contact = found_[open[k]];
    // What is left of an acceleration that friction takes away is rounding of the terms of it.
    const double terms = t.at.a0.segment(first, width).norm() +
                         (t.at.W.middleRows(first, width).cwiseAbs() * t.force.cwiseAbs()).norm();
    const bool slides = t.at.driven[k] || t.acceleration.segment(first, width).norm() > resting * terms;
    contact.grip = slides ? Grip::slides : Grip::sticks;
    contact.direction.clear();
    if (!slides) continue;
    contact.direction.assign(contacts_[open[k]].velocities.size(), 0.0);
    for (int j = first; j < first + width; ++j)
      for (std::size_t i = 0; i < contact.direction.size(); ++i)
        contact.direction[i] += t.acceleration(j) * t.basis[j][i];
    normalise(contact.direction);
  }
}

/// Contacts that stick and are tied to each other share their load in many ways: they hold as long as one of
/// these is within all limits. What is beyond them counts as the force that its acceleration would take.
void Friction::share_load(const System& system, const Equations& e) {
  std::vector<int> sticking;
  bool overloaded = false;
  for (std::size_t k = 0; k < found_.size(); ++k) {
    if (found_[k].grip != Grip::sticks) continue;
    sticking.push_back(static_cast<int>(k));
    overloaded = overloaded || found_[k].needed > found_[k].limit;
  }
  if (!overloaded || sticking.size() < 2 || !tied_) return;
  const std::vector<ContactState> before = found_;
  const Together t = together(system, e, sticking);
  found_ = before;
  mark_held();
  const double terms = t.at.a0.norm();
  const bool holds = t.acceleration.norm() <= resting * terms;
  for (std::size_t k = 0; k < sticking.size(); ++k) {
    const int first = t.at.start[k], width = t.at.start[k + 1] - first;
    ContactState& contact = found_[sticking[k]];
    std::vector<double>& force = needed_[sticking[k]];
    std::fill(force.begin(), force.end(), 0.0);
    for (int j = first; j < first + width; ++j)
      for (std::size_t i = 0; i < force.size(); ++i) force[i] += t.force(j) * t.basis[j][i];
    // One of many shares may stand at a limit without being about to leave it.
    contact.needed = std::min(length(force), contact.limit * (1 - shared));
    const double answers = t.at.W.block(first, first, width, width).trace();
    const double beyond = t.acceleration.segment(first, width).norm();
    if (!holds && beyond > resting * terms && answers > 0) contact.needed = contact.limit + beyond / answers;
  }
}

void Friction::resolve(const System& system, std::span<const double> v, Workspace::Impl& w) {
  found_ = given_;
  ideal_ = w.solution.acceleration;
  ideal_.resize(held_.size(), NAN);
  measure_limits(system, w);
  std::vector<int> open, leaving;
  for (std::size_t k = 0; k < found_.size(); ++k) {
    if (found_[k].grip == Grip::sticks) continue;
    const bool rests = at_rest(v, contacts_[k]);
    if (rests && found_[k].grip == Grip::open) open.push_back(static_cast<int>(k));
    if (rests && found_[k].grip == Grip::slides && found_[k].direction.empty())
      leaving.push_back(static_cast<int>(k));
    const bool undecided = rests && (found_[k].grip == Grip::open || found_[k].direction.empty());
    found_[k].grip = undecided ? Grip::sticks : Grip::slides;
  }
  Equations& e = w.equations;
  const std::vector<double> stated = e.C;
  const auto push = [&] {
    e.C = stated;
    push_sliding(v, e);
    press(system, e);
    share_load(system, e);
  };
  push();
  // One that leaves its limit begins to slide against the force that has held it.
  for (const int k : leaving) {
    if (found_[k].torn) {
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
  for (std::size_t k = 0; k < found_.size(); ++k)
    for (std::size_t i = 0; i < needed_[k].size() && found_[k].grip == Grip::sticks; ++i)
      e.C[contacts_[k].velocities[i]] += needed_[k][i];
}

}  // namespace vinculum
