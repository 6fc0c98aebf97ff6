// What a picture of the motion shows, and its numbers along a trajectory.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "vinculum/model/model.hpp"
#include "vinculum/motion/trajectory.hpp"

namespace vinculum {

/// What to draw: expressions over the model's symbols (arrows may use multipliers and reactions).
struct View {
  struct Point {
    std::string name;
    Vector at;
    bool trail = true;
  };
  enum class LinkKind { rod, spring, line };
  struct Link {
    std::string name;
    Vector from, to;
    LinkKind kind = LinkKind::rod;
  };
  /// A wire, a hoop, a track: drawn through `points`, which may move.
  struct Curve {
    std::string name;
    std::vector<Vector> points;
  };
  /// A force at a place: drawn with one scale for all arrows.
  struct Arrow {
    std::string name;
    Vector at, along;
    /// Instead of `along`: the whole constraint force on these velocities, -1 for none. What is drawn without
    /// being asked is this, as recorded.
    std::array<int, 3> constraint_force_on = {-1, -1, -1};
  };
  std::vector<Point> points;
  std::vector<Link> links;
  std::vector<Curve> curves;
  std::vector<Arrow> arrows;
  /// The axis that points up on the picture: "x", "-x", ... "-z"; "" lets the model's gravity or the plane
  /// decide.
  std::string up;
  bool automatic = true;  ///< add what a model shows without being asked
};

/// The view as asked, and what a model shows without being asked: its particles; points made of plain
/// coordinates called x, y, z (also x1, y1, z1 and x_b, y_b, z_b; a missing axis is 0); rods where a
/// constraint keeps the distance of two of them, or of one from a place that is fixed or moves with time; the
/// constraint force on each point as an arrow. `up` is set where weight tells it.
View complete_view(const Model& model, const View& asked);

/// A view as numbers, instant by instant.
struct Frames {
  struct Track {
    std::string name;
    std::vector<double> xyz;  ///< 3 numbers for each instant and each place of the thing
    int places = 1;  ///< 1 for a point, 2 for a link or an arrow (from, to; at, along), more for a curve
    bool trail = false;
    View::LinkKind kind = View::LinkKind::rod;
  };
  std::vector<double> t;
  std::vector<int> sample;  ///< which sample of the trajectory each instant is
  std::vector<Track> points, links, curves, arrows;
  std::string up = "z";  ///< resolved: never empty
  bool planar = false;   ///< everything stays in one plane through the origin of two axes
  std::string plane;     ///< "xy", "xz" or "yz" when planar
};

/// At most `limit` instants, equally spread over the samples, first and last among them. A view without
/// anything to draw gives empty lists.
Frames frames_of(const Model& model, const View& view, const Trajectory& motion, int limit);

}  // namespace vinculum
