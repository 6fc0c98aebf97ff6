#include "vinculum/kernel/program.hpp"

#include <bit>
#include <unordered_map>
#include <utility>

#include "kernel/lower.hpp"
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
  }

  std::uint32_t home(ValueId v) const { return home_[v]; }
  std::uint32_t count() const { return count_; }
  std::vector<double> take_constants() { return std::move(constants_); }

  /// A reader of v has run; the last one sets its register free.
  void release(ValueId v) {
    if (--readers_[v] == 0 && program_.values[v].kind == Value::Kind::computed) free_.push_back(home_[v]);
  }

  /// The register set free last, since it is the one most likely in the nearest cache; else a new one.
  std::uint32_t settle(ValueId v) {
    if (free_.empty()) free_.push_back(count_++);
    home_[v] = free_.back();
    free_.pop_back();
    return home_[v];
  }

 private:
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

/// The operands are released before the result settles, so the target may be an operand's register: an
/// instruction reads all before it writes.
Instruction assign_registers(const Step& s, RegisterFile& file) {
  std::uint32_t operand[3] = {0, 0, 0};
  for (int i = 0; i < 3; ++i) {
    if (s.operand[i] != no_value) operand[i] = file.home(s.operand[i]);
  }
  for (const ValueId v : s.operand) {
    if (v != no_value) file.release(v);
  }
  Instruction i{s.op, file.settle(s.result), operand[0], operand[1], operand[2]};
  if (s.op == Opcode::integer_power) i.b = static_cast<std::uint32_t>(s.exponent);
  if (s.op == Opcode::sin_cos) i.c = file.settle(s.cosine);
  return i;
}

}  // namespace

Program::Program(std::span<const Expr> outputs, std::span<const Expr> inputs)
    : input_count_(static_cast<int>(inputs.size())) {
  const Lowered program = lower(outputs, inputs);
  RegisterFile file(program, static_cast<std::uint32_t>(inputs.size()));
  code_.reserve(program.steps.size() + 1);
  for (const StepId s : schedule(program)) code_.push_back(assign_registers(program.steps[s], file));
  code_.push_back({Opcode::stop, 0, 0, 0, 0});
  outputs_.reserve(outputs.size());
  for (const ValueId v : program.outputs) outputs_.push_back(file.home(v));
  register_count_ = static_cast<int>(file.count());
  constants_ = file.take_constants();
}

}  // namespace vinculum
