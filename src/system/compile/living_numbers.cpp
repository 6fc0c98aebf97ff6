#include "system/compile/living_numbers.hpp"

#include <algorithm>

#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {

LivingNumbers::LivingNumbers(const Model& model, std::span<const Expr> values) {
  if (values.empty()) return;
  const std::vector<Expr> inputs = symbols_of(values);
  for (const Expr& s : inputs) parameter_.push_back(model.stated().place_of_number(model.stated().role(s)));
  kernel_ = Kernel(values, inputs);
}

std::span<const double> LivingNumbers::at(std::span<const double> parameters) const {
  static thread_local std::vector<double> inputs, numbers;
  numbers.resize(kernel_.outputs().size());
  if (numbers.empty()) return {};
  inputs.resize(parameter_.size());
  for (std::size_t i = 0; i < parameter_.size(); ++i) inputs[i] = parameters[parameter_[i]];
  evaluate(kernel_, inputs, numbers);
  return numbers;
}

}  // namespace vinculum
