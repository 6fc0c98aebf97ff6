#include "vinculum/equation/row_scale.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {
namespace {

bool is_mass(double m) { return m > 0.0 && std::isfinite(m); }

double mean_of(const std::vector<double>& mass) {
  double logarithms = 0.0;
  int massive = 0;
  for (const double m : mass)
    if (is_mass(m)) {
      logarithms += std::log(m);
      ++massive;
    }
  return massive > 0 ? std::exp(logarithms / massive) : 1.0;
}

/// What rows with a mass lend to each coordinate in them.
std::vector<double> lent_by_rows(const SparseMatrix& A, const std::vector<double>& mass) {
  std::vector<double> lent(mass.size(), 0.0);
  for (int r = 0; r < A.rows; ++r) {
    double moved = 0.0;  // by a multiplier of one
    for (const auto [column, value] : row_of(A, r))
      if (const double m = mass[column]; m > 0.0) moved += value * value / m;
    if (!(moved > 0.0)) continue;
    for (const auto [column, value] : row_of(A, r))
      if (const double m = value * value / moved; is_mass(m)) lent[column] += m;
  }
  return lent;
}

/// The largest of each one's kin.
void share(const Kin& kin, std::vector<double>& mass) {
  if (kin.empty()) return;
  std::vector<double> most(mass.size(), 0.0);
  for (std::size_t i = 0; i < mass.size(); ++i) most[kin[i]] = std::max(most[kin[i]], mass[i]);
  for (std::size_t i = 0; i < mass.size(); ++i) mass[i] = most[kin[i]];
}

/// Those without a mass take one from here. Whether any did.
bool take(const std::vector<double>& from, std::vector<double>& mass) {
  bool any = false;
  for (std::size_t i = 0; i < mass.size(); ++i) {
    if (mass[i] > 0.0 || !is_mass(from[i])) continue;
    mass[i] = from[i];
    any = true;
  }
  return any;
}

}  // namespace

void lend_masses(const SparseMatrix& A, const Kin& kin, std::vector<double>& mass) {
  const auto without = [&] {
    return std::find_if(mass.begin(), mass.end(), [](double m) { return !(m > 0.0); });
  };
  if (without() == mass.end()) return;
  const double mean = mean_of(mass);
  std::vector<double> from = mass;
  share(kin, from);
  take(from, mass);
  for (auto i = without(); i != mass.end(); i = without()) {
    from = lent_by_rows(A, mass);
    share(kin, from);
    if (!take(from, mass)) *i = mean;
  }
}

std::vector<double> masses_of(const SparseMatrix& M, const SparseMatrix& A, const Kin& kin) {
  std::vector<double> mass;
  masses_of(M, A, kin, mass);
  return mass;
}

void masses_of(const SparseMatrix& M, const SparseMatrix& A, const Kin& kin, std::vector<double>& mass) {
  mass.assign(M.rows, 0.0);
  for (int i = 0; i < M.rows; ++i)
    if (const double m = std::fabs(row_of(M, i).entry(i)); is_mass(m)) mass[i] = m;
  lend_masses(A, kin, mass);
}

std::vector<double> inverse_masses(const SparseMatrix& M, const SparseMatrix& A) {
  std::vector<double> weight = masses_of(M, A, {});
  for (double& w : weight) w = 1.0 / w;
  return weight;
}

std::vector<double> row_lengths(const SparseMatrix& A, const std::vector<double>& weight) {
  std::vector<double> length(A.rows, 0.0);
  for (int r = 0; r < A.rows; ++r)
    for (const auto [column, value] : row_of(A, r))
      length[r] = std::hypot(length[r], value * std::sqrt(weight[column]));
  return length;
}

}  // namespace vinculum
