// In which order steps run.
#pragma once
#include <vector>

#include "kernel/lower.hpp"

namespace vinculum::kernel {

/// All steps, each after those it reads from, arranged so that few values wait at a time and that, nearby,
/// steps of one opcode follow each other.
std::vector<StepId> schedule(const Lowered& program);

}  // namespace vinculum::kernel
