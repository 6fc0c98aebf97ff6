// A view on paper: instants equally spaced in time, places in pixels.
#pragma once
#include <array>
#include <string>
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

using Direction = std::array<double, 3>;

/// From space to a plane: how far right, and how far up. Linear.
struct Projection {
  Direction right{}, up{};
  Pixel operator()(const double* p) const {
    return {right[0] * p[0] + right[1] * p[1] + right[2] * p[2],
            -(up[0] * p[0] + up[1] * p[1] + up[2] * p[2])};
  }
  Direction toward_viewer() const;
};

/// A part of a solid as it is seen: a path whose commands are the same at all instants.
struct Piece {
  enum class Ink {
    face,  ///< filled, with an outline
    mark,  ///< a thin line on a face, so that turning is seen
    bar,   ///< a line as thick as the solid
  };
  std::string commands;  ///< of PathText::shape
  Mover at;
  Ink ink = Ink::face;
  int shade = 0;       ///< 0, 1 or 2: the higher the darker
  double width = 0.0;  ///< of a bar
};
struct SolidOnPaper {
  int colour = 0;  ///< the number of its body
  bool of_inertia = false;
  double nearness = 0.0;  ///< to the viewer, on the average over the motion
  bool quick = false;  ///< turns so far from one instant to the next that straight lines between them mislead
  std::vector<Piece> pieces;
  Mover centre;  ///< with its trail
};
struct JointOnPaper {
  JointType type = JointType::spherical;
  Mover at;                  ///< 2 places: the joint's point on the first part and on the second
  std::vector<Pixel> along;  ///< the axis, at most 1 long
};

struct Scene {
  static constexpr int finer = 4;
  int instants = 0;
  double seconds = 0.0;  ///< one turn of the loop
  int height = 0;        ///< of the paper: less than asked for where the motion is flat
  std::vector<Mover> points, links, curves, arrows;  ///< arrows: from, to
  std::vector<Mover> torques;                        ///< arcs of `arc_places` places, turning the way they go
  std::vector<SolidOnPaper> solids;                  ///< from far to near
  std::vector<JointOnPaper> joints;
  std::vector<std::pair<Pixel, Pixel>> floor;  ///< lines of a grid under a motion in space
};

/// Corners of a spring, both ends included.
inline constexpr int zigzag_places = 16;
/// Corners of the arc of a torque, three quarters of a turn.
inline constexpr int arc_places = 13;
/// Of more torques than this none is drawn: their arcs would hide the mechanism.
inline constexpr std::size_t most_arcs = 12;
/// Many springs are drawn as plain lines: their zigzags would be smaller than a line is wide.
inline constexpr std::size_t most_zigzags = 8;

/// The pieces of a solid whose pose is given by 7 numbers for each instant; what is never seen is left out.
std::vector<Piece> pieces_of(const Frames::Solid& solid, const std::vector<double>& pose,
                             const Projection& projection);

/// About how many characters of a path an instant of the solid takes.
double characters_of(const Frames::Solid& solid, bool planar, bool details);

/// Of more bodies or joints than this only the plain shapes are drawn: edges of bars and marks of joints
/// would be smaller than a line is wide.
inline constexpr std::size_t most_details = 30;

Scene scene_of(const Frames& frames, const PictureOptions& options);

/// Whether a thing moves enough to be seen.
bool moves(const Mover& thing);

}  // namespace vinculum
