// Files of results: written whole or not at all.
#pragma once
#include <string>
#include <string_view>

#include "vinculum/motion/trajectory.hpp"
#include "vinculum/report/record.hpp"

namespace vinculum {

/// Writes beside the target, flushes to disk, then renames over it: a crash or a full disk leaves the old
/// file. What cannot be written is an error with path and reason.
void write_file(const std::string& path, std::string_view bytes);

/// One line for each recorded instant; a head of # lines says what it is (title, model, version, settings,
/// units). Full precision.
void write_csv(const std::string& path, const System& system, const Trajectory& motion,
               const RunRecord& record);

/// The same in HDF5, with the model's text, version, settings and names inside.
void write_hdf5(const std::string& path, const System& system, const Trajectory& motion,
                const RunRecord& record);

}  // namespace vinculum
