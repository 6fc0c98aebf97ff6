#include "vinculum/expr/graph.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "expr/fold.hpp"
#include "expr/walk.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

constexpr std::array<std::string_view, op_count + 2> op_names{
    "constant", "symbol", "+",    "-",     "*",    "/",    "^",   "-",        "sin",  "cos", "tan",
    "asin",     "acos",   "atan", "sinh",  "cosh", "tanh", "exp", "log",      "sqrt", "abs", "sign",
    "atan2",    "min",    "max",  "hypot", "<",    "<=",   "if",  "argument", "call"};

bool is_commutative(Op op) {
  return op == Op::add || op == Op::multiply || op == Op::min || op == Op::max || op == Op::hypot;
}

/// Operations whose rounding is fixed by the standard: folding them gives the bits any evaluator gives. The
/// others stay in the graph, so that their value comes from one place, the kernel.
bool is_exact(Op op) {
  switch (op) {
    case Op::add:
    case Op::subtract:
    case Op::multiply:
    case Op::divide:
    case Op::negate:
    case Op::abs:
    case Op::sign:
    case Op::min:
    case Op::max:
    case Op::less:
    case Op::less_equal:
    case Op::select:
      return true;
    default:
      return false;
  }
}

/// Points where a function has an exact value worth having: sin 0, cos 0, exp 0, ...
bool exact_value(Op op, double x, double& value) {
  if (x == 0) {
    switch (op) {
      case Op::sin:
      case Op::tan:
      case Op::asin:
      case Op::atan:
      case Op::sinh:
      case Op::tanh:
      case Op::sqrt:
        value = x;
        return true;
      case Op::cos:
      case Op::cosh:
      case Op::exp:
        value = 1;
        return true;
      default:
        return false;
    }
  }
  if (x == 1 && (op == Op::sqrt || op == Op::log)) {
    value = op == Op::sqrt ? 1 : 0;
    return true;
  }
  return false;
}

Expr combine(Op op, const Expr& a, const Expr& b = 0.0, const Expr& c = 0.0) {
  for (const Expr* e : {&a, &b, &c})
    if (Graph* graph = e->graph()) return graph->make(op, a, b, c);
  return fold(op, a.value(), b.value(), c.value());
}

}  // namespace

std::string_view op_name(Op op) { return op_names[static_cast<std::size_t>(op)]; }
static_assert(op_names.size() == static_cast<std::size_t>(Op::call) + 1);

// --- Expr ----------------------------------------------------------------------------------------

const std::string& Expr::name() const {
  if (!is_symbol()) fail("only a symbol has a name");
  return graph_->symbol_name(id_);
}

Expr Expr::operand(int i) const { return graph_->at(graph_->node(id_).operand[i]); }

bool identical(const Expr& a, const Expr& b) {
  if (a.is_constant() || b.is_constant())
    return a.is_constant() && b.is_constant() &&
           std::bit_cast<std::uint64_t>(a.value()) == std::bit_cast<std::uint64_t>(b.value());
  return a.graph() == b.graph() && a.id() == b.id();
}

// --- Graph ---------------------------------------------------------------------------------------

