#include "vinculum/system/observe.hpp"

#include <algorithm>
#include <cmath>

#include "system/modes/switch_law.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;

/// Of the forces as they are at one state; what is constant in them is there before.
Powers evaluate_powers(const System& system, const StateView& at, Workspace::Impl& w) {
  Powers found{system.values().constant_power, system.values().constant_power_explicit};
  Numbers to;
  to[static_cast<int>(Where::power)] = &found.impressed;
  to[static_cast<int>(Where::power_explicit)] = &found.explicit_time;
  system.impl().powers.evaluate(parts_of(at), to, w.power_scratch);
  return found;
}

/// A state, and what was found at it.
StateParts parts_of(const StateView& state, const Solution& found) {
  return {{&state.t, state.q.data(), state.v.data(), found.acceleration.data(), found.multipliers.data(),
           &found.gaussian, found.dissatisfaction.data(), found.deviation.data(),
           found.nonideal_force.data()}};
}

/// An output that is a force is a mean of the sides of a switch, as the force is. Others do not jump.
void take_mean_outputs(const System& system, const StateView& state, const Mode& mode, const Solution& found,
                       Workspace::Impl& w, std::span<double> outputs) {
  const System::Impl& s = system.impl();
  const std::span<const SwitchLaw::Side> sides = w.sliding->sides(system, state, mode, w);
  if (sides.empty()) return;
  std::vector<double> first, mean, here = system.values().constant_output;
  Numbers to;
  to[static_cast<int>(Where::output)] = here.data();
  std::vector<char> jumps(here.size(), sides.size() == 1);
  for (const SwitchLaw::Side& side : sides) {
    StateParts at = parts_of(state, found);
    at.part[StatePlace::coordinate] = side.q.data();
    at.part[StatePlace::velocity] = side.v.data();
    s.outputs.evaluate(at, to, w.output_scratch);
    if (first.empty()) first = mean = here;
    for (std::size_t i = 0; i < here.size(); ++i) {
      mean[i] += side.weight * (here[i] - first[i]);
      const double size = std::max(std::fabs(here[i]), std::fabs(first[i]));
      jumps[i] = jumps[i] || std::fabs(here[i] - first[i]) > 1e-9 * size + 1e-100;
    }
  }
  for (std::size_t i = 0; i < here.size(); ++i)
    if (jumps[i]) outputs[i] = mean[i];
}

}  // namespace

double energy(const System& system, const StateView& at, Workspace& work) {
  Workspace::Impl& w = work.impl();
  require_fit(system, w, at);
  double found = system.values().constant_energy;
  Numbers to;
  to[static_cast<int>(Where::energy)] = &found;
  system.impl().energy.evaluate(parts_of(at), to, w.energy_scratch);
  return found;
}

Powers powers(const System& system, const StateView& at, const Mode& mode, Workspace& work) {
  Workspace::Impl& w = work.impl();
  require_fit(system, w, at);
  require_mode(system, mode);
  if (!w.sliding) return evaluate_powers(system, at, w);
  const std::span<const SwitchLaw::Side> sides = w.sliding->sides(system, at, mode, w);
  if (sides.empty()) return evaluate_powers(system, at, w);
  Powers mean;  // of forces that are a mean themselves
  for (const SwitchLaw::Side& side : sides) {
    const Powers p = evaluate_powers(system, {at.t, side.q, side.v}, w);
    mean.impressed += side.weight * p.impressed;
    mean.explicit_time += side.weight * p.explicit_time;
  }
  return mean;
}

MayWork may_work(const System& system) {
  const System::Impl& s = system.impl();
  MayWork m;
  m.impressed = s.powers.touches(Where::power) || system.values().constant_power != 0;
  m.explicit_time = s.powers.touches(Where::power_explicit) || system.values().constant_power_explicit != 0;
  m.nonideal = s.has_nonideal;
  m.constraint = s.rows_may_work;
  m.control = s.programmes_may_work;
  return m;
}

void observe(const System& system, const StateView& at, const Mode& mode, const Solution& found,
             Workspace& work, std::span<double> outputs) {
  const System::Impl& s = system.impl();
  Workspace::Impl& w = work.impl();
  require_fit(system, w, at);
  require_mode(system, mode);
  std::copy(system.values().constant_output.begin(), system.values().constant_output.end(), outputs.begin());
  Numbers to;
  to[static_cast<int>(Where::output)] = outputs.data();
  s.outputs.evaluate(parts_of(at, found), to, w.output_scratch);
  if (w.sliding) take_mean_outputs(system, at, mode, found, w, outputs);
}

bool events_need_multipliers(const System& system) { return system.impl().events_by_multipliers; }
bool looks_at_free_motion(const System& system) { return system.impl().looks_at_free_motion; }

void event_values(const System& system, const StateView& at, const Solution& found, Workspace& work,
                  std::span<double> values, unsigned rounding) {
  const System::Impl& s = system.impl();
  Workspace::Impl& w = work.impl();
  require_fit(system, w, at);
  std::copy(system.values().constant_event.begin(), system.values().constant_event.end(), values.begin());
  Numbers to;
  to[static_cast<int>(Where::event)] = values.data();
  s.event_kernels.evaluate(parts_of(at, found), to, w.event_scratch, rounding);
}

void event_values(const System& system, const StateBatch& states, Workspace& work, std::span<double> values) {
  const System::Impl& s = system.impl();
  fit(system, work.impl());
  for (std::size_t e = 0; e < system.values().constant_event.size(); ++e)
    std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(lane_count * e), lane_count,
                system.values().constant_event[e]);
  Numbers to;
  to[static_cast<int>(Where::event)] = values.data();
  s.event_kernels.evaluate_batch({{states.t.data(), states.q.data(), states.v.data()}}, to,
                                 work.impl().event_scratch);
}

StatePlaces places_of_events(const System& system) {
  const ElementKernels& kernels = system.impl().event_kernels;
  return {kernels.reads(StatePlace::coordinate), kernels.reads(StatePlace::velocity)};
}
StatePlaces places_of_switches(const System& system) {
  const ElementKernels& kernels = system.impl().switches;
  return {kernels.reads(StatePlace::coordinate), kernels.reads(StatePlace::velocity)};
}

const OpenDerivatives& open_derivatives(const System& system) { return system.impl().open_derivatives; }

const std::vector<std::string>& switches(const System& system) { return system.impl().switch_texts; }
bool switches_need_multipliers(const System& system) { return system.impl().switches_by_multipliers; }

void switch_values(const System& system, const StateView& at, const Solution& found, Workspace& work,
                   std::span<double> values, unsigned rounding) {
  const System::Impl& s = system.impl();
  Workspace::Impl& w = work.impl();
  require_fit(system, w, at);
  Numbers to;
  to[static_cast<int>(Where::switching)] = values.data();
  s.switches.evaluate(parts_of(at, found), to, w.switch_scratch, rounding);
}

void switch_values(const System& system, const StateBatch& states, Workspace& work,
                   std::span<double> values) {
  fit(system, work.impl());
  Numbers to;
  to[static_cast<int>(Where::switching)] = values.data();
  system.impl().switches.evaluate_batch({{states.t.data(), states.q.data(), states.v.data()}}, to,
                                        work.impl().switch_scratch);
}

}  // namespace vinculum
