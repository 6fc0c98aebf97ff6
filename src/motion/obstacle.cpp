#include "motion/obstacle.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "vinculum/system/correct.hpp"

namespace vinculum {
namespace {

/// A x = -phi, of positions or of velocities, without what may not move.
Equations equations_of_misses(const System& system, const State& state, Workspace& work, bool of_velocity,
                              const Masks& masks) {
  Equations at = evaluate_stated(system, state, work);
  Residuals miss;
  residuals(system, state, work, miss);
  const std::vector<double>& phi = of_velocity ? miss.velocity : miss.position;
  const std::vector<char>& fixed = of_velocity ? masks.velocity : masks.position;
  at.C.clear();
  std::fill(at.Q.begin(), at.Q.end(), 0.0);
  for (int r = 0; r < at.rows(); ++r) {
    at.b[r] = -phi[r];
    for (int k = at.A.start[r]; k < at.A.start[r + 1]; ++k)
      if (system.order_of_row(r) > (of_velocity ? 1 : 0) || (!fixed.empty() && fixed[at.A.column[k]]))
        at.A.value[k] = 0.0;
  }
  return at;
}

/// The combination of rows that is nothing, as nearly as there is one.
Eigen::VectorXd null_combination(const Equations& at, const std::vector<int>& rows) {
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(at.coordinates(), static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (int k = at.A.start[rows[i]]; k < at.A.start[rows[i] + 1]; ++k)
      A(at.A.column[k], static_cast<Eigen::Index>(i)) = at.A.value[k];
  const Eigen::JacobiSVD<Eigen::MatrixXd, Eigen::FullPivHouseholderQRPreconditioner> svd(A,
                                                                                         Eigen::ComputeFullV);
  return svd.matrixV().col(svd.matrixV().cols() - 1);
}

double combined_miss(const Equations& at, const std::vector<int>& rows, const Eigen::VectorXd& weight) {
  double sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) sum -= weight(static_cast<Eigen::Index>(i)) * at.b[rows[i]];
  return sum;
}

std::vector<char> free_of(const std::vector<char>& fixed, std::size_t count) {
  std::vector<char> out(count, 1);
  for (std::size_t i = 0; i < fixed.size(); ++i) out[i] = !fixed[i];
  return out;
}

std::vector<double> holonomic_misses(const System& system, const State& at, Workspace& work) {
  Residuals miss;
  residuals(system, at, work, miss);
  return miss.position;
}

double squares_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return sum;
}

/// The step of Levenberg and Marquardt towards the least sum of squares of the misses: over velocities. The
/// gradient of that sum comes out, too.
std::vector<double> step_to_least(const System& system, const State& at, const std::vector<double>& phi,
                                  const std::vector<char>& fixed, double damping, Workspace& work,
                                  double& gradient) {
  const SparseMatrix& rows = evaluate(system, at, work).A;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(rows.rows, rows.columns);
  for (int r = 0; r < rows.rows; ++r)
    for (int k = rows.start[r]; k < rows.start[r + 1]; ++k)
      if (system.order_of_row(r) == 0 && (fixed.empty() || !fixed[rows.column[k]]))
        A(r, rows.column[k]) = rows.value[k];
  const Eigen::VectorXd pull = A.transpose() * Eigen::Map<const Eigen::VectorXd>(phi.data(), A.rows());
  gradient = pull.norm() / std::max(A.norm(), 1e-300);
  Eigen::MatrixXd normal = A.transpose() * A;
  normal.diagonal().array() += damping * normal.diagonal().maxCoeff() + 1e-300;
  const Eigen::VectorXd x = -normal.ldlt().solve(pull);
  return {x.begin(), x.end()};
}

}  // namespace

State moved_aside(const System& system, const State& state, const std::vector<char>& position,
                  const std::vector<char>& velocity, double size, Workspace& work) {
  const auto part = [size](double x, std::size_t i) {
    return size * (0.5 + std::fmod(0.618 * static_cast<double>(i), 1.0)) * (1 + std::fabs(x));
  };
  State out = state;
  std::vector<double> way(state.v.size(), 0.0);
  for (std::size_t i = 0; i < way.size(); ++i)
    if (position[i]) way[i] = part(0.0, state.q.size() + i);  // an orientation turns by radians
  for (std::size_t i = 0; i < out.q.size(); ++i)
    if (const int v = system.velocity_of_coordinate(static_cast<int>(i)); v >= 0 && position[v])
      way[v] = part(state.q[i], i);
  go_way(system, state.q, way, out.q);
  keep(system, out.q, work);
  for (std::size_t i = 0; i < out.v.size(); ++i)
    if (velocity[i]) out.v[i] += part(state.v[i], out.q.size() + i);
  return out;
}

/// Rows may depend on each other here and nowhere else, as those of a stretched chain do: then the state is
/// to blame and not the constraints.
std::vector<std::string> certain_contradiction(const System& system, const State& state, Workspace& work,
                                               bool of_velocity, const Masks& masks) {
  const Equations at = equations_of_misses(system, state, work, of_velocity, masks);
  SolveOptions options;
  options.road = Road::robust;
  std::vector<std::string> names;
  if (std::max(at.rows(), at.coordinates()) > options.robust_limit) return names;
  const std::vector<int> rows = solve(at, options).rows;
  if (rows.empty()) return names;
  const Eigen::VectorXd weight = null_combination(at, rows);
  const double here = combined_miss(at, rows, weight);
  const std::vector<char> none(state.v.size(), 0);
  const std::vector<char> position = of_velocity ? none : free_of(masks.position, state.v.size());
  const std::vector<char> velocity = of_velocity ? free_of(masks.velocity, state.v.size()) : none;
  for (const double size : {0.1, 0.3, -0.7}) {
    const State other = moved_aside(system, state, position, velocity, size, work);
    const double there =
        combined_miss(equations_of_misses(system, other, work, of_velocity, masks), rows, weight);
    // The terms of equations that miss by more than 1e-8 of them are rounded at 1e-16.
    if (!(std::fabs(there - here) <= 1e-6 * std::fabs(here))) return names;
  }
  for (const int row : rows) {
    const std::string& name = system.constraints()[system.constraint_of_row(row)].name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

State least_open(const System& system, State at, Workspace& work, const Masks& masks) {
  std::vector<double> phi = holonomic_misses(system, at, work);
  double damping = 1e-3, gradient = 0;
  for (int pass = 0; pass < 300 && damping < 1e12; ++pass) {
    const std::vector<double> x = step_to_least(system, at, phi, masks.position, damping, work, gradient);
    if (!(gradient > 1e-9 * std::sqrt(squares_of(phi)))) break;
    State trial = at;
    go_way(system, at.q, x, trial.q);
    keep(system, trial.q, work);
    const std::vector<double> there = holonomic_misses(system, trial, work);
    const bool better = squares_of(there) < squares_of(phi);
    damping *= better ? 0.2 : 4.0;
    if (!better) continue;
    at = trial;
    phi = there;
  }
  return at;
}

}  // namespace vinculum
