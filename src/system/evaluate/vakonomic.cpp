// Vakonomic motion in numbers: see lower/vakonomic.hpp.
#include <algorithm>
#include <cmath>

#include "system/system_impl.hpp"
#include "vinculum/equation/sparse_row.hpp"
#include "vinculum/model/stated.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {

int System::stated_coordinates() const { return impl_->stated_coordinates; }
int System::multiplier_coordinate(int row) const { return impl_->model.stated().multiplier_coordinate(row); }

void report_multipliers(const System& system, const StateView& at, std::span<double> multipliers) {
  for (int r = 0; r < static_cast<int>(multipliers.size()); ++r)
    if (const int mu = system.multiplier_coordinate(r); mu >= 0) multipliers[r] = at.q[mu];
}

std::span<const double> without_multipliers(const System::Impl& s, std::span<const double> q,
                                            Workspace::Impl& w) {
  const auto stated = static_cast<std::size_t>(s.stated_coordinates);
  if (stated == q.size()) return q;
  w.stated_q.assign(q.size(), 0.0);
  std::copy_n(q.begin(), stated, w.stated_q.begin());
  return w.stated_q;
}

const Equations& evaluate_stated(const System& system, const StateView& at, Workspace& work) {
  require_fit(system, work.impl(), at);
  return evaluate(system, {at.t, without_multipliers(system.impl(), at.q, work.impl()), at.v}, work);
}

namespace {

/// out += factor M x
void add_product(const SparseMatrix& m, const std::vector<double>& x, double factor,
                 std::vector<double>& out) {
  for (int i = 0; i < m.rows; ++i)
    for (const auto [column, value] : row_of(m, i)) out[i] += factor * value * x[column];
}

}  // namespace

void state_with_multipliers(const System& system, const StateView& state, Workspace& work, Solution& out,
                            Detail detail) {
  if (out.acceleration.size() != state.v.size()) return;
  const Equations& e = evaluate_stated(system, state, work);
  const std::size_t n = state.v.size();
  for (std::size_t i = 0; i < n; ++i) out.constraint_force[i] = -e.Q[i] - out.nonideal_force[i];
  add_product(e.M, out.acceleration, 1.0, out.constraint_force);
  if (detail != Detail::full) {
    for (auto* part : {&out.free_acceleration, &out.dissatisfaction, &out.deviation})
      std::fill(part->begin(), part->end(), NAN);
    out.gaussian = out.extended_gaussian = NAN;
    return;
  }
  // d'Alembert's motion of the same state starts from the same free one.
  Solution dalembert;
  SolveOptions options;
  options.contradiction_tolerance = INFINITY;
  SolveWorkspace own(system.structure());
  solve(system.structure(), e, own, dalembert, options);
  out.free_acceleration = dalembert.free_acceleration;
  out.dissatisfaction = dalembert.dissatisfaction;
  std::vector<double> push(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) out.deviation[i] = out.acceleration[i] - out.free_acceleration[i];
  add_product(e.M, out.deviation, 1.0, push);
  out.gaussian = 0.0;
  for (std::size_t i = 0; i < n; ++i) out.gaussian += out.deviation[i] * push[i];
  out.extended_gaussian = dalembert.extended_gaussian + out.gaussian - dalembert.gaussian;
  for (std::size_t i = 0; i < e.C.size(); ++i)  // C^T M^-1 C is in both
    out.extended_gaussian -= 2 * (out.deviation[i] - dalembert.deviation[i]) * e.C[i];
}

std::vector<double> force_of_constraint(const System& system, const StateView& state,
                                        const Solution& solution, int constraint, Workspace& work) {
  const ConstraintInfo& c = system.constraints().at(constraint);
  State only = state.copy();
  std::fill(only.q.begin() + system.stated_coordinates(), only.q.end(), 0.0);
  const Equations& stated = evaluate(system, only, work);
  std::vector<double> force(state.v.size(), 0.0);
  bool has_mu = false;
  for (int r = c.first_row; r < c.first_row + c.row_count; ++r) {
    row_of(stated.A, r).add_to(force, solution.multipliers[r]);
    const int mu = system.multiplier_coordinate(r);
    if (mu < 0) continue;
    only.q[mu] = state.q[mu];
    has_mu = true;
  }
  if (!has_mu) return force;
  // M and Q are linear in mu: the difference is what the mu of this constraint add.
  const auto add = [&](double sign, const Equations& e) {
    for (std::size_t i = 0; i < force.size(); ++i) force[i] += sign * e.Q[i];
    add_product(e.M, solution.acceleration, -sign, force);
  };
  add(-1.0, stated);
  add(1.0, evaluate(system, only, work));
  return force;
}

}  // namespace vinculum
