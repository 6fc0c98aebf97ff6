// All nodes that some expressions need, operands first.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum {

/// Scratch of a walk, which serves all graphs of a thread. Depth first without recursion: the order depends
/// on the shape alone, not on when a node was made.
class Walk {
 public:
  /// Of this thread; what it tells holds until the next.
  static const Walk& over(const Graph& graph, std::span<const Expr> roots);

  const std::vector<NodeId>& order() const { return order_; }      ///< each once
  const std::vector<NodeId>& symbols() const { return symbols_; }  ///< those among them
  /// Where a node stands in it.
  std::uint32_t place_of(NodeId id) const { return mark_[id] - first_ - 1; }

 private:
  struct Step {
    const Node* node;  // never moves
    NodeId id;
    int next, count;  // of its operands
  };
  void begin(NodeId last);
  void enter(const Graph& graph, NodeId id);
  void leave(NodeId id);

  std::vector<std::uint32_t> mark_;  // of what this walk has seen: `first_`; behind it the place in the order
  std::uint32_t first_ = 1;
  std::vector<Step> path_;
  std::vector<NodeId> order_, symbols_;
};

}  // namespace vinculum
