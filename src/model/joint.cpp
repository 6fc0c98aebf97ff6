// Joints as equations. A joint is where its two parts are at the start: points and axes of the world then,
// fixed in each part from there on.
#include "vinculum/model/joint.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "model/joint_rules.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum {
namespace {

using Numbers3 = std::array<double, 3>;

/// The sine of the angle between a disc and its plane below which it lies flat.
constexpr double flat = 1e-8;

constexpr std::pair<std::string_view, JointType> words[] = {
    {"spherical", JointType::spherical}, {"revolute", JointType::revolute},
    {"prismatic", JointType::prismatic}, {"cylindrical", JointType::cylindrical},
    {"planar", JointType::planar},       {"universal", JointType::universal},
    {"weld", JointType::weld},           {"distance", JointType::distance},
    {"screw", JointType::screw},         {"rolling", JointType::rolling},
};

double product(const Numbers3& p, const Numbers3& q) { return p[0] * q[0] + p[1] * q[1] + p[2] * q[2]; }
Numbers3 crossed(const Numbers3& p, const Numbers3& q) {
  return {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
}
Numbers3 combined(double s, const Numbers3& p, double t, const Numbers3& q) {
  return {s * p[0] + t * q[0], s * p[1] + t * q[1], s * p[2] + t * q[2]};
}
double length_of(const Numbers3& p) { return std::hypot(p[0], p[1], p[2]); }

/// What is rounding of something that size is nothing: zeros make short equations.
Numbers3 without_rounding(Numbers3 p, double size) {
  for (double& x : p)
    if (std::fabs(x) <= 4 * std::numeric_limits<double>::epsilon() * size) x = 0.0;
  return p;
}

/// The same of a direction, which is an axis where it is one but for rounding.
Numbers3 direction_without_rounding(Numbers3 p) {
  p = without_rounding(p, 1.0);
  for (double& x : p)
    if (std::fabs(std::fabs(x) - 1.0) <= 4 * std::numeric_limits<double>::epsilon()) x = x < 0 ? -1.0 : 1.0;
  return p;
}

Numbers3 unit(const Numbers3& p, const std::string& what) {
  require_direction(p, what);
  const double length = length_of(p);
  return direction_without_rounding({p[0] / length, p[1] / length, p[2] / length});
}

/// A joint's axes at the start, in the world: u, and a and b across it with u = a x b. `a` is that axis of
/// the first part (of the world for the ground) that is farthest from u, made perpendicular: where u is an
/// axis of the part, so are a and b, and the equations are short.
struct Axes {
  Numbers3 u, a, b;
};
Axes axes_about(const Numbers3& u, const std::array<Numbers3, 3>& of_part) {
  int farthest = 0;
  for (int k = 1; k < 3; ++k)
    if (std::fabs(product(u, of_part[k])) < std::fabs(product(u, of_part[farthest])) - 1e-9) farthest = k;
  const Numbers3& e = of_part[farthest];
  const Numbers3 a = unit(combined(1.0, e, -product(e, u), u), "an axis");
  return {u, a, direction_without_rounding(crossed(u, a))};
}

/// The axes turned by the shortest way that brings u to another direction.
Axes turned(const Axes& axes, const Numbers3& to) {
  const double cosine = product(axes.u, to);
  const Numbers3 k = crossed(axes.u, to);
  if (cosine < -1 + 1e-12)  // turned right round: any way is the shortest
    return {to, axes.a, crossed(to, axes.a)};
  const auto turn = [&](const Numbers3& p) {
    const Numbers3 first = combined(cosine, p, 1.0, crossed(k, p));
    return direction_without_rounding(combined(1.0, first, product(k, p) / (1 + cosine), k));
  };
  return {to, turn(axes.a), turn(axes.b)};
}

Vector constant(const Numbers3& p) { return {p[0], p[1], p[2]}; }

/// Where a part is at the start.
struct Pose {
  Numbers3 position{};
  std::array<Numbers3, 3> column = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
};

Pose start_of(const Model& model, const Part& part) {
  Pose pose;
  const Body* body = part.body();
  if (body == nullptr) return pose;
  const auto at = [&](const Expr& symbol) { return model.coordinates()[model.role(symbol).index].start; };
  pose.position = {at(body->x), at(body->y), at(body->z)};
  const double w = at(body->orientation[0]), x = at(body->orientation[1]), y = at(body->orientation[2]),
               z = at(body->orientation[3]);
  pose.column = {{{w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)},
                  {2 * (x * y - w * z), w * w - x * x + y * y - z * z, 2 * (y * z + w * x)},
                  {2 * (x * z + w * y), 2 * (y * z - w * x), w * w - x * x - y * y + z * z}}};
  return pose;
}

/// A direction and a point of the world at the start, fixed in the part.
class Fixer {
 public:
  Fixer(const Model& model, const Part& part) : part_(part), pose_(start_of(model, part)) {}
  Vector direction(const Numbers3& of_world) const {
    if (part_.body() == nullptr) return constant(of_world);
    return part_.body()->axis(constant(direction_without_rounding(in_part(of_world))));
  }
  Vector point(const Numbers3& of_world) const {
    if (part_.body() == nullptr) return constant(of_world);
    const Numbers3 from = combined(1.0, of_world, -1.0, pose_.position);
    const double size = length_of(of_world) + length_of(pose_.position);
    return part_.body()->point(constant(without_rounding(in_part(from), size)));
  }
  JointSide side(const Numbers3& at, const Axes& axes) const {
    return {point(at), direction(axes.u), direction(axes.a), direction(axes.b)};
  }
  const Numbers3& position() const { return pose_.position; }
  const std::array<Numbers3, 3>& columns() const { return pose_.column; }

