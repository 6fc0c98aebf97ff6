#include "vinculum/equation/light.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

double weight(const SparseRow::Entry& a, const std::vector<double>& mass) {
  const double m = mass[a.column];
  return m > 0.0 ? a.value * a.value / m : 0.0;
}

/// Those beside which something heavier drowns in a row get an infinite mass: rows do not see them any more.
/// Beside one that is not lighter it is the place that makes an entry small, as of a rod that hangs
/// straight down, and no mass. Whether there was any.
bool take_out(const SparseMatrix& A, int row, const std::vector<double>& part, std::vector<double>& mass) {
  bool any = false;
  for (const SparseRow::Entry a : row_of(A, row)) {
    const double heavy = mass[a.column], seen = weight(a, mass);
    if (!(seen > 0.0) || !(part[a.column] < drowned)) continue;
    for (const SparseRow::Entry other : row_of(A, row)) {
      double& m = mass[other.column];
      if (!(drowned * weight(other, mass) > seen) || !(m < drowned * heavy)) continue;
      m = infinite;
      any = true;
    }
  }
  return any;
}

}  // namespace

void diagonal_of(const SparseMatrix& M, std::vector<double>& out) {
  out.resize(M.rows);
  for (int i = 0; i < M.rows; ++i) out[i] = row_of(M, i).entry(i);
}

double least_part(const std::vector<double>& mass, const SparseMatrix& A, std::vector<double>& part) {
  part.assign(mass.size(), 0.0);
  for (int r = 0; r < A.rows; ++r) {
    double sum = 0.0;
    for (const SparseRow::Entry a : row_of(A, r)) sum += weight(a, mass);
    if (!(sum > 0.0)) continue;
    for (const SparseRow::Entry a : row_of(A, r))
      part[a.column] = std::max(part[a.column], weight(a, mass) / sum);
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
