// MJCF: bodies stand inside each other, joints stand in the body they move.
#include "io/import/mjcf.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "vinculum/base/text.hpp"

namespace vinculum::robots {
namespace {

constexpr double rounding = 1e-12;

bool is_one_of(const std::string& name, std::initializer_list<const char*> words) {
  return std::find(words.begin(), words.end(), name) != words.end();
}

class MjcfReader {
 public:
  MjcfReader(const Element& root, std::vector<Fault>& faults)
      : root_(root), faults_(faults), numbers_(faults) {}

  Robot read() {
    robot_.format = "MJCF";
    robot_.name = root_.get("model");
    judge(root_, mjcf_format, robot_, faults_);
    for (const Element& e : root_.children) {
      if (e.name == "compiler") read_compiler(e);
      if (e.name == "option") read_option(e);
    }
    defaults_.read(root_, faults_);
    for (const Element& e : root_.children)
      if (e.name == "equality")
        for (const Element& part : e.children)
          for (const char* key : {"joint1", "joint2"})
            if (part.find(key) != nullptr) coupled_.insert(part.get(key));
    for (const Element& e : root_.children)
      if (e.name == "worldbody") {
        read_contents(e, ground, {}, e.get("childclass"), nullptr);
        read_bodies(e, ground, {}, e.get("childclass"));
      }
    for (const Element& e : root_.children) read_section(e);
    if (faults_.empty() && compiler_.total_mass > 0) scale_masses();
    return std::move(robot_);
  }

 private:
  /// What is gathered of a body while its contents are read.
  struct Contents {
    std::vector<Joint> joints;
    bool is_free = false;
    std::optional<Inertial> stated;
    Inertial of_geoms;
    std::vector<Element> geoms;  ///< with what their classes add
    std::vector<Pose> geom_frames;
  };

  // Settings

  void read_compiler(const Element& e) {
    if (e.find("angle") != nullptr)
      compiler_.angle = e.get("angle") == "radian" ? 1.0 : std::acos(-1.0) / 180;
    compiler_.sequence = e.get("eulerseq", compiler_.sequence);
    bool fine = compiler_.sequence.size() == 3;
    for (const char c : compiler_.sequence)
      fine = fine && std::string_view("xyzXYZ").find(c) != std::string_view::npos;
    if (!fine) {
      numbers_.refuse(
          e, fmt::format("'eulerseq' is '{}'; three of x, y, z, X, Y, Z are asked for", compiler_.sequence));
      compiler_.sequence = "xyz";
    }
    if (e.get("coordinate") == "global")
      numbers_.refuse(
          e, "'coordinate' is 'global'; only local coordinates are known here, as in MuJoCo since 2.3.4");
    using From = MjcfCompiler::FromGeoms;
    if (const std::string* from = e.find("inertiafromgeom"))
      compiler_.from_geoms = *from == "true" ? From::yes : *from == "false" ? From::no : From::where_none;
    if (e.find("autolimits") != nullptr) compiler_.autolimits = e.get("autolimits") != "false";
    if (e.find("balanceinertia") != nullptr) compiler_.balance = e.get("balanceinertia") == "true";
    compiler_.least_mass = numbers_.one(e, "boundmass", compiler_.least_mass);
    compiler_.least_moment = numbers_.one(e, "boundinertia", compiler_.least_moment);
    compiler_.total_mass = numbers_.one(e, "settotalmass", compiler_.total_mass);
    const std::vector<double> range = numbers_.several(
        e, "inertiagrouprange", {double(compiler_.first_group), double(compiler_.last_group)});
    compiler_.first_group = static_cast<int>(std::clamp(range[0], -1e6, 1e6));
    compiler_.last_group = static_cast<int>(std::clamp(range[1], -1e6, 1e6));
  }

