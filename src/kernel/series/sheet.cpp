#include <algorithm>
#include <bit>
#include <utility>

#include "kernel/native/steps.hpp"
#include "vinculum/kernel/series_sheet.hpp"

namespace vinculum {

SeriesSheet::Register SeriesSheet::given(std::size_t count) {
  return std::exchange(registers_, registers_ + static_cast<Register>(count));
}

SeriesSheet::Register SeriesSheet::number(double value) {
  const auto [where, is_new] = number_.try_emplace(std::bit_cast<std::uint64_t>(value), registers_);
  if (is_new) numbers_.emplace_back(registers_++, value);
  return where->second;
}

SeriesSheet::Value SeriesSheet::add_product(Value c, Value a, Value b) {
  if (!a || !b) return c;
  return c ? emit(Opcode::multiply_add, *a, *b, *c) : multiply(a, b);
}
SeriesSheet::Value SeriesSheet::subtract_product(Value c, Value a, Value b) {
  if (!a || !b) return c;
  return c ? emit(Opcode::subtract_multiply, *a, *b, *c) : negate(multiply(a, b));
}

SeriesSheet::Register SeriesSheet::emit(Opcode op, Register a, Register b, Register c) {
  if (kind_ == Kind::one_kernel) return value_of({op, 0, a, b, c});
  const Register to = next_passing_++ % passing;
  code_.push_back({op, to, a, b, c});
  return to;
}

SeriesSheet::Value SeriesSheet::settled(Value value, Value to) {
  if (!value || *value >= passing || kind_ == Kind::one_kernel) return value;
  const Register home = to ? *to : registers_++;
  settled_.push_back(home);
  return code_.back().target = home;
}

Kernel SeriesSheet::take() {
  return Kernel::of_code(std::exchange(code_, {}), registers_, std::exchange(settled_, {}));
}

std::size_t SeriesSheet::Hash::operator()(const Operation& key) const {
  std::uint64_t sum = 0;
  for (const std::uint32_t part : key) sum = (sum ^ part) * 0x9E3779B97F4A7C15u;
  return sum ^ (sum >> 32);
}

/// One that is known already, or a new one.
SeriesSheet::Register SeriesSheet::value_of(const Instruction& i) {
  const int operands = kernel::native::operand_count(i.op);
  Operation key = {static_cast<std::uint32_t>(i.op), i.a, operands > 1 ? i.b : 0, operands > 2 ? i.c : 0};
  const bool commutes = i.op == Opcode::add || i.op == Opcode::multiply || i.op == Opcode::multiply_add ||
                        i.op == Opcode::multiply_subtract || i.op == Opcode::subtract_multiply;
  if (commutes && key[2] < key[1]) std::swap(key[1], key[2]);
  const auto [where, is_new] = known_.try_emplace(key, first_value + static_cast<Register>(code_.size()));
  if (is_new) code_.push_back({i.op, where->second, i.a, i.b, i.c});
  return where->second;
}

void SeriesSheet::leave_out_unneeded(const std::vector<Value>& outputs) {
  std::vector<bool> needed(code_.size(), false);
  const auto need = [&](Register value) {
    if (value >= first_value) needed[value - first_value] = true;
  };
  for (const Value& value : outputs)
    if (value) need(*value);
  for (std::size_t i = code_.size(); i-- > 0;)
    if (needed[i])
      for (int k = 0; k < kernel::native::operand_count(code_[i].op); ++k) need((&code_[i].a)[k]);
  std::erase_if(code_, [&](const Instruction& i) { return !needed[i.target - first_value]; });
}

/// A register is free again behind the last instruction that reads it.
void SeriesSheet::give_registers(std::vector<Register>& outputs) {
  if (code_.empty()) return;
  const std::size_t values = code_.back().target - first_value + 1;
  std::vector<std::size_t> last(values);  // reading of each value
  std::vector<Register> home(values);
  const auto read = [&](Register value, std::size_t i) {
    if (value >= first_value) last[value - first_value] = i;
  };
  for (std::size_t i = 0; i < code_.size(); ++i)
    for (int k = 0; k < kernel::native::operand_count(code_[i].op); ++k) read((&code_[i].a)[k], i);
  for (const Register value : outputs) read(value, code_.size());
  std::vector<Register> free;
  for (std::size_t i = 0; i < code_.size(); ++i) {
    Register* const operand = &code_[i].a;
    Register ended[3];
    int ends = 0;
    for (int k = 0; k < kernel::native::operand_count(code_[i].op); ++k) {
      const Register value = operand[k];
      if (value < first_value) continue;
      operand[k] = home[value - first_value];
      if (last[value - first_value] == i && std::find(ended, ended + ends, operand[k]) == ended + ends)
        ended[ends++] = operand[k];
    }
    free.insert(free.end(), ended, ended + ends);
    const Register value = std::exchange(code_[i].target, free.empty() ? registers_++ : free.back());
    if (!free.empty()) free.pop_back();
    home[value - first_value] = code_[i].target;
  }
  for (Register& value : outputs)
    if (value >= first_value) value = home[value - first_value];
}

Kernel SeriesSheet::take_written(const std::vector<Value>& outputs) {
  std::vector<Register> written;
  for (const Value& value : outputs) written.push_back(value ? *value : number(0.0));
  leave_out_unneeded(outputs);
  give_registers(written);
  const int count = static_cast<int>(written.size());
  return Kernel::of_code(std::exchange(code_, {}), registers_, std::move(written), count);
}

}  // namespace vinculum
