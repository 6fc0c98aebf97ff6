#include "kernel/native/code.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <utility>

#include "kernel/evaluate.hpp"
#include "kernel/native/encoder.hpp"
#include "kernel/native/side_by_side.hpp"

namespace vinculum::kernel::native {
namespace {

thread_local std::exception_ptr thrown;

template <class F>
int caught(F&& f) {
  try {
    f();
    return 0;
  } catch (...) {
    thrown = std::current_exception();
    return 1;
  }
}

int help_one(const Instruction* alone, double* file) {
  return caught([&] { execute_one(alone, file); });
}
int help_eight(const Instruction* alone, double* file) {
  return caught([&] { lane_executors().back().run(alone, file); });
}

/// Some of the eight lanes: they go through a file of their own, with the last of them in the place of the
/// others.
template <int width>
int help_some(const Instruction* alone, double* file) {
  alignas(64) double own[lane_count * (most_arguments + 1)];
  const bool is_call = alone->op == Opcode::call;
  const int operands = is_call ? call_of(*alone).function->arguments : operand_count(alone->op);
  for (int k = 0; k < operands; ++k) {
    const std::size_t r = is_call ? alone->a + k : (&alone->a)[k];
    for (int lane = 0; lane < lane_count; ++lane)
      own[lane_count * k + lane] = file[lane_count * r + std::min(lane, width - 1)];
  }
  const auto target = static_cast<std::uint32_t>(operands);
  const Instruction there[] = {{alone->op, target, 0, is_call ? alone->b : 1, is_call ? alone->c : 2},
                               {Opcode::stop, 0, 0, 0, 0}};
  return caught([&] {
    lane_executors().back().run(there, own);
    for (int lane = 0; lane < width; ++lane)
      file[lane_count * std::size_t{alone->target} + lane] = own[lane_count * std::size_t{target} + lane];
  });
}

#if defined(__x86_64__) && defined(__GNUC__)
std::unique_ptr<Encoder> encoder(Setting setting) {
  setting.helper = setting.lanes == 1 ? help_one : setting.width == 8 ? help_eight : help_some<4>;
  return x86_encoder(std::move(setting));
}
int known_widths() {  // of 1, 4, 8
  if (!__builtin_cpu_supports("avx2")) return 0;
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") ? 3 : 2;
}
constexpr int every_width[] = {1, 4, 8};
constexpr bool does_four_together = true;
#elif defined(__aarch64__)
std::unique_ptr<Encoder> encoder(Setting setting) {
  setting.helper = setting.lanes == 1 ? help_one : help_some<2>;
  return aarch64_encoder(std::move(setting));
}
int known_widths() { return 2; }
constexpr int every_width[] = {1, 2};
constexpr bool does_four_together = false;
#else
std::unique_ptr<Encoder> encoder(const Setting&) { return nullptr; }
int known_widths() { return 0; }
constexpr int every_width[] = {1};
constexpr bool does_four_together = false;
#endif

constexpr std::size_t most_parts = 16;
/// Distances in code have 32 bits.
constexpr std::int64_t longest_file = std::int64_t{1} << 30;

}  // namespace

std::span<const int> widths(int lanes) {
  static const int known = known_widths();
  const std::span<const int> all = std::span(every_width).first(known);
  return lanes == 1 ? all.first(std::min(known, 1)) : all.subspan(std::min(known, 1));
}

std::unique_ptr<const Code> Code::of(const Kernel& kernel, int lanes, int width) {
  for (const InputPlace& place : kernel.places())
    if (place.part >= most_parts || std::int64_t{8} * lanes * place.index > longest_file) return nullptr;
  if (std::int64_t{8} * lanes * kernel.register_count() > longest_file) return nullptr;
  Steps steps = steps_of(kernel);
  if (width == 1 && does_four_together) put_side_by_side(steps);
  std::vector<Instruction> alone;
  for (const Step& s : steps.steps)
    if (s.act == Act::call) alone.insert(alone.end(), {*s.instruction, {Opcode::stop, 0, 0, 0, 0}});
  const std::unique_ptr<Encoder> writes = encoder(
      {.width = width, .lanes = lanes, .calls = steps.calls, .wide = steps.wide, .parts = steps.parts});
  const std::vector<std::uint8_t> bytes = write_code(steps, alone, *writes);
  if (bytes.empty()) return nullptr;
  std::unique_ptr<const Code> code(new Code(kernel, std::move(alone), bytes, lanes, width));
  return code->function_ == nullptr ? nullptr : std::move(code);
}

Code::Code(const Kernel& kernel, std::vector<Instruction> alone, std::span<const std::uint8_t> code,
           int lanes, int width)
    : alone_(std::move(alone)),
      memory_(code),
      lanes_(lanes),
      width_(width),
      part_count_(0),
      size_(code.size()) {
  for (const InputPlace& place : kernel.places())
    part_count_ = std::max<std::size_t>(part_count_, place.part + 1);
  // A pointer to data becomes one to a function: POSIX guarantees that it can be.
  function_ = reinterpret_cast<Function>(reinterpret_cast<std::uintptr_t>(memory_.begin()));
}

bool Code::run(double* file, const double* const* part, double* out) const {
  if (lanes_ == width_) return function_(file, part, out) == 0;
  std::array<const double*, most_parts> shifted{};  // each turn has its own beginning of all parts
  for (int lane = 0; lane < lanes_; lane += width_) {
    for (std::size_t k = 0; k < part_count_; ++k) shifted[k] = part[k] + lane;
    if (function_(file + lane, shifted.data(), out == nullptr ? out : out + lane) != 0) return false;
  }
  return true;
}

void rethrow_what_code_called() {
  if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
}

}  // namespace vinculum::kernel::native