  void read_option(const Element& e) {
    robot_.gravity = vector_of(
        numbers_.several(e, "gravity", {robot_.gravity.x(), robot_.gravity.y(), robot_.gravity.z()}));
    const bool has_wind = vector_of(numbers_.several(e, "wind", {0, 0, 0})).norm() > 0;
    for (const auto& [key, counts] : {std::pair{"wind", has_wind},
                                      {"density", numbers_.one(e, "density", 0) != 0},
                                      {"viscosity", numbers_.one(e, "viscosity", 0) != 0}})
      if (counts) robot_.remark(e.place, fmt::format("'{}' of the medium is not carried over", key));
    for (const Element& flag : e.children)
      for (const auto& [key, value] : flag.attributes) {
        if (key == "gravity" && value == "disable")
          robot_.gravity.setZero();
        else if (value == "disable" &&
                 is_one_of(key, {"constraint", "equality", "spring", "damper", "passive", "frictionloss"}))
          robot_.remark(flag.place, fmt::format("the flag '{}' is not carried over", key));
      }
  }

  // Bodies

  static std::string named(const Element& e) {
    const std::string* name = e.find("name");
    return name == nullptr ? "" : " '" + *name + "'";
  }

  void read_body(const Element& e, int parent, const Pose& around, const std::string& inherited) {
    const std::string its_class = e.get("childclass", inherited);
    const int k = static_cast<int>(robot_.links.size());
    {
      Link link;
      link.name = e.get("name");
      if (link.name.empty()) link.name = fmt::format("body_{}", k + 1);
      link.place = e.place;
      link.pose = around * frame_of(e, compiler_, numbers_);
      if (e.find("name") != nullptr && !link_of_.emplace(link.name, k).second)
        numbers_.refuse(e, fmt::format("there are two bodies '{}'", link.name));
      robot_.links.push_back(std::move(link));
    }
    if (e.find("gravcomp") != nullptr && numbers_.one(e, "gravcomp", 0) != 0)
      robot_.remark(e.place, fmt::format("'gravcomp' of body{} is not carried over", named(e)));
    if (e.get("mocap") == "true")
      robot_.remark(e.place, fmt::format("body{} is moved from outside (mocap): here it rests", named(e)));
    Contents contents;
    read_contents(e, k, {}, its_class, &contents);
    weigh(e, k, contents);
    hang(k, parent, contents);
    read_bodies(e, k, {}, its_class);
  }

  /// The bodies in a body, or in a frame of it, once all else of it is known.
  void read_bodies(const Element& e, int link, const Pose& at, const std::string& its_class) {
    const Pose body = link == ground ? Pose{} : robot_.links[link].pose;
    for (const Element& part : e.children) {
      if (part.name == "body") read_body(part, link, body * at, its_class);
      if (part.name == "frame")
        read_bodies(part, link, at * frame_of(part, compiler_, numbers_), part.get("childclass", its_class));
    }
  }

  /// What stands in a body, or in a frame of it, but other bodies. `at` is the frame, as the body sees it.
  void read_contents(const Element& e, int link, const Pose& at, const std::string& its_class,
                     Contents* contents) {
    const Pose body = link == ground ? Pose{} : robot_.links[link].pose;
    for (const Element& part : e.children) {
      if (part.name == "body") continue;
      if (part.name == "frame") {
        read_contents(part, link, at * frame_of(part, compiler_, numbers_), part.get("childclass", its_class),
                      contents);
      } else if (part.name == "site") {
        const Element site = defaults_.complete(part, its_class, faults_);
        if (const std::string* name = site.find("name"))
          site_of_[*name] = {link, at * frame_of(site, compiler_, numbers_)};
      } else if (part.name == "geom") {
        read_geom(part, at, its_class, contents);
      } else if (contents != nullptr && (part.name == "joint" || part.name == "freejoint")) {
        read_joint(part, link, body * at, its_class, *contents);
      } else if (contents != nullptr && part.name == "inertial") {
        contents->stated = inertial_of(part).seen_from(at);
      } else if (is_one_of(part.name, {"composite", "flexcomp", "replicate", "attach"})) {
        numbers_.refuse(part,
                        fmt::format("<{}> makes bodies and is not known here: write them out (MuJoCo saves "
                                    "the model it compiled by mj_saveLastXML)",
                                    part.name));
      } else {
        robot_.remark(part.place,
                      fmt::format("<{}> is not carried over{}", part.name, meant(part, e, mjcf_format)));
      }
    }
  }

