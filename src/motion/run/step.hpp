// The step at hand.
#pragma once
#include <string>
#include <vector>

#include "motion/steppers/polynomial.hpp"
#include "motion/steppers/stepper.hpp"

namespace vinculum {

/// Why a step was refused last.
struct Refusal {
  std::string text;
  std::vector<std::string> names;
  bool of_error = false;     ///< for its error, which is not put into words yet
  bool contradicts = false;  ///< because constraints cannot hold together
};

/// From where the motion stands to where it is tried to go next.
struct Step {
  double t = 0;
  std::vector<double> y, f;  ///< where it begins, and f = y' there
  double t_new = 0;
  std::vector<double> y_new, f_new;  ///< where it ends
  double h = 0, h_next = 0;          ///< its length, and that of the one to try next
  Attempt attempt;
  int refusals = 0;
  Refusal refusal;
  StepPolynomial polynomial;  ///< what lies in between ...
  bool interpolated = false;  ///< ... where it was asked for
  /// What is watched, at both ends. (Switches that hold the motion, or may, stand behind those of forces.)
  std::vector<double> events, events_new, switches, switches_new;
};

}  // namespace vinculum
