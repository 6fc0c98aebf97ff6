// Laws that read a share of a force of which only the sum is determined.
#pragma once
#include <string>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

/// Where rows depend on each other, how they share their force is a choice: that of the least norm. A law
/// that reads such a share makes the motion depend on the choice.
struct NormDependence {
  std::string law;  ///< "the non-ideal force on 'x'", "the friction of 'table'", "event 'slips'"
  std::vector<std::string> reads;    ///< the constraints whose share it reads
  std::vector<std::string> sharing;  ///< those they share with
  bool certain = true;               ///< false: too many rows to tell, it may be so
};

/// The laws that would give another motion for other multipliers that make the same force: non-ideal forces,
/// frictions and events that stop. Looked at with the velocities of the state, and with others, since a law
/// may be silent at rest.
VINCULUM_EXPORT std::vector<NormDependence> norm_dependences(const System& system, const StateView& at);

/// One sentence on each; and all names in them, each once.
VINCULUM_EXPORT std::string describe(const NormDependence& dependence);
VINCULUM_EXPORT std::vector<std::string> names_of(const std::vector<NormDependence>& dependences);

}  // namespace vinculum
