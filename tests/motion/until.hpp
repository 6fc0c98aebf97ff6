// How motions are mostly asked for.
#pragma once
#include <string>

#include "vinculum/motion/simulate.hpp"

namespace vinculum::test {

/// Until then, this exactly, by this method; every step is recorded.
inline MotionOptions until(double end, double tolerance = 1e-11, const std::string& method = "dop853") {
  MotionOptions options;
  options.until = end;
  options.tolerance = tolerance;
  options.integrator = integrator_named(method).value();
  return options;
}

}  // namespace vinculum::test
