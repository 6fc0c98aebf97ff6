// Control forces, and programmes whose forces act on some coordinates only.
#pragma once
#include <memory>

#include "system/compile/elements.hpp"
#include "system/evaluate/least_drive.hpp"
#include "vinculum/system/control.hpp"

namespace vinculum {

/// The programmes whose forces act on some velocities only, all together:
///     M q'' = Q + A_p^T lambda_p + B^T u,    A_p q'' = b_p,    A_s q'' = b_s
/// s are the rows of these programmes, p all others, and a row of B is what a unit force of an actuator is on
/// the velocities. Of all u that meet the programmes those are taken that make Gauss's function
/// (q''-a)^T M (q''-a) least, and of these, which differ by what other rows take up, the one of least norm.
struct Drive {
  Drive(const Model& model, const std::vector<ConstraintInfo>& constraints, const Equations& pattern);
  std::vector<int> rows, others;               // s and p, as rows of A
  std::vector<Model::ActuatorData> actuators;  // each once
  Equations pattern;                           // M, Q, A_p, b_p
  Structure structure;                         // of it

  /// The rows of B at a state: what each actuator acts on.
  struct Effect {
    int velocity;
    double force;
  };
  using Effects = std::vector<std::vector<Effect>>;
  void find_effects(const StateView& at, BoundFunction& units, Effects& out) const;
  StateFunction unit_forces;  // all of them, one after the other
};

/// The actuators of all programmes.
std::vector<Model::ActuatorData> actuators_of(const Model& model);

/// Scratch memory for one drive.
struct DriveScratch {
  DriveScratch(const Drive& drive, bool mass_constant, std::span<const double> parameters)
      : at(drive.pattern), solve(drive.structure, mass_constant), units(drive.unit_forces, parameters) {}
  Equations at;
  Drive::Effects effects;  // at the state that was evaluated last
  SolveWorkspace solve;
  BoundFunction units;  // unit forces
  Solution response;
  std::vector<std::vector<double>> responses;  // accelerations by a unit force of each actuator
  std::vector<double> forces;                  // what the rows ask for, then the forces of the actuators
  LeastDrive least;
  std::vector<double> mass, free, deviation;
};

/// The motion of `at`, with the programmes of `drive` followed by their actuators. Where these cannot, the
/// rows contradict. control_force is B^T u; multipliers of the rows s are not numbers, and the rank is left
/// open (-1).
void solve_driven(const Drive& drive, const Equations& at, DriveScratch& work, Solution& out,
                  const SolveOptions& options);

/// The heart, or solve_driven where some programme is restricted.
void solve_equations(const System::Impl& system, const Equations& at, Workspace::Impl& work, Solution& out,
                     const SolveOptions& options);

/// Completes out.control_force: adds A_r^T lambda_r of the programmes that may act everywhere. Where
/// multipliers are not unique those of least norm share.
void split_control(const System::Impl& system, const Equations& at, Workspace::Impl& work, Solution& out,
                   const SolveOptions& options);

}  // namespace vinculum
