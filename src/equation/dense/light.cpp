#include "vinculum/equation/light.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

double weight(const SparseMatrix& A, const std::vector<double>& mass, int k) {
  const double m = mass[A.column[k]];
  return m > 0.0 ? A.value[k] * A.value[k] / m : 0.0;
}

/// Those beside which something heavier drowns in a row get an infinite mass: rows do not see them any more.
/// AtomicFile one that is not lighter it is the place that makes an entry small, as of a rod that hangs
/// straight down, and no mass. Whether there was any.
bool take_out(const SparseMatrix& A, int row, const std::vector<double>& part, std::vector<double>& mass) {
  bool any = false;
  for (int j = A.start[row]; j < A.start[row + 1]; ++j) {
    const double heavy = mass[A.column[j]], seen = weight(A, mass, j);
    if (!(seen > 0.0) || !(part[A.column[j]] < drowned)) continue;
    for (int k = A.start[row]; k < A.start[row + 1]; ++k) {
      double& m = mass[A.column[k]];
      if (!(drowned * weight(A, mass, k) > seen) || !(m < drowned * heavy)) continue;
      m = infinite;
      any = true;
    }
  }
  return any;
}

}  // namespace

void diagonal_of(const SparseMatrix& M, std::vector<double>& out) {
  out.assign(M.rows, 0.0);
  for (int i = 0; i < M.rows; ++i)
    for (int k = M.start[i]; k < M.start[i + 1]; ++k)
      if (M.column[k] == i) out[i] = M.value[k];
}

double least_part(const std::vector<double>& mass, const SparseMatrix& A, std::vector<double>& part) {
  part.assign(mass.size(), 0.0);
  for (int r = 0; r < A.rows; ++r) {
    double sum = 0.0;
    for (int k = A.start[r]; k < A.start[r + 1]; ++k) sum += weight(A, mass, k);
    if (!(sum > 0.0)) continue;
    for (int k = A.start[r]; k < A.start[r + 1]; ++k)
      part[A.column[k]] = std::max(part[A.column[k]], weight(A, mass, k) / sum);
  }
  double least = 1.0;
  for (const double p : part)
    if (p > 0.0) least = std::min(least, p);
  return least;
}

std::vector<int> light_coordinates(const SparseMatrix& M, const SparseMatrix& A) {
  std::vector<double> mass, part;
  diagonal_of(M, mass);
  for (bool any = true; any && least_part(mass, A, part) < drowned;) {
    any = false;
    for (int r = 0; r < A.rows; ++r) any = take_out(A, r, part, mass) || any;
  }
  std::vector<int> out;
  for (int i = 0; i < M.rows; ++i)
    if (mass[i] == infinite) out.push_back(i);
  return out;
}

}  // namespace vinculum
