#include "analysis/derive/rows.hpp"

namespace vinculum::derive {
namespace {

Product shorter(Shortening* shortening, const Product& p) { return shortening ? shortening->shorter(p) : p; }

bool is_zero_row(const Products& row) {
  return std::all_of(row.begin(), row.end(), [](const Product& p) { return p.is_zero(); });
}

/// a - k b, and whether it is zero as far as can be seen.
Product difference(Tidy& tidy, const Product& a, const Product& k, const Product& b) {
  return tidy.sum({a, Tidy::negative(Tidy::times(k, b))});
}
bool vanishes(Tidy& tidy, const Product& p, Shortening* shortening) {
  if (p.is_zero()) return true;
  Effort effort{1000};
  const auto open = multiplied_out(tidy, {p}, effort);
  return (open && open->empty()) || shorter(shortening, p).is_zero();
}

/// k with row = k * of, where it has no denominator: there it would be no number.
std::optional<Product> factor_of(Tidy& tidy, const Products& row, const Products& of,
                                 Shortening* shortening) {
  std::size_t first = 0;
  while (first < of.size() && of[first].is_zero()) ++first;
  if (first == of.size()) return std::nullopt;
  const Product k = Tidy::over(row[first], of[first]);
  if (std::any_of(k.factors.begin(), k.factors.end(), [](const auto& f) { return f.power < 0; }))
    return std::nullopt;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (!vanishes(tidy, difference(tidy, row[i], k, of[i]), shortening)) return std::nullopt;
  return k;
}

}  // namespace

std::optional<std::vector<RowGroup>> groups_of_rows(Tidy& tidy, const std::vector<Products>& rows,
                                                    const Products& b, Shortening* shortening) {
  std::vector<RowGroup> groups;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (is_zero_row(rows[r])) {
      if (!vanishes(tidy, b[r], shortening)) return std::nullopt;
      continue;
    }
    bool found = false;
    for (RowGroup& group : groups) {
      const int first = group.members.front().row;
      const auto k = factor_of(tidy, rows[r], rows[first], shortening);
      if (!k || k->is_zero()) continue;
      if (!vanishes(tidy, difference(tidy, b[r], *k, b[first]), shortening)) return std::nullopt;
      group.members.push_back({static_cast<int>(r), *k});
      found = true;
      break;
    }
    if (!found) groups.push_back({{{static_cast<int>(r), Tidy::number(1)}}});
  }
  return groups;
}

// --- Velocities without mass ---------------------------------------------------------------------

namespace {

/// The row that moves the velocity, best one whose entry is a number.
std::optional<std::size_t> pivot_of(const RowProblem& problem, const std::vector<int>& left, int velocity,
                                    Shortening* shortening) {
  std::optional<std::size_t> found;
  for (std::size_t k = 0; k < left.size(); ++k) {
    const Product entry = shorter(shortening, problem.rows[left[k]][velocity]);
    if (entry.is_zero()) continue;
    if (entry.factors.empty()) return k;
    if (!found) found = k;
  }
  return found;
}

void take_out(Tidy& tidy, RowProblem& problem, int velocity, int pivot, const std::vector<int>& others) {
  const Products row = problem.rows[pivot];
  const Product at = row[velocity];
  const auto less = [&](Product& from, const Product& times, const Product& what) {
    from = tidy.sum({from, Tidy::negative(Tidy::over(Tidy::times(times, what), at))});
  };
  const Product force = problem.Q[velocity];
  for (std::size_t j = 0; j < row.size(); ++j)
    if (static_cast<int>(j) != velocity) less(problem.Q[j], force, row[j]);
  problem.Q[velocity] = {};
  for (const int r : others) {
    const Product here = problem.rows[r][velocity];
    if (here.is_zero()) continue;
    for (std::size_t j = 0; j < row.size(); ++j) less(problem.rows[r][j], here, row[j]);
    problem.rows[r][velocity] = {};
    less(problem.b[r], here, problem.b[pivot]);
  }
}

}  // namespace

std::optional<std::vector<MasslessElimination>> eliminate_massless(Tidy& tidy, const Mass& mass,
                                                                   RowProblem& problem,
                                                                   std::vector<int>& left,
                                                                   Shortening* shortening) {
  std::vector<MasslessElimination> list;
  for (std::size_t i = 0; i < problem.Q.size(); ++i) {
    if (!mass.is_massless(i)) continue;
    const int velocity = static_cast<int>(i);
    const auto pivot = pivot_of(problem, left, velocity, shortening);
    if (!pivot) return std::nullopt;
    const int row = left[*pivot];
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(*pivot));
    list.push_back({velocity, row, problem, left});
    take_out(tidy, problem, velocity, row, left);
  }
  return list;
}

}  // namespace vinculum::derive
