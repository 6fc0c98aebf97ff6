// The expression graph: immutable, hash-consed nodes. Equal expressions are one node, so sub-expressions are
// shared.
#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/expr/opaque.hpp"

namespace vinculum {

/// What a node does with its operands. `less` and `less_equal` give 1 or 0 and stand only as the condition of
/// `select`. `argument` (an argument, the list of those behind it; 0 ends it) stands only in a `call` (number
/// of the function in the graph, list of arguments, 0 for the value or k for the derivative by argument k).
enum class Op : std::uint8_t {
  constant,
  symbol,
  add,
  subtract,
  multiply,
  divide,
  power,
  negate,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  abs,
  sign,
  atan2,
  min,
  max,
  hypot,
  less,
  less_equal,
  select,
  argument,
  call,
};
/// Of the operations that a text can have: `argument` and `call` come from C++ alone.
inline constexpr int op_count = static_cast<int>(Op::select) + 1;

/// Number of operands: 0 for constants and symbols, 3 for `select` (condition, then, else).
VINCULUM_EXPORT int arity(Op op);
/// The name a function has in text ("sin", "atan2", "if"), or the sign of an operator ("+").
VINCULUM_EXPORT std::string_view op_name(Op op);

class Graph;
class Function;
using NodeId = std::uint32_t;

/// A handle to a node; a value to be copied freely. A constant needs no graph until it meets an expression
/// that has one; every other expression lives in its graph, which must outlive it.
class VINCULUM_EXPORT Expr {
 public:
  Expr(double value = 0.0)
      : value_(value) {}              // NOLINT(google-explicit-constructor): 2 * x must read as in a paper
  Expr(int value) : value_(value) {}  // NOLINT(google-explicit-constructor)

  bool is_constant() const { return graph_ == nullptr; }
  bool is_constant(double value) const { return is_constant() && value_ == value; }
  bool is_symbol() const { return op() == Op::symbol; }
  double value() const { return value_; }  ///< of a constant
  const std::string& name() const;         ///< of a symbol
  Op op() const;
  Expr operand(int i) const;
  Graph* graph() const { return graph_; }
  NodeId id() const {
    return id_;
  }  ///< unique within its graph; operands have smaller ids. Constants have none.

 private:
  friend class Graph;
  Expr(Graph* graph, NodeId id) : graph_(graph), id_(id) {}
  Graph* graph_ = nullptr;
  union {
    double value_;
    NodeId id_;
  };
};

/// The same node (or the same constant, bit for bit): equality of structure, not of value.
VINCULUM_EXPORT bool identical(const Expr& a, const Expr& b);

/// One node as stored. Operands are ids of earlier nodes, so ids in rising order are a topological order.
struct Node {
  Op op = Op::constant;
  NodeId operand[3] = {0, 0, 0};
  double value = 0.0;  // constants
  NodeId symbol = 0;   // symbols: index of the name
};

/// Owns the nodes. Building is for one thread at a time; nodes are never changed or removed.
class VINCULUM_EXPORT Graph {
 public:
  Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  /// The symbol of that name, made on first use.
  Expr symbol(std::string_view name);
  /// op(a, b, c) after simplification. Simplification never changes a value (the sign of a zero excepted): it
  /// folds constants under exact operations and drops neutral elements, but never replaces 0*x or x-x by 0,
  /// because x may be infinite or not a number.
  Expr make(Op op, const Expr& a, const Expr& b = 0.0, const Expr& c = 0.0);

  std::size_t size() const { return nodes_.size(); }
  const Node& node(NodeId id) const { return nodes_[id]; }
  const std::string& symbol_name(NodeId id) const { return names_[nodes_[id].symbol]; }
  Expr at(NodeId id);

  /// A function written in C++, from now on part of the graph.
  Function add_function(OpaqueFunction function);
  /// The function that a node calls.
  const std::shared_ptr<const OpaqueFunction>& function(const Node& call) const;
  /// Knows the functions of another graph by the same numbers: for expressions that are written anew here.
  void share_functions(const Graph& other) { functions_ = other.functions_; }

  /// Every node the roots need, operands first, each once: the local topological order. Costs what it visits.
  std::vector<NodeId> reachable(std::span<const Expr> roots);

 private:
  friend class Function;
  NodeId intern(const Node& node);
  NodeId node_of(const Expr& e);
  Expr simplified(Op op, const Expr& a, const Expr& b, const Expr& c, bool& done);
  void grow_table();
  /// A place of the hash table. The tag, the other half of the hash, spares most looks at nodes that differ.
  struct Slot {
    std::uint32_t tag = 0;
    NodeId id = no_node;
  };
  static constexpr NodeId no_node = ~NodeId{0};

