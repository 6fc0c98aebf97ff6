// One linear system for all orders of a series.
#pragma once
#include <vector>

#include "system/evaluate/control.hpp"

namespace vinculum {

/// M x - A^T lambda = force,  A x = right  with the M and A of a state. Where programmes have actuators, the
/// forces of these stand among lambda, in the places of their rows.
class OrderSolver {
 public:
  explicit OrderSolver(const System& system) : system_(system) {}
  /// At a state whose acceleration was just found, with these workspaces, by the fast road or another. False
  /// where the forces of actuators are not unique.
  bool begin(const Equations& at, SolveWorkspace& solved, DriveScratch* drive, const Solution& found);
  /// False where there is no solution.
  bool solve(const std::vector<double>& force, const std::vector<double>& right);
  std::vector<double> x, lambda;

 private:
  bool solve_driven(const std::vector<double>& force, const std::vector<double>& right);
  bool factorise_drive();

  const System& system_;
  const Equations* at_ = nullptr;
  SolveWorkspace* solved_ = nullptr;
  DriveScratch* drive_ = nullptr;
  bool factorised_ = false;  // by the fast road
  Solution solution_;
  Equations other_;  // with other right sides, for other roads
  std::vector<double> lu_, asked_, force_, right_, of_rows_;
  std::vector<int> pivot_;
};

}  // namespace vinculum
