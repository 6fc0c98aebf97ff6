// The course of a motion: what all parts of a run work with, and the step at hand.
#pragma once
#include <cmath>
#include <limits>
#include <memory>

#include "motion/run/observer.hpp"
#include "motion/run/remarks.hpp"
#include "motion/run/step.hpp"

namespace vinculum {

/// A row this near to depending on others makes f rough beside the constraints: steps there are careful.
inline constexpr double careful_below = 0.3;
/// This near, a position may be called near a singular one.
inline constexpr double near_below = 0.05;
/// Part of the tolerance a single step may use: errors of many steps add up.
inline constexpr double part_of_step = 0.03;
/// Below this a local error cannot be told from rounding.
inline constexpr double smallest_tolerance = 1e-15;
/// Instants nearer than this are not told apart: stages and ends of steps stand at t up to rounding.
inline double time_resolution(double t) { return 16 * std::numeric_limits<double>::epsilon() * std::fabs(t); }

struct Course {
  Course(const System& system, const MotionOptions& options, Workspace work, Trajectory& out);
  ~Course();

  const System& system;
  const MotionOptions& options;
  Trajectory& out;
  Workspace work;
  Modes modes;
  Flow flow;
  Sizes& sizes;
  Projector projector;
  SingularityWatch singularity;
  Observer observer;
  Tolerance tolerance;
  std::unique_ptr<Stepper> stepper, passer;  ///< the method asked for; who makes steps that it cannot make
  Stepper* active = nullptr;                 ///< of the step at hand
  Integrator method = Integrator::dop853;    ///< that of the stepper
  double t_start = 0;
  double direction = 1;  ///< of time
  Step step;
  Remarks remarks;
  bool finished = false;
  bool records_last = false;  ///< what was reached is part of the record, however the run ends

  /// From the next step on.
  void use(Integrator which);

  double span() const { return std::fabs(options.until - t_start); }
  bool projects() const { return options.keep == Stabilisation::projection; }

  /// The state as it lies in y, until the next one is asked for.
  const State& state_of(double t, const double* y);
  const State& state() const { return state_; }  ///< the last one
  const State& state_at_start() { return state_of(step.t, step.y.data()); }
  const State& state_at_end() { return state_of(step.t_new, step.y_new.data()); }
  /// Inside the step at hand, not projected.
  const State& state_between(double t);
  StateView view_of(double t, const std::vector<double>& y) const {
    return {t,
            {y.data(), static_cast<std::size_t>(flow.coordinates())},
            {y.data() + flow.coordinates(), static_cast<std::size_t>(flow.velocities())}};
  }
  /// What is read inside a step is read with the mode it has.
  void use_modes_of(double t);
  Evaluation evaluate_at(const StateView& at) { return evaluate(system, at, modes.now(), work); }
  bool watches_switches() const { return !switches(system).empty() || modes.any(); }
  void switches_at(double t, const double* y, std::vector<double>& values);

  /// The polynomial of the step; false where there is none.
  bool interpolate();
  void read_polynomial(double t, double* y) const {
    step.polynomial.at((t - step.polynomial.t) / step.polynomial.h, y);
  }
  /// In parts of what is allowed; never less than rounding may add up to.
  double error_of_step() const;

  /// The names that a number of the state goes by; none for the work of the forces.
  std::vector<std::string> names_at(int entry) const;
  std::string what_of(int entry) const;
  /// Puts into words that the error was too large.
  void word_refusal();

  /// The run ends where it stands.
  void finish(Stop stop, const std::string& reason, std::vector<std::string> names = {});
  /// The same where equations have no solution.
  void stop_unsolved(double t);

 private:
  State state_;
  std::vector<double> between_;
};

}  // namespace vinculum
