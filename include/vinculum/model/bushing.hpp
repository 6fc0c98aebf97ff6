// Elastic mounts: springs and dampers in all six directions between two bodies, or a body and the ground.
#pragma once
#include <array>
#include <optional>
#include <string>

#include "vinculum/model/joint.hpp"

namespace vinculum {

/// A symmetric matrix: xx, yy, zz, xy, xz, yz; zero where not said.
using Symmetric = std::array<Expr, 6>;

/// With F the frame of the bushing fixed in A and G the one fixed in B, both along the axes of F at the start
/// unless said otherwise:
///     d = F^T (P_B - P_A)         how far B has gone, seen from A
///     r = log(F^T G)              how far it has turned: the axis of the turn, times its angle
/// The energy is d.K d / 2 + r.K_r r / 2, the damping -C d' and -C_r F^T (omega_B - omega_A).
struct BushingOptions {
  Triple point{};             ///< where it is, in the world at the start
  Orientation orientation{};  ///< how its axes are turned against those of the world then
  /// The same as drawn on B where that is elsewhere: a bushing that is under load at the start.
  std::optional<Triple> point2 = {};
  std::optional<Orientation> orientation2 = {};
  /// The parts in whose frames, as they start, these are told; the ground: in the world.
  Part frame = {}, frame2 = {};
  Symmetric stiffness{}, damping{};                        ///< force per length, per speed
  Symmetric rotational_stiffness{}, rotational_damping{};  ///< torque per radian, per angular velocity
};

struct BushingData {
  std::string name;
  std::array<Part, 2> parts;
  std::array<std::string, 2> part_names;  ///< "ground" or a body
  std::array<Vector, 2> points;           ///< of the world, fixed in each part
  Vector offset, rotation;                ///< d and r above, along the axes of the bushing in A
  Vector force, torque;                   ///< on B at its point, world axes; on A the opposite
};

}  // namespace vinculum
