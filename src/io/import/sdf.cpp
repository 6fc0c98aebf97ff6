// SDF: links and joints of models, whose places are told by frames that refer to each other.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "io/import/formats.hpp"

namespace vinculum::robots {
namespace {

constexpr double rounding = 1e-12;
constexpr int longest_chain = 1000;  // of frames that refer to each other

/// Other words are told where the file is judged.
bool truth(std::string_view word) {
  return word == "1" || std::ranges::equal(word, std::string_view("true"),
                                           [](char a, char b) { return a == b || a + ('a' - 'A') == b; });
}
bool truth(const Element* e) { return e != nullptr && truth(e->text); }

class SdfReader {
 public:
  SdfReader(const Element& root, std::vector<Fault>& faults)
      : root_(root), faults_(faults), numbers_(faults) {}

  Robot read() {
    robot_.format = "SDF";
    robot_.gravity = {0, 0, -9.8};  // the default of the format
    judge(root_, sdf_format, robot_, faults_);
    read_version();
    const Element* world = root_.child("world");
    if (world != nullptr)
      for (const Element& e : root_.children)
        if (&e != world)
          robot_.remark(e.place, fmt::format("<{}> beside <world> is not carried over", e.name));
    const Element& outer = world != nullptr ? *world : root_;
    for (const Element& e : outer.children) {
      if (e.name == "model") {
        if (robot_.name.empty()) robot_.name = e.get("name");
        gather_model(e, "", "world");
      } else if (e.name == "gravity") {
        robot_.gravity = vector_of(numbers_.of_text(e, {0, 0, -9.8}));
      } else if (e.name == "frame") {
        add_frame(e, e.get("name"), Kind::frame, "", "world");
      } else if (e.name == "joint") {
        joints_.emplace_back(&e, "");
      } else if (e.name != "physics" && e.name != "scene" && e.name != "light" && e.name != "gui") {
        robot_.remark(e.place,
                      fmt::format("<{}> is not carried over{}", e.name, meant(e, outer, sdf_format)));
      }
    }
    if (robot_.links.empty()) numbers_.refuse(root_, "there is no link in this file");
    if (!faults_.empty()) return std::move(robot_);
    for (auto& [key, frame] : frames_)
      if (frame.link >= 0) robot_.links[frame.link].pose = pose_of(key, 0);
    for (const auto& [e, scope] : joints_) read_joint(*e, scope);
    if (faults_.empty())
      for (const auto& [mimic, which] : mimics_) read_mimic(*mimic, which);
    return std::move(robot_);
  }

 private:
  enum class Kind { link, joint, frame, model };
  struct Frame {
    const Element* element;
    Kind kind;
    std::string scope;  ///< what names in it are of: "" or "model::"
    std::string base;   ///< the frame its pose is told in, unless said
    int link = -1;
  };

  /// 1.10 comes after 1.9.
  void read_version() {
    const std::string version = root_.get("version", "1.7");
    const std::size_t dot = version.find('.');
    const auto whole = [](std::string_view digits) -> std::optional<int> {
      int value = 0;
      const auto [rest, trouble] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
      if (trouble != std::errc{} || rest != digits.data() + digits.size()) return std::nullopt;
      return value;
    };
    const auto major = whole(version.substr(0, dot)),
               minor = whole(dot == version.npos ? "0" : version.substr(dot + 1));
    if (!major || !minor)
      return numbers_.refuse(root_, fmt::format("'version' of <sdf> is '{}'; a version as 1.7 is asked for",
                                                version.substr(0, 60)));
    is_before_1_5_ = *major < 1 || (*major == 1 && *minor < 5);
  }

  // Gathering names

  void add_frame(const Element& e, const std::string& name, Kind kind, const std::string& scope,
                 const std::string& base, int link = -1) {
    if (name.empty()) return numbers_.refuse(e, fmt::format("a <{}> has no name", e.name));
    if (!frames_.emplace(scope + name, Frame{&e, kind, scope, base, link}).second)
      numbers_.refuse(e, fmt::format("the name '{}' is taken", scope + name));
  }

