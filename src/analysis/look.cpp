// One instant with everything a report says about it.
#include <cmath>
#include <numeric>

#include "analysis/nature.hpp"
#include "analysis/row_dependence.hpp"
#include "vinculum/analysis/check.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {
namespace {

double power_of(const std::vector<double>& force, const std::vector<double>& v) {
  return std::inner_product(force.begin(), force.end(), v.begin(), 0.0);
}

/// A v = 0 within rounding. A state on its constraints is known to a few roundings of each velocity, so a sum
/// is zero beside its own terms (1e-11: what a projection leaves), or beside what the largest velocity would
/// make of them (1e-14: velocities that are zero but for rounding).
bool does_no_work(const SparseMatrix& A, int row, const std::vector<double>& v) {
  double sum = 0.0, terms = 0.0, coefficients = 0.0, fastest = 0.0;
  for (const double speed : v) fastest = std::max(fastest, std::fabs(speed));
  for (int k = A.start[row]; k < A.start[row + 1]; ++k) {
    const double term = A.value[k] * v[A.column[k]];
    sum += term;
    terms += std::fabs(term);
    coefficients += std::fabs(A.value[k]);
  }
  return std::fabs(sum) <= 1e-11 * terms + 1e-14 * coefficients * fastest;
}

std::vector<int> rows_of(const ConstraintInfo& c) {
  std::vector<int> rows(c.row_count);
  std::iota(rows.begin(), rows.end(), c.first_row);
  return rows;
}

void describe_constraints(const Model& model, const System& system, const RowDependence& dependence,
                          Instant& out) {
  const Model numbers = model.with_numbers();
  for (std::size_t c = 0; c < system.constraints().size(); ++c) {
    const ConstraintInfo& info = system.constraints()[c];
    const Model::ConstraintData& stated = numbers.constraints()[c];
    ConstraintNature nature{info.name, info.order, kind_name(kind_of(numbers, stated)),
                            is_scleronomic(numbers, stated)};
    const std::vector<int> rows = rows_of(info);
    for (const int r : rows) nature.ideal = nature.ideal && does_no_work(out.equations.A, r, out.state.v);
    nature.redundant = dependence.redundant(rows);
    out.constraints.push_back(std::move(nature));
  }
}

/// The rows of orders 0 and 1 are independent of each other, whatever rows on accelerations stand beside
/// them.
bool is_admissible(const System& system, const RowDependence& dependence) {
  std::vector<int> of_accelerations;
  for (int r = 0; r < static_cast<int>(system.row_names().size()); ++r)
    if (system.order_of_row(r) == 2) of_accelerations.push_back(r);
  return !dependence.dependent_without(of_accelerations);
}

}  // namespace

Instant look_at(const Model& model, const System& system, const State& state, const SolveOptions& options) {
  SolveOptions full = options;
  full.detail = Detail::full;
  Workspace work(system);
  Instant out;
  out.state = state;
  solve(system, state, work, out.solution, full);
  out.equations = work.equations();
  out.contacts = contacts_of(work);
  if (system.mechanics() == Mechanics::vakonomic)
    out.dalembert_acceleration = solve(out.equations).acceleration;
  out.energy = energy(system, state, work);
  out.power_impressed = powers(system, state.t, state.q, state.v, work).impressed;
  out.power_constraint = power_of(out.solution.constraint_force, state.v);
  out.power_control = power_of(out.solution.control_force, state.v);
  out.power_nonideal = power_of(out.solution.nonideal_force, state.v);
  const RowDependence dependence(out.equations, out.solution, full.rank_tolerance);
  out.rank = dependence.rank();
  out.admissible = is_admissible(system, dependence);
  describe_constraints(model, system, dependence, out);
  return out;
}

}  // namespace vinculum
