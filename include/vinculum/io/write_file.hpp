// Files of results: written whole or not at all.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/motion/trajectory.hpp"
#include "vinculum/report/record.hpp"

namespace vinculum {

/// Writes beside the target, flushes to disk, then renames over it: a crash or a full disk leaves the old
/// file. What cannot be written is an error with path and reason.
VINCULUM_EXPORT void write_file(const std::string& path, std::string_view bytes);

/// Removes the partial files and folders beside a place that belong to runs which are gone: those whose
/// process, by number and start, is no more, and which nobody holds open. What it removed.
VINCULUM_EXPORT std::vector<std::string> sweep_partial(const std::string& path);

/// One line for each recorded instant under one line of names; a head of # lines says what it is (title,
/// model, version, how it ended, settings, units). Full precision: the shortest text that reads back to the
/// same number.
///     t | x | x' | x'' | force:x | nonideal:x | multiplier:rod | output:height | energy | work:impressed ..
///     | residual:rod | rank
VINCULUM_EXPORT void write_csv(const std::string& path, const System& system, const Trajectory& motion,
                               const RunRecord& record);

/// Whether the library was built with HDF5; without it what asks for such a file is an error that says so.
VINCULUM_EXPORT bool has_hdf5();

/// The same in HDF5, with the model's text, version, settings and names inside:
///     /time, /q, /v, /acceleration, /constraint_force, /nonideal_force, /multipliers, /outputs, /energy,
///     /work, /residual, /rank      one row for each recorded instant, attribute `names` for the columns
///     /events, /rank_changes, /notes, /settings
///     attributes of /       title, description, model_path, model, version, format, status, reason, names,
///     complete
VINCULUM_EXPORT void write_hdf5(const std::string& path, const System& system, const Trajectory& motion,
                                const RunRecord& record);

}  // namespace vinculum
