#include "vinculum/equation/multipliers.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "vinculum/base/error.hpp"
#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {
namespace {

/// Weights of a combination that vanishes are known to the rounding of the rows over their smallest pivot;
/// the rank counts pivots down to this as independent.
constexpr double nothing = 1e-10;

/// |sum of weight * row| beside the sum of the sizes of its terms.
bool adds_up_to_nothing(const SparseMatrix& A, const std::vector<std::pair<int, double>>& rows) {
  std::unordered_map<int, double> force;
  double terms = 0.0;
  for (const auto& [row, weight] : rows) {
    double square = 0.0;
    for (const auto [column, value] : row_of(A, row)) {
      force[column] += weight * value;
      square += value * value;
    }
    terms += std::abs(weight) * std::sqrt(square);
  }
  double length = 0.0;
  for (const auto& [velocity, part] : force) length = std::hypot(length, part);
  return length <= nothing * terms;
}

}  // namespace

bool freedom_is_known(const Solution& s) {
  return s.multipliers_unique || (!s.freedom.empty() && !s.dependencies.empty());
}

std::vector<double> multiplier_family(const Solution& s, std::span<const double> h) {
  if (h.size() != s.multipliers.size())
    fail("multipliers: h has " + std::to_string(h.size()) + " entries; there are " +
         std::to_string(s.multipliers.size()) + " rows");
  if (!freedom_is_known(s))
    fail("multipliers: their freedom is not known; solve with Detail::full, and within robust_limit");
  std::vector<double> lambda = s.multipliers;
  for (const std::vector<double>& free : s.freedom) {
    double part = 0.0;
    for (std::size_t r = 0; r < h.size(); ++r) part += free[r] * h[r];
    for (std::size_t r = 0; r < h.size(); ++r) lambda[r] += part * free[r];
  }
  return lambda;
}

std::vector<bool> unique_multipliers(const Solution& s) {
  if (!freedom_is_known(s)) return {};
  // Rows without part in a dependency have none in the freedom either, to the bit.
  std::vector<bool> unique(s.multipliers.size(), true);
  for (const std::vector<double>& free : s.freedom)
    for (std::size_t r = 0; r < free.size(); ++r)
      if (free[r] != 0.0) unique[r] = false;
  return unique;
}

std::vector<bool> unique_forces(const Equations& at, const Solution& s, std::span<const int> block_of_row,
                                int blocks) {
  std::vector<bool> unique(blocks, true);
  for (const Dependency& d : s.dependencies) {
    std::map<int, std::vector<std::pair<int, double>>> part;  // of the combination, in the rows of a block
    const auto add = [&](int row, double weight) {
      if (const int block = block_of_row[row]; block >= 0 && unique[block])
        part[block].emplace_back(row, weight);
    };
    add(d.row, 1.0);
    for (std::size_t k = 0; k < d.on.size(); ++k) add(d.on[k], -d.weight[k]);
    for (const auto& [block, rows] : part)
      if (!adds_up_to_nothing(at.A, rows)) unique[block] = false;
  }
  return unique;
}

bool unique_force(const Equations& at, const Solution& s, int first_row, int row_count) {
  std::vector<int> block(at.rows(), -1);
  std::fill_n(block.begin() + first_row, row_count, 0);
  return unique_forces(at, s, block, 1)[0];
}

}  // namespace vinculum
