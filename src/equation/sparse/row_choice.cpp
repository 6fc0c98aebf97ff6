#include "equation/sparse/row_choice.hpp"

#include <algorithm>
#include <cmath>

#include "equation/dense/factorise.hpp"

namespace vinculum {
namespace {

/// Multiplications a choice may take.
constexpr double most_work = 1e9;

/// Combinations that share rows, directly or through others, by the first of them.
std::vector<std::vector<int>> that_hang_together(const std::vector<Combination>& all, int rows) {
  std::vector<int> leader(all.size()), met(rows, -1);
  const auto find = [&](int c) {
    while (leader[c] != c) c = leader[c] = leader[leader[c]];
    return c;
  };
  for (int c = 0; c < static_cast<int>(all.size()); ++c) {
    leader[c] = c;
    for (const int r : all[c].row) {
      if (met[r] >= 0) leader[find(c)] = find(met[r]);
      met[r] = c;
    }
  }
  std::vector<std::vector<int>> together(all.size());
  for (int c = 0; c < static_cast<int>(all.size()); ++c) together[find(c)].push_back(c);
  std::erase_if(together, [](const auto& some) { return some.empty(); });
  return together;
}

/// One row for each of these combinations. False where that is too much work.
bool mark_rows(const std::vector<Combination>& all, const std::vector<int>& some, std::vector<char>& marked) {
  std::vector<int> rows;
  for (const int c : some) rows.insert(rows.end(), all[c].row.begin(), all[c].row.end());
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  const auto count = static_cast<double>(some.size());
  if (count * count * static_cast<double>(rows.size()) > most_work) return false;
  dense::Matrix part =
      dense::Matrix::Zero(static_cast<Eigen::Index>(some.size()), static_cast<Eigen::Index>(rows.size()));
  for (std::size_t c = 0; c < some.size(); ++c) {
    const Combination& of = all[some[c]];
    for (std::size_t k = 0; k < of.row.size(); ++k) {
      const auto column = std::lower_bound(rows.begin(), rows.end(), of.row[k]) - rows.begin();
      part(static_cast<Eigen::Index>(c), column) = of.weight[k];
    }
  }
  const std::vector<int> order = dense::pivoted_qr(part, 0).order;
  for (std::size_t c = 0; c < some.size(); ++c) marked[rows[order[c]]] = 1;
  return true;
}

}  // namespace

std::vector<char> rows_with_largest_parts(const std::vector<Combination>& all, int rows) {
  if (all.empty()) return {};
  std::vector<char> marked(rows, 0);
  for (const std::vector<int>& some : that_hang_together(all, rows))
    if (!mark_rows(all, some, marked)) return {};
  return marked;
}

std::vector<char> rows_without_pivot(std::vector<double>& s, int m, double tolerance) {
  std::vector<double> scale(m, 0.0);
  for (int j = 0; j < m; ++j) {
    const double d = s[static_cast<std::size_t>(j) * m + j];
    scale[j] = d > 0 ? 1 / std::sqrt(d) : 0.0;
  }
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) s[static_cast<std::size_t>(i) * m + j] *= scale[i] * scale[j];
  std::vector<char> left(m, 1);
  std::vector<int> beside;
  for (int taken = 0; taken < m; ++taken) {
    int best = -1;
    for (int r = 0; r < m; ++r)
      if (left[r] &&
          (best < 0 || s[static_cast<std::size_t>(r) * m + r] > s[static_cast<std::size_t>(best) * m + best]))
        best = r;
    const double* const row = s.data() + static_cast<std::size_t>(best) * m;
    if (!(row[best] > tolerance)) break;
    left[best] = 0;
    beside.clear();  // rows in one loop of a mechanism meet, others never do; loops stand side by side
    for (int i = 0; i < m; ++i)
      if (left[i] && row[i] != 0.0) beside.push_back(i);
    for (const int i : beside) {
      const double part = row[i] / row[best];
      double* const other = s.data() + static_cast<std::size_t>(i) * m;
      for (int j = beside.front(); j <= beside.back(); ++j) other[j] -= part * row[j];
    }
  }
  return std::find(left.begin(), left.end(), 1) == left.end() ? std::vector<char>() : left;
}

}  // namespace vinculum
