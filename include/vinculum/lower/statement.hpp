// A model as a list of statements, each a few expressions.
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

/// Everything the model states, in the order: masses, forces, energies, non-ideal forces, constraints, mu phi
/// of those that have their mu, rates.
VINCULUM_EXPORT std::vector<Statement> statements_of(const Model& model);
/// Of these: what has energy or is a stated force.
VINCULUM_EXPORT std::vector<Statement> free_statements(const Model& model);
/// Its outputs, and its events.
VINCULUM_EXPORT std::vector<Statement> outputs_of(const Model& model);
VINCULUM_EXPORT std::vector<Statement> events_of(const Model& model);
/// The expressions whose zeros are corners or jumps of the equations: what stands in sign, abs, min, max and
/// if.
VINCULUM_EXPORT std::vector<Statement> switches_of(const Model& model,
                                                   const std::vector<Statement>& statements);

}  // namespace vinculum
