// What joints carry: force and torque at a point of space, instead of components over velocities.
#pragma once
#include <string>

#include "vinculum/analysis/check.hpp"

namespace vinculum {

/// Fills Instant::loads from its reactions; `numbers` is the model without parameters.
void describe_loads(const Model& numbers, const System& system, Instant& out);
/// A paragraph of the page, where there are joints.
void add_loads(std::string& page, const Instant& at);

}  // namespace vinculum
