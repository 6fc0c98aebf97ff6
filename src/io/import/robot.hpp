// A robot, whatever its file's format: links, joints, what couples them, and what could not be carried over.
#pragma once
#include <Eigen/Geometry>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "vinculum/base/error.hpp"
#include "vinculum/io/import_robot.hpp"

namespace vinculum::robots {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

/// Where a frame is, and how it is turned, as another sees it.
struct Pose {
  Vector3d at = Vector3d::Zero();
  Quaterniond turn = Quaterniond::Identity();
  Vector3d operator*(const Vector3d& p) const { return at + turn * p; }
  Pose operator*(const Pose& inner) const { return {*this * inner.at, (turn * inner.turn).normalized()}; }
  Pose inverse() const { return {turn.conjugate() * -at, turn.conjugate()}; }
};

/// Turned about the axes of the frame outside, x first: R = Rz Ry Rx, as URDF and SDF have it.
Quaterniond turned_by(double roll, double pitch, double yaw);

/// Mass, centre and moments of a part, in the axes of its link.
struct Inertial {
  double mass = 0.0;
  Vector3d centre = Vector3d::Zero();
  Matrix3d inertia = Matrix3d::Zero();  ///< about the centre

  /// The same, of a part that stands at `pose`.
  Inertial seen_from(const Pose& pose) const;
  /// Both parts as one.
  void add(const Inertial& other);
};

/// What is drawn; nothing else follows from it.
struct Shape {
  enum class Kind { box, sphere, cylinder } kind = Kind::box;
  std::vector<double> size;  ///< edges; radius; radius and height along z
  Pose pose;                 ///< of its centre, in its link
};

/// The start of the motion is the robot's zero configuration; places of links and joints are of the world
/// there.
struct Link {
  std::string name;
  Place place;
  Pose pose;
  Inertial inertial;
  std::vector<Shape> shapes;
  std::vector<std::string> with = {};  ///< the links that were merged into it
  bool must_weigh = false;             ///< the format refuses it where it moves without mass or moments
};

constexpr int ground = -1;

enum class JointKind { fixed, revolute, prismatic, spherical, universal, planar, screw, weld };

struct Joint {
  std::string name;
  Place place;
  JointKind kind = JointKind::fixed;
  int parent = ground, child = ground;  ///< places in Robot::links
  Vector3d point = Vector3d::Zero();
  Vector3d axis = Vector3d::UnitX();
  std::optional<Vector3d> point2, axis2;  ///< the same as the child has them: open loops; universal: axis2
  double start = 0.0;                     ///< what the file calls its angle or distance at the start
  double pitch = 0.0;                     ///< of a screw
  std::optional<std::array<double, 2>> limits;  ///< in the numbers of the file
  // About the axis, or along it.
  double stiffness = 0.0, rest = 0.0, damping = 0.0, friction = 0.0, armature = 0.0;
};

/// joint = c0 + c1 of + c2 of^2 + ..., in the numbers of the file.
struct Coupling {
  std::string name;
  Place place;
  int joint = -1;
  int of = -1;  ///< -1: held at c0
  std::vector<double> coefficients;
};

/// A link held to another at a pose that is not the one of the start.
struct HeldPose {
  std::string name;
  Place place;
  int a = ground, b = ground;
  Pose pose;  ///< of b, as a sees it
};

struct Robot {
  std::string name, format;
  Vector3d gravity = {0, 0, -9.81};
  std::vector<Link> links;
  std::vector<Joint> joints;
  std::vector<Coupling> couplings;
  std::vector<HeldPose> held;
  std::vector<std::string> grounded;  ///< links that are part of the ground
  std::vector<Remark> remarks;

  void remark(const Place& place, std::string text) { remarks.push_back({place, std::move(text)}); }
};

/// Links on fixed joints become one body with what carries them, those on the ground part of it.
void merge_fixed(Robot& robot);

/// Names as models have them, each once in its set.
class Names {
 public:
  /// `name` as far as possible; `otherwise` where there is none.
  std::string take(const std::string& name, const std::string& otherwise);

 private:
  std::set<std::string> taken_;
  std::map<std::string, int> next_;  // the number that the next one of a name gets
};

/// The model, with the place in the robot's file that each of its lines is about.
ImportedRobot write_model(const Robot& robot, const std::string& path);

}  // namespace vinculum::robots
