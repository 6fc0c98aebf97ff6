// URDF: links and joints by name; frames of joints are those of their child links.
#include <fmt/format.h>

#include <cmath>

#include "io/import/formats.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/io/faults.hpp"

namespace vinculum::robots {
namespace {

constexpr double smallest_axis = 1e-12;

class UrdfReader {
 public:
  UrdfReader(const Element& root, const ImportOptions& options, std::vector<Fault>& faults)
      : root_(root), options_(options), faults_(faults), numbers_(faults) {}

  Robot read() {
    robot_.format = "URDF";
    robot_.name = root_.get("name");
    judge(root_, urdf_format, robot_, faults_);
    for (const Element& e : root_.children)
      if (e.name == "link") read_link(e);
    for (const Element& e : root_.children)
      if (e.name == "joint") read_joint(e);
    for (const Element& e : root_.children) {
      if (e.name == "loop_joint")
        loops_.push_back(&e);
      else if (e.name.starts_with("xacro:"))
        numbers_.refuse(
            e, fmt::format("<{}> is xacro: expand the file first ('xacro FILE > robot.urdf')", e.name));
      else if (e.name != "link" && e.name != "joint" && e.name != "material")
        robot_.remark(e.place, fmt::format("<{}>{} is not carried over{}", e.name, named(e),
                                           meant(e, root_, urdf_format)));
    }
    if (robot_.links.empty()) numbers_.refuse(root_, "the robot has no links");
    if (!faults_.empty()) return std::move(robot_);
    read_mimics();
    if (faults_.empty()) place_links();
    if (!faults_.empty()) return std::move(robot_);
    for (const Element* e : loops_) read_loop(*e);
    return std::move(robot_);
  }

 private:
  /// A joint as it is stated: its frame in the link that carries it.
  struct Stated {
    const Element* element;
    Pose origin;
    bool is_loop = false;
  };

  static std::string named(const Element& e) {
    const std::string* name = e.find("name");
    return name == nullptr ? "" : " '" + *name + "'";
  }

  Pose origin_of(const Element& e) const {
    const Element* origin = e.child("origin");
    return origin == nullptr ? Pose{} : pose_of(*origin);
  }
  Pose pose_of(const Element& e) const {
    const std::vector<double> rpy = numbers_.several(e, "rpy", {0, 0, 0});
    return {vector_of(numbers_.several(e, "xyz", {0, 0, 0})), turned_by(rpy[0], rpy[1], rpy[2])};
  }

  void read_link(const Element& e) {
    Link link;
    link.name = e.get("name");
    link.place = e.place;
    if (link.name.empty()) return numbers_.refuse(e, "a link has no name");
    if (!link_of_.emplace(link.name, static_cast<int>(robot_.links.size())).second)
      return numbers_.refuse(e, fmt::format("there are two links '{}'", link.name));
    for (const Element& part : e.children) {
      if (part.name == "inertial")
        link.inertial = inertial_of(part);
      else if (part.name == "visual")
        read_visual(part, link);
      else if (part.name == "collision")
        robot_.remark(part.place, "contacts: a collision shape is not carried over");
      else
        robot_.remark(part.place, fmt::format("<{}> of link '{}' is not carried over{}", part.name, link.name,
                                              meant(part, e, urdf_format)));
    }
    robot_.links.push_back(std::move(link));
  }

