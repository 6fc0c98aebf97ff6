// The formula that statements of one shape have in common.
#pragma once
#include <vector>

#include "vinculum/lower/shape.hpp"

namespace vinculum {

/// The first statement of a group with constants that live or differ within the group replaced by symbols;
/// those symbols, and for each which constant of the shape it stands for. A statement alone stays as it is.
struct Template {
  Statement statement;
  std::vector<Expr> parameter;
  std::vector<int> constant;
};
Template make_template(const Model& model, const std::vector<Statement>& statements, const ShapeGroup& group);

}  // namespace vinculum
