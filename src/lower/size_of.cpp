#include <functional>
#include <unordered_map>

#include "lower/expand_parts.hpp"
#include "vinculum/lower/living.hpp"

namespace vinculum {
namespace {

/// The size of the terms of one operation, from those of its operands.
Expr size_of_operation(const Expr& e, const std::function<Expr(const Expr&)>& size) {
  const auto at = [&](int i) { return e.operand(i); };
  switch (e.op()) {
    case Op::add:
    case Op::subtract:
      return size(at(0)) + size(at(1));
    case Op::negate:
      return size(at(0));
    case Op::multiply: {
      const Expr by_first = size(at(0)) * abs(at(1)), by_second = abs(at(0)) * size(at(1));
      return identical(by_first, by_second) ? by_first : max(by_first, by_second);
    }
    case Op::divide:
      return size(at(0)) / abs(at(1));
    case Op::select:
      return e.graph()->make(Op::select, at(0), size(at(1)), size(at(2)));
    default:
      return abs(e);
  }
}

}  // namespace

/// Operands come first: sums may be long.
Expr size_of(const Model& model, const Expr& phi) {
  if (phi.is_constant()) return abs(phi);
  Graph& graph = *phi.graph();
  std::unordered_map<NodeId, bool> number;
  std::unordered_map<NodeId, Expr> sizes;
  const auto is_number = [&](const Expr& e) { return e.is_constant() || number.at(e.id()); };
  const auto size = [&](const Expr& e) { return is_number(e) ? abs(e) : sizes.at(e.id()); };
  for (const NodeId id : graph.reachable({&phi, 1})) {
    const Expr e = graph.at(id);
    if (e.is_constant()) continue;
    bool all = e.is_symbol() ? e.name().front() == '#' || is_living(model, e) : true;
    for (int i = 0; i < arity(e.op()) && all; ++i) all = is_number(e.operand(i));
    number[id] = all;
    if (!all) sizes[id] = size_of_operation(e, size);
  }
  return size(phi);
}

}  // namespace vinculum
