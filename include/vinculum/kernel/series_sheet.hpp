// Instructions on coefficients of power series, as they are written down.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/kernel/kernel.hpp"

namespace vinculum {

/// Kernels on one file of registers, written one after the other. A value that is zero whatever is given has
/// no register, and what is made of it no instruction.
class VINCULUM_EXPORT SeriesSheet {
 public:
  using Register = std::uint32_t;
  using Value = std::optional<Register>;
  /// Many kernels, whose values stay in registers of their own from one to the next; or one, in which no
  /// value is computed twice and none that nobody needs.
  enum class Kind { many_kernels, one_kernel };
  explicit SeriesSheet(Kind kind = Kind::many_kernels) : kind_(kind) {}

  /// Registers that are filled before kernels run, one behind the other.
  Register given(std::size_t count = 1);
  Register number(double value);

  Value add(Value a, Value b) { return a && b ? Value(emit(Opcode::add, *a, *b)) : a ? a : b; }
  Value subtract(Value a, Value b) {
    return a && b ? Value(emit(Opcode::subtract, *a, *b)) : a ? a : negate(b);
  }
  Value negate(Value a) { return a ? Value(emit(Opcode::negate, *a)) : a; }
  Value multiply(Value a, Value b) { return a && b ? Value(emit(Opcode::multiply, *a, *b)) : std::nullopt; }
  /// c + a b, and c - a b.
  Value add_product(Value c, Value a, Value b);
  Value subtract_product(Value c, Value a, Value b);
  /// Any operation. Its value is at hand for the next few instructions, longer when it is settled.
  Register emit(Opcode op, Register a, Register b = 0, Register c = 0);
  /// The value that the last instruction has made gets a register of its own, a new one unless told; other
  /// values have one.
  Value settled(Value value, Value to = std::nullopt);

  /// What was written since the last kernel. All that was settled in it is kept in its registers.
  Kernel take();
  /// The one kernel. Nothing is kept, and these values go where a run is told.
  Kernel take_written(const std::vector<Value>& outputs);

  std::uint32_t registers() const { return registers_; }
  /// Numbers, and the registers that hold them.
  const std::vector<std::pair<Register, double>>& numbers() const { return numbers_; }
  std::size_t instruction_count() const { return code_.size(); }

 private:
  static constexpr Register passing = 16;  // the first registers are for values on the way
  /// With one kernel values are numbered from here on, each for itself, until registers are given to them.
  static constexpr Register first_value = 1u << 31;
  Register value_of(const Instruction& instruction);
  void leave_out_unneeded(const std::vector<Value>& outputs);
  void give_registers(std::vector<Register>& outputs);

  Kind kind_;
  std::vector<Instruction> code_;
  std::vector<Register> settled_;
  std::uint32_t registers_ = passing, next_passing_ = 0;
  using Operation = std::array<std::uint32_t, 4>;  // opcode and operands
  struct Hash {
    std::size_t operator()(const Operation& key) const;
  };
  std::unordered_map<Operation, Register, Hash> known_;  // values
  std::map<std::uint64_t, Register> number_;             // by its bits: zeros have signs
  std::vector<std::pair<Register, double>> numbers_;
};

/// A kernel whose values are series, on a sheet.
class VINCULUM_EXPORT SeriesFunction {
 public:
  using Value = SeriesSheet::Value;
  /// For coefficients 0 to `order`. The kernel must not call functions written in C++. Coefficients of inputs
  /// that are `late` are told after the others of their order: see complete().
  SeriesFunction(SeriesSheet& sheet, const Kernel& kernel, int order, const std::vector<bool>& late);
  ~SeriesFunction();
  SeriesFunction(SeriesFunction&&) noexcept;

  /// Coefficient k of an input: zero until it is told.
  void set_input(std::size_t i, int k, Value value);
  /// Writes coefficient k of every value, from those of the inputs up to k.
  void compute(int k);
  /// The same once more for what depends on late inputs.
  void complete(int k);
  Value output(std::size_t o, int k) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vinculum
