// The explicit equations of motion of a model: M, Q, A, b and the constrained acceleration, in symbols.
#pragma once
#include <string>
#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum {

/// M q'' = Q, A q'' = b in symbols (parameters stay names), C where there is a non-ideal part. Entries that
/// are not listed vanish identically.
struct SymbolicEquations {
  struct Entry {
    int row = 0, column = 0;
    Expr value;
  };
  std::vector<std::string> velocities, rows;  ///< names
  std::vector<Entry> M;                       ///< both triangles
  std::vector<Expr> Q, b, C;                  ///< C is empty when there is none
  std::vector<Entry> A;
};
SymbolicEquations symbolic_equations(const Model& model);

/// Readable equations with named sub-expressions. For a single constraint (one row) also the closed form of
/// acceleration and constraint force, as (27), (34), (37) of the 1996 paper.
std::string derive_text(const Model& model, const std::string& title);
/// The same as a LaTeX document (`standalone` false: only the displayed formulas, for a page).
std::string derive_latex(const Model& model, const std::string& title, bool standalone = true);
/// One self-contained C file: q'' and the constraint force as a function of t, q, v and parameters. No
/// allocation, no library but libm; redundant rows are allowed, contradicting ones give a status.
std::string derive_c(const Model& model, const std::string& title);

}  // namespace vinculum
