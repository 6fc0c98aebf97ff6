// Programmes: constraints that a motion is driven along. What they ask for, and what their forces are.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

/// One programme as compiled.
struct ProgrammeInfo {
  int constraint = 0;
  std::vector<int> actuators;  ///< what its force may act by, as places among all; empty: every velocity
  bool stabilised = false;     ///< the rows are phi'' + 2 z w phi' + w^2 phi, or phi' + w phi
};
VINCULUM_EXPORT const std::vector<ProgrammeInfo>& programmes(const System& system);

/// Some programme may act on some velocities only. Its rows then have no multipliers.
VINCULUM_EXPORT bool has_restricted_programmes(const System& system);

/// The control force of one programme, over velocities: A_r^T lambda_r of its rows, or the forces of its
/// actuators. An actuator that serves several programmes counts for each of them. `equations` and
/// `solution` are of that state.
VINCULUM_EXPORT void programme_force(const System& system, const ProgrammeInfo& programme,
                                     const StateView& at, const Equations& equations,
                                     const Solution& solution, Workspace& work, std::vector<double>& force);

/// |phi| of every programme as stated, the largest of its rows.
VINCULUM_EXPORT void programme_misses(const System& system, const StateView& at,
                                      std::span<const double> acceleration, Workspace& work,
                                      std::vector<double>& misses);

/// "its actuator 'x'", "its actuators 'x' and 'y'".
VINCULUM_EXPORT std::string actuators_text(const System& system, const ProgrammeInfo& programme);

}  // namespace vinculum
