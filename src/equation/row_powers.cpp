#include "equation/row_powers.hpp"

#include <algorithm>
#include <cmath>

#include "equation/dense/graded.hpp"
#include "equation/dense/roads.hpp"

namespace vinculum {
namespace {

/// Leaves masses a factor of 1e60 either way before A M^-1 A^T overflows.
constexpr int largest_power = 400;

/// 0 for a row of zeros and for one that is not finite.
double largest_in(const SparseRow& row) {
  double largest = 0.0;
  for (const double value : row.values) largest = std::max(largest, std::fabs(value));
  return std::isfinite(largest) ? largest : 0.0;
}

/// The combinations of the stated rows that make no force, from those of the multiplied ones: each begins
/// with its largest part near one, so that nothing overflows.
dense::Matrix stated_freedom(const std::vector<int>& power, const std::vector<Dependency>& dependencies) {
  dense::Matrix out = dense::Matrix::Zero(static_cast<Eigen::Index>(power.size()),
                                          static_cast<Eigen::Index>(dependencies.size()));
  for (int k = 0; k < out.cols(); ++k) {
    const Dependency& d = dependencies[k];
    int largest = power[d.row];
    for (std::size_t i = 0; i < d.on.size(); ++i)
      if (d.weight[i] != 0.0) largest = std::max(largest, power[d.on[i]] + std::ilogb(d.weight[i]));
    out(d.row, k) = std::ldexp(1.0, power[d.row] - largest);
    for (std::size_t i = 0; i < d.on.size(); ++i)
      out(d.on[i], k) = std::ldexp(-d.weight[i], power[d.on[i]] - largest);
    out.col(k).normalize();
  }
  return dense::orthonormal(out);
}

/// Which multipliers are the shortest depends on the lengths of the rows as they are stated. Where these are
/// so far apart that no combination of them has numbers, those that are shortest for the multiplied rows
/// stay.
void shorten_multipliers(const std::vector<int>& power, const dense::Matrix& free, Solution& out) {
  const auto [least, most] = std::minmax_element(power.begin(), power.end());
  if (*most - *least > 2 * largest_power) return;
  dense::Vector lambda = dense::to_vector(out.multipliers);
  for (int pass = 0; pass < 2; ++pass) lambda -= free * (free.transpose() * lambda);
  dense::store(lambda, out.multipliers);
}

}  // namespace

bool is_beyond_squares(const SparseRow& row) {
  const double largest = largest_in(row);
  return largest > 0.0 && std::abs(std::ilogb(largest)) > largest_power;
}

int row_beyond_squares(const SparseMatrix& A) {
  for (int r = 0; r < A.rows; ++r)
    if (is_beyond_squares(row_of(A, r))) return r;
  return -1;
}

void find_powers(const SparseMatrix& A, std::vector<int>& power) {
  power.clear();
  for (int r = 0; r < A.rows; ++r) {
    if (!is_beyond_squares(row_of(A, r))) continue;
    power.resize(A.rows, 0);
    power[r] = -std::ilogb(largest_in(row_of(A, r)));
  }
}

void multiply_rows(const std::vector<int>& power, SparseMatrix& A) {
  for (int r = 0; r < A.rows; ++r)
    for (int k = A.start[r]; k < A.start[r + 1]; ++k) A.value[k] = std::ldexp(A.value[k], power[r]);
}

void multiply_rows(const std::vector<int>& power, Equations& at) {
  multiply_rows(power, at.A);
  for (int r = 0; r < at.rows(); ++r) at.b[r] = std::ldexp(at.b[r], power[r]);
}

void restore_rows(const std::vector<int>& power, Solution& out) {
  for (std::size_t r = 0; r < power.size(); ++r) {
    out.multipliers[r] = std::ldexp(out.multipliers[r], power[r]);
    out.dissatisfaction[r] = std::ldexp(out.dissatisfaction[r], -power[r]);
  }
  if (!out.rows.empty()) out.gap = std::ldexp(out.gap, -power[out.rows.back()]);
  if (!out.freedom.empty()) {
    const dense::Matrix free = stated_freedom(power, out.dependencies);
    shorten_multipliers(power, free, out);
    dense::write_freedom(free, out);
  }
  for (Dependency& d : out.dependencies)
    for (std::size_t k = 0; k < d.on.size(); ++k)
      d.weight[k] = std::ldexp(d.weight[k], power[d.on[k]] - power[d.row]);
}

}  // namespace vinculum
