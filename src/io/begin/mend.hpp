// A start moved onto its constraints.
#pragma once
#include <string>
#include <vector>

#include "vinculum/io/read_model.hpp"
#include "vinculum/motion/assemble.hpp"

namespace vinculum {

AssembleOptions repair_of(const SimulateSettings& settings, std::vector<std::string> fixed);
/// What was to be held and could not be is an Error.
void require_held(const Assembly& assembly, const AssembleOptions& repair);
Assembly mended(const System& system, const State& start, const AssembleOptions& repair);

}  // namespace vinculum
