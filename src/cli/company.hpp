// The processes that mpirun has started along with this one.
#pragma once
#include <memory>

#include "vinculum/ensemble/ranks.hpp"

namespace vinculum::cli {

/// None where this one is alone, as nearly always. Where there are others and this program cannot reach them,
/// an Error says so: each would compute the whole study.
std::unique_ptr<Ranks> company();

/// From here on this process says nothing: the first one speaks for all.
void fall_silent();

}  // namespace vinculum::cli