 private:
  Numbers3 in_part(const Numbers3& p) const {
    return {product(pose_.column[0], p), product(pose_.column[1], p), product(pose_.column[2], p)};
  }
  const Part& part_;
  Pose pose_;
};

std::vector<Expr> parts_of(const Vector& v) { return {v.x, v.y, v.z}; }

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

}  // namespace

void require_direction(const Numbers3& direction, const std::string& what) {
  const double length = length_of(direction);
  if (!(length > 0) || !std::isfinite(length))
    fail(what + " has the length " + number_text(length) +
         "; a direction of any finite length but zero is asked for");
}

void require_radius(double radius, const std::string& what) {
  if (!(radius > 0)) fail(what + " is " + number_text(radius) + "; it must be more than 0");
}

/// |d|^2 = 0 is one row that vanishes with d: it would hold nothing.
void require_length(double length, const std::string& what) {
  if (!(length > 0))
    fail(what + " is " + number_text(length) +
         "; it must be more than 0 (type \"spherical\" holds two points together)");
}

/// Where they are parallel no way of turning is nearer to a right angle than another.
void require_not_parallel(const Numbers3& axis, const Numbers3& axis2, const std::string& what) {
  if (length_of(crossed(axis, axis2)) <= 1e-8 * length_of(axis) * length_of(axis2))
    fail(what + " is parallel to 'axis'; the two axes of a universal joint are at right angles");
}

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

std::vector<Expr> Model::rows_of(const JointData& joint) {
  const JointOptions& options = joint.options;
  const JointSide &A = joint.sides[0], &B = joint.sides[1];
  const Vector d = A.point - B.point;
  const std::vector<Expr> along{dot(A.a, d), dot(A.b, d), dot(A.a, B.u), dot(A.b, B.u)};
  const auto fixed = [&](const Numbers3& axis, int part) {
    return Fixer(*this, joint.parts[part]).direction(axis);
  };
  switch (options.type) {
    case JointType::spherical:
      return parts_of(d);
    case JointType::revolute:
      return {d.x, d.y, d.z, dot(A.a, B.u), dot(A.b, B.u)};
    case JointType::prismatic:
      return {along[0], along[1], along[2], along[3], dot(A.a, B.b)};
    case JointType::cylindrical:
      return along;
    case JointType::planar:
      return {dot(A.u, d), dot(A.a, B.u), dot(A.b, B.u)};
    case JointType::universal:
      return {d.x, d.y, d.z, dot(A.u, B.u)};
    case JointType::weld: {
      const Numbers3 x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};
      return {d.x,
              d.y,
              d.z,
              dot(fixed(x, 0), fixed(y, 1)),
              dot(fixed(y, 0), fixed(z, 1)),
              dot(fixed(z, 0), fixed(x, 1))};
    }
    case JointType::distance:
      return {norm_squared(d) - pow(*options.length, 2)};
    case JointType::screw: {
      const Expr turn = joint_angle(joint.name) - joint.options.angle;
      return {along[0], along[1], along[2], along[3],
              2 * std::numbers::pi * joint_distance(joint.name) - options.pitch * turn};
    }
    default: {
      const Vector slip =
          joint.parts[1].velocity_at(joint.contact) - joint.parts[0].velocity_at(joint.contact);
      const Expr height = touch(B.point, B.u, A.u, options.radius, options.disc).height;
      return {-dot(A.u, d) - height, dot(A.a, slip), dot(A.b, slip)};
    }
  }
}

void Model::joint(std::string_view name, const Part& a, const Part& b, const JointOptions& options) {
  place_joint(name, a, b, options);
  constrain_joint(name);
}

