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

/// From all velocities of the pairs to directions of each: those in which it can move, and the one in
/// which rows drive it, if they do.
void Friction::turn_to_directions(const Equations& e, const std::vector<int>& pairs,
                                  CoupledFrictions& t) const {
  const Eigen::Index all = t.at.a0.size();
  Eigen::MatrixXd turn = Eigen::MatrixXd::Zero(all, all);  // as many columns as it has directions
  std::vector<int> driven_at;
  t.at.start.push_back(0);
  int first = 0;
  for (const int k : pairs) {
    const int width = static_cast<int>(pairs_[k].velocities.size());
    const Mobility free = freely(e, k);
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

/// How pairs answer each other's frictions when nothing else holds them.
Friction::CoupledFrictions Friction::together(const System& system, const Equations& e,
                                              const std::vector<int>& pairs) {
  std::vector<int> places;
  for (const int k : pairs) {
    found_[k].grip = Grip::open;
    places.insert(places.end(), pairs_[k].velocities.begin(), pairs_[k].velocities.end());
  }
  CoupledFrictions t;
  const int size = static_cast<int>(places.size());
  press(system, e);
  t.at.a0.resize(size);
  t.at.W = Eigen::MatrixXd::Zero(size, size);
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
  const CoupledFrictions t = together(system, e, open);
  for (std::size_t k = 0; k < open.size(); ++k) {
    const int first = t.at.start[k], width = t.at.start[k + 1] - first;
    FrictionState& pair = found_[open[k]];
    // What is left of an acceleration that friction takes away is rounding of the terms of it.
    const double terms = t.at.a0.segment(first, width).norm() +
                         (t.at.W.middleRows(first, width).cwiseAbs() * t.force.cwiseAbs()).norm();
    const bool slides = t.at.driven[k] || t.acceleration.segment(first, width).norm() > resting * terms;
    pair.grip = slides ? Grip::slides : Grip::sticks;
    pair.direction.clear();
    if (!slides) continue;
    pair.direction.assign(pairs_[open[k]].velocities.size(), 0.0);
    for (int j = first; j < first + width; ++j)
      for (std::size_t i = 0; i < pair.direction.size(); ++i)
        pair.direction[i] += t.acceleration(j) * t.basis[j][i];
    normalise(pair.direction);
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
  const std::vector<FrictionState> before = found_;
  const CoupledFrictions t = together(system, e, sticking);
  found_ = before;
  mark_held();
  const double terms = t.at.a0.norm();
  const bool holds = t.acceleration.norm() <= resting * terms;
  for (std::size_t k = 0; k < sticking.size(); ++k) {
    const int first = t.at.start[k], width = t.at.start[k + 1] - first;
    FrictionState& pair = found_[sticking[k]];
    std::vector<double>& force = needed_[sticking[k]];
    std::fill(force.begin(), force.end(), 0.0);
    for (int j = first; j < first + width; ++j)
      for (std::size_t i = 0; i < force.size(); ++i) force[i] += t.force(j) * t.basis[j][i];
    // One of many shares may stand at a limit without being about to leave it.
    pair.needed = std::min(length(force), pair.limit * (1 - shared));
    const double answers = t.at.W.block(first, first, width, width).trace();
    const double beyond = t.acceleration.segment(first, width).norm();
    if (!holds && beyond > resting * terms && answers > 0) pair.needed = pair.limit + beyond / answers;
  }
}

}  // namespace vinculum
