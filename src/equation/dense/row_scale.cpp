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

/// The row's entries of one kin side by side, as the three of a place are: [first, last) of them.
struct Run {
  std::size_t first, last;
  double seen;  // sum of A_ri^2 / m_i
};
void find_runs(const SparseRow& row, const Kin& kin, const std::vector<double>& mass,
               std::vector<Run>& runs) {
  runs.clear();
  for (std::size_t k = 0; k < row.columns.size(); ++k) {
    const int column = row.columns[k];
    const bool goes_on = k > 0 && !kin.empty() && kin[column] == kin[row.columns[k - 1]];
    if (!goes_on) runs.push_back({k, k, 0.0});
    runs.back().last = k + 1;
    if (mass[column] > 0.0) runs.back().seen += row.values[k] * row.values[k] / mass[column];
  }
}

/// What the others in their rows lend those that have a mass.
std::vector<double> lent_by_others(const SparseMatrix& A, const Kin& kin, const std::vector<double>& mass) {
  std::vector<double> lent(mass.size(), 0.0), behind;
  std::vector<Run> runs;
  for (int r = 0; r < A.rows; ++r) {
    const SparseRow row = row_of(A, r);
    find_runs(row, kin, mass, runs);
    behind.assign(runs.size() + 1, 0.0);  // sums, so that nothing is taken away from what drowns it
    for (std::size_t k = runs.size(); k-- > 0;) behind[k] = behind[k + 1] + runs[k].seen;
    double before = 0.0;
    for (std::size_t k = 0; k < runs.size(); before += runs[k++].seen) {
      const double moved = before + behind[k + 1];
      if (!(moved > 0.0)) continue;
      for (std::size_t e = runs[k].first; e < runs[k].last; ++e)
        if (const double m = row.values[e] * row.values[e] / moved; is_mass(m)) lent[row.columns[e]] += m;
    }
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

/// What hardly has a mass beside what its rows tie it to moves as that does: by itself it would hide from
/// others what they move.
std::vector<double> felt_masses(const SparseMatrix& A, const Kin& kin, const std::vector<double>& mass) {
  constexpr double hardly = 1e-4;
  std::vector<double> felt = mass, tied = lent_by_others(A, kin, mass);
  share(kin, tied);
  for (std::size_t i = 0; i < mass.size(); ++i)
    if (mass[i] > 0.0 && mass[i] < hardly * tied[i]) felt[i] = tied[i];
  return felt;
}

}  // namespace

void lend_masses(const SparseMatrix& A, const Kin& kin, std::vector<double>& mass) {
  if (std::all_of(mass.begin(), mass.end(), [](double m) { return m > 0.0; })) return;
  std::vector<double> felt = felt_masses(A, kin, mass);
  const auto without = [&] {
    return std::find_if(felt.begin(), felt.end(), [](double m) { return !(m > 0.0); });
  };
  const double mean = mean_of(mass);
  std::vector<double> from = felt;
  share(kin, from);
  take(from, felt);
  for (auto i = without(); i != felt.end(); i = without()) {
    from = lent_by_rows(A, felt);
    share(kin, from);
    if (take(from, felt)) continue;
    const std::size_t first = static_cast<std::size_t>(i - felt.begin());
    for (std::size_t k = first; k < felt.size(); ++k)
      if (k == first || (!kin.empty() && kin[k] == kin[first])) felt[k] = mean;
  }
  take(felt, mass);
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
