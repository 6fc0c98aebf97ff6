#include "system/series/order_solver.hpp"

#include <algorithm>
#include <cmath>

#include "system/system_impl.hpp"
#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {

bool OrderSolver::begin(const Equations& at, SolveWorkspace& solved, DriveScratch* drive,
                        const Solution& found) {
  at_ = &at;
  solved_ = &solved;
  drive_ = drive;
  factorised_ = found.road_used == Road::fast;
  return drive == nullptr || (factorised_ && factorise_drive());
}

bool OrderSolver::solve(const std::vector<double>& force, const std::vector<double>& right) {
  if (drive_ != nullptr) return solve_driven(force, right);
  if (factorised_ && solve_again(system_.structure(), *at_, *solved_, force, right, x, lambda)) return true;
  other_ = *at_;
  other_.Q = force;
  other_.b = right;
  other_.C.clear();
  SolveOptions options = options_for(system_, {});
  options.detail = Detail::motion;
  options.within_step = true;
  vinculum::solve(system_.structure(), other_, *solved_, solution_, options);
  factorised_ = solution_.road_used == Road::fast;
  x = solution_.acceleration;
  lambda = solution_.multipliers;
  return solution_.status == Status::solved;
}

/// What a unit force of each actuator does to the rows of programmes, eliminated by the largest pivots. Where
/// one of these is hardly more than rounding of its column, forces are not unique.
bool OrderSolver::factorise_drive() {
  constexpr double least = 1e-9;
  const Drive& d = *system_.impl().drive;
  const std::size_t n = d.rows.size();
  lu_.resize(n * n);
  pivot_.resize(n);
  const auto g = [&](std::size_t i, std::size_t j) -> double& { return lu_[i * n + j]; };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) g(i, j) = row_of(at_->A, d.rows[i]).dot(drive_->responses[j]);
  for (std::size_t k = 0; k < n; ++k) {
    double size = 0;
    for (std::size_t i = 0; i < n; ++i)
      size = std::max(size, std::fabs(row_of(at_->A, d.rows[i]).dot(drive_->responses[k])));
    std::size_t largest = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::fabs(g(i, k)) > std::fabs(g(largest, k))) largest = i;
    if (!(std::fabs(g(largest, k)) > least * size)) return false;
    pivot_[k] = static_cast<int>(largest);
    for (std::size_t j = 0; j < n && largest != k; ++j) std::swap(g(k, j), g(largest, j));
    for (std::size_t i = k + 1; i < n; ++i) {
      g(i, k) /= g(k, k);
      for (std::size_t j = k + 1; j < n; ++j) g(i, j) -= g(i, k) * g(k, j);
    }
  }
  return true;
}

/// The motion without the actuators, what the programmes miss by it, and the motion with the forces that this
/// takes.
bool OrderSolver::solve_driven(const std::vector<double>& force, const std::vector<double>& right) {
  const Drive& d = *system_.impl().drive;
  const std::size_t n = d.rows.size();
  right_.clear();
  for (const int r : d.others) right_.push_back(right[r]);
  if (!solve_again(d.structure, drive_->at, drive_->solve, force, right_, x, of_rows_)) return false;
  asked_.clear();
  for (const int r : d.rows) asked_.push_back(right[r] - row_of(at_->A, r).dot(x));
  for (std::size_t k = 0; k < n; ++k) std::swap(asked_[k], asked_[pivot_[k]]);
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = k + 1; i < n; ++i) asked_[i] -= lu_[i * n + k] * asked_[k];
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) asked_[k] -= lu_[k * n + j] * asked_[j];
    asked_[k] /= lu_[k * n + k];
  }
  force_ = force;
  for (std::size_t j = 0; j < n; ++j)
    for (const Drive::Effect& part : drive_->effects[j]) force_[part.velocity] += asked_[j] * part.force;
  if (!solve_again(d.structure, drive_->at, drive_->solve, force_, right_, x, of_rows_)) return false;
  lambda.resize(right.size());
  for (std::size_t k = 0; k < d.others.size(); ++k) lambda[d.others[k]] = of_rows_[k];
  for (std::size_t j = 0; j < n; ++j) lambda[d.rows[j]] = asked_[j];
  return true;
}

}  // namespace vinculum
