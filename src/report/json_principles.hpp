// What the principles say of an instant, as JSON.
#pragma once
#include "report/json_said.hpp"
#include "vinculum/analysis/principles.hpp"

namespace vinculum {

/// The matrices of the 1996 paper, the virtual displacements, the spaces of Jalnapurkar; null where not
/// known.
void add_principles(Json& out, const System& system, const Instant& at);
/// `trial`, and chosen multipliers beside the others.
void add_answer(Json& out, const System& system, const Answer& answer);

}  // namespace vinculum
