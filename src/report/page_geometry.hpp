// The constraints and their forces at the end of a motion, for the page.
#pragma once
#include <nlohmann/json.hpp>

#include "vinculum/motion/trajectory.hpp"

namespace vinculum {

/// Natures with their reasons, the split of the forces, which reactions are unique, the power of each, and
/// how many dimensions a force without work would leave open. Null where nothing was computed, or where the
/// system has more coordinates or rows than `limit`.
nlohmann::ordered_json geometry_part(const Model& model, const System& system, const Trajectory& motion,
                                     int limit);

}  // namespace vinculum
