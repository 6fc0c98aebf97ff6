// The constraints of an instant one by one: what each is, and what its force is.
#pragma once
#include "analysis/instant/row_dependence.hpp"
#include "vinculum/analysis/check.hpp"

namespace vinculum {

/// Fills `constraints` of an instant that was solved; `numbers` is the model without parameters.
void describe_constraints(const Model& numbers, const System& system, const RowDependence& dependence,
                          double tolerance, Instant& out);

/// Fills `reactions` and `unique_rows`: A_c^T lambda_c of every constraint, and whether a choice of the
/// multipliers changes it.
void describe_reactions(const System& system, Instant& out);

}  // namespace vinculum
