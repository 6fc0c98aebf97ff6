// One start, two principles: d'Alembert's motion and the vakonomic one side by side.
#pragma once
#include <string>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {

/// The motion by one principle.
struct ByPrinciple {
  System system;
  Trajectory motion;    ///< recorded at the instants asked for, at 201 where none are
  double action = 0.0;  ///< the integral of L along it; not a number where that could not be had
};

/// How far both are from each other in a coordinate at most, at the instants recorded of both.
struct Apart {
  std::string name;
  double most = 0.0, time = 0.0;
};

struct Comparison {
  ByPrinciple dalembert, vakonomic;
  std::vector<Apart> apart;  ///< of every stated coordinate
  /// No row is on velocities: the constraints leave no choice between the principles.
  bool must_agree = false;
  std::vector<std::string> notes;  ///< what has no part in L; what mu was taken where none was stated
};

/// The model again by the principle it does not state; a mu that is not stated starts at 0. An error for a
/// model that has no other: without mechanics, or with laws for d'Alembert's reactions.
VINCULUM_EXPORT Model by_other_principle(const Model& model);

/// Both motions of a model from one start, whichever of them it states. `start` is a state of its own system:
/// in vakonomic motion with mu.
VINCULUM_EXPORT Comparison compare_principles(const Model& model, const State& start,
                                              const MotionOptions& options);

}  // namespace vinculum
