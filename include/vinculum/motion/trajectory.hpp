// A computed motion: what was recorded along it, what happened on the way, and why it ended.
#pragma once
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/motion/assemble.hpp"
#include "vinculum/motion/integrator.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

/// Why a motion ended.
enum class Stop {
  end,             ///< the time asked for was reached
  event,           ///< an event that stops
  start,           ///< the start breaks its constraints; nothing was integrated
  step_too_small,  ///< the tolerance cannot be met: a singularity, or a constraint that cannot be kept
  not_finite,      ///< a force, mass or constraint is not a finite number
  contradicting,   ///< constraints that cannot hold together
  singular,        ///< M and A do not determine the acceleration
  step_limit,      ///< the number of steps allowed is used up
  cancelled,       ///< by the caller
};
VINCULUM_EXPORT std::string_view stop_name(Stop stop);

/// Energy is v.dL/dv - L, or 1/2 v^T M v plus potentials; work is what was integrated along the motion.
struct Work {
  double impressed = 0.0;   ///< of stated forces
  double constraint = 0.0;  ///< of ideal constraint forces: not zero where constraints move or are affine
  double nonideal = 0.0;
  double explicit_time = 0.0;  ///< of potentials, masses and Lagrangians that change with time themselves
  double control = 0.0;        ///< of the control forces of programmes
  double total() const { return impressed + constraint + nonideal + explicit_time + control; }
};

/// One recorded instant. Spans point into the trajectory.
struct Sample {
  double t = 0.0;
  std::span<const double> q, v, acceleration, constraint_force, nonideal_force, multipliers, outputs;
  std::span<const double> control_force;  ///< the part of constraint_force that programmes ask for
  std::span<const double> residual;  ///< of every constraint: the largest of |phi| and |phi'| over its rows
  double energy = 0.0;
  Work work;  ///< since the start
  int rank = 0;
};

/// A zero of an event's expression.
struct EventRecord {
  std::string name;
  double time = 0.0;
  bool rising = false;
  bool touches = false;  ///< it comes to zero and goes back to the side it came from
  State state;
};

/// The rank of A changed at this time, for an instant (the motion passed a singular position) or for good.
struct RankChange {
  double time = 0.0;
  int before = 0, at = 0, after = 0;
  std::vector<std::string> constraints;  ///< those that depend on each other there
};

/// The friction of a constraint began to hold, or to slide.
struct GripChange {
  double time = 0.0;
  std::string constraint;
  bool sticks = false;
};

/// What a programme took.
struct ControlRecord {
  std::string constraint;
  double largest_force = 0.0, largest_force_time = 0.0;  ///< Euclidean norm over the velocities it drives
  double largest_power = 0.0, largest_power_time = 0.0;  ///< by size
  double miss_start = 0.0, miss_end = 0.0;               ///< |phi| of the programme as stated
};

/// The worst miss of one constraint over all accepted states, in the units of its equation.
struct WorstResidual {
  double position = 0.0, velocity = 0.0, acceleration = 0.0;
};

/// Coordinates at some of the accepted states of a motion, in its order: all of them in a short motion, every
/// second, fourth, ... in a longer one, so that their number stays bounded. The end is not among them.
class VINCULUM_EXPORT Waypoints {
 public:
  int size() const { return static_cast<int>(times_.size()); }
  const std::vector<double>& times() const { return times_; }
  std::span<const double> q(int i) const {
    return std::span(data_).subspan(static_cast<std::size_t>(i) * width_, width_);
  }
  /// The motion comes by here: the place is kept, or passed over.
  void pass(double t, std::span<const double> q);

 private:
  std::size_t width_ = 0, most_ = 0;
  long stride_ = 1, passed_ = 0;
  std::vector<double> times_, data_;
};

/// What a second computation says about a motion: another method, a tighter tolerance, other steps. "Digits"
/// are decimal digits of a coordinate on which both agree, against its size (docs/accuracy.md), rounded down.
struct Verification {
  enum class Outcome {
    not_made,   ///< `text` says why
    compared,   ///< up to the end
    cut_short,  ///< the second computation ended before; `text` says why
  };
  Outcome outcome = Outcome::not_made;
  std::optional<Integrator> integrator;  ///< of the second computation; none where it was not made
  double tolerance = 0.0;
  std::vector<int> digits;     ///< of every stated coordinate, at the end; none where not compared
  double trusted_until = 0.0;  ///< until then every coordinate has three digits or more
  std::vector<double> times;   ///< compared instants
  std::vector<std::vector<double>> agreement;  ///< digits of every stated coordinate at them, with fractions
  std::string events;             ///< how events differ until `trusted_until`; "" where they agree
  double event_difference = 0.0;  ///< the largest, of the times of events until then
  std::string grips;              ///< how friction sticks and slides otherwise until then, likewise
  double grip_difference = 0.0;
  bool doubtful = false;  ///< it warns: fewer than three digits somewhere, other events or other rests
  std::string text;       ///< all of it in a sentence or two
};

/// The method that made the steps from a time on, and why it was taken there; "" where the run began.
struct MethodUse {
  double from = 0;
  Integrator integrator = Integrator::dop853;
  std::string why;
};

class VINCULUM_EXPORT Trajectory {
 public:
  explicit Trajectory(const System& system);
  Trajectory();

  // --- Recorded instants, in the order of the motion: all, or some evenly chosen ones (keep_at_most).
  int size() const { return static_cast<int>(times_.size()); }
  bool empty() const { return times_.empty(); }
  Sample operator[](int i) const;
  Sample back() const { return (*this)[size() - 1]; }
  const std::vector<double>& times() const { return times_; }
  State state(int i) const;
  long recorded() const { return recorded_; }  ///< all of them

  // --- What happened on the way.
  std::vector<EventRecord> events;
  std::vector<RankChange> rank_changes;
  std::vector<GripChange> grip_changes;
  std::vector<ControlRecord> controls;  ///< one for each programme
  std::vector<WorstResidual> worst;     ///< of every constraint
  std::vector<PassedOver> passed_over;  ///< rows that were, with the widest gap over all accepted states
  Waypoints waypoints;                  ///< whatever was asked to be recorded
  std::vector<std::string>
      norm_dependent;              ///< constraints by whose shares of least norm the motion is what it is
  std::vector<std::string> notes;  ///< every fallback, and every change made to what was asked

  // --- How it ended.
  Stop stop = Stop::end;
  std::string reason;              ///< one sentence with time and names
  std::vector<std::string> names;  ///< constraints, coordinates or events that it is about
  double energy_start = 0.0, energy_end = 0.0;
  Work work;
  double drift() const { return energy_end - energy_start - work.total(); }
  State first;  ///< where it began, on its constraints
  State last;   ///< the state reached

  Verification verification;  ///< for whoever calls verify() to keep its answer

  // --- What it took.
  std::vector<MethodUse> methods;  ///< in the order of the motion
  long steps = 0, rejected = 0, evaluations = 0;
  double seconds = 0.0;

  /// Appends an instant: for those who record.
  void append(const Sample& sample);
  void reserve(int samples);
  /// From here on holds no more than this many instants (two or more): where another would not fit, every
  /// second one goes, and of those to come as many. The last one is always there.
  void keep_at_most(int samples);

 private:
  void drop_last();
  void drop_every_second();
  std::vector<int> offset_;  // where each part of a sample begins in its row of data_
  std::vector<double> times_, data_;
  std::vector<int> rank_;
  long recorded_ = 0;
  long every_ = 1;  // of the recorded ones is held: those whose number it divides, and the last
  int most_ = 0;    // 0: all
};

}  // namespace vinculum
