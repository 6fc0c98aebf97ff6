// The start that leads to a given end: velocities, and in vakonomic motion mu, found by shooting.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {

struct BoundaryProblem {
  /// Coordinates or velocities, and what they are to be at `until`.
  std::vector<std::pair<std::string, double>> end;
  /// What may be changed at the start: velocities and mu(row), by name. None: the mu where there are as many
  /// of them as conditions, else all velocities, too.
  std::vector<std::string> free;
  /// The ends may be missed by this part of how far the motion found goes, at most.
  double tolerance = 1e-8;
  int most_motions = 2000;  ///< to be computed on the way; some seconds of them at most
};

struct BoundaryStart {
  bool found = false;
  bool cancelled = false;
  State start;                                      ///< the nearest to what was asked, where none was found
  std::vector<std::pair<std::string, double>> end;  ///< as asked
  /// What was free, and its value there.
  std::vector<std::pair<std::string, double>> values;
  double miss = 0.0;  ///< of the condition that is missed most, in its units
  std::string worst;  ///< its name
  int motions = 0;
  std::string text;  ///< all of it in a sentence
};

/// The miss of a motion that was computed from a start found, in its place and in words.
VINCULUM_EXPORT void judge_end(const System& system, const Trajectory& motion, BoundaryStart& start);

/// Newton's method on the motion as a function of its start, from `start` on, which also names the branch: a
/// boundary problem may have several solutions, or none. Where the way is too far, the end is moved there in
/// parts; where that leads nowhere, starts around the one given are tried. Names that do not exist are
/// errors.
VINCULUM_EXPORT BoundaryStart find_start(const System& system, const State& start,
                                         const MotionOptions& options, const BoundaryProblem& problem);

}  // namespace vinculum
