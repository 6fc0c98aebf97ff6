// The numbers that expressions of living parameters have.
#pragma once
#include <span>
#include <vector>

#include "vinculum/kernel/kernel.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum {

/// Expressions of living parameters.
class LivingNumbers {
 public:
  LivingNumbers() = default;
  LivingNumbers(const Model& model, std::span<const Expr> values);
  bool empty() const { return kernel_.outputs().empty(); }
  /// `parameters` are the numbers of the model, in its order. They lie in memory of the thread, until it asks
  /// for others: new values of parameters ask for many of them, a few numbers each.
  std::span<const double> at(std::span<const double> parameters) const;

 private:
  Kernel kernel_;
  std::vector<int> parameter_;  // of each input
};

}  // namespace vinculum
