// Forces that jump where a velocity passes a value: the motion may stay there (Filippov's sliding).
#pragma once
#include <cmath>

#include "system/system_impl.hpp"
#include "vinculum/system/contact.hpp"

namespace vinculum {

/// Of all switches those a motion can stay on: they contain velocities, and stand in forces alone.
std::vector<SlidingSwitch> sliding_switches(const Model& model, const std::vector<Statement>& statements,
                                            const std::vector<Statement>& switching);

/// What a switch is taken for, or was found to be.
struct SwitchState {
  Grip grip = Grip::open;  ///< sticks: the motion stays on it; slides: the forces are those stated
  int side = 0;            ///< slides: on this side of it, whatever rounding says; 0: where the state is
  bool on = false;         ///< open: the state is on the switch, whatever rounding says
  double share = 0.0;      ///< sticks: the part of the side g > 0 in the forces
  /// sticks: how fast g would grow by the forces of g < 0 alone, and shrink by those of g > 0 alone. It lets
  /// go where one of them is negative: that side no longer pushes to the switch.
  double from_below = 0.0, from_above = 0.0;

  /// What is left before it lets go: positive as long as both sides push, zero where one ceases to, and
  /// smooth (the function of Fischer and Burmeister). The share may pass 0 and 1 without that, where both
  /// cease.
  double left() const { return from_below + from_above - std::hypot(from_below, from_above); }
  /// Where the motion goes when it lets go: the side that the stronger push leads to.
  int way_out() const {
    return (std::fabs(from_below) > std::fabs(from_above) ? from_below : -from_above) < 0 ? -1 : 1;
  }
};

/// The switches of one workspace. On a switch the forces are a mean of those on its two sides, each taken a
/// few hundred roundings beside it: the mean that keeps the switch at zero. The sides share M, A and b, so
/// the accelerations and the forces of constraints are the same mean.
class Sliding {
 public:
  explicit Sliding(const System& system);
  void take(const std::vector<SwitchState>& given);
  /// Whether the equations as stated are not those of the motion: it is on a switch.
  bool intervenes(double t, std::span<const double> q, std::span<const double> v);
  /// Replaces Q and C of w.equations, which holds the equations as stated at this state.
  void resolve(const System& system, double t, std::span<const double> q, std::span<const double> v,
               Workspace::Impl& w);
  /// What is left of an acceleration where the sides cancel is rounding, and no acceleration.
  void rest(std::vector<double>& acceleration) const;
  const std::vector<SwitchState>& as_found() const { return found_; }

  /// A switch at a state: its value, its rate of change, and what velocities as small as `rest` make of it.
  struct Course {
    double value, rate, rest;
  };
  Course course(int k, double t, std::span<const double> q, std::span<const double> v,
                std::span<const double> acceleration, std::span<const double> rest);

  /// The states beside the switches whose mean was taken last, if that was at this state; else none.
  struct Side {
    std::vector<double> q, v, Q, C, acceleration;
    double weight = 1.0;
  };
  std::span<const Side> sides(double t, std::span<const double> q, std::span<const double> v) const;

  /// Moves v onto the switches where `target` is 0 and beside those where it is 1 or -1, along the jumps of
  /// the acceleration: constraints let these pass. Others (`target` 2) stay. Where velocities do not tell
  /// (they hardly change the switch) it is left, by a few roundings of place and velocity, but not moved
  /// onto. True where the state was not there already.
  bool move(double t, std::span<double> q, std::span<const int> target, std::span<double> v);

 private:
  struct Look {                  // at a state
    double g = 0.0, rate = 0.0;  // rate: g' without accelerations
    double terms = 0.0;          // the sum of sizes of slope times velocity, and slope times place
    bool by_velocities = true;   // these make up enough of it
    std::vector<double> slope, slope_of_place;  // over its velocities and coordinates
  };
  struct Way {  // of the state
    std::vector<double> q, v;
  };
  Way way(int k, std::span<const double> q, std::span<const double> v) const;
  double change_along(int k, const Way& way) const;
  std::vector<double> parts_of(const std::vector<Way>& ways, std::span<const int> on,
                               const std::vector<double>& right) const;
  void look(int k, double t, std::span<const double> q, std::span<const double> v, Look& out);
  double slope_times(int k, std::span<const double> x) const;
  bool beside(double t, std::span<const double> q, std::span<const double> v, std::span<const int> on,
              std::span<const int> sign, double factor, Side& out);
  Side make_side(const System& system, double t, std::span<const double> q, std::span<const double> v,
                 std::span<const int> on, std::span<const int> sign, double factor, Workspace::Impl& w);
  bool jumps(const System& system, double t, std::span<const double> q, std::span<const double> v, int k,
             Workspace::Impl& w);
  int first_to_leave(const std::vector<int>& held) const;
  void weigh(const std::vector<int>& held);

  const std::vector<SlidingSwitch>& switches_;
  std::vector<SwitchState> given_, found_;
  std::vector<std::vector<double>> registers_;
  std::vector<Look> at_, beside_;
  std::vector<Side> sides_;
  std::vector<std::vector<double>> jump_;  // of the acceleration, from g < 0 to g > 0
  State sides_at_;
  Equations stated_;
  Solution solution_;
};

}  // namespace vinculum
