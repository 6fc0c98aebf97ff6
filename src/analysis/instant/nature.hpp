// What kind of equation a constraint is, by the look of its expressions.
#pragma once
#include <string>

#include "vinculum/analysis/check.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum {

using Kind = ConstraintKind;

/// The rows of one constraint taken together: the least simple one decides. The model holds numbers in place
/// of its parameters: with alpha = 0 the row  y' - z x' = alpha  is linear.
Kind kind_of(const Model& numbers, const Model::ConstraintData& constraint);
Kind kind_of_row(const Model& numbers, const Expr& phi);

/// t does not occur.
bool is_scleronomic(const Model& numbers, const Model::ConstraintData& constraint);

/// Zero whatever its symbols are, as far as the expression shows it: 0*x, sin(0), 0 - 0.
bool vanishes(const Expr& e);

/// The part of a row that no velocity multiplies (a holonomic row: of its derivative; a row on accelerations:
/// no acceleration).
Expr free_part(const Model& numbers, const Expr& phi);

/// What the numbers at a state add to the look of the expressions.
struct AtState {
  double power = 0.0;  ///< A v of the row where it is largest
  bool at_rest = false;
  bool zero_row = false;  ///< some row of A vanishes
};
/// Why a constraint is linear, scleronomic, admissible, ideal, or not: `nature` says what was decided.
NatureReasons reasons_of(const Model& numbers, const Model::ConstraintData& constraint,
                         const ConstraintNature& nature, const AtState& here);

}  // namespace vinculum
