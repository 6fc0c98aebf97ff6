#include "motion/stepper.hpp"

namespace vinculum {

std::unique_ptr<Stepper> make_stepper(std::string_view name, Flow& flow, const Tolerance& tolerance,
                                      double fixed_step) {
  if (name == "extrapolation") return make_extrapolation(flow, tolerance);
  if (name == "radau5") return make_radau(flow, tolerance);
  return make_explicit(name, flow, tolerance, fixed_step);
}

}  // namespace vinculum
