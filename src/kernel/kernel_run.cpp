#include <algorithm>
#include <cstdint>

#include "kernel/native/code.hpp"
#include "vinculum/kernel/kernel.hpp"

namespace vinculum {
using kernel::native::rethrow_what_code_called;

KernelRun::KernelRun(const Kernel& kernel, int lanes)
    : kernel_(&kernel),
      code_(kernel.native(lanes)),
      lanes_(static_cast<std::size_t>(lanes)),
      places_(kernel.outputs().data()) {
  constexpr std::size_t line = 64, most_off = line / sizeof(double);
  memory_.reset(new double[lanes_ * static_cast<std::size_t>(kernel.register_count()) + most_off]());
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
  registers_ = memory_.get() + (line - address % line) % line / sizeof(double);
  prepare(kernel, registers_, lanes);
  if (code_ != nullptr) native_ = code_->whole();
}

namespace {

void take_inputs(const double* const* part, std::span<const InputPlace> places, std::size_t lanes,
                 double* to) {
  for (const InputPlace& place : places) to = std::copy_n(part[place.part] + lanes * place.index, lanes, to);
}

}  // namespace

/// Where machine code has to be called several times, has been left, or is none.
void KernelRun::run_otherwise(const double* const* part, double* out, unsigned rounding) {
  const bool in_turn =
      code_ != nullptr && native_ == nullptr && (part != nullptr || kernel_->places().empty());
  if (rounding == 0 && in_turn && code_->run(registers_, part, out)) return;
  rethrow_what_code_called();
  if (part != nullptr) take_inputs(part, kernel_->places(), lanes_, registers_);
  if (rounding != 0)
    run_rounded(*kernel_, registers_, static_cast<int>(lanes_), rounding);
  else if (lanes_ == 1)
    vinculum::run(*kernel_, registers_);
  else
    run_lanes(*kernel_, registers_);
  if (out == nullptr) return;
  for (int i = 0; i < kernel_->written(); ++i) std::copy_n(output(i), lanes_, out + lanes_ * i);
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