void Model::place_joint(std::string_view name, const Part& a, const Part& b, const JointOptions& given) {
  JointData joint;
  joint.name = name;
  joint.parts = {a, b};
  joint.options = given;
  JointOptions& options = joint.options;
  const std::string what = "joint '" + joint.name + "'";
  const auto name_of = [&](const Part& part) -> std::string {
    if (part.body() == nullptr) return "ground";
    const Expr& x = part.body()->x;
    const auto found = x.graph() == &graph() ? body_at_.find(x.id()) : body_at_.end();
    if (found != body_at_.end()) return bodies_[found->second].name;
    fail(what + " is given a body of another model");
  };
  if (joint_names_.contains(joint.name)) fail("there are two joints named '" + joint.name + "'");
  joint.part_names = {name_of(a), name_of(b)};
  if (joint.part_names[0] == joint.part_names[1])
    fail(what + " is between '" + joint.part_names[0] + "' and itself; a joint has two parts");
  const bool rolls = options.type == JointType::rolling;
  const Fixer in_a(*this, joint.parts[0]), in_b(*this, joint.parts[1]);
  const Axes axes = axes_about(
      rolls ? unit(options.normal, "the normal of " + what) : unit(options.axis, "the axis of " + what),
      in_a.columns());
  const Numbers3 second = unit(options.axis2.value_or(options.axis), "the second axis of " + what);
  if (options.type == JointType::universal) require_not_parallel(axes.u, second, "'axis2' of " + what);
  const Numbers3 point2 = options.point2.value_or(rolls ? in_b.position() : options.point);
  joint.sides = {in_a.side(options.point, axes),
                 in_b.side(point2, rolls ? axes_about(second, in_b.columns()) : turned(axes, second))};
  if (rolls) {
    if (b.body() == nullptr) fail(what + ": the second part is what rolls, and the ground does not");
    const std::string radius = "the radius of " + what;
    demand({options.radius}, {radius}, [radius](std::span<const double> n) { require_radius(n[0], radius); });
    if (options.disc && length_of(combined(1.0, second, -product(second, axes.u), axes.u)) < flat)
      fail(
          "the disc of " + what +
          " lies flat on its plane, its axis along the normal: where it touches is not defined; tilt it (its "
          "'axis' and the orientation of '" +
          joint.part_names[1] + "'), or let a 'planar' joint hold it flat");
    joint.contact =
        touch(joint.sides[1].point, joint.sides[1].u, joint.sides[0].u, options.radius, options.disc).contact;
  }
  if (options.type == JointType::distance) {
    const Numbers3 d = combined(1.0, options.point, -1.0, point2);
    if (!options.length)
      options.length = length_of(without_rounding(d, length_of(options.point) + length_of(point2)));
    const std::string length = "the length of " + what;
    demand({*options.length}, {length},
           [length](std::span<const double> n) { require_length(n[0], length); });
  }
  joint_names_.emplace(joint.name, static_cast<int>(joints_.size()));
  joints_.push_back(std::move(joint));
}

void Model::constrain_joint(std::string_view name) {
  const auto place = static_cast<std::size_t>(&find_joint(name) - joints_.data());
  ConstraintData constraint{std::string(name), rows_of(joints_[place])};
  constraint.is_vector = constraint.rows.size() > 1;
  joints_[place].constraint = static_cast<int>(constraints_.size());
  add_constraint(std::move(constraint));
}

const JointData& Model::find_joint(std::string_view name) const {
  if (const auto found = joint_names_.find(std::string(name)); found != joint_names_.end())
    return joints_[found->second];
  std::vector<std::string> names;
  for (const JointData& j : joints_) names.push_back(j.name);
  const std::string near = nearest_name(name, names);
  fail("there is no joint '" + std::string(name) + "'" +
       (near.empty() ? "" : " (did you mean '" + near + "'?)"));
}

Expr Model::joint_angle(std::string_view name) {
  const JointData& joint = find_joint(name);
  if (joint.angle >= 0) return coordinates_[joint.angle].symbol;
  if (joint.options.type != JointType::revolute && joint.options.type != JointType::cylindrical &&
      joint.options.type != JointType::screw && joint.options.type != JointType::planar)
    fail("joint '" + joint.name + "' is " + std::string(joint_word(joint.options.type)) +
         " and has no angle; revolute, cylindrical, screw and planar joints have one");
  const JointSide &A = joint.sides[0], &B = joint.sides[1];
  const Expr rate = dot(A.u, joint.parts[1].omega() - joint.parts[0].omega());
  const Expr angle = coordinate_with_rate(joint.name + ".angle", rate, joint.options.angle);
  const int place = role(angle).index;
  angles_.push_back({place, dot(A.b, B.a), dot(A.a, B.a), joint.options.angle});
  joints_[&joint - joints_.data()].angle = place;
  return angle;
}

Expr Model::joint_distance(std::string_view name) {
  const JointData& joint = find_joint(name);
  const Vector d = joint.sides[1].point - joint.sides[0].point;
  if (joint.options.type == JointType::distance) return norm(d);
  if (joint.options.type != JointType::prismatic && joint.options.type != JointType::cylindrical &&
      joint.options.type != JointType::screw)
    fail("joint '" + joint.name + "' is " + std::string(joint_word(joint.options.type)) +
         " and has no distance; prismatic, cylindrical, screw and distance joints have one");
  return dot(joint.sides[0].u, d);
}

}  // namespace vinculum
