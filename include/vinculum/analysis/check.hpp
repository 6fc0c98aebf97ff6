// What kind of system a model is, at one state: degrees of freedom, redundancy, contradiction, the nature of
// every constraint.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/motion/assemble.hpp"
#include "vinculum/motion/simulate.hpp"
#include "vinculum/system/friction.hpp"
#include "vinculum/system/norm_dependence.hpp"

namespace vinculum {

/// Why a constraint is called what it is called, in words.
struct NatureReasons {
  std::string kind, scleronomic, admissible, ideal;
};

/// What an equation is in the velocities (holonomic: after one differentiation; second order: in the
/// accelerations).
enum class ConstraintKind { linear, affine, nonlinear };
VINCULUM_EXPORT std::string_view kind_name(ConstraintKind kind);

/// The nature of one constraint, decided at a state.
struct ConstraintNature {
  std::string name;
  int order = 0;
  ConstraintKind kind = ConstraintKind::linear;
  bool scleronomic = true;                ///< t does not occur
  bool ideal = true;                      ///< A_c v = 0 here within rounding
  std::optional<bool> ideal_always = {};  ///< at every state that satisfies it; nothing where undecided
  bool redundant = false;                 ///< the rank stays the same without it
  bool admissible = true;                 ///< its rows of A are neither zero here nor dependent on each other
  double power = 0.0;                     ///< of its force: v.A_c^T lambda_c
  bool power_unique = true;               ///< no choice of the multipliers changes it
  NatureReasons reason = {};
};

/// The force of one constraint, A_c^T lambda_c, on the velocities it acts on.
struct Reaction {
  std::string name;
  std::vector<int> velocity;
  std::vector<double> force;
  bool unique = true;  ///< no choice of the multipliers changes it
};

/// What a joint does to one of its parts, at its point and in world axes.
struct JointLoad {
  std::string name;
  JointType type = JointType::spherical;
  std::string on, from;           ///< the part it acts on: the second, or the first where that is the ground
  std::array<double, 3> point{};  ///< where it acts
  std::array<double, 6> value{};  ///< force and torque
  std::array<bool, 6> unique = {true, true, true, true, true, true};  ///< no choice of multipliers changes it
};

/// Section 5 of Jalnapurkar: the forces that would keep the constraints and do no work on the actual motion.
struct Workless {
  bool known = false;           ///< not with a singular M, nor beyond the limit of dense matrices
  int dimension = 0;            ///< of their set where it is not empty: n - rank - 1, or n - rank at rest
  bool empty = false;           ///< constraints that drive the whole motion do work, whatever their force
  bool holds_ideal = false;     ///< F^L is one of them: it has no power on this motion
  std::vector<double> example;  ///< one that is not F^L; no entries where there is none
};

/// Everything the theory says about one instant, with what a report needs beside the solution.
struct Instant {
  State state;
  Equations equations;
  Solution solution;
  int rank = 0;  ///< of A: also where the solution leaves it open; -1 where A is too full, or not finite
  /// Vakonomic motion, else empty: what d'Alembert's principle makes of the same state.
  std::vector<double> dalembert_acceleration;
  double energy = 0.0;           ///< not a number where there is no mechanics, as all of these
  double power_impressed = 0.0;  ///< of stated forces: potentials and gravity are part of the energy
  double power_constraint = 0.0, power_nonideal = 0.0;
  double power_control = 0.0;   ///< the part of power_constraint that programmes ask for
  double power_explicit = 0.0;  ///< of energies and masses that change with time themselves
  double energy_rate = 0.0;     ///< dE/dt along the motion, from the expression of the energy
  Check power_balance;          ///< |dE/dt - all powers| / (the sizes of their terms)
  double orthogonality = 0.0;   ///< of M^-1 F^L and M^-1 F^C in the metric of M, a cosine: (47) of Fan et al.
  bool admissible = true;       ///< rows of orders 0 and 1 independent here
  std::vector<Dependency> dependent;  ///< why not: which of these rows follow from which
  std::vector<ConstraintNature> constraints;
  std::vector<NormDependence>
      norm_dependences;                  ///< laws that read a share of a force that is a matter of the norm
  std::vector<FrictionState> frictions;  ///< which stick, which slide
  std::vector<Reaction> reactions;       ///< one for each constraint
  std::vector<JointLoad> loads;          ///< one for each joint between two parts
  std::vector<bool> unique_rows;         ///< whose multiplier no choice changes; no entries: not known
  Workless workless;
  std::vector<PassedOver> passed_over;  ///< rows that ask for nothing here
};
/// Solves the instant in full, whatever detail the options name. What a start or a motion passed over is told
/// here, too: these rows of A and b are zero.
VINCULUM_EXPORT Instant examine(const Model& model, const System& system, const State& state,
                                const SolveOptions& options = {},
                                const std::vector<PassedOver>& passed_over = {});

/// The checks of the certificate that were made and do not hold, by name: "constraint_residual". None: the
/// numbers of this instant are vouched for.
VINCULUM_EXPORT std::vector<std::string> failing_checks(const Instant& instant);
/// What is wrong with an instant, as a motion would end there: end (nothing), contradicting, singular (also
/// where the certificate does not hold) or not_finite; in one sentence; and the constraints and velocities
/// it is about.
VINCULUM_EXPORT Stop status_of(const Instant& instant);
VINCULUM_EXPORT std::string reason_of(const System& system, const Instant& instant);
VINCULUM_EXPORT std::vector<std::string> names_of(const System& system, const Solution& solution);

struct CheckReport {
  int degrees_of_freedom = 0, rank = 0, rows = 0;
  std::vector<std::string> redundant;  ///< constraints without which the rank stays the same
  /// Rows that follow from others where no constraint could go as a whole; empty where `redundant` tells.
  std::vector<std::string> redundant_rows;
  std::vector<std::string> contradicting;  ///< a smallest set that cannot hold together
  bool finite = true;  ///< every row is a finite number there; what is said of them means nothing where not
  bool admissible = true;
  double start_position = 0.0,
         start_velocity = 0.0;  ///< the worst miss of the start, in the units of the equations
  std::vector<ConstraintNature> constraints;
  Assembly start;                  ///< how far the start misses, and its repair
  Instant instant;                 ///< at the start (at its repair where it has one)
  bool fine = true;                ///< the motion can begin: the status is `end`
  std::string reason;              ///< why not, in one sentence with names
  Stop status = Stop::end;         ///< how the motion would end before it begins; end: it can begin
  std::vector<std::string> names;  ///< that the reason is about
};
/// Judges as simulate() does before its first step, so that both give the same verdict in the same words.
/// Where the rows depend on each other at the start, that is not yet all: simulate() itself makes a first
/// step then, as `how` says, and its verdict stands.
VINCULUM_EXPORT CheckReport check(const Model& model, const System& system, const State& start,
                                  const MotionOptions& how = {});

/// A page to read.
VINCULUM_EXPORT std::string check_page(const System& system, const CheckReport& report);

}  // namespace vinculum
