// Expressions as a straight-line register program, run on one lane or on eight.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/expr/graph.hpp"

namespace vinculum {

inline constexpr int lane_count = 8;

namespace kernel::native {
class Code;
class Forms;
}  // namespace kernel::native

/// How kernels run: as machine code, written in memory when a kernel is first run often, or by the
/// interpreter. Both give the same bits.
enum class KernelRoad : std::uint8_t { native, interpret };
/// For all kernels of the program that have not run yet. Native unless said otherwise.
VINCULUM_EXPORT void choose_kernel_road(KernelRoad road);
VINCULUM_EXPORT KernelRoad kernel_road();
/// Why kernels are interpreted here although machine code was chosen: the processor is none that code can be
/// written for, or the system refuses memory for it. Empty where they are not.
VINCULUM_EXPORT std::string why_interpreted();

/// What one instruction does: the operations of expressions, and a few that stand for common pairs of them.
/// A pair rounds twice, as the two single operations would, so that fusing never changes a bit.
enum class Opcode : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  negate,
  square,
  reciprocal,
  multiply_add,       // a*b + c
  multiply_subtract,  // a*b - c
  subtract_multiply,  // c - a*b
  integer_power,      // a^n by repeated squaring; n (signed) stands in `b`
  power,
  sin,
  cos,
  sin_cos,  // sin_cos: sine to target, cosine to register c
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  sqrt,
  abs,
  sign,
  atan2,
  min,
  max,
  hypot,
  less,
  less_equal,
  select,    // select: a != 0 ? b : c
  argument,  // a, put beside the other arguments of a call
  call,      // a function written in C++, of the arguments in the registers from a on; see call_of()
  stop,      // ends every program; code() does not show it
};
/// Of the operations that take any register: `argument` and `call` are for registers laid out for them.
inline constexpr int opcode_count = static_cast<int>(Opcode::select) + 1;

struct Instruction {
  Opcode op;
  std::uint32_t target, a, b, c;
};

/// A call of a function written in C++: its value (component 0), or its derivative by argument `component`.
struct Call {
  std::shared_ptr<const OpaqueFunction> function;
  int component = 0;
};
/// What an instruction calls: it carries the place of the call, which its program owns, in b and c.
VINCULUM_EXPORT const Call& call_of(const Instruction& instruction);

/// Where an input is found that comes from a state: a number of one of its parts (time, coordinates, ...).
struct InputPlace {
  std::uint32_t part = 0, index = 0;
};

/// A list of expressions compiled once and evaluated often. Registers are laid out as
///     [ inputs | constants | temporaries ]
/// Inputs and constants are never overwritten; temporaries are reused as soon as their last reader has run.
/// A constant of the program is any sub-expression without inputs, evaluated once through the same operation
/// table.
class VINCULUM_EXPORT Kernel {
 public:
  Kernel() = default;
  /// Every symbol in `outputs` must be among `inputs`; else an error that names it.
  /// The first inputs may have places; then the first `written` outputs go where the run is told.
  Kernel(std::span<const Expr> outputs, std::span<const Expr> inputs, std::vector<InputPlace> places = {},
         int written = 0);

  /// From instructions on registers that are all given before it runs. A value is kept where it is among the
  /// outputs, or not at all; no instruction writes what an earlier one has read as given.
  static Kernel of_code(std::vector<Instruction> code, std::uint32_t registers,
                        std::vector<std::uint32_t> outputs, int written = 0);

  int input_count() const { return input_count_; }
  int register_count() const { return register_count_; }
  std::span<const double> constants() const { return constants_; }  ///< for registers input_count() and on
  std::span<const Instruction> code() const {
    return std::span(code_).first(code_.empty() ? 0 : code_.size() - 1);
  }
  std::span<const std::uint32_t> outputs() const { return outputs_; }  ///< the register of each output
  std::span<const InputPlace> places() const { return places_; }       ///< of its first inputs
  int written() const { return written_; }                             ///< outputs that a run writes
  /// Its machine code for one lane or lane_count, written on first use; none where it is interpreted.
  const kernel::native::Code* native(int lanes) const;

