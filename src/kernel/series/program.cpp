#include <algorithm>

#include "vinculum/kernel/series.hpp"
#include "vinculum/kernel/series_sheet.hpp"

namespace vinculum {

std::optional<SeriesProgram> SeriesProgram::of(const Kernel& kernel, int order,
                                               const std::vector<SeriesInput>& inputs) {
  const auto calls = [](const Instruction& i) { return i.op == Opcode::call; };
  if (std::any_of(kernel.code().begin(), kernel.code().end(), calls)) return std::nullopt;
  const auto count = static_cast<std::size_t>(kernel.input_count());
  const auto kind = [&](std::size_t i) { return i < inputs.size() ? inputs[i] : SeriesInput::moving; };
  std::vector<bool> late(count);
  for (std::size_t i = 0; i < count; ++i) late[i] = kind(i) == SeriesInput::late;

  SeriesProgram out;
  SeriesSheet sheet;
  SeriesFunction function(sheet, kernel, order, late);
  out.order_ = order;
  out.inputs_ = sheet.given(count * (order + 1));
  for (std::size_t i = 0; i < count; ++i)
    for (int k = 0; k <= (kind(i) == SeriesInput::constant ? 0 : order); ++k)
      function.set_input(i, k, out.inputs_ + static_cast<std::uint32_t>(i * (order + 1) + k));
  for (int k = 0; k <= order; ++k) {
    function.compute(k);
    out.compute_.push_back(sheet.take());
    if (k > 0) function.complete(k);
    out.complete_.push_back(sheet.take());
  }
  for (std::size_t o = 0; o < kernel.outputs().size(); ++o)
    for (int k = 0; k <= order; ++k) out.outputs_.push_back(function.output(o, k));
  out.registers_ = sheet.registers();
  out.numbers_ = sheet.numbers();
  out.runs_.reset(new std::atomic<int>[2 * static_cast<std::size_t>(order + 1)]());
  return out;
}

std::size_t SeriesProgram::instruction_count() const {
  std::size_t count = 0;
  for (const std::vector<Kernel>* all : {&compute_, &complete_})
    for (const Kernel& kernel : *all) count += kernel.code().size();
  return count;
}

}  // namespace vinculum
