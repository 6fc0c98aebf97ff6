// Which executors there are. For compiling (constants are evaluated by the same table) and for tests of each
// width.
#pragma once
#include <span>

#include "vinculum/kernel/kernel.hpp"

namespace vinculum::kernel {

/// Runs instructions up to and without the first `stop`.
using Executor = void (*)(const Instruction* at, double* file);

void execute_one(const Instruction* at, double* file);

struct LaneExecutor {
  int width;  // doubles in one hardware register
  Executor run;
};
/// Those this processor can run, the widest last.
std::span<const LaneExecutor> lane_executors();

}  // namespace vinculum::kernel
