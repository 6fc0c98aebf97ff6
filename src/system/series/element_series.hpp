// Kernels of elements on power series in time, order by order.
#pragma once
#include <initializer_list>
#include <span>
#include <vector>

#include "system/compile/elements.hpp"
#include "vinculum/kernel/series.hpp"

namespace vinculum {

/// The kernels of one purpose, written out for series. Constant; memory is apart.
class ElementSeriesPrograms {
 public:
  /// For coefficients 0 to `order`; `late` are the parts of a state whose coefficient is known only after
  /// compute() of its order. The kernels must call no functions written in C++, and stay where they are.
  ElementSeriesPrograms(const ElementKernels& kernels, int order,
                        std::initializer_list<StatePlace::Part> late);

 private:
  friend class ElementSeries;
  struct Group {
    std::vector<SeriesInput> inputs;
    SeriesProgram program;
  };

  const ElementKernels* kernels_;
  std::vector<Group> groups_;
  SeriesProgram single_;
};

/// All coefficients of their values. Elements of one shape go eight at a time, as their kernels do.
class ElementSeries {
 public:
  /// The programs must stay where they are.
  explicit ElementSeries(const ElementSeriesPrograms& programs);

  /// To the values of living parameters.
  void bind(std::span<const double> parameters);
  /// Coefficient k of all values, from those of the parts of the state, into arrays by Target::Where: those
  /// that are sums must hold zero, or what does not depend on the state.
  void compute(int k, const StateParts& coefficients, const Numbers& to);
  /// The same values again, now that the late parts are known; nothing is handed out but where `to` is given.
  void complete(int k, const StateParts& coefficients, const Numbers* to = nullptr);

 private:
  using Blocks = std::vector<SeriesRun>;  // of eight instances each
  void take(std::size_t group, int block, int k, const StateParts& from, bool late_only);
  void take_single(int k, const StateParts& from);
  void hand_out(int k, const Numbers& to) const;
  bool has_single() const { return !kernels_->single_outputs_.empty(); }

  const ElementSeriesPrograms* programs_;
  const ElementKernels* kernels_;
  std::vector<Blocks> groups_;
  SeriesRun single_;
};

}  // namespace vinculum
