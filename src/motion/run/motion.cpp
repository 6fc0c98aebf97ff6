#include "motion/run/motion.hpp"

#include <algorithm>
#include <cmath>

#include "system/system_impl.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/motion/assemble.hpp"
#include "vinculum/system/control.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {
namespace {

/// `text` is a function: words are made where they are needed.
void require(bool good, const auto& text) {
  if (!good) fail("simulate: " + std::string(text()));
}

void check(const System& system, const State& start, const MotionOptions& o) {
  const IntegratorInfo& method = integrators().at(static_cast<std::size_t>(o.integrator));
  require(std::isfinite(o.until),
          [&] { return "'until' is " + number_text(o.until) + "; it must be a finite time"; });
  require(std::isfinite(start.t),
          [&] { return "the start is at t = " + number_text(start.t) + "; it must be a finite time"; });
  require(std::isfinite(o.until - start.t), [&] {
    return "the time from " + number_text(start.t) + " to " + number_text(o.until) +
           " is longer than a number can say";
  });
  require(o.start_tolerance >= 0 && o.start_tolerance < 1, [&] {
    return "the tolerance of the start is " + number_text(o.start_tolerance) +
           "; it must lie between 0 and 1";
  });
  require(o.closure >= 0 && o.closure < 1,
          [&] { return "the closure is " + number_text(o.closure) + "; it must lie between 0 and 1"; });
  require(o.tolerance > 0 && o.tolerance < 1,
          [&] { return "the tolerance is " + number_text(o.tolerance) + "; it must lie between 0 and 1"; });
  require(o.absolute_tolerance >= 0 && std::isfinite(o.absolute_tolerance), [&] {
    return "the absolute tolerance is " + number_text(o.absolute_tolerance) + "; it must not be negative";
  });
  require(o.step >= 0 && std::isfinite(o.step),
          [&] { return "the step is " + number_text(o.step) + "; it must be positive"; });
  require(method.adaptive || o.step > 0,
          [&] { return "'" + method.name + "' has a fixed step: say which ('step')"; });
  require(o.integrator != Integrator::radau5 || !has_restricted_programmes(system),
          [&] { return "'radau5' does not know programmes with 'actuators'; take dop853 or extrapolation"; });
  require(o.samples >= 0, [&] { return "the number of samples is negative"; });
  for (std::size_t k = 0; k < o.instants.size(); ++k)
    require((o.until < start.t ? -1 : 1) * (o.instants[k] - (k == 0 ? start.t : o.instants[k - 1])) > 0, [&] {
      return "the instants to record must follow each other from the start on; " +
             number_text(o.instants[k]) + " does not";
    });
  require(o.instants.empty() || (o.until < start.t ? -1 : 1) * (o.until - o.instants.back()) >= 0, [&] {
    return "the instant to record " + number_text(o.instants.empty() ? 0.0 : o.instants.back()) +
           " lies behind the end, " + number_text(o.until);
  });
  require(
      o.keep != Stabilisation::baumgarte || (o.baumgarte_time > 0 && std::isfinite(o.baumgarte_time)), [&] {
        return "Baumgarte's time constant is " + number_text(o.baumgarte_time) + " s; it must be positive";
      });
  require(o.keep != Stabilisation::baumgarte || system.mechanics() != Mechanics::vakonomic, [&] {
    return "Baumgarte's forces would enter mu' = -lambda; vakonomic motion is kept by projection";
  });
  require(o.step_limit > 0, [&] { return "the step limit must be positive"; });
  require(
      start.q.size() == system.coordinate_names().size() && start.v.size() == system.velocity_names().size(),
      [&] {
        return "the start has " + std::to_string(start.q.size()) + " coordinates and " +
               std::to_string(start.v.size()) + " velocities where the system has " +
               std::to_string(system.coordinate_names().size()) + " and " +
               std::to_string(system.velocity_names().size());
      });
}

/// Names in the sentence, each once, in order.
std::vector<std::string> constraints_of(const std::vector<Violation>& violations) {
  std::vector<std::string> names;
  for (const Violation& v : violations)
    if (std::find(names.begin(), names.end(), v.constraint) == names.end()) names.push_back(v.constraint);
  return names;
}

/// What is done where a derivative is wanted and functions written in C++ have none.
void tell_of_functions(const std::vector<std::string>& names, const std::string& who,
                       const std::string& effect, Trajectory& out) {
  if (names.empty()) return;
  out.notes.push_back(who + " takes difference quotients of the function" + (names.size() > 1 ? "s " : " ") +
                      list_text(names) + ", of which no derivative was given: " + effect);
}

}  // namespace

Motion::Motion(const System& system, const State& start, const MotionOptions& options,
               std::vector<StepPolynomial>* dense)
    : system_(system), out_(system) {
  check(system, start, options);
  Trajectory& out = out_;
  if (options.sink) out.keep_at_most(options.kept);
  out.last = start;
  for (const std::vector<double>* part : {&start.q, &start.v})
    for (std::size_t i = 0; i < part->size(); ++i)
      if (!std::isfinite((*part)[i])) {
        const auto& names = part == &start.q ? system.coordinate_names() : system.velocity_names();
        out.stop = Stop::not_finite;
        out.names = {names[i]};
        out.reason = "the start of '" + names[i] + "' is " + number_text((*part)[i]);
        return;
      }
  AssembleOptions repair;
  repair.tolerance = options.start_tolerance;
  repair.time = std::fabs(options.until - start.t);
  repair.closure = options.closure;
  Workspace work = take_workspace(system);
  const Assembly assembly = assemble(system, start, repair, work);
  if (!assembly.consistent || !assembly.repaired) {
    out.stop = assembly.not_finite         ? Stop::not_finite
               : assembly.fighting.empty() ? Stop::start
                                           : Stop::contradicting;
    out.reason = assembly.text;
    out.names = !assembly.fighting.empty()
                    ? assembly.fighting
                    : constraints_of(assembly.open.empty() ? assembly.violations : assembly.open);
    if (assembly.consistent) {
      out.stop = Stop::start;
      out.reason = "the start misses its constraints by less than " +
                   number_text(options.start_tolerance, 3) +
                   " of their terms, but no state that satisfies them was found nearby";
    }
    return;
  }
  if (!assembly.changes.empty() && std::fabs(assembly.changes.front().by) > 1e-13)
    out.notes.push_back("the start was moved onto its constraints: '" + assembly.changes.front().name +
                        "' by " + number_text(assembly.changes.front().by, 3) +
                        (assembly.changes.size() > 1
                             ? " and " + std::to_string(assembly.changes.size() - 1) + " more by less"
                             : ""));
  tell_of_functions(open_derivatives(system).in_switches, "the law of switches",
                    "where a motion stays on one it may leave it a little off", out);
  run_.emplace(system, options, std::move(work), out, dense);
  run_->begin(assembly.state, assembly.passed_over);
}

Trajectory& Motion::end() {
  if (!run_) return out_;
  run_->end();
  if (std::ranges::find(out_.methods, Integrator::radau5, &MethodUse::integrator) != out_.methods.end())
    tell_of_functions(open_derivatives(system_).in_forces, "radau5",
                      "its steps may be shorter, their error is controlled all the same", out_);
  return out_;
}

}  // namespace vinculum
