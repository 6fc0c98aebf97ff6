#include "vinculum/expr/opaque.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "expr/walk.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/expr/called_name.hpp"
#include "vinculum/expr/graph.hpp"

namespace vinculum {
namespace {

/// To both sides the error is h^2 f'''/6 + eps f/h: least near the third root of eps. The second term is for
/// arguments that are zero, whose size nobody knows.
double step_at(double x) { return 6e-6 * std::fabs(x) + 1e-8; }

void require_sound(const OpaqueFunction& f) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  if (f.name.empty() || (f.name[0] >= '0' && f.name[0] <= '9') || !std::ranges::all_of(f.name, letter))
    fail("'" + f.name + "' cannot name a function: a name is letters, digits and _");
  if (!f.value) fail("function '" + f.name + "' has no value: give it a C++ function");
  if (f.arguments < 1 || f.arguments > most_arguments)
    fail("function '" + f.name + "' has " + std::to_string(f.arguments) + " arguments; from 1 to " +
         std::to_string(most_arguments) + " are possible");
}

}  // namespace

double derivative_at(const OpaqueFunction& f, std::span<const double> at, int k) {
  std::array<double, most_arguments> buffer{};
  const std::span<double> numbers = std::span(buffer).first(at.size());
  if (f.gradient) {
    f.gradient(at, numbers);
    return numbers[k];
  }
  std::ranges::copy(at, numbers.begin());
  numbers[k] = at[k] + step_at(at[k]);
  const double above = f.value(numbers), upper = numbers[k];
  numbers[k] = at[k] - step_at(at[k]);
  return (above - f.value(numbers)) / (upper - numbers[k]);
}

// --- In a graph ----------------------------------------------------------------------------------

const std::shared_ptr<const OpaqueFunction>& Graph::function(std::size_t number) const {
  const std::lock_guard alone(building_);
  return functions_.at(number);
}

const std::shared_ptr<const OpaqueFunction>& Graph::function(const Node& call) const {
  return function(static_cast<std::size_t>(nodes_[call.operand[0]].value));
}

bool Graph::has_functions() const {
  const std::lock_guard alone(building_);
  return !functions_.empty();
}

Function Graph::add_function(OpaqueFunction function) {
  require_sound(function);
  const std::lock_guard alone(building_);
  functions_.push_back(std::make_shared<const OpaqueFunction>(std::move(function)));
  return {this, functions_.size() - 1};
}

void Graph::share_functions(const Graph& other) {
  const std::scoped_lock alone(building_, other.building_);
  functions_ = other.functions_;
}

/// The number of the function is a constant of the call, so that expressions are rebuilt like any other.
Expr Function::of(std::span<const Expr> arguments) const {
  const OpaqueFunction& f = *graph_->function(number_);
  if (arguments.size() != static_cast<std::size_t>(f.arguments))
    fail("function '" + f.name + "' takes " + std::to_string(f.arguments) + " arguments and is given " +
         std::to_string(arguments.size()));
  Expr list = 0.0;
  for (std::size_t k = arguments.size(); k-- > 0;) list = graph_->make(Op::argument, arguments[k], list);
  return graph_->make(Op::call, static_cast<double>(number_), list, 0.0);
}

std::vector<Expr> arguments_of(const Expr& call) {
  std::vector<Expr> list;
  for (Expr rest = call.operand(1); rest.op() == Op::argument; rest = rest.operand(1))
    list.push_back(rest.operand(0));
  return list;
}

int component_of(const Expr& call) { return static_cast<int>(call.operand(2).value()); }

std::string called_name(const Graph& graph, const Node& call) {
  const double component = graph.node(call.operand[2]).value;
  return graph.function(call)->name + (component == 0 ? "" : "_d" + number_text(component));
}

std::vector<std::shared_ptr<const OpaqueFunction>> functions_of(std::span<const Expr> f) {
  std::vector<std::shared_ptr<const OpaqueFunction>> found;
  const auto first = std::ranges::find_if(f, [](const Expr& e) { return !e.is_constant(); });
  if (first == f.end()) return found;
  Graph& graph = *first->graph();
  if (!graph.has_functions()) return found;
  for (const NodeId id : Walk::over(graph, f).order()) {
    const Node& node = graph.node(id);
    if (node.op == Op::call && !std::ranges::count(found, graph.function(node)))
      found.push_back(graph.function(node));
  }
  return found;
}

}  // namespace vinculum
