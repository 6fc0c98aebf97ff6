#include "analysis/instant/explain_forces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/page_text.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/equation/sparse_row.hpp"
#include "vinculum/system/control.hpp"

namespace vinculum {
namespace {

constexpr std::size_t most_terms = 6;  // of a sum in one line

std::string quoted_list(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  for (const std::string& name : names) quoted.push_back("'" + name + "'");
  return list_text(quoted, most_terms);
}

/// M q'' of one velocity.
double inertia(const Instant& at, int i) { return row_of(at.equations.M, i).dot(at.solution.acceleration); }

/// "k on 'a' and -2 k on 'b'" of a combination of rows that makes no force.
std::string combination_text(const System& system, const Dependency& d) {
  std::vector<std::string> parts{fmt::format("k on '{}'", system.row_names()[d.row])};
  for (std::size_t k = 0; k < d.on.size(); ++k) {
    const std::string weight = cell(-d.weight[k]);
    parts.push_back(fmt::format("{}k on '{}'",
                                weight == "1"    ? ""
                                : weight == "-1" ? "-"
                                                 : weight + " ",
                                system.row_names()[d.on[k]]));
  }
  return list_text(parts, most_terms);
}

}  // namespace

std::string moving(const std::string& velocity) {
  return velocity.back() == '\'' ? velocity.substr(0, velocity.size() - 1) : velocity;
}

std::string force_text(const System& system, const std::vector<int>& velocities,
                       const std::vector<double>& force, double largest) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < force.size(); ++i)
    if (std::fabs(force[i]) > 1e-14 * largest)
      parts.push_back(cell(force[i]) + " on " + moving(system.velocity_names()[velocities[i]]));
  return parts.empty() ? "no force" : list_text(parts, most_terms);
}

std::string force_text(const System& system, const std::vector<double>& force, double largest) {
  std::vector<int> all(force.size());
  std::iota(all.begin(), all.end(), 0);
  return force_text(system, all, force, largest);
}

double power_scale(const Instant& at) {
  double scale = 0;
  for (std::size_t i = 0; i < at.state.v.size(); ++i)
    scale += std::fabs(at.state.v[i]) *
             (std::fabs(at.solution.constraint_force[i]) + std::fabs(at.equations.Q[i]));
  return scale;
}

void add_split(std::string& page, const System& system, const Instant& at) {
  const Solution& s = at.solution;
  if (at.equations.C.empty()) return;
  const auto& names = system.velocity_names();
  const std::size_t width = width_of(names, 10);
  const double scale = std::max({largest_of(at.equations.Q), largest_of(s.constraint_force),
                                 largest_of(s.nonideal_force), largest_of(at.equations.C)});
  page +=
      "\nThe constraints are not ideal: C is stated, and M q'' = F^N + F^L + F^C with F^C the part of C that "
      "the rows let through\n";
  page += fmt::format("  {:<{}} {:>13} {:>13} {:>13} {:>13} {:>13}\n", "velocity", width, "C", "F^N", "F^L",
                      "F^C", "M q''");
  for (std::size_t i = 0; i < names.size() && i < most_lines; ++i)
    page += fmt::format("  {:<{}} {:>13} {:>13} {:>13} {:>13} {:>13}\n", names[i], width,
                        cell(at.equations.C[i], scale), cell(at.equations.Q[i], scale),
                        cell(s.constraint_force[i], scale), cell(s.nonideal_force[i], scale),
                        cell(inertia(at, static_cast<int>(i)), scale));
  page += cut_text(names.size(), "velocities");
  if (std::isfinite(at.orthogonality))
    page +=
        fmt::format("  M^-1 F^L and M^-1 F^C are at right angles in the metric of M: their cosine is {}\n",
                    magnitude_text(at.orthogonality));
}

