// Values of expressions while a model is stated. (What is computed again and again is a kernel.)
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/expr/graph.hpp"

namespace vinculum {

/// A few expressions, to be evaluated for one set of numbers after another.
class VINCULUM_EXPORT Valuation {
 public:
  explicit Valuation(std::span<const Expr> of);

  /// In the order a reader meets them.
  const std::vector<Expr>& symbols() const { return symbols_; }
  bool has_calls() const { return has_calls_; }  ///< of functions written in C++
  /// The expressions where their symbols() have these values.
  void at(std::span<const double> symbols, std::span<double> values);
  /// Whether all parts of the expressions were finite numbers there.
  bool was_finite() const;

 private:
  /// A node; its operands by their places among the steps, a symbol by its own among the symbols.
  struct Step {
    const Node* node;
    std::uint32_t operand[3];
  };
  double value_of_call(const Step& call) const;
  Graph* graph_ = nullptr;
  std::vector<Expr> symbols_;
  bool has_calls_ = false;
  std::vector<Step> steps_;
  struct Root {
    bool is_constant = true;
    double value = 0.0;
    std::uint32_t step = 0;
  };
  std::vector<Root> roots_;
  std::vector<double> value_;  // of the steps
};

}  // namespace vinculum
