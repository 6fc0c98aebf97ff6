// What kind of system a model is, at one state: degrees of freedom, redundancy, contradiction, the nature of
// every constraint.
#pragma once
#include <string>
#include <vector>

#include "vinculum/motion/assemble.hpp"
#include "vinculum/system/contact.hpp"

namespace vinculum {

/// The nature of one constraint, decided at a state.
struct ConstraintNature {
  std::string name;
  int order = 0;
  std::string kind;         ///< "linear", "affine" or "nonlinear" in the velocities (holonomic: after one
                            ///< differentiation; second order: in the accelerations)
  bool scleronomic = true;  ///< t does not occur
  bool ideal = true;        ///< A_c v = 0 here within rounding
  bool redundant = false;   ///< the rank stays the same without it
};

/// Everything the theory says about one instant, with what a report needs beside the solution.
struct Instant {
  State state;
  Equations equations;
  Solution solution;
  int rank = 0;  ///< of A: also where the solution leaves it open; -1 where A is too full, or not finite
  /// Vakonomic motion, else empty: what d'Alembert's principle makes of the same state.
  std::vector<double> dalembert_acceleration;
  double energy = 0.0;
  double power_impressed = 0.0;  ///< of stated forces: potentials and gravity are part of the energy
  double power_constraint = 0.0, power_nonideal = 0.0;
  double power_control = 0.0;  ///< the part of power_constraint that programmes ask for
  bool admissible = true;      ///< rows of orders 0 and 1 independent here
  std::vector<ConstraintNature> constraints;
  std::vector<ContactState> contacts;  ///< frictions: which stick, which slide
};
/// Solves the instant in full, whatever detail the options name.
Instant look_at(const Model& model, const System& system, const State& state,
                const SolveOptions& options = {});

/// What is wrong with an instant in the words of the command line: "done", "contradiction", "singular" or
/// "not_finite"; and the constraints and velocities it is about.
std::string status_of(const Instant& instant);
std::vector<std::string> names_of(const System& system, const Solution& solution);

struct CheckReport {
  int degrees_of_freedom = 0, rank = 0, rows = 0;
  std::vector<std::string> redundant;      ///< constraints without which the rank stays the same
  std::vector<std::string> contradicting;  ///< a smallest set that cannot hold together
  bool admissible = true;
  double start_position = 0.0,
         start_velocity = 0.0;  ///< the worst miss of the start, in the units of the equations
  std::vector<ConstraintNature> constraints;
  Assembly start;                  ///< how far the start misses, and its repair
  Instant instant;                 ///< at the start (at its repair where it has one)
  bool fine = true;                ///< the motion can begin: the status is "done"
  std::string reason;              ///< why not, in one sentence with names
  std::string status = "done";     ///< "done", "contradiction", "start", "singular" or "not_finite"
  std::vector<std::string> names;  ///< that the reason is about
};
/// Judges as simulate() does before its first step, so that both give the same verdict in the same words.
CheckReport check(const Model& model, const System& system, const State& start);

/// A page to read.
std::string check_page(const System& system, const CheckReport& report);

}  // namespace vinculum
