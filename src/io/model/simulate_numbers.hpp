// The numbers of [simulate]: what each may be, and where it stands. Read from a file, and for other values of
// parameters.
#pragma once
#include <span>

#include "vinculum/io/read_model.hpp"

namespace vinculum {

struct SimulateNumber {
  const char* key;
  std::optional<Expr> SimulateStated::* stated;
  /// The error where it may not be that.
  void (*take)(double value, SimulateSettings& settings);
};
std::span<const SimulateNumber> simulate_numbers();

}  // namespace vinculum