  void gather_model(const Element& model, const std::string& around, const std::string& base) {
    const std::string name = model.get("name");
    add_frame(model, name, Kind::model, around, base);
    const std::string scope = around + name + "::";
    const std::string self = around + name;
    const bool rests = truth(model.child("static"));
    if (model.find("placement_frame") != nullptr)
      numbers_.refuse(model, "'placement_frame' is not known here: give the pose of the model itself");
    for (const Element& e : model.children) {
      if (e.name == "link") {
        add_frame(e, e.get("name"), Kind::link, scope, self, static_cast<int>(robot_.links.size()));
        read_link(e, scope, rests);
      } else if (e.name == "joint") {
        add_frame(e, e.get("name"), Kind::joint, scope, "");
        joints_.emplace_back(&e, scope);
      } else if (e.name == "frame") {
        const std::string to = e.get("attached_to");
        add_frame(e, e.get("name"), Kind::frame, scope, to.empty() ? self : full_name(scope, to));
      } else if (e.name == "model") {
        gather_model(e, scope, self);
      } else if (e.name != "static" && e.name != "pose" && e.name != "self_collide" &&
                 e.name != "allow_auto_disable") {
        robot_.remark(e.place,
                      fmt::format("<{}> is not carried over{}", e.name, meant(e, model, sdf_format)));
      }
    }
  }

  static std::string full_name(const std::string& scope, const std::string& name) {
    if (name == "world") return name;
    if (name == "__model__") return scope.substr(0, scope.size() < 2 ? 0 : scope.size() - 2);
    return scope + name;
  }

  // Links

  void read_link(const Element& e, const std::string& scope, bool rests) {
    Link link;
    // The outermost model gives no prefix where it is the only one.
    const std::size_t first = scope.find("::");
    const bool nested = first + 2 < scope.size() || scope.substr(0, first) != robot_.name;
    link.name = (nested ? scope : "") + e.get("name");
    link.place = e.place;
    link.inertial.mass = 1;
    link.inertial.inertia.setIdentity();
    const Element* inertial = e.child("inertial");
    if (inertial != nullptr)
      link.inertial = inertial_of(*inertial);
    else if (!rests)
      robot_.remark(e.place,
                    fmt::format("link '{}' has no <inertial>: mass 1 and moments 1, as SDF says", link.name));
    for (const Element& part : e.children) {
      if (part.name == "visual")
        read_visual(part, link);
      else if (part.name == "collision")
        robot_.remark(part.place, "contacts: a collision shape is not carried over");
      else if (part.name == "gravity" && !truth(&part))
        robot_.remark(
            part.place,
            fmt::format("link '{}' has weight here: <gravity> of a link is not carried over", link.name));
      else if (part.name != "inertial" && part.name != "pose" && part.name != "gravity" &&
               part.name != "self_collide" && part.name != "enable_wind" && part.name != "must_be_base_link")
        robot_.remark(part.place, fmt::format("<{}> of link '{}' is not carried over{}", part.name, link.name,
                                              meant(part, e, sdf_format)));
    }
    if (rests) {
      Joint hold;
      hold.place = e.place;
      hold.child = static_cast<int>(robot_.links.size());
      robot_.joints.push_back(hold);
    }
    robot_.links.push_back(std::move(link));
  }

  double number(const Element& e, const char* child, double otherwise) const {
    const Element* c = e.child(child);
    return c == nullptr ? otherwise : numbers_.of_text(*c, {otherwise})[0];
  }

  Inertial inertial_of(const Element& e) const {
    Inertial inertial;
    if (truth(e.get("auto")))
      numbers_.refuse(e, "the inertia of this link follows from its collision shapes (auto): give it here");
    inertial.mass = number(e, "mass", 1);
    inertial.inertia.setIdentity();
    if (const Element* i = e.child("inertia"))
      inertial.inertia = symmetric({number(*i, "ixx", 1), number(*i, "iyy", 1), number(*i, "izz", 1),
                                    number(*i, "ixy", 0), number(*i, "ixz", 0), number(*i, "iyz", 0)});
    return inertial.seen_from(own_pose(e));
  }