namespace {

/// The same for a*b and b*a; the part of the hash that a table keeps. Its lower bits are a place, as far as
/// the table reaches.
std::uint32_t tag_of(const Node& n) {
  const bool exchange = is_commutative(n.op) && n.operand[1] < n.operand[0];
  const std::uint64_t content =
      n.op == Op::constant
          ? std::bit_cast<std::uint64_t>(n.value)
          : n.operand[exchange ? 1 : 0] | (static_cast<std::uint64_t>(n.operand[exchange ? 0 : 1]) << 32);
  std::uint64_t h =
      (content + static_cast<std::uint64_t>(n.op) * 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
  h = ((h ^ (h >> 29)) + n.operand[2]) * 0x94d049bb133111ebull;
  return static_cast<std::uint32_t>(h >> 32);
}
std::uint32_t tag_of(std::string_view name) {
  return static_cast<std::uint32_t>(std::hash<std::string_view>()(name) >> 32);
}

/// Of two nodes that are no symbols.
bool same(const Node& x, const Node& y) {
  if (x.op != y.op) return false;
  if (x.op == Op::constant)
    return std::bit_cast<std::uint64_t>(x.value) == std::bit_cast<std::uint64_t>(y.value);
  if (x.operand[2] != y.operand[2]) return false;
  if (x.operand[0] == y.operand[0] && x.operand[1] == y.operand[1]) return true;
  return is_commutative(x.op) && x.operand[0] == y.operand[1] && x.operand[1] == y.operand[0];
}

}  // namespace

GraphRef GraphRef::create() {
  GraphRef made;
  made.graph_ = new Graph;  // which counts itself: that is this reference
  return made;
}

void NodeStore::push_back(const Node& node, NodeId before) {
  const auto id = static_cast<NodeId>(size());
  const int k = chunk_of(id);
  if (!chunk_[k]) {
    const std::size_t count = k == 0 ? std::size_t{1} << first_bits : start_of(k);
    chunk_[k].reset(static_cast<Stored*>(::operator new(count * sizeof(Stored))));
  }
  std::construct_at(&chunk_[k][id - start_of(k)], Stored{node, no_node, before});
  size_.store(std::size_t{id} + 1, std::memory_order_relaxed);
}

NodeId Graph::intern(const Node& node) {
  if (is_only_thread()) return intern_alone(node);
  const std::lock_guard alone(building_);
  return intern_alone(node);
}

NodeId Graph::append(const Node& node, NodeId before) {
  if (nodes_.size() >= no_node)
    fail("the expressions of one model have more than 4294967295 different parts");
  const auto id = static_cast<NodeId>(nodes_.size());
  nodes_.push_back(node, before);
  return id;
}

/// The node of that content, made on first use. One node stands for a*b and b*a, in the order first written,
/// so that text reads as the user wrote it.
NodeId Graph::intern_alone(const Node& node) {
  if (arity(node.op) == 0) return in_table(node);
  const NodeId newest = std::max({node.operand[0], node.operand[1], node.operand[2]});
  NodeId& last = nodes_.at(newest).behind;
  int count = 0;
  for (NodeId id = last; id != no_node; ++count) {
    const NodeStore::Stored& other = nodes_.at(id);
    if (same(other.node, node)) return id;
    id = other.before;
  }
  if (count == most_behind) return in_table(node);
  return last = append(node, last);
}

/// Nothing leaves the table: what is not where it would have found room is nowhere.
template <class IsSame>
std::size_t Graph::place_in_table(std::uint32_t tag, const IsSame& is_same) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t i = tag & mask;
  while (table_[i].id != no_node && !(table_[i].tag == tag && is_same(nodes_[table_[i].id])))
    i = (i + 1) & mask;
  return i;
}

void Graph::make_room() {
  if (3 * (in_table_ + 1) <= 2 * table_.size()) return;
  const std::vector<Slot> before =
      std::exchange(table_, std::vector<Slot>(std::max<std::size_t>(64, 2 * table_.size())));
  for (const Slot& slot : before)
    if (slot.id != no_node) table_[place_in_table(slot.tag, [](const Node&) { return false; })] = slot;
}

NodeId Graph::in_table(const Node& node) {
  make_room();
  const std::uint32_t tag = tag_of(node);
  const std::size_t place = place_in_table(tag, [&node](const Node& other) { return same(other, node); });
  if (table_[place].id == no_node) {
    table_[place] = {tag, append(node)};
    ++in_table_;
  }
  return table_[place].id;
}

NodeId Graph::symbol_alone(std::string_view name) {
  make_room();
  const std::uint32_t tag = tag_of(name);
  const std::size_t place = place_in_table(
      tag, [name](const Node& other) { return other.op == Op::symbol && *other.name == name; });
  if (table_[place].id == no_node) {
    Node node;
    node.op = Op::symbol;
    node.name = &names_.emplace_back(name);
    table_[place] = {tag, append(node)};
    ++in_table_;
  }
  return table_[place].id;
}

NodeId Graph::node_of_constant(const Expr& e) {
  if (!e.is_constant())
    fail("expressions of two models meet in one formula; build all its parts from the same model");
  Node node;
  node.value = e.value();
  return intern(node);
}

