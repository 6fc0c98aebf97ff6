#include <algorithm>
#include <cstdint>

#include "kernel/native/code.hpp"
#include "vinculum/kernel/series.hpp"

namespace vinculum {
namespace {

/// Writing an instruction as machine code takes as long as interpreting it about so often.
constexpr int worth_writing = 64;

}  // namespace

SeriesRun::SeriesRun(const SeriesProgram& program, int lanes)
    : program_(&program), lanes_(static_cast<std::size_t>(lanes)) {
  constexpr std::size_t line = 64, most_off = line / sizeof(double);
  memory_.reset(new double[lanes_ * program.registers_ + most_off]());
  const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
  file_ = memory_.get() + (line - address % line) % line / sizeof(double);
  for (const auto& [place, value] : program.numbers_) std::fill_n(file_ + lanes_ * place, lanes_, value);
  forms_.resize(2 * static_cast<std::size_t>(program.order_ + 1));
  for (std::size_t i = 0; i < forms_.size(); ++i) {
    forms_[i].empty = kernel(i).code().empty();
    if (program.runs_[i] >= worth_writing) take_code(i);
  }
}

void SeriesRun::take_code(std::size_t i) {
  Form& form = forms_[i];
  form.code = kernel(i).native(static_cast<int>(lanes_));
  if (form.code != nullptr) form.whole = form.code->whole();
}

void SeriesRun::run_otherwise(std::size_t i) {
  const Form& form = forms_[i];
  if (form.code == nullptr && program_->runs_[i].fetch_add(1, std::memory_order_relaxed) >= worth_writing)
    take_code(i);
  if (form.code != nullptr && form.code->run(file_)) return;
  if (lanes_ == 1)
    vinculum::run(kernel(i), file_);
  else
    run_lanes(kernel(i), file_);
}

}  // namespace vinculum