  void read_visual(const Element& e, Link& link) {
    const Element* geometry = e.child("geometry");
    if (geometry == nullptr || geometry->children.empty()) return;
    const Element& what = geometry->children.front();
    const Pose pose = own_pose(e);
    const Element* size = what.child("size");
    if (what.name == "box" && size != nullptr)
      link.shapes.push_back({Shape::Kind::box, numbers_.of_text(*size, {1, 1, 1}), pose});
    else if (what.name == "sphere")
      link.shapes.push_back({Shape::Kind::sphere, {number(what, "radius", 1)}, pose});
    else if (what.name == "cylinder")
      link.shapes.push_back(
          {Shape::Kind::cylinder, {number(what, "radius", 1), number(what, "length", 1)}, pose});
    else
      robot_.remark(what.place, "a mesh or another shape is drawn as the box with the moments of its link");
  }

  // Frames

  /// What <pose> says by itself.
  Pose own_pose(const Element& e) const {
    const Element* pose = e.child("pose");
    if (pose == nullptr || pose->text.empty()) return {};
    if (pose->get("rotation_format", "euler_rpy") == "quat_xyzw") {
      const std::vector<double> p = numbers_.of_text(*pose, {0, 0, 0, 0, 0, 0, 1});
      const Quaterniond turn(p[6], p[3], p[4], p[5]);
      if (turn.norm() > rounding) return {vector_of(p), turn.normalized()};
      numbers_.refuse(*pose, "the quaternion is zero");
      return {};
    }
    const std::vector<double> p = numbers_.of_text(*pose, {0, 0, 0, 0, 0, 0});
    const double unit = truth(pose->get("degrees")) ? std::acos(-1.0) / 180 : 1.0;
    return {vector_of(p), turned_by(unit * p[3], unit * p[4], unit * p[5])};
  }

  /// In the world. Frames may refer to each other in any order.
  Pose pose_of(const std::string& key, int depth) {
    if (key == "world" || key.empty()) return {};
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    const auto found = frames_.find(key);
    if (found == frames_.end()) return {};
    const Frame& frame = found->second;
    if (depth > longest_chain) {
      numbers_.refuse(
          *frame.element,
          fmt::format("more than {} frames refer to each other in a row, the limit", longest_chain));
      return {};
    }
    const Element* pose = frame.element->child("pose");
    std::string base = frame.base;
    if (frame.kind == Kind::joint) {
      const Element* child = frame.element->child("child");
      base = child == nullptr ? "world" : full_name(frame.scope, child->text);
    }
    if (pose != nullptr)
      for (const char* word : {"relative_to", "frame"})
        if (const std::string to = pose->get(word); !to.empty()) base = full_name(frame.scope, to);
    if (base != "world" && !base.empty() && frames_.find(base) == frames_.end()) {
      numbers_.refuse(pose != nullptr ? *pose : *frame.element, fmt::format("there is no frame '{}'", base));
      return {};
    }
    if (!open_.insert(key).second) {
      numbers_.refuse(*frame.element,
                      fmt::format("the pose of '{}' is told in frames that lead back to it", key));
      return {};
    }
    const Pose whole = pose_of(base, depth + 1) * own_pose(*frame.element);
    open_.erase(key);
    return known_[key] = whole;
  }

  /// The link that a frame is fixed in.
  std::optional<int> link_of(const Element& e, const std::string& key, int depth = 0) {
    if (key == "world") return ground;
    const auto found = frames_.find(key);
    if (found == frames_.end() || depth > longest_chain) {
      numbers_.refuse(e, fmt::format("there is no link '{}'", key));
      return std::nullopt;
    }
    const Frame& frame = found->second;
    if (frame.kind == Kind::link) return frame.link;
    if (frame.kind == Kind::frame) return link_of(e, frame.base, depth + 1);
    if (frame.kind == Kind::joint) {
      const Element* child = frame.element->child("child");
      return link_of(e, child == nullptr ? "" : full_name(frame.scope, child->text), depth + 1);
    }
    // A model stands for its canonical link: the one it names, or its first.
    std::string name = frame.element->get("canonical_link");
    if (const Element* first = frame.element->child("link"); name.empty() && first != nullptr)
      name = first->get("name");
    if (const Element* inner = frame.element->child("model"); name.empty() && inner != nullptr)
      name = inner->get("name");
    return link_of(e, key + "::" + name, depth + 1);
  }

  // Joints

