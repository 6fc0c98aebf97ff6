// Units for coordinates that have no mass to be measured by, or hardly any.
#pragma once
#include "equation/dense/dense.hpp"
#include "vinculum/equation/row_scale.hpp"
#include "vinculum/equation/solution.hpp"

namespace vinculum::dense {

/// How many of its own units one unit of each coordinate is, so that what has no mass, or is light, weighs by
/// its rows as the others do in the mean. Every threshold of a dense road is beside numbers in these units,
/// so that an answer does not depend on those a model was stated in. Empty: every coordinate has a mass that
/// counts.
Vector units_of(const Equations& at, const Kin& kin);

/// The numbers of an instant in these units.
Problem to_problem(const Equations& at, const Vector& unit);
/// An answer back in its own, as far as it is there.
void restore(const Vector& unit, Solution& out);

}  // namespace vinculum::dense
