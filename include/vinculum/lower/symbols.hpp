// What stands in an expression, in the words of the model.
#pragma once
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {

/// The symbols of `e` that play `role` in the model.
VINCULUM_EXPORT std::vector<Expr> symbols_with_role(const Model& model, const Expr& e, Role role);

/// Not one of those that turn: coordinates without a velocity of their own, velocities that are no rates.
VINCULUM_EXPORT bool is_plain(const Model& model, const Expr& symbol);

/// Known only when the constraint forces are: a non-ideal force when the ideal ones are.
VINCULUM_EXPORT bool depends_on_multipliers(const Model& model, const Expr& e);
/// Asks by how much the motion differs from the free one.
VINCULUM_EXPORT bool depends_on_free_motion(const Model& model, const Expr& e);

/// The partial derivative by t.
VINCULUM_EXPORT Expr by_time(const Model& model, const Expr& e);

}  // namespace vinculum
