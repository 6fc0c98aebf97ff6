// Rigid bodies: a position, a unit quaternion, a velocity in the world and an angular velocity in body axes.
#pragma once
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "vinculum/base/export.hpp"
#include "vinculum/expr/vector.hpp"
#include "vinculum/model/coordinate.hpp"

namespace vinculum {

/// The plane a body moves in: along two axes of the world, turning about the third.
enum class Plane {
  none,  ///< in space
  xy,    ///< turns about z
  yz,    ///< turns about x
  xz,    ///< turns about y
};
VINCULUM_EXPORT std::optional<Plane> plane_named(std::string_view word);
VINCULUM_EXPORT std::string_view plane_word(Plane plane);
/// The axes of a plane, 0 to 2 for x to z: the normal is the first cross the second.
struct PlaneAxes {
  int first, second, normal;
};
VINCULUM_EXPORT PlaneAxes axes_of(Plane plane);

/// A rigid body; stands for the position of its centre of mass wherever a vector is asked for.
/// In a plane it has the coordinates along the plane and `angle`; what else is below is then a number, or an
/// expression of these.
class VINCULUM_EXPORT Body {
 public:
  Coordinate x, y, z;               ///< centre of mass, world axes [m]
  std::array<Expr, 4> orientation;  ///< unit quaternion w, x, y, z: body axes to world axes
  Speed wx, wy, wz;                 ///< angular velocity, body axes [rad/s]
  std::array<Vector, 3> column;     ///< the body's axes in world axes: the columns of its rotation matrix
  Plane plane = Plane::none;
  Coordinate angle;  ///< of a body in a plane: about the normal, from world axes to body axes [rad]

  operator Vector() const { return position(); }  // NOLINT(google-explicit-constructor)
  Vector position() const { return {x, y, z}; }
  Vector velocity() const { return {x.rate(), y.rate(), z.rate()}; }
  Vector acceleration() const { return {x.acceleration(), y.acceleration(), z.acceleration()}; }
  /// A direction fixed in the body, and a point fixed in it, as the world sees them.
  Vector axis(const Vector& in_body) const {
    const Expr* const part[3] = {&in_body.x, &in_body.y, &in_body.z};
    Vector sum;  // mostly along one axis of the body
    for (int k = 0; k < 3; ++k)
      if (!part[k]->is_constant(0)) sum = sum + column[k] * *part[k];
    return sum;
  }
  Vector point(const Vector& in_body) const { return position() + axis(in_body); }
  Vector omega_body() const { return {wx, wy, wz}; }
  Vector omega() const { return axis(omega_body()); }  ///< in world axes
  /// A vector of the world in body axes.
  Vector in_body(const Vector& of_world) const {
    return {dot(column[0], of_world), dot(column[1], of_world), dot(column[2], of_world)};
  }
};

/// What a body looks like, centred at its centre of mass.
struct VINCULUM_EXPORT Solid {
  enum class Kind {
    box,       ///< edges along x, y, z
    sphere,    ///< radius
    cylinder,  ///< radius and height, along z
    rod,       ///< length and radius, along x
  };
  Kind kind = Kind::box;
  std::vector<Expr> size;  ///< as many numbers as the kind says

  Expr volume() const;
  /// The principal moments for a mass that fills it evenly.
  std::array<Expr, 3> inertia(const Expr& mass) const;
};

/// A symmetric matrix: Ixx, Iyy, Izz, Ixy, Ixz, Iyz.
using Inertia = std::array<Expr, 6>;

/// A quaternion w, x, y, z of any length but zero: four numbers, or expressions of parameters.
class Orientation {
 public:
  Orientation() : Orientation(1.0, 0.0, 0.0, 0.0) {}
  Orientation(const Expr& w, const Expr& x, const Expr& y, const Expr& z) : part_{w, x, y, z} {}
  Orientation(const std::array<double, 4>& q)  // NOLINT(google-explicit-constructor): plain numbers are usual
      : part_{q[0], q[1], q[2], q[3]} {}
  const Expr& operator[](int k) const { return part_[k]; }

 private:
  std::array<Expr, 4> part_;
};

/// The turn of b, then that of a: both about axes of the world.
VINCULUM_EXPORT Orientation operator*(const Orientation& a, const Orientation& b);
/// About the world's x, then its y, then its z.
VINCULUM_EXPORT Orientation roll_pitch_yaw(const Expr& roll, const Expr& pitch, const Expr& yaw);
/// About the body's own axes, one after the other: "zxz", "xyz", ..
VINCULUM_EXPORT Orientation euler_angles(std::string_view axes, const Triple& angles);

struct BodyOptions {
  Expr mass = 1.0;
  Inertia inertia = {1.0, 1.0, 1.0, 0.0, 0.0, 0.0};  ///< about the centre of mass, body axes
  std::optional<Solid> solid = {};                   ///< what is drawn; inertia is stated all the same
  Triple position{}, velocity{};                     ///< world axes
  Orientation orientation = {};
  Triple omega_body{};  ///< body axes
  /// The body in whose frame, as it starts, all that is told: place and turn from it, velocities against it.
  std::optional<Body> frame = {};
  /// Where it stays in a plane through its centre of mass: of `inertia` the moment about the normal counts.
  Plane plane = Plane::none;
};

/// Options of a body that fills a solid evenly.
VINCULUM_EXPORT BodyOptions body_of(const Solid& solid, const Expr& mass);

}  // namespace vinculum
