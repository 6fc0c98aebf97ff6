#include "vinculum/lower/shape.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "lower/made_of.hpp"
#include "lower/template.hpp"
#include "vinculum/lower/living.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

using Key = std::vector<std::uint32_t>;
struct KeyHash {
  std::size_t operator()(const Key& key) const {
    std::uint64_t h = 0xcbf29ce484222325ull;
    for (const std::uint32_t x : key) h = (h ^ x) * 0x100000001b3ull;
    return h;
  }
};

/// Everything the statement's meaning rests on: its expressions, its targets, the rates of its coordinates,
/// which differentiation will bring in, what its abbreviations stand for, and the velocities whose
/// accelerations it names.
std::vector<Expr> closure(const Model& model, const Statement& s) {
  std::vector<Expr> roots(s.roots);
  roots.insert(roots.end(), s.targets.begin(), s.targets.end());
  std::vector<NodeId> seen;
  for (std::size_t from = 0; from < roots.size();) {
    const std::size_t end = roots.size();
    for (const Expr& symbol : symbols_of(std::span<const Expr>(roots).subspan(from))) {
      const SymbolRole role = model.stated().role(symbol);
      if (std::find(seen.begin(), seen.end(), symbol.id()) != seen.end()) continue;
      seen.push_back(symbol.id());
      if (role.role == Role::coordinate) roots.push_back(model.coordinates()[role.index].rate);
      if (role.role == Role::abbreviation) {
        roots.push_back(model.stated().meaning_of_abbreviation(role.index));
        roots.push_back(model.stated().rate_of_abbreviation(symbol));
      }
      if (role.role == Role::acceleration) roots.push_back(model.velocities()[role.index].symbol);
    }
    from = end;
  }
  return roots;
}

/// Constants that belong to the shape and never become parameters of it: exponents, which decide how an
/// expression is differentiated, which function a call is of, and what stands in the rates of coordinates,
/// which differentiation takes from the model; of living parameters everything there.
std::vector<NodeId> literals_among(const Model& model, const std::vector<NodeId>& nodes) {
  Graph& graph = model.stated().graph();
  std::vector<NodeId> literals;
  std::vector<Expr> rates;
  for (const NodeId id : nodes) {
    const Node& node = graph.node(id);
    if (node.op == Op::power && graph.node(node.operand[1]).op == Op::constant)
      literals.push_back(node.operand[1]);
    if (node.op == Op::call) literals.insert(literals.end(), {node.operand[0], node.operand[2]});
    if (node.op == Op::constant && node.value == 0) literals.push_back(id);
    if (node.op != Op::symbol) continue;
    const SymbolRole role = model.stated().role(graph.at(id));
    if (role.role == Role::coordinate && model.stated().velocity_of_coordinate(role.index) < 0)
      rates.push_back(model.coordinates()[role.index].rate);
    if (role.role == Role::abbreviation) rates.push_back(model.stated().meaning_of_abbreviation(role.index));
  }
  if (!rates.empty())
    for (const NodeId id : graph.reachable(rates)) {
      const Op op = graph.node(id).op;
      const bool lives = op == Op::symbol && is_living(model, graph.at(id));
      if (op == Op::constant || lives) literals.push_back(id);
    }
  std::sort(literals.begin(), literals.end());
  literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
  return literals;
}

/// The nodes of a statement as its shape sees them: a part that is made of living parameters alone is one
/// constant, and what it is made of does not count.
struct Seen {
  std::vector<NodeId> nodes;
  std::vector<char> lives;  // of each: such a part
};

Seen seen_of(const Model& model, std::span<const Expr> roots, const std::vector<NodeId>& nodes,
             const std::vector<NodeId>& literals) {
  if (model.stated().is_of_numbers) return {nodes, std::vector<char>(nodes.size(), 0)};
  Graph& graph = model.stated().graph();
  const auto lives = [&](const Expr& s) {
    return is_living(model, s) && !std::binary_search(literals.begin(), literals.end(), s.id());
  };
  const bool any = std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) {
    return graph.node(id).op == Op::symbol && lives(graph.at(id));
  });
  if (!any) return {nodes, std::vector<char>(nodes.size(), 0)};
  const std::vector<char> made = made_of(graph, nodes, lives);
  std::unordered_set<NodeId> wanted;  // by something else than such a part
  for (const Expr& root : roots)
    if (!root.is_constant()) wanted.insert(root.id());
  for (std::size_t k = 0; k < nodes.size(); ++k)
    for (int i = 0; i < arity(graph.node(nodes[k]).op) && !made[k]; ++i)
      wanted.insert(graph.node(nodes[k]).operand[i]);
  Seen seen;
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    if (!wanted.contains(nodes[k])) continue;
    seen.nodes.push_back(nodes[k]);
    seen.lives.push_back(made[k]);
  }
  return seen;
}

/// A constant in a key: its bits where it belongs to the shape.
void add_constant(Key& key, bool literal, std::uint64_t bits) {
  key.push_back(literal);
  key.push_back(literal ? static_cast<std::uint32_t>(bits) : 0);
  key.push_back(literal ? static_cast<std::uint32_t>(bits >> 32) : 0);
}

/// Finds shapes; keeps its index tables between calls, so that a statement costs what it contains.
class ShapeFinder {
 public:
  explicit ShapeFinder(const Model& model) : model_(model) {}
  Shape find(const Statement& statement);

