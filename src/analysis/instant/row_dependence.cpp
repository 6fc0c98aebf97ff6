#include "analysis/instant/row_dependence.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "equation/dense/factorise.hpp"
#include "vinculum/equation/multipliers.hpp"
#include "vinculum/equation/rank_watch.hpp"
#include "vinculum/equation/row_scale.hpp"
#include "vinculum/equation/solve.hpp"

namespace vinculum {
namespace {

/// What A M^-1 A^T, which squares lengths, still tells from rounding.
constexpr double sparse_tolerance = 1e-6;

/// The rows alone, between unit masses.
Equations rows_alone(const Equations& at) {
  const std::vector<double> ones(at.coordinates(), 1.0);
  return {SparseMatrix::diagonal(ones),
          std::vector<double>(at.coordinates(), 0.0),
          at.A,
          std::vector<double>(at.rows(), 0.0),
          {}};
}

bool has_dependencies(const Solution& s) {
  return (s.status == Status::solved || (s.status == Status::contradicting && s.coordinates.empty())) &&
         s.rank >= 0;
}

}  // namespace

RowDependence::RowDependence(const Equations& at, const Solution& solution, double rank_tolerance)
    : tolerance_(rank_tolerance), parts_(at.rows()) {
  for (const double a : at.A.value)
    if (!std::isfinite(a)) return;
  length_ = row_lengths(at.A, inverse_masses(at.M, at.A));
  SolveOptions options;
  options.rank_tolerance = rank_tolerance;
  const bool large = std::max(at.rows(), at.coordinates()) > options.robust_limit;
  if (has_dependencies(solution) && (!large || freedom_is_known(solution))) {
    rank_ = solution.rank;
    take(solution.dependencies);
  } else if (large) {
    look_sparsely(at);
  } else {
    options.road = Road::robust;
    const Solution alone = solve(rows_alone(at), options);
    rank_ = alone.rank;
    take(alone.dependencies);
  }
}

void RowDependence::take(const std::vector<Dependency>& dependencies) {
  for (const Dependency& d : dependencies) {
    std::vector<int> rows{d.row};
    std::vector<double> weights{1.0};
    for (std::size_t k = 0; k < d.on.size(); ++k) {
      rows.push_back(d.on[k]);
      weights.push_back(-d.weight[k] * length_[d.on[k]] / length_[d.row]);
    }
    add(rows, weights);
  }
}

void RowDependence::look_sparsely(const Equations& at) {
  RankWatch watch(at.A);
  if (!watch.possible()) return;
  tolerance_ = sparse_tolerance;
  watch.look(at.A, inverse_masses(at.M, at.A));
  rank_ = watch.rank();
  for (int r = 0; r < at.rows(); ++r) {
    if (watch.parts()[r] > sparse_tolerance * sparse_tolerance) continue;
    const std::vector<double> u = watch.null_vector(r);
    std::vector<int> rows;
    std::vector<double> weights;
    for (int k = 0; k < at.rows(); ++k)
      if (u[k] != 0.0) {
        rows.push_back(k);
        weights.push_back(length_[k] > 0.0 ? u[k] * length_[k] : u[k]);
      }
    add(rows, weights);
  }
}

/// Parts below the tolerance are none: a row is not missed where it gives less.
void RowDependence::add(const std::vector<int>& rows, const std::vector<double>& weights) {
  double largest = 0.0;
  for (const double w : weights) largest = std::max(largest, std::fabs(w));
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (std::fabs(weights[k]) > tolerance_ * largest)
      parts_[rows[k]].push_back({combinations_, weights[k] / largest});
  ++combinations_;
}

int RowDependence::rank_of_parts(const std::vector<int>& rows) const {
  std::unordered_map<int, int> column;  // combinations that these rows take part in
  for (const int r : rows)
    for (const Weight& p : parts_[r]) column.emplace(p.combination, static_cast<int>(column.size()));
  if (rows.size() == 1 || column.empty()) return column.empty() ? 0 : 1;
  dense::Matrix part =
      dense::Matrix::Zero(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(column.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const Weight& p : parts_[rows[i]])
      part(static_cast<Eigen::Index>(i), column.at(p.combination)) = p.weight;
  const dense::Vector pivots = dense::pivoted_qr(part, 0).R.diagonal().cwiseAbs();
  return static_cast<int>((pivots.array() > tolerance_ * pivots(0)).count());
}

bool RowDependence::redundant(const std::vector<int>& rows) const {
  return rank_of_parts(rows) == static_cast<int>(rows.size());
}

bool RowDependence::dependent_without(const std::vector<int>& rows) const {
  return rank_of_parts(rows) < combinations_;
}

}  // namespace vinculum
