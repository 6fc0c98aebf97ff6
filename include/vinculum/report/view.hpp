// What a picture of the motion shows, and its numbers along a trajectory.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "vinculum/base/export.hpp"
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
    /// Instead of `along`: the constraint force on these velocities, -1 for none. What is drawn without being
    /// asked is this.
    std::array<int, 3> constraint_force_on = {-1, -1, -1};
    int constraint = -1;    ///< the force of this constraint alone; -1: of all of them, as recorded
    bool opposite = false;  ///< what acts on the other side
    bool nonideal = false;  ///< the non-ideal force on these velocities (friction) instead, as recorded
  };
  /// The torque of a joint, about the joint's point: drawn as an arc about its direction.
  struct Torque {
    std::string name;
    Vector at;
    Body on;  ///< the part it turns
    int constraint = -1;
    bool opposite = false;  ///< what acts on the other side
  };
  /// A rigid body as it looks, or, where nobody said how it looks, the ellipsoid that has its mass and its
  /// moments of inertia when filled evenly.
  enum class Shape { box, ellipsoid, cylinder };
  struct Solid {
    std::string name;
    Shape shape = Shape::box;
    std::array<double, 3>
        half{};                ///< from the centre outward, along its own axes; a cylinder's last is along it
    Vector at;                 ///< its centre
    std::array<Expr, 4> turn;  ///< its own axes to the world: a unit quaternion w, x, y, z
    bool of_inertia = false;   ///< nobody said how it looks
    bool trail = true;
  };
  struct Joint {
    std::string name;
    JointType type = JointType::spherical;
    Vector at, at_second, axis;  ///< the joint's point as its first and its second part have it
  };
  std::vector<Point> points;
  std::vector<Link> links;
  std::vector<Curve> curves;
  std::vector<Arrow> arrows;
  std::vector<Torque> torques;
  std::vector<Solid> solids;
  std::vector<Joint> joints;
  /// The axis that points up on the picture: "x", "-x", ... "-z"; "" lets the model's gravity or the plane
  /// decide.
  std::string up;
  bool automatic = true;  ///< add what a model shows without being asked
};

/// The view as asked, and what a model shows without being asked: its particles; points made of plain
/// coordinates called x, y, z (also x1, y1, z1 and x_b, y_b, z_b; a missing axis is 0); rods where a
/// constraint keeps the distance of two of them, or of one from a place that is fixed or moves with time; the
/// constraint force on each point as an arrow, and the non-ideal one (friction); its bodies and joints, and
/// at each joint the force and the torque on its second part. `up` is set where weight tells it.
VINCULUM_EXPORT View complete_view(const Model& model, const View& asked);

/// A view as numbers, instant by instant.
struct Frames {
  struct Track {
    std::string name;
    std::vector<double> xyz;  ///< 3 numbers for each instant and each place of the thing
    int places = 1;  ///< 1 for a point, 2 for a link or an arrow (from, to; at, along), more for a curve
    bool trail = false;
    View::LinkKind kind = View::LinkKind::rod;
    bool nonideal = false;  ///< an arrow of friction; one that is zero throughout is left out
  };
  struct Solid {
    std::string name;
    View::Shape shape = View::Shape::box;
    std::array<double, 3> half{};
    bool of_inertia = false, trail = true;
    std::vector<double> pose;  ///< 7 numbers for each instant: x, y, z and the quaternion w, x, y, z
  };
  struct Joint {
    std::string name;
    JointType type = JointType::spherical;
    std::vector<double> xyz;  ///< 9 numbers for each instant: at, at_second, axis
  };
  std::vector<double> t;
  std::vector<int> sample;  ///< which sample of the trajectory each instant is
  std::vector<Track> points, links, curves, arrows;
  std::vector<Track> torques;  ///< at, along; those that are zero but for rounding are left out
  std::vector<Solid> solids;
  std::vector<Joint> joints;
  std::string up = "z";  ///< resolved: never empty
  bool planar = false;   ///< everything stays in one plane through the origin of two axes; bodies turn in it
  std::string plane;     ///< "xy", "xz" or "yz" when planar
};

/// The places of the body's centre, as a point has them.
VINCULUM_EXPORT Frames::Track centre_of(const Frames::Solid& solid);

/// The columns of the rotation matrix of a unit quaternion w, x, y, z.
VINCULUM_EXPORT std::array<std::array<double, 3>, 3> columns_of(const double* quaternion);

/// How far a solid reaches from its centre along x, y and z, in a pose of 7 numbers.
VINCULUM_EXPORT std::array<double, 3> reach_of(const Frames::Solid& solid, const double* pose);

/// At most `limit` instants, equally spread over the samples, first and last among them. A view without
/// anything to draw gives empty lists.
VINCULUM_EXPORT Frames frames_of(const Model& model, const View& view, const Trajectory& motion, int limit);

}  // namespace vinculum
