#include "system/compile/living_numbers.hpp"

#include <algorithm>

#include "vinculum/expr/derivative.hpp"

namespace vinculum {

LivingNumbers::LivingNumbers(const Model& model, std::span<const Expr> values) {
  if (values.empty()) return;
  const std::vector<Expr> inputs = symbols_of(values);
  for (const Expr& s : inputs) parameter_.push_back(model.place_of_number(model.role(s)));
  program_ = Kernel(values, inputs);
}

std::span<const double> LivingNumbers::at(std::span<const double> parameters) const {
  static thread_local std::vector<double> registers, numbers;
  numbers.resize(program_.outputs().size());
  if (numbers.empty()) return {};
  registers.resize(std::max<std::size_t>(registers.size(), program_.register_count()));
  prepare(program_, registers.data(), 1);
  for (std::size_t i = 0; i < parameter_.size(); ++i) registers[i] = parameters[parameter_[i]];
  run(program_, registers.data());
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = registers[program_.outputs()[k]];
  return numbers;
}

}  // namespace vinculum
