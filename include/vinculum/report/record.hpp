// Where a result comes from: what every file of results says about itself.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "vinculum/base/export.hpp"

namespace vinculum {

/// Units as they were told, by the names of what they belong to: for axes and files, never computed with.
struct VINCULUM_EXPORT Units {
  std::vector<std::pair<std::string, std::string>> told;
  /// Of a name, or of the vector it is a part of; "" where none was told.
  std::string of(const std::string& name) const;
  /// The vector a name is a part of: "p" of "p.x", "p'" of "p.x'"; "" where it is of none.
  static std::string vector_of(const std::string& name);
};

/// The model and the settings that made a result, so that a file explains itself.
struct RunRecord {
  std::string title, description;
  std::string path;     ///< of the model, as given
  std::string text;     ///< of the model, whole
  std::string version;  ///< of the program
  std::vector<std::pair<std::string, std::string>>
      settings;  ///< "until" = "10", "tolerance" = "1e-09", overrides
  Units units{};
};

}  // namespace vinculum