  void read_geom(const Element& part, const Pose& at, const std::string& its_class, Contents* contents) {
    Element geom = defaults_.complete(part, its_class, faults_);
    const auto touches = [&](const char* key) { return numbers_.one(geom, key, 1) != 0; };
    if (touches("contype") || touches("conaffinity"))
      robot_.remark(geom.place, "contacts: a colliding shape is not carried over");
    if (contents == nullptr) return;  // of the ground
    contents->geoms.push_back(std::move(geom));
    contents->geom_frames.push_back(at);
  }

  Inertial inertial_of(const Element& e) const {
    Inertial inertial;
    inertial.mass = numbers_.one(e, "mass", 0);
    if (e.find("fullinertia") != nullptr) {
      inertial.inertia = symmetric(numbers_.several(e, "fullinertia", {1, 1, 1, 0, 0, 0}));
    } else {
      const std::vector<double> d = numbers_.several(e, "diaginertia", {0, 0, 0});
      inertial.inertia = vector_of(d).asDiagonal();
    }
    return inertial.seen_from(frame_of(e, compiler_, numbers_));
  }

  void weigh(const Element& e, int k, const Contents& contents) {
    using From = MjcfCompiler::FromGeoms;
    const bool by_geoms =
        compiler_.from_geoms == From::yes || (compiler_.from_geoms == From::where_none && !contents.stated);
    Inertial inertial = by_geoms ? Inertial{} : contents.stated.value_or(Inertial{});
    for (std::size_t n = 0; n < contents.geoms.size(); ++n) {
      const MjcfGeom geom = geom_of(contents.geoms[n], compiler_, by_geoms, robot_, numbers_);
      const Pose& at = contents.geom_frames[n];
      if (geom.weighs) inertial.add(geom.inertial.seen_from(at));
      for (const Shape& s : geom.shapes) robot_.links[k].shapes.push_back({s.kind, s.size, at * s.pose});
    }
    if (inertial.mass < 0) return numbers_.refuse(e, fmt::format("body{} has a negative mass", named(e)));
    inertial.mass = std::max(inertial.mass, compiler_.least_mass);
    bound(inertial.inertia);
    robot_.links[k].inertial = inertial;
  }

  /// No principal moment below the least; balanced where no body has such ones.
  void bound(Matrix3d& inertia) const {
    if (!(compiler_.least_moment > 0) && !compiler_.balance) return;
    const Eigen::SelfAdjointEigenSolver<Matrix3d> solved(inertia);
    Vector3d d = solved.eigenvalues().cwiseMax(compiler_.least_moment);
    if (compiler_.balance && d[0] + d[1] < d[2]) d.setConstant(d.mean());
    inertia = solved.eigenvectors() * d.asDiagonal() * solved.eigenvectors().transpose();
  }

  void scale_masses() {
    double total = 0;
    for (const Link& link : robot_.links) total += link.inertial.mass;
    if (!(total > 0)) return;
    for (Link& link : robot_.links) {
      link.inertial.mass *= compiler_.total_mass / total;
      link.inertial.inertia *= compiler_.total_mass / total;
    }
  }

  // Joints

