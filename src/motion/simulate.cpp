#include "vinculum/motion/simulate.hpp"

#include "motion/run/motion.hpp"

namespace vinculum {

Trajectory simulate(const System& system, const MotionOptions& options) {
  return simulate(system, system.start(), options);
}

Trajectory simulate(const System& system, const State& start, const MotionOptions& options) {
  return simulate(system, start, options, nullptr);
}

Trajectory simulate(const System& system, const State& start, const MotionOptions& options,
                    std::vector<StepPolynomial>* dense) {
  Motion motion(system, start, options, dense);
  if (Run* const run = motion.run()) run->go();
  return std::move(motion.end());
}

}  // namespace vinculum
