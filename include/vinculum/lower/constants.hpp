// Constants of a model are finite, whoever states them: in C++ or in a file, when they are stated and with
// other values of parameters.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum {

/// The parts of expressions that are made of numbers and parameters alone, each behind its own parts: the
/// first that is no finite number is the smallest. 1/0 or log(-1) among constants is a slip that would show
/// only when the motion meets it.
VINCULUM_EXPORT std::vector<Expr> constant_parts(const Model& model, std::span<const Expr> roots);

/// What is to be said of one that is not finite, in what was stated ("the force on 'x'").
VINCULUM_EXPORT std::string constant_fault(const Expr& part, const std::string& what, double value);

/// The same of all that a model states.
struct ConstantPart {
  Expr part;
  std::string what;
};
VINCULUM_EXPORT std::vector<ConstantPart> constant_parts(const Model& model);

}  // namespace vinculum
