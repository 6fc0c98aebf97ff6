// A small moving picture of a motion: an SVG file that plays by itself in a browser or a README.
#pragma once
#include <string>

#include "vinculum/base/export.hpp"
#include "vinculum/report/view.hpp"

namespace vinculum {

struct PictureOptions {
  int width = 320, height = 240;  ///< in pixels; a flat motion takes less of the height, at least half
  double seconds = 0.0;  ///< one turn of the loop; 0: the time of the motion, kept within 2 s and 12 s
  int instants = 150;    ///< at most: fewer where there is much to draw, so that the file stays small
  std::string title;     ///< for those who cannot see it
};
VINCULUM_EXPORT std::string picture(const Frames& frames, const PictureOptions& options = {});

/// The same of a motion, with frames fine enough for smooth trails.
VINCULUM_EXPORT std::string picture(const Model& model, const View& view, const Trajectory& motion,
                                    const PictureOptions& options = {});

}  // namespace vinculum
