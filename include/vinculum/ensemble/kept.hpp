// What is kept of a member: some numbers of its motion, by name.
#pragma once
#include <memory>
#include <span>
#include <string>
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
  } how = How::end;
  int index = 0;  ///< of the coordinate, velocity, output or event
};

/// What names ask for: a coordinate, a velocity (x'), an output, `energy` or `t` is its value at the end;
/// with .max, .min and .mean that along the motion; EVENT.time and EVENT.count. Another name is an error with
/// the nearest one.
VINCULUM_EXPORT std::vector<Kept> kept_of(const System& system, std::span<const std::string> names);
/// What is kept where nothing is asked for: the outputs at the end, or coordinates and velocities where there
/// are none.
VINCULUM_EXPORT std::vector<std::string> kept_unless_said(const System& system);

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
  /// What is kept of the motion followed, which must have its end recorded.
  void gather(const Trajectory& motion, std::span<double> out) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vinculum