  Inertial inertial_of(const Element& e) const {
    Inertial inertial;
    if (const Element* mass = e.child("mass")) inertial.mass = numbers_.one(*mass, "value", 0);
    if (const Element* i = e.child("inertia")) {
      std::vector<double> all;
      for (const char* key : {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"})
        all.push_back(numbers_.one(*i, key, 0));
      inertial.inertia = symmetric(all);
    }
    return inertial.seen_from(origin_of(e));
  }

  void read_visual(const Element& e, Link& link) {
    const Element* geometry = e.child("geometry");
    if (geometry == nullptr || geometry->children.empty()) return;
    const Element& what = geometry->children.front();
    const Pose pose = origin_of(e);
    if (what.name == "box")
      link.shapes.push_back({Shape::Kind::box, numbers_.several(what, "size", {1, 1, 1}), pose});
    else if (what.name == "sphere")
      link.shapes.push_back({Shape::Kind::sphere, {numbers_.one(what, "radius", 1)}, pose});
    else if (what.name == "cylinder")
      link.shapes.push_back(
          {Shape::Kind::cylinder, {numbers_.one(what, "radius", 1), numbers_.one(what, "length", 1)}, pose});
    else
      robot_.remark(what.place, "a mesh is drawn as the box with the moments of its link");
  }

  /// The place of a link that an attribute names.
  int link_named(const Element& e, const std::string& name) const {
    const auto found = link_of_.find(name);
    if (found != link_of_.end()) return found->second;
    std::vector<std::string> known;
    if (faults_.size() < most_faults_shown)
      for (const auto& [link, place] : link_of_) known.push_back(link);
    const std::string near = nearest_name(name, known);
    numbers_.refuse(e, fmt::format("there is no link '{}'{}", name,
                                   near.empty() ? "" : " (did you mean '" + near + "'?)"));
    return ground;
  }
  int part_of(const Element& e, const char* which) const {
    const Element* part = e.child(which);
    if (part != nullptr) return link_named(*part, part->get("link"));
    numbers_.refuse(e, fmt::format("joint '{}' has no <{}>", e.get("name"), which));
    return ground;
  }

  Vector3d axis_of(const Element& e) const {
    const Element* axis = e.child("axis");
    if (axis == nullptr) return Vector3d::UnitX();
    const Vector3d u = vector_of(numbers_.several(*axis, "xyz", {1, 0, 0}));
    if (u.norm() > smallest_axis) return u.normalized();
    numbers_.refuse(*axis, "the axis is zero; any other length will do");
    return Vector3d::UnitX();
  }

  std::optional<JointKind> kind_of(const Element& e) const {
    const std::string type = e.get("type");
    if (type == "revolute" || type == "continuous") return JointKind::revolute;
    if (type == "prismatic") return JointKind::prismatic;
    if (type == "fixed") return JointKind::fixed;
    if (type == "planar") return JointKind::planar;
    if (type == "spherical" || type == "ball") return JointKind::spherical;
    if (type != "floating")
      numbers_.refuse(e, fmt::format("joint '{}' is of type '{}'; types are revolute, continuous, prismatic, "
                                     "fixed, floating, planar and spherical{}",
                                     e.get("name"), type,
                                     meant_word(type,
                                                "revolute continuous prismatic fixed floating planar "
                                                "spherical ball")));
    return std::nullopt;
  }

  void read_joint(const Element& e) {
    Joint joint;
    joint.name = e.get("name");
    joint.place = e.place;
    const auto kind = kind_of(e);
    joint.parent = part_of(e, "parent"), joint.child = part_of(e, "child");
    const bool has_axis =
        kind == JointKind::revolute || kind == JointKind::prismatic || kind == JointKind::planar;
    if (has_axis) joint.axis = axis_of(e);
    if (!joint.name.empty() && !joint_of_.emplace(joint.name, static_cast<int>(robot_.joints.size())).second)
      numbers_.refuse(e, fmt::format("there are two joints '{}'", joint.name));
    joint.kind = kind.value_or(JointKind::fixed);
    for (const Element& part : e.children) {
      if (part.name == "dynamics" && kind && *kind != JointKind::fixed) {
        joint.damping = numbers_.one(part, "damping", 0);
        joint.friction = numbers_.one(part, "friction", 0);
      } else if (part.name == "limit") {
        const std::string type = e.get("type");
        if (type == "revolute" || type == "prismatic") {
          joint.limits = {numbers_.one(part, "lower", 0), numbers_.one(part, "upper", 0)};
          robot_.remark(part.place, fmt::format("the limits of joint '{}' are a comment", joint.name));
        }
      } else if (part.name != "origin" && part.name != "parent" && part.name != "child" &&
                 part.name != "axis" && part.name != "mimic" && part.name != "dynamics")
        robot_.remark(part.place, fmt::format("<{}> of joint '{}' is not carried over{}", part.name,
                                              joint.name, meant(part, e, urdf_format)));
    }
    stated_.push_back({&e, origin_of(e)});
    floats_.push_back(!kind);
    robot_.joints.push_back(std::move(joint));
  }

  /// A mimic joint starts where its equation holds when the joint it follows is at 0.
  void read_mimics() {
    std::vector<int> follows(robot_.joints.size(), -1);
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      const Element* mimic = stated_[j].element->child("mimic");
      if (mimic == nullptr) continue;
      Joint& joint = robot_.joints[j];
      const auto moves = [&](int k) {
        const JointKind kind = robot_.joints[k].kind;
        return !floats_[k] && (kind == JointKind::revolute || kind == JointKind::prismatic);
      };
      const auto found = joint_of_.find(mimic->get("joint"));
      if (found == joint_of_.end()) {
        numbers_.refuse(*mimic, fmt::format("there is no joint '{}'", mimic->get("joint")));
        continue;
      }
      if (!moves(static_cast<int>(j)) || !moves(found->second)) {
        robot_.remark(mimic->place, fmt::format("<mimic> of joint '{}' is not carried over: both joints must "
                                                "turn about an axis or slide along one",
                                                joint.name));
        continue;
      }
      follows[j] = found->second;
      robot_.couplings.push_back(
          {joint.name + "_mimic",
           mimic->place,
           static_cast<int>(j),
           found->second,
           {numbers_.one(*mimic, "offset", 0), numbers_.one(*mimic, "multiplier", 1)}});
    }
    settle_starts(follows);
  }

  /// Along every chain of joints that follow each other, from its end.
  void settle_starts(const std::vector<int>& follows) {
    std::vector<const Coupling*> law(robot_.joints.size(), nullptr);
    for (const Coupling& c : robot_.couplings) law[c.joint] = &c;
    enum class Mark { none, open, settled };
    std::vector<Mark> mark(robot_.joints.size(), Mark::none);
    for (const Coupling& c : robot_.couplings) {
      std::vector<int> chain;
      int at = c.joint;
      for (; at >= 0 && mark[at] == Mark::none; at = follows[at]) {
        chain.push_back(at);
        mark[at] = Mark::open;
      }
      if (at >= 0 && mark[at] == Mark::open)
        faults_.push_back({c.place, fmt::format("<mimic> of joint '{}' follows itself in a circle",
                                                robot_.joints[c.joint].name)});
      for (std::size_t n = chain.size(); n-- > 0;) {
        const int j = chain[n];
        mark[j] = Mark::settled;
        if (law[j] != nullptr)
          robot_.joints[j].start =
              law[j]->coefficients[0] + law[j]->coefficients[1] * robot_.joints[law[j]->of].start;
      }
    }
  }

  /// The frame of a joint's child, in that of the joint, where the motion starts.
  static Pose motion_of(const Joint& joint) {
    if (joint.start == 0) return {};
    if (joint.kind == JointKind::prismatic) return {joint.start * joint.axis, Quaterniond::Identity()};
    return {Vector3d::Zero(), Quaterniond(Eigen::AngleAxisd(joint.start, joint.axis))};
  }

  /// From the root outwards. A link with two joints is reached by the first; the second closes a loop.
  void place_links() {
    const std::size_t count = robot_.links.size();
    std::vector<std::vector<int>> below(count);
    std::vector<int> above(count, -1);
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      const Joint& joint = robot_.joints[j];
      if (above[joint.child] >= 0) {
        stated_[j].is_loop = true;
        continue;
      }
      above[joint.child] = static_cast<int>(j);
      below[joint.parent].push_back(static_cast<int>(j));
    }
    std::vector<int> next;
    for (std::size_t k = 0; k < count; ++k)
      if (above[k] < 0) next.push_back(static_cast<int>(k));
    if (next.size() != 1) {
      const int second = next.empty() ? 0 : next[1];
      faults_.push_back({robot_.links[second].place,
                         next.empty() ? "no link is the root: the joints go round in a circle"
                                      : fmt::format("link '{}' hangs on no joint, and link '{}' is the root",
                                                    robot_.links[second].name, robot_.links[next[0]].name)});
      return;
    }
    const int root = next[0];
    std::size_t placed = 0;
    while (!next.empty()) {
      const int link = next.back();
      next.pop_back();
      ++placed;
      for (const int j : below[link]) {
        const Joint& joint = robot_.joints[j];
        robot_.links[joint.child].pose = robot_.links[link].pose * stated_[j].origin * motion_of(joint);
        next.push_back(joint.child);
      }
    }
    if (placed < count) {
      faults_.push_back({robot_.joints.front().place, "some joints go round in a circle without a root"});
      return;
    }
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) place_joint(static_cast<int>(j));
    hold_root(root);
    drop_floating();
  }

