// Coulomb friction at a state: which contacts stick, which slide, and how near they are to change.
#pragma once
#include "vinculum/base/export.hpp"
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

/// What is beyond its limit by no more than this part of it is at it: both are rounded sums.
inline constexpr double edge_of_limit = 1e-12;

/// The part of its limit that a contact which sticks has left; negative where it is beyond.
inline double left_of(const ContactState& c) {
  if (c.torn) return -1.0;
  return c.limit > 0 ? 1.0 + edge_of_limit - c.needed / c.limit : c.needed > 0 ? -1.0 : 0.0;
}

/// The constraints of a contact by name; or its law.
VINCULUM_EXPORT std::vector<std::string> names_of(const System& system, const ContactInfo& contact);

/// What was taken where the statement leaves it open: which force presses where not every constraint has one
/// of its own, and how the other side moves. "" where nothing is open.
VINCULUM_EXPORT std::string contact_text(const System& system, const ContactInfo& contact,
                                         const ContactState& state);

/// What the workspace takes each contact of its system for from now on; at first all are open.
VINCULUM_EXPORT void set_contacts(Workspace& work, const std::vector<ContactState>& contacts);
/// The contacts as the last evaluation of the equations found them: none is open.
VINCULUM_EXPORT const std::vector<ContactState>& contacts_of(const Workspace& work);

}  // namespace vinculum
