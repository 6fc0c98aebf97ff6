// One instant as a short readable page.
#pragma once
#include <string>

#include "vinculum/analysis/check.hpp"
#include "vinculum/base/export.hpp"

namespace vinculum {

/// Free acceleration, what the constraints demand, how far the free motion misses it, the force that mends
/// it, who carries it, the multipliers and whether they are unique, Gauss's function, energy and power, the
/// nature of the constraints, the certificate. Names throughout, no indices; long lists are cut and say so.
VINCULUM_EXPORT std::string explain(const System& system, const Instant& instant);

/// The same from the solution alone: without what is known of the equations.
VINCULUM_EXPORT std::string explain(const System& system, const State& state, const Solution& solution);

}  // namespace vinculum
