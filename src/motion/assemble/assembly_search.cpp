#include "motion/assemble/assembly_search.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "motion/sizes.hpp"
#include "vinculum/equation/sparse_row.hpp"
#include "vinculum/system/manifold.hpp"

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
    for (const auto [column, value] : row_of(at.A, rows[i])) A(column, static_cast<Eigen::Index>(i)) = value;
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

/// What moves are measured in, so that lengths and angles may be added.
std::vector<double> units_of_moves(const System& system, const State& at, Workspace& work) {
  const Sizes sizes(system, at, work);
  std::vector<double> out(at.v.size(), 1.0);
  for (int i = 0; i < static_cast<int>(at.v.size()); ++i)
    if (sizes.kin(i).move > 0) out[i] = sizes.kin(i).move;
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
                                  const std::vector<double>& unit, const std::vector<char>& fixed,
                                  double damping, Workspace& work, double& gradient) {
  const SparseMatrix& rows = evaluate(system, at, work).A;
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(rows.rows, rows.columns);
  for (int r = 0; r < rows.rows; ++r)
    for (const auto [column, value] : row_of(rows, r))
      if (system.order_of_row(r) == 0 && (fixed.empty() || !fixed[column]))
        A(r, column) = value * unit[column];
  const Eigen::VectorXd pull = A.transpose() * Eigen::Map<const Eigen::VectorXd>(phi.data(), A.rows());
  gradient = pull.norm() > 0 ? pull.norm() / A.norm() : 0.0;
  Eigen::MatrixXd normal = A.transpose() * A;
  // What stands in no row stays where it is.
  const double largest = normal.diagonal().maxCoeff();
  normal.diagonal().array() += damping * (largest > 0 ? largest : 1.0);
  const Eigen::VectorXd x =
      -normal.ldlt().solve(pull).cwiseProduct(Eigen::Map<const Eigen::VectorXd>(unit.data(), A.cols()));
  return {x.begin(), x.end()};
}

/// What a number is moved by where the state says nothing of its size.
struct Unit {
  double position = 1.0, velocity = 1.0;
};

State moved_by(const System& system, const State& state, const std::vector<char>& position,
               const std::vector<char>& velocity, double size, const Sizes& sizes, const Unit& unit,
               Workspace& work) {
  const auto part = [size](double scale, double otherwise, std::size_t i) {
    return size * (0.5 + std::fmod(0.618 * static_cast<double>(i), 1.0)) * (scale > 0 ? scale : otherwise);
  };
  State out = state;
  std::vector<double> way(state.v.size(), 0.0);
  for (int i = 0; i < static_cast<int>(way.size()); ++i) {
    if (position[i]) way[i] = part(sizes.kin(i).move, unit.position, state.q.size() + i);
    if (velocity[i]) out.v[i] += part(sizes.kin(i).velocity, unit.velocity, out.q.size() + i);
  }
  // What turns turns by radians, whatever the others are.
  for (const Rotation& r : system.rotations())
    for (int i = r.velocity; i < r.velocity + 3; ++i)
      if (position[i]) way[i] = part(1.0, 1.0, state.q.size() + i);
  displace(system, state.q, way, out.q);
  renormalise(system, out.q, work);
  return out;
}

/// The power of two that, as a move, changes the misses by about as much as they are.
Unit unit_of(const System& system, const State& state, const std::vector<char>& position,
             const std::vector<char>& velocity, const Sizes& sizes, Workspace& work) {
  const auto reach = [&](bool of_velocity, double& unit) {
    Residuals here, there;
    residuals(system, state, work, here);
    const std::vector<double>& misses = of_velocity ? here.velocity : here.position;
    if (squares_of(misses) == 0) return;
    const auto changes = [&](double power) {
      unit = power;
      const State other = moved_by(system, state, position, velocity, 1.0, sizes,
                                   of_velocity ? Unit{1.0, power} : Unit{power, 1.0}, work);
      residuals(system, other, work, there);
      const std::vector<double>&a = of_velocity ? here.velocity : here.position,
            &b = of_velocity ? there.velocity : there.position;
      double most = 0;
      for (std::size_t r = 0; r < a.size(); ++r)
        if (a[r] != 0) most = std::max(most, std::fabs((b[r] - a[r]) / a[r]));
      return most;
    };
    constexpr int most_halvings = 400;
    if (changes(1.0) > 1)
      for (int k = 1; k < most_halvings && changes(std::ldexp(1.0, -k)) > 1; ++k) {
      }
    else
      for (int k = 1; k < most_halvings && changes(std::ldexp(1.0, k)) <= 1; ++k) {
      }
    if (!(unit > std::ldexp(1.0, -most_halvings + 1) && unit < std::ldexp(1.0, most_halvings - 1)))
      unit = 1.0;
  };
  bool has_size = true;
  for (int i = 0; i < static_cast<int>(state.v.size()); ++i)
    has_size =
        has_size && (!position[i] || sizes.kin(i).move > 0) && (!velocity[i] || sizes.kin(i).velocity > 0);
  Unit unit;
  if (has_size) return unit;
  reach(false, unit.position);
  reach(true, unit.velocity);
  return unit;
}

}  // namespace

State moved_aside(const System& system, const State& state, const std::vector<char>& position,
                  const std::vector<char>& velocity, double size, Workspace& work) {
  const Sizes sizes(system, state, work);
  const Unit unit = unit_of(system, state, position, velocity, sizes, work);
  return moved_by(system, state, position, velocity, size, sizes, unit, work);
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
  const std::vector<double> unit = units_of_moves(system, at, work);
  std::vector<double> phi = holonomic_misses(system, at, work);
  double damping = 1e-3, gradient = 0;
  for (int pass = 0; pass < 300 && damping < 1e12; ++pass) {
    const std::vector<double> x =
        step_to_least(system, at, phi, unit, masks.position, damping, work, gradient);
    if (!(gradient > 1e-9 * std::sqrt(squares_of(phi)))) break;
    State trial = at;
    displace(system, at.q, x, trial.q);
    renormalise(system, trial.q, work);
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
