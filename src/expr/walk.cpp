#include "expr/walk.hpp"

#include <algorithm>
#include <limits>

#include "vinculum/base/error.hpp"

namespace vinculum {

/// Marks of one walk are larger than those of any before, so that none is wiped until they begin again.
void Walk::begin(NodeId last) {
  const std::size_t used = order_.size() + 1, needed = static_cast<std::size_t>(last) + 2;
  path_.clear();
  order_.clear();
  symbols_.clear();
  if (first_ + used + needed < std::numeric_limits<std::uint32_t>::max()) {
    first_ += static_cast<std::uint32_t>(used);
  } else {
    std::fill(mark_.begin(), mark_.end(), 0);
    first_ = 1;
  }
  if (mark_.size() <= last) mark_.resize(std::max(needed, 2 * mark_.size()), 0);
}

void Walk::leave(NodeId id) {
  order_.push_back(id);
  mark_[id] = first_ + static_cast<std::uint32_t>(order_.size());
}

void Walk::enter(const Graph& graph, NodeId id) {
  if (mark_[id] >= first_) return;
  mark_[id] = first_;
  const Node& node = graph.node(id);
  if (const int count = arity(node.op); count > 0)
    path_.push_back({&node, id, 0, count});
  else
    leave(id);
  if (node.op == Op::symbol) symbols_.push_back(id);
}

const Walk& Walk::over(const Graph& graph, std::span<const Expr> roots) {
  static thread_local Walk walk;
  NodeId last = 0;
  for (const Expr& root : roots)
    if (!root.is_constant()) last = std::max(last, root.id());
  walk.begin(last);
  for (const Expr& root : roots) {
    if (root.is_constant()) continue;
    if (root.graph() != &graph) fail("expressions of two models meet in one list");
    walk.enter(graph, root.id());
    while (!walk.path_.empty()) {
      Step& step = walk.path_.back();
      if (step.next < step.count) {
        walk.enter(graph, step.node->operand[step.next++]);
      } else {
        const NodeId id = step.id;
        walk.path_.pop_back();
        walk.leave(id);
      }
    }
  }
  return walk;
}

}  // namespace vinculum
