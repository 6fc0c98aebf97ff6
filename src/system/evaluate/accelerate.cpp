#include "vinculum/system/accelerate.hpp"

#include <algorithm>
#include <cmath>

#include "system/modes/friction.hpp"
#include "system/modes/switch_law.hpp"
#include "system/system_impl.hpp"

namespace vinculum {
namespace {

SolveOptions of_motion(const System& system, bool within_step) {
  SolveOptions options = options_for(system, {});
  options.detail = Detail::motion;
  options.within_step = within_step;
  return options;
}

Accelerated accelerate_by_road(const System& system, Workspace::Impl& w, std::span<double> acceleration,
                               bool within_step) {
  solve_equations(system.impl(), w.equations, w, w.solution, of_motion(system, within_step));
  if (w.friction) w.friction->rest(w.solution.acceleration);
  if (w.sliding) w.sliding->rest(w.solution.acceleration);
  if (w.solution.acceleration.size() == acceleration.size())
    std::copy(w.solution.acceleration.begin(), w.solution.acceleration.end(), acceleration.begin());
  else
    std::fill(acceleration.begin(), acceleration.end(), NAN);
  return {w.solution.status, w.found, &w.solution};
}

/// Where switches are looked at, or there is no closed form, or it gives no answer at once.
[[gnu::noinline]] Accelerated accelerate_otherwise(const System& system, const StateView& at,
                                                   const Mode& mode, Workspace& work,
                                                   std::span<double> acceleration, bool within_step) {
  const System::Impl& s = system.impl();
  Workspace::Impl& w = work.impl();
  if (w.sliding) require_mode(system, mode);
  const bool on_switch = w.sliding && w.sliding->intervenes(at, mode);
  if (!on_switch && s.closed.exists() && mode.passed_over.empty()) {
    const StateParts state = parts_of(at);
    if (w.sliding ? s.closed.solve(state.part, w.closed_scratch, acceleration.data())
                  : s.closed.refine(state.part, w.closed_scratch, acceleration.data()))
      return {Status::solved, w.found, nullptr};
  }
  evaluate(system, at, mode, work);
  const Accelerated first = accelerate_by_road(system, w, acceleration, within_step);
  if (first.status != Status::contradicting || within_step || !is_rounding(system, at, work, w.solution))
    return first;
  return accelerate_by_road(system, w, acceleration, true);
}

}  // namespace

Accelerated accelerate(const System& system, const StateView& at, const Mode& mode, Workspace& work,
                       std::span<double> acceleration, bool within_step) {
  Workspace::Impl& w = work.impl();
  fit(system, w);
  const double* const part[] = {&at.t, at.q.data(), at.v.data()};
  if (!w.sliding && mode.passed_over.empty() && w.closed_scratch.at_once(part, acceleration.data()))
    return {Status::solved, w.found, nullptr};
  return accelerate_otherwise(system, at, mode, work, acceleration, within_step);
}

Accelerated accelerate_with(const System& system, const StateView& at, const Mode& mode,
                            std::span<const double> extra, Workspace& work, std::span<double> acceleration) {
  evaluate(system, at, mode, work);
  Workspace::Impl& w = work.impl();
  for (std::size_t r = 0; r < extra.size(); ++r) w.equations.b[r] += extra[r];
  const Accelerated out = accelerate_by_road(system, w, acceleration, true);
  split_control(system.impl(), w.equations, w, w.solution, of_motion(system, true));
  for (std::size_t r = 0; r < extra.size(); ++r) w.equations.b[r] -= extra[r];  // b may be constant
  return out;
}

}  // namespace vinculum
