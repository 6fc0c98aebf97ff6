#include "vinculum/expr/derivative.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "expr/walk.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

/// The derivative of a function written in C++ by one of its arguments. A derivative is not differentiated
/// again: nobody gave that one.
Expr partial_of_call(const Expr& e, int k) {
  Graph& graph = *e.graph();
  if (component_of(e) != 0)
    fail("function '" + graph.function(graph.node(e.id()))->name +
         "' is written in C++ and has no second derivatives, which are asked for here");
  return graph.make(Op::call, e.operand(0), e.operand(1), k + 1);
}

/// d op(a, b) / d operand i. One rule for each operation; forward and backward sweeps both use it. The
/// operations that choose a branch have no rule here: see tangent_of_choice().
Expr partial(const Expr& e, int i) {
  if (e.op() == Op::call) return partial_of_call(e, i);
  const Expr a = e.operand(0);
  const Expr b = arity(e.op()) > 1 ? e.operand(1) : Expr(0.0);
  switch (e.op()) {
    case Op::add:
      return 1;
    case Op::subtract:
      return i == 0 ? 1 : -1;
    case Op::multiply:
      return i == 0 ? b : a;
    case Op::divide:
      return i == 0 ? 1 / b : -(e / b);
    case Op::power:
      return i == 0 ? b * pow(a, b - 1) : e * log(a);
    case Op::negate:
      return -1;
    case Op::sin:
      return cos(a);
    case Op::cos:
      return -sin(a);
    case Op::tan:
      return 1 + pow(e, 2);
    case Op::asin:
      return 1 / sqrt(1 - pow(a, 2));
    case Op::acos:
      return -1 / sqrt(1 - pow(a, 2));
    case Op::atan:
      return 1 / (1 + pow(a, 2));
    case Op::sinh:
      return cosh(a);
    case Op::cosh:
      return sinh(a);
    case Op::tanh:
      return 1 - pow(e, 2);
    case Op::exp:
      return e;
    case Op::log:
      return 1 / a;
    case Op::sqrt:
      return 0.5 / e;
    case Op::abs:
      return sign(a);
    case Op::sign:
      return 0;
    case Op::atan2:
      return i == 0 ? b / (pow(a, 2) + pow(b, 2)) : -(a / (pow(a, 2) + pow(b, 2)));
    case Op::hypot:
      return (i == 0 ? a : b) / e;
    case Op::less:
    case Op::less_equal:
      return 0;  // a condition jumps; the branches carry the derivative
    default:
      fail("no derivative rule for '" + std::string(op_name(e.op())) + "'");
  }
}

/// What a node is made of, for the rules: its operands; of a call its arguments.
class Parts {
 public:
  explicit Parts(const Expr& e) : e_(e), count_(arity(e.op())) {
    if (e.op() != Op::call) return;
    arguments_ = arguments_of(e);
    count_ = static_cast<int>(arguments_.size());
  }
  int count() const { return count_; }
  Expr operator[](int i) const { return arguments_.empty() ? e_.operand(i) : arguments_[i]; }

 private:
  const Expr& e_;
  int count_;
  std::vector<Expr> arguments_;
};

bool is_choice(Op op) { return op == Op::select || op == Op::min || op == Op::max; }

/// The tangent of the chosen branch. The other branch's tangent must not even be multiplied by zero: it may
/// be infinite where its branch is not meant to be looked at, as in if(x > 0, sqrt(x), 0).
Expr tangent_of_choice(const Expr& e, const Expr& ta, const Expr& tb, const Expr& tc) {
  if (e.op() == Op::select) {
    const Expr condition = e.operand(0);
    if (identical(tb, tc)) return tb;
    return condition.op() == Op::less ? if_less(condition.operand(0), condition.operand(1), tb, tc)
                                      : if_less_equal(condition.operand(0), condition.operand(1), tb, tc);
  }
  const Expr a = e.operand(0), b = e.operand(1);
  return e.op() == Op::min ? if_less_equal(a, b, ta, tb) : if_less_equal(b, a, ta, tb);
}

using Values = std::unordered_map<NodeId, Expr>;

