// Robots from their files: URDF, MJCF and SDF become models.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/io/read_model.hpp"

namespace vinculum {

/// What was not carried over, or was changed, in words.
struct Remark {
  Place place;
  std::string text;
};

/// A robot as a model file.
struct ImportedRobot {
  std::string toml;
  std::vector<Remark> remarks;
  std::vector<Place> origins;  ///< for each line of `toml` the place in the robot's file that it comes from
};
/// Either a robot or the faults of its file; also those that reading its model tells of.
struct ImportResult {
  std::optional<ImportedRobot> robot;
  std::vector<Fault> faults;
  std::vector<std::string> warnings = {};  ///< what reading its model warns of
};

struct ImportOptions {
  bool floating = false;  ///< URDF: the root link moves freely instead of being held to the ground
  bool includes = true;   ///< MJCF: other files of the robot's folder are read where it includes them
};

/// By the end of its name: .urdf, .sdf, .mjcf or .xml.
VINCULUM_EXPORT bool is_robot_file(const std::string& path);

/// The model of a robot, which can be read. Its format is told by its outermost element.
VINCULUM_EXPORT ImportResult import_robot(std::string_view text, const std::string& path,
                                          const ImportOptions& options = {});

/// A robot read as any model: faults have their places in the robot's file.
VINCULUM_EXPORT ReadResult read_robot(std::string_view text, const std::string& path,
                                      const Overrides& overrides, OpenNames open,
                                      std::vector<Remark>& remarks);

}  // namespace vinculum
