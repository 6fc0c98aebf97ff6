// A function written in C++: the model knows its values and perhaps its derivatives, and nothing else of it.
#pragma once
#include <functional>
#include <span>
#include <string>

#include "vinculum/base/export.hpp"

namespace vinculum {

/// So many arguments a function may have at most: they are gathered without allocating.
inline constexpr int most_arguments = 32;

/// Pure: the same arguments give the same number, whichever thread asks and how often. What it throws ends
/// the call of the library that asked.
struct OpaqueFunction {
  std::string name;  ///< letters, digits and _: how equations and messages call it
  int arguments = 1;
  std::function<double(std::span<const double> at)> value;
  /// The derivative by every argument. nullptr: none is known; what asks for one takes difference quotients
  /// and says so.
  std::function<void(std::span<const double> at, std::span<double> derivative)> gradient;
};

/// The derivative by argument k, counted from 0: as given, or the quotient of differences to both sides.
VINCULUM_EXPORT double derivative_at(const OpaqueFunction& function, std::span<const double> at, int k);

}  // namespace vinculum
