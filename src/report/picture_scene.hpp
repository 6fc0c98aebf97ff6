// A view on paper: instants equally spaced in time, places in pixels.
#pragma once
#include <vector>

#include "vinculum/report/picture.hpp"

namespace vinculum {

struct Pixel {
  double x = 0.0, y = 0.0;  ///< y downward, as screens have it
};

/// One thing that moves over the paper.
struct Mover {
  std::vector<Pixel> at;  ///< at[instant * places + place]
  int places = 1;
  View::LinkKind kind = View::LinkKind::rod;
  std::vector<Pixel> trail;  ///< finer than the instants: `Scene::finer` places from one to the next
  const Pixel& operator()(int instant, int place = 0) const { return at[instant * places + place]; }
};

struct Scene {
  static constexpr int finer = 4;
  int instants = 0;
  double seconds = 0.0;  ///< one turn of the loop
  int height = 0;        ///< of the paper: less than asked for where the motion is flat
  std::vector<Mover> points, links, curves, arrows;  ///< arrows: from, to
  std::vector<std::pair<Pixel, Pixel>> floor;        ///< lines of a grid under a motion in space
};

/// Corners of a spring, both ends included.
inline constexpr int zigzag_places = 16;
/// Many springs are drawn as plain lines: their zigzags would be smaller than a line is wide.
inline constexpr std::size_t most_zigzags = 8;

Scene scene_of(const Frames& frames, const PictureOptions& options);

/// Whether a thing moves enough to be seen.
bool moves(const Mover& thing);

}  // namespace vinculum
