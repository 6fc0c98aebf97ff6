// Where a result comes from: what every file of results says about itself.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace vinculum {

/// The model and the settings that made a result, so that a file explains itself.
struct RunRecord {
  std::string title, description;
  std::string path;     ///< of the model, as given
  std::string text;     ///< of the model, whole
  std::string version;  ///< of the program
  std::vector<std::pair<std::string, std::string>>
      settings;  ///< "until" = "10", "tolerance" = "1e-09", overrides
};

}  // namespace vinculum
