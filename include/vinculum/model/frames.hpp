// Places told in the frame of a body. For the layers that state models.
#pragma once
#include <string>
#include <vector>

#include "vinculum/model/joint.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {

/// A body as it starts, told in the frame of another, as the world sees it: turned and moved along with it.
VINCULUM_EXPORT void place_in_world(StatedModel& stated, const BodyOptions& frame, BodyOptions& body,
                                    const std::string& what);
/// What a body was given, as far as the place it starts from.
VINCULUM_EXPORT BodyOptions start_of(const StatedModel& stated, const Body& body);
/// The same in one list: position, orientation, velocity, angular velocity in body axes.
VINCULUM_EXPORT std::vector<Expr> numbers_of(const BodyOptions& pose);
inline constexpr int pose_numbers = 13;
/// Points and directions told in the frame of a part.
VINCULUM_EXPORT Triple point_in_world(StatedModel& stated, const Part& frame, const Triple& point,
                                      const std::string& what);
VINCULUM_EXPORT Triple direction_in_world(StatedModel& stated, const Part& frame, const Triple& axis,
                                          const std::string& what);

/// The quaternion of a rotation matrix, told row by row; the error where it is none.
VINCULUM_EXPORT void orientation_of_matrix(const std::string& what, std::span<const double> rows,
                                           std::span<double> made);
/// Three axes for Euler's angles: letters x, y, z.
VINCULUM_EXPORT void require_euler(std::string_view axes, const std::string& what);

}  // namespace vinculum
