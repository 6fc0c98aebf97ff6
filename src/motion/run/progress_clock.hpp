// Who waits for a run is told how far it is, and may end it.
#pragma once
#include <chrono>

#include "motion/run/course.hpp"

namespace vinculum {

class ProgressClock {
 public:
  explicit ProgressClock(Course& course)
      : course_(course), step_(course.step), options_(course.options), out_(course.out) {}

  /// Called after every attempt at a step; looks at the clock after sixteen of them, or after each where they
  /// take long. False where the run is to end.
  bool report();
  double seconds() const { return std::chrono::duration<double>(Clock::now() - began_).count(); }

 private:
  using Clock = std::chrono::steady_clock;

  Course& course_;
  Step& step_;
  const MotionOptions& options_;
  Trajectory& out_;
  Clock::time_point began_ = Clock::now(), reported_ = began_, looked_ = began_;
  int attempts_to_look_ = 1;  // at the clock
};

}  // namespace vinculum
