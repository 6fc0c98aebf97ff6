// A kernel as source text that is C++ and CUDA at once.
#pragma once
#include <string>
#include <string_view>

#include "vinculum/kernel/kernel.hpp"

namespace vinculum::device {

/// A function in straight lines, printed from the formulas of the engine's machine code. Compiled without
/// contraction of a*b + c every operation has the bits it has there, but for sines and cosines, which are
/// those of `both_languages`:
///     bool NAME(double t, const double* q, const double* v, const double* a, const double* l,
///               const double* n, double* out)
/// of a state, its accelerations and multipliers, and the numbers that are inputs without a place; `out`
/// takes the outputs that the kernel writes. False where a formula met what is rare in it (an angle beyond
/// 10^6, a root of nothing): then `out` says nothing. An error for a kernel that calls functions written in
/// other languages.
std::string print_kernel(std::string_view name, const Kernel& kernel);

/// A number as it stands in source, to the bit.
std::string literal(double x);

}  // namespace vinculum::device
