// How many faults of a model file are shown.
#pragma once
#include <cstddef>

namespace vinculum {

/// So many faults are shown at once, with what may have been meant; of the others their number.
inline constexpr std::size_t most_faults_shown = 100;

}  // namespace vinculum
