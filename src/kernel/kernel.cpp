#include "vinculum/kernel/kernel.hpp"

#include <bit>
#include <unordered_map>
#include <utility>

#include "kernel/lower.hpp"
#include "kernel/native/forms.hpp"
#include "kernel/schedule.hpp"

namespace vinculum {
namespace {
using namespace kernel;

constexpr std::uint32_t no_register = UINT32_MAX;

/// Gives each value its register: [ inputs | constants | temporaries ].
class RegisterFile {
 public:
  RegisterFile(const Lowered& program, std::uint32_t input_count)
      : program_(program), home_(program.values.size(), no_register), readers_(program.values.size(), 0) {
    for (const Step& s : program.steps) {
      for (const ValueId v : s.operand) {
        if (v != no_value) add_reader(v, input_count);
      }
    }
    for (const ValueId v : program.outputs)
      add_reader(v, input_count);  // the caller, who never has done reading
    count_ = input_count + static_cast<std::uint32_t>(constants_.size());
    for (const Step& s : program.steps)
      if (s.op == Opcode::call) lay_out_arguments(s);
  }

  std::uint32_t home(ValueId v) const { return home_[v]; }
  /// Where the arguments of a call begin.
  std::uint32_t first_argument(const Step& call) const {
    return home_[call.operand[0]] + 1 - program_.calls[call.exponent].function->arguments;
  }
  std::uint32_t count() const { return count_; }
  std::vector<double> take_constants() { return std::move(constants_); }

  /// A reader of v has run; the last one sets its register free.
  void release(ValueId v) {
    if (--readers_[v] == 0 && program_.values[v].kind == Value::Kind::computed && !is_argument(v))
      free_.push_back(home_[v]);
  }

  /// The register set free last, since it is the one most likely in the nearest cache; else a new one.
  std::uint32_t settle(ValueId v) {
    if (is_argument(v)) return home_[v];
    if (free_.empty()) free_.push_back(count_++);
    home_[v] = free_.back();
    free_.pop_back();
    return home_[v];
  }

 private:
  bool is_argument(ValueId v) const {
    const StepId step = program_.values[v].step;
    return step != no_step && program_.steps[step].op == Opcode::argument;
  }
  /// The arguments of a call side by side, in registers that nothing else uses. Calls of one list share them.
  void lay_out_arguments(const Step& call) {
    if (home_[call.operand[0]] != no_register) return;
    count_ += static_cast<std::uint32_t>(program_.calls[call.exponent].function->arguments);
    std::uint32_t place = count_;
    for (ValueId v = call.operand[0]; v != no_value; v = program_.steps[program_.values[v].step].operand[1])
      home_[v] = --place;
  }
  void add_reader(ValueId v, std::uint32_t input_count) {
    ++readers_[v];
    const Value& value = program_.values[v];
    if (value.kind == Value::Kind::input) home_[v] = value.input;
    if (value.kind != Value::Kind::constant || home_[v] != no_register) return;
    const auto next = input_count + static_cast<std::uint32_t>(constants_.size());
    const auto [where, is_new] =
        constant_home_.try_emplace(std::bit_cast<std::uint64_t>(value.constant), next);
    if (is_new) constants_.push_back(value.constant);
    home_[v] = where->second;
  }

  const Lowered& program_;
  std::vector<std::uint32_t> home_;     // of each value
  std::vector<std::uint32_t> readers_;  // of each value, still to come
  std::unordered_map<std::uint64_t, std::uint32_t> constant_home_;
  std::vector<double> constants_;
  std::vector<std::uint32_t> free_;
  std::uint32_t count_ = 0;
};

/// Executors see instructions and registers, nothing else: the place of a call travels in its instruction.
Instruction carry(const Call& call, Instruction instruction) {
  const auto place = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&call));
  instruction.b = static_cast<std::uint32_t>(place);
  instruction.c = static_cast<std::uint32_t>(place >> 32);
  return instruction;
}

/// The operands are released before the result settles, so the target may be an operand's register: an
/// instruction reads all before it writes.
Instruction assign_registers(const Step& s, RegisterFile& file, const std::vector<Call>& calls) {
  std::uint32_t operand[3] = {0, 0, 0};
  for (int i = 0; i < 3; ++i) {
    if (s.operand[i] != no_value) operand[i] = file.home(s.operand[i]);
  }
  for (const ValueId v : s.operand) {
    if (v != no_value) file.release(v);
  }
  Instruction i{s.op, file.settle(s.result), operand[0], operand[1], operand[2]};
  if (s.op == Opcode::integer_power) i.b = static_cast<std::uint32_t>(s.exponent);
  if (s.op == Opcode::call) i = carry(calls[s.exponent], {s.op, i.target, file.first_argument(s), 0, 0});
  if (s.op == Opcode::sin_cos) i.c = file.settle(s.cosine);
  return i;
}

}  // namespace

const Call& call_of(const Instruction& instruction) {
  const std::uint64_t place = instruction.b | static_cast<std::uint64_t>(instruction.c) << 32;
  return *reinterpret_cast<const Call*>(static_cast<std::uintptr_t>(place));
}

Kernel::Kernel(std::span<const Expr> outputs, std::span<const Expr> inputs, std::vector<InputPlace> places,
               int written)
    : input_count_(static_cast<int>(inputs.size())), places_(std::move(places)), written_(written) {
  const Lowered program = lower(outputs, inputs);
  if (!program.calls.empty()) calls_ = std::make_shared<const std::vector<Call>>(program.calls);
  RegisterFile file(program, static_cast<std::uint32_t>(inputs.size()));
  code_.reserve(program.steps.size() + 1);
  for (const StepId s : schedule(program))
    code_.push_back(assign_registers(program.steps[s], file, calls_ ? *calls_ : program.calls));
  code_.push_back({Opcode::stop, 0, 0, 0, 0});
  outputs_.reserve(outputs.size());
  for (const ValueId v : program.outputs) outputs_.push_back(file.home(v));
  register_count_ = static_cast<int>(file.count());
  constants_ = file.take_constants();
  native_ = std::make_shared<native::Forms>();
}

Kernel Kernel::of_code(std::vector<Instruction> code, std::uint32_t registers,
                       std::vector<std::uint32_t> outputs, int written) {
  Kernel kernel;
  kernel.written_ = written;
  kernel.input_count_ = kernel.register_count_ = static_cast<int>(registers);
  kernel.code_ = std::move(code);
  kernel.code_.push_back({Opcode::stop, 0, 0, 0, 0});
  kernel.outputs_ = std::move(outputs);
  kernel.native_ = std::make_shared<native::Forms>();
  return kernel;
}

const native::Code* Kernel::native(int lanes) const {
  return native_ ? native_->code(*this, lanes) : nullptr;
}

}  // namespace vinculum
