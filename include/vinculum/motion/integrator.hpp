// The methods that integrate a motion.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/base/export.hpp"

namespace vinculum {

enum class Integrator {
  dop853,         ///< explicit Runge-Kutta pair of order 8
  dopri5,         ///< explicit Runge-Kutta pair of order 5
  rk4,            ///< Kutta's method, with a fixed step
  radau5,         ///< implicit, for stiff models
  extrapolation,  ///< of the midpoint rule, order up to 20
  taylor,         ///< power series, of an order that the tolerance asks for
  automatic,      ///< whichever suits the motion as it goes: the default
};
/// The word for it in model files and on the command line, and back; nothing for a word that is none.
VINCULUM_EXPORT std::string_view integrator_name(Integrator integrator);
VINCULUM_EXPORT std::optional<Integrator> integrator_named(std::string_view word);

/// All of them, with a line on each.
struct IntegratorInfo {
  Integrator integrator = Integrator::automatic;
  std::string name;
  int order = 0;
  bool adaptive = true;
  std::string text;
};
VINCULUM_EXPORT const std::vector<IntegratorInfo>& integrators();

}  // namespace vinculum
