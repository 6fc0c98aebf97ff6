#include "vinculum/system/lagrangian.hpp"

#include "system/system_impl.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {

struct Lagrangian::Impl {
  Impl(const Model& model, std::span<const double> parameters)
      : statements(statements_of(model)),
        kernels(
            model, lower_groups(model, statements, group_by_shape(model, statements), Purpose::lagrangian),
            [](const Target&) { return 0; }, constants),
        scratch(kernels, parameters) {
    kernels.add_living(parameters, constants);
  }
  std::vector<Statement> statements;
  Constants constants = [] {
    Constants none;
    none[static_cast<int>(Target::Where::energy)].assign(1, 0.0);
    return none;
  }();
  ElementKernels kernels;
  ElementKernels::Scratch scratch;
};

Lagrangian::Lagrangian(const System& system) {
  if (system.mechanics() == Mechanics::none) fail("without mechanics there is no Lagrangian");
  impl_ = std::make_unique<Impl>(system.impl().model, system.values().numbers);
}
Lagrangian::~Lagrangian() = default;
Lagrangian::Lagrangian(Lagrangian&&) noexcept = default;
Lagrangian& Lagrangian::operator=(Lagrangian&&) noexcept = default;

double Lagrangian::operator()(double t, std::span<const double> q, std::span<const double> v) {
  constexpr int energy = static_cast<int>(Target::Where::energy);
  double value = impl_->constants[energy][0];
  Numbers to{};
  to[energy] = &value;
  impl_->kernels.evaluate({{&t, q.data(), v.data()}}, to, impl_->scratch);
  return value;
}

namespace {

std::string names_text(const System& system, const std::vector<int>& velocities) {
  std::vector<std::string> names;
  for (const int i : velocities)
    if (const std::string name = "'" + name_of_moving(system, i) + "'"; names.empty() || names.back() != name)
      names.push_back(name);
  return list_text(names, 6);
}

}  // namespace

std::vector<std::string> outside_lagrangian(const System& system) {
  const Model& model = system.impl().model;
  std::vector<std::string> said;
  std::vector<int> pushed;
  for (const auto& f : model.forces()) pushed.push_back(f.velocity);
  for (const auto& c : model.nonideal_forces()) pushed.push_back(c.velocity);
  if (!pushed.empty())
    said.push_back("the stated forces on " + names_text(system, pushed) + " have no part in L");
  std::vector<int> changing;
  for (const auto& m : model.masses())
    if (!time_derivative(m.value, model.stated().rates).is_constant(0)) changing.push_back(m.i);
  if (!changing.empty())
    said.push_back("the stated mass of " + names_text(system, changing) +
                   " changes and has no force of its own, as one in L would");
  return said;
}

}  // namespace vinculum
