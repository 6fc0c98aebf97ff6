// What the pages share: cells, widths, and lists that are cut with a sentence.
#pragma once
#include <string>
#include <vector>

#include "vinculum/analysis/check.hpp"

namespace vinculum {

/// Longer lists are cut to this many lines: a page is to be read.
inline constexpr std::size_t most_lines = 24;

/// Six digits. What is rounding beside the largest number of its column reads as 0, as a zero of either sign
/// does; what is not finite as "-".
std::string cell(double x, double largest = 0);
double largest_of(const std::vector<double>& v);
std::size_t width_of(const std::vector<std::string>& names, std::size_t least);

/// "1 row", "2 rows".
std::string count_text(std::size_t count, const std::string& thing);
std::string velocities_text(std::size_t count);
/// "  and 960 more rows, not shown here (--json has them all)", or nothing.
std::string cut_text(std::size_t count, const std::string& things);

/// "holonomic, linear in the velocities, scleronomic, ideal, redundant"
std::string nature_text(const ConstraintNature& c);
/// Every constraint with its nature, and the reasons.
void add_natures(std::string& page, const std::vector<ConstraintNature>& constraints);
/// Says which rows depend on which where they are not admissible.
void add_admissibility(std::string& page, const System& system, const Instant& at);
/// "'b' follows from 'a'"
std::string dependency_text(const System& system, const Dependency& d);
/// Says which laws read a share of a force that is a matter of the norm.
void add_norm_dependences(std::string& page, const Instant& at);
/// Says when the rank was a close decision.
void add_near_rank(std::string& page, const Solution& s);

}  // namespace vinculum