Expr value_at(const Values& values, const Expr& e) {
  if (e.is_constant()) return 0;
  const auto found = values.find(e.id());
  return found == values.end() ? Expr(0.0) : found->second;
}

/// One forward sweep: the tangent of f when each symbol moves with its seed.
template <class SeedOf>
Expr forward(const Expr& f, const SeedOf& seed_of) {
  if (f.is_constant()) return 0;
  Graph& graph = *f.graph();
  Values tangent;
  for (const NodeId id : graph.reachable({&f, 1})) {
    const Expr e = graph.at(id);
    Expr sum = 0;
    if (e.is_symbol()) {
      if (const Expr* seed = seed_of(id)) sum = *seed;
    } else if (is_choice(e.op())) {
      sum = tangent_of_choice(e, value_at(tangent, e.operand(0)), value_at(tangent, e.operand(1)),
                              e.op() == Op::select ? value_at(tangent, e.operand(2)) : Expr(0.0));
    } else if (e.op() != Op::argument) {  // a list has no tangent: its call asks for those of the arguments
      const Parts parts(e);
      for (int i = 0; i < parts.count(); ++i) {
        const Expr t = value_at(tangent, parts[i]);
        if (t.is_constant(0))
          continue;  // also keeps rules from being asked where they do not apply (x^2: no log x)
        const Expr p = partial(e, i);
        if (!p.is_constant(0)) sum += p * t;
      }
    }
    if (!sum.is_constant(0)) tangent.emplace(id, sum);
  }
  return value_at(tangent, f);
}

/// The nodes that contain one of the symbols. The backward sweep follows no others: a gradient by three
/// accelerations makes no nodes for the derivatives by everything else.
std::unordered_set<NodeId> nodes_with(const Graph& graph, std::span<const NodeId> order,
                                      std::span<const Expr> symbols) {
  std::unordered_set<NodeId> found;
  for (const Expr& s : symbols)
    if (s.is_symbol()) found.insert(s.id());
  for (const NodeId id : order) {
    const Node& node = graph.node(id);
    for (int i = 0; i < arity(node.op); ++i)
      if (found.contains(node.operand[i])) found.insert(id);
  }
  return found;
}

/// One backward sweep: the adjoint of every node that matters. Not for graphs with choices.
std::vector<Expr> backward(const Expr& f, std::span<const NodeId> order, std::span<const Expr> symbols) {
  Graph& graph = *f.graph();
  const std::unordered_set<NodeId> wanted = nodes_with(graph, order, symbols);
  Values adjoint{{f.id(), Expr(1.0)}};
  for (auto id = order.rbegin(); id != order.rend(); ++id) {
    const Expr e = graph.at(*id);
    const Expr bar = value_at(adjoint, e);
    if (bar.is_constant(0)) continue;
    const Parts parts(e);
    for (int i = 0; i < parts.count(); ++i) {
      const Expr child = parts[i];
      if (child.is_constant() || !wanted.contains(child.id())) continue;
      const Expr p = partial(e, i);
      if (p.is_constant(0)) continue;
      const auto [where, is_new] = adjoint.try_emplace(child.id(), bar * p);
      if (!is_new) where->second += bar * p;
    }
  }
  std::vector<Expr> result;
  for (const Expr& s : symbols) result.push_back(value_at(adjoint, s));
  return result;
}

}  // namespace

void SymbolMap::set(const Expr& symbol, const Expr& value) {
  if (!symbol.is_symbol()) fail("only a symbol can be mapped to an expression");
  map_.insert_or_assign(symbol.id(), value);
}

void SymbolMap::set_nothing(const Expr& symbol) {
  set(symbol, 0.0);
  nothing_.insert(symbol.id());
}

Expr derivative(const Expr& f, const Expr& symbol) {
  if (!symbol.is_symbol()) fail("only a symbol can be mapped to an expression");
  const Expr one = 1;
  return forward(f, [&](NodeId id) { return id == symbol.id() ? &one : nullptr; });
}

