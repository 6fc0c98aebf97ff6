// What the papers prove about one instant, with its numbers: the two fundamental principles, the virtual
// displacements, trials of the user's own, and the multipliers that one may choose instead.
#pragma once
#include <optional>
#include <string>
#include <utility>

#include "vinculum/analysis/check.hpp"
#include "vinculum/base/export.hpp"
#include "vinculum/equation/solve.hpp"

namespace vinculum {

/// v with A v = 0, and the work that the forces of the constraints do in it.
struct VirtualDisplacement {
  std::vector<double> v;
  double ideal = 0.0;     ///< v^T F^L: 0
  double nonideal = 0.0;  ///< v^T F^C: as much as
  double stated = 0.0;    ///< v^T C
};

/// The spaces of sections 1 and 3 of Jalnapurkar at this state: their dimensions.
struct Spaces {
  int states = 0;     ///< TQ: positions and velocities
  int held = 0;       ///< S in TQ: those at which the constraints hold
  int rows = 0;       ///< d phi, the covectors that span Theta
  int reactions = 0;  ///< tau* Theta: the constraint reaction 1-forms
};

struct Principles {
  /// None where M is singular, or the system too large to be read.
  std::optional<Proportionality> matrices;
  std::vector<double> scaled_deviation;  ///< z = M^1/2 (q'' - a); no entries without the matrices
  /// A basis, each with a 1 at a coordinate of its own that the others leave alone.
  std::vector<VirtualDisplacement> displacements;
  bool displacements_known = false;  ///< not where the system is too large
  std::optional<Spaces> spaces;      ///< none without rows of positions or velocities, or where too large
};
VINCULUM_EXPORT Principles principles_of(const System& system, const Instant& at);

/// Numbers by name, as a user gives them: "x=1, y=-2.5".
using Named = std::vector<std::pair<std::string, double>>;
/// A fault in the text is an error that says where.
VINCULUM_EXPORT Named read_named(const std::string& text);

/// What the principles say of numbers that are not the motion's: taken as accelerations (those not named are
/// the motion's own) and as displacements (those not named are 0).
struct Trial {
  std::vector<double> acceleration, displacement;
  std::vector<double> miss;  ///< A q'' - b of the trial, row by row
  bool keeps = false;        ///< and whether that is rounding
  double gaussian = 0.0;     ///< of the trial: G1 of the 1996 paper, (9)
  double above = 0.0;        ///< u^T M u with u = trial - q'': where it keeps the rows, G1 = G + this (12)
  double extended = 0.0;     ///< (q'' - a - M^-1 C)^T M (q'' - a - M^-1 C), (26) of Fan et al.
  std::vector<double> slip;  ///< A v, row by row
  bool is_virtual = false;   ///< and whether that is rounding
  double ideal = 0.0, nonideal = 0.0, stated = 0.0;  ///< v^T F^L, v^T F^C, v^T C
};
/// Names are those of coordinates or velocities (x, x', x''); an unknown one is an error with the nearest.
VINCULUM_EXPORT Trial try_out(const System& system, const Instant& at, const Named& numbers);

/// (22) of the 1996 paper for the h named by rows or constraints, 0 for the others.
VINCULUM_EXPORT std::vector<double> multipliers_for(const System& system, const Instant& at, const Named& h);
/// Of all multipliers that make the force, those with the least sum of weight * lambda^2; 1 for rows not
/// named.
VINCULUM_EXPORT std::vector<double> multipliers_by_weight(const System& system, const Instant& at,
                                                          const Named& weights);

/// What a user asks of an instant beside what it is.
struct Question {
  Named trial, h, weights;  ///< no entries: not asked
};
struct Answer {
  std::optional<Trial> trial;
  std::optional<std::vector<double>> family, weighted;  ///< multipliers, over rows
};
VINCULUM_EXPORT Answer answer(const System& system, const Instant& at, const Question& question);
/// A page to read.
VINCULUM_EXPORT std::string answer_page(const System& system, const Instant& at, const Answer& answer);

}  // namespace vinculum
