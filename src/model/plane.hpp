// Bodies that stay in a plane, and what joints between them ask for.
#pragma once
#include <string>

#include "vinculum/model/stated.hpp"

namespace vinculum {

/// The coordinates of a body in its plane, and its inertia.
void move_in_plane(Model& model, Model::BodyData& body, const BodyOptions& options);
/// Of the mass and the six numbers of the inertia: that no one that counts is negative.
void require_physical_in_plane(const std::string& body, Plane plane, std::span<const double> numbers);

/// The plane of both parts: none where one of them moves in space. The error where they have two.
Plane plane_of(const JointData& joint);
/// What a joint asks of its axes where its parts stay in a plane.
void demand_in_plane(StatedModel& stated, const JointData& joint);
/// Unit vector along an axis of the world, 0 to 2.
Vector world_axis(int axis);

/// The angle of a quaternion about the normal; the error where it turns about another axis.
Expr angle_in_plane(StatedModel& stated, const std::string& body, Plane plane, const Orientation& turn);

}  // namespace vinculum
