#include <algorithm>
#include <cstdint>

#include "vinculum/kernel/kernel.hpp"

namespace vinculum {

KernelRun::KernelRun(const Kernel& kernel, int lanes)
    : kernel_(&kernel), lanes_(static_cast<std::size_t>(lanes)), places_(kernel.outputs().data()) {
  constexpr std::size_t line = 64, most_off = line / sizeof(double);
  memory_.reset(new double[lanes_ * static_cast<std::size_t>(kernel.register_count()) + most_off]());
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
  registers_ = memory_.get() + (line - address % line) % line / sizeof(double);
  prepare(kernel, registers_, lanes);
}

void evaluate(const Kernel& kernel, std::span<const double> inputs, std::span<double> outputs) {
  static thread_local std::vector<double> registers;  // grows to the largest kernel, and is then at hand
  registers.resize(std::max<std::size_t>(registers.size(), kernel.register_count()));
  prepare(kernel, registers.data(), 1);
  std::copy(inputs.begin(), inputs.end(), registers.begin());
  run(kernel, registers.data());
  for (std::size_t k = 0; k < outputs.size(); ++k) outputs[k] = registers[kernel.outputs()[k]];
}

}  // namespace vinculum
