// Joints in a row: what is between them has no mass.
#include <Eigen/Dense>

#include "model/plane.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/model/frames.hpp"
#include "vinculum/model/joint_rules.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

using Eigen::Vector3d;
/// An angular velocity, and the velocity of what is at the origin of the world.
using Twist = Eigen::Matrix<double, 6, 1>;

constexpr int pose_numbers = 13, joint_numbers = 6, link_numbers = 6;

Vector3d three(std::span<const double> numbers, std::size_t first) {
  return {numbers[first], numbers[first + 1], numbers[first + 2]};
}

/// Of a part: position, orientation, velocity, angular velocity in body axes.
Twist twist_of(std::span<const double> pose) {
  const Vector3d spin = Eigen::Quaterniond(pose[3], pose[4], pose[5], pose[6]).normalized() * three(pose, 10);
  Twist twist;
  twist << spin, three(pose, 7) - spin.cross(three(pose, 0));
  return twist;
}

/// Of a joint whose rate is 1: its point and its axis.
Twist twist_of_joint(std::span<const double> joint, bool slides) {
  const Vector3d axis = three(joint, 3).normalized();
  Twist twist;
  if (slides)
    twist << Vector3d::Zero(), axis;
  else
    twist << axis, three(joint, 0).cross(axis);
  return twist;
}

/// The rates of the joints are those that take A to B, as nearly as they can; the links move along. Each is
/// where the joint before it is.
void find_links(const std::vector<char>& slides, std::span<const double> of, std::span<double> made) {
  const std::size_t count = slides.size();
  const auto joint = [&](std::size_t k) {
    return of.subspan(2 * pose_numbers + k * joint_numbers, joint_numbers);
  };
  Eigen::Matrix<double, 6, Eigen::Dynamic> each(6, count);
  for (std::size_t k = 0; k < count; ++k) each.col(k) = twist_of_joint(joint(k), slides[k]);
  Twist now = twist_of(of.first(pose_numbers));
  const Twist between = twist_of(of.subspan(pose_numbers, pose_numbers)) - now;
  const Eigen::VectorXd rate = each.completeOrthogonalDecomposition().solve(between);
  for (std::size_t k = 0; k + 1 < count; ++k) {
    now += rate[k] * each.col(k);
    const Vector3d spin = now.head<3>(), velocity = now.tail<3>() + spin.cross(three(joint(k), 0));
    std::copy_n(velocity.data(), 3, made.data() + k * link_numbers);
    std::copy_n(spin.data(), 3, made.data() + k * link_numbers + 3);
  }
}

void tell_in_world(StatedModel& stated, JointOptions& options, const std::string& what) {
  options.point = point_in_world(stated, options.frame, options.point, "'point' of " + what);
  options.axis = direction_in_world(stated, options.frame, options.axis, "'axis' of " + what);
  options.frame = {};
}

void require_series(std::span<const NamedJoint> joints, const std::string& what) {
  if (joints.size() < 2)
    fail(what + " has " + std::to_string(joints.size()) + " joints in a row; two or more are asked for");
  for (const NamedJoint& joint : joints)
    if (joint.options.type != JointType::revolute && joint.options.type != JointType::prismatic)
      fail("joint '" + joint.name + "' of " + what + " is " + std::string(joint_word(joint.options.type)) +
           "; joints in a row are revolute or prismatic");
}

}  // namespace

std::vector<Part> add_links(Model& model, std::string_view name, const Part& a, const Part& b,
                            std::span<NamedJoint> joints) {
  StatedModel& stated = model.stated();
  const std::string what = "joint '" + std::string(name) + "'";
  require_series(joints, what);
  std::vector<Expr> of;
  std::vector<char> slides;
  for (const Part* part : {&a, &b}) {
    const BodyOptions pose = part->body() != nullptr ? start_of(stated, *part->body()) : BodyOptions{};
    for (int k = 0; k < 3; ++k) of.push_back(pose.position[k]);
    for (int k = 0; k < 4; ++k) of.push_back(pose.orientation[k]);
    for (int k = 0; k < 3; ++k) of.push_back(pose.velocity[k]);
    for (int k = 0; k < 3; ++k) of.push_back(pose.omega_body[k]);
  }
  for (NamedJoint& joint : joints) {
    tell_in_world(stated, joint.options, "joint '" + joint.name + "' of " + what);
    slides.push_back(joint.options.type == JointType::prismatic);
    for (const Triple* given : {&joint.options.point, &joint.options.axis})
      for (int k = 0; k < 3; ++k) of.push_back((*given)[k]);
    const std::string axis = "'axis' of joint '" + joint.name + "' of " + what;
    const Triple& u = joint.options.axis;
    stated.demand({u[0], u[1], u[2]}, axis,
                  [axis](std::span<const double> n) { require_direction({n[0], n[1], n[2]}, axis); });
  }
  const std::vector<Expr> made =
      stated.make({.name = "the links of " + what,
                   .of = std::move(of),
                   .what = every("the place of " + what + " has the component"),
                   .rule = [slides](auto from, auto to) { find_links(slides, from, to); },
                   .count = static_cast<int>(link_numbers * (joints.size() - 1)),
                   .keep_axes = true});
  const auto plane = [](const Part& part) {
    return part.body() != nullptr ? part.body()->plane : Plane::none;
  };
  const bool flat = (a.body() == nullptr || plane(a) == plane(b) || b.body() == nullptr);
  std::vector<Part> chain{a};
  for (std::size_t k = 0; k + 1 < joints.size(); ++k) {
    const Expr* of_link = made.data() + k * link_numbers;
    BodyOptions link;
    link.mass = 0.0;
    link.inertia = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    link.position = joints[k].options.point;
    link.velocity = {of_link[0], of_link[1], of_link[2]};
    link.omega_body = {of_link[3], of_link[4], of_link[5]};
    link.plane = flat ? plane(a.body() != nullptr ? a : b) : Plane::none;
    chain.emplace_back(model.body(std::string(name) + ".link" + std::to_string(k + 1), link));
  }
  chain.push_back(b);
  return chain;
}

void Model::series(std::string_view name, const Part& a, const Part& b, std::span<const NamedJoint> joints) {
  std::vector<NamedJoint> told(joints.begin(), joints.end());
  const std::vector<Part> chain = add_links(*this, name, a, b, told);
  for (std::size_t k = 0; k < told.size(); ++k)
    joint(std::string(name) + "." + told[k].name, chain[k], chain[k + 1], told[k].options);
}

}  // namespace vinculum