  void read_joint(const Element& part, int link, const Pose& at, const std::string& its_class,
                  Contents& contents) {
    // A free joint by its own name takes nothing from classes.
    const Element e = part.name == "joint" ? defaults_.complete(part, its_class, faults_) : part;
    const std::string type = e.name == "freejoint" ? "free" : e.get("type", "hinge");
    Joint joint;
    joint.name = e.get("name");
    joint.place = e.place;
    joint.child = link;
    if (!joint.name.empty() && !named_joints_.insert(joint.name).second)
      numbers_.refuse(e, fmt::format("there are two joints '{}'", joint.name));
    if (joint.name.empty())
      joint.name = fmt::format("{}_joint{}", robot_.links[link].name,
                               contents.joints.empty() ? "" : std::to_string(contents.joints.size() + 1));
    joint.point = at * vector_of(numbers_.several(e, "pos", {0, 0, 0}));
    const Vector3d axis = vector_of(numbers_.several(e, "axis", {0, 0, 1}));
    joint.damping = numbers_.one(e, "damping", 0);
    joint.stiffness = numbers_.one(e, "stiffness", 0);
    joint.armature = numbers_.one(e, "armature", 0);
    joint.friction = numbers_.one(e, "frictionloss", 0);
    if (type == "free" || type == "ball") {
      read_ball_or_free(e, type == "free", joint, contents);
    } else if (type == "hinge" || type == "slide") {
      joint.kind = type == "hinge" ? JointKind::revolute : JointKind::prismatic;
      if (!(axis.norm() > rounding)) return numbers_.refuse(e, "the axis is zero; any other length will do");
      joint.axis = at.turn * axis.normalized();
      const double unit = type == "hinge" ? compiler_.angle : 1.0;
      joint.start = unit * numbers_.one(e, "ref", 0);
      joint.rest = unit * numbers_.one(e, "springref", 0);
      read_limits(e, unit, joint);
      contents.joints.push_back(joint);
    } else {
      return numbers_.refuse(
          e, fmt::format("'{}' is no type of <joint>; types are hinge, slide, ball and free{}", type,
                         meant_word(type, "hinge slide ball free")));
    }
    if (e.find("actuatorfrclimited") != nullptr || e.find("actuatorfrcrange") != nullptr)
      robot_.remark(e.place, fmt::format("the force limits of joint '{}' are not carried over", joint.name));
  }

  void read_limits(const Element& e, double unit, Joint& joint) {
    const std::string limited = e.get("limited", "auto");
    const bool are_stated = compiler_.autolimits && e.find("range") != nullptr;
    if (limited != "true" && !(limited == "auto" && are_stated)) return;
    const std::vector<double> range = numbers_.several(e, "range", {0, 0});
    const bool is_ball = joint.kind == JointKind::spherical;
    if (!is_ball) joint.limits = {unit * range[0], unit * range[1]};
    robot_.remark(e.place, fmt::format("the limits of joint '{}' are {}", joint.name,
                                       is_ball ? "not carried over" : "a comment"));
  }

  /// Three or six ways to move: only a damper of a ball is the same for all of them.
  void read_ball_or_free(const Element& e, bool is_free, Joint& joint, Contents& contents) {
    joint.kind = JointKind::spherical;
    for (const auto& [key, value] : {std::pair{"stiffness", &joint.stiffness},
                                     {"armature", &joint.armature},
                                     {"frictionloss", &joint.friction},
                                     {"damping", &joint.damping}}) {
      if (*value == 0 || (!is_free && value == &joint.damping)) continue;
      robot_.remark(e.place, fmt::format("'{}' of the {} joint '{}' is not carried over", key,
                                         is_free ? "free" : "ball", joint.name));
      *value = 0;
    }
    if (!is_free) read_limits(e, 1.0, joint);
    if (is_free)
      contents.is_free = true;
    else
      contents.joints.push_back(joint);
  }

  /// Two hinges at right angles through one point, with nothing else to them.
  bool is_universal(const std::vector<Joint>& joints) const {
    if (joints.size() != 2) return false;
    for (const Joint& j : joints)
      if (j.kind != JointKind::revolute || j.stiffness != 0 || j.damping != 0 || j.armature != 0 ||
          j.friction != 0 || j.start != 0 || j.limits || coupled_.contains(j.name))
        return false;
    return (joints[0].point - joints[1].point).norm() < rounding &&
           std::fabs(joints[0].axis.dot(joints[1].axis)) < rounding;
  }

