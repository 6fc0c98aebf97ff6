// The motion of a system: options in, a trajectory with its reasons out.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/motion/trajectory.hpp"

namespace vinculum {

/// How constraints are kept.
enum class Stabilisation {
  projection,  ///< after each step onto the nearest state, in the mass metric, that satisfies them
  baumgarte,   ///< by phi'' + 2/T phi' + 1/T^2 phi = 0 instead of phi'' = 0: for comparison
  none,        ///< not at all: for comparison
};

/// How far a run has come.
struct Progress {
  double t = 0.0;
  double fraction = 0.0;      ///< of the time asked for
  double seconds_left = 0.0;  ///< at the pace so far
  long steps = 0;
};

/// One step of a motion that was just made, to be looked at anywhere between its ends.
class VINCULUM_EXPORT StepOfMotion {
 public:
  virtual ~StepOfMotion() = default;
  double from = 0.0, to = 0.0;
  /// What is there at t, on its constraints; it holds until the next look.
  struct Look {
    std::span<const double> q, v;
    std::span<const double> outputs;  ///< where they were asked for
    double energy = 0.0;              ///< likewise
    bool there = true;                ///< false: no state was found at t that satisfies its constraints
  };
  virtual Look at(double t, bool with_outputs) = 0;
};

struct MotionOptions {
  double until = 0.0;  ///< earlier than the start runs backward
  /// The error asked for, relative to the size of the motion: of each coordinate and velocity, as they are
  /// along it, whatever the units. A step is held to a small part of it, so that the errors of many steps
  /// together stay near it.
  double tolerance = 1e-9;
  /// An error that does no harm whatever the size of the motion, in the units of each number. 0: none
  double absolute_tolerance = 0.0;
  Integrator integrator = Integrator::automatic;
  double step = 0.0;  ///< largest step; the step of fixed-step methods. 0: none
  /// Equally spaced instants to record, both ends included; 0 records every accepted step, 1 the last state.
  int samples = 0;
  /// Instants to record instead, behind the start and in the order of the motion; steps end there.
  std::vector<double> instants;
  Stabilisation keep = Stabilisation::projection;
  double baumgarte_time = 0.1;  ///< T [s]
  /// A start that misses its constraints by more, relative to their terms, is refused; by less, it is moved.
  double start_tolerance = 1e-8;
  /// How far a loop may stay open, of the size of the machine: rows that follow from the others but for that
  /// much, the noise of a drawing, are passed over and watched; one that opens farther ends the run. 0: none,
  /// loops close to rounding.
  double closure = 1e-8;
  long step_limit = 100'000'000;
  /// Takes every recorded instant as it is made; its spans hold until the call returns. The trajectory then
  /// keeps `kept` of them at most, evenly, the first and the last among them: memory does not grow with the
  /// samples.
  std::function<void(const Sample&)> sink;
  int kept = 1000;
  /// Sees every step of the motion, in its order: the steps cover it without a gap, up to where it ends.
  std::function<void(StepOfMotion&)> along;
  /// Called now and then; false cancels. What was computed until then is kept.
  std::function<bool(const Progress&)> progress;
};

/// Integrates from the system's start, or from a state. Never throws for what happens in the motion: the
/// trajectory says why it ended. Misuse (a tolerance of zero, say) is an error.
VINCULUM_EXPORT Trajectory simulate(const System& system, const MotionOptions& options);
VINCULUM_EXPORT Trajectory simulate(const System& system, const State& start, const MotionOptions& options);

}  // namespace vinculum
