#include "vinculum/analysis/principles.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "analysis/instant/work_in.hpp"
#include "equation/dense/dense.hpp"
#include "equation/dense/mass.hpp"
#include "vinculum/equation/row_scale.hpp"

namespace vinculum {
namespace {

using dense::Matrix;
using dense::Vector;

/// Matrices of more rows or columns are not for people, nor for a file that they read.
constexpr int most_readable = 120;
/// What elimination leaves of an entry that is rounding beside the largest of its row.
constexpr double nothing = 1e-12;

/// The rows as combinations of each other in which `rank` columns are those of a unit matrix; which columns,
/// in the order of the rows. The largest entry there is leads next.
std::vector<int> eliminate(Matrix& rows, int rank) {
  for (Eigen::Index r = 0; r < rows.rows(); ++r)
    if (const double most = rows.row(r).cwiseAbs().maxCoeff(); most > 0.0) rows.row(r) /= most;
  std::vector<int> leads;
  for (int k = 0; k < rank; ++k) {
    Eigen::Index row = 0, column = 0;
    rows.bottomRows(rows.rows() - k).cwiseAbs().maxCoeff(&row, &column);
    rows.row(k).swap(rows.row(k + row));
    rows.row(k) /= rows(k, column);
    for (Eigen::Index r = 0; r < rows.rows(); ++r)
      if (r != k && rows(r, column) != 0.0) {
        rows.row(r) -= rows(r, column) * rows.row(k);
        rows(r, column) = 0.0;
      }
    leads.push_back(static_cast<int>(column));
  }
  return leads;
}

/// One displacement for each coordinate that leads no row: that one moves by 1, those that lead follow.
std::vector<std::vector<double>> null_space(const SparseMatrix& A, int n, int rank) {
  Matrix rows = dense::to_matrix(A, n);
  const std::vector<int> leads = eliminate(rows, rank);
  std::vector<std::vector<double>> basis;
  for (int i = 0; i < n; ++i) {
    if (std::find(leads.begin(), leads.end(), i) != leads.end()) continue;
    std::vector<double>& v = basis.emplace_back(n, 0.0);
    v[i] = 1.0;
    for (int k = 0; k < rank; ++k)
      if (std::fabs(rows(k, i)) > nothing * rows.row(k).cwiseAbs().maxCoeff()) v[leads[k]] = -rows(k, i);
  }
  return basis;
}

int rank_of(const SparseMatrix& A, int n, const std::vector<int>& rows) {
  if (rows.empty()) return 0;
  Matrix part = dense::to_matrix(A, n)(rows, Eigen::all);
  for (Eigen::Index r = 0; r < part.rows(); ++r)
    if (const double length = part.row(r).stableNorm(); length > 0) part.row(r) /= length;
  Eigen::FullPivLU<Matrix> lu(part);
  lu.setThreshold(1e-10);
  return static_cast<int>(lu.rank());
}

/// What demands accelerations is no subset of TQ and stays out. Positions count twice: with their derivative.
std::optional<Spaces> spaces_of(const System& system, const Instant& at) {
  std::vector<int> of_positions, of_motion;
  for (int r = 0; r < at.equations.rows(); ++r) {
    if (system.order_of_row(r) == 0) of_positions.push_back(r);
    if (system.order_of_row(r) < 2) of_motion.push_back(r);
  }
  if (of_motion.empty() || system.mechanics() == Mechanics::none) return {};
  const int n = at.equations.coordinates(), reactions = rank_of(at.equations.A, n, of_motion);
  const int held = 2 * n - reactions - rank_of(at.equations.A, n, of_positions);
  return Spaces{2 * n, held, static_cast<int>(of_motion.size()), reactions};
}

}  // namespace

Principles principles_of(const System& system, const Instant& at) {
  Principles out;
  const int n = at.equations.coordinates(), m = at.equations.rows();
  if (std::max(n, m) > most_readable || at.solution.acceleration.empty()) return out;
  const bool has_root =
      std::isfinite(at.solution.gaussian) &&
      dense::judge_mass(dense::to_matrix(at.equations.M, n)).kind == dense::MassKind::definite;
  if (m > 0 && has_root && row_beyond_squares(at.equations.A) < 0) {
    out.matrices = proportionality(at.equations);
    const auto& root = out.matrices->root_mass;
    for (int i = 0; i < n; ++i) {
      double z = 0.0;
      for (int j = 0; j < n; ++j) z += root[i * n + j] * at.solution.deviation[j];
      out.scaled_deviation.push_back(z);
    }
  }
  if (at.rank < 0) return out;
  out.spaces = spaces_of(system, at);
  out.displacements_known = true;
  for (std::vector<double>& v : null_space(at.equations.A, n, at.rank)) {
    const double ideal = work_in(v, at.solution.constraint_force),
                 nonideal = work_in(v, at.solution.nonideal_force), stated = work_in(v, at.equations.C);
    out.displacements.push_back({std::move(v), ideal, nonideal, stated});
  }
  return out;
}

}  // namespace vinculum
