// The expression graph: immutable, hash-consed nodes. Equal expressions are one node, so sub-expressions are
// shared.
#pragma once
#include <atomic>
#include <bit>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/base/threads.hpp"
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
constexpr int arity(Op op) {
  if (op <= Op::symbol) return 0;
  if (op == Op::select || op == Op::call) return 3;
  return op <= Op::power || op >= Op::atan2 ? 2 : 1;
}
/// The name a function has in text ("sin", "atan2", "if"), or the sign of an operator ("+").
VINCULUM_EXPORT std::string_view op_name(Op op);

class Graph;
class Function;
using NodeId = std::uint32_t;

/// Counts who needs a graph; the last lets it go. A graph that is a variable of its own counts itself, and
/// goes with its block.
class VINCULUM_EXPORT GraphRef {
 public:
  GraphRef() = default;
  explicit GraphRef(Graph* graph) : graph_(graph) { hold(); }
  GraphRef(const GraphRef& other) : graph_(other.graph_) { hold(); }
  GraphRef(GraphRef&& other) noexcept : graph_(std::exchange(other.graph_, nullptr)) {}
  GraphRef& operator=(GraphRef other) noexcept {
    std::swap(graph_, other.graph_);
    return *this;
  }
  ~GraphRef() { release(); }
  static GraphRef create();  ///< a graph that lives as long as it is needed

  Graph* get() const { return graph_; }
  Graph& operator*() const { return *graph_; }
  Graph* operator->() const { return graph_; }

 private:
  void hold();
  void release();
  Graph* graph_ = nullptr;
};

/// A handle to a node; a value to be copied freely. A constant needs no graph until it meets an expression
/// that has one; every other expression lives in its graph, and keeps it alive.
class VINCULUM_EXPORT Expr {
 public:
  Expr(double value = 0.0)
      : value_(value) {}              // NOLINT(google-explicit-constructor): 2 * x must read as in a paper
  Expr(int value) : value_(value) {}  // NOLINT(google-explicit-constructor)

  bool is_constant() const { return graph_.get() == nullptr; }
  bool is_constant(double value) const { return is_constant() && value_ == value; }
  bool is_symbol() const { return op() == Op::symbol; }
  double value() const { return value_; }  ///< of a constant
  const std::string& name() const;         ///< of a symbol
  inline Op op() const;
  Expr operand(int i) const;
  Graph* graph() const { return graph_.get(); }
  NodeId id() const {
    return id_;
  }  ///< unique within its graph; operands have smaller ids. Constants have none.

 private:
  friend class Graph;
  Expr(Graph* graph, NodeId id) : graph_(graph), id_(id) {}
  GraphRef graph_;
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
  union {
    double value = 0.0;       // constants
    const std::string* name;  // symbols
  };
};
inline constexpr NodeId no_node = ~NodeId{0};

/// Nodes by their ids. One thread at a time appends, any may read what it was given the id of: a node never
/// moves. Chunks double, so that few of them hold all ids there are.
class NodeStore {
 public:
  NodeStore() = default;
  std::size_t size() const { return size_.load(std::memory_order_relaxed); }
  const Node& operator[](NodeId id) const { return at(id).node; }

 private:
  friend class Graph;
  /// With what only who appends may look at: the last node that was put behind this one, and the node that
  /// was put before this one behind the same.
  struct Stored {
    Node node;
    NodeId behind = no_node, before = no_node;
  };
  void push_back(const Node& node, NodeId before);
  static constexpr int first_bits = 10;
  static int chunk_of(NodeId id) { return std::bit_width(id >> first_bits); }
  static NodeId start_of(int k) { return k == 0 ? 0 : NodeId{1} << (k + first_bits - 1); }
  Stored& at(NodeId id) const {
    const int k = chunk_of(id);
    return chunk_[k][id - start_of(k)];
  }
  /// Memory whose end is not touched before there are nodes.
  struct Free {
    void operator()(Stored* chunk) const { ::operator delete(chunk); }
  };
  std::unique_ptr<Stored[], Free> chunk_[33 - first_bits];
  std::atomic<std::size_t> size_ = 0;
};

/// Owns the nodes. They are never changed, moved or removed, and any number of threads may build and read at
/// once: models share their graph with their copies and with the systems made of them.
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
  const std::string& symbol_name(NodeId id) const { return *nodes_[id].name; }
  Expr at(NodeId id);

  /// A function written in C++, from now on part of the graph.
  Function add_function(OpaqueFunction function);
  bool has_functions() const;
  /// The function that a node calls.
  const std::shared_ptr<const OpaqueFunction>& function(const Node& call) const;
  const std::shared_ptr<const OpaqueFunction>& function(std::size_t number) const;
  /// Knows the functions of another graph by the same numbers: for expressions that are written anew here.
  void share_functions(const Graph& other);

  /// Every node the roots need, operands first, each once: the local topological order. Costs what it visits.
  std::vector<NodeId> reachable(std::span<const Expr> roots) const;

 private:
  friend class Function;
  friend class GraphRef;
  NodeId intern(const Node& node);
  NodeId intern_alone(const Node& node);
  NodeId symbol_alone(std::string_view name);
  NodeId append(const Node& node, NodeId before = no_node);
  /// The place in the table of a node that is the same, or where it belongs.
  template <class IsSame>
  std::size_t place_in_table(std::uint32_t tag, const IsSame& is_same) const;
  NodeId in_table(const Node& node);
  NodeId node_of(const Expr& e) {
    if (e.graph() == this) return e.id();
    return node_of_constant(e);
  }
  NodeId node_of_constant(const Expr& e);
  bool stays_as_written(Op op, const Expr& a, const Expr& b) const;
  Expr simplified(Op op, const Expr& a, const Expr& b, const Expr& c, bool& done);
  void make_room();
  /// A place of the hash table. The tag, a part of the hash, spares most looks at nodes that differ.
  struct Slot {
    std::uint32_t tag = 0;
    NodeId id = no_node;
  };
  /// A node is found through its newest operand, behind which it was put: what is made one after the other
  /// lies side by side, and a large model is not stated by one cache miss after the other. What has no
  /// operands, and what finds no room there, as behind a symbol that stands in thousands of nodes, is found
  /// by its hash.
  static constexpr int most_behind = 16;

  NodeStore nodes_;
  mutable std::mutex building_;  // guards what follows, and the end of nodes_
  std::deque<std::string> names_;
  std::vector<Slot> table_;  // of nodes that stand behind no other: open addressing, at most two thirds full
  std::size_t in_table_ = 0;
  std::deque<std::shared_ptr<const OpaqueFunction>> functions_;
  std::atomic<std::size_t> needed_ = 1;  // by whom it is counted: itself, or the first reference
};

inline Op Expr::op() const { return is_constant() ? Op::constant : graph_->node(id_).op; }

inline void GraphRef::hold() {
  if (graph_ == nullptr) return;
  std::atomic<std::size_t>& needed = graph_->needed_;
  if (is_only_thread())
    needed.store(needed.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  else
    needed.fetch_add(1, std::memory_order_relaxed);
}
inline void GraphRef::release() {
  if (graph_ == nullptr) return;
  std::atomic<std::size_t>& needed = graph_->needed_;
  if (is_only_thread()) {
    const std::size_t left = needed.load(std::memory_order_relaxed) - 1;
    needed.store(left, std::memory_order_relaxed);
    if (left == 0) delete graph_;
  } else if (needed.fetch_sub(1, std::memory_order_acq_rel) == 1) {
    delete graph_;
  }
}

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
  GraphRef graph_;
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
