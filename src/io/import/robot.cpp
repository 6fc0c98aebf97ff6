#include "io/import/robot.hpp"

#include <fmt/format.h>

#include <numeric>

#include "vinculum/expr/parse.hpp"

namespace vinculum::robots {
namespace {

/// Steiner: what a point of this mass adds about a place `off` away.
Matrix3d moved(double mass, const Vector3d& off) {
  return mass * (off.squaredNorm() * Matrix3d::Identity() - off * off.transpose());
}

/// Which links are one body. The ground is one more link, the last.
class Groups {
 public:
  explicit Groups(std::size_t links) : leader_(links + 1) { std::iota(leader_.begin(), leader_.end(), 0); }
  int leader(int link) {
    int at = place(link);
    while (leader_[at] != at) at = leader_[at] = leader_[leader_[at]];
    return at;
  }
  bool is_ground(int link) { return leader(link) == last(); }
  /// The child goes to its parent; the ground goes nowhere. False where they were one before.
  bool join(int parent, int child) {
    int to = leader(parent), from = leader(child);
    if (to == from) return false;
    if (from == last()) std::swap(to, from);
    leader_[from] = to;
    return true;
  }

 private:
  int last() const { return static_cast<int>(leader_.size()) - 1; }
  int place(int link) const { return link == ground ? last() : link; }
  std::vector<int> leader_;
};

/// Everything that names links, for links that are now others.
void renumber(Robot& robot, const std::vector<int>& now, const std::vector<Pose>& shift) {
  const auto of = [&](int link) { return link == ground ? ground : now[link]; };
  std::vector<int> joint_now(robot.joints.size(), -1);
  std::vector<Joint> joints;
  for (std::size_t j = 0; j < robot.joints.size(); ++j) {
    Joint joint = robot.joints[j];
    if (joint.kind == JointKind::fixed) continue;
    joint.parent = of(joint.parent), joint.child = of(joint.child);
    if (joint.parent == joint.child) {
      robot.remark(joint.place,
                   fmt::format("joint '{}' is left out: both of its links are one body", joint.name));
      continue;
    }
    joint_now[j] = static_cast<int>(joints.size());
    joints.push_back(std::move(joint));
  }
  robot.joints = std::move(joints);
  std::vector<Coupling> couplings;
  for (Coupling& c : robot.couplings) {
    c.joint = joint_now[c.joint];
    if (c.of >= 0) c.of = joint_now[c.of] < 0 ? -2 : joint_now[c.of];
    if (c.joint < 0 || c.of == -2)
      robot.remark(c.place, fmt::format("'{}' is left out: its joints are", c.name));
    else
      couplings.push_back(std::move(c));
  }
  robot.couplings = std::move(couplings);
  for (HeldPose& h : robot.held) {
    const Pose a = h.a == ground ? Pose{} : shift[h.a], b = h.b == ground ? Pose{} : shift[h.b];
    h = {h.name, h.place, of(h.a), of(h.b), a * h.pose * b.inverse()};
  }
}

}  // namespace

Quaterniond turned_by(double roll, double pitch, double yaw) {
  return Quaterniond(Eigen::AngleAxisd(yaw, Vector3d::UnitZ()) * Eigen::AngleAxisd(pitch, Vector3d::UnitY()) *
                     Eigen::AngleAxisd(roll, Vector3d::UnitX()));
}

Inertial Inertial::seen_from(const Pose& pose) const {
  const Matrix3d turn = pose.turn.toRotationMatrix();
  return {mass, pose * centre, turn * inertia * turn.transpose()};
}

void Inertial::add(const Inertial& other) {
  const double total = mass + other.mass;
  if (!(other.mass > 0) && !(mass > 0)) {
    inertia += other.inertia;
    return;
  }
  const Vector3d middle = (mass * centre + other.mass * other.centre) / total;
  inertia += moved(mass, centre - middle) + other.inertia + moved(other.mass, other.centre - middle);
  mass = total;
  centre = middle;
}

void merge_fixed(Robot& robot) {
  Groups groups(robot.links.size());
  for (const Joint& joint : robot.joints)
    if (joint.kind == JointKind::fixed && !groups.join(joint.parent, joint.child))
      robot.remark(joint.place,
                   fmt::format("joint '{}' is left out: both of its links are one body", joint.name));
  std::vector<int> now(robot.links.size(), ground);
  std::vector<Pose> shift(robot.links.size());  // of a link, as the body sees it that it is part of
  std::vector<Link> bodies;
  const auto count = static_cast<int>(robot.links.size());
  for (int k = 0; k < count; ++k) {
    if (groups.leader(k) != k) continue;
    now[k] = static_cast<int>(bodies.size());
    bodies.push_back(robot.links[k]);
  }
  for (int k = 0; k < count; ++k) {
    if (groups.leader(k) == k) continue;
    const Link& link = robot.links[k];
    if (groups.is_ground(k)) {
      shift[k] = link.pose;
      robot.grounded.push_back(link.name);
      continue;
    }
    now[k] = now[groups.leader(k)];
    Link& body = bodies[now[k]];
    shift[k] = body.pose.inverse() * link.pose;
    body.inertial.add(link.inertial.seen_from(shift[k]));
    body.with.push_back(link.name);
    for (const Shape& shape : link.shapes)
      body.shapes.push_back({shape.kind, shape.size, shift[k] * shape.pose});
  }
  robot.links = std::move(bodies);
  renumber(robot, now, shift);
}

std::string Names::take(const std::string& name, const std::string& otherwise) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::string base;
  for (const char c : name) base += is_letter(c) || is_digit(c) ? c : '_';
  if (base.find_first_not_of('_') == base.npos) base = otherwise;
  if (is_digit(base[0])) base = "_" + base;
  std::string free = is_reserved_word(base) ? base + "_" : base;
  int& next = next_.try_emplace(base, 2).first->second;
  while (!taken_.insert(free).second) free = fmt::format("{}_{}", base, next++);
  return free;
}

}  // namespace vinculum::robots
