// Which parts of expressions are made of known symbols alone.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum {

/// For each of `nodes`, operands first: true where its symbols, at least one, are all `known`.
std::vector<char> made_of(Graph& graph, std::span<const NodeId> nodes,
                          const std::function<bool(const Expr&)>& known);

}  // namespace vinculum
