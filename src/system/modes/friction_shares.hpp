// The force that presses a pair, where rows depend on each other.
#pragma once
#include "vinculum/equation/solution.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

/// mu |F|, summed over what presses.
struct Pressing {
  double limit = 0.0;
  std::vector<int> together;     // constraints with friction that press on the same thing: their total counts
  std::vector<int> handed_over;  // constraints without friction whose force counts as that of those with it
  std::vector<int>
      chosen;  // constraints that share the force by a choice of norm; none where it is determined
};

/// Constraints with friction whose rows span the same directions press on the same thing: their total counts,
/// once. What rows without friction carry in the span of those with it is carried by these: a row stated
/// again changes nothing. `own_rows`: those that act on the velocities of the pair alone. The solution
/// must be one of Detail::full.
Pressing pressing_of(const System& system, const FrictionPair& pair, const std::vector<int>& own_rows,
                     const Equations& e, const Solution& ideal);

}  // namespace vinculum
