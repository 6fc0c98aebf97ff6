// The coordinates that joints have of their own: angles and distances of one part against the other.
#include "vinculum/base/error.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

/// An angle that counts its turns: its rate, and where it is but for these.
struct Turning {
  std::string name;
  Expr rate, sine, cosine, drawn;
};

/// Of d, fixed in the world at the start, as one part sees it from there on.
Vector fixed_in(const JointData& joint, int part, const Triple& d) {
  const auto& [x, y, z] = joint.world[part];
  return d[0] * x + d[1] * y + d[2] * z;
}

/// About u of A where `which` is 0, about u of B else. The other axis shows how far the part has turned.
Turning turning_of_universal(const JointData& joint, int which) {
  const Vector &u = joint.sides[0].u, &w = joint.sides[1].u;
  const Vector omega = joint.parts[1].omega() - joint.parts[0].omega();
  if (which == 0) {
    const Vector across = cross(u, fixed_in(joint, 0, *joint.options.axis2));
    return {joint.name + ".angle1", dot(u, omega), dot(w, across), dot(w, cross(across, u)), 0.0};
  }
  const Vector first = fixed_in(joint, 1, joint.options.axis);
  return {joint.name + ".angle2", dot(w, omega), dot(first, cross(w, u)), dot(first, u), 0.0};
}

Turning turning_of(const JointData& joint, int which) {
  if (joint.options.type == JointType::universal) return turning_of_universal(joint, which);
  const JointSide &A = joint.sides[0], &B = joint.sides[1];
  return {joint.name + ".angle", dot(A.u, joint.parts[1].omega() - joint.parts[0].omega()), dot(A.b, B.a),
          dot(A.a, B.a), joint.options.angle};
}

/// R = Rx Ry Rz of B against A, in the axes of the world at the start.
Expr cardan_angle(const JointData& joint, int which) {
  const auto& [A, B] = joint.world;
  if (which == 0) return atan2(-dot(A[1], B[2]), dot(A[2], B[2]));
  if (which == 2) return atan2(-dot(A[0], B[1]), dot(A[0], B[0]));
  return atan2(dot(A[0], B[2]), hypot(dot(A[0], B[0]), dot(A[0], B[1])));
}

constexpr std::string_view turn[] = {"angle"}, slide[] = {"distance"}, both[] = {"angle", "distance"},
                           three[] = {"angle1", "angle2", "angle3"};

int angles_of(JointType type) {
  int count = 0;
  for (const std::string_view word : joint_coordinates(type)) count += word.starts_with("angle");
  return count;
}

}  // namespace

std::span<const std::string_view> joint_coordinates(JointType type) {
  switch (type) {
    case JointType::revolute:
    case JointType::planar:
    case JointType::screw:
      return turn;
    case JointType::prismatic:
      return slide;
    case JointType::cylindrical:
      return both;
    case JointType::universal:
      return std::span(three).first(2);
    case JointType::spherical:
      return three;
    default:
      return {};
  }
}

Expr Model::joint_angle(std::string_view name, int which) {
  const JointData& joint = stated_->find_joint(name);
  const int count = angles_of(joint.options.type);
  if (count == 0)
    fail("joint '" + joint.name + "' is " + std::string(joint_word(joint.options.type)) +
         " and has no angle; revolute, cylindrical, screw and planar joints have one");
  if (which < 0 || which >= count)
    fail("joint '" + joint.name + "' has no angle " + std::to_string(which) + ", counted from 0; it has " +
         std::to_string(count));
  if (joint.options.type == JointType::spherical) return cardan_angle(joint, which);
  if (joint.angles[which] >= 0) return stated_->coordinates[joint.angles[which]].symbol;
  const Turning turning = turning_of(joint, which);
  const Expr angle = coordinate_with_rate(turning.name, turning.rate, turning.drawn);
  const int place = stated_->role(angle).index;
  stated_->angles.push_back({place, turning.sine, turning.cosine, turning.drawn});
  stated_->joints[&joint - stated_->joints.data()].angles[which] = place;
  return angle;
}

Expr Model::joint_distance(std::string_view name) {
  const JointData& joint = stated_->find_joint(name);
  const Vector d = joint.sides[1].point - joint.sides[0].point;
  if (joint.options.type == JointType::distance) return norm(d);
  if (joint.options.type != JointType::prismatic && joint.options.type != JointType::cylindrical &&
      joint.options.type != JointType::screw)
    fail("joint '" + joint.name + "' is " + std::string(joint_word(joint.options.type)) +
         " and has no distance; prismatic, cylindrical, screw and distance joints have one");
  return dot(joint.sides[0].u, d);
}

Expr Model::joint_coordinate(std::string_view name, int place) {
  const JointData& joint = stated_->find_joint(name);
  const auto words = joint_coordinates(joint.options.type);
  if (place < 0 || place >= static_cast<int>(words.size()))
    fail("joint '" + joint.name + "' is " + std::string(joint_word(joint.options.type)) + " and has " +
         std::to_string(words.size()) + " coordinates of its own; number " + std::to_string(place) +
         ", counted from 0, is none of them");
  return words[place] == "distance" ? joint_distance(name) : joint_angle(name, place);
}

}  // namespace vinculum
