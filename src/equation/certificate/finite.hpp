// Numbers that are none: found before they reach a factorisation.
#pragma once
#include "vinculum/equation/equations.hpp"
#include "vinculum/equation/solution.hpp"

namespace vinculum {

/// True when every entry of M, Q, A, b and C is a finite number. Allocates nothing.
bool all_finite(const Equations& at);

/// Names the first term with an entry that is not finite, and the coordinates or rows of such entries.
void name_not_finite(const Equations& at, Solution& out);

}  // namespace vinculum
