// What a processor's instruction set must be able to do for the writer of machine code.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernel/native/steps.hpp"

namespace vinculum::kernel::native {

/// An operand: a register of the processor, or the home of a value (of a passing one: its slot on the stack).
struct Source {
  int reg = -1;  // none: in memory
  Home home{};
};

/// What a step does by calling: one instruction of the kernel, followed by a stop, on the lanes of the code
/// at `file`. Other than 0 where the function called has thrown; see take_thrown().
using Helper = int (*)(const Instruction* alone, double* file);

/// The interpreter's registers, the parts of the state, and where outputs go.
using CodeFunction = int (*)(double* file, const double* const* part, double* out);

class Encoder {
 public:
  virtual ~Encoder() = default;
  virtual std::span<const std::uint8_t> registers() const = 0;  ///< those that values may be in
  /// Which operand of such a step may stay at its home, of that kind; -1 for none.
  virtual int memory_operand(Act act, Home::Kind kind) const = 0;
  /// Whether the result of such a step stands where its first operand was.
  virtual bool overwrites_first(Act act) const = 0;

  virtual void load(int reg, Home from) = 0;
  virtual void store(Home to, int reg) = 0;
  virtual void move(int to, int from) = 0;
  virtual void act(const Step& step, int to, const Source* operand) = 0;
  virtual void leave_unless(int mask, int lanes) = 0;
  virtual void call(const Instruction* alone) = 0;

  /// The whole function, a CodeFunction, with its constants: 0, 1 where it was left, 2 where a
  /// function called has thrown. Empty where it cannot be written (too long).
  virtual std::vector<std::uint8_t> finish(std::span<const std::uint64_t> pool, std::uint32_t slots) = 0;
};

/// What the code is written for.
struct Setting {
  int width;                           // lanes that one run does
  int lanes;                           // the distance of the interpreter's registers: 1 or lane_count
  bool calls;                          // whether steps will call
  bool wide = false;                   // whether some will do four numbers together
  std::vector<std::uint32_t> parts{};  // of the state that are read
  Helper helper = nullptr;
};
/// For one lane, four (AVX2) or eight (AVX-512) of x86-64; for one or two of aarch64.
std::unique_ptr<Encoder> x86_encoder(Setting setting);
std::unique_ptr<Encoder> aarch64_encoder(Setting setting);

/// Machine code of the steps.
/// `alone` are the instructions that are called, each followed by a stop; they must stay where they are.
std::vector<std::uint8_t> write_code(const Steps& steps, std::span<const Instruction> alone,
                                     Encoder& encoder);

}  // namespace vinculum::kernel::native
