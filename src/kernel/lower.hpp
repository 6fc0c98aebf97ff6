// From expressions to steps: instructions that still name values instead of registers.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "vinculum/kernel/kernel.hpp"

namespace vinculum::kernel {

using ValueId = std::uint32_t;
inline constexpr ValueId no_value = UINT32_MAX;
using StepId = std::uint32_t;
inline constexpr StepId no_step = UINT32_MAX;

/// An input, a constant, or what a step computes.
struct Value {
  enum class Kind : std::uint8_t { input, constant, computed };
  Kind kind = Kind::constant;
  std::uint32_t input = 0;  // its place among the inputs
  double constant = 0.0;
  StepId step = no_step;  // none when the step that reads the value computes it on the way
};

struct Step {
  Opcode op = Opcode::stop;
  ValueId operand[3] = {no_value, no_value, no_value};  // a, b, c of the instruction
  std::int32_t exponent = 0;                            // of integer_power; of call: its place in `calls`
  ValueId result = no_value;
  ValueId cosine = no_value;  // the second result of sin_cos
};

/// An `argument` has the argument as operand[0] and the `argument` before it as operand[1]; a `call` the
/// last.
struct Lowered {
  std::vector<Value> values;
  std::vector<Step> steps;  // what a step reads is computed by earlier ones
  std::vector<ValueId> outputs;
  std::vector<Call> calls;
};

/// Chooses the instructions: values without inputs become constants, products disappear into the sum that
/// alone reads them, and sine and cosine of one angle share a step.
Lowered lower(std::span<const Expr> outputs, std::span<const Expr> inputs);

}  // namespace vinculum::kernel
