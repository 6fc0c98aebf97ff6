// The step at hand.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "motion/assemble/project.hpp"
#include "motion/steppers/polynomial.hpp"
#include "motion/steppers/stepper.hpp"

namespace vinculum {

/// Why a step was refused last. Steps are refused all along: the text and most names are found when a run
/// ends there, by Course::word_refusal.
struct Refusal {
  enum class Cause { none, told, error, rows };
  Cause cause = Cause::none;
  std::string_view told;
  int worst = -1;            ///< the number of the state to be named
  Projection missed;         ///< by rows; the one that misses most is to be named where no number is
  bool jumps = false;        ///< these ask for a jump
  bool contradicts = false;  ///< because constraints cannot hold together
  std::string text;
  std::vector<std::string> names;

  void forget_names() {
    worst = missed.row = -1;
    names.clear();
  }
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
