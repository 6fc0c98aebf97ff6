// Small text helpers shared by messages and printers.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "vinculum/base/export.hpp"

namespace vinculum {

/// The shortest decimal text that reads back to the same double ("0.1", "1e-12", "-0", "inf", "nan").
VINCULUM_EXPORT std::string number_text(double value);

// Numbers for people, to whom a zero has no sign. All of a number, some significant digits of it, or what
// matters of a small one: "3.1e-12".
VINCULUM_EXPORT std::string full_text(double value);
VINCULUM_EXPORT std::string number_text(double value, int digits);
VINCULUM_EXPORT std::string magnitude_text(double value);

/// "a, b and c"; "nothing" for an empty list; at most `limit` names, then "and N more".
VINCULUM_EXPORT std::string list_text(std::span<const std::string> names, std::size_t limit = 12);

/// The candidate closest to `name` by edit distance, or "" when none is near enough to be a likely slip.
VINCULUM_EXPORT std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

}  // namespace vinculum
