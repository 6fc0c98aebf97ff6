// Joints as equations. A joint is where its two parts are at the start: points and axes of the world then,
// fixed in each part from there on.
#include "vinculum/model/joint.hpp"

#include <memory>
#include <numbers>

#include "model/joint_frames.hpp"
#include "model/joint_laws.hpp"
#include "model/plane.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/model/frames.hpp"
#include "vinculum/model/joint_rules.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

constexpr std::pair<std::string_view, JointType> words[] = {
    {"spherical", JointType::spherical}, {"revolute", JointType::revolute},
    {"prismatic", JointType::prismatic}, {"cylindrical", JointType::cylindrical},
    {"planar", JointType::planar},       {"universal", JointType::universal},
    {"weld", JointType::weld},           {"distance", JointType::distance},
    {"screw", JointType::screw},         {"rolling", JointType::rolling},
};

std::vector<Expr> parts_of(const Vector& v) { return {v.x, v.y, v.z}; }

JointKind kind_of(const JointData& joint) {
  return {joint.options.type,
          joint.options.disc,
          {joint.parts[0].body() == nullptr, joint.parts[1].body() == nullptr},
          "joint '" + joint.name + "'",
          joint.part_names};
}

Orientation start_turn(const StatedModel& stated, const Body& body) {
  const auto at = [&](int k) { return stated.at_start(body.orientation[k]); };
  return {at(0), at(1), at(2), at(3)};
}

/// Where a ball or a disc about its axis touches the plane across n: the point of it that is lowest.
struct Touch {
  Vector contact;
  Expr height;  // of its centre above the plane
};
Touch touch(const Vector& centre, const Vector& axis, const Vector& n, const Expr& radius, bool disc) {
  if (!disc) return {centre - radius * n, radius};
  const Vector across = n - dot(n, axis) * axis;  // in the plane of the disc, upward
  const Expr steepness = norm(across);
  return {centre - (radius / steepness) * across, radius * steepness};
}

/// How fast what rolls slips where it touches.
Vector slip_of(const JointData& joint) {
  return joint.parts[1].velocity_at(joint.contact) - joint.parts[0].velocity_at(joint.contact);
}
Expr height_above_plane(const JointData& joint) {
  const JointSide &A = joint.sides[0], &B = joint.sides[1];
  const JointOptions& options = joint.options;
  return -dot(A.u, A.point - B.point) - touch(B.point, B.u, A.u, options.radius, options.disc).height;
}

/// Between parts that stay in a plane: of the rows in space those that are not fulfilled by that.
std::vector<Expr> rows_in_plane(const JointData& joint) {
  const PlaneAxes axes = axes_of(joint.plane);
  const JointSide &A = joint.sides[0], &B = joint.sides[1];
  const Vector d = A.point - B.point, normal = world_axis(axes.normal);
  const Expr first = dot(world_axis(axes.first), d), second = dot(world_axis(axes.second), d);
  switch (joint.options.type) {
    case JointType::prismatic: {
      const Vector across = cross(normal, A.u);
      return {dot(across, d), dot(across, B.u)};
    }
    case JointType::weld:
      return {first, second, dot(joint.world[0][axes.first], joint.world[1][axes.second])};
    case JointType::distance:
      return {norm_squared(d) - pow(*joint.options.length, 2)};
    case JointType::rolling:
      return {height_above_plane(joint), dot(cross(normal, A.u), slip_of(joint))};
    default:  // a pin
      return {first, second};
  }
}