  /// The joints of a body one after another, bodies without mass between them.
  void hang(int k, int parent, const Contents& contents) {
    robot_.links[k].must_weigh = contents.is_free || !contents.joints.empty();
    if (contents.is_free) return;
    const std::string name = robot_.links[k].name;
    std::vector<Joint> joints = contents.joints;
    if (joints.empty()) {
      Joint fixed;
      fixed.name = name + "_fixed";
      fixed.place = robot_.links[k].place;
      joints = {fixed};
    } else if (is_universal(joints)) {
      Joint both = joints[0];
      both.kind = JointKind::universal;
      both.axis2 = joints[1].axis;
      both.name = joints[0].name + "_" + joints[1].name;
      robot_.remark(both.place, fmt::format("joints '{}' and '{}' are one universal joint '{}'",
                                            joints[0].name, joints[1].name, both.name));
      joints = {both};
    }
    int at = parent;
    for (std::size_t n = 0; n < joints.size(); ++n) {
      Joint& joint = joints[n];
      joint.parent = at;
      joint.child = k;
      if (n + 1 < joints.size()) {
        Link between;
        between.name = fmt::format("{}_{}", name, n + 1);
        between.place = joint.place;
        between.pose = {joint.point, robot_.links[k].pose.turn};
        joint.child = at = static_cast<int>(robot_.links.size());
        robot_.links.push_back(std::move(between));
      }
      if (named_joints_.contains(joint.name)) joint_of_[joint.name] = static_cast<int>(robot_.joints.size());
      robot_.joints.push_back(joint);
    }
    if (joints.size() > 1)
      robot_.remark(robot_.links[k].place,
                    fmt::format("body '{}' has {} joints: between them stand bodies without mass", name,
                                joints.size()));
  }

  // What stands beside the bodies

  void read_section(const Element& e) {
    if (e.name == "equality") {
      for (const Element& part : e.children) read_equality(part, e);
    } else if (is_one_of(e.name, {"actuator", "sensor", "tendon", "contact", "keyframe", "deformable",
                                  "custom", "extension"})) {
      for (const Element& part : e.children)
        robot_.remark(part.place,
                      fmt::format("<{}>{} of <{}> is not carried over", part.name, named(part), e.name));
    } else if (!is_one_of(e.name, {"compiler", "option", "default", "worldbody", "asset", "visual",
                                   "statistic", "size"})) {
      robot_.remark(e.place, fmt::format("<{}> is not carried over{}", e.name, meant(e, root_, mjcf_format)));
    }
  }

  std::optional<int> body_named(const Element& e, const char* key) {
    const std::string name = e.get(key, "world");
    if (name == "world") return ground;
    if (const auto found = link_of_.find(name); found != link_of_.end()) return found->second;
    numbers_.refuse(e, fmt::format("there is no body '{}'", name));
    return std::nullopt;
  }
  std::optional<int> joint_named(const Element& e, const char* key) {
    const std::string name = e.get(key);
    const auto found = joint_of_.find(name);
    if (found == joint_of_.end()) {
      numbers_.refuse(e, fmt::format("there is no joint '{}'", name));
      return std::nullopt;
    }
    const JointKind kind = robot_.joints[found->second].kind;
    if (kind == JointKind::revolute || kind == JointKind::prismatic) return found->second;
    numbers_.refuse(e, fmt::format("joint '{}' has no one angle or distance", name));
    return std::nullopt;
  }
  Pose pose_of(int link) const { return link == ground ? Pose{} : robot_.links[link].pose; }

  void read_equality(const Element& part, const Element& section) {
    const Element e = defaults_.complete(part, "", faults_);
    if (e.get("active") == "false")
      return robot_.remark(
          e.place, fmt::format("<{}>{} of <equality> is not active and not carried over", e.name, named(e)));
    if (e.name == "connect" || e.name == "weld")
      read_loop(e);
    else if (e.name == "joint")
      read_coupling(e);
    else
      robot_.remark(e.place, fmt::format("<{}>{} of <equality> is not carried over{}", e.name, named(e),
                                         meant(e, section, mjcf_format)));
  }

  void read_loop(const Element& e) {
    const bool connects = e.name == "connect";
    Joint joint;
    joint.name = e.get("name", e.name);
    joint.place = e.place;
    joint.kind = connects ? JointKind::spherical : JointKind::weld;
    if (e.find("site1") != nullptr || e.find("site2") != nullptr) {
      const auto first = site_of_.find(e.get("site1")), second = site_of_.find(e.get("site2"));
      if (first == site_of_.end() || second == site_of_.end())
        return numbers_.refuse(
            e, fmt::format("there is no site '{}'", e.get(first == site_of_.end() ? "site1" : "site2")));
      return read_sites(e, joint, first->second, second->second);
    }
    const auto a = body_named(e, "body1"), b = body_named(e, "body2");
    if (!a || !b) return;
    joint.parent = *a, joint.child = *b;
    if (connects) {
      joint.point = pose_of(*a) * vector_of(numbers_.several(e, "anchor", {0, 0, 0}));
    } else {
      joint.point = pose_of(*b) * vector_of(numbers_.several(e, "anchor", {0, 0, 0}));
      const std::vector<double> rel = numbers_.several(e, "relpose", {0, 1, 0, 0, 0, 0, 0});
      const Quaterniond turn(rel[3], rel[4], rel[5], rel[6]);
      if (turn.norm() > rounding) return hold(joint, {vector_of(rel), turn.normalized()});
    }
    if (joint.parent == joint.child) return numbers_.refuse(e, "both of its bodies are the same");
    robot_.joints.push_back(std::move(joint));
  }

