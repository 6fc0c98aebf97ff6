// From options to a model, in parts.
#pragma once
#include <optional>

#include "cli/commands.hpp"

namespace vinculum::cli {

/// What is wrong with them is said, and they are not good: no value, or false.
std::optional<Overrides> overrides_of(const Options& options);
bool settings_are_fine(const Options& options);
bool has_its_step(const SimulateSettings& settings);
bool says_until_when(const SimulateSettings& settings, const std::string& model);
std::optional<ModelFile> read_model_file(const Options& options, const Overrides& overrides);

/// What the command line says instead of the file.
void apply_settings(const Options& options, SimulateSettings& settings);
/// The parameters that --set changes: a run keeps them as such, so that a member of a study that varies them
/// is the same motion to the bit.
std::vector<std::string> living_of(const ModelFile& file, const Overrides& overrides);
/// The file as it was read, with other values beside those of the command line.
using Reading = Family::Reading;
Reading reading_again(const Options& options, const Overrides& overrides);

}  // namespace vinculum::cli