std::vector<Expr> gradient(const Expr& f, std::span<const Expr> symbols) {
  if (f.is_constant()) return std::vector<Expr>(symbols.size(), Expr(0.0));
  Graph& graph = *f.graph();
  const std::vector<NodeId> order = graph.reachable({&f, 1});
  if (std::none_of(order.begin(), order.end(), [&](NodeId id) { return is_choice(graph.node(id).op); }))
    return backward(f, order, symbols);
  std::vector<Expr> result;
  for (const Expr& s : symbols) result.push_back(derivative(f, s));
  return result;
}

std::vector<JacobianEntry> jacobian(std::span<const Expr> f, std::span<const Expr> symbols) {
  std::unordered_map<NodeId, int> column;
  for (std::size_t j = 0; j < symbols.size(); ++j) column.emplace(symbols[j].id(), static_cast<int>(j));
  std::vector<JacobianEntry> entries;
  for (std::size_t i = 0; i < f.size(); ++i) {
    // Only the symbols a row contains are asked for, so that a sparse Jacobian costs what its entries cost.
    std::vector<std::pair<int, Expr>> present;
    for (const Expr& s : symbols_of(f.subspan(i, 1)))
      if (const auto found = column.find(s.id()); found != column.end())
        present.emplace_back(found->second, s);
    std::sort(present.begin(), present.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
    std::vector<Expr> wanted;
    for (const auto& [j, s] : present) wanted.push_back(s);
    const std::vector<Expr> row = gradient(f[i], wanted);
    for (std::size_t k = 0; k < row.size(); ++k)
      if (!row[k].is_constant(0)) entries.push_back({static_cast<int>(i), present[k].first, row[k]});
  }
  return entries;
}

Expr time_derivative(const Expr& f, const SymbolMap& rates) {
  return forward(f, [&](NodeId id) { return rates.find(id); });
}

Expr time_derivative(const Expr& f, const SymbolMap& rates, const SymbolMap& more) {
  return forward(f, [&](NodeId id) {
    const Expr* rate = rates.find(id);
    return rate != nullptr ? rate : more.find(id);
  });
}

Expr substitute(const Expr& f, const SymbolMap& replacement) {
  if (f.is_constant() || replacement.empty()) return f;
  Graph& graph = *f.graph();
  Values fresh;                     // those that change; most stay what they are
  std::unordered_set<NodeId> gone;  // nothing is left of these
  for (const NodeId id : graph.reachable({&f, 1})) {
    const Node& node = graph.node(id);
    if (node.op == Op::symbol) {
      if (const Expr* value = replacement.find(id)) fresh.emplace(id, *value);
      if (replacement.is_nothing(id)) gone.insert(id);
      continue;
    }
    const int count = arity(node.op);
    const Expr* renewed[3] = {nullptr, nullptr, nullptr};
    bool changes = false, has_gone = false;
    for (int i = 0; i < count && !fresh.empty(); ++i)
      if (const auto found = fresh.find(node.operand[i]); found != fresh.end()) {
        renewed[i] = &found->second;
        changes = true;
        has_gone = has_gone || gone.contains(node.operand[i]);
      }
    if (!changes) continue;
    const auto operand = [&](int i) {
      return i >= count ? Expr(0.0) : renewed[i] ? *renewed[i] : graph.at(node.operand[i]);
    };
    Expr made = has_gone && node.op == Op::multiply ? Expr(0.0)
                                                    : graph.make(node.op, operand(0), operand(1), operand(2));
    if (has_gone && made.is_constant(0)) gone.insert(id);
    fresh.emplace(id, std::move(made));
  }
  const auto found = fresh.find(f.id());
  return found == fresh.end() ? f : found->second;
}

std::vector<Expr> symbols_of(std::span<const Expr> f) {
  if (f.size() == 1 && f[0].is_symbol()) return {f[0]};
  const auto first = std::ranges::find_if(f, [](const Expr& e) { return !e.is_constant(); });
  if (first == f.end()) return {};
  Graph& graph = *first->graph();
  const Walk& walk = Walk::over(graph, f);
  std::vector<Expr> result;
  result.reserve(walk.symbols().size());
  for (const NodeId id : walk.symbols()) result.push_back(graph.at(id));
  return result;
}

}  // namespace vinculum
