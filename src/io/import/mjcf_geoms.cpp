// MJCF: frames, and what geoms weigh.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "io/import/mjcf.hpp"

namespace vinculum::robots {
namespace {

using std::numbers::pi;

Quaterniond euler(const std::vector<double>& angles, const MjcfCompiler& compiler) {
  Quaterniond q = Quaterniond::Identity();
  for (int k = 0; k < 3; ++k) {
    const char c = compiler.sequence[k];
    const bool turning = c >= 'x';  // small letters: about the axes that turn along
    const int axis = turning ? c - 'x' : c - 'X';
    const Quaterniond turn(Eigen::AngleAxisd(angles[k] * compiler.angle, Vector3d(Vector3d::Unit(axis))));
    q = turning ? q * turn : turn * q;
  }
  return q;
}

/// z goes to the direction by the smallest turn; to the opposite one about x.
Quaterniond along(const Vector3d& z) {
  const Vector3d u = z.normalized();
  if (u.head<2>().norm() < 1e-10 && u.z() < 0) return {0, 1, 0, 0};
  return Quaterniond::FromTwoVectors(Vector3d::UnitZ(), u);
}

std::optional<Quaterniond> turn_of(const Element& e, const MjcfCompiler& compiler, const Numbers& numbers) {
  const auto refuse = [&](const char* key) {
    numbers.refuse(e, fmt::format("'{}' of <{}> has no direction", key, e.name));
    return Quaterniond::Identity();
  };
  if (e.find("quat") != nullptr) {
    const std::vector<double> q = numbers.several(e, "quat", {1, 0, 0, 0});
    const Quaterniond turn(q[0], q[1], q[2], q[3]);
    return turn.norm() > 1e-12 ? turn.normalized() : refuse("quat");
  }
  if (e.find("axisangle") != nullptr) {
    const std::vector<double> a = numbers.several(e, "axisangle", {0, 0, 1, 0});
    const Vector3d axis = vector_of(a);
    if (!(axis.norm() > 1e-12)) return refuse("axisangle");
    return Quaterniond(Eigen::AngleAxisd(a[3] * compiler.angle, axis.normalized()));
  }
  if (e.find("xyaxes") != nullptr) {
    const std::vector<double> a = numbers.several(e, "xyaxes", {1, 0, 0, 0, 1, 0});
    const Vector3d x = vector_of(a), y(a[3], a[4], a[5]), z = x.cross(y);
    if (!(x.norm() > 1e-12) || !(z.norm() > 1e-12)) return refuse("xyaxes");
    Matrix3d axes;
    axes << x.normalized(), z.cross(x).normalized(), z.normalized();
    return Quaterniond(axes);
  }
  if (e.find("zaxis") != nullptr) {
    const Vector3d z = vector_of(numbers.several(e, "zaxis", {0, 0, 1}));
    return z.norm() > 1e-12 ? along(z) : refuse("zaxis");
  }
  if (e.find("euler") != nullptr) return euler(numbers.several(e, "euler", {0, 0, 0}), compiler);
  return std::nullopt;
}

/// Volume and moments for the density 1, in the axes of the geom.
struct Filled {
  double volume = 0.0;
  Vector3d moments = Vector3d::Zero();
};

Filled ellipsoid(const Vector3d& r) {
  const double v = 4 * pi / 3 * r.prod();
  const Vector3d s = r.cwiseAbs2();
  return {v, v / 5 * Vector3d(s.y() + s.z(), s.x() + s.z(), s.x() + s.y())};
}
Filled box(const Vector3d& half) {
  const double v = 8 * half.prod();
  const Vector3d s = half.cwiseAbs2();
  return {v, v / 3 * Vector3d(s.y() + s.z(), s.x() + s.z(), s.x() + s.y())};
}
Filled cylinder(double r, double half) {
  const double v = 2 * pi * r * r * half, across = v * (3 * r * r + 4 * half * half) / 12;
  return {v, {across, across, v * r * r / 2}};
}
/// A cylinder between two halves of a ball, whose centres of mass are 3/8 r beyond its ends.
Filled capsule(double r, double half) {
  const Filled middle = cylinder(r, half);
  const Filled ball = ellipsoid({r, r, r});
  const double across =
      middle.moments.x() + ball.moments.x() + ball.volume * (half * half + 2 * half * 3 * r / 8);
  return {middle.volume + ball.volume, {across, across, middle.moments.z() + ball.moments.z()}};
}

class GeomReader {
 public:
  GeomReader(const Element& e, const MjcfCompiler& compiler, Robot& robot, const Numbers& numbers)
      : e_(e), compiler_(compiler), robot_(robot), numbers_(numbers), type_(e.get("type", "sphere")) {
    pose_ = frame_of(e, compiler, numbers);
    if (e.find("fromto") == nullptr) return;
    const std::vector<double> f = numbers.several(e, "fromto", {0, 0, 0, 0, 0, 1});
    const Vector3d from = vector_of(f), to(f[3], f[4], f[5]);
    half_ = (to - from).norm() / 2;
    if (!(half_ > 1e-12)) numbers.refuse(e, "'fromto' of <geom> has no length");
    pose_ = {(from + to) / 2, along(to - from)};
    spans_ = true;
  }

