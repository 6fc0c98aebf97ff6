// A compiled system at one instant: its equations, their solution, rates and residuals.
#include <algorithm>
#include <cmath>
#include <limits>

#include "equation/sparse/fast.hpp"
#include "system/modes/friction.hpp"
#include "system/modes/switch_law.hpp"
#include "system/system_impl.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;

void require_size(std::size_t given, std::size_t wanted, const char* what) {
  if (given != wanted)
    fail("the state has " + std::to_string(given) + " " + what + " where the system has " +
         std::to_string(wanted));
}

}  // namespace

void require_sizes(const System::Impl& s, const StateView& at) {
  require_size(at.q.size(), s.coordinate_names.size(), "coordinates");
  require_size(at.v.size(), s.velocity_names.size(), "velocities");
}

void require_parts_of_mode(const System& system, const Mode& mode) {
  const auto require = [](std::size_t given, std::size_t wanted, const char* what) {
    if (given != 0 && given != wanted)
      fail("the mode has " + std::to_string(given) + " " + what + " where the system has " +
           std::to_string(wanted) + "; none leaves all of them open");
  };
  const System::Impl& s = system.impl();
  require(mode.frictions.size(), s.frictions.size(), "frictions");
  require(mode.switches.size(), s.sliding.size(), "switches");
  require(mode.left_out.size(), s.row_names.size(), "rows that may be left out");
  require(mode.passed_over.size(), s.row_names.size(), "rows that may be passed over");
  for (std::size_t k = 0; k < mode.frictions.size(); ++k)
    require(mode.frictions[k].direction.size(), s.frictions[k].velocities.size(),
            "numbers in the direction of a friction");
}

void leave_out_rows(const Mode& mode, Workspace::Impl& w) {
  if (w.left_out == mode.left_out) return;
  w.left_out = mode.left_out;
  leave_out(w.solve, w.left_out);
}

void restore_passed_rows(const System& system, const Mode& mode, Workspace::Impl& w) {
  if (w.passed_over == mode.passed_over) return;
  w.passed_over = mode.passed_over;
  w.equations.A.value = system.values().pattern.A.value;
  w.equations.b = system.values().pattern.b;
}

void silence_passed_rows(Workspace::Impl& w) {
  SparseMatrix& a = w.equations.A;
  for (std::size_t r = 0; r < w.passed_over.size(); ++r) {
    if (!w.passed_over[r]) continue;
    std::fill(a.value.begin() + a.start[r], a.value.begin() + a.start[r + 1], 0.0);
    w.equations.b[r] = 0.0;
  }
}

namespace {

/// C where it depends on the ideal constraint forces: those come first, and do not depend on C. Multipliers
/// that are not unique are the least ones. Where there are none, C has no part in the reason: it is left out,
/// and the instant is refused for what it is.
void evaluate_late_nonideal(const System& system, const StateParts& at, const Mode& mode,
                            Workspace::Impl& w) {
  const System::Impl& s = system.impl();
  Equations& e = w.equations;
  e.C.clear();
  SolveOptions options;
  options.detail = Detail::motion;
  options.within_step = true;
  solve_equations(s, e, w, w.solution, options);
  if (!w.solution.multipliers_unique || w.solution.rank < 0) {
    options.detail = Detail::full;
    solve_equations(s, e, w, w.solution, options);
  }
  e.C = system.values().pattern.C;
  const Status ideal = w.solution.status;
  if (ideal == Status::undetermined || ideal == Status::indefinite || ideal == Status::not_finite) return;
  w.solution.multipliers.resize(s.row_names.size());
  const StateParts with_forces{{at.part[0], at.part[1], at.part[2], nullptr, w.solution.multipliers.data()}};
  Numbers to;
  to[static_cast<int>(Where::nonideal)] = e.C.data();
  s.nonideal.evaluate(with_forces, to, w.nonideal_scratch);
  if (w.friction) w.friction->resolve(system, with_forces, mode, w);
}

}  // namespace

void evaluate_as_stated(const System& system, const StateView& state, const Mode& mode, Workspace::Impl& w) {
  const System::Impl& s = system.impl();
  const StateParts at = parts_of(state);
  Equations& e = w.equations;
  const Equations& pattern = system.values().pattern;
  if (s.equations.sums(Where::mass)) e.M.value = pattern.M.value;
  if (s.equations.sums(Where::force)) e.Q = pattern.Q;
  if (s.equations.sums(Where::nonideal)) e.C = pattern.C;
  const Numbers to = numbers_of(e);
  restore_passed_rows(system, mode, w);
  s.equations.evaluate(at, to, w.scratch);
  silence_passed_rows(w);
  if (s.drive) s.drive->find_effects(state, w.drive->units, w.drive->effects);
  if (s.nonideal_needs_reactions) evaluate_late_nonideal(system, at, mode, w);
}

Evaluation evaluate(const System& system, const StateView& at, const Mode& mode, Workspace& work) {
  Workspace::Impl& w = work.impl();
  require_fit(system, w, at);
  require_mode(system, mode);
  leave_out_rows(mode, w);
  evaluate_as_stated(system, at, mode, w);
  if (w.sliding && w.sliding->intervenes(at, mode)) w.sliding->resolve(system, at, mode, w);
  return {w.equations, w.found};
}

