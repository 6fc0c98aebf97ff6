#include "vinculum/motion/integrator.hpp"

#include <algorithm>

namespace vinculum {

const std::vector<IntegratorInfo>& integrators() {
  using enum Integrator;
  static const std::vector<IntegratorInfo> list = {
      {dop853, "dop853", 8, true, "explicit Runge-Kutta pair of order 8, dense output of order 7"},
      {dopri5, "dopri5", 5, true, "explicit Runge-Kutta pair of order 5, for loose tolerances"},
      {rk4, "rk4", 4, false, "Kutta's classical method with a fixed step"},
      {radau5, "radau5", 5, true, "implicit Radau IIA of order 5 with exact Jacobians, for stiff models"},
      {extrapolation, "extrapolation", 20, true,
       "extrapolated midpoint rule of order up to 20, for tight tolerances"},
      {taylor, "taylor", 24, true,
       "power series of the motion, of an order up to 24 that the tolerance asks for"},
      {automatic, "auto", 8, true,
       "dop853, radau5 while the motion is stiff, taylor for many steps of a small system: the default"},
  };
  return list;
}

std::string_view integrator_name(Integrator integrator) {
  return integrators()[static_cast<std::size_t>(integrator)].name;
}

std::optional<Integrator> integrator_named(std::string_view word) {
  const auto found = std::ranges::find(integrators(), word, &IntegratorInfo::name);
  return found == integrators().end() ? std::nullopt : std::optional(found->integrator);
}

}  // namespace vinculum
