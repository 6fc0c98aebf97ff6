#include "vinculum/system/manifold.hpp"

#include <algorithm>

#include "equation/sparse/fast.hpp"
#include "system/modes/friction.hpp"
#include "system/system_impl.hpp"
#include "vinculum/equation/row_scale.hpp"
#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;

/// phi or phi' of all rows into w.residual.
void evaluate_residuals(const System& system, const StateView& at, Workspace::Impl& w) {
  w.residual.position = system.values().constant_position;
  w.residual.velocity = system.values().constant_velocity;
  Numbers to;
  to[static_cast<int>(Where::position)] = w.residual.position.data();
  to[static_cast<int>(Where::velocity)] = w.residual.velocity.data();
  system.impl().residuals.evaluate(parts_of(at), to, w.residual_scratch);
}

/// The rows of A and the masses as stated; forces are not asked for, and C may cost a solve.
void evaluate_rows(const System& system, const StateView& state, const Mode& mode, Workspace::Impl& w) {
  const System::Impl& s = system.impl();
  const Equations& pattern = system.values().pattern;
  const StateParts at{{&state.t, without_multipliers(s, state.q, w).data(), state.v.data()}};
  Equations& e = w.equations;
  if (s.equations.sums(Where::mass)) e.M.value = pattern.M.value;
  if (s.equations.sums(Where::force)) e.Q = pattern.Q;
  if (s.equations.sums(Where::nonideal)) e.C = pattern.C;
  const Numbers to = numbers_of(e);
  restore_passed_rows(system, mode, w);
  s.equations.evaluate(at, to, w.scratch);
  silence_passed_rows(w);
}

/// A massless coordinate is placed by its constraints alone; a weight this small, beside the masses that it
/// moves, leaves the others theirs.
constexpr double weight_of_massless = 1e-6;

/// Also where M is singular otherwise.
void add_weight_to_massless(const Kin& kin, Equations& e) {
  const std::vector<double> mass = masses_of(e.M, e.A, kin);
  for (int i = 0; i < e.M.rows; ++i)
    for (int k = e.M.start[i]; k < e.M.start[i + 1]; ++k)
      if (e.M.column[k] == i) e.M.value[k] += weight_of_massless * mass[i];
}

/// A Lagrangian that is regular but not definite is no metric: coordinates then count by the sizes of their
/// own masses.
void take_sizes_of_masses(const Kin& kin, Equations& e) {
  const std::vector<double> mass = masses_of(e.M, e.A, kin);
  for (int i = 0; i < e.M.rows; ++i)
    for (int k = e.M.start[i]; k < e.M.start[i + 1]; ++k) e.M.value[k] = e.M.column[k] == i ? mass[i] : 0.0;
}

void silence_other_rows(const System::Impl& s, Level level, Equations& e) {
  const int highest = level == Level::position ? 0 : 1;
  for (int r = 0; r < e.A.rows; ++r)
    if (s.order_of_row[r] > highest)
      std::fill(e.A.value.begin() + e.A.start[r], e.A.value.begin() + e.A.start[r + 1], 0.0);
}

/// `factorised`: the rows as they are there are, from before; afterwards whether they are now.
bool correct_by_road(const System& system, Level level, Workspace::Impl& w, std::span<const char> fixed,
                     bool& factorised) {
  const System::Impl& s = system.impl();
  const std::vector<int>& rows = level == Level::position ? s.position_rows : s.velocity_rows;
  const bool all_rows = rows.size() == s.row_names.size();
  if (all_rows && fixed.empty()) {
    factorised = nearest(*s.structure, w.equations, w.solve, w.right, w.correction, factorised);
    if (factorised) return true;
  }
  factorised = false;
  w.changed.M.value = w.equations.M.value;
  w.changed.A.value = w.equations.A.value;
  silence_other_rows(s, level, w.changed);
  if (!fixed.empty()) hold(w.changed, fixed);
  // The masses may be changed: not those the other one has factorised.
  const auto own = [&]() -> SolveWorkspace& {
    if (!w.changed_solve) w.changed_solve.emplace(*s.structure);
    return *w.changed_solve;
  };
  SolveWorkspace& work = fixed.empty() ? w.solve : own();
  if (nearest(*s.structure, w.changed, work, w.right, w.correction)) return true;
  add_weight_to_massless(s.kin, w.changed);
  if (nearest(*s.structure, w.changed, own(), w.right, w.correction)) return true;
  if (s.model.lagrangians().empty()) return false;
  take_sizes_of_masses(s.kin, w.changed);
  return nearest(*s.structure, w.changed, own(), w.right, w.correction);
}

}  // namespace

