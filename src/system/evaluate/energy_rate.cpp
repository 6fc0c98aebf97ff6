// dE/dt from the expression of the energy: a second road to the sum of all powers.
#include "system/system_impl.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {

EnergyRate energy_rate(const System& system, const StateView& at, std::span<const double> acceleration) {
  using Where = Target::Where;
  const Model& model = system.impl().model;
  const std::vector<Statement> statements = statements_of(model);
  Constants constants;
  std::vector<double>& value = constants[static_cast<int>(Where::energy)];
  std::vector<double>& terms = constants[static_cast<int>(Where::power)];
  value.assign(1, 0.0);
  terms.assign(1, 0.0);
  const ElementKernels kernels(
      model, lower_groups(model, statements, group_by_shape(model, statements), Purpose::energy_rate),
      [](const Target&) { return 0; }, constants);
  kernels.add_living(system.values().numbers, constants);
  ElementKernels::Scratch scratch(kernels, system.values().numbers);
  Numbers to{};
  to[static_cast<int>(Where::energy)] = value.data();
  to[static_cast<int>(Where::power)] = terms.data();
  kernels.evaluate({{&at.t, at.q.data(), at.v.data(), acceleration.data()}}, to, scratch);
  return {value[0], terms[0]};
}

}  // namespace vinculum
