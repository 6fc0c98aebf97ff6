// What follows from the values of parameters alone, when a system is made and when they change.
#include <atomic>
#include <cmath>

#include "system/system_impl.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;

/// Workspaces know the values they are bound to by it: memory, and so an address, is used again.
std::uint64_t next_serial() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

}  // namespace

void require_finite(const std::vector<ConstantPart>& parts, std::span<const double> values) {
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k])) fail(constant_fault(parts[k].part, parts[k].what, values[k]));
}

System::Values::Values(const Impl& system, std::vector<double> of_model)
    : serial(next_serial()),
      numbers(std::move(of_model)),
      parameters(system.living),
      start(system.start),
      pattern(system.pattern),
      stated_mass_may_be_negative(system.stated_mass_may_be_negative) {
  for (std::size_t k = 0; k < system.place_of_living.size(); ++k)
    parameters.values()[k] = numbers[system.place_of_living[k]];
  const std::span<double> made = std::span(numbers).subspan(system.model.parameters().size());
  for (const Impl::Demand& asked : system.demands) asked.demand.judge(asked.numbers.at(numbers), made);
  require_finite(system.living_parts, system.living_part_numbers.at(numbers));
  require_structure(system);
  find_start(system);
  const std::span<const double> angles = system.angle_starts.at(numbers);
  angle_start.assign(angles.begin(), angles.end());
  Constants all = system.numbers;
  for (const ElementKernels* kernels :
       {&system.equations, &system.residuals, &system.sizes, &system.rates, &system.energy, &system.powers,
        &system.outputs, &system.event_kernels})
    kernels->add_living(numbers, all);
  if (system.nonideal_needs_reactions) {  // all of C, what is known early included
    constexpr int nonideal = static_cast<int>(Where::nonideal);
    all[nonideal] = system.numbers[nonideal];
    system.nonideal.add_living(numbers, all);
  }
  take(system, all);
  for (const double mass : system.stated_masses.at(numbers))
    stated_mass_may_be_negative = stated_mass_may_be_negative || mass < 0;
  find_free_inertia(system);
  set_frictions(system);
}

/// A row is differentiated as often as its order asks for: one whose highest terms vanish is another.
void System::Values::require_structure(const Impl& system) const {
  for (const Impl::HighestTerms& terms : system.highest_terms) {
    bool vanish = true;
    for (const double c : terms.coefficients.at(numbers)) vanish = vanish && c == 0;
    if (vanish)
      fail("with these parameters the highest derivatives in constraint '" + terms.constraint +
           "' have the coefficient 0: it is another constraint then, and asks for another system");
  }
}

void System::Values::find_start(const Impl& system) {
  const std::span<const double> stated = system.stated_starts.at(numbers);
  for (std::size_t k = 0; k < stated.size(); ++k) {
    const auto [is_velocity, i] = system.start_places[k];
    if (!std::isfinite(stated[k]))
      fail("the start of '" + (is_velocity ? system.velocity_names : system.coordinate_names)[i] + "' is " +
           number_text(stated[k]) + "; it must be a finite number");
    (is_velocity ? start.v : start.q)[i] = stated[k];
  }
}

void System::Values::take(const Impl& system, Constants& all) {
  const auto of = [&](Where where) -> std::vector<double>& { return all[static_cast<int>(where)]; };
  pattern.M.value = std::move(of(Where::mass));
  pattern.Q = std::move(of(Where::force));
  pattern.A.value = std::move(of(Where::row));
  pattern.b = std::move(of(Where::right));
  if (system.has_nonideal) pattern.C = std::move(of(Where::nonideal));
  constant_position = std::move(of(Where::position));
  constant_velocity = std::move(of(Where::velocity));
  constant_position_size = std::move(of(Where::position_size));
  constant_velocity_size = std::move(of(Where::velocity_size));
  constant_rate = std::move(of(Where::rate));
  constant_energy = of(Where::energy)[0];
  constant_power = of(Where::power)[0];
  constant_power_explicit = of(Where::power_explicit)[0];
  constant_output = std::move(of(Where::output));
  constant_event = std::move(of(Where::event));
  of(Where::switching) = system.numbers_of_phi;
  system.phi.add_living(numbers, all);
  constant_phi = std::move(of(Where::switching));
}

void System::Values::find_free_inertia(const Impl& system) {
  for (const Rotation& r : system.free_turns) {
    std::array<double, 9>& inertia = free_inertia.emplace_back();
    for (int i = 0; i < 3; ++i)
      for (const auto [column, value] : row_of(pattern.M, r.velocity + i))
        inertia[i + 3 * (column - r.velocity)] = value;
  }
}

void System::Values::set_frictions(const Impl& system) {
  frictions = system.frictions;
  const std::span<const double> coefficients = system.friction_coefficients.at(numbers);
  std::size_t next = 0;
  for (FrictionPair& pair : frictions)
    for (double& mu : pair.coefficients) mu = coefficients[next++];
}

}  // namespace vinculum
