// What is kept of a member: some numbers of its motion, by name.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {

/// One number of a motion.
struct Kept {
  std::string name;  ///< as it was asked for: "x", "tension.max", "impact.time"
  enum class Of { coordinate, velocity, output, energy, time, event, nothing } of = Of::coordinate;
  enum class How {
    end,      ///< the value at the end
    max,      ///< the largest along the motion, also between its steps
    min,      ///< the smallest
    mean,     ///< over time
    instant,  ///< of an event: when it came first; not a number where it did not
    count,    ///< of an event: how often it came
    at,       ///< the value at an instant; not a number where the motion does not get there
    samples,  ///< the whole trajectory: a study puts its instants in this place
  } how = How::end;
  int index = 0;         ///< of the coordinate, velocity, output or event
  double instant = 0.0;  ///< of How::at
};

/// What names ask for: a coordinate, a velocity (x'), an output, `energy` or `t` is its value at the end;
/// with .max, .min and .mean that along the motion, with @0.5 that at the instant 0.5; EVENT.time and
/// EVENT.count. Another name is an error with the nearest one.
VINCULUM_EXPORT std::vector<Kept> kept_of(const System& system, std::span<const std::string> names);
/// What is kept where nothing is asked for: the outputs at the end, or coordinates and velocities where there
/// are none.
VINCULUM_EXPORT std::vector<std::string> kept_unless_said(const System& system);

/// The parts of "x@0.5"; of a name without an instant nothing.
struct AtInstant {
  std::string name;
  double instant;
};
VINCULUM_EXPORT std::optional<AtInstant> at_instant(std::string_view name);
/// What a name asks the whole trajectory of, x of "x.samples"; of another name nothing.
VINCULUM_EXPORT std::optional<std::string> sampled(std::string_view name);
/// In place of "x.samples" the values of x at these instants: "x@0", "x@0.1", ..
VINCULUM_EXPORT std::vector<std::string> with_samples(std::span<const std::string> names,
                                                      std::span<const double> instants);
/// Values of one quantity at instants, among what is kept.
struct KeptTrajectory {
  std::string name;
  std::vector<std::size_t> places;
  std::vector<double> instants;
};
VINCULUM_EXPORT std::vector<KeptTrajectory> kept_trajectories(std::span<const std::string> kept);
/// The places of what people are told one by one: of a trajectory of many instants its ends.
VINCULUM_EXPORT std::vector<std::size_t> told_one_by_one(std::span<const std::string> kept);

/// So many instants of a motion, evenly from its start to its end: those that run records.
VINCULUM_EXPORT std::vector<double> even_instants(double from, double until, int count);

/// Gathers them for one motion. Numbers along it are found from what the steps say between their ends; where
/// a curve has corners, or bends much in one step, it is looked at more closely.
class VINCULUM_EXPORT Keeper {
 public:
  explicit Keeper(std::vector<std::string> names);
  ~Keeper();
  Keeper(Keeper&&) noexcept;
  Keeper& operator=(Keeper&&) noexcept;

  /// For the next motion, one of this system: has it looked at where that is needed. The keeper must outlive
  /// the motion. What the system has not is no number.
  void follow(const System& system, MotionOptions& motion);
  /// Something of its events is kept.
  bool keeps_events() const;
  /// What is kept of the motion followed, which must have its end recorded.
  void gather(const Trajectory& motion, std::span<double> out) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vinculum
