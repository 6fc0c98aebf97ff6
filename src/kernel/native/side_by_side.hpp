// Formulas of one kind, which do not wait for each other, as one formula of four numbers.
#pragma once
#include "kernel/native/steps.hpp"

namespace vinculum::kernel::native {

/// A sine is some seventy steps, and ten sines are the same steps ten times; a series is made of sums of
/// products, of one length for all elements of a kind. Up to four that do not need each other are done
/// together, with the bits that each has alone. Such steps are brought near to each other, so that values are
/// no longer at home where the interpreter has them: that is only for kernels without calls.
void put_side_by_side(Steps& program);

}  // namespace vinculum::kernel::native
