#include "system/compile/state_function.hpp"

#include <algorithm>
#include <cstdint>

#include "vinculum/base/error.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/lower/living.hpp"

namespace vinculum {

StatePlace place_of(const Model& model, const Expr& symbol) {
  const Model::SymbolRole role = model.role(symbol);
  switch (role.role) {
    case Model::Role::time:
      return {StatePlace::time, 0};
    case Model::Role::coordinate:
      return {StatePlace::coordinate, role.index};
    case Model::Role::velocity:
      return {StatePlace::velocity, role.index};
    case Model::Role::acceleration:
      return {StatePlace::acceleration, role.index};
    case Model::Role::multiplier:
      return {StatePlace::multiplier, role.index};
    case Model::Role::gauss:
      return {StatePlace::gauss, 0};
    case Model::Role::dissatisfaction:
      return {StatePlace::dissatisfaction, role.index};
    case Model::Role::deviation:
      return {StatePlace::deviation, role.index};
    case Model::Role::nonideal_force:
      return {StatePlace::nonideal_force, role.index};
    default:
      break;
  }
  fail("'" + symbol.name() + "' is no part of a state");
}

Registers::Registers(std::size_t doubles) : memory_(new double[doubles + 8]()) {
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
  aligned_ = memory_.get() + (64 - address % 64) % 64 / sizeof(double);
}

StateFunction::StateFunction(const Model& model, std::span<const Expr> outputs) {
  if (outputs.empty()) return;
  const auto living = [&](const Expr& s) { return is_living(model, s); };
  std::vector<Expr> inputs = symbols_of(outputs);
  Hoisted hoisted{{outputs.begin(), outputs.end()}, {}, {}};
  if (std::any_of(inputs.begin(), inputs.end(), living)) {
    std::erase_if(inputs, living);
    hoisted = hoist(model.graph(), std::move(hoisted.values), living);
  }
  for (const Expr& s : inputs) inputs_.push_back(place_of(model, s));
  inputs.insert(inputs.end(), hoisted.slots.begin(), hoisted.slots.end());
  program_ = Kernel(hoisted.values, inputs);
  living_ = LivingNumbers(model, hoisted.meanings);
}

void StateFunction::bind(std::span<const double> parameters, double* registers, int stride) const {
  prepare(program_, registers, stride);
  if (living_.empty()) return;
  const std::span<const double> numbers = living_.at(parameters);
  for (std::size_t k = 0; k < numbers.size(); ++k)
    std::fill_n(registers + static_cast<std::size_t>(stride) * (inputs_.size() + k), stride, numbers[k]);
}

void StateFunction::load_eight(const StateParts& at, double* registers) const {
  for (const StatePlace& from : inputs_) {
    std::copy_n(at.part[from.part] + static_cast<std::ptrdiff_t>(lane_count) * from.index, lane_count,
                registers);
    registers += lane_count;
  }
}

BoundFunction::BoundFunction(const StateFunction& function, std::span<const double> parameters)
    : function_(&function),
      registers_(function.program().register_count()),
      numbers_(function.program().outputs().size()) {
  function.bind(parameters, registers_.data(), 1);
}

std::span<const double> BoundFunction::operator()(const StateParts& at) {
  function_->load(at.part, registers_.data());
  run(function_->program(), registers_.data());
  for (std::size_t i = 0; i < numbers_.size(); ++i)
    numbers_[i] = registers_[function_->program().outputs()[i]];
  return numbers_;
}

}  // namespace vinculum
