// Studies on the command line.
#pragma once
#include <optional>

#include "cli/commands.hpp"

namespace vinculum::cli {

/// What varies: as the model says, and the command line beside it or instead. What cannot be meant is an
/// Error.
Study study_of(const Options& options, const EnsembleSettings& stated, const std::string& model_path);

/// The options by which a member is run by itself; what is wrong is told, and there are none.
std::optional<Options> said_of_member(const Options& options);

/// What the command line said of the motion, for files: `--until` = "3".
std::vector<std::pair<std::string, std::string>> settings_said(const Options& options);

}  // namespace vinculum::cli
