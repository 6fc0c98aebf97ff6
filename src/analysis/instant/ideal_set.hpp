// Whether a constraint is ideal on the whole set of states that satisfy it, not only at one of them.
#pragma once
#include <optional>

#include "vinculum/model/model.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

/// A v = 0 by the look of every row: it is homogeneous in the velocities (Euler), or one on positions without
/// t. A proof.
bool is_ideal_by_homogeneity(const Model& numbers, const Model::ConstraintData& constraint);

/// A state other than this one that satisfies the constraint and at which A v is not 0 was found: a proof
/// that it is not ideal everywhere. Not finding one proves nothing. The search begins around `state`; it
/// takes constraints of few symbols, and on positions only such as bodies do not turn in.
bool has_working_state(const Model& numbers, const Model::ConstraintData& constraint, const State& state);

}  // namespace vinculum
