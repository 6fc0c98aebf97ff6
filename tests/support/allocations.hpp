// Counts every allocation of the test program, to see that a step makes none.
#pragma once

namespace vinculum {

long allocations();
/// Not under sanitizers, which bring memory of their own.
bool allocations_are_counted();

}  // namespace vinculum
