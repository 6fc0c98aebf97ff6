// The parts of `expand` that more than one source of this folder builds on.
#pragma once
#include "system/statement.hpp"

namespace vinculum {

/// The symbols of `e` that play `role` in the model.
std::vector<Expr> symbols_with_role(const Model& model, const Expr& e, Model::Role role);

/// What has energy or is a stated force.
std::vector<Statement> free_statements(const Model& model);

/// The summands of a sum, signs carried along: M and Q are linear in the energy, so each becomes a statement
/// of its own.
std::vector<Expr> summands(const Expr& sum);

/// The partial derivative by t.
Expr by_time(const Model& model, const Expr& e);

/// Where accelerations stand with the weight zero they are no part of the state a row is evaluated at.
Expr without_accelerations(const Model& model, const Expr& phi);

/// phi differentiated until accelerations appear:  A q'' = b.
void expand_row(const Model& model, const Expr& stated, int row, std::vector<Contribution>& out);

/// mu phi is a part of the Lagrangian.
void expand_multiplier(const Model& model, const Expr& mu, const Expr& phi, std::vector<Contribution>& out);

}  // namespace vinculum