bool correction(const System& system, Level level, const StateView& at, const Mode& mode, Workspace& work,
                std::span<double> x, std::span<double> residual, std::span<const char> fixed,
                std::span<const double> from) {
  const System::Impl& s = system.impl();
  Workspace::Impl& w = work.impl();
  require_fit(system, w, at);
  require_mode(system, mode);
  const bool of_position = level == Level::position;
  const std::vector<int>& rows = of_position ? s.position_rows : s.velocity_rows;
  if (fixed.empty() && w.friction) fixed = w.friction->held_by(mode);  // what sticks is not moved
  if (rows.size() < residual.size()) std::fill(residual.begin(), residual.end(), 0.0);
  if (rows.empty()) {
    std::fill(x.begin(), x.end(), 0.0);
    return true;
  }
  const ClosedCorrection& closed = of_position ? s.closed_position : s.closed_velocity;
  if (closed.exists() && fixed.empty() && from.empty() && mode.passed_over.empty()) {
    ClosedCorrection::Scratch& scratch = of_position ? w.position_scratch : w.velocity_scratch;
    if (closed.solve(parts_of(at).part, scratch, x.data(), w.residual_row.data())) {
      for (std::size_t k = 0; k < rows.size(); ++k) residual[rows[k]] = -w.residual_row[k];
      return true;
    }
  }
  leave_out_rows(mode, w);
  std::fill(x.begin(), x.end(), 0.0);
  evaluate_residuals(system, at, w);
  const std::vector<double>& miss = of_position ? w.residual.position : w.residual.velocity;
  std::copy(miss.begin(), miss.end(), residual.begin());
  for (std::size_t r = 0; r < mode.passed_over.size(); ++r)
    if (mode.passed_over[r]) residual[r] = 0.0;
  for (std::size_t r = 0; r < miss.size(); ++r) w.right[r] = -residual[r];
  evaluate_rows(system, at, mode, w);
  if (!from.empty()) {
    const SparseMatrix& a = w.equations.A;
    for (const int r : rows) w.right[r] = row_of(a, r).dot(from, w.right[r]);
  }
  bool factorised = false;
  if (!correct_by_road(system, level, w, fixed, factorised)) return false;
  std::copy(w.correction.begin(), w.correction.end(), x.begin());
  return true;
}

void misses(const System& system, const StateView& at, Workspace& work, std::span<double> position,
            std::span<double> velocity) {
  Workspace::Impl& w = work.impl();
  require_fit(system, w, at);
  evaluate_residuals(system, at, w);
  std::copy(w.residual.position.begin(), w.residual.position.end(), position.begin());
  std::copy(w.residual.velocity.begin(), w.residual.velocity.end(), velocity.begin());
}

bool keep_tangent_part(const System& system, Level level, const StateView& at, const Mode& mode,
                       Workspace& work, std::span<double> e, bool& factorised) {
  const System::Impl& s = system.impl();
  Workspace::Impl& w = work.impl();
  require_fit(system, w, at);
  require_mode(system, mode);
  const std::vector<int>& rows = level == Level::position ? s.position_rows : s.velocity_rows;
  if (rows.empty()) return true;
  if (!factorised) {
    leave_out_rows(mode, w);
    evaluate_rows(system, at, mode, w);
  }
  const SparseMatrix& a = w.equations.A;
  std::fill(w.right.begin(), w.right.end(), 0.0);
  for (const int r : rows) w.right[r] = row_of(a, r).dot(e);
  const std::span<const char> held = w.friction ? w.friction->held_by(mode) : std::span<const char>();
  if (!correct_by_road(system, level, w, held, factorised)) return false;
  for (std::size_t i = 0; i < e.size(); ++i) e[i] -= w.correction[i];
  return true;
}

}  // namespace vinculum
