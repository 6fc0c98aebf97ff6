// A motion as a short readable page.
#pragma once
#include <string>

#include "vinculum/base/export.hpp"
#include "vinculum/motion/compare.hpp"

namespace vinculum {

/// How it ended, what it took, the worst miss of every constraint, the balance of energy, events, changes of
/// rank, and everything that was not as asked. Names throughout, no indices.
VINCULUM_EXPORT std::string summary(const System& system, const Trajectory& motion);

/// Both principles side by side: where the motions end, how far they come apart, their actions.
VINCULUM_EXPORT std::string comparison_page(const Comparison& comparison);

}  // namespace vinculum