const Equations& evaluate(const System& system, const StateView& at, Workspace& work) {
  return evaluate(system, at, {}, work);
}

const Mode& solve(const System& system, const StateView& state, const Mode& mode, Workspace& work,
                  Solution& out, const SolveOptions& options) {
  if (system.impl().closed.exists() && mode.passed_over.empty() && options.detail == Detail::motion &&
      options.road <= Road::fast) {
    Workspace::Impl& w = work.impl();
    require_fit(system, w, state);
    require_mode(system, mode);
    start_over(out, options.road);
    const bool on_switch = w.sliding && w.sliding->intervenes(state, mode);
    if (!on_switch && system.impl().closed.solve(state.t, state.q, state.v, w.closed_scratch, out)) {
      out.road_used = Road::fast;
      if (!system.impl().programmes.empty())
        split_control(system.impl(), evaluate(system, state, mode, work), w, out, options);
      return w.found;
    }
  }
  const Equations& e = evaluate(system, state, mode, work);
  SolveOptions how = options_for(system, options);
  solve_equations(system.impl(), e, work.impl(), out, how);
  if (const auto& friction = work.impl().friction) friction->rest(out.acceleration);
  if (const auto& sliding = work.impl().sliding) sliding->rest(out.acceleration);
  if (out.status == Status::contradicting && is_rounding(system, state, work, out)) {
    how.contradiction_tolerance = std::numeric_limits<double>::infinity();
    solve_equations(system.impl(), e, work.impl(), out, how);
  }
  split_control(system.impl(), e, work.impl(), out, how);
  if (system.mechanics() == Mechanics::vakonomic)
    state_with_multipliers(system, state, work, out, options.detail);
  return work.impl().found;
}

const Mode& solve(const System& system, const StateView& at, Workspace& work, Solution& out,
                  const SolveOptions& options) {
  return solve(system, at, {}, work, out, options);
}

bool is_rounding(const System& system, const StateView& at, Workspace& work, const Solution& s) {
  constexpr double rounding =
      1e-13;  // some hundred roundings, of the terms of phi' at the pace of the motion
  if (s.rows.empty() || system.order_of_row(s.rows.back()) == 2) return false;
  const auto [t, q, v] = at;
  Residuals size;
  residual_sizes(system, at, work, size);
  const int row = s.rows.back();
  // Terms may vanish by themselves where the velocities they are made of do not.
  double terms = size.velocity[row], pace = 0;
  const SparseMatrix& a = work.impl().equations.A;
  for (const auto [column, value] : row_of(a, row)) terms += std::fabs(value * v[column]);
  for (std::size_t r = 0; r < size.position.size(); ++r)
    if (size.position[r] > 0) pace = std::max(pace, size.velocity[r] / size.position[r]);
  for (const Rotation& r : system.rotations())
    for (int i = r.velocity; i < r.velocity + 3; ++i) pace = std::max(pace, std::fabs(v[i]));
  double farthest = 0, fastest = 0;
  for (std::size_t i = 0; pace == 0 && i < q.size(); ++i)
    if (const int rate = system.velocity_of_coordinate(static_cast<int>(i)); rate >= 0) {
      farthest = std::max(farthest, std::fabs(q[i]));
      fastest = std::max(fastest, std::fabs(v[rate]));
    }
  if (pace == 0 && farthest > 0) pace = fastest / farthest;
  return s.gap <= rounding * pace * terms;
}

Solution solve(const System& system, const StateView& at, const SolveOptions& options) {
  Workspace work(system);
  Solution out;
  solve(system, at, work, out, options);
  return out;
}

void rates(const System& system, const StateView& at, Workspace& work, std::span<double> q_rate) {
  const System::Impl& s = system.impl();
  Workspace::Impl& w = work.impl();
  require_fit(system, w, at);
  require_size(q_rate.size(), s.coordinate_names.size(), "rates");
  for (std::size_t i = 0; i < q_rate.size(); ++i)
    q_rate[i] = s.plain_rate[i] >= 0 ? at.v[s.plain_rate[i]] : system.values().constant_rate[i];
  if (s.rates.empty()) return;
  Numbers to;
  to[static_cast<int>(Where::rate)] = q_rate.data();
  s.rates.evaluate(parts_of(at), to, w.rate_scratch);
}

void residuals(const System& system, const StateView& at, Workspace& work, Residuals& out) {
  const System::Impl& s = system.impl();
  Workspace::Impl& w = work.impl();
  require_fit(system, w, at);
  out.position = system.values().constant_position;
  out.velocity = system.values().constant_velocity;
  Numbers to;
  to[static_cast<int>(Where::position)] = out.position.data();
  to[static_cast<int>(Where::velocity)] = out.velocity.data();
  s.residuals.evaluate(parts_of(at), to, w.residual_scratch);
}

void residual_sizes(const System& system, const StateView& at, Workspace& work, Residuals& out) {
  const System::Impl& s = system.impl();
  Workspace::Impl& w = work.impl();
  require_fit(system, w, at);
  out.position = system.values().constant_position_size;
  out.velocity = system.values().constant_velocity_size;
  Numbers to;
  to[static_cast<int>(Where::position_size)] = out.position.data();
  to[static_cast<int>(Where::velocity_size)] = out.velocity.data();
  s.sizes.evaluate(parts_of(at), to, w.size_scratch);
}

}  // namespace vinculum
