#include "io/begin/starts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

/// The coordinate of a joint that a name stands for: "crank.angle".
struct NamedCoordinate {
  const JointData* joint = nullptr;
  int place = 0;
};
NamedCoordinate joint_coordinate_named(const Model& model, const std::string& name) {
  for (const JointData& joint : model.joints())
    for (int k = 0; k < static_cast<int>(joint_coordinates(joint.options.type).size()); ++k)
      if (coordinate_name(joint, k) == name) return {&joint, k};
  return {};
}

/// Those of the joints that hold a body.
std::vector<std::string> joint_coordinates_at(const Model& model, const std::string& body) {
  std::vector<std::string> names;
  for (const JointData& joint : model.joints())
    if (std::ranges::find(joint.part_names, body) != joint.part_names.end())
      for (int k = 0; k < static_cast<int>(joint_coordinates(joint.options.type).size()); ++k)
        names.push_back(coordinate_name(joint, k));
  return names;
}

void require_known(const Model& model, const std::string& name) {
  std::vector<std::string> known;
  for (const auto& c : model.coordinates()) known.push_back(c.name);
  for (const auto& v : model.velocities()) known.push_back(v.name);
  if (std::ranges::find(known, name) != known.end()) return;
  for (const JointData& joint : model.joints())
    for (int k = 0; k < static_cast<int>(joint_coordinates(joint.options.type).size()); ++k)
      for (const char* rate : {"", "'"}) known.push_back(coordinate_name(joint, k) + rate);
  const std::string near = nearest_name(name, known);
  fail(fmt::format("there is no coordinate or velocity '{}' to start{}", name,
                   near.empty() ? "" : " (did you mean '" + near + "'?)"));
}

/// Four numbers that are one turn: no one of them can be held.
void require_no_quaternion(const Model& model, const std::string& name) {
  for (const Model::BodyData& body : model.bodies())
    for (const char* part : {".qw", ".qx", ".qy", ".qz"}) {
      if (name != body.name + part) continue;
      const std::vector<std::string> joints = joint_coordinates_at(model, body.name);
      fail(
          fmt::format("'{}' is a part of a quaternion and cannot be said alone: {}'orientation' of body "
                      "'{}' in the model says how it is turned",
                      name, joints.empty() ? "" : "start " + list_text(joints) + " instead, or ", body.name));
    }
}

/// Joints turn and move bodies to where they start: what else is said of these would be turned along.
void require_no_body(const Model& model, const std::string& name) {
  const auto is_of = [&](const std::string& owner) { return name.starts_with(owner + "."); };
  for (const Model::BodyData& body : model.bodies())
    if (is_of(body.name))
      fail("'" + name + "' is of body '" + body.name +
           "', and joints of this model say where bodies start: say it in coordinates of joints");
  for (const JointData& joint : model.joints())
    if (is_of(joint.name)) fail("'" + name + "' follows from the rate of joint '" + joint.name + "'");
}

}  // namespace

std::vector<std::string> take_starts(const Named& starts, Model& model) {
  std::vector<std::string> fixed;
  for (const auto& [name, value] : starts) {
    const bool is_rate = name.back() == '\'';
    const NamedCoordinate of =
        joint_coordinate_named(model, is_rate ? name.substr(0, name.size() - 1) : name);
    if (of.joint == nullptr) {
      require_known(model, name);
      require_no_quaternion(model, name);
      model.set_start(name, value);
      fixed.push_back(name);
      continue;
    }
    const auto& said = of.joint->options.start;
    CoordinateOfJointStart start =
        of.place < static_cast<int>(said.size()) ? said[of.place] : CoordinateOfJointStart{};
    (is_rate ? start.rate : start.value) = value;
    start.fixed = true;
    model.start_joint(of.joint->name, of.place, start);
  }
  if (has_joint_starts(model))
    for (const std::string& name : fixed) require_no_body(model, name);
  return fixed;
}

}  // namespace vinculum
