#include "vinculum/lower/living.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "lower/made_of.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {

bool is_living(const Model& model, const Expr& symbol) {
  return !model.stated().is_of_numbers && symbol.name().front() != '#' &&
         is_number(model.stated().role(symbol).role);
}

bool is_of_living(const Model& model, const Expr& e) {
  const std::vector<Expr> symbols = symbols_of({&e, 1});
  return !symbols.empty() &&
         std::all_of(symbols.begin(), symbols.end(), [&](const Expr& s) { return is_living(model, s); });
}

std::vector<char> made_of(Graph& graph, std::span<const NodeId> nodes,
                          const std::function<bool(const Expr&)>& known) {
  constexpr char unknown = 0, number = 1, made = 2;
  std::unordered_map<NodeId, char> kind;
  std::vector<char> result(nodes.size(), 0);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const Node& node = graph.node(nodes[k]);
    char mine = number;
    if (node.op == Op::symbol) mine = known(graph.at(nodes[k])) ? made : unknown;
    for (int i = 0; i < arity(node.op); ++i) {
      const char of = kind.at(node.operand[i]);
      mine = mine == unknown || of == unknown ? unknown : std::max(mine, of);
    }
    if (node.op == Op::argument) mine = unknown;  // a list is part of its call, and no number
    kind.emplace(nodes[k], mine);
    result[k] = mine == made;
  }
  return result;
}

Hoisted hoist(Graph& graph, std::vector<Expr> values, const std::function<bool(const Expr&)>& known) {
  const std::vector<NodeId> nodes = graph.reachable(values);
  const std::vector<char> made = made_of(graph, nodes, known);
  Hoisted result{std::move(values), {}, {}};
  if (std::find(made.begin(), made.end(), 1) == made.end()) return result;
  std::unordered_map<NodeId, char> is_made;
  std::unordered_map<NodeId, Expr> fresh;
  const auto renewed = [&](const Expr& e) -> Expr {
    if (e.is_constant()) return e;
    if (!is_made.at(e.id())) return fresh.at(e.id());
    const auto [place, is_new] = fresh.try_emplace(e.id());
    if (is_new) {
      place->second = graph.symbol("#of_parameters" + std::to_string(result.slots.size()));
      result.slots.push_back(place->second);
      result.meanings.push_back(e);
    }
    return place->second;
  };
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    is_made.emplace(nodes[k], made[k]);
    const Expr e = graph.at(nodes[k]);
    if (made[k] || e.is_constant()) continue;
    const int count = arity(e.op());
    fresh.emplace(nodes[k], count == 0 ? e
                                       : graph.make(e.op(), renewed(e.operand(0)),
                                                    count > 1 ? renewed(e.operand(1)) : Expr(0.0),
                                                    count > 2 ? renewed(e.operand(2)) : Expr(0.0)));
  }
  for (Expr& value : result.values) value = renewed(value);
  return result;
}

}  // namespace vinculum