  void place_joint(int j) {
    Joint& joint = robot_.joints[j];
    const Pose frame = robot_.links[joint.parent].pose * stated_[j].origin;
    const Vector3d in_joint = joint.axis;
    joint.point = frame.at;
    joint.axis = frame.turn * in_joint;
    if (!stated_[j].is_loop) return;
    if (floats_[j]) return;
    floats_[j] = !close_loop(joint, frame, robot_.links[joint.child].pose, in_joint);
  }

  /// A second joint of a link: its frame is that of the link, which may be elsewhere at the start. False
  /// where equations hold it instead.
  bool close_loop(Joint& joint, const Pose& on_parent, const Pose& on_child, const Vector3d& in_joint) {
    if (joint.kind == JointKind::fixed) joint.kind = JointKind::weld;
    const bool turned = on_parent.turn.angularDistance(on_child.turn) > 1e-9;
    if (turned && joint.kind == JointKind::weld) {
      const Pose parent = robot_.links[joint.parent].pose, child = robot_.links[joint.child].pose;
      robot_.held.push_back({joint.name, joint.place, joint.parent, joint.child,
                             parent.inverse() * on_parent * on_child.inverse() * child});
      robot_.remark(joint.place,
                    fmt::format("'{}' holds a pose that is not the one of the start: --assemble goes there",
                                joint.name));
      return false;
    }
    if (turned && joint.kind == JointKind::prismatic)
      robot_.remark(joint.place, fmt::format("the loop of joint '{}' keeps the turn about its axis that its "
                                             "links have at the start, not that of its two frames",
                                             joint.name));
    const Vector3d axis = on_child.turn * in_joint;
    const bool apart = (joint.point - on_child.at).norm() > 1e-12;
    const bool askew = joint.axis.cross(axis).norm() > 1e-12 && joint.kind != JointKind::weld &&
                       joint.kind != JointKind::spherical;
    if (apart) joint.point2 = on_child.at;
    if (askew) joint.axis2 = axis;
    if (apart || askew)
      robot_.remark(
          joint.place,
          fmt::format("the loop of joint '{}' is open at the start: --assemble closes it", joint.name));
    return true;
  }

