// Where a motion is told to start.
#pragma once
#include <string>
#include <vector>

#include "vinculum/analysis/principles.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum {

/// Says it in the model: where joints start, and other coordinates and velocities. The names of these, which
/// are to keep their values. What cannot be said is an Error.
std::vector<std::string> take_starts(const Named& starts, Model& model);

}  // namespace vinculum
