// Reading a motion between its steps.
#pragma once
#include <memory>

#include "vinculum/base/export.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {

/// A motion together with the interpolation of every step, to be read at any time it covers. The interpolant
/// has the order of the method less one; `at` with `projected` gives states that satisfy the constraints.
class VINCULUM_EXPORT DenseTrajectory {
 public:
  /// Integrates and keeps all steps. The system must outlive it.
  DenseTrajectory(const System& system, const State& start, const MotionOptions& options);
  ~DenseTrajectory();
  DenseTrajectory(DenseTrajectory&&) noexcept;
  DenseTrajectory& operator=(DenseTrajectory&&) noexcept;

  const Trajectory& trajectory() const;
  /// The state at a time between start and end; an error outside.
  State at(double t, bool projected = true) const;
  /// The integral of L along it, by Gauss's quadrature in every step and finer where L asks for it; not a
  /// number where a step left a gap.
  double action() const;

  struct Impl;

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace vinculum
