// The parts of the page of an instant that are about principles: proportionality, virtual displacements,
// spaces, trials and chosen multipliers.
#pragma once
#include <string>

#include "vinculum/analysis/principles.hpp"

namespace vinculum {

/// (15), (17) and (23) of the 1996 paper: what is proportional to the dissatisfaction e, and by which
/// matrices.
void add_proportionality(std::string& page, const System& system, const Instant& at, const Principles& of);
/// A basis of them with the works of F^L, F^C and C.
void add_displacements(std::string& page, const System& system, const Instant& at, const Principles& of);
/// The spaces of sections 1 and 3 of Jalnapurkar, by his names, with their dimensions here.
void add_spaces(std::string& page, const System& system, const Principles& of);

}  // namespace vinculum
