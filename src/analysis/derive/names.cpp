// Names on a page: for what repeats, apart from those of the model.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "analysis/derive/page.hpp"
#include "vinculum/expr/latex_atom.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum::derive {
namespace {

/// From this on a sub-expression that repeats gets a name: cos(a - b) does, m*l^2 does not.
constexpr int size_worth_a_name = 4;
constexpr int longest_unnamed = 16;

bool is_sum(Op op) { return op == Op::add || op == Op::subtract; }

/// How much there is to read: symbols and functions. Powers and signs are for free.
int size_of(const Node& node, const Graph& graph, const std::unordered_map<NodeId, int>& known) {
  if (node.op == Op::constant) return 0;
  if (node.op == Op::symbol) return 1;
  int size = 0;
  bool inside_sum = false;
  for (int i = 0; i < arity(node.op); ++i) {
    size += known.at(node.operand[i]);
    inside_sum = inside_sum || is_sum(graph.node(node.operand[i]).op);
  }
  if (is_sum(node.op)) size += inside_sum ? 0 : 1;
  const bool operation = node.op == Op::multiply || node.op == Op::divide || node.op == Op::power ||
                         node.op == Op::negate || is_sum(node.op);
  return std::min(operation ? size : size + 2, 1 << 20);
}

/// In how many places each node is used. A sign is no use of its own, and neither is a short sum that goes
/// on: nobody sees x + y in x + y + z.
std::unordered_map<NodeId, int> count_uses(Graph& graph, const std::vector<Expr*>& counted,
                                           const std::vector<NodeId>& nodes,
                                           const std::unordered_map<NodeId, int>& size) {
  std::unordered_map<NodeId, int> uses;
  for (const Expr* e : counted)
    if (!e->is_constant()) ++uses[e->id()];
  for (std::size_t k = nodes.size(); k-- > 0;) {
    const Node& node = graph.node(nodes[k]);
    const int shared = node.op == Op::negate ? uses[nodes[k]] : 1;
    for (int i = 0; i < arity(node.op); ++i) {
      const NodeId below = node.operand[i];
      const bool goes_on =
          is_sum(node.op) && is_sum(graph.node(below).op) && size.at(below) <= longest_unnamed;
      if (!goes_on) uses[below] += shared;
    }
  }
  return uses;
}

std::vector<NodeId> repeated(Graph& graph, const std::vector<Expr*>& counted,
                             const std::vector<NodeId>& nodes) {
  std::unordered_map<NodeId, int> size;
  for (const NodeId id : nodes) size[id] = size_of(graph.node(id), graph, size);
  const std::unordered_map<NodeId, int> uses = count_uses(graph, counted, nodes, size);
  std::vector<NodeId> found;
  for (const NodeId id : nodes) {
    const Op op = graph.node(id).op;
    size[id] = size_of(graph.node(id), graph, size);
    const bool nameable = op != Op::negate && op != Op::less && op != Op::less_equal && op != Op::argument;
    const auto used = uses.find(id);
    if (!nameable || used == uses.end() || used->second < 2 || size[id] < size_worth_a_name) continue;
    found.push_back(id);
    size[id] = 1;  // from here on it is read as its name
  }
  return found;
}

}  // namespace

std::string symbol_name(const Model& model, const Expr& symbol) {
  const SymbolRole role = model.stated().role(symbol);
  const bool is_mu = role.role == Role::coordinate && symbol.name().rfind("mu(", 0) == 0;
  if (role.role != Role::multiplier && !is_mu) return symbol.name();
  std::string name = is_mu ? "mu_" : "lambda_";
  const std::string& full = symbol.name();
  for (const char c : full.substr(full.find('(') + 1)) {
    if (c == '[' || c == ']' || c == ')')
      name += c == '[' ? "_" : "";
    else
      name += c;
  }
  for (const auto& p : model.parameters())
    if (name_latex(p.name) == name_latex(name)) return name + "_multiplier";
  return name;
}

FreshNames::FreshNames(const Model& model, std::function<std::string(const std::string&)> looks)
    : looks_(std::move(looks)) {
  for (const auto& c : model.coordinates()) taken_.insert(looks_(c.name));
  for (const auto& v : model.velocities()) taken_.insert(looks_(label_of(v.name)));
  for (const auto& p : model.parameters()) taken_.insert(looks_(p.name));
  for (const char* used : {"t", "M", "Q", "A", "b", "C", "a", "u", "F", "q"}) taken_.insert(looks_(used));
}

bool FreshNames::is_free(const std::string& name) const { return !taken_.contains(looks_(name)); }

std::string FreshNames::take(const std::string& wish) {
  std::string name = wish;
  while (!is_free(name)) name += '_' + wish;
  taken_.insert(looks_(name));
  return name;
}

std::string FreshNames::next(const std::string& wish) {
  std::string name;
  do name = wish + std::to_string(++last_);
  while (!is_free(name));
  return name;
}

std::vector<Definition> name_shared(Graph& graph, const std::vector<Expr*>& counted,
                                    const std::vector<Expr*>& others, FreshNames& names) {
  std::vector<Expr> roots;
  for (const Expr* e : counted) roots.push_back(*e);
  for (const Expr* e : others) roots.push_back(*e);
  const std::vector<NodeId> nodes = graph.reachable(roots);
  const std::vector<NodeId> chosen = repeated(graph, counted, nodes);
  const std::unordered_set<NodeId> named(chosen.begin(), chosen.end());
  // The one root that repeats is most likely a distance.
  const auto is_root = [&](NodeId id) { return graph.node(id).op == Op::sqrt; };
  const bool one_root = std::count_if(chosen.begin(), chosen.end(), is_root) == 1;

  std::vector<Definition> list;
  std::unordered_map<NodeId, Expr> written;
  for (const NodeId id : nodes) {
    const Node node = graph.node(id);
    Expr part[3] = {0, 0, 0};
    for (int i = 0; i < arity(node.op); ++i) part[i] = written.at(node.operand[i]);
    Expr made = arity(node.op) == 0 ? graph.at(id) : graph.make(node.op, part[0], part[1], part[2]);
    if (named.contains(id)) {
      const std::string name = one_root && is_root(id) ? names.take("r") : names.next("s");
      list.push_back({graph.symbol(name), made});
      made = list.back().symbol;
    }
    written.emplace(id, made);
  }
  for (const auto& all : {counted, others})
    for (Expr* e : all)
      if (!e->is_constant()) *e = written.at(e->id());
  return list;
}

}  // namespace vinculum::derive