  void hold_root(int root) {
    const Link& link = robot_.links[root];
    const bool is_world = link.name == "world" || link.name == "map";
    if (options_.floating && !is_world) return;
    if (!is_world && link.inertial.mass > 0)
      robot_.remark(link.place, fmt::format("the root link '{}' is held to the ground; 'vinculum import "
                                            "--floating' lets it move",
                                            link.name));
    Joint hold;
    hold.place = link.place;
    hold.child = root;
    robot_.joints.push_back(hold);
    floats_.push_back(false);
  }

  /// A floating joint holds nothing.
  void drop_floating() {
    std::vector<int> now;
    std::vector<Joint> joints;
    for (std::size_t j = 0; j < robot_.joints.size(); ++j) {
      now.push_back(floats_[j] ? -1 : static_cast<int>(joints.size()));
      if (!floats_[j]) joints.push_back(robot_.joints[j]);
    }
    robot_.joints = std::move(joints);
    for (Coupling& c : robot_.couplings) c.joint = now[c.joint], c.of = now[c.of];
  }

  /// <loop_joint> has a frame in each of its two links.
  void read_loop(const Element& e) {
    Joint joint;
    joint.name = e.get("name");
    joint.place = e.place;
    joint.kind = kind_of(e).value_or(JointKind::weld);
    const Element *first = e.child("link1"), *second = e.child("link2");
    if (first == nullptr || second == nullptr)
      return numbers_.refuse(e, fmt::format("<loop_joint> '{}' has no <link1> and <link2>", joint.name));
    const std::size_t before = faults_.size();
    joint.parent = link_named(*first, first->get("link")),
    joint.child = link_named(*second, second->get("link"));
    const bool has_axis = joint.kind == JointKind::revolute || joint.kind == JointKind::prismatic;
    const Vector3d in_joint = has_axis ? axis_of(e) : Vector3d(Vector3d::UnitX());
    if (faults_.size() > before) return;
    const Pose a = robot_.links[joint.parent].pose * pose_of(*first);
    joint.point = a.at;
    joint.axis = a.turn * in_joint;
    if (const Element* laws = e.child("dynamics")) {
      joint.damping = numbers_.one(*laws, "damping", 0);
      joint.friction = numbers_.one(*laws, "friction", 0);
    }
    if (close_loop(joint, a, robot_.links[joint.child].pose * pose_of(*second), in_joint))
      robot_.joints.push_back(std::move(joint));
  }

  const Element& root_;
  const ImportOptions& options_;
  std::vector<Fault>& faults_;
  Numbers numbers_;
  Robot robot_;
  std::map<std::string, int> link_of_, joint_of_;
  std::vector<Stated> stated_;
  std::vector<bool> floats_;
  std::vector<const Element*> loops_;
};

}  // namespace

Robot read_urdf(const Element& root, const ImportOptions& options, std::vector<Fault>& faults) {
  return UrdfReader(root, options, faults).read();
}

}  // namespace vinculum::robots
