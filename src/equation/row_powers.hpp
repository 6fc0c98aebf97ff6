// Every road takes squares of rows. Those whose squares are no numbers any more are solved as multiples of
// themselves, by the powers of row_scale.hpp.
#pragma once
#include <vector>

#include "vinculum/equation/equations.hpp"
#include "vinculum/equation/row_scale.hpp"
#include "vinculum/equation/solution.hpp"

namespace vinculum {

/// The rows, and what stands on their right side, times these powers: to the bit the same equations.
void multiply_rows(const std::vector<int>& power, Equations& at);

/// An answer to the rows so multiplied, as one to the rows as they are stated.
void restore_rows(const std::vector<int>& power, Solution& out);

}  // namespace vinculum
