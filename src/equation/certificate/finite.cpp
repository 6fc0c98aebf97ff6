#include "equation/certificate/finite.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {
namespace {

/// x * 0 is 0 for every finite x and not a number for all others; one test at the end instead of one for each
/// entry.
double zero_if_finite(const std::vector<double>& values) {
  double sum = 0.0;
  for (double value : values) sum += value * 0.0;
  return sum;
}

std::vector<int> rows_not_finite(const SparseMatrix& matrix) {
  std::vector<int> out;
  for (int i = 0; i < matrix.rows; ++i)
    if (!std::ranges::all_of(row_of(matrix, i).values, [](double x) { return std::isfinite(x); }))
      out.push_back(i);
  return out;
}

std::vector<int> entries_not_finite(const std::vector<double>& values) {
  std::vector<int> out;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i])) out.push_back(static_cast<int>(i));
  return out;
}

}  // namespace

bool all_finite(const Equations& at) {
  return zero_if_finite(at.M.value) + zero_if_finite(at.Q) + zero_if_finite(at.A.value) +
             zero_if_finite(at.b) + zero_if_finite(at.C) ==
         0.0;
}

void name_not_finite(const Equations& at, Solution& out) {
  out.status = Status::not_finite;
  const auto found = [&](char term, std::vector<int> where, std::vector<int>& list) {
    if (where.empty()) return false;
    out.term = term;
    list = std::move(where);
    return true;
  };
  if (found('M', rows_not_finite(at.M), out.coordinates)) return;
  if (found('Q', entries_not_finite(at.Q), out.coordinates)) return;
  if (found('A', rows_not_finite(at.A), out.rows)) return;
  if (found('b', entries_not_finite(at.b), out.rows)) return;
  found('C', entries_not_finite(at.C), out.coordinates);
}

}  // namespace vinculum