  struct Site {
    int link = ground;
    Pose pose;  ///< in its link
  };

  void read_sites(const Element& e, Joint& joint, const Site& a, const Site& b) {
    joint.parent = a.link, joint.child = b.link;
    if (joint.parent == joint.child) return numbers_.refuse(e, "both of its sites are of the same body");
    if (joint.kind == JointKind::weld) return hold(joint, a.pose * b.pose.inverse());
    joint.point = pose_of(a.link) * a.pose.at;
    const Vector3d other = pose_of(b.link) * b.pose.at;
    if ((joint.point - other).norm() > rounding) {
      joint.point2 = other;
      robot_.remark(e.place,
                    fmt::format("the loop of '{}' is open at the start: --assemble closes it", joint.name));
    }
    robot_.joints.push_back(std::move(joint));
  }

  /// A weld at a pose of its own: a joint where that is the one of the start, else equations.
  void hold(Joint& joint, const Pose& wanted) {
    const Pose now = pose_of(joint.parent).inverse() * pose_of(joint.child);
    const bool same = (now.at - wanted.at).norm() < rounding && now.turn.angularDistance(wanted.turn) < 1e-9;
    if (same) {
      robot_.joints.push_back(std::move(joint));
      return;
    }
    robot_.remark(
        joint.place,
        fmt::format("'{}' holds a pose that is not the one of the start: --assemble goes there", joint.name));
    robot_.held.push_back({joint.name, joint.place, joint.parent, joint.child, wanted});
  }

  /// q1 - ref1 = c0 + c1 (q2 - ref2) + ..: what MuJoCo counts from the start.
  void read_coupling(const Element& e) {
    const auto first = joint_named(e, "joint1");
    if (!first) return;
    Coupling c;
    c.name = e.get("name", "coupling");
    c.place = e.place;
    c.joint = *first;
    c.coefficients = numbers_.several(e, "polycoef", {0, 1, 0, 0, 0});
    if (e.find("joint2") != nullptr) {
      const auto second = joint_named(e, "joint2");
      if (!second) return;
      c.of = *second;
    }
    // The polynomial of x - x0 as one of x (Horner), and y0 on the other side.
    const double x0 = c.of < 0 ? 0.0 : robot_.joints[c.of].start;
    std::vector<double> of_x(c.coefficients.size(), 0.0);
    for (std::size_t n = c.coefficients.size(); n-- > 0;) {
      for (std::size_t m = of_x.size() - 1; m > 0; --m) of_x[m] = of_x[m - 1] - x0 * of_x[m];
      of_x[0] = c.coefficients[n] - x0 * of_x[0];
    }
    of_x[0] += robot_.joints[c.joint].start;
    if (c.coefficients[0] != 0)
      robot_.remark(c.place, fmt::format("'{}' does not hold at the start: --assemble goes there", c.name));
    c.coefficients = std::move(of_x);
    robot_.couplings.push_back(std::move(c));
  }

  const Element& root_;
  std::vector<Fault>& faults_;
  Numbers numbers_;
  Robot robot_;
  MjcfCompiler compiler_;
  MjcfDefaults defaults_;
  std::map<std::string, int> link_of_, joint_of_;
  std::map<std::string, Site> site_of_;
  std::set<std::string> coupled_, named_joints_;
};

}  // namespace

Robot read_mjcf(const Element& root, const ImportOptions&, std::vector<Fault>& faults) {
  return MjcfReader(root, faults).read();
}

}  // namespace vinculum::robots
