// Joints between two bodies, or a body and the ground: each is a few equations over their symbols.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/model/body.hpp"

namespace vinculum {

/// One of the two parts a joint holds together: a body, or the ground.
class VINCULUM_EXPORT Part {
 public:
  Part() = default;       // the ground
  Part(const Body& body)  // NOLINT(google-explicit-constructor)
      : body_(std::make_shared<const Body>(body)) {}
  const Body* body() const { return body_.get(); }
  Vector omega() const { return body_ ? body_->omega() : Vector{}; }
  /// The velocity of the part of it that is at a place of the world.
  Vector velocity_at(const Vector& place) const {
    return body_ ? body_->velocity() + cross(body_->omega(), place - body_->position()) : Vector{};
  }

 private:
  std::shared_ptr<const Body> body_;  // a body is fifty expressions, and joints are copied
};

/// With A the first part, B the second, d = P_A - P_B, u the axis, a and b across it (u = a x b).
enum class JointType {
  spherical,    ///< d
  revolute,     ///< d, a_A.u_B, b_A.u_B
  prismatic,    ///< a_A.d, b_A.d, a_A.u_B, b_A.u_B, a_A.b_B
  cylindrical,  ///< the first four of these
  planar,       ///< u_A.d, a_A.u_B, b_A.u_B
  universal,    ///< d, u_A.u2_B
  weld,         ///< d, x_A.y_B, y_A.z_B, z_A.x_B
  distance,     ///< |d|^2 - length^2
  screw,        ///< the four of cylindrical, and 2 pi distance - pitch angle
  rolling,      ///< B, a ball (or a disc about its axis), rolls without slip on a plane of A
};
VINCULUM_EXPORT std::optional<JointType> joint_type(std::string_view word);
VINCULUM_EXPORT std::string_view joint_word(JointType type);

/// The coordinates a joint has of its own: of revolute, planar and screw joints "angle", of prismatic ones
/// "distance", of cylindrical ones both; of universal joints "angle1" and "angle2", about its two axes; of
/// spherical ones "angle1" to "angle3", about x, the new y and the new z.
VINCULUM_EXPORT std::span<const std::string_view> joint_coordinates(JointType type);

/// Where such a coordinate is to start: what is beyond the joint is turned and moved there from where it is
/// drawn.
struct CoordinateOfJointStart {
  std::optional<Expr> value = {}, rate = {};  ///< as drawn unless said
  bool fixed = true;  ///< what is said holds, whatever is assembled; else it is where assembly begins
};

/// Places and directions are those of the world at the start: numbers, or expressions of parameters.
struct JointOptions {
  JointType type = JointType::spherical;
  Triple point{};
  Triple axis = {0, 0, 1};
  /// The same point and axis as drawn on B where that is elsewhere: a joint that is open at the start.
  /// (universal: the second axis; distance: the second point.)
  std::optional<Triple> point2 = {}, axis2 = {};
  /// The parts in whose frames, as they start, `point`, `axis` and `normal` are told, and `point2` and
  /// `axis2`; the ground: in the world.
  Part frame = {}, frame2 = {};
  std::optional<Expr> length = {};  ///< distance: as at the start unless said
  Expr pitch = 0.0;                 ///< screw: travel for one turn
  Expr angle = 0.0;                 ///< what the joint's angle is called where it is drawn
  /// Of its joint_coordinates(), as far as they are said.
  std::vector<CoordinateOfJointStart> start = {};
  // What acts about the axis (of a prismatic joint along it), on B and against A.
  Expr stiffness = 0.0, rest = 0.0;  ///< of its spring, and the angle or distance without force
  Expr damping = 0.0;   ///< against the rate; of spherical and universal joints against omega_B - omega_A
  Expr friction = 0.0;  ///< dry: the torque or force against the rate, and up to which it holds at rest
  Expr armature =
      0.0;  ///< inertia of what turns (or moves) as fast as the joint does: a rotor behind its gear
  /// Of the angle, or distance: a run ends where it is passed.
  std::optional<std::array<Expr, 2>> limits = {};
  // Rolling: the plane goes through `point`, across `normal`.
  Expr radius = 0.0;
  Triple normal = {0, 0, 1};
  bool disc = false;  ///< a thin disc about `axis`; else a ball
};

/// One of several joints in a row.
struct NamedJoint {
  std::string name;
  JointOptions options;
};

/// What acts in a joint beside its equations.
enum class JointLaw {
  spring,
  damper,
  friction,  ///< dry
  rotor,     ///< its inertia
  motor,     ///< a force or a spring stated of its angle or distance
  all,       ///< these together
};
struct JointEffort {
  JointLaw law = JointLaw::all;
  bool along = false;  ///< the axis: a force; else about it: a torque
  Expr value;          ///< on B, the opposite on A
};

/// A joint as the frames of its two parts see it.
struct JointSide {
  Vector point, u, a, b;  ///< of the world, fixed in the part; u = a x b where the type has a and b
};
struct JointData {
  std::string name;
  int constraint = -1;  ///< the place of its rows, once they are stated
  std::array<Part, 2> parts;
  std::array<std::string, 2> part_names;  ///< "ground" or a body
  std::array<JointSide, 2> sides;
  std::array<std::array<Vector, 3>, 2> world;  ///< the axes of the world at the start, fixed in each part
  Vector contact;                              ///< rolling: where it touches
  JointOptions options;                        ///< `length` known
  std::array<int, 2> angles{-1, -1};           ///< the coordinates that are its angles, once asked for
  Plane plane = Plane::none;                   ///< that its parts stay in: its rows are those along it
  std::vector<JointEffort> efforts = {};

  /// Where it acts on a part: its point there, or where it touches.
  const Vector& place(int part) const {
    return options.type == JointType::rolling ? contact : sides[part].point;
  }
};

}  // namespace vinculum
