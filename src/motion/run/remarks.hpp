// What is to be said of a run when it has ended.
#pragma once
#include <string>
#include <vector>

#include "vinculum/system/norm_dependence.hpp"

namespace vinculum {

struct Course;

/// Counted along the way by whoever sees it.
struct Remarks {
  long careful_steps = 0;
  double nearest_when_careful = 1;  ///< to a singular position, over the careful steps
  long passed_steps = 0;            ///< made by dop853 in the place of the method at hand
  std::vector<std::string> passed;  ///< the same of methods before it, in words
  long evasions = 0;                ///< of a singular position
  long noisy_steps = 0;  ///< whose errors may be larger than the tolerance, because forces are rounded so
  double noisiest = 0;
  bool end_not_projected = false;
  std::vector<NormDependence>
      dependences;                    ///< laws that read shares of forces which are a matter of the norm
  std::vector<std::string> pressing;  ///< and what frictions take instead
};

/// Puts into words what dop853 did in the place of the method at hand, which is about to change.
void tell_of_passed_steps(Course& course);

/// The notes of the trajectory.
void write_notes(Course& course);

}  // namespace vinculum
