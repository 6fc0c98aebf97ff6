#include "system/series/deviation_series.hpp"

#include <algorithm>
#include <cmath>

#include "system/system_impl.hpp"

namespace vinculum {
namespace {

constexpr int where(Target::Where w) { return static_cast<int>(w); }

}  // namespace

DeviationSeries::DeviationSeries(const System& system, const SeriesPrograms& programs, int order)
    : order_(order),
      nv_(static_cast<int>(system.velocity_names().size())),
      m_(static_cast<int>(system.row_names().size())),
      sides_count_(system.impl().series_kernels().side_count),
      force_(programs.nonideal),
      linear_(programs.deviation),
      sides_(programs.sides) {
  const auto orders = static_cast<std::size_t>(order + 3);
  for (std::vector<double>* all : {&ideal_, &d_, &C_}) all->resize(orders * nv_);
  mu_.resize(orders * m_);
  side_.resize(orders * sides_count_);
  lower_.resize(nv_);
  lower_rows_.resize(m_);
}

void DeviationSeries::bind(std::span<const double> parameters) {
  for (ElementSeries* part : {&force_, &linear_, &sides_}) part->bind(parameters);
}

StateParts DeviationSeries::own(int k, const StateParts& state) {
  return {{state.part[StatePlace::time], state.part[StatePlace::coordinate], state.part[StatePlace::velocity],
           d(k), mu(k)}};
}

/// Coefficient k of C, and of what stands in its signs.
void DeviationSeries::find_force(int k, const StateParts& state) {
  Numbers to{};
  to[where(Target::Where::nonideal)] = at(C_, k, nv_);
  to[where(Target::Where::switching)] = at(side_, k, sides_count_);
  force_.compute(k, state, to);
  sides_.compute(k, state, to);
}

bool DeviationSeries::begin(const StateParts& state, const std::vector<double>& C,
                            std::span<const double> acceleration, OrderSolver& solver) {
  for (std::vector<double>* all : {&ideal_, &d_, &mu_, &C_, &side_}) std::fill(all->begin(), all->end(), 0.0);
  find_force(0, state);
  std::copy(C.begin(), C.end(), C_.begin());  // with what does not depend on the state
  rows_.assign(m_, 0.0);
  if (!solver.solve(C, rows_)) return false;
  std::copy(solver.x.begin(), solver.x.end(), d(0));
  std::copy(solver.lambda.begin(), solver.lambda.end(), mu(0));
  for (int i = 0; i < nv_; ++i) ideal(0)[i] = acceleration[i] - d(0)[i];
  linear_.compute(0, own(0, state), Numbers{});
  return true;
}

void DeviationSeries::prepare(int k, const StateParts& state, std::vector<double>& right) {
  Numbers to{};
  to[where(Target::Where::balance)] = lower_.data();
  to[where(Target::Where::stated_row)] = lower_rows_.data();
  std::fill(lower_.begin(), lower_.end(), 0.0);
  std::fill(lower_rows_.begin(), lower_rows_.end(), 0.0);
  linear_.compute(k, own(k, state), to);
  for (int r = 0; r < m_; ++r) right[r] += lower_rows_[r];
}

bool DeviationSeries::advance(int k, const StateParts& state, OrderSolver& solver) {
  find_force(k, state);
  push_.assign(force(k), force(k) + nv_);
  for (int i = 0; i < nv_; ++i) push_[i] -= lower_[i];
  rows_ = lower_rows_;
  for (double& r : rows_) r = -r;
  if (!solver.solve(push_, rows_)) return false;
  std::copy(solver.x.begin(), solver.x.end(), d(k));
  std::copy(solver.lambda.begin(), solver.lambda.end(), mu(k));
  linear_.complete(k, own(k, state));
  return true;
}

bool keep_signs(std::span<const double> coefficients, int count, int order, double units) {
  for (int s = 0; s < count; ++s) {
    const auto number = [&](int k) { return coefficients[static_cast<std::size_t>(k) * count + s]; };
    const int looks = 4 * order;  // more often than a polynomial of this order turns
    for (int look = 1; look <= looks; ++look) {
      const double at = units * look / looks;
      double value = 0;
      for (int k = order - 1; k >= 0; --k) value = number(k) + at * value;
      if (!(value * number(0) > 0)) return false;
    }
  }
  return true;
}

}  // namespace vinculum
