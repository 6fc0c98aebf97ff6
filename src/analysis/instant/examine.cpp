// One instant with everything a report says about it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/instant/constraint_facts.hpp"
#include "analysis/instant/loads.hpp"
#include "analysis/instant/row_dependence.hpp"
#include "analysis/instant/work_in.hpp"
#include "analysis/instant/workless.hpp"
#include "equation/dense/roads.hpp"
#include "vinculum/analysis/check.hpp"
#include "vinculum/equation/sparse_row.hpp"
#include "vinculum/model/stated.hpp"
#include "vinculum/system/control.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {
namespace {

/// The rows of orders 0 and 1 are independent of each other, whatever rows on accelerations stand beside
/// them.
bool is_admissible(const System& system, const RowDependence& dependence) {
  std::vector<int> of_accelerations;
  for (int r = 0; r < static_cast<int>(system.row_names().size()); ++r)
    if (system.order_of_row(r) == 2) of_accelerations.push_back(r);
  return !dependence.dependent_without(of_accelerations);
}

/// Which of the rows of orders 0 and 1 follow from others of them.
std::vector<Dependency> dependent_rows(const System& system, const Instant& at, const SolveOptions& options) {
  const SparseMatrix& A = at.equations.A;
  std::vector<int> of_motion;
  for (int r = 0; r < A.rows; ++r)
    if (system.order_of_row(r) < 2) of_motion.push_back(r);
  if (static_cast<int>(of_motion.size()) == A.rows && !at.solution.dependencies.empty())
    return at.solution.dependencies;
  if (std::max(at.equations.coordinates(), A.rows) > options.robust_limit) return {};
  // Rows on accelerations beside them, or no answer: these rows are looked at alone, between unit masses.
  Equations alone{SparseMatrix::diagonal(std::vector<double>(at.equations.coordinates(), 1.0)),
                  std::vector<double>(at.equations.coordinates(), 0.0),
                  chosen_rows(A, of_motion),
                  std::vector<double>(of_motion.size(), 0.0),
                  {}};
  SolveOptions robust = options;
  robust.road = Road::robust;
  std::vector<Dependency> found = solve(alone, robust).dependencies;
  for (Dependency& d : found) {
    d.row = of_motion[d.row];
    for (int& on : d.on) on = of_motion[on];
  }
  return found;
}

/// dE/dt = omega_Y(v), the proposition of section 2 of Jalnapurkar: E differentiated as an expression against
/// the powers of all forces. Bound: the terms of both sides, rounded; and M q'' = Q + F holds to the bound of
/// its own check.
void balance_powers(const System& system, Workspace& work, Instant& at) {
  const Solution& s = at.solution;
  const std::vector<double>& v = at.state.v;
  const Powers stated = powers(system, {at.state.t, at.state.q, v}, {}, work);
  at.energy = energy(system, at.state, work);
  at.power_impressed = stated.impressed;
  at.power_explicit = stated.explicit_time;
  at.power_constraint = work_in(v, s.constraint_force);
  at.power_control = work_in(v, s.control_force);
  at.power_nonideal = work_in(v, s.nonideal_force);
  const EnergyRate rate = energy_rate(system, at.state, s.acceleration);
  at.energy_rate = rate.value;
  double terms = rate.terms + std::fabs(stated.impressed) + std::fabs(stated.explicit_time);
  double moved = 0.0, pushed = 0.0, of_constraints = 0.0, speed = 0.0;
  const SparseMatrix& M = at.equations.M;
  for (std::size_t i = 0; i < v.size(); ++i) {
    terms += std::fabs(v[i]) * (std::fabs(at.equations.Q[i]) + std::fabs(s.constraint_force[i]) +
                                std::fabs(s.nonideal_force[i]));
    for (const auto [column, value] : row_of(M, static_cast<int>(i))) {
      terms += std::fabs(v[i] * value * s.acceleration[column]);
      moved = std::hypot(moved, value);
    }
    pushed = std::hypot(pushed, at.equations.Q[i]);
    if (!at.equations.C.empty()) of_constraints = std::hypot(of_constraints, at.equations.C[i]);
    speed = std::hypot(speed, v[i]);
  }
  double fastest = 0.0;
  for (const double a : s.acceleration) fastest = std::hypot(fastest, a);
  const double sum = stated.impressed + stated.explicit_time + at.power_constraint + at.power_nonideal;
  const double unit = 16.0 * static_cast<double>(v.size() + s.multipliers.size() + 8) *
                      std::numeric_limits<double>::epsilon();
  const double size = moved * fastest + pushed + of_constraints;  // what that check is relative to
  const double slack = s.certificate.kkt_residual.bound * size * speed;
  const double miss = std::fabs(at.energy_rate - sum);
  // Powers that are all no more than the rounding of the forces they are made of, at rest say: 0/0.
  if (terms <= slack || miss == 0.0)
    at.power_balance = {0.0, unit};
  else
    at.power_balance = dense::judged(miss / terms, unit + slack / terms);
}

/// The model with the numbers that the system has: its living parameters may have got other values.
Model with_numbers_of(const Model& model, const System& system) {
  const Parameters& living = system.parameters();
  if (living.names().empty()) return with_numbers(model);
  return with_numbers(model.with_values(living.names(), living.values()));
}

/// Where there is no mechanics there is no energy either, and where there is no motion no power.
void leave_out_powers(Instant& at) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  at.energy_rate = at.power_impressed = at.power_explicit = none;
  at.power_constraint = at.power_control = at.power_nonideal = none;
  at.power_balance = {none, 0.0};
}

}  // namespace

