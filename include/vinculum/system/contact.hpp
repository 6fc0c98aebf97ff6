// Coulomb friction at a state: which contacts stick, which slide, and how near they are to change.
#pragma once
#include "vinculum/system/system.hpp"

namespace vinculum {

enum class Grip {
  open,    ///< decided by the state: a contact at rest sticks if it can, one in motion slides
  sticks,  ///< held at rest by whatever force that takes
  slides,
};

struct ContactState {
  Grip grip = Grip::open;
  std::vector<double>
      direction;        ///< unit, over its velocities: where it slides from rest; empty: to be found
  double limit = 0.0;   ///< sum of mu |force(c)|, with the forces of the ideal problem
  double needed = 0.0;  ///< while it sticks: the friction that holds it
  bool torn = false;    ///< taken to stick, but rows move it and no friction holds it
};

/// What is beyond its limit by no more than this part of it is at it: both are rounded sums.
inline constexpr double edge_of_limit = 1e-12;

/// The part of its limit that a contact which sticks has left; negative where it is beyond.
inline double left_of(const ContactState& c) {
  if (c.torn) return -1.0;
  return c.limit > 0 ? 1.0 + edge_of_limit - c.needed / c.limit : c.needed > 0 ? -1.0 : 0.0;
}

/// What the workspace takes each contact of its system for from now on; at first all are open.
void set_contacts(Workspace& work, const std::vector<ContactState>& contacts);
/// The contacts as the last evaluation of the equations found them: none is open.
const std::vector<ContactState>& contacts_of(const Workspace& work);

}  // namespace vinculum
