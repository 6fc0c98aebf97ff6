// Reactions, friction and the energy in terms of what the model states.
#pragma once
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum {

/// An observation in terms of state, accelerations and multipliers: reactions are A^T lambda of their rows
/// and what their mu adds, the energy is the sum of what the statements hold of it.
VINCULUM_EXPORT Expr resolve(const Model& model, const Expr& observed);

/// Friction as sliding bodies feel it: -mu |force(c)| v_i/|v|, in terms of multipliers.
VINCULUM_EXPORT std::vector<Model::ForceData> friction_forces(const Model& model);

}  // namespace vinculum
