// Where a joint is in its two parts: points and axes of the world at the start, as each part sees them from
// there on. All of it is numbers, made by one function: it chooses axes, makes directions of length 1 and
// leaves out rounding, and does so again for other values of parameters.
#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "vinculum/model/joint.hpp"

namespace vinculum {

/// What is known of a joint before its numbers are.
struct JointKind {
  JointType type = JointType::spherical;
  bool disc = false;
  std::array<bool, 2> ground{};        ///< which of the parts is it
  std::string what;                    ///< "joint 'hinge'"
  std::array<std::string, 2> parts{};  ///< their names
};

/// What a joint is made of, and the sentence about a number that is not finite. Of the ground nothing is
/// read.
struct JointStart {
  struct Place {
    Triple position;
    Orientation orientation;  ///< of length 1
  };
  std::array<Place, 2> parts;
  Triple point, axis, point2, axis2, normal;

  std::vector<Expr> numbers() const;
  static std::string sentence(const JointKind& kind, std::size_t place);
};

/// The numbers of a joint in its parts (for the ground: in the world), in one list.
struct JointFrames {
  struct Side {
    Vector point, u, a, b;
  };
  std::array<Side, 2> sides;
  std::array<std::array<Vector, 3>, 2> world;  ///< the axes of the world, where the type has a use for them
  Expr distance;                               ///< of the points at the start

  /// The axes across u are a list of their own.
  JointFrames(std::span<const Expr> numbers, std::span<const Expr> across);
  /// Whether the axes across u are those about one and the same axis of the first part, wherever u is.
  bool choice_stays() const;
};
inline constexpr int joint_frame_numbers = 2 * 6 + 2 * 9 + 1, joint_across_numbers = 2 * 6;

/// From the numbers of a JointStart to those of JointFrames; the error where there is no such joint.
void find_frames(const JointKind& kind, std::span<const double> start, std::span<double> frames);
/// The same of the axes across u, for types that have them.
bool has_axes_across(JointType type);
void find_across(const JointKind& kind, std::span<const double> start, std::span<double> across);

}  // namespace vinculum