 private:
  const Model& model_;
  std::vector<std::uint32_t> local_;  // place of a node in the statement at hand
};

Shape ShapeFinder::find(const Statement& statement) {
  Graph& graph = model_.stated().graph();
  const std::vector<Expr> roots = closure(model_, statement);
  const std::vector<NodeId> nodes = graph.reachable(roots);
  local_.resize(graph.size());
  Shape shape;
  Key& key = shape.key;
  key.push_back(static_cast<std::uint32_t>(statement.kind));
  key.push_back(static_cast<std::uint32_t>(statement.roots.size()));
  const std::vector<NodeId> literals = literals_among(model_, nodes);
  const Seen seen = seen_of(model_, roots, nodes, literals);
  for (std::size_t k = 0; k < seen.nodes.size(); ++k) {
    const NodeId id = seen.nodes[k];
    const Node& node = graph.node(id);
    local_[id] = static_cast<std::uint32_t>(k);
    const bool literal = std::binary_search(literals.begin(), literals.end(), id);
    if (node.op == Op::constant || seen.lives[k]) {
      key.push_back(static_cast<std::uint32_t>(Op::constant));
      add_constant(key, literal, literal ? std::bit_cast<std::uint64_t>(node.value) : 0);
      if (!literal) shape.constants.push_back(graph.at(id));
      continue;
    }
    key.push_back(static_cast<std::uint32_t>(node.op));
    if (node.op != Op::symbol) {
      for (int i = 0; i < arity(node.op); ++i) key.push_back(local_[node.operand[i]]);
    } else if (literal) {  // a living parameter in a rate: that one and no other
      add_constant(key, true, id);
    } else {
      key.push_back(static_cast<std::uint32_t>(model_.stated().role(graph.at(id)).role));
      shape.symbols.push_back(id);
    }
  }
  for (std::size_t k = 0; k < roots.size(); ++k) {
    const Expr& root = roots[k];
    key.push_back(root.is_constant() ? 0u : 1u + local_[root.id()]);
    if (!root.is_constant()) continue;
    const bool literal = k >= statement.roots.size() || root.value() == 0;
    add_constant(key, literal, std::bit_cast<std::uint64_t>(root.value()));
    if (!literal) shape.constants.push_back(root);
  }
  return shape;
}

}  // namespace

std::vector<ShapeGroup> group_by_shape(const Model& model, const std::vector<Statement>& statements) {
  std::vector<ShapeGroup> groups;
  std::unordered_map<Key, std::size_t, KeyHash> known;
  ShapeFinder finder(model);
  for (std::size_t k = 0; k < statements.size(); ++k) {
    Shape shape = finder.find(statements[k]);
    const auto [where, is_new] = known.try_emplace(std::move(shape.key), groups.size());
    if (is_new) groups.emplace_back();
    shape.key.clear();
    groups[where->second].statements.push_back(static_cast<int>(k));
    groups[where->second].shapes.push_back(std::move(shape));
  }
  return groups;
}

Template make_template(const Model& model, const std::vector<Statement>& statements,
                       const ShapeGroup& group) {
  Template result{statements[group.statements.front()], {}, {}};
  if (group.statements.size() == 1) return result;
  const std::vector<Expr>& first = group.shapes.front().constants;
  std::vector<Expr> replacement(first);
  for (std::size_t c = 0; c < first.size(); ++c) {
    const bool varies = std::any_of(group.shapes.begin(), group.shapes.end(), [&](const Shape& s) {
      return !s.constants[c].is_constant() || !identical(s.constants[c], first[c]);
    });
    if (!varies) continue;
    replacement[c] = model.stated().graph().symbol("#" + std::to_string(c));
    result.parameter.push_back(replacement[c]);
    result.constant.push_back(static_cast<int>(c));
  }
  if (result.parameter.empty()) return result;
  // Rebuild the expressions; constants are met in the same order as when the shape was found.
  Graph& graph = model.stated().graph();
  const std::vector<Expr> roots = closure(model, result.statement);
  const std::vector<NodeId> nodes = graph.reachable(roots);
  const std::vector<NodeId> literals = literals_among(model, nodes);
  const Seen seen = seen_of(model, roots, nodes, literals);
  std::unordered_map<NodeId, Expr> fresh;
  std::size_t c = 0;
  for (std::size_t k = 0; k < seen.nodes.size(); ++k) {
    const NodeId id = seen.nodes[k];
    const Node node = graph.node(id);
    if (node.op == Op::constant || seen.lives[k]) {
      const bool literal = std::binary_search(literals.begin(), literals.end(), id);
      fresh.emplace(id, literal ? Expr(node.value) : replacement[c++]);
    } else if (node.op == Op::symbol) {
      fresh.emplace(id, graph.at(id));
    } else {
      const int count = arity(node.op);
      fresh.emplace(id, graph.make(node.op, fresh.at(node.operand[0]),
                                   count > 1 ? fresh.at(node.operand[1]) : Expr(0.0),
                                   count > 2 ? fresh.at(node.operand[2]) : Expr(0.0)));
    }
  }
  for (Expr& root : result.statement.roots) {
    if (!root.is_constant())
      root = fresh.at(root.id());
    else if (root.value() != 0)
      root = replacement[c++];
  }
  return result;
}

}  // namespace vinculum
