// Signs and powers of two, carried through formulas instead of being multiplied out again and again.
#pragma once
#include <span>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/expr/graph.hpp"

namespace vinculum {

/// The same values in fewer operations. Rows of squares have a 2 in every entry, and every product of such
/// entries has a 4: a factor like that rounds nothing, so it can go along beside a formula until somebody
/// needs the number. What is left is often equal to what another formula has. No bit changes but the sign of
/// a zero, and what is as small or as large as a number can be. (The values as they are, where it does not
/// help.)
VINCULUM_EXPORT std::vector<Expr> carry_factors(std::span<const Expr> values);

}  // namespace vinculum
