#include "kernel/functions.hpp"

#include <array>
#include <span>

namespace vinculum::kernel {

void call_function(const Instruction& at, const double* file, int stride, double* out) {
  const Call& call = call_of(at);
  const OpaqueFunction& f = *call.function;
  std::array<double, most_arguments> gathered;
  const std::span<double> arguments = std::span(gathered).first(f.arguments);
  for (int lane = 0; lane < stride; ++lane) {
    for (int k = 0; k < f.arguments; ++k)
      arguments[k] = file[static_cast<std::size_t>(at.a + k) * stride + lane];
    out[lane] = call.component == 0 ? f.value(arguments) : derivative_at(f, arguments, call.component - 1);
  }
}

}  // namespace vinculum::kernel