Expr Graph::at(NodeId id) {
  const Node& node = nodes_[id];
  return node.op == Op::constant ? Expr(node.value) : Expr(this, id);
}

Expr Graph::symbol(std::string_view name) {
  if (is_only_thread()) return {this, symbol_alone(name)};
  const std::lock_guard alone(building_);
  return {this, symbol_alone(name)};
}

/// The rewritings. Each holds for every double, infinities and NaN included, up to the sign of a zero.
Expr Graph::simplified(Op op, const Expr& a, const Expr& b, const Expr& c, bool& done) {
  done = true;
  const Op of_a = a.op(), of_b = b.op();
  const auto is_negative = [](Op of, const Expr& e) { return of == Op::constant && e.value() < 0; };
  switch (op) {
    case Op::add:
      if (a.is_constant(0)) return b;
      if (b.is_constant(0)) return a;
      if (of_b == Op::negate) return make(Op::subtract, a, b.operand(0));
      if (of_a == Op::negate) return make(Op::subtract, b, a.operand(0));
      if (is_negative(of_b, b)) return make(Op::subtract, a, -b.value());
      if (is_negative(of_a, a)) return make(Op::subtract, b, -a.value());
      break;
    case Op::subtract:
      if (b.is_constant(0)) return a;
      if (a.is_constant(0)) return make(Op::negate, b);
      if (of_b == Op::negate) return make(Op::add, a, b.operand(0));
      if (is_negative(of_b, b)) return make(Op::add, a, -b.value());
      break;
    case Op::multiply:
      if (a.is_constant(1)) return b;
      if (b.is_constant(1)) return a;
      if (a.is_constant(-1)) return make(Op::negate, b);
      if (b.is_constant(-1)) return make(Op::negate, a);
      if (of_a == Op::negate && b.is_constant()) return make(Op::multiply, a.operand(0), -b.value());
      if (of_b == Op::negate && a.is_constant()) return make(Op::multiply, -a.value(), b.operand(0));
      if (of_a == Op::negate) return make(Op::negate, make(Op::multiply, a.operand(0), b));
      if (of_b == Op::negate) return make(Op::negate, make(Op::multiply, a, b.operand(0)));
      if (identical(a, b))
        return make(Op::power, a, 2);  // evaluated as a*a: the same bits, and a shorter derivative
      break;
    case Op::divide:
      if (b.is_constant(1)) return a;
      if (b.is_constant(-1)) return make(Op::negate, a);
      if (of_a == Op::negate) return make(Op::negate, make(Op::divide, a.operand(0), b));
      if (of_b == Op::negate) return make(Op::negate, make(Op::divide, a, b.operand(0)));
      break;
    case Op::negate:
      if (of_a == Op::negate) return a.operand(0);
      if (of_a == Op::subtract) return make(Op::subtract, a.operand(1), a.operand(0));
      if (of_a == Op::multiply) {
        for (int i = 0; i < 2; ++i)
          if (a.operand(i).is_constant()) return make(Op::multiply, -a.operand(i).value(), a.operand(1 - i));
      }
      break;
    case Op::power:
      if (b.is_constant(1)) return a;
      if (b.is_constant(0) || a.is_constant(1)) return 1.0;
      break;
    case Op::abs:
      if (of_a == Op::negate) return make(Op::abs, a.operand(0));
      if (of_a == Op::abs) return a;
      break;
    case Op::min:
    case Op::max:
      if (identical(a, b)) return a;
      break;
    case Op::select:
      if (a.is_constant()) return a.value() != 0 ? b : c;
      if (identical(b, c)) return b;
      break;
    default:
      break;
  }
  done = false;
  return 0.0;
}

/// Most do: sums and products of what is no constant and has no sign before it, and multiples of it.
bool Graph::stays_as_written(Op op, const Expr& a, const Expr& b) const {
  if (op < Op::add || op > Op::divide) return false;
  const auto is_plain = [this](const Expr& e) {
    return e.graph() == this && nodes_[e.id()].op != Op::negate;
  };
  const auto is_factor = [](const Expr& e) { return e.is_constant() && std::fabs(e.value()) != 1; };
  if (is_plain(a)) {
    if (is_plain(b)) return op != Op::multiply || a.id() != b.id();
    return op == Op::multiply && is_factor(b);
  }
  return op == Op::multiply && is_factor(a) && is_plain(b);
}

