// Counts every allocation of the test program.
#pragma once

namespace vinculum {
long allocation_count();
}  // namespace vinculum
