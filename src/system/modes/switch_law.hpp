// Forces that jump where a velocity passes a value: the motion may stay there (Filippov's sliding).
#pragma once
#include "system/system_impl.hpp"
#include "vinculum/system/friction.hpp"

namespace vinculum {

/// Of all switches those a motion can stay on: they contain velocities, and stand in forces alone.
std::vector<SlidingSwitch> sliding_switches(const Model& model, const std::vector<Statement>& statements,
                                            const std::vector<Statement>& switching);

/// The switches of one workspace. On a switch the forces are a mean of those on its two sides, each taken a
/// few hundred roundings beside it: the mean that keeps the switch at zero. The sides share M, A and b, so
/// the accelerations and the forces of constraints are the same mean.
class SwitchLaw {
 public:
  /// What it finds goes to `found`.
  SwitchLaw(const System& system, std::vector<SwitchState>& found);
  /// Whether the equations as stated are not those of the motion: it is on a switch.
  bool intervenes(const StateView& state, const Mode& mode);
  /// Replaces Q and C of w.equations, which holds the equations as stated at this state.
  void resolve(const System& system, const StateView& state, const Mode& mode, Workspace::Impl& w);
  /// What is left of an acceleration where the sides cancel is rounding, and no acceleration.
  void rest(std::vector<double>& acceleration) const;

  /// A switch at a state: its value, its rate of change, and what velocities as small as `rest` make of it.
  struct Course {
    double value, rate, rest;
  };
  Course course(int k, const StateView& state, std::span<const double> acceleration,
                std::span<const double> rest);

  /// The states beside the switches whose mean is taken at a state; none where it is on no switch.
  struct Side {
    std::vector<double> q, v, Q, C, acceleration;
    double weight = 1.0;
  };
  std::span<const Side> sides(const System& system, const StateView& state, const Mode& mode,
                              Workspace::Impl& w);

  /// Moves v onto the switches where `target` is 0 and beside those where it is 1 or -1, along these jumps of
  /// the acceleration: constraints let them pass. Others (`target` 2) stay. Where velocities do not tell
  /// (they hardly change the switch) it is left, by a few roundings of place and velocity, but not moved
  /// onto. True where the state was not there already.
  bool move(std::span<const std::vector<double>> jump, double t, std::span<double> q,
            std::span<const int> target, std::span<double> v);

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
  void find_way(int k, const StateView& state, Way& out) const;
  double change_along(int k, const Way& way) const;
  void find_parts(std::span<const int> on);
  void look(int k, const StateView& state, Look& out);
  double slope_times(int k, std::span<const double> x) const;
  bool beside(const StateView& state, std::span<const int> on, std::span<const int> sign, double factor,
              Side& out);
  void make_side(const System& system, const StateView& state, std::span<const int> on,
                 std::span<const int> sign, double factor, Workspace::Impl& w, Side& out);
  bool may_hold(int k) const;
  bool jumps(const System& system, const StateView& state, int k, Workspace::Impl& w);
  void decide(const System& system, const StateView& state, Workspace::Impl& w);
  void make_sides(const System& system, const StateView& state, Workspace::Impl& w);
  void take_mean(std::vector<double>& to, const std::vector<double>& stated,
                 std::vector<double> Side::* part) const;
  int first_to_leave() const;
  void weigh();
  Side& next_side();

  const std::vector<SlidingSwitch>& switches_;
  const std::vector<SwitchState> open_;  // a mode that says nothing
  std::span<const SwitchState> given_;   // by the mode at hand
  std::vector<SwitchState>& found_;
  std::vector<BoundFunction> functions_;  // of each switch
  std::vector<Look> at_, beside_;
  // What is known of the state looked at last. Memory is kept: `side_count_` of the sides are in use.
  std::vector<Side> sides_;
  std::size_t side_count_ = 0;
  State known_at_;
  std::vector<SwitchState> known_mode_;
  bool known_ = false;
  // Scratch.
  Side near_[2];  // below and above, of jumps()
  std::vector<int> on_, held_, sign_;
  std::vector<Way> ways_;
  std::vector<double> distance_, matrix_, right_, before_;
  Equations stated_;
  Solution solution_;
};

}  // namespace vinculum
