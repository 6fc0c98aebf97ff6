// What a constraint force may be if it only has to do no work on the actual motion; and how F^L and F^C lie.
#pragma once
#include "vinculum/analysis/check.hpp"

namespace vinculum {

/// Fills `workless` and `orthogonality` of an instant from its numbers.
void look_at_forces(double rank_tolerance, int dense_limit, Instant& at);
/// The same without dense matrices; false where M does not allow it, or the rank is not known.
bool look_at_forces_sparsely(double rank_tolerance, Instant& at);

}  // namespace vinculum
