#include <bit>
#include <utility>

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
  const Register to = next_passing_++ % passing;
  code_.push_back({op, to, a, b, c});
  return to;
}

SeriesSheet::Value SeriesSheet::settled(Value value, Value to) {
  if (!value || *value >= passing) return value;
  const Register home = to ? *to : registers_++;
  settled_.push_back(home);
  return code_.back().target = home;
}

Kernel SeriesSheet::take() {
  return Kernel::of_code(std::exchange(code_, {}), registers_, std::exchange(settled_, {}));
}

Kernel SeriesSheet::take_written(const std::vector<Value>& outputs) {
  std::vector<Register> written;
  for (const Value& value : outputs) written.push_back(value ? *value : number(0.0));
  settled_.clear();
  const int count = static_cast<int>(written.size());
  return Kernel::of_code(std::exchange(code_, {}), registers_, std::move(written), count);
}

}  // namespace vinculum
