#include "kernel/evaluate.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

#include "kernel/functions.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(VINCULUM_NO_CLONES)
#define VINCULUM_WIDE_LANES
#endif

#pragma GCC diagnostic ignored "-Wpedantic"  // addresses of labels: an extension that g++ and clang share

namespace vinculum {
namespace kernel {
namespace {

constexpr bool table_has_the_order_of_opcodes() {
  constexpr Opcode table[] = {
#define OPERATION(name, ...) Opcode::name,
#include "kernel/operations.def"
      Opcode::stop};
  for (int i = 0; i < static_cast<int>(std::size(table)); ++i) {
    if (table[i] != static_cast<Opcode>(i)) return false;
  }
  return std::size(table) == static_cast<std::size_t>(Opcode::stop) + 1;
}
static_assert(table_has_the_order_of_opcodes());

// The same body for each register width of the hardware. IEEE operations that are not contracted give the
// same bits in all of them.
void execute_2(const Instruction* at, double* file) {
  using T = Lanes<2>;
#include "kernel/execute.inc"
}
#ifdef VINCULUM_WIDE_LANES
[[gnu::target("avx2")]] void execute_4(const Instruction* at, double* file) {
  using T = Lanes<4>;
#include "kernel/execute.inc"
}
[[gnu::target("avx512f")]] void execute_8(const Instruction* at, double* file) {
  using T = Lanes<8>;
#include "kernel/execute.inc"
}
#endif

constexpr LaneExecutor every_executor[] = {
    {2, execute_2},
#ifdef VINCULUM_WIDE_LANES
    {4, execute_4},
    {8, execute_8},
#endif
};

std::size_t usable_executors() {
#ifdef VINCULUM_WIDE_LANES
  if (__builtin_cpu_supports("avx512f")) return 3;
  if (__builtin_cpu_supports("avx2")) return 2;
#endif
  return 1;
}

}  // namespace

void execute_one(const Instruction* at, double* file) {
  using T = double;
#include "kernel/execute.inc"
}

std::span<const LaneExecutor> lane_executors() {
  static const std::size_t count = usable_executors();
  return {every_executor, count};
}

}  // namespace kernel

void prepare(const Kernel& program, double* registers, int stride) {
  double* to = registers + static_cast<std::ptrdiff_t>(program.input_count()) * stride;
  for (const double constant : program.constants()) to = std::fill_n(to, stride, constant);
}

void run(const Kernel& program, double* registers) {
  if (!program.code().empty()) kernel::execute_one(program.code().data(), registers);
}

void run_lanes(const Kernel& program, double* registers) {
  if (!program.code().empty()) kernel::lane_executors().back().run(program.code().data(), registers);
}

void run_rounded(const Kernel& program, double* registers, int stride, unsigned pattern) {
  const kernel::Executor execute = stride == 1 ? kernel::execute_one : kernel::lane_executors().back().run;
  std::uint32_t number = 0;  // of the result
  const auto move = [&](std::uint32_t target) {
    const bool up = ((++number * 2654435761u ^ pattern * 0x9e3779b9u) * 2246822519u >> 31) != 0;
    const double by = 1 + (up ? 1 : -1) * std::numeric_limits<double>::epsilon();
    for (int k = 0; k < stride; ++k) registers[static_cast<std::size_t>(target) * stride + k] *= by;
  };
  for (const Instruction& instruction : program.code()) {
    const Instruction alone[] = {instruction, {Opcode::stop, 0, 0, 0, 0}};
    execute(alone, registers);
    // What tells a side, and a copy, has no rounding of its own.
    const bool exact = instruction.op == Opcode::less || instruction.op == Opcode::less_equal ||
                       instruction.op == Opcode::sign || instruction.op == Opcode::argument;
    if (!exact) move(instruction.target);
    if (instruction.op == Opcode::sin_cos) move(instruction.c);
  }
}

}  // namespace vinculum
