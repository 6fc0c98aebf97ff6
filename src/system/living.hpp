// What depends on living parameters alone: numbers that change with them, and with nothing else.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "vinculum/kernel/program.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum {

/// A parameter that was left a symbol, or a number made of such.
bool is_living(const Model& model, const Expr& symbol);
/// No symbol but living parameters stands in it, and one at least.
bool is_of_living(const Model& model, const Expr& e);

/// For each of `nodes`, operands first: true where its symbols, at least one, are all `known`.
std::vector<char> made_of(Graph& graph, std::span<const NodeId> nodes,
                          const std::function<bool(const Expr&)>& known);

/// Expressions with their largest parts that are made of known symbols alone replaced by symbols: a kernel
/// then has the instructions it would have with numbers in their place.
struct Hoisted {
  std::vector<Expr> values;
  std::vector<Expr> slots, meanings;  // the new symbols, and what each stands for
};
Hoisted hoist(Graph& graph, std::vector<Expr> values, const std::function<bool(const Expr&)>& known);

/// Expressions of living parameters.
class LivingNumbers {
 public:
  LivingNumbers() = default;
  LivingNumbers(const Model& model, std::span<const Expr> values);
  bool empty() const { return program_.outputs().empty(); }
  /// `parameters` are the numbers of the model, in its order.
  std::vector<double> at(std::span<const double> parameters) const;

 private:
  Program program_;
  std::vector<int> parameter_;  // of each input
};

}  // namespace vinculum