  std::optional<int> part_of(const Element& e, const char* which, const std::string& scope) {
    const Element* part = e.child(which);
    if (part != nullptr) return link_of(*part, full_name(scope, part->text));
    numbers_.refuse(e, fmt::format("joint '{}' has no <{}>", e.get("name"), which));
    return std::nullopt;
  }

  /// In the world.
  Vector3d axis_of(const Element& e, const char* which, const std::string& scope, const Pose& frame) {
    const Element* axis = e.child(which);
    const Element* xyz = axis == nullptr ? nullptr : axis->child("xyz");
    if (xyz == nullptr) return frame.turn * Vector3d::UnitZ();
    const Vector3d u = vector_of(numbers_.of_text(*xyz, {0, 0, 1}));
    if (!(u.norm() > rounding)) {
      numbers_.refuse(*xyz, "the axis is zero; any other length will do");
      return Vector3d::UnitZ();
    }
    Pose in = frame;
    if (is_before_1_5_ || truth(axis->child("use_parent_model_frame")))
      in = pose_of(full_name(scope, "__model__"), 0);
    if (const std::string other = xyz->get("expressed_in"); !other.empty()) {
      const std::string key = full_name(scope, other);
      if (key != "world" && frames_.find(key) == frames_.end())
        numbers_.refuse(*xyz, fmt::format("there is no frame '{}'", key));
      in = pose_of(key, 0);
    }
    return in.turn * u.normalized();
  }

  /// "inf" is no limit.
  double bound(const Element& e, const char* child, double none) const {
    const Element* c = e.child(child);
    if (c != nullptr && (c->text == "inf" || c->text == "+inf" || c->text == "-inf")) return none;
    return number(e, child, none);
  }

  void read_axis(const Element& axis, Joint& joint, bool is_limited) {
    if (const Element* laws = axis.child("dynamics")) {
      joint.damping = number(*laws, "damping", 0);
      joint.friction = number(*laws, "friction", 0);
      joint.stiffness = number(*laws, "spring_stiffness", 0);
      joint.rest = number(*laws, "spring_reference", 0);
    }
    if (const Element* limit = axis.child("limit")) {
      const double lower = bound(*limit, "lower", -1e16), upper = bound(*limit, "upper", 1e16);
      if (is_limited && (lower > -1e15 || upper < 1e15)) {
        joint.limits = {lower, upper};
        robot_.remark(limit->place, fmt::format("the limits of joint '{}' are a comment", joint.name));
      }
    }
  }

  void read_joint(const Element& e, const std::string& scope) {
    const std::string type = e.get("type");
    Joint joint;
    joint.name = e.get("name");
    joint.place = e.place;
    const auto parent = part_of(e, "parent", scope), child = part_of(e, "child", scope);
    if (!parent || !child) return;
    if (*parent == *child)
      return numbers_.refuse(e, fmt::format("joint '{}' holds a link to itself", joint.name));
    joint.parent = *parent, joint.child = *child;
    const Pose frame = scope.empty() ? pose_of(full_name(scope, e.child("child")->text), 0) * own_pose(e)
                                     : pose_of(scope + joint.name, 0);
    joint.point = frame.at;
    joint.axis = axis_of(e, "axis", scope, frame);
    for (const Element& part : e.children)
      if (part.name == "sensor" || part.name == "physics" || part.name == "plugin")
        robot_.remark(part.place,
                      fmt::format("<{}> of joint '{}' is not carried over", part.name, joint.name));
    if (const Element* axis = e.child("axis")) {
      if (type == "revolute" || type == "continuous" || type == "prismatic" || type == "screw")
        read_axis(*axis, joint, type != "continuous");
      if (const Element* mimic = axis->child("mimic")) mimics_.emplace_back(mimic, scope + joint.name);
    }
    if (type == "revolute" || type == "continuous") {
      joint.kind = JointKind::revolute;
    } else if (type == "prismatic") {
      joint.kind = JointKind::prismatic;
    } else if (type == "ball") {
      joint.kind = JointKind::spherical;
    } else if (type == "fixed") {
      joint.kind = JointKind::fixed;
    } else if (type == "screw") {
      joint.kind = JointKind::screw;
      if (e.child("screw_thread_pitch") == nullptr)
        return numbers_.refuse(
            e, fmt::format("joint '{}' has no <screw_thread_pitch>, its travel for one turn", joint.name));
      joint.pitch = number(e, "screw_thread_pitch", 1);
    } else if (type == "universal" || type == "revolute2") {
      return read_two_axes(e, scope, frame, std::move(joint));
    } else if (type == "gearbox") {
      return robot_.remark(e.place, fmt::format("the gearbox '{}' is not carried over", joint.name));
    } else {
      return numbers_.refuse(
          e, fmt::format(
                 "joint '{}' is of type '{}'; types are revolute, continuous, prismatic, "
                 "ball, universal, revolute2, screw and fixed{}",
                 joint.name, type,
                 meant_word(type, "revolute continuous prismatic ball universal revolute2 screw fixed")));
    }
    joint_of_[scope + joint.name] = static_cast<int>(robot_.joints.size());
    robot_.joints.push_back(std::move(joint));
  }