Instant examine(const Model& model, const System& system, const State& state, const SolveOptions& options,
                const std::vector<PassedOver>& passed_over) {
  SolveOptions full = options;
  full.detail = Detail::full;
  Workspace work(system);
  Instant out;
  out.state = state;
  out.passed_over = passed_over;
  Mode mode;
  if (!passed_over.empty()) mode.passed_over.assign(system.row_names().size(), 0);
  for (const PassedOver& p : passed_over) mode.passed_over[p.row] = 1;
  out.frictions = solve(system, state, mode, work, out.solution, full).frictions;
  out.equations = system.mechanics() == Mechanics::vakonomic ? evaluate_stated(system, state, work)
                                                             : evaluate(system, state, mode, work);
  out.norm_dependences = norm_dependences(system, state);
  if (system.mechanics() == Mechanics::vakonomic)
    out.dalembert_acceleration = solve(out.equations).acceleration;
  const bool moves = out.solution.acceleration.size() == state.v.size();
  leave_out_powers(out);
  if (system.mechanics() == Mechanics::none)
    out.energy = std::numeric_limits<double>::quiet_NaN();
  else if (moves)
    balance_powers(system, work, out);
  else
    out.energy = energy(system, state, work);
  const RowDependence dependence(out.equations, out.solution, full.rank_tolerance);
  out.rank = dependence.rank();
  out.admissible = is_admissible(system, dependence);
  if (!out.admissible) out.dependent = dependent_rows(system, out, full);
  const Model numbers = with_numbers_of(model, system);
  describe_constraints(numbers, system, dependence, full.rank_tolerance, out);
  describe_reactions(system, out);
  if (system.mechanics() == Mechanics::dalembert && !has_restricted_programmes(system))
    describe_loads(numbers, system, out);
  // Forces of vakonomic motion and of actuators are no A^T lambda: what is said here is of those that are.
  if (system.mechanics() == Mechanics::dalembert && !has_restricted_programmes(system))
    look_at_forces(full.rank_tolerance, full.robust_limit, out);
  else if (system.mechanics() == Mechanics::none) {
    look_at_forces(full.rank_tolerance, full.robust_limit, out);
    out.workless = {};  // nothing does work there
  } else {
    out.orthogonality = std::numeric_limits<double>::quiet_NaN();
  }
  return out;
}

}  // namespace vinculum
