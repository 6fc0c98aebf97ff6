// A model as a list of statements, each a few expressions, and what each adds to the numbers of an instant.
#pragma once
#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum {

enum class StatementKind { mass, force, nonideal, lagrangian, potential, constraint, rate };

/// One statement of the model. Its expressions are over the model's symbols, parameters replaced by their
/// values.
struct Statement {
  StatementKind kind = StatementKind::force;
  std::vector<Expr> roots;    // what was stated; for constraints one expression per row
  std::vector<Expr> targets;  // symbols it acts on: velocities for mass and force, the coordinate for a rate
  int first_row = 0;          // constraints: its first row
};

/// A number some expression gives, and where it goes.
struct Target {
  enum class Where { mass, force, nonideal, row, right, position, velocity, rate };
  Where where = Where::force;
  int i = 0,
      j = 0;  // velocities; for rows: i counts within the constraint, j is the velocity; rate: the coordinate
};
struct Contribution {
  Expr value;
  Target target;
};

/// Which numbers are asked for.
enum class Purpose {
  equations,  ///< M, Q, C, A, b
  residuals,  ///< phi of holonomic rows, phi' or phi at the level of velocities
  rates,      ///< q' of coordinates whose rate is not a velocity of its own
};

/// Order of a row: the highest derivative in it.
int order_of(const Model& model, const Expr& phi);

/// An error unless a row that contains accelerations is linear in them.
void require_linear(const Model& model, const std::string& constraint, const Expr& phi);

/// Everything the model states, in the order: masses, forces, energies, non-ideal forces, constraints, rates.
std::vector<Statement> statements_of(const Model& model);

/// What one statement contributes: constraints are differentiated until accelerations appear, Lagrangians
/// become M and Q.
std::vector<Contribution> expand(const Model& model, const Statement& statement, Purpose purpose);

}  // namespace vinculum
