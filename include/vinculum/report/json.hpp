// Results as JSON: one object for each command, by the contract of docs/manual.md.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/analysis/derive.hpp"
#include "vinculum/analysis/principles.hpp"
#include "vinculum/base/export.hpp"
#include "vinculum/motion/boundary.hpp"
#include "vinculum/motion/compare.hpp"

namespace vinculum {

// Every number reads back to the same bits; what is not finite, or was not computed, is null.

/// How a motion ended, in the words of the contract: stop_name(), where a limit of steps is a matter of the
/// step.
VINCULUM_EXPORT std::string_view status_word(Stop stop);

/// What was asked of a run beside its motion; null: not asked.
struct BesideRun {
  const BoundaryStart* boundary = nullptr;
  const Comparison* comparison = nullptr;
};

/// `run --json`. `motion` has at least its last sample recorded where anything was computed. Outputs name.x,
/// name.y, name.z, as Model::output makes them of a vector, are one list.
VINCULUM_EXPORT std::string run_json(const System& system, const Trajectory& motion,
                                     const std::string& model_path, const BesideRun& beside = {});

/// `explain --json` of one instant. Matrices are lists of rows; of more than a million entries they are
/// {rows, columns, row, column, value} with the entries that may differ from zero.
/// `stopped`: the motion that ended before the instant asked for; it then says why. `notes`: what was said on
/// the way to the instant. `answer`: what was asked of the instant beside.
VINCULUM_EXPORT std::string explain_json(const System& system, const Instant& instant,
                                         const Trajectory* stopped = nullptr,
                                         const std::vector<std::string>& notes = {},
                                         const Answer& answer = {});

/// `check --json`.
VINCULUM_EXPORT std::string check_json(const System& system, const CheckReport& report);

/// `derive --json`: the text and its format.
VINCULUM_EXPORT std::string derive_json(DeriveFormat format, const Derivation& page);

}  // namespace vinculum
