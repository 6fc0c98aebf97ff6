#include "equation/row_scale.hpp"

#include <algorithm>
#include <cmath>

namespace vinculum {

std::vector<double> inverse_masses(const SparseMatrix& M) {
  std::vector<double> weight(M.rows, 0.0);
  double largest = 0.0;
  for (int i = 0; i < M.rows; ++i)
    for (int k = M.start[i]; k < M.start[i + 1]; ++k)
      if (M.column[k] == i && M.value[k] > 0.0) {
        weight[i] = 1.0 / M.value[k];
        largest = std::max(largest, weight[i]);
      }
  for (double& w : weight)
    if (!(w > 0.0) || !std::isfinite(w)) w = largest > 0.0 && std::isfinite(largest) ? largest : 1.0;
  return weight;
}

std::vector<double> row_lengths(const SparseMatrix& A, const std::vector<double>& weight) {
  std::vector<double> length(A.rows, 0.0);
  for (int r = 0; r < A.rows; ++r)
    for (int k = A.start[r]; k < A.start[r + 1]; ++k)
      length[r] = std::hypot(length[r], A.value[k] * std::sqrt(weight[A.column[k]]));
  return length;
}

}  // namespace vinculum
