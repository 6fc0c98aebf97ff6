#include "analysis/instant/constraint_facts.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "analysis/instant/ideal_set.hpp"
#include "analysis/instant/nature.hpp"
#include "equation/dense/factorise.hpp"
#include "vinculum/equation/multipliers.hpp"
#include "vinculum/equation/sparse_row.hpp"
#include "vinculum/system/control.hpp"

namespace vinculum {
namespace {

/// A v = 0 within rounding. A state on its constraints is known to a few roundings of each velocity, so a sum
/// is zero beside its own terms (1e-11: what a projection leaves), or beside what the largest velocity would
/// make of them (1e-14: velocities that are zero but for rounding).
bool does_no_work(const SparseMatrix& A, int row, const std::vector<double>& v, double fastest) {
  double sum = 0.0, terms = 0.0, coefficients = 0.0;
  for (const auto [column, value] : row_of(A, row)) {
    const double term = value * v[column];
    sum += term;
    terms += std::fabs(term);
    coefficients += std::fabs(value);
  }
  return std::fabs(sum) <= 1e-11 * terms + 1e-14 * coefficients * fastest;
}

std::vector<int> rows_of(const ConstraintInfo& c) {
  std::vector<int> rows(c.row_count);
  std::iota(rows.begin(), rows.end(), c.first_row);
  return rows;
}

/// These rows, each of length one, are independent of each other.
bool are_independent(const SparseMatrix& A, const std::vector<int>& rows, double tolerance) {
  std::map<int, int> place;  // of the columns they touch
  for (const int r : rows)
    for (const int column : row_of(A, r).columns) place.emplace(column, static_cast<int>(place.size()));
  if (place.size() < rows.size()) return false;
  dense::Matrix unit =
      dense::Matrix::Zero(static_cast<Eigen::Index>(place.size()), static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto direction = unit.col(static_cast<Eigen::Index>(i));
    for (const auto [column, value] : row_of(A, rows[i])) direction(place[column]) += value;
    direction /= direction.norm();
  }
  return dense::pivoted_qr(unit, 0).R.diagonal().cwiseAbs().minCoeff() > tolerance;
}

bool is_zero_row(const SparseMatrix& A, int row) {
  return std::ranges::all_of(row_of(A, row).values, [](double a) { return a == 0.0; });
}

/// What the rows of one constraint say at the state.
AtState judge_rows(const std::vector<int>& rows, double tolerance, const Instant& at, double fastest,
                   ConstraintNature& nature) {
  const SparseMatrix& A = at.equations.A;
  AtState here;
  here.at_rest = fastest == 0.0;
  for (const int r : rows) {
    const double power = row_of(A, r).dot(at.state.v);
    if (std::fabs(power) > std::fabs(here.power)) here.power = power;
    nature.ideal = nature.ideal && does_no_work(A, r, at.state.v, fastest);
    here.zero_row = here.zero_row || is_zero_row(A, r);
  }
  nature.admissible = !here.zero_row && (rows.size() == 1 || are_independent(A, rows, tolerance));
  return here;
}

constexpr int most_searches = 64;  // for a state at which a constraint does work

/// What the rows are missed by is nothing beside A v: the state itself shows what A v may be.
bool is_met(const std::vector<int>& rows, const Residuals& miss, double power) {
  return std::all_of(rows.begin(), rows.end(), [&](int r) {
    return std::max(std::fabs(miss.position[r]), std::fabs(miss.velocity[r])) <= 1e-6 * std::fabs(power);
  });
}

/// The force of one constraint, over the velocities it acts on: A_c^T lambda_c, what vakonomic motion makes
/// of it, or the forces of the actuators of a programme.
std::map<int, double> force_of(const System& system, const Instant& at, int constraint, Workspace& work) {
  std::map<int, double> force;
  const auto take = [&force](const std::vector<double>& dense) {
    for (std::size_t i = 0; i < dense.size(); ++i)
      if (dense[i] != 0.0) force.emplace(static_cast<int>(i), dense[i]);
  };
  for (const ProgrammeInfo& programme : programmes(system))
    if (programme.constraint == constraint && !programme.actuators.empty()) {
      std::vector<double> driven;
      programme_force(system, programme, at.state, at.equations, at.solution, work, driven);
      take(driven);
      return force;
    }
  if (system.mechanics() == Mechanics::vakonomic) {
    take(force_of_constraint(system, at.state, at.solution, constraint, work));
    return force;
  }
  const SparseMatrix& A = at.equations.A;
  const ConstraintInfo& c = system.constraints()[constraint];
  for (int r = c.first_row; r < c.first_row + c.row_count; ++r)
    for (const auto [column, value] : row_of(A, r)) force[column] += value * at.solution.multipliers[r];
  return force;
}

/// No choice of the multipliers changes the power of the constraint: v.A_c^T u_c = 0 for all that make no
/// force.
bool unique_power(const Instant& at, const ConstraintInfo& c) {
  return std::all_of(at.solution.freedom.begin(), at.solution.freedom.end(), [&](const auto& u) {
    double change = 0.0, terms = 0.0;
    for (int r = c.first_row; r < c.first_row + c.row_count; ++r) {
      const double power = row_of(at.equations.A, r).dot(at.state.v);
      change += power * u[r];
      terms += std::fabs(power);
    }
    return std::fabs(change) <= 1e-9 * terms;
  });
}

void take_force(const std::map<int, double>& force, Reaction& reaction) {
  for (const auto& [velocity, value] : force) {
    reaction.velocity.push_back(velocity);
    reaction.force.push_back(value);
  }
}

}  // namespace

void describe_constraints(const Model& numbers, const System& system, const RowDependence& dependence,
                          double tolerance, Instant& out) {
  Workspace work(system);
  Residuals miss;
  residuals(system, out.state, work, miss);
  int searches = 0;
  double fastest = 0.0;
  for (const double speed : out.state.v) fastest = std::max(fastest, std::fabs(speed));
  for (std::size_t c = 0; c < system.constraints().size(); ++c) {
    const ConstraintInfo& info = system.constraints()[c];
    const Model::ConstraintData& stated = numbers.constraints()[c];
    ConstraintNature nature{info.name, info.order, kind_of(numbers, stated), is_scleronomic(numbers, stated)};
    const std::vector<int> rows = rows_of(info);
    const AtState here = judge_rows(rows, tolerance, out, fastest, nature);
    if (is_ideal_by_homogeneity(numbers, stated))
      nature.ideal_always = true;
    else if ((!nature.ideal && is_met(rows, miss, here.power)) ||
             (searches++ < most_searches && has_working_state(numbers, stated, out.state)))
      nature.ideal_always = false;
    nature.redundant = dependence.redundant(rows);
    nature.reason = reasons_of(numbers, stated, nature, here);
    out.constraints.push_back(std::move(nature));
  }
}

void describe_reactions(const System& system, Instant& out) {
  const Solution& s = out.solution;
  if (static_cast<int>(s.multipliers.size()) != out.equations.rows()) return;
  // Only forces that are A^T lambda share the freedom of the multipliers.
  const bool by_rows = system.mechanics() != Mechanics::vakonomic && !has_restricted_programmes(system);
  const bool known = by_rows && freedom_is_known(s);
  if (known) out.unique_rows = unique_multipliers(s);
  std::vector<int> constraint_of_row;
  for (int r = 0; r < out.equations.rows(); ++r) constraint_of_row.push_back(system.constraint_of_row(r));
  std::vector<bool> unique(system.constraints().size(), false);
  if (known) unique = unique_forces(out.equations, s, constraint_of_row, static_cast<int>(unique.size()));
  Workspace work(system);
  for (std::size_t c = 0; c < system.constraints().size(); ++c) {
    const ConstraintInfo& info = system.constraints()[c];
    Reaction reaction;
    reaction.name = info.name;
    take_force(force_of(system, out, static_cast<int>(c), work), reaction);
    reaction.unique = unique[c];
    for (std::size_t k = 0; k < reaction.force.size(); ++k)
      out.constraints[c].power += reaction.force[k] * out.state.v[reaction.velocity[k]];
    out.constraints[c].power_unique =
        !by_rows || s.multipliers_unique || out.constraints[c].ideal || (known && unique_power(out, info));
    out.reactions.push_back(std::move(reaction));
  }
}

}  // namespace vinculum
