// A model as a list of statements, each a few expressions, and what each adds to the numbers of an instant.
#pragma once
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum {

enum class StatementKind {
  mass,
  force,
  gyroscopic,  // a force without power
  nonideal,
  lagrangian,
  potential,
  constraint,
  multiplier,  // mu phi of vakonomic motion
  rate,
  output,
  event,
  switching
};

/// One statement of the model. Its expressions are over the model's symbols, parameters replaced by their
/// values.
struct Statement {
  StatementKind kind = StatementKind::force;
  std::vector<Expr> roots;    // what was stated; for constraints one expression per row
  std::vector<Expr> targets;  // symbols it acts on: velocities for mass and force, the coordinate for a rate
  int first_row = 0;          // constraints: its first row; outputs and events: its place in their list
  int place = 0;              // constraints: which one
};

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
    rate_by_v
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
};

// Those that are exported serve the reader of model files.

/// Order of a row: the highest derivative in it.
VINCULUM_EXPORT int order_of(const Model& model, const Expr& phi);

/// An error unless a row that contains accelerations is linear in them.
VINCULUM_EXPORT void require_linear(const Model& model, const std::string& constraint, const Expr& phi);

/// Not one of those that turn: coordinates without a velocity of their own, velocities that are no rates.
VINCULUM_EXPORT bool is_plain(const Model& model, const Expr& symbol);
/// An error for a constraint that vakonomic motion has no place for.
VINCULUM_EXPORT void require_vakonomic(const Model& model, const Model::ConstraintData& constraint);
/// A vakonomic model with mu of every row on velocities as a further coordinate; any other as it is. Errors
/// for what has no place in vakonomic motion, and for a mu without a start.
Model with_multiplier_coordinates(const Model& model);

/// Everything the model states, in the order: masses, forces, energies, non-ideal forces, constraints, mu phi
/// of those that have their mu, rates.
std::vector<Statement> statements_of(const Model& model);
/// Its outputs, and its events.
std::vector<Statement> outputs_of(const Model& model);
std::vector<Statement> events_of(const Model& model);
/// The expressions whose zeros are corners or jumps of the equations: what stands in sign, abs, min, max and
/// if.
std::vector<Statement> switches_of(const Model& model, const std::vector<Statement>& statements);

/// An observation in terms of state, accelerations and multipliers: reactions are A^T lambda of their rows
/// and what their mu adds, the energy is the sum of what the statements hold of it.
Expr resolve(const Model& model, const Expr& observed);

/// Known only when the constraint forces are: a non-ideal force when the ideal ones are.
bool depends_on_multipliers(const Model& model, const Expr& e);
/// Asks by how much the motion differs from the free one.
bool depends_on_free_motion(const Model& model, const Expr& e);

/// Friction as sliding bodies feel it: -mu |force(c)| v_i/|v|, in terms of multipliers.
std::vector<Model::ForceData> friction_forces(const Model& model);

/// The row does no work on any motion that satisfies it: it is homogeneous in the velocities. In vakonomic
/// motion the power of a homogeneous row is -mu times its partial derivative by t: that must vanish, too.
bool is_workless(const Model& model, const Expr& phi);

/// What one statement contributes: constraints are differentiated until accelerations appear, Lagrangians
/// become M and Q.
std::vector<Contribution> expand(const Model& model, const Statement& statement, Purpose purpose);

}  // namespace vinculum