void add_underdetermined(std::string& page, const Instant& at) {
  page +=
      "\nNo mechanics: x'' = s + v1 + v2 (41), with s as stated, v1 = A^+ (b - A s) what the equations ask "
      "for beside it (42)\nand v2 = (I - A^+ A) c what they leave of c (43). ";
  if (at.equations.C.empty()) {
    page += "No c is stated: v2 = 0, and x'' is the nearest to s.\n";
    return;
  }
  page += fmt::format(
      "v1 is at right angles to v2 (47), their cosine is {};\nalong every v with A v = 0 "
      "the first does nothing (44), the second what c does (46): see the certificate.\n",
      magnitude_text(at.orthogonality));
}

void add_uniqueness(std::string& page, const System& system, const Instant& at) {
  const Solution& s = at.solution;
  if (s.multipliers_unique || at.unique_rows.empty()) return;
  std::vector<std::string> unique, chosen;
  for (const Reaction& r : at.reactions) (r.unique ? unique : chosen).push_back(r.name);
  if (!unique.empty()) page += fmt::format("  unique although others are not: {}\n", quoted_list(unique));
  if (!chosen.empty()) page += fmt::format("  a matter of the chosen norm: {}\n", quoted_list(chosen));
  for (std::size_t k = 0; k < s.dependencies.size() && k < most_lines; ++k)
    page += fmt::format("  multipliers that make no force, for any k: {}\n",
                        combination_text(system, s.dependencies[k]));
  page += cut_text(s.dependencies.size(), "combinations without force");
}

void add_powers(std::string& page, const System& system, const Instant& at) {
  if (std::isnan(at.energy)) return;  // no mechanics
  page += fmt::format("\nEnergy {}", cell(at.energy));
  if (std::isnan(at.energy_rate)) {
    page += "\n";
    return;
  }
  const double scale = power_scale(at);
  page += fmt::format("; dE/dt = {} = stated forces {} + constraints {}", cell(at.energy_rate, scale),
                      cell(at.power_impressed), cell(at.power_constraint - at.power_control, scale));
  if (!programmes(system).empty()) page += fmt::format(" + programmes {}", cell(at.power_control, scale));
  if (!at.equations.C.empty()) page += fmt::format(" + non-ideal forces {}", cell(at.power_nonideal));
  if (at.power_explicit != 0) page += fmt::format(" + what changes with time {}", cell(at.power_explicit));
  page += "\n";
  std::vector<std::string> working;
  for (const ConstraintNature& c : at.constraints)
    if (!c.ideal && std::fabs(c.power) > 1e-14 * scale)
      working.push_back(
          fmt::format("'{}' {}{}", c.name, cell(c.power), c.power_unique ? "" : " (a matter of the norm)"));
  if (!working.empty())
    page += fmt::format("  constraints that do work on this motion: {}\n", list_text(working, most_terms));
}

void add_workless(std::string& page, const System& system, const Instant& at) {
  const Workless& w = at.workless;
  if (!w.known || system.row_names().empty() || system.mechanics() == Mechanics::none) return;
  if (w.empty) {
    page += "\nNo force that keeps these constraints is without work on this motion: they drive all of it.\n";
    return;
  }
  page += "\nForces that keep the constraints and do no work on this motion: ";
  const std::string example = force_text(system, w.example, largest_of(w.example));
  const std::string set = fmt::format("a set of {} dimension{}", w.dimension, w.dimension == 1 ? "" : "s");
  const std::string power = cell(at.power_constraint);
  if (w.holds_ideal && w.dimension == 0)
    page += "one only, F^L, so that this alone decides.\n";
  else if (w.holds_ideal)
    page += fmt::format(
        "{}.\nF^L is the one of them that does none in any virtual displacement either; another of the "
        "set: {}.\n",
        set, example);
  else
    page += fmt::format(
        "{}: {}.\nF^L is none of them: it does no work in virtual displacements, but its power on this "
        "motion is {}.\n",
        w.dimension == 0 ? "one only" : set + ", one of them", example, power);
}

}  // namespace vinculum