 private:
  int input_count_ = 0;
  int register_count_ = 0;
  std::vector<double> constants_;
  std::vector<Instruction> code_;  // with a stop at its end
  std::vector<std::uint32_t> outputs_;
  std::vector<InputPlace> places_;
  int written_ = 0;
  std::shared_ptr<const std::vector<Call>> calls_;  // shared by copies: their code leads there
  std::shared_ptr<kernel::native::Forms> native_;   // shared by copies
};

/// Writes the constants into a register file: once, before the first run. `stride` is 1 or lane_count.
VINCULUM_EXPORT void prepare(const Kernel& program, double* registers, int stride);

/// Interprets the program on one lane: registers[r] is register r.
VINCULUM_EXPORT void run(const Kernel& program, double* registers);

/// Interprets it on eight lanes at once: registers[8*r + lane]; the file must be aligned to 64 bytes.
/// Each lane gives the same bits as run() on its inputs.
VINCULUM_EXPORT void run_lanes(const Kernel& program, double* registers);

/// Runs it with every result off by a rounding, up or down in another way for each `pattern`: how far the
/// outputs are from those of run() tells what rounding makes of them. `stride` is 1 or lane_count.
VINCULUM_EXPORT void run_rounded(const Kernel& program, double* registers, int stride, unsigned pattern);

/// Runs it once: for numbers that are asked for now and then.
VINCULUM_EXPORT void evaluate(const Kernel& kernel, std::span<const double> inputs,
                              std::span<double> outputs);

/// A kernel with the memory it runs in, on one lane or on eight side by side: the way to run one often, as
/// machine code where that can be.
class VINCULUM_EXPORT KernelRun {
 public:
  KernelRun() = default;
  /// `lanes` is 1 or lane_count. The kernel must stay where it is.
  KernelRun(const Kernel& kernel, int lanes);

  /// The numbers of an input, one for each lane: they stay until they are written again.
  double* input(std::size_t i) { return registers_ + lanes_ * i; }
  double* inputs() { return registers_; }  ///< of all, one behind the other
  /// Those of an output, after run() and until the next.
  const double* output(std::size_t i) const { return registers_ + lanes_ * places_[i]; }
  std::size_t output_count() const { return kernel_ == nullptr ? 0 : kernel_->outputs().size(); }
  /// All outputs of a run on one lane, where they lie.
  struct Numbers {
    const double* registers;
    const std::uint32_t* place;
    double operator[](std::size_t i) const { return registers[place[i]]; }
  };
  Numbers numbers() const { return {registers_, places_}; }
  /// With inputs as they were written. With a `rounding` other than 0 as run_rounded() does.
  void run(unsigned rounding = 0) {
    if (kernel_->places().empty())
      run(nullptr, nullptr, rounding);
    else
      run_otherwise(nullptr, nullptr, rounding);
  }
  /// With the inputs that have places from parts of a state, each with one number for each lane at every
  /// index. The outputs to be written go to `out`, the others are found by output().
  void run(const double* const* part, double* out, unsigned rounding = 0) {
    if (native_ == nullptr || rounding != 0 || native_(registers_, part, out) != 0)
      run_otherwise(part, out, rounding);
  }

 private:
  void run_otherwise(const double* const* part, double* out, unsigned rounding);

  const Kernel* kernel_ = nullptr;
  const kernel::native::Code* code_ = nullptr;  // none: it is interpreted
  int (*native_)(double*, const double* const*,
                 double*) = nullptr;  // the code, where one call does all lanes
  std::size_t lanes_ = 1;
  std::unique_ptr<double[]> memory_;
  double* registers_ = nullptr;  // in it, aligned for eight lanes
  const std::uint32_t* places_ = nullptr;
};

}  // namespace vinculum
