// Chains of rods in Bullet (double precision): articulated bodies, closed by a loop constraint.
#pragma once
#include <memory>
#include <vector>

#include "bench/rods.hpp"

namespace vinculum::bench {

class BulletChain {
 public:
  explicit BulletChain(const RodChain& chain);
  ~BulletChain();
  /// The articulated-body algorithm alone: it works on rotations that were made when the positions were set.
  /// (An open chain.)
  void accelerate();
  /// From a state to the accelerations of the joints, as an integrator asks for them: positions are set
  /// first.
  void accelerate_from_state();
  /// One step of 1 ms with 100 sweeps over the loop constraint, which holds approximately.
  void step();
  /// What accelerate() found, of each joint.
  const std::vector<double>& joint_acceleration() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vinculum::bench
