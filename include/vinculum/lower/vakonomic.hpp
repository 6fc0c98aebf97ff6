// Vakonomic motion: stationary action of L + sum mu_i phi_i over the rows phi_i on velocities. With A = phi_v
//     (M + mu phi_vv) q'' = Q + mu phi_q - mu phi_v' + A^T lambda,   A q'' = b,   mu' = -lambda
// where phi_v' is without its accelerations. It is the fundamental equation with another M and another Q; mu
// is part of the state, as further coordinates.
#pragma once
#include "vinculum/base/export.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum {

/// An error for a constraint that vakonomic motion has no place for.
VINCULUM_EXPORT void require_vakonomic(const Model& model, const Model::ConstraintData& constraint);

/// A vakonomic model with mu of every row on velocities as a further coordinate; any other as it is. Errors
/// for what has no place in vakonomic motion, and for a mu without a start.
VINCULUM_EXPORT Model with_multiplier_coordinates(const Model& model);

}  // namespace vinculum
