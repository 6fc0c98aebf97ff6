// The parts of `expand` that more than one source of this folder builds on.
#pragma once
#include "vinculum/expr/derivative.hpp"
#include "vinculum/lower/expand.hpp"

namespace vinculum {

/// phi differentiated until accelerations appear:  A q'' = b.
void expand_row(const Model& model, const Expr& stated, int row, std::vector<Contribution>& out);

/// mu phi is a part of the Lagrangian.
void expand_multiplier(const Model& model, const Expr& mu, const Expr& phi, std::vector<Contribution>& out);

/// With q' = v and M q'' = Q + F the energy changes by the power of F, of stated forces, and by
///     -dL/dt, dV/dt (partial), 1/2 v^T M' v (total: a stated mass that changes has no force of its own).
void expand_energy(const Model& model, const Statement& s, std::vector<Contribution>& out);

/// L = T - V, where energy would stand. A stated force is no part of it, and neither is mu phi, which is 0.
void expand_action(const Statement& s, std::vector<Contribution>& out);

/// dE/dt along the motion, with the accelerations as they are; where power would stand, the sizes of its
/// terms.
void expand_energy_rate(const Model& model, const Statement& s, std::vector<Contribution>& out);

/// The derivatives of M a - Q - C - A^T lambda and of A a - b with a and lambda held: what an implicit method
/// needs to know of the equations.
void expand_tangent(const Model& model, const Statement& s, std::vector<Contribution>& out);

/// The same itself, and the rows as stated: along the motion all of it is zero, order by order.
void expand_series(const Model& model, const Statement& s, std::vector<Contribution>& out);

/// Of that what is linear in accelerations and multipliers, forces left out.
void expand_deviation(const Model& model, const Statement& s, std::vector<Contribution>& out);

/// How large the terms are that a value is the sum of: what rounding of it is a part of. A product vanishes
/// with one of its factors, and that by its own terms, wherever they stand: A*(t/D - sin(w*t)/w) has those of
/// its sum. What is made of parameters alone is one number, whether these live or not.
Expr size_of(const Model& model, const Expr& value);

}  // namespace vinculum
