#include "model/plane.hpp"

#include <cmath>

#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/model/checks.hpp"

namespace vinculum {
namespace {

constexpr std::string_view letters = "xyz";

/// Told by people, with some digits, or made of others with rounding.
constexpr double aside = 1e-9;

std::string letter(int axis) { return std::string(1, letters[axis]); }

std::string in_plane(const std::string& body, Plane plane) {
  return "body '" + body + "' moves in the plane " + std::string(plane_word(plane));
}

/// The angle about the normal of a quaternion of any length; the error where it turns about another axis.
void find_angle(const std::string& body, Plane plane, std::span<const double> q, std::span<double> made) {
  const PlaneAxes axes = axes_of(plane);
  const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
  require_orientation(length, "the orientation of body '" + body + "'");
  if (std::hypot(q[1 + axes.first], q[1 + axes.second]) > aside * length)
    fail(in_plane(body, plane) + ", and its orientation is a turn about another axis than " +
         letter(axes.normal));
  made[0] = 2 * std::atan2(q[1 + axes.normal], q[0]);
}

/// The start does not leave the plane.
void demand_start(StatedModel& stated, const std::string& body, Plane plane, const BodyOptions& options) {
  const PlaneAxes axes = axes_of(plane);
  const std::string across = in_plane(body, plane) + ", and its velocity along " + letter(axes.normal),
                    spin = in_plane(body, plane) + ", and its angular velocity about another axis than " +
                           letter(axes.normal);
  stated.demand({options.velocity[0], options.velocity[1], options.velocity[2], options.omega_body[0],
                 options.omega_body[1], options.omega_body[2]},
                "the velocity of body '" + body + "'", [axes, across, spin](std::span<const double> v) {
                  if (std::fabs(v[axes.normal]) > aside * std::hypot(v[0], v[1], v[2]))
                    fail(across + " is " + number_text(v[axes.normal]) + "; it must be 0");
                  const double turns = std::hypot(v[3 + axes.first], v[3 + axes.second]);
                  if (turns > aside * std::hypot(v[3], v[4], v[5]))
                    fail(spin + " is " + number_text(turns) + "; it must be 0");
                });
}

}  // namespace

std::optional<Plane> plane_named(std::string_view word) {
  for (const Plane plane : {Plane::xy, Plane::yz, Plane::xz})
    if (plane_word(plane) == word) return plane;
  return std::nullopt;
}

std::string_view plane_word(Plane plane) {
  constexpr std::string_view words[] = {"", "xy", "yz", "xz"};
  return words[static_cast<int>(plane)];
}

PlaneAxes axes_of(Plane plane) {
  switch (plane) {
    case Plane::yz:
      return {1, 2, 0};
    case Plane::xz:
      return {2, 0, 1};
    default:
      return {0, 1, 2};
  }
}

Vector world_axis(int axis) { return {axis == 0 ? 1.0 : 0.0, axis == 1 ? 1.0 : 0.0, axis == 2 ? 1.0 : 0.0}; }

void require_physical_in_plane(const std::string& body, Plane plane, std::span<const double> numbers) {
  const int normal = axes_of(plane).normal;
  if (numbers[0] < 0)
    fail("the mass of body '" + body + "' is " + number_text(numbers[0]) + "; it must not be negative");
  if (numbers[1 + normal] < 0)
    fail("the moment of inertia of body '" + body + "' about " + letter(normal) + " is " +
         number_text(numbers[1 + normal]) + "; it must not be negative");
}

Expr angle_in_plane(StatedModel& stated, const std::string& body, Plane plane, const Orientation& turn) {
  const std::string what = "the orientation of body '" + body + "'";
  return stated.make({.name = what,
                      .of = {turn[0], turn[1], turn[2], turn[3]},
                      .what = every(what + " is"),
                      .rule = [body, plane](auto q, auto made) { find_angle(body, plane, q, made); },
                      .count = 1})[0];
}

void move_in_plane(Model& model, Model::BodyData& data, const BodyOptions& options) {
  StatedModel& stated = model.stated();
  Body& body = data.body;
  body.plane = options.plane;
  const PlaneAxes axes = axes_of(body.plane);
  demand_start(stated, data.name, body.plane, options);
  const Expr start = angle_in_plane(stated, data.name, body.plane, options.orientation);
  Coordinate* const place[3] = {&body.x, &body.y, &body.z};
  for (int k = 0; k < 3; ++k) {
    if (k == axes.normal) {
      *place[k] = Coordinate(options.position[k], 0.0, 0.0);
      continue;
    }
    *place[k] = model.coordinate(data.name + "." + letter(k), {options.position[k], options.velocity[k]});
    model.mass(*place[k], options.mass);
  }
  body.angle = model.coordinate(data.name + ".angle", {start, options.omega_body[axes.normal]});
  model.mass(body.angle, options.inertia[axes.normal]);
  const Expr c = cos(body.angle), s = sin(body.angle);
  const Vector first = world_axis(axes.first), second = world_axis(axes.second);
  body.column[axes.first] = c * first + s * second;
  body.column[axes.second] = -s * first + c * second;
  body.column[axes.normal] = world_axis(axes.normal);
  body.orientation = {cos(body.angle / 2), 0.0, 0.0, 0.0};
  body.orientation[1 + axes.normal] = sin(body.angle / 2);
  Speed* const spin[3] = {&body.wx, &body.wy, &body.wz};
  for (int k = 0; k < 3; ++k)
    *spin[k] = k == axes.normal ? Speed(body.angle.rate(), body.angle.acceleration()) : Speed(0.0, 0.0);
}

Plane plane_of(const JointData& joint) {
  const Body *a = joint.parts[0].body(), *b = joint.parts[1].body();
  if (a == nullptr || b == nullptr) return (a != nullptr ? a : b)->plane;
  if (a->plane == b->plane) return a->plane;
  if (a->plane == Plane::none || b->plane == Plane::none) return Plane::none;
  fail("joint '" + joint.name + "' is between '" + joint.part_names[0] + "' in the plane " +
       std::string(plane_word(a->plane)) + " and '" + joint.part_names[1] + "' in the plane " +
       std::string(plane_word(b->plane)) + "; state one of them in space, without 'plane'");
}

void demand_in_plane(StatedModel& stated, const JointData& joint) {
  const JointOptions& options = joint.options;
  const JointType type = options.type;
  const PlaneAxes axes = axes_of(joint.plane);
  const std::string what = "joint '" + joint.name + "'",
                    where = ", and its parts move in the plane " + std::string(plane_word(joint.plane));
  const bool rolls = type == JointType::rolling;
  if (type != JointType::spherical && type != JointType::revolute && type != JointType::prismatic &&
      type != JointType::weld && type != JointType::distance && !rolls)
    fail(what + " is " + std::string(joint_word(type)) + where +
         "; revolute, prismatic, weld, spherical, distance and rolling joints hold something there");
  const auto demand = [&](const Triple& axis, const std::string& key, bool along) {
    const std::string of = "'" + key + "' of " + what;
    stated.demand({axis[0], axis[1], axis[2]}, of, [=](std::span<const double> u) {
      const double normal = std::fabs(u[axes.normal]), inside = std::hypot(u[axes.first], u[axes.second]);
      if ((along ? inside : normal) > aside * (inside + normal))
        fail(of + (along ? " is not along " : " is not across ") + letter(axes.normal) + where);
    });
  };
  const bool turns = type == JointType::revolute;
  if (turns || type == JointType::prismatic) {
    demand(options.axis, "axis", turns);
    if (options.axis2) demand(*options.axis2, "axis2", turns);
  }
  if (rolls) demand(options.normal, "normal", false);
  if (rolls && options.disc) demand(options.axis, "axis", true);
  if (!options.point2 || type == JointType::distance || rolls) return;
  const std::string of = "'point2' of " + what;
  stated.demand(
      {options.point[axes.normal], (*options.point2)[axes.normal]}, of, [=](std::span<const double> z) {
        if (std::fabs(z[0] - z[1]) > aside * (std::fabs(z[0]) + std::fabs(z[1])))
          fail(of + " is " + number_text(z[1] - z[0]) + " off 'point' along " + letter(axes.normal) + where);
      });
}

}  // namespace vinculum
