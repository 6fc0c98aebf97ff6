// Mechanisms of rigid bodies that several tests use.
#pragma once
#include <numbers>
#include <string>

#include "support/bodies.hpp"

namespace vinculum::test {

inline Vector constant(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }
inline Vector rate_of(const Model& m, const Vector& e) { return {m.rate(e.x), m.rate(e.y), m.rate(e.z)}; }

/// Moments of a straight piece: about its axis, and across it through its middle.
struct Straight {
  double mass = 1, along = 0, across = 0;
  static Straight thin(double mass, double length) { return {mass, 0, mass * length * length / 12}; }
  static Straight square(double mass, double length, double width) {
    return {mass, mass * width * width / 6, mass * (length * length + width * width) / 12};
  }
};

/// A straight piece between two points, along its own x axis.
inline BodyOptions straight_between(const Vector3d& from, const Vector3d& to, const Straight& piece) {
  const Quaterniond turn = Quaterniond::FromTwoVectors(Vector3d::UnitX(), to - from);
  return {.mass = piece.mass,
          .inertia = {piece.along, piece.across, piece.across, 0.0, 0.0, 0.0},
          .position = numbers(Vector3d((from + to) / 2)),
          .orientation = numbers(turn)};
}

/// The same body in a world that turns about a point.
inline BodyOptions turning(BodyOptions body, const Vector3d& omega, const Vector3d& about) {
  body.velocity = numbers(Vector3d(omega.cross(vector_of(body.position) - about)));
  body.omega_body = numbers(Vector3d(turn_of(body.orientation).normalized().conjugate() * omega));
  return body;
}

/// IFToMM A04: five rods and six hinges, each axis across the next; a linkage that no count lets move.
inline Model bricard(double L = 1, double mass = 1, double width = 0.1, double gravity = 9.81) {
  const Vector3d corner[6] = {{0, 0, 0}, {L, 0, 0}, {L, -L, 0}, {L, -L, L}, {0, -L, L}, {0, 0, L}};
  const std::array<double, 3> axis[6] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  Model m;
  Part before;
  for (int k = 0; k <= 5; ++k) {
    Part next;
    if (k < 5)
      next = m.body("rod" + std::to_string(k + 1),
                    straight_between(corner[k], corner[k + 1], Straight::square(mass, L, width)));
    m.joint("J" + std::to_string(k + 1), before, next,
            {.type = JointType::revolute, .point = numbers(corner[k]), .axis = axis[k]});
    before = next;
  }
  m.gravity({0, -gravity, 0});
  return m;
}

/// Bennett's linkage: four hinges, skew; moves because length / sin(twist) is one number for all bars.
inline Model bennett(double twist = 0.6, double other = 1.1, double length = 1.0) {
  const double lengths[2] = {length, length * std::sin(other) / std::sin(twist)}, twists[2] = {twist, other};
  const double first = 1.9;  // angle at the first hinge; the second follows
  const double second =
      2 * std::atan(std::sin((other + twist) / 2) / std::sin((other - twist) / 2) / std::tan(first / 2));
  const double pi = std::numbers::pi, angle[4] = {first, second, 2 * pi - first, 2 * pi - second};
  Pose at[5];  // hinge k: its axis is z
  for (int k = 0; k < 4; ++k)
    at[k + 1] = at[k] * Pose{Vector3d::Zero(), turn_by({0, 0, angle[k]})} *
                Pose{{lengths[k % 2], 0, 0}, turn_by({twists[k % 2], 0, 0})};
  // The frame is the bar from hinge 3 back to hinge 0.
  Model m;
  Part before;
  for (int k = 0; k < 4; ++k) {
    Part next;
    if (k < 3)
      next = m.body("bar" + std::to_string(k), straight_between(at[k].position, at[k + 1].position,
                                                                Straight::square(1, lengths[k % 2], 0.1)));
    m.joint("hinge" + std::to_string(k), before, next,
            {.type = JointType::revolute,
             .point = numbers(at[k].position),
             .axis = numbers(Vector3d(at[k].turn * Vector3d::UnitZ()))});
    before = next;
  }
  m.gravity({0, -9.81, 0});
  return m;
}

/// Crank and rocker on skew axes, joined by a bar with a ball at one end and a cross at the other.
inline Model spatial_four_bar() {
  const Vector3d crank_foot(0, 0, 0), crank_tip(0, 0.3, 0.1), rocker_foot(1.1, 0.2, 0.9),
      rocker_tip(1.2, 0.9, 0.3);
  Model m;
  const Body crank =
                 m.body("crank", straight_between(crank_foot, crank_tip, Straight::square(1, 0.32, 0.05))),
             bar = m.body("bar", straight_between(crank_tip, rocker_tip, Straight::square(2, 1.35, 0.05))),
             rocker =
                 m.body("rocker", straight_between(rocker_foot, rocker_tip, Straight::square(1, 0.93, 0.05)));
  const Vector3d along = (rocker_tip - crank_tip).normalized(), up(0, 0, 1);
  m.joint("motor", {}, crank,
          {.type = JointType::revolute, .point = numbers(crank_foot), .axis = {1, 0, 0.2}});
  m.joint("ball", crank, bar, {.type = JointType::spherical, .point = numbers(crank_tip)});
  m.joint("cross", bar, rocker,
          {.type = JointType::universal,
           .point = numbers(rocker_tip),
           .axis = numbers(Vector3d(along.cross(up))),
           .axis2 = numbers(Vector3d(along.cross(along.cross(up))))});
  m.joint("pivot", {}, rocker,
          {.type = JointType::revolute, .point = numbers(rocker_foot), .axis = {0.3, 0, 1}});
  m.gravity({0, -9.81, 0});
  return m;
}

/// A door on two hinges with one leaning axis: ten rows of rank five.
inline Model door() {
  const Vector3d axis = Vector3d(0.2, 0.1, 1).normalized(), foot(0.3, -0.1, 0);
  Model m;
  const Body leaf = m.body("leaf", body_of({Solid::Kind::box, {0.9, 0.04, 2.0}}, 20.0));
  for (const double height : {-0.7, 0.8})
    m.joint(height < 0 ? "lower" : "upper", {}, leaf,
            {.type = JointType::revolute,
             .point = numbers(Vector3d(foot + height * axis)),
             .axis = numbers(axis)});
  m.gravity({0, 0, -9.81});
  return m;
}

}  // namespace vinculum::test
