// What --start says.
#pragma once
#include <string>
#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum::cli {

/// Says it in the model: where joints start, and other coordinates and velocities. The names of these, which
/// are to keep their values. What cannot be said is an Error.
std::vector<std::string> take_starts(const std::string& text, Model& model);

}  // namespace vinculum::cli
