#include "system/compile/state_function.hpp"

#include <algorithm>

#include "vinculum/base/error.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/lower/living.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {

StatePlace place_of(const Model& model, const Expr& symbol) {
  const SymbolRole role = model.stated().role(symbol);
  switch (role.role) {
    case Role::time:
      return {StatePlace::time, 0};
    case Role::coordinate:
      return {StatePlace::coordinate, role.index};
    case Role::velocity:
      return {StatePlace::velocity, role.index};
    case Role::acceleration:
      return {StatePlace::acceleration, role.index};
    case Role::multiplier:
      return {StatePlace::multiplier, role.index};
    case Role::gauss:
      return {StatePlace::gauss, 0};
    case Role::dissatisfaction:
      return {StatePlace::dissatisfaction, role.index};
    case Role::deviation:
      return {StatePlace::deviation, role.index};
    case Role::nonideal_force:
      return {StatePlace::nonideal_force, role.index};
    default:
      break;
  }
  fail("'" + symbol.name() + "' is no part of a state");
}

StateFunction::StateFunction(const Model& model, std::span<const Expr> outputs, int written) {
  if (outputs.empty()) return;
  const auto living = [&](const Expr& s) { return is_living(model, s); };
  std::vector<Expr> inputs = symbols_of(outputs);
  Hoisted hoisted{{outputs.begin(), outputs.end()}, {}, {}};
  if (std::any_of(inputs.begin(), inputs.end(), living)) {
    std::erase_if(inputs, living);
    hoisted = hoist(model.stated().graph(), std::move(hoisted.values), living);
  }
  std::vector<InputPlace> places;
  for (const Expr& s : inputs) {
    const StatePlace place = place_of(model, s);
    places.push_back({static_cast<std::uint32_t>(place.part), static_cast<std::uint32_t>(place.index)});
  }
  inputs.insert(inputs.end(), hoisted.slots.begin(), hoisted.slots.end());
  kernel_ = Kernel(hoisted.values, inputs, std::move(places), written);
  living_ = LivingNumbers(model, hoisted.meanings);
}

BoundFunction::BoundFunction(const StateFunction& function, std::span<const double> parameters, int lanes)
    : function_(&function), lanes_(lanes) {
  if (function.empty()) return;
  run_ = KernelRun(function.kernel_, lanes);
  numbers_.resize(function.kernel_.outputs().size());
  bind(parameters);
}

void BoundFunction::bind(std::span<const double> parameters) {
  if (function_ == nullptr || function_->living_.empty()) return;
  const std::span<const double> numbers = function_->living_.at(parameters);
  for (std::size_t k = 0; k < numbers.size(); ++k)
    std::fill_n(run_.input(function_->kernel_.places().size() + k), lanes_, numbers[k]);
}

void BoundFunction::bind_lane(int lane, std::span<const double> parameters) {
  if (function_ == nullptr || function_->living_.empty()) return;
  const std::span<const double> numbers = function_->living_.at(parameters);
  for (std::size_t k = 0; k < numbers.size(); ++k)
    run_.input(function_->kernel_.places().size() + k)[lane] = numbers[k];
}

std::span<const double> BoundFunction::operator()(const StateParts& at) {
  run(at.part);
  const KernelRun::Numbers found = numbers();
  for (std::size_t i = 0; i < numbers_.size(); ++i) numbers_[i] = found[i];
  return numbers_;
}

}  // namespace vinculum
