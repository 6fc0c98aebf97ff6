// The multipliers in full: their whole family, and what of it does not depend on a choice.
#pragma once
#include <span>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/equation/equations.hpp"
#include "vinculum/equation/solution.hpp"

namespace vinculum {

/// All multipliers that make the same force, (22) of the 1996 paper:
///     lambda + (I - A A^+) h
/// for any h over the rows; h = 0 gives the shortest. The solution must have been made with Detail::full.
VINCULUM_EXPORT std::vector<double> multiplier_family(const Solution& solution, std::span<const double> h);

/// Whether the solution knows the freedom of its multipliers: not where the system was too large for it.
VINCULUM_EXPORT bool freedom_is_known(const Solution& solution);

/// For every row whether its multiplier is the same in the whole family: no combination of rows that vanishes
/// has a part in it. No entries where that is not known.
VINCULUM_EXPORT std::vector<bool> unique_multipliers(const Solution& solution);

/// Whether the force of these rows together, the sum of A_r^T lambda_r, is the same in the whole family. It
/// may be where the multipliers are not: a row of zeros makes no force, whatever its multiplier, and of a
/// vector equation that holds a plane twice the sum is what counts. Asks for freedom_is_known().
VINCULUM_EXPORT bool unique_force(const Equations& at, const Solution& solution, int first_row,
                                  int row_count);
/// The same for many sets of rows at once: block_of_row[r] is the set a row belongs to.
VINCULUM_EXPORT std::vector<bool> unique_forces(const Equations& at, const Solution& solution,
                                                std::span<const int> block_of_row, int blocks);

}  // namespace vinculum
