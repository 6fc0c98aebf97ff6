// What depends on living parameters alone: numbers that change with them, and with nothing else.
#pragma once
#include <functional>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum {

/// A parameter that was left a symbol, or a number made of such.
VINCULUM_EXPORT bool is_living(const Model& model, const Expr& symbol);
/// No symbol but living parameters stands in it, and one at least.
VINCULUM_EXPORT bool is_of_living(const Model& model, const Expr& e);

/// Expressions with their largest parts that are made of known symbols alone replaced by symbols: a kernel
/// then has the instructions it would have with numbers in their place.
struct Hoisted {
  std::vector<Expr> values;
  std::vector<Expr> slots, meanings;  // the new symbols, and what each stands for
};
VINCULUM_EXPORT Hoisted hoist(Graph& graph, std::vector<Expr> values,
                              const std::function<bool(const Expr&)>& known);

}  // namespace vinculum