  /// At right angles and with nothing else to them one universal joint, else two joints about a body without
  /// mass.
  void read_two_axes(const Element& e, const std::string& scope, const Pose& frame, Joint joint) {
    joint.kind = JointKind::revolute;
    Joint second = joint;
    second.axis = axis_of(e, "axis2", scope, frame);
    for (const auto& [which, of] : {std::pair{"axis", &joint}, {"axis2", &second}})
      if (const Element* axis = e.child(which)) read_axis(*axis, *of, true);
    const auto plain = [](const Joint& j) {
      return j.damping == 0 && j.friction == 0 && j.stiffness == 0 && !j.limits;
    };
    if (plain(joint) && plain(second) && std::fabs(joint.axis.dot(second.axis)) < rounding) {
      joint.kind = JointKind::universal;
      joint.axis2 = second.axis;
      robot_.joints.push_back(std::move(joint));
      return;
    }
    Link between;
    between.name = joint.name + "_cross";
    between.place = e.place;
    between.pose = frame;
    second.name += "_2";
    joint.child = second.parent = static_cast<int>(robot_.links.size());
    robot_.remark(
        e.place, fmt::format("joint '{}' has two axes: between them stands a body without mass", joint.name));
    robot_.links.push_back(std::move(between));
    robot_.joints.push_back(std::move(joint));
    robot_.joints.push_back(std::move(second));
  }

  /// follower = multiplier (leader - reference) + offset.
  void read_mimic(const Element& e, const std::string& which) {
    const std::string scope = which.substr(0, which.rfind("::") == which.npos ? 0 : which.rfind("::") + 2);
    const auto follower = joint_of_.find(which), leader = joint_of_.find(full_name(scope, e.get("joint")));
    if (leader == joint_of_.end())
      return numbers_.refuse(e, fmt::format("there is no joint '{}' to follow", e.get("joint")));
    const auto moves = [&](int j) {
      const JointKind kind = robot_.joints[j].kind;
      return kind == JointKind::revolute || kind == JointKind::prismatic;
    };
    if (follower == joint_of_.end() || !moves(follower->second) || !moves(leader->second))
      return robot_.remark(
          e.place, "<mimic> is not carried over: both joints must turn about an axis or slide along one");
    const double slope = number(e, "multiplier", 1);
    const double offset = number(e, "offset", 0) - slope * number(e, "reference", 0);
    if (offset != 0)
      robot_.remark(
          e.place,
          fmt::format("<mimic> of joint '{}' does not hold at the start: --assemble goes there", which));
    robot_.couplings.push_back({robot_.joints[follower->second].name + "_mimic",
                                e.place,
                                follower->second,
                                leader->second,
                                {offset, slope}});
  }

  const Element& root_;
  std::vector<Fault>& faults_;
  Numbers numbers_;
  Robot robot_;
  bool is_before_1_5_ = false;  ///< axes are then told in the frame of the model
  std::map<std::string, Frame> frames_;
  std::map<std::string, Pose> known_;
  std::set<std::string> open_;
  std::vector<std::pair<const Element*, std::string>> joints_, mimics_;
  std::map<std::string, int> joint_of_;
};

}  // namespace

Robot read_sdf(const Element& root, std::vector<Fault>& faults) { return SdfReader(root, faults).read(); }

}  // namespace vinculum::robots