std::vector<Expr> rows_of(Model& model, const JointData& joint) {
  if (joint.plane != Plane::none) return rows_in_plane(joint);
  const JointOptions& options = joint.options;
  const JointSide &A = joint.sides[0], &B = joint.sides[1];
  const Vector d = A.point - B.point;
  const auto along_axis = [&] {
    return std::vector<Expr>{dot(A.a, d), dot(A.b, d), dot(A.a, B.u), dot(A.b, B.u)};
  };
  switch (options.type) {
    case JointType::spherical:
      return parts_of(d);
    case JointType::revolute:
      return {d.x, d.y, d.z, dot(A.a, B.u), dot(A.b, B.u)};
    case JointType::prismatic: {
      std::vector<Expr> rows = along_axis();
      rows.push_back(dot(A.a, B.b));
      return rows;
    }
    case JointType::cylindrical:
      return along_axis();
    case JointType::planar:
      return {dot(A.u, d), dot(A.a, B.u), dot(A.b, B.u)};
    case JointType::universal:
      return {d.x, d.y, d.z, dot(A.u, B.u)};
    case JointType::weld: {
      const auto& [first, second] = joint.world;
      return {d.x, d.y, d.z, dot(first[0], second[1]), dot(first[1], second[2]), dot(first[2], second[0])};
    }
    case JointType::distance:
      return {norm_squared(d) - pow(*options.length, 2)};
    case JointType::screw: {
      std::vector<Expr> rows = along_axis();
      const Expr turn = model.joint_angle(joint.name) - joint.options.angle;
      rows.push_back(2 * std::numbers::pi * model.joint_distance(joint.name) - options.pitch * turn);
      return rows;
    }
    default: {
      const Vector slip = slip_of(joint);
      return {height_above_plane(joint), dot(A.a, slip), dot(A.b, slip)};
    }
  }
}

/// The joint with its parts and their names.
JointData joint_between(const StatedModel& stated, std::string_view name, const Part& a, const Part& b,
                        const JointOptions& options) {
  JointData joint;
  joint.name = name;
  joint.parts = {a, b};
  joint.options = options;
  const std::string what = "joint '" + joint.name + "'";
  if (stated.joint_names.contains(joint.name)) fail("there are two joints named '" + joint.name + "'");
  joint.part_names = {stated.name_of(a, what), stated.name_of(b, what)};
  if (joint.part_names[0] == joint.part_names[1])
    fail(what + " is between '" + joint.part_names[0] + "' and itself; a joint has two parts");
  if (options.type == JointType::rolling && b.body() == nullptr)
    fail(what + ": the second part is what rolls, and the ground does not");
  joint.plane = plane_of(joint);
  return joint;
}

void tell_in_world(StatedModel& stated, JointOptions& options, const std::string& what) {
  options.point = point_in_world(stated, options.frame, options.point, "'point' of " + what);
  options.axis = direction_in_world(stated, options.frame, options.axis, "'axis' of " + what);
  options.normal = direction_in_world(stated, options.frame, options.normal, "'normal' of " + what);
  if (options.point2)
    options.point2 = point_in_world(stated, options.frame2, *options.point2, "'point2' of " + what);
  if (options.axis2)
    options.axis2 = direction_in_world(stated, options.frame2, *options.axis2, "'axis2' of " + what);
}

Triple place_of(const StatedModel& stated, const Part& part) {
  if (part.body() == nullptr) return {};
  const Body& body = *part.body();
  return {stated.at_start(body.x), stated.at_start(body.y), stated.at_start(body.z)};
}

/// Where the parts of a joint start, and where it is told to be.
JointStart start_of(const StatedModel& stated, const JointData& joint) {
  const JointOptions& options = joint.options;
  JointStart start;
  for (int k = 0; k < 2; ++k) {
    start.parts[k].position = place_of(stated, joint.parts[k]);
    if (const Body* body = joint.parts[k].body()) start.parts[k].orientation = start_turn(stated, *body);
  }
  const bool rolls = options.type == JointType::rolling;
  start.point = options.point;
  start.axis = options.axis;
  start.point2 = options.point2.value_or(rolls ? start.parts[1].position : options.point);
  start.axis2 = options.axis2.value_or(options.axis);
  start.normal = options.normal;
  return start;
}

