// One instant as a short readable page.
#pragma once
#include <string>

#include "vinculum/system/system.hpp"

namespace vinculum {

/// Free acceleration, what the constraints demand, how far the free motion misses it, the force that mends
/// it, the multipliers and whether they are unique, Gauss's function, the certificate. Names throughout, no
/// indices.
std::string explain(const System& system, const State& state, const Solution& solution);

}  // namespace vinculum
