// What each statement adds to the numbers of an instant, as expressions.
#pragma once
#include <vector>

#include "vinculum/lower/statement.hpp"

namespace vinculum {

/// A number some expression gives, and where it goes.
struct Target {
  enum class Where {
    mass,
    force,
    nonideal,
    row,
    right,
    position,
    velocity,
    position_size,  // the sum of the sizes of the terms of phi: what a miss is measured by
    velocity_size,
    rate,
    energy,
    power,           // of stated forces
    power_explicit,  // of what changes with time by itself
    output,
    event,
    switching,
    force_by_q,  // d(M a - Q - C - A^T lambda)/dq, and so on
    force_by_v,
    row_by_q,  // d(A a - b)/dq, and so on
    row_by_v,
    rate_by_q,
    rate_by_v,
    balance,     // M a - Q - C - A^T lambda, which is zero
    stated_row,  // as it was stated; j is its order
    row_power    // of its multiplier
  };
  Where where = Where::force;
  // Velocities (by_q: j is a coordinate); for rows: i counts within the constraint, j is the velocity; rates:
  // i is the coordinate.
  int i = 0, j = 0;
};
struct Contribution {
  Expr value;
  Target target;
};

/// Which numbers are asked for.
enum class Purpose {
  equations,    ///< M, Q, C, A, b
  sizes,        ///< how large the terms of those are
  residuals,    ///< phi of holonomic rows, phi' or phi at the level of velocities
  nonideal,     ///< C alone, where it depends on the ideal constraint forces
  rates,        ///< q' of coordinates whose rate is not a velocity of its own
  energy,       ///< energy, and the power of what is neither a constraint nor a non-ideal force
  lagrangian,   ///< L: T - V, or as stated
  energy_rate,  ///< dE/dt with accelerations given, and the sizes of its terms
  observe,      ///< outputs, events or switching expressions
  tangent,      ///< derivatives of the equations by coordinates and velocities, accelerations and multipliers
                ///< held
  series,       ///< what must vanish along the motion: the balance of forces, and the rows as stated
  deviation,    ///< what of it is linear in accelerations and multipliers: M a - A^T lambda, and A a as rows
};

/// What one statement contributes: constraints are differentiated until accelerations appear, Lagrangians
/// become M and Q.
VINCULUM_EXPORT std::vector<Contribution> expand(const Model& model, const Statement& statement,
                                                 Purpose purpose);

/// The summands of a sum, signs carried along: M and Q are linear in the energy, so each becomes a statement
/// of its own.
VINCULUM_EXPORT std::vector<Expr> summands(const Expr& sum);

}  // namespace vinculum
