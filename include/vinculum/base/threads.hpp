// Whether there is anybody to wait for.
#pragma once
#include "vinculum/base/export.hpp"

namespace vinculum {

/// Not 0 as long as the program has started no other thread, where the system tells.
VINCULUM_EXPORT extern const char* const only_thread_flag;

/// Nothing is shared then: counting and making need no locks, which would take longer than they do.
inline bool is_only_thread() { return *only_thread_flag != 0; }

}  // namespace vinculum
