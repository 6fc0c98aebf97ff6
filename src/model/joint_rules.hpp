// What a joint asks of its directions and sizes; `what` names the key and the joint in the sentence.
#pragma once
#include <array>
#include <string>
#include <string_view>

namespace vinculum {

void require_direction(const std::array<double, 3>& direction, const std::string& what);
void require_radius(double radius, const std::string& what);
void require_length(double length, const std::string& what);
/// The two axes of a universal joint: any angle but none can be closed to a right one.
void require_not_parallel(const std::array<double, 3>& axis, const std::array<double, 3>& axis2,
                          const std::string& what);
/// What a gear or a rack (`type`) couples, and the number it couples by.
void require_two_joints(std::string_view first, std::string_view second, const std::string& what,
                        std::string_view type);
void require_factor(double factor, const std::string& what);
void require_rack(bool first_slides, bool second_slides, const std::string& what);

}  // namespace vinculum
