// All that a motion of a small system asks for, written out: for who steps many of them somewhere else.
#pragma once
#include <string>
#include <vector>

#include "system/compile/state_function.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

/// One number that is looked at along a motion.
struct Look {
  enum Of { coordinate, velocity, output, energy, time, event } of = coordinate;
  int index = 0;
};

/// Functions of a state whose outputs are all written. The last output of those marked so is 1 where the
/// answer is good: rows are independent by far, and hold to rounding; elsewhere it is another number.
struct WrittenMotion {
  /// What is in the way goes to `obstacles`, each with its name; then there is nothing else.
  explicit WrittenMotion(const System& system);
  std::vector<std::string> obstacles;

  StateFunction motion;  ///< accelerations, multipliers; good
  StateFunction rates;   ///< q' of every coordinate
  /// Of a state beside its constraints: what to change velocities by, or places along velocities, so that it
  /// meets them as they look there; good. Empty where nothing holds.
  StateFunction places, velocities;
  std::vector<int> angles;  ///< coordinates that are known from the others but for full turns ...
  StateFunction turned;     ///< ... and what these say of them
};

/// Values along a motion: accelerations and multipliers are inputs like the state. What cannot be had so goes
/// to `obstacles`.
StateFunction written_looks(const System& system, std::span<const Look> looks,
                            std::vector<std::string>& obstacles);
bool reads_solution(const StateFunction& function);

/// The numbers that the function has as inputs beside a state, with the parameters of this system.
std::span<const double> living_numbers(const System& system, const StateFunction& function);

/// Coordinates and velocities that are told in one unit and have one size: of each, by its number.
struct KinGroups {
  std::vector<int> of_coordinate, of_velocity;
  int count = 0;
};
KinGroups kin_groups(const System& system);

}  // namespace vinculum