  std::vector<Node> nodes_;
  std::deque<std::string> names_;
  std::vector<Slot> table_;  // of all nodes, by content: open addressing, at most half full
  std::unordered_map<std::string_view, NodeId> symbols_;
  std::vector<std::shared_ptr<const OpaqueFunction>> functions_;
  std::vector<std::uint32_t> visit_;  // scratch of reachable(): the visit in which a node was last seen
  std::uint32_t visits_ = 0;
};

/// A function written in C++ as part of a graph: with drag a function, drag(x, y) is an expression.
class VINCULUM_EXPORT Function {
 public:
  template <class... Arguments>
  Expr operator()(const Arguments&... arguments) const {
    const Expr list[] = {arguments...};
    return of(list);
  }
  Expr of(std::span<const Expr> arguments) const;

 private:
  friend class Graph;
  Function(Graph* graph, std::size_t number) : graph_(graph), number_(number) {}
  Graph* graph_;
  std::size_t number_;
};

VINCULUM_EXPORT Expr operator+(const Expr& a, const Expr& b);
VINCULUM_EXPORT Expr operator-(const Expr& a, const Expr& b);
VINCULUM_EXPORT Expr operator*(const Expr& a, const Expr& b);
VINCULUM_EXPORT Expr operator/(const Expr& a, const Expr& b);
VINCULUM_EXPORT Expr operator-(const Expr& a);
inline Expr operator+(const Expr& a) { return a; }
VINCULUM_EXPORT Expr& operator+=(Expr& a, const Expr& b);
VINCULUM_EXPORT Expr& operator-=(Expr& a, const Expr& b);
VINCULUM_EXPORT Expr& operator*=(Expr& a, const Expr& b);
VINCULUM_EXPORT Expr& operator/=(Expr& a, const Expr& b);

VINCULUM_EXPORT Expr pow(const Expr& base, const Expr& exponent);
VINCULUM_EXPORT Expr sin(const Expr& x);
VINCULUM_EXPORT Expr cos(const Expr& x);
VINCULUM_EXPORT Expr tan(const Expr& x);
VINCULUM_EXPORT Expr asin(const Expr& x);
VINCULUM_EXPORT Expr acos(const Expr& x);
VINCULUM_EXPORT Expr atan(const Expr& x);
VINCULUM_EXPORT Expr sinh(const Expr& x);
VINCULUM_EXPORT Expr cosh(const Expr& x);
VINCULUM_EXPORT Expr tanh(const Expr& x);
VINCULUM_EXPORT Expr exp(const Expr& x);
VINCULUM_EXPORT Expr log(const Expr& x);
VINCULUM_EXPORT Expr sqrt(const Expr& x);
VINCULUM_EXPORT Expr abs(const Expr& x);
VINCULUM_EXPORT Expr sign(const Expr& x);  ///< -1, 0 or 1
VINCULUM_EXPORT Expr atan2(const Expr& y, const Expr& x);
VINCULUM_EXPORT Expr min(const Expr& a, const Expr& b);
VINCULUM_EXPORT Expr max(const Expr& a, const Expr& b);
VINCULUM_EXPORT Expr hypot(const Expr& a, const Expr& b);
VINCULUM_EXPORT Expr if_less(const Expr& a, const Expr& b, const Expr& then,
                             const Expr& otherwise);  ///< a < b ? then : otherwise
VINCULUM_EXPORT Expr if_less_equal(const Expr& a, const Expr& b, const Expr& then,
                                   const Expr& otherwise);  ///< a <= b ? ...

/// The functions written in C++ that the expressions call, each once, in the order a reader meets them.
VINCULUM_EXPORT std::vector<std::shared_ptr<const OpaqueFunction>> functions_of(std::span<const Expr> f);
/// The arguments of a call, and which of its numbers it stands for: 0 the value, k the derivative by argument
/// k.
VINCULUM_EXPORT std::vector<Expr> arguments_of(const Expr& call);
VINCULUM_EXPORT int component_of(const Expr& call);

/// The value of an expression, once: for constants that are looked at while a model is stated. (Kernels give
/// the same but for the last bit of functions.)
VINCULUM_EXPORT double value_of(const Expr& e, const std::function<double(const Expr& symbol)>& of_symbol);

}  // namespace vinculum
