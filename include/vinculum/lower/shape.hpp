// Statements of one shape: the same formula over other coordinates and with other constants.
#pragma once
#include <cstdint>
#include <vector>

#include "vinculum/lower/statement.hpp"

namespace vinculum {

/// What a statement is when its symbols and constants are looked away from, and those in the order they are
/// met.
struct Shape {
  std::vector<std::uint32_t> key;
  std::vector<NodeId> symbols;  // of the model; the rates of all coordinates involved are included
  /// Those that may differ between statements of this shape (no exponents, nothing of rates): numbers, and
  /// expressions of living parameters.
  std::vector<Expr> constants;
};

/// All statements of one shape, by their place in the list.
struct ShapeGroup {
  std::vector<int> statements;
  std::vector<Shape> shapes;  // one for each, without keys
};
VINCULUM_EXPORT std::vector<ShapeGroup> group_by_shape(const Model& model,
                                                       const std::vector<Statement>& statements);

}  // namespace vinculum
