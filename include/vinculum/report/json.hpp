// Results as JSON: one object for each command, by the contract of docs/manual.md.
#pragma once
#include <string>
#include <vector>

#include "vinculum/analysis/check.hpp"
#include "vinculum/motion/trajectory.hpp"

namespace vinculum {

/// `run --json`. `motion` has at least its last sample recorded where anything was computed.
std::string run_json(const System& system, const Trajectory& motion, const std::string& model_path);

/// `explain --json` of one instant.
std::string explain_json(const System& system, const Instant& instant);

/// `check --json`.
std::string check_json(const System& system, const CheckReport& report);

}  // namespace vinculum
