// What a joint asks of its directions and sizes; `what` names the key and the joint in the sentence.
#pragma once
#include <array>
#include <string>
#include <string_view>

#include "vinculum/base/export.hpp"

namespace vinculum {

VINCULUM_EXPORT void require_direction(const std::array<double, 3>& direction, const std::string& what);
VINCULUM_EXPORT void require_radius(double radius, const std::string& what);
VINCULUM_EXPORT void require_not_negative(double value, const std::string& what);
VINCULUM_EXPORT void require_limits(double lower, double upper, double start, const std::string& what);
VINCULUM_EXPORT void require_length(double length, const std::string& what);
/// The two axes of a universal joint: any angle but none can be closed to a right one.
VINCULUM_EXPORT void require_not_parallel(const std::array<double, 3>& axis,
                                          const std::array<double, 3>& axis2, const std::string& what);
/// What a gear or a rack (`type`) couples, and the number it couples by.
VINCULUM_EXPORT void require_two_joints(std::string_view first, std::string_view second,
                                        const std::string& what, std::string_view type);
VINCULUM_EXPORT void require_factor(double factor, const std::string& what);
VINCULUM_EXPORT void require_rack(bool first_slides, bool second_slides, const std::string& what);

}  // namespace vinculum
