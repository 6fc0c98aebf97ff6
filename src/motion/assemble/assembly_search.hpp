// What stands in the way of a consistent state.
#pragma once
#include <string>
#include <vector>

#include "vinculum/system/system.hpp"

namespace vinculum {

/// What is kept as it is, over velocities; empty: nothing.
struct Masks {
  std::vector<char> position, velocity;
};

/// The state with every number that may move (over velocities) moved by another part of `size`, orientations
/// included; velocities as well where that is asked.
State moved_aside(const System& system, const State& state, const std::vector<char>& position,
                  const std::vector<char>& velocity, double size, Workspace& work);

/// Constraints that contradict each other for certain: a combination of their equations is a number other
/// than zero, at this state and at others far from it. Empty where none is.
std::vector<std::string> certain_contradiction(const System& system, const State& state, Workspace& work,
                                               bool of_velocity, const Masks& masks);

/// From a state downhill to where the squares of all misses in positions have the least sum, by the steps of
/// Levenberg and Marquardt.
State least_open(const System& system, State at, Workspace& work, const Masks& masks);

}  // namespace vinculum