  MjcfGeom read(bool weighed) {
    MjcfGeom geom;
    if (type_ == "plane" || type_ == "hfield" || type_ == "sdf") return geom;
    if (type_ == "mesh") {
      read_mesh(weighed);
      return geom;
    }
    const std::vector<double> s = sizes();
    if (s.empty()) return geom;
    Filled filled;
    if (type_ == "sphere") filled = ellipsoid({s[0], s[0], s[0]});
    if (type_ == "ellipsoid") filled = ellipsoid({s[0], s[1], s[2]});
    if (type_ == "box") filled = box({s[0], s[1], s[2]});
    if (type_ == "cylinder") filled = cylinder(s[0], s[1]);
    if (type_ == "capsule") filled = capsule(s[0], s[1]);
    draw(s, geom);
    if (weighed) weigh(filled, geom);
    return geom;
  }

 private:
  void read_mesh(bool weighed) {
    const bool weightless = (e_.find("mass") != nullptr && numbers_.one(e_, "mass", 0) == 0) ||
                            (e_.find("mass") == nullptr && numbers_.one(e_, "density", 1000) == 0);
    if (weighed && !weightless)
      numbers_.refuse(
          e_,
          "the inertia of this body follows from a mesh, and meshes are not read: give the body an "
          "<inertial>");
    else
      robot_.remark(e_.place, "a mesh is drawn as the box with the moments of its body");
  }

  /// As many as the type has; none where they are wrong.
  std::vector<double> sizes() {
    const std::size_t asked = type_ == "sphere"                           ? 1
                              : type_ == "capsule" || type_ == "cylinder" ? 2
                              : type_ == "box" || type_ == "ellipsoid"    ? 3
                                                                          : 0;
    if (asked == 0) {
      numbers_.refuse(
          e_, fmt::format("'{}' is no type of <geom> that is known here{}", type_,
                          meant_word(type_, "plane hfield sphere capsule ellipsoid cylinder box mesh")));
      return {};
    }
    auto given = numbers_of(e_.get("size"));
    const std::size_t needed = spans_ && asked > 1 ? asked - 1 : asked;
    if (given && spans_ && !given->empty()) {
      if (asked == 3 && given->size() < 2) given->push_back(given->front());
      given->resize(std::max(given->size(), asked));
      if (asked > 1) (*given)[asked - 1] = half_;
    }
    bool fine = given && given->size() >= asked;
    for (std::size_t k = 0; fine && k < asked; ++k) fine = (*given)[k] > 0;
    if (fine) return *given;
    numbers_.refuse(e_,
                    fmt::format("'size' of <geom> is '{}'; {} positive number{} asked for of a {}",
                                e_.get("size").substr(0, 60), needed, needed == 1 ? " is" : "s are", type_));
    return {};
  }

  void draw(const std::vector<double>& s, MjcfGeom& geom) const {
    if (type_ == "sphere") geom.shapes.push_back({Shape::Kind::sphere, {s[0]}, pose_});
    if (type_ == "box") geom.shapes.push_back({Shape::Kind::box, {2 * s[0], 2 * s[1], 2 * s[2]}, pose_});
    if (type_ == "cylinder" || type_ == "capsule")
      geom.shapes.push_back(
          {Shape::Kind::cylinder, {s[0], 2 * s[1] + (type_ == "capsule" ? 2 * s[0] : 0.0)}, pose_});
    if (type_ == "ellipsoid")
      geom.shapes.push_back({Shape::Kind::box, {2 * s[0], 2 * s[1], 2 * s[2]}, pose_});
  }

  void weigh(const Filled& filled, MjcfGeom& geom) {
    const double group = numbers_.one(e_, "group", 0);
    if (group < compiler_.first_group || group > compiler_.last_group) return;
    double density = numbers_.one(e_, "density", 1000);
    if (e_.find("mass") != nullptr) density = numbers_.one(e_, "mass", 0) / filled.volume;
    if (density < 0) return numbers_.refuse(e_, "the mass of this <geom> is negative");
    if (!std::isfinite(density)) return numbers_.refuse(e_, "the mass of this <geom> is too large");
    if (e_.get("shellinertia") == "true")
      robot_.remark(e_.place, "a shell is taken as filled: 'shellinertia' is not carried over");
    Inertial part;
    part.mass = density * filled.volume;
    part.inertia = (density * filled.moments).asDiagonal();
    geom.inertial = part.seen_from(pose_);
    geom.weighs = part.mass > 0;
  }

  const Element& e_;
  const MjcfCompiler& compiler_;
  Robot& robot_;
  const Numbers& numbers_;
  std::string type_;
  Pose pose_;
  double half_ = 0.0;
  bool spans_ = false;
};

}  // namespace

Pose frame_of(const Element& e, const MjcfCompiler& compiler, const Numbers& numbers) {
  return {vector_of(numbers.several(e, "pos", {0, 0, 0})),
          turn_of(e, compiler, numbers).value_or(Quaterniond::Identity())};
}

MjcfGeom geom_of(const Element& element, const MjcfCompiler& compiler, bool weighed, Robot& robot,
                 const Numbers& numbers) {
  return GeomReader(element, compiler, robot, numbers).read(weighed);
}

}  // namespace vinculum::robots
