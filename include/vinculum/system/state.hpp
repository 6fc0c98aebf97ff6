// Where a system is, and what holds it there.
#pragma once
#include <cmath>
#include <span>
#include <vector>

#include "vinculum/base/export.hpp"

namespace vinculum {

/// Where the system is: time, coordinates, velocities. The two may differ in number; q' = N(q) v.
struct State {
  double t = 0.0;
  std::vector<double> q;
  std::vector<double> v;
};

/// The same where it lies.
struct StateView {
  StateView(double time, std::span<const double> coordinates, std::span<const double> velocities)
      : t(time), q(coordinates), v(velocities) {}
  StateView(const State& state) : StateView(state.t, state.q, state.v) {}  // NOLINT: a state is one
  State copy() const { return {t, {q.begin(), q.end()}, {v.begin(), v.end()}}; }

  double t;
  std::span<const double> q, v;
};

enum class Grip {
  open,    ///< decided by the state: what is at rest sticks if it can, what is in motion slides
  sticks,  ///< held by whatever force that takes
  slides,
};

/// A friction as it is taken, or was found to be.
struct FrictionState {
  Grip grip = Grip::open;
  std::vector<double>
      direction;  ///< unit, over its velocities: where it slides from rest; empty: to be found
  /// It slides out of its rest as its load grows, and its velocity is too young to tell a direction: friction
  /// is against the force that would hold it.
  bool leaving = false;
  double limit = 0.0;   ///< sum of mu |force(c)|, with the forces of the ideal problem
  double needed = 0.0;  ///< while it sticks: the friction that holds it
  bool torn = false;    ///< taken to stick, but rows move it and no friction holds it
  // Where rows depend on each other and not every constraint has a force of its own:
  std::vector<int> together =
      {};  ///< constraints with friction that press on the same thing: their total counts
  std::vector<int> handed_over =
      {};  ///< constraints without friction whose force counts as that of those with it
  std::vector<int> chosen =
      {};  ///< constraints that share the force by a choice of norm; none where it is determined
};

/// A switch that the motion can stay on, as it is taken, or was found to be.
struct SwitchState {
  Grip grip = Grip::open;  ///< sticks: the motion stays on it; slides: the forces are those stated
  int side = 0;            ///< slides: on this side of it, whatever rounding says; 0: where the state is
  bool on = false;         ///< open: the state is on the switch, whatever rounding says
  double share = 0.0;      ///< sticks: the part of the side g > 0 in the forces
  /// sticks: how fast g would grow by the forces of g < 0 alone, and shrink by those of g > 0 alone. It lets
  /// go where one of them is negative: that side no longer pushes to the switch.
  double from_below = 0.0, from_above = 0.0;
  std::vector<double> jump = {};  ///< found: of the acceleration, from g < 0 to g > 0; empty where not asked

  /// What is left before it lets go: positive as long as both sides push, zero where one ceases to, and
  /// smooth (the function of Fischer and Burmeister). The share may pass 0 and 1 without that, where both
  /// cease.
  double left() const { return from_below + from_above - std::hypot(from_below, from_above); }
  /// Where the motion goes when it lets go: the side that the stronger push leads to.
  int way_out() const {
    return (std::fabs(from_below) > std::fabs(from_above) ? from_below : -from_above) < 0 ? -1 : 1;
  }
};

/// What a state does not tell by itself: which frictions hold, on which side of its switches it is, and which
/// rows are left to the others. A mode that says nothing leaves all of it open. What an evaluation finds is a
/// mode as well, in which nothing is open.
struct Mode {
  std::vector<FrictionState> frictions;  ///< one for each pair of System::frictions(), or none
  std::vector<SwitchState> switches;     ///< one for each switch a motion can stay on, or none
  /// Rows that depend on the others and stay out, for motions along which rows depend on each other all the
  /// time: one flag for each row, or none. Evaluations inside a step take it so (SolveOptions::within_step);
  /// elsewhere a solve looks at all rows, and says which depend on which.
  std::vector<char> left_out;
  /// Rows of order 0 that the run passes over, because they follow from the others but for the noise of a
  /// drawing: they ask for nothing, in no evaluation and no correction (their rows of A and b are zero), and
  /// whoever passes over them watches how far they open. One flag for each row, or none.
  std::vector<char> passed_over;
};

}  // namespace vinculum