/// Where the joint is in its parts, of where these start; the distance of its points there.
Expr fix_joint(StatedModel& stated, JointData& joint) {
  const auto kind = std::make_shared<const JointKind>(kind_of(joint));  // for other values of parameters, too
  Making making{
      .name = "the frame of " + kind->what,
      .of = start_of(stated, joint).numbers(),
      .what = [kind](std::size_t place) { return JointStart::sentence(*kind, place); },
      .rule = [kind](std::span<const double> of, std::span<double> made) { find_frames(*kind, of, made); },
      .count = joint_frame_numbers,
      .keep_axes = true};
  const SourceNumbers sources = stated.source_numbers(making.of, making.name, true);
  const std::vector<Expr> numbers = stated.make(making, sources);
  // Zeros of the axes across u go elsewhere where another axis of the part is chosen for them.
  making.name = "the axes of " + kind->what;
  making.rule = [kind](std::span<const double> of, std::span<double> made) { find_across(*kind, of, made); };
  making.count = joint_across_numbers;
  making.keep_axes = JointFrames(numbers, {}).choice_stays();
  const JointFrames frames(
      numbers, has_axes_across(kind->type) ? stated.make(std::move(making), sources) : std::vector<Expr>());
  for (int k = 0; k < 2; ++k) {
    const Body* body = joint.parts[k].body();
    const auto direction = [&](const Vector& v) { return body != nullptr ? body->axis(v) : v; };
    const auto& [point, u, a, b] = frames.sides[k];
    joint.sides[k] = {body != nullptr ? body->point(point) : point, direction(u), direction(a), direction(b)};
    for (int i = 0; i < 3; ++i) joint.world[k][i] = direction(frames.world[k][i]);
  }
  return frames.distance;
}

}  // namespace

std::optional<JointType> joint_type(std::string_view word) {
  for (const auto& [name, type] : words)
    if (name == word) return type;
  return std::nullopt;
}

std::string_view joint_word(JointType type) {
  for (const auto& [name, other] : words)
    if (other == type) return name;
  return "";
}

void Model::joint(std::string_view name, const Part& a, const Part& b, const JointOptions& options) {
  place_joint(*this, name, a, b, options);
  constrain_joint(*this, name);
}

void place_joint(Model& model, std::string_view name, const Part& a, const Part& b,
                 const JointOptions& given) {
  StatedModel& stated = model.stated();
  JointData joint = joint_between(stated, name, a, b, given);
  JointOptions& options = joint.options;
  tell_in_world(stated, options, "joint '" + joint.name + "'");
  if (joint.plane != Plane::none) demand_in_plane(stated, joint);
  if (options.type == JointType::rolling) {
    const std::string radius = "the radius of joint '" + joint.name + "'";
    stated.demand({options.radius}, radius,
                  [radius](std::span<const double> n) { require_radius(n[0], radius); });
  }
  const Expr distance = fix_joint(stated, joint);
  const JointSide &A = joint.sides[0], &B = joint.sides[1];
  if (options.type == JointType::rolling)
    joint.contact = touch(B.point, B.u, A.u, options.radius, options.disc).contact;
  if (options.type == JointType::distance) {
    if (!options.length) options.length = distance;
    const std::string length = "the length of joint '" + joint.name + "'";
    stated.demand({*options.length}, length,
                  [length](std::span<const double> n) { require_length(n[0], length); });
  }
  stated.joint_names.emplace(joint.name, static_cast<int>(stated.joints.size()));
  stated.joints.push_back(std::move(joint));
}

void constrain_joint(Model& model, std::string_view name) {
  StatedModel& stated = model.stated();
  const auto place = static_cast<std::size_t>(&stated.find_joint(name) - stated.joints.data());
  Model::ConstraintData constraint{std::string(name), rows_of(model, stated.joints[place])};
  constraint.is_vector = constraint.rows.size() > 1;
  stated.joints[place].constraint = static_cast<int>(stated.constraints.size());
  stated.add_constraint(std::move(constraint));
  add_joint_laws(model, stated.joints[place]);
}

const JointData& StatedModel::find_joint(std::string_view name) const {
  if (const auto found = joint_names.find(name); found != joint_names.end()) return joints[found->second];
  std::vector<std::string> names;
  for (const JointData& j : joints) names.push_back(j.name);
  const std::string near = nearest_name(name, names);
  fail("there is no joint '" + std::string(name) + "'" +
       (near.empty() ? "" : " (did you mean '" + near + "'?)"));
}

}  // namespace vinculum
