// Sums that are zero: always, as sin^2 + cos^2 - 1, or where a constraint holds. What shorter forms are made
// with.
#pragma once
#include <vector>

#include "analysis/derive/terms.hpp"

namespace vinculum::derive {

struct Relation {
  Terms terms;          ///< their sum is zero
  int constraint = -1;  ///< the one that must hold; -1: zero always
};

/// What is known of the functions in these terms: sin^2 + cos^2 = 1, cosh^2 - sinh^2 = 1, sqrt(u)^2 = u and
/// the sums and differences of angles.
std::vector<Relation> identities_of(Tidy& tidy, const Terms& terms, Effort& effort);

/// The equations on positions, their rates, and those on velocities, as they stand and multiplied out. Rows
/// on accelerations are left to the motion.
std::vector<Relation> relations_of_constraints(Tidy& tidy, const Model& model, Effort& effort);

}  // namespace vinculum::derive
