// What several parts of a model ask of what is stated.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "vinculum/base/export.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {

/// Letters, digits and _, not starting with a digit; parts joined by dots.
VINCULUM_EXPORT bool is_name(std::string_view name);
/// `what` it would name has its article: "a coordinate".
VINCULUM_EXPORT void require_name(std::string_view name, const std::string& what);
VINCULUM_EXPORT std::string name_fault(std::string_view name, const std::string& what);  ///< its sentence
VINCULUM_EXPORT void require_not_reserved(std::string_view name, const std::string& what);
[[noreturn]] VINCULUM_EXPORT void refuse_taken_name(std::string_view name, const std::string& by);
/// The frequency of a programme, or its damping, which may be 0.
VINCULUM_EXPORT void require_servo_constant(double value, const std::string& what, bool may_be_zero);

VINCULUM_EXPORT void require_finite(double value, const std::string& what);

/// Of a body: its quaternion at the start has a direction, its solid a size.
VINCULUM_EXPORT void require_orientation(double length, const std::string& what);
VINCULUM_EXPORT void require_size(double size, const std::string& what);
VINCULUM_EXPORT std::string_view solid_word(Solid::Kind kind);  ///< "box"
/// An error where a function written in C++ stands in it: what is differentiated twice, or is a number.
VINCULUM_EXPORT void require_no_function(const Expr& e, const std::string& what);

/// An error where something stands in it that no force depends on: accelerations, what is observed.
void require_force(const StatedModel& stated, std::span<const Expr> value);

/// Not a function of the state alone: known only when the constraint forces or the energies are.
VINCULUM_EXPORT bool is_observed(Role role);
/// Of these: what constraints do, on which non-ideal forces may depend, too,
VINCULUM_EXPORT bool is_reaction(Role role);
/// and what is said of the whole instant, in outputs and events only.
VINCULUM_EXPORT bool is_of_instant(Role role);

}  // namespace vinculum
