// The work of a force in a displacement, or its power at a velocity.
#pragma once
#include <algorithm>
#include <numeric>
#include <vector>

namespace vinculum {

/// A force without entries is none.
inline double work_in(const std::vector<double>& displacement, const std::vector<double>& force) {
  const auto count = static_cast<std::ptrdiff_t>(std::min(displacement.size(), force.size()));
  return std::inner_product(displacement.begin(), displacement.begin() + count, force.begin(), 0.0);
}

}  // namespace vinculum
