// What names of bodies and joints stand for.
#include <fmt/format.h>

#include <algorithm>

#include "io/model/reader_templates.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

/// What `hinge.angle` and the like ask for.
struct PartOfJoint {
  std::string_view word;
  bool is_effort = false;  // a torque or a force, and of which law
  bool of_motors = false;
  JointLaw law = JointLaw::all;
};
constexpr PartOfJoint parts_of_joints[] = {
    {"angle"},
    {"angle1"},
    {"angle2"},
    {"angle3"},
    {"distance"},
    {"torque", true, true},
    {"force", true, true},
    {"spring", true, false, JointLaw::spring},
    {"damper", true, false, JointLaw::damper},
    {"friction", true, false, JointLaw::friction},
    {"motor", true, true, JointLaw::motor},
};

std::optional<PartOfJoint> part_named(std::string_view word) {
  for (const PartOfJoint& part : parts_of_joints)
    if (part.word == word) return part;
  return std::nullopt;
}

bool slides(const JointData& joint) { return joint.options.type == JointType::prismatic; }

}  // namespace

bool Reader::is_part_of_joint(std::string_view word) { return part_named(word).has_value(); }

bool Reader::is_joint(std::string_view name) const {
  const Entry* joints = root_.find("joints");
  return joints != nullptr && joints->find(name) != nullptr;
}

const JointData* Reader::placed_joint(std::string_view name) const {
  const auto& places = model_.stated().joint_names;
  const auto found = places.find(name);
  return found == places.end() ? nullptr : &model_.joints()[found->second];
}

Value Reader::part_of_body(const std::string& name, const std::string& part, const Place& place) {
  if (text_->context->reach <= Reach::symbols) {
    note(place, fmt::format("'{}' is a body, and {} may use parameters only", name, text_->context->what));
    return Value::unknown();
  }
  const Body* found = body_named(name);
  if (found == nullptr) return Value::unknown();  // it has a fault of its own
  const Body& b = *found;
  const std::pair<std::string_view, Expr> scalars[] = {
      {"x", b.x},   {"y", b.y},   {"z", b.z},   {"qw", b.orientation[0]}, {"qx", b.orientation[1]},
      {"wx", b.wx}, {"wy", b.wy}, {"wz", b.wz}, {"qy", b.orientation[2]}, {"qz", b.orientation[3]}};
  for (const auto& [word, symbol] : scalars)
    if (word == part) return symbol;
  const bool flat = b.plane != Plane::none;
  if (flat && part == "angle") return static_cast<const Expr&>(b.angle);
  const std::string first = part.substr(0, part.find('.'));
  if (first == "omega" || first == "omega_body") {
    const Vector w = first == "omega" ? b.omega() : b.omega_body();
    if (first == part) return w;
    const std::string axis = part.substr(first.size() + 1);
    if (axis == "x" || axis == "y" || axis == "z") return axis == "x" ? w.x : axis == "y" ? w.y : w.z;
  }
  note(place,
       fmt::format("body '{}' in {} has no part '{}'; it has .x .y .z {}.qw .qx .qy .qz .wx .wy .wz .omega "
                   ".omega_body .point(x, y, z) .axis(x, y, z){}",
                   name, text_->context->what, part, flat ? ".angle " : "",
                   text_->context->place_of_force ? " and, as a place of forces, .torque (world axes)" : ""));
  return Value::unknown();
}

Value Reader::part_of_joint(const std::string& name, const std::string& part, const Place& place) {
  if (text_->context->reach <= Reach::symbols) {
    note(place, fmt::format("'{}' is a joint, and {} may use parameters only", name, text_->context->what));
    return Value::unknown();
  }
  const std::optional<PartOfJoint> asked = part_named(part);
  if (!asked || (asked->is_effort && text_->context->place_of_force)) {
    note(place, fmt::format("joint '{}' in {} has no part '{}'; it has .angle and .distance{}", name,
                            text_->context->what, part,
                            text_->context->place_of_force
                                ? ""
                                : ", .torque or .force, and of these .spring .damper .friction .motor"));
    return Value::unknown();
  }
  if (placed_joint(name) == nullptr) {
    const Entry* entry = root_.find("joints")->find(name);
    if (const std::string type = type_of(*entry); type == "gear" || type == "rack")
      note(place, fmt::format("'{}' in {} is a {} and has no {}; the joints it couples have", name,
                              text_->context->what, type, part));
    return Value::unknown();  // or it has a fault of its own
  }
  // Motors are known when all forces are.
  if (asked->of_motors && !observed_here(name + "." + part, place)) return Value::unknown();
  try {
    if (!asked->is_effort) return coordinate_of(*placed_joint(name), part);
    const bool along = part == "force" || (part != "torque" && slides(*placed_joint(name)));
    return along ? model_.joint_force(name, asked->law) : model_.joint_torque(name, asked->law);
  } catch (const Error& e) {
    note(place, e.text());
    return Value::unknown();
  }
}

bool Reader::is_bushing(std::string_view name) const {
  const Entry* bushings = root_.find("bushings");
  return bushings != nullptr && bushings->find(name) != nullptr;
}

Value Reader::part_of_bushing(const std::string& name, const std::string& part, const Place& place) {
  if (text_->context->reach <= Reach::symbols) {
    note(place, fmt::format("'{}' is a bushing, and {} may use parameters only", name, text_->context->what));
    return Value::unknown();
  }
  const auto& all = model_.bushings();
  const auto found = std::ranges::find(all, name, &BushingData::name);
  const std::size_t dot = std::min(part.find('.'), part.size());
  const std::string first = part.substr(0, dot), axis = dot < part.size() ? part.substr(dot + 1) : "";
  const std::pair<std::string_view, Vector BushingData::*> vectors[] = {{"offset", &BushingData::offset},
                                                                        {"rotation", &BushingData::rotation},
                                                                        {"force", &BushingData::force},
                                                                        {"torque", &BushingData::torque}};
  for (const auto& [word, member] : vectors) {
    if (word != first || !(axis.empty() || axis == "x" || axis == "y" || axis == "z")) continue;
    if (found == all.end()) return Value::unknown();  // it has a fault of its own
    const Vector& v = (*found).*member;
    if (axis.empty()) return v;
    return axis == "x" ? v.x : axis == "y" ? v.y : v.z;
  }
  note(place, fmt::format("bushing '{}' in {} has no part '{}'; it has .offset .rotation .force .torque",
                          name, text_->context->what, part));
  return Value::unknown();
}

Value Reader::fixed_in(std::string_view body, std::string_view what, const Vector& in_body,
                       const Place& place) {
  const Body* found = body_named(body);
  if (found == nullptr) {
    const auto known = names_.find(body);
    if (known != names_.end() && std::string_view(known->second.what) == "body") return Value::unknown();
    note(place, fmt::format("'{}' in {} is no body; only bodies have .{}(x, y, z)", body,
                            text_->context->what, what));
    suggest(std::string(body), [this] { return keys_of(bodies_); });
    return Value::unknown();
  }
  if (text_->context->reach <= Reach::symbols) {
    note(place, fmt::format("'{}' is a body, and {} may use parameters only", body, text_->context->what));
    return Value::unknown();
  }
  const Vector fixed = what == "point" ? found->point(in_body) : found->axis(in_body);
  remember(fixed, place);
  return fixed;
}

}  // namespace vinculum
