#include "system/series/element_series.hpp"

#include <algorithm>

namespace vinculum {
namespace {

SeriesInput kind_of(int part, std::initializer_list<StatePlace::Part> late) {
  if (part == StatePlace::parameter) return SeriesInput::constant;
  return std::find(late.begin(), late.end(), part) != late.end() ? SeriesInput::late : SeriesInput::moving;
}

}  // namespace

ElementSeriesPrograms::ElementSeriesPrograms(const ElementKernels& kernels, int order,
                                             std::initializer_list<StatePlace::Part> late)
    : kernels_(&kernels) {
  for (const ElementKernels::Group& group : kernels.groups_) {
    Group& made = groups_.emplace_back();
    for (const StatePlace::Part part : group.part) made.inputs.push_back(kind_of(part, late));
    made.program = SeriesProgram::of(group.kernel, order, made.inputs).value();
  }
  if (kernels.single_outputs_.empty()) return;
  const Kernel& kernel = kernels.single_.kernel();
  std::vector<SeriesInput> inputs(kernel.input_count(), SeriesInput::constant);
  for (std::size_t i = 0; i < kernel.places().size(); ++i)
    inputs[i] = kind_of(static_cast<int>(kernel.places()[i].part), late);
  single_ = SeriesProgram::of(kernel, order, inputs).value();
}

ElementSeries::ElementSeries(const ElementSeriesPrograms& programs)
    : programs_(&programs), kernels_(programs.kernels_) {
  for (std::size_t g = 0; g < programs.groups_.size(); ++g) {
    Blocks& blocks = groups_.emplace_back();
    for (int first = 0; first < kernels_->groups_[g].instances; first += lane_count)
      blocks.emplace_back(programs.groups_[g].program, lane_count);
  }
  if (has_single()) single_ = SeriesRun(programs.single_, 1);
}

void ElementSeries::bind(std::span<const double> parameters) {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const ElementKernels::Group& group = kernels_->groups_[g];
    std::vector<double> constant = group.constant;
    const std::span<const double> numbers = group.living.at(parameters);
    for (const auto& [from, to] : group.living_to) constant[to] = numbers[from];
    const std::size_t padded = groups_[g].size() * lane_count;
    for (std::size_t i = 0; i < group.part.size(); ++i)
      for (std::size_t b = 0; group.part[i] == StatePlace::parameter && b < groups_[g].size(); ++b)
        std::copy_n(constant.begin() + static_cast<std::ptrdiff_t>(i * padded + b * lane_count), lane_count,
                    groups_[g][b].input(i, 0));
  }
  if (!has_single()) return;
  const StateFunction& single = kernels_->single_;
  const std::span<const double> numbers = single.living().at(parameters);
  for (std::size_t k = 0; k < numbers.size(); ++k)
    *single_.input(single.kernel().places().size() + k, 0) = numbers[k];
}

void ElementSeries::take(std::size_t g, int block, int k, const StateParts& from, bool late_only) {
  const ElementKernels::Group& group = kernels_->groups_[g];
  Blocks& blocks = groups_[g];
  const std::size_t padded = blocks.size() * lane_count;
  for (std::size_t i = 0; i < group.part.size(); ++i) {
    if (group.part[i] == StatePlace::parameter ||
        (late_only && programs_->groups_[g].inputs[i] != SeriesInput::late))
      continue;
    const double* const part = from.part[group.part[i]];
    const int* const source = group.source.data() + i * padded + static_cast<std::size_t>(block) * lane_count;
    double* const to = blocks[block].input(i, k);
    for (int lane = 0; lane < lane_count; ++lane) to[lane] = part[source[lane]];
  }
}

void ElementSeries::take_single(int k, const StateParts& from) {
  const std::span<const InputPlace> places = kernels_->single_.kernel().places();
  for (std::size_t i = 0; i < places.size(); ++i)
    *single_.input(i, k) = from.part[places[i].part][places[i].index];
}

void ElementSeries::compute(int k, const StateParts& coefficients, const Numbers& to) {
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (int b = 0; b < static_cast<int>(groups_[g].size()); ++b) {
      take(g, b, k, coefficients, false);
      groups_[g][b].compute(k);
    }
  if (has_single()) {
    take_single(k, coefficients);
    single_.compute(k);
  }
  hand_out(k, to);
}

void ElementSeries::complete(int k, const StateParts& coefficients, const Numbers* to) {
  for (std::size_t g = 0; g < groups_.size(); ++g)
    for (int b = 0; b < static_cast<int>(groups_[g].size()); ++b) {
      take(g, b, k, coefficients, true);
      groups_[g][b].complete(k);
    }
  if (has_single()) {
    take_single(k, coefficients);
    single_.complete(k);
  }
  if (to != nullptr) hand_out(k, *to);
}

void ElementSeries::hand_out(int k, const Numbers& to) const {
  const auto deliver = [](double value, double& target, bool adds) {
    target = adds ? target + value : value;
  };
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const ElementKernels::Group& group = kernels_->groups_[g];
    for (std::size_t o = 0; o < group.outputs.size(); ++o) {
      const ElementKernels::Output& output = group.outputs[o];
      double* const array = to[output.where];
      const bool is_zero = groups_[g].front().output(o, k) == nullptr;
      if (array == nullptr || (is_zero && output.adds)) continue;
      for (int i = 0; i < group.instances; ++i) {
        const double* const eight = groups_[g][i / lane_count].output(o, k);
        deliver(is_zero ? 0.0 : eight[i % lane_count], array[output.index[i]], output.adds);
      }
    }
  }
  for (std::size_t o = 0; o < kernels_->single_outputs_.size(); ++o) {
    const ElementKernels::SingleOutput& output = kernels_->single_outputs_[o];
    if (to[output.where] == nullptr) continue;
    const double* const value = single_.output(o, k);
    deliver(value == nullptr ? 0.0 : *value, to[output.where][output.index], output.adds);
  }
}

}  // namespace vinculum
