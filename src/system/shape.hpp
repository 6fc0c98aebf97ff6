// Statements of one shape: the same formula over other coordinates and with other constants.
#pragma once
#include <cstdint>
#include <vector>

#include "system/statement.hpp"

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

/// Finds shapes; keeps its index tables between calls, so that a statement costs what it contains.
class ShapeFinder {
 public:
  explicit ShapeFinder(const Model& model) : model_(model) {}
  Shape find(const Statement& statement);

 private:
  const Model& model_;
  std::vector<std::uint32_t> local_;  // place of a node in the statement at hand
};

/// All statements of one shape, by their place in the list.
struct ShapeGroup {
  std::vector<int> statements;
  std::vector<Shape> shapes;  // one for each, without keys
};
std::vector<ShapeGroup> group_by_shape(const Model& model, const std::vector<Statement>& statements);

/// The first statement of a group with constants that live or differ within the group replaced by symbols;
/// those symbols, and for each which constant of the shape it stands for. A statement alone stays as it is.
struct Template {
  Statement statement;
  std::vector<Expr> parameter;
  std::vector<int> constant;
};
Template make_template(const Model& model, const std::vector<Statement>& statements, const ShapeGroup& group);

}  // namespace vinculum
