// Several pairs at rest, decided together.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "system/modes/friction.hpp"
#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {
namespace {

constexpr double resting = 1e-12;    // an acceleration this small beside its terms is none
constexpr double immovable = 1e-10;  // of a free mass: what answers less to a force is blocked by rows
constexpr double shared = 1e-9;      // of its limit is left to a pair that others help

}  // namespace

/// What a unit force does to the velocities of a pair where no row is in its way, and what the forces do.
Friction::Mobility Friction::freely(const Equations& e, int pair) const {
  Mobility found;
  for (const int i : pairs_[pair].velocities) {
    const double mass = row_of(e.M, i).entry(i);
    if (!(mass > 0)) continue;
    found.answer = std::max(found.answer, 1 / mass);
    found.push += std::fabs(e.Q[i] + e.C[i]) / mass;
  }
  return found;
}

bool Friction::are_few(const std::vector<int>& pairs) const {
  std::size_t velocities = 0;
  for (const int k : pairs) velocities += pairs_[k].velocities.size();
  return velocities <= few_at_rest;
}

/// From all velocities of the pairs to directions of each: those in which it can move, and the one in
/// which rows drive it, if they do.
template <int most>
void Friction::turn_to_directions(const Equations& e, const std::vector<int>& pairs,
                                  CoupledFrictions<most>& t) {
  using Column = VectorAtRest<most>;
  using Square = MatrixAtRest<most>;
  const Eigen::Index all = t.at.a0.size();
  t.basis = Square::Zero(all, all);  // as many columns are of use as it has directions
  int count = 0;
  together_.start.assign(1, 0);
  together_.limit.clear();
  together_.driven.clear();
  together_.driven_at.clear();
  int first = 0;
  for (const int k : pairs) {
    const int width = static_cast<int>(pairs_[k].velocities.size());
    const Mobility free = freely(e, k);
    const auto add = [&](const Column& direction) { t.basis.col(count++).segment(first, width) = direction; };
    const Square W = t.at.W.block(first, first, width, width);
    const Square symmetric = 0.5 * (W + W.transpose());
    const Eigen::SelfAdjointEigenSolver<Square> modes(symmetric);
    const Column a0 = t.at.a0.segment(first, width);
    Column driven = a0;
    for (int j = 0; j < width; ++j) {
      if (!(modes.eigenvalues()(j) > immovable * free.answer)) continue;
      const Column direction = modes.eigenvectors().col(j);
      add(direction);
      driven -= direction.dot(driven) * direction;
    }
    const bool is_driven = driven.norm() > resting * (a0.norm() + free.push);
    if (is_driven) together_.driven_at.push_back(count);
    if (is_driven) add(driven.normalized());
    together_.driven.push_back(is_driven);
    together_.start.push_back(count);
    together_.limit.push_back(found_[k].limit);
    first += width;
  }
  const auto turn = t.basis.leftCols(count);
  const Column a0 = turn.transpose() * t.at.a0;
  const Square answers = t.at.W * turn;
  t.at.a0 = a0;
  t.at.W.noalias() = turn.transpose() * answers;
  for (const int j : together_.driven_at) t.at.W.row(j).setZero();
  for (const int j : together_.driven_at) t.at.W.col(j).setZero();
  t.at.start = together_.start;
  t.at.limit = together_.limit;
  t.at.driven = together_.driven;
}

/// How pairs answer each other's frictions when nothing else holds them.
template <int most>
Friction::CoupledFrictions<most> Friction::together(const System& system, const Equations& e,
                                                    const std::vector<int>& pairs) {
  std::vector<int>& places = together_.places;
  places.clear();
  for (const int k : pairs) {
    found_[k].grip = Grip::open;
    places.insert(places.end(), pairs_[k].velocities.begin(), pairs_[k].velocities.end());
  }
  CoupledFrictions<most> t;
  const int size = static_cast<int>(places.size());
  press(system, e);
  t.at.a0.resize(size);
  t.at.W = MatrixAtRest<most>::Zero(size, size);
  for (int j = 0; j < size; ++j) t.at.a0(j) = holding_solution_.acceleration[places[j]];
  int first = 0;
  for (const int k : pairs) {  // against the other sides
    for (std::size_t i = 0; i < other_[k].rate.size(); ++i)
      t.at.a0(first + static_cast<int>(i)) -= other_[k].rate[i];
    first += static_cast<int>(pairs_[k].velocities.size());
  }
  for (int j = 0; j < size; ++j) {
    holding_.Q.assign(held_.size(), 0.0);
    holding_.b.assign(holding_.b.size(), 0.0);
    holding_.Q[places[j]] = 1.0;
    solve(system.structure(), holding_, holding_work_, holding_solution_, holding_options());
    for (int i = 0; i < size; ++i) t.at.W(i, j) = holding_solution_.acceleration[places[i]];
  }
  turn_to_directions(e, pairs, t);
  t.force = frictions_at_rest(t.at);
  t.acceleration = t.at.a0 + t.at.W * t.force;
  return t;
}

