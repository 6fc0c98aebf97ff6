// The parts of the page of an instant that are about forces: their split, their uniqueness, their power.
#pragma once
#include <string>

#include "vinculum/analysis/check.hpp"

namespace vinculum {

/// A velocity by the name of what moves: x for x'.
std::string moving(const std::string& velocity);
/// "3.6 on x and 4.8 on y"; parts that are rounding beside `largest` are left out.
std::string force_text(const System& system, const std::vector<int>& velocities,
                       const std::vector<double>& force, double largest);
/// The same of a force over all velocities.
std::string force_text(const System& system, const std::vector<double>& force, double largest);

/// M q'' = F^N + F^L + F^C, (18) of Fan et al., where there is a C.
void add_split(std::string& page, const System& system, const Instant& at);
/// x'' = s + v1 + v2, (41)-(47) of Fan et al., where there is no mechanics.
void add_underdetermined(std::string& page, const Instant& at);
/// Which reactions are unique although others are not.
void add_uniqueness(std::string& page, const System& system, const Instant& at);
/// dE/dt by force and by constraint.
void add_powers(std::string& page, const System& system, const Instant& at);
/// The size of the terms of a power: what is rounding beside it reads as 0.
double power_scale(const Instant& at);
/// What would be left open if constraint forces only had to do no work on the motion itself.
void add_workless(std::string& page, const System& system, const Instant& at);

}  // namespace vinculum
