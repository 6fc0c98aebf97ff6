// Coulomb friction at a state: which pairs stick, which slide, and how near they are to change.
#pragma once
#include "vinculum/base/export.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

/// What is beyond its limit by no more than this part of it is at it: both are rounded sums.
inline constexpr double edge_of_limit = 1e-12;

/// The part of its limit that a pair which sticks has left; negative where it is beyond.
inline double left_of(const FrictionState& c) {
  if (c.torn) return -1.0;
  return c.limit > 0 ? 1.0 + edge_of_limit - c.needed / c.limit : c.needed > 0 ? -1.0 : 0.0;
}

/// The constraints of a pair by name; or its law.
VINCULUM_EXPORT std::vector<std::string> names_of(const System& system, const FrictionPair& pair);

/// What was taken where the statement leaves it open: which force presses where not every constraint has one
/// of its own, and how the other side moves. "" where nothing is open.
VINCULUM_EXPORT std::string friction_text(const System& system, const FrictionPair& pair,
                                          const FrictionState& state);

/// A force on a velocity that divides by a speed and is no such law.
struct SpeedDivision {
  std::string text;  ///< "the non-ideal force on 'x' divides by hypot(x', y')"
  int velocity = 0;
};
VINCULUM_EXPORT std::vector<SpeedDivision> laws_without_direction(const System& system);

}  // namespace vinculum
