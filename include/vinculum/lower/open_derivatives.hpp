// Functions written in C++ without a derivative, where one will be asked for.
#pragma once
#include <string>
#include <vector>

#include "vinculum/lower/statement.hpp"

namespace vinculum {

/// Functions written in C++ whose derivatives are asked for and were not given: difference quotients stand
/// for them. Those in switches are asked for by every method, those in forces by implicit ones.
struct OpenDerivatives {
  std::vector<std::string> in_switches, in_forces;
};
VINCULUM_EXPORT OpenDerivatives find_open_derivatives(const Model& model,
                                                      const std::vector<Statement>& switching);

}  // namespace vinculum
