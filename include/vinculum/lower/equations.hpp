// The equations of motion in symbols: M, Q, A, b, C.
#pragma once
#include <string>
#include <vector>

#include "vinculum/lower/statement.hpp"

namespace vinculum {

/// M q'' = Q + C + A^T lambda, A q'' = b in symbols. Entries that are not listed vanish identically. The
/// expressions live in the model's graph. In vakonomic motion M and Q contain mu, a symbol `mu(row)` for each
/// row on velocities, whose rate -lambda is the last of `rates`.
struct SymbolicEquations {
  struct Entry {
    int row = 0, column = 0;
    Expr value;
  };
  struct Rate {
    int coordinate = 0;
    Expr value;
  };
  std::vector<std::string> velocities, rows;  ///< names
  std::vector<Entry> M;                       ///< both triangles, row by row
  std::vector<Expr> Q;                        ///< over velocities
  std::vector<Entry> A;                       ///< row by row
  std::vector<Expr> b;                        ///< over rows
  /// Over velocities, empty when there is none. May contain multipliers of the ideal problem.
  std::vector<Expr> C;
  std::vector<Rate> rates;  ///< q' of the coordinates whose rate is not a velocity of their own
};

/// Of a model as it was stated: parameters stay names, friction is that of sliding bodies.
VINCULUM_EXPORT SymbolicEquations symbolic_equations(const Model& model);

/// What these statements of a model add up to, parameters as the model has them. Friction is none of them,
/// and neither are rates asked for.
VINCULUM_EXPORT SymbolicEquations symbolic_equations(const Model& model,
                                                     const std::vector<Statement>& statements);

/// The value at a place; zero where no entry is listed.
VINCULUM_EXPORT const Expr& entry_at(const std::vector<SymbolicEquations::Entry>& entries, int row,
                                     int column);

}  // namespace vinculum
