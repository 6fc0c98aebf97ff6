// Counts every allocation of the test program, to see that a step makes none.
#pragma once

namespace vinculum {

long allocations();

}  // namespace vinculum
