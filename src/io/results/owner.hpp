// Whose a partial file is: its name tells the process that made it.
#pragma once
#include <string>
#include <string_view>

namespace vinculum {

/// "<process>-<its start>" of this process. The start, counted since the machine was, tells it from others
/// that get the same number later.
std::string owner_mark();

/// Whether a name ends with ".partial-" and such a mark.
bool has_owner_mark(std::string_view name);

/// Whether the process that such a name tells of is still there.
bool owner_lives(std::string_view name);

}  // namespace vinculum