Expr Graph::make(Op op, const Expr& a, const Expr& b, const Expr& c) {
  if (stays_as_written(op, a, b)) {
    Node node;
    node.op = op;
    node.operand[0] = node_of(a);
    node.operand[1] = node_of(b);
    return {this, intern(node)};
  }
  const int count = arity(op);
  const bool constants = a.is_constant() && (count < 2 || b.is_constant()) && (count < 3 || c.is_constant());
  double value = 0;
  if (constants && is_exact(op)) {
    value = fold(op, a.value(), b.value(), c.value());
    if (std::isfinite(value)) return value;  // 1/0 stays visible as what the user wrote
  }
  if (count == 1 && a.is_constant() && exact_value(op, a.value(), value)) return value;
  bool done = false;
  const Expr simple = simplified(op, a, b, c, done);
  if (done) return simple;

  Node node;
  node.op = op;
  if (count > 0) node.operand[0] = node_of(a);
  if (count > 1) node.operand[1] = node_of(b);
  if (count > 2) node.operand[2] = node_of(c);
  return {this, intern(node)};
}

std::vector<NodeId> Graph::reachable(std::span<const Expr> roots) const {
  return Walk::over(*this, roots).order();
}

// --- Operators and functions ---------------------------------------------------------------------

Expr operator+(const Expr& a, const Expr& b) { return combine(Op::add, a, b); }
Expr operator-(const Expr& a, const Expr& b) { return combine(Op::subtract, a, b); }
Expr operator*(const Expr& a, const Expr& b) { return combine(Op::multiply, a, b); }
Expr operator/(const Expr& a, const Expr& b) { return combine(Op::divide, a, b); }
Expr operator-(const Expr& a) { return combine(Op::negate, a); }
Expr& operator+=(Expr& a, const Expr& b) { return a = a + b; }
Expr& operator-=(Expr& a, const Expr& b) { return a = a - b; }
Expr& operator*=(Expr& a, const Expr& b) { return a = a * b; }
Expr& operator/=(Expr& a, const Expr& b) { return a = a / b; }

Expr pow(const Expr& base, const Expr& exponent) { return combine(Op::power, base, exponent); }
Expr sin(const Expr& x) { return combine(Op::sin, x); }
Expr cos(const Expr& x) { return combine(Op::cos, x); }
Expr tan(const Expr& x) { return combine(Op::tan, x); }
Expr asin(const Expr& x) { return combine(Op::asin, x); }
Expr acos(const Expr& x) { return combine(Op::acos, x); }
Expr atan(const Expr& x) { return combine(Op::atan, x); }
Expr sinh(const Expr& x) { return combine(Op::sinh, x); }
Expr cosh(const Expr& x) { return combine(Op::cosh, x); }
Expr tanh(const Expr& x) { return combine(Op::tanh, x); }
Expr exp(const Expr& x) { return combine(Op::exp, x); }
Expr log(const Expr& x) { return combine(Op::log, x); }
Expr sqrt(const Expr& x) { return combine(Op::sqrt, x); }
Expr abs(const Expr& x) { return combine(Op::abs, x); }
Expr sign(const Expr& x) { return combine(Op::sign, x); }
Expr atan2(const Expr& y, const Expr& x) { return combine(Op::atan2, y, x); }
Expr min(const Expr& a, const Expr& b) { return combine(Op::min, a, b); }
Expr max(const Expr& a, const Expr& b) { return combine(Op::max, a, b); }
Expr hypot(const Expr& a, const Expr& b) { return combine(Op::hypot, a, b); }
Expr if_less(const Expr& a, const Expr& b, const Expr& then, const Expr& otherwise) {
  return combine(Op::select, combine(Op::less, a, b), then, otherwise);
}
Expr if_less_equal(const Expr& a, const Expr& b, const Expr& then, const Expr& otherwise) {
  return combine(Op::select, combine(Op::less_equal, a, b), then, otherwise);
}

}  // namespace vinculum
