// A motion from its start on: what simulate() makes, one step after the other.
#pragma once
#include <optional>

#include "motion/run/run.hpp"

namespace vinculum {

class Motion {
 public:
  /// Takes the start to its constraints. An error where it is misuse.
  Motion(const System& system, const State& start, const MotionOptions& options,
         std::vector<StepPolynomial>* dense = nullptr);
  /// The run, at its start; none where there is no motion from there.
  Run* run() { return run_ ? &*run_ : nullptr; }
  /// Says what is to be said when it is over.
  Trajectory& end();

 private:
  const System& system_;
  Trajectory out_;
  std::optional<Run> run_;
};

}  // namespace vinculum
