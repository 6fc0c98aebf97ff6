// What the objects of several commands are made of.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "report/json_said.hpp"
#include "vinculum/motion/assemble.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

/// One object, a line for each of its keys. A path may hold bytes that are no UTF-8: they are replaced, not
/// refused.
std::string text_of(const Json& object);

Json list(std::span<const double> values);
/// What needs the inverse of a singular M is null as a whole.
Json list_or_null(std::span<const double> values);
/// {name: value}; null where nothing was computed.
Json by_name(const std::vector<std::string>& names, std::span<const double> values);

/// The coordinates the user stated: the mu of vakonomic motion are told among the multipliers.
Json stated_names(const System& system);
Json stated(const System& system, std::span<const double> q);

/// Rows that follow from the others but for the noise of a drawing, and how far they were open.
Json passed_over_json(const std::vector<PassedOver>& rows);

/// The part of the constraint force that programmes ask for, and the rest; nothing where there are none.
void add_control(Json& out, const System& system, std::span<const double> constraint,
                 std::span<const double> control);

}  // namespace vinculum
