// Orientations as people tell them, and places told in the frame of a body.
#include "vinculum/model/frames.hpp"

#include <Eigen/Geometry>

#include "vinculum/base/error.hpp"
#include "vinculum/model/checks.hpp"

namespace vinculum {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

Vector3d three(std::span<const double> numbers, int first) {
  return {numbers[first], numbers[first + 1], numbers[first + 2]};
}

/// Of any length.
Quaterniond turn(std::span<const double> numbers, int first, const std::string& what) {
  const Quaterniond q(numbers[first], numbers[first + 1], numbers[first + 2], numbers[first + 3]);
  require_orientation(q.norm(), "the orientation of " + what);
  return q.normalized();
}

void put(const Vector3d& v, double* to) { std::copy_n(v.data(), 3, to); }

/// x = P + R p, v = V + R (w x p + v'), and angular velocities add up.
void compose(const std::string& what, std::span<const double> of, std::span<double> made) {
  const std::span<const double> own = of.subspan(pose_numbers);
  const Quaterniond frame = turn(of, 3, "the frame of " + what), body = turn(own, 3, what);
  const Vector3d spin = three(of, 10), place = three(own, 0);
  const Quaterniond both = frame * body;
  put(three(of, 0) + frame * place, made.data());
  const double q[] = {both.w(), both.x(), both.y(), both.z()};
  std::copy_n(q, 4, made.data() + 3);
  put(three(of, 7) + frame * (spin.cross(place) + three(own, 7)), made.data() + 7);
  put(three(own, 10) + body.conjugate() * spin, made.data() + 10);
}

Triple made_in_world(StatedModel& stated, const Part& frame, const Triple& given, const std::string& what,
                     bool is_point) {
  if (frame.body() == nullptr) return given;
  std::vector<Expr> of = numbers_of(start_of(stated, *frame.body()));
  of.insert(of.end(), {given[0], given[1], given[2]});
  const std::vector<Expr> made =
      stated.make({.name = what,
                   .of = std::move(of),
                   .what = every(what + " has the component"),
                   .rule =
                       [what, is_point](std::span<const double> from, std::span<double> to) {
                         const Vector3d turned =
                             turn(from, 3, "the frame of " + what) * three(from, pose_numbers);
                         put(is_point ? three(from, 0) + turned : turned, to.data());
                       },
                   .count = 3});
  return {made[0], made[1], made[2]};
}

Orientation about(int axis, const Expr& angle) {
  const Expr s = sin(angle / 2);
  return {cos(angle / 2), axis == 0 ? s : 0.0, axis == 1 ? s : 0.0, axis == 2 ? s : 0.0};
}

}  // namespace

std::vector<Expr> numbers_of(const BodyOptions& pose) {
  std::vector<Expr> all;
  for (int k = 0; k < 3; ++k) all.push_back(pose.position[k]);
  for (int k = 0; k < 4; ++k) all.push_back(pose.orientation[k]);
  for (int k = 0; k < 3; ++k) all.push_back(pose.velocity[k]);
  for (int k = 0; k < 3; ++k) all.push_back(pose.omega_body[k]);
  return all;
}

Orientation operator*(const Orientation& a, const Orientation& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

Orientation roll_pitch_yaw(const Expr& roll, const Expr& pitch, const Expr& yaw) {
  return about(2, yaw) * about(1, pitch) * about(0, roll);
}

void require_euler(std::string_view axes, const std::string& what) {
  bool good = axes.size() == 3;
  for (std::size_t k = 0; k < axes.size() && good; ++k)
    good = axes[k] >= 'x' && axes[k] <= 'z' && (k == 0 || axes[k] != axes[k - 1]);
  if (!good)
    fail(what + " are about '" + std::string(axes) +
         "'; three axes are asked for, as in \"zxz\" or \"xyz\", no two neighbours the same");
}

Orientation euler_angles(std::string_view axes, const Triple& angles) {
  require_euler(axes, "Euler angles");
  return about(axes[0] - 'x', angles[0]) * about(axes[1] - 'x', angles[1]) * about(axes[2] - 'x', angles[2]);
}

void orientation_of_matrix(const std::string& what, std::span<const double> rows, std::span<double> made) {
  Eigen::Matrix3d m;
  for (int k = 0; k < 9; ++k) m(k / 3, k % 3) = rows[k];
  constexpr double typed = 1e-6;  // matrices are typed with some digits
  const double off = (m * m.transpose() - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff();
  if (!(off <= typed) || !(m.determinant() > 0))
    fail(what + " is no rotation: its rows are unit vectors at right angles, right-handed");
  const Quaterniond q = Quaterniond(m).normalized();
  const double numbers[] = {q.w(), q.x(), q.y(), q.z()};
  std::copy_n(numbers, 4, made.data());
}

BodyOptions start_of(const StatedModel& stated, const Body& body) {
  const auto at = [&](const Expr& e) { return stated.at_start(e); };
  BodyOptions start;
  start.position = {at(body.x), at(body.y), at(body.z)};
  start.orientation = {at(body.orientation[0]), at(body.orientation[1]), at(body.orientation[2]),
                       at(body.orientation[3])};
  start.velocity = {at(body.x.rate()), at(body.y.rate()), at(body.z.rate())};
  start.omega_body = {at(body.wx), at(body.wy), at(body.wz)};
  return start;
}

void place_in_world(StatedModel& stated, const BodyOptions& frame, BodyOptions& body,
                    const std::string& what) {
  std::vector<Expr> of = numbers_of(frame);
  const std::vector<Expr> own = numbers_of(body);
  of.insert(of.end(), own.begin(), own.end());
  const std::vector<Expr> made = stated.make(
      {.name = "the place of " + what,
       .of = std::move(of),
       .what = every("the place of " + what + " has the component"),
       .rule = [what](std::span<const double> from, std::span<double> to) { compose(what, from, to); },
       .count = pose_numbers});
  body.position = {made[0], made[1], made[2]};
  body.orientation = {made[3], made[4], made[5], made[6]};
  body.velocity = {made[7], made[8], made[9]};
  body.omega_body = {made[10], made[11], made[12]};
}

Triple point_in_world(StatedModel& stated, const Part& frame, const Triple& point, const std::string& what) {
  return made_in_world(stated, frame, point, what, true);
}
Triple direction_in_world(StatedModel& stated, const Part& frame, const Triple& axis,
                          const std::string& what) {
  return made_in_world(stated, frame, axis, what, false);
}

}  // namespace vinculum
