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

/// The largest of each one's kin.
void share(const Kin& kin, std::vector<double>& mass) {
  if (kin.empty()) return;
  std::vector<double> most(mass.size(), 0.0);
  for (std::size_t i = 0; i < mass.size(); ++i) most[kin[i]] = std::max(most[kin[i]], mass[i]);
  for (std::size_t i = 0; i < mass.size(); ++i) mass[i] = most[kin[i]];
}

/// The largest coefficient of each one's kin in all rows.
std::vector<double> widest_of(const SparseMatrix& A, const Kin& kin) {
  std::vector<double> widest(A.columns, 0.0);
  for (std::size_t e = 0; e < A.value.size(); ++e) {
    double& own = widest[A.column[e]];
    own = std::max(own, std::fabs(A.value[e]));
  }
  share(kin, widest);
  return widest;
}

/// The row's entries of one kin side by side, as the three of a place are: [first, last) of them.
struct Run {
  std::size_t first, last;
  double seen;  // sum of A_ri^2 / m_i
  double part;  // the largest, beside the widest of its kin
};
void find_runs(const SparseRow& row, const Kin& kin, const std::vector<double>& mass,
               const std::vector<double>& widest, std::vector<Run>& runs) {
  runs.clear();
  for (std::size_t k = 0; k < row.columns.size(); ++k) {
    const int column = row.columns[k];
    const double value = row.values[k];
    if (value == 0.0 || !(widest[column] > 0.0)) continue;
    const bool goes_on = !runs.empty() && !kin.empty() && kin[column] == kin[row.columns[runs.back().first]];
    if (!goes_on) runs.push_back({k, k, 0.0, 0.0});
    Run& run = runs.back();
    run.last = k + 1;
    run.part = std::max(run.part, std::fabs(value) / widest[column]);
    if (mass[column] > 0.0) run.seen += value * value / mass[column];
  }
}

/// What the others with a mass in their rows lend to each coordinate. Coefficients of less than `least` of
/// what they are elsewhere, beside others of the row, are as good as none: they are small by the place.
std::vector<double> lent_by_others(const SparseMatrix& A, const Kin& kin, const std::vector<double>& mass,
                                   double least) {
  const std::vector<double> widest = widest_of(A, kin);
  std::vector<double> lent(mass.size(), 0.0), behind;
  std::vector<Run> runs;
  for (int r = 0; r < A.rows; ++r) {
    const SparseRow row = row_of(A, r);
    find_runs(row, kin, mass, widest, runs);
    double most = 0.0;
    for (const Run& run : runs) most = std::max(most, run.part);
    std::erase_if(runs, [&](const Run& run) { return run.part < least * most; });
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

/// What hardly has a mass beside what its rows tie it to moves as that does: by itself it would hide from
/// others what they move. It counts as this part of it.
void take_up_tied(const SparseMatrix& A, const Kin& kin, std::vector<double>& mass) {
  constexpr double part = 1e-5, least = 1e-3;
  std::vector<double> tied = lent_by_others(A, kin, mass, least);
  share(kin, tied);
  for (std::size_t i = 0; i < mass.size(); ++i)
    if (mass[i] > 0.0) mass[i] = std::max(mass[i], part * tied[i]);
}

/// Coefficients that are less than this of their row are rounding.
constexpr double rounding_of_row = 1e-14;

/// Those without a mass take one from here, and those of `lent` a larger one: the first row to lend any may
/// have done so by a coefficient that is rounding. Whether any did.
bool take(const std::vector<double>& from, std::vector<int>& lent, std::vector<double>& mass) {
  constexpr int most_times = 3;
  constexpr double rounding = 1e-12;  // an arm of a millionth, squared: what is less lends hardly anything
  bool any = false;
  for (std::size_t i = 0; i < mass.size(); ++i) {
    if (!is_mass(from[i])) continue;
    const bool more = lent[i] > 0 && lent[i] < most_times && mass[i] < rounding * from[i];
    if (mass[i] > 0.0 && !more) continue;
    mass[i] = from[i];
    ++lent[i];
    any = true;
  }
  return any;
}

}  // namespace

void lend_masses(const SparseMatrix& A, const Kin& kin, std::vector<double>& mass) {
  const auto without = [](const std::vector<double>& of) {
    return std::find_if(of.begin(), of.end(), [](double m) { return !(m > 0.0); });
  };
  if (without(mass) == mass.end()) return;
  const double mean = mean_of(mass);
  std::vector<double> felt = mass;
  std::vector<int> lent(mass.size(), 0), own(mass.size(), 0);
  std::vector<double> from = felt;
  share(kin, from);
  take(from, own, felt);  // from kin that have one: for good
  const std::vector<double> of_kin = felt;
  take_up_tied(A, kin, felt);
  for (;;) {
    from = lent_by_others(A, kin, felt, rounding_of_row);
    share(kin, from);
    if (take(from, lent, felt)) continue;
    const auto first = without(felt);
    if (first == felt.end()) break;
    const std::size_t begins = static_cast<std::size_t>(first - felt.begin());
    for (std::size_t k = begins; k < felt.size(); ++k)
      if (k == begins || (!kin.empty() && kin[k] == kin[begins])) {
        felt[k] = mean;
        lent[k] = 1;
      }
  }
  for (std::size_t i = 0; i < mass.size(); ++i)
    if (!(mass[i] > 0.0)) mass[i] = of_kin[i] > 0.0 ? of_kin[i] : felt[i];
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
