// What is looked at along a motion: energy and its sources, outputs, events.
#pragma once
#include "vinculum/base/export.hpp"
#include "vinculum/lower/open_derivatives.hpp"
#include "vinculum/system/batch.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

/// v.dL/dv - L for energies of motion, 1/2 v^T M v for masses, plus potentials.
VINCULUM_EXPORT double energy(const System& system, const StateView& at, Workspace& work);

/// The power of what is neither a constraint nor a non-ideal force.
struct Powers {
  double impressed = 0.0;      ///< of stated forces
  double explicit_time = 0.0;  ///< of energies and masses that change with time themselves
};
VINCULUM_EXPORT Powers powers(const System& system, const StateView& at, const Mode& mode, Workspace& work);
/// dE/dt along a motion with these accelerations: the energy differentiated as an expression, apart from the
/// equations of motion. It is compiled for the call: for one instant, not for every step.
struct EnergyRate {
  double value = 0.0;
  double terms = 0.0;  ///< the sum of the sizes of its terms
};
VINCULUM_EXPORT EnergyRate energy_rate(const System& system, const StateView& at,
                                       std::span<const double> acceleration);

/// Where derivatives of functions written in C++ are asked for and were not given.
VINCULUM_EXPORT const OpenDerivatives& open_derivatives(const System& system);

/// What may be other than zero at all, by the look of the expressions.
struct MayWork {
  bool impressed = false, constraint = false, nonideal = false, explicit_time = false, control = false;
};
VINCULUM_EXPORT MayWork may_work(const System& system);

/// Multipliers as they are reported: mu of rows that have one in vakonomic motion, lambda of all others.
VINCULUM_EXPORT void report_multipliers(const System& system, const StateView& at,
                                        std::span<double> multipliers);

/// Values of outputs, with what was found at the state. Its multipliers (lambda throughout) are asked for
/// with the least norm where they are not unique.
VINCULUM_EXPORT void observe(const System& system, const StateView& at, const Mode& mode,
                             const Solution& found, Workspace& work, std::span<double> outputs);

/// Values of events' expressions; events_need_multipliers() tells whether any asks for what was found. With a
/// `rounding` other than 0 every operation is off by a rounding, in another way for each: what the values owe
/// to it shows.
VINCULUM_EXPORT void event_values(const System& system, const StateView& at, const Solution& found,
                                  Workspace& work, std::span<double> values, unsigned rounding = 0);
VINCULUM_EXPORT bool events_need_multipliers(const System& system);
/// Whether outputs or events ask for Gauss's function, a dissatisfaction or a deviation: vakonomic motion has
/// them with Detail::full only.
VINCULUM_EXPORT bool looks_at_free_motion(const System& system);
/// At eight states, eight values for each; same bits as eight calls. For events without multipliers.
VINCULUM_EXPORT void event_values(const System& system, const StateBatch& states, Workspace& work,
                                  std::span<double> values);

/// The coordinates and velocities that events, or switches, read: the rest of a state does not matter to
/// them.
struct StatePlaces {
  std::vector<int> coordinates, velocities;
};
VINCULUM_EXPORT StatePlaces places_of_events(const System& system);
VINCULUM_EXPORT StatePlaces places_of_switches(const System& system);

/// The expressions whose zeros are corners or jumps of the equations (what stands in sign, abs, min, max,
/// if): their texts, and their values at a state.
VINCULUM_EXPORT const std::vector<std::string>& switches(const System& system);
VINCULUM_EXPORT bool switches_need_multipliers(const System& system);
VINCULUM_EXPORT void switch_values(const System& system, const StateView& at, const Solution& found,
                                   Workspace& work, std::span<double> values, unsigned rounding = 0);
VINCULUM_EXPORT void switch_values(const System& system, const StateBatch& states, Workspace& work,
                                   std::span<double> values);

}  // namespace vinculum