/// Some that are at rest cannot stick: all of them together.
void Friction::let_go(const System& system, const Equations& e, const std::vector<int>& open) {
  if (are_few(open))
    let_go_together<few_at_rest>(system, e, open);
  else
    let_go_together<Eigen::Dynamic>(system, e, open);
}

template <int most>
void Friction::let_go_together(const System& system, const Equations& e, const std::vector<int>& open) {
  const CoupledFrictions<most> t = together<most>(system, e, open);
  int place = 0;  // of the pair among all velocities
  for (std::size_t k = 0; k < open.size(); ++k) {
    const int first = t.at.start[k], width = t.at.start[k + 1] - first;
    FrictionState& pair = found_[open[k]];
    // What is left of an acceleration that friction takes away is rounding of the terms of it.
    const double terms = t.at.a0.segment(first, width).norm() +
                         (t.at.W.middleRows(first, width).cwiseAbs() * t.force.cwiseAbs()).norm();
    const bool slides = t.at.driven[k] || t.acceleration.segment(first, width).norm() > resting * terms;
    pair.grip = slides ? Grip::slides : Grip::sticks;
    pair.direction.assign(slides ? pairs_[open[k]].velocities.size() : 0, 0.0);
    for (int j = first; j < first + width; ++j)
      for (std::size_t i = 0; i < pair.direction.size(); ++i)
        pair.direction[i] += t.acceleration(j) * t.basis(place + static_cast<int>(i), j);
    normalise(pair.direction);
    place += static_cast<int>(pairs_[open[k]].velocities.size());
  }
}

/// Pairs that stick and are tied to each other share their load in many ways: they hold as long as one of
/// these is within all limits. What is beyond them counts as the force that its acceleration would take.
void Friction::share_load(const System& system, const Equations& e) {
  std::vector<int>& sticking = sticking_;
  sticking.clear();
  bool overloaded = false;
  for (std::size_t k = 0; k < found_.size(); ++k) {
    if (found_[k].grip != Grip::sticks) continue;
    sticking.push_back(static_cast<int>(k));
    overloaded = overloaded || found_[k].needed > found_[k].limit;
  }
  if (!overloaded || sticking.size() < 2 || !tied_) return;
  if (are_few(sticking))
    share_load_of<few_at_rest>(system, e, sticking);
  else
    share_load_of<Eigen::Dynamic>(system, e, sticking);
}

template <int most>
void Friction::share_load_of(const System& system, const Equations& e, const std::vector<int>& sticking) {
  together_.before = found_;
  const CoupledFrictions<most> t = together<most>(system, e, sticking);
  found_ = together_.before;
  mark_held();
  int place = 0;  // of the pair among all velocities
  const double terms = t.at.a0.norm();
  const bool holds = t.acceleration.norm() <= resting * terms;
  for (std::size_t k = 0; k < sticking.size(); ++k) {
    const int first = t.at.start[k], width = t.at.start[k + 1] - first;
    FrictionState& pair = found_[sticking[k]];
    std::vector<double>& force = needed_[sticking[k]];
    std::fill(force.begin(), force.end(), 0.0);
    for (int j = first; j < first + width; ++j)
      for (std::size_t i = 0; i < force.size(); ++i)
        force[i] += t.force(j) * t.basis(place + static_cast<int>(i), j);
    place += static_cast<int>(pairs_[sticking[k]].velocities.size());
    // One of many shares may stand at a limit without being about to leave it.
    pair.needed = std::min(length(force), pair.limit * (1 - shared));
    const double answers = t.at.W.block(first, first, width, width).trace();
    const double beyond = t.acceleration.segment(first, width).norm();
    if (!holds && beyond > resting * terms && answers > 0) pair.needed = pair.limit + beyond / answers;
  }
}

}  // namespace vinculum
