// What check() found, as a page to read.
#include <fmt/format.h>

#include "analysis/page_text.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

std::string freedom_text(const System& system, const CheckReport& r) {
  const std::size_t n = system.velocity_names().size();
  const std::string rows = fmt::format("{} and {}", velocities_text(n), count_text(r.rows, "constraint row"));
  if (r.rank < 0) return rows + ": the rank is not known, A is too full or not finite\n";
  return fmt::format("{} of freedom: {} of rank {}\n",
                     count_text(static_cast<std::size_t>(r.degrees_of_freedom), "degree"), rows, r.rank);
}

std::string mechanics_text(const System& system) {
  if (system.mechanics() != Mechanics::vakonomic) return "";
  const std::size_t mu = system.coordinate_names().size() - system.stated_coordinates();
  return mu == 0 ? "Vakonomic mechanics; without constraints on velocities its motion is d'Alembert's\n"
                 : fmt::format(
                       "Vakonomic mechanics: stationary action of L + sum mu phi, {} on velocities; the "
                       "motion is not d'Alembert's, and mu is part of the state\n",
                       count_text(mu, "row"));
}

/// Of constraints as a whole; rows may be redundant where none of these is.
std::string redundancy_text(const CheckReport& r) {
  if (!r.redundant.empty())
    return "Without any one of these the rank stays the same: " + list_text(r.redundant) + "\n";
  if (r.rank < 0) return "";
  const std::size_t spare = r.rows - static_cast<std::size_t>(r.rank);
  if (spare == 0) return "No constraint is redundant\n";
  return fmt::format("{} redundant, though no constraint is as a whole{}\n",
                     spare == 1 ? "1 row is" : fmt::format("{} rows are", spare),
                     r.redundant_rows.empty() ? "" : ": " + list_text(r.redundant_rows, 12));
}

void add_redundancy(std::string& page, const System& system, const CheckReport& r) {
  if (r.rows == 0) {
    page += "No constraints\n";
    return;
  }
  if (!r.finite) {
    page += "A row is not a finite number at this state: what the rows are there is not known\n";
    return;
  }
  page += redundancy_text(r);
  // Of rows that contradict each other none follows from the others; those of orders 0 and 1 are named below.
  const auto& dependencies = r.instant.solution.dependencies;
  const std::size_t shown = r.contradicting.empty() && r.admissible ? dependencies.size() : 0;
  for (std::size_t k = 0; k < shown && k < most_lines; ++k)
    page += "  " + dependency_text(system, dependencies[k]) + "\n";
  page += cut_text(shown, "rows that follow from others");
  page += r.contradicting.empty() ? "No contradiction at the start\n"
                                  : "Cannot hold together: " + list_text(r.contradicting) + "\n";
  if (r.admissible) page += "Admissible at this state: the rows of orders 0 and 1 are independent\n";
  add_admissibility(page, system, r.instant);
}

/// A coordinate or velocity of a state, by its name.
double value_of(const System& system, const State& state, const std::string& name) {
  for (const auto& [names, values] :
       {std::pair{&system.coordinate_names(), &state.q}, {&system.velocity_names(), &state.v}})
    for (std::size_t i = 0; i < names->size(); ++i)
      if ((*names)[i] == name) return (*values)[i];
  return 0.0;
}

void add_start(std::string& page, const System& system, const CheckReport& r) {
  page += fmt::format("\nThe start misses its constraints by at most {} (positions) and {} (velocities)",
                      number_text(r.start_position, 3), number_text(r.start_velocity, 3));
  if (r.start.consistent && r.start.repaired) {
    page += ": consistent\n";
    return;
  }
  page += ": not consistent\n";
  for (std::size_t k = 0; k < r.start.violations.size() && k < most_lines; ++k) {
    const Violation& v = r.start.violations[k];
    page += fmt::format("  {}{} misses by {}\n", v.constraint, v.of_velocity ? " (velocities)" : "",
                        cell(v.miss));
  }
  page += cut_text(r.start.violations.size(), "misses");
  if (!r.start.repaired) return;
  page += r.start.by_detour ? "A consistent start (--assemble applies it):\n"
                            : "The nearest consistent start (--assemble applies it):\n";
  for (std::size_t k = 0; k < r.start.changes.size() && k < most_lines; ++k) {
    const Change& c = r.start.changes[k];
    page += fmt::format("  {} = {} (changes by {})\n", c.name,
                        full_text(value_of(system, r.start.state, c.name)), cell(c.by));
  }
  page += cut_text(r.start.changes.size(), "changes");
}

}  // namespace

std::string check_page(const System& system, const CheckReport& report) {
  std::string page = freedom_text(system, report) + mechanics_text(system);
  add_redundancy(page, system, report);
  add_near_rank(page, report.instant.solution);
  if (report.finite) add_natures(page, report.constraints);
  add_norm_dependences(page, report.instant);
  if (report.rows > 0) add_start(page, system, report);
  page += "\n" + (report.fine ? std::string("The motion can begin.") : report.reason) + "\n";
  return page;
}

}  // namespace vinculum
