// What an integrator asks a system for: the acceleration alone.
#pragma once
#include "vinculum/base/export.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

/// What became of an acceleration. It lies in the workspace, until that is used again.
struct Accelerated {
  Status status;
  const Mode& found;
  const Solution* solution;  ///< says more, also where the status is not `solved`; none of a closed form
};

/// The acceleration at a state. With `within_step` redundant rows may disagree by the truncation error (see
/// SolveOptions).
VINCULUM_EXPORT Accelerated accelerate(const System& system, const StateView& at, const Mode& mode,
                                       Workspace& work, std::span<double> acceleration,
                                       bool within_step = true);
/// The same with b replaced by b + `extra`, for Baumgarte's method.
VINCULUM_EXPORT Accelerated accelerate_with(const System& system, const StateView& at, const Mode& mode,
                                            std::span<const double> extra, Workspace& work,
                                            std::span<double> acceleration);

}  // namespace vinculum
