// Kernels of power series in time, coefficient by coefficient.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/kernel/kernel.hpp"

namespace vinculum {

/// When coefficients of an input are known.
enum class SeriesInput : std::uint8_t {
  moving,   ///< with all others of their order
  late,     ///< after them: see SeriesRun::complete()
  constant  ///< all but the first are zero
};

/// A kernel on power series. Each operation is a recurrence over the coefficients of its operands; these are
/// written out, as a kernel for every order. All of them work on one file of registers, in which every value
/// has one for each of its coefficients.
class VINCULUM_EXPORT SeriesProgram {
 public:
  SeriesProgram() = default;
  /// For coefficients 0 to `order`. None where the kernel calls functions written in C++, which have no
  /// series. Inputs that are not told move.
  static std::optional<SeriesProgram> of(const Kernel& kernel, int order,
                                         const std::vector<SeriesInput>& inputs = {});

  int order() const { return order_; }
  std::size_t instruction_count() const;

 private:
  friend class SeriesRun;
  int order_ = 0;
  std::vector<Kernel> compute_, complete_;    // of each order
  std::shared_ptr<std::atomic<int>[]> runs_;  // of these kernels, [order][compute, complete], by whomever
  std::uint32_t registers_ = 0, inputs_ = 0;  // how many, and where inputs begin
  std::vector<std::pair<std::uint32_t, double>> numbers_;  // and the registers that hold them
  std::vector<std::optional<std::uint32_t>> outputs_;      // [output][order]: none where it is always zero
};

namespace kernel::native {
class Code;
}

/// A program with its file, on one lane or on eight side by side.
class VINCULUM_EXPORT SeriesRun {
 public:
  SeriesRun() = default;
  /// `lanes` is 1 or lane_count. The program must stay where it is.
  SeriesRun(const SeriesProgram& program, int lanes);

  /// Coefficient k of an input, one number for each lane. Those never written are zero.
  double* input(std::size_t i, int k) {
    return file_ + lanes_ * (program_->inputs_ + i * (program_->order_ + 1) + k);
  }
  /// Coefficient k of an output; none where it is zero whatever the inputs are.
  const double* output(std::size_t o, int k) const {
    const std::optional<std::uint32_t> place = program_->outputs_[o * (program_->order_ + 1) + k];
    return place ? file_ + lanes_ * *place : nullptr;
  }
  /// Coefficient k of every value, from those of the inputs up to k and all below.
  void compute(int k) { run(2 * static_cast<std::size_t>(k)); }
  /// The same again where late inputs of this order have become others since: what is made of lower orders
  /// stays.
  void complete(int k) { run(2 * static_cast<std::size_t>(k) + 1); }

 private:
  /// How one of the kernels runs: interpreted until it has run so often that writing its code is worth it.
  struct Form {
    bool empty = false;
    int (*whole)(double*, const double* const*, double*) = nullptr;  // where one call does all lanes
    const kernel::native::Code* code = nullptr;
  };
  void run(std::size_t i) {
    const Form& form = forms_[i];
    if (form.empty || (form.whole != nullptr && form.whole(file_, nullptr, nullptr) == 0)) return;
    run_otherwise(i);
  }
  void run_otherwise(std::size_t i);
  void take_code(std::size_t i);
  const Kernel& kernel(std::size_t i) const {
    return i % 2 == 0 ? program_->compute_[i / 2] : program_->complete_[i / 2];
  }

  const SeriesProgram* program_ = nullptr;
  std::size_t lanes_ = 1;
  std::vector<Form> forms_;  // [order][compute, complete]
  std::unique_ptr<double[]> memory_;
  double* file_ = nullptr;  // in it, aligned for eight lanes
};

}  // namespace vinculum
