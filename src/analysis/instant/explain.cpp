#include "vinculum/analysis/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/instant/explain_forces.hpp"
#include "analysis/instant/explain_principles.hpp"
#include "analysis/instant/loads.hpp"
#include "analysis/page_text.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/equation/light.hpp"
#include "vinculum/equation/sparse_row.hpp"
#include "vinculum/system/control.hpp"

namespace vinculum {
namespace {

constexpr int most_terms = 6;  // of a sum in one line

/// Forces are rounded at the size of those whose balance they are; known with the equations.
double force_scale(const Solution& s, const Equations* at) {
  const double carried = largest_of(s.constraint_force);
  return at ? std::max({carried, largest_of(at->Q), largest_of(at->C)}) : carried;
}

/// The same for the multiplier of a row.
double multiplier_scale(const Solution& s, const Equations* at, int row) {
  const double largest = largest_of(s.multipliers);
  if (!at) return largest;
  double coefficient = 0;
  for (const double a : row_of(at->A, row).values) coefficient = std::max(coefficient, std::fabs(a));
  return coefficient > 0 ? std::max(largest, force_scale(s, at) / coefficient) : largest;
}

/// Accelerations are rounded at the size of those they are reached from: not of light coordinates, which are
/// solved without their free acceleration.
double pace_of(const Solution& s, const Equations* at) {
  std::vector<double> free = s.free_acceleration;
  if (at)
    for (const int i : light_coordinates(at->M, at->A)) free[i] = 0.0;
  return std::max(largest_of(s.acceleration), largest_of(free));
}

void add_motion(std::string& page, const System& system, const State& state, const Solution& s,
                const Equations* at = nullptr) {
  const auto& names = system.velocity_names();
  const std::size_t width = width_of(names, 10);
  const double slip = largest_of(s.nonideal_force);
  const bool free = system.mechanics() == Mechanics::none;
  page += fmt::format("  {:<{}} {:>13} {:>13} {:>13} {:>13} {:>13}", "velocity", width, "value",
                      free ? "s" : "free accel.", "acceleration", free ? "v1 + v2" : "deviation",
                      free ? "v1" : "constr. force");
  page += slip > 0 ? fmt::format(" {:>13}\n", free ? "v2" : "non-ideal") : "\n";
  const double pace = pace_of(s, at);
  const double push = force_scale(s, at);
  for (std::size_t i = 0; i < names.size() && i < most_lines; ++i) {
    page += fmt::format("  {:<{}} {:>13} {:>13} {:>13} {:>13} {:>13}", names[i], width, cell(state.v[i]),
                        cell(s.free_acceleration[i], pace), cell(s.acceleration[i], pace),
                        cell(s.deviation[i], pace), cell(s.constraint_force[i], push));
    page += slip > 0 ? fmt::format(" {:>13}\n", cell(s.nonideal_force[i], slip)) : "\n";
  }
  page += cut_text(names.size(), "velocities");
}

void add_dependencies(std::string& page, const System& system, const Solution& s) {
  for (std::size_t k = 0; k < s.dependencies.size() && k < most_lines; ++k)
    page += "  " + dependency_text(system, s.dependencies[k]) + "\n";
  page += cut_text(s.dependencies.size(), "rows that follow from others");
}

/// Systems too large for dense matrices have no least multipliers.
std::string uniqueness_text(const Solution& s) {
  if (s.multipliers_unique) return ":";
  return s.freedom.empty() ? " (not unique; rows that follow from others were left out):"
                           : " (not unique; the least ones are shown):";
}

void add_rows(std::string& page, const System& system, const State& state, const Solution& s,
              const Equations* at = nullptr) {
  const auto& names = system.row_names();
  if (names.empty()) {
    page += largest_of(s.nonideal_force) > 0 ? "\nNo constraints: the motion is the free one, pushed by C.\n"
                                             : "\nNo constraints: the motion is the free one.\n";
    return;
  }
  const std::size_t width = width_of(names, 10);
  page += fmt::format(
      "\n{} misses the constraints by e = b - A {}, and {}\n",
      system.mechanics() == Mechanics::none ? "s" : "The free motion",
      system.mechanics() == Mechanics::none ? "s" : "a",
      s.status == Status::contradicting
          ? "no multipliers mend it; those of the least-squares answer are shown:"
          : (system.mechanics() == Mechanics::vakonomic ? "lambda is" : "the multipliers mend it") +
                uniqueness_text(s));
  page += fmt::format("  {:<{}} {:>13} {:>13}\n", "row", width, "e",
                      system.mechanics() == Mechanics::vakonomic ? "lambda" : "multiplier");
  const double misses = largest_of(s.dissatisfaction);
  for (std::size_t r = 0; r < names.size() && r < most_lines; ++r) {
    const std::string lambda = cell(s.multipliers[r], multiplier_scale(s, at, static_cast<int>(r)));
    const int mu = system.multiplier_coordinate(static_cast<int>(r));
    page += fmt::format("  {:<{}} {:>13} {:>13}{}\n", names[r], width, cell(s.dissatisfaction[r], misses),
                        lambda, mu < 0 ? "" : fmt::format("   mu = {}, mu' = -lambda", cell(state.q[mu])));
  }
  page += cut_text(names.size(), "rows");
  add_dependencies(page, system, s);
}

/// "2.4 x'' + 3.2 y'' = -0.5"
std::string demand_text(const System& system, const Equations& at, int row) {
  std::string text;
  int terms = 0, more = 0;
  for (const auto [column, a] : row_of(at.A, row)) {
    if (a == 0) continue;
    if (terms == most_terms) {
      ++more;
      continue;
    }
    const std::string size = std::fabs(a) == 1 ? "" : cell(std::fabs(a)) + " ";
    text += (terms++ == 0 ? (a < 0 ? "-" : "") : (a < 0 ? " - " : " + ")) + size +
            system.velocity_names()[column] + "'";
  }
  if (more > 0) text += " + " + count_text(more, "more term");
  return (text.empty() ? "0" : text) + " = " + cell(at.b[row]);
}

void add_demands(std::string& page, const System& system, const Equations& at) {
  const auto& names = system.row_names();
  if (names.empty()) return;
  const std::size_t width = width_of(names, 10);
  page += "\nThe constraints demand A q'' = b:\n";
  for (std::size_t r = 0; r < names.size() && r < most_lines; ++r)
    page += fmt::format("  {:<{}} {}\n", names[r], width, demand_text(system, at, static_cast<int>(r)));
  page += cut_text(names.size(), "rows");
}

void add_carriers(std::string& page, const System& system, const Instant& at) {
  const Solution& s = at.solution;
  std::vector<const Reaction*> reactions;  // programmes have a paragraph of their own
  std::vector<std::string> names;
  for (std::size_t c = 0; c < at.reactions.size(); ++c)
    if (!system.constraints()[c].servo) {
      reactions.push_back(&at.reactions[c]);
      names.push_back(at.reactions[c].name);
    }
  if (reactions.empty()) return;
  const std::size_t width = width_of(names, 10);
  const double largest = force_scale(s, &at.equations);
  page += fmt::format("\nWho carries the force{}\n",
                      s.multipliers_unique ? ":" : " (one of many ways to share it, by these multipliers):");
  for (std::size_t k = 0; k < names.size() && k < most_lines; ++k)
    page += fmt::format("  {:<{}} {}\n", names[k], width,
                        force_text(system, reactions[k]->velocity, reactions[k]->force, largest));
  page += cut_text(names.size(), "constraints");
  add_uniqueness(page, system, at);
}

/// Apart from the reactions: what must be done so that the programmes are followed.
void add_controls(std::string& page, const System& system, const Instant& at) {
  const auto& list = programmes(system);
  if (list.empty()) return;
  page += "\nWhat the programmes ask for:\n";
  Workspace work(system);
  std::vector<double> force;
  for (std::size_t k = 0; k < list.size() && k < most_lines; ++k) {
    programme_force(system, list[k], at.state, at.equations, at.solution, work, force);
    page += fmt::format("  control force of '{}': {}", system.constraints()[list[k].constraint].name,
                        force_text(system, force, force_scale(at.solution, &at.equations)));
    page += list[k].actuators.empty() ? "\n" : " (by " + actuators_text(system, list[k]) + ")\n";
  }
  page += cut_text(list.size(), "programmes");
  page += fmt::format("  power of the control forces {}\n", cell(at.power_control, power_scale(at)));
}

void add_gauss(std::string& page, const Solution& s) {
  page += fmt::format("\nGauss's function (q'' - a)^T M (q'' - a) = {}\n", cell(s.gaussian));
  if (largest_of(s.nonideal_force) > 0)
    page += fmt::format("extended by C, (q'' - a - M^-1 C)^T M (q'' - a - M^-1 C) = {}\n",
                        cell(s.extended_gaussian));
}

/// What the principle is, and what the other one would make of the same state.
void add_mechanics(std::string& page, const System& system, const Instant& at) {
  if (system.mechanics() != Mechanics::vakonomic) return;
  page +=
      "\nThe mechanics is vakonomic: the action of L + sum mu phi is stationary, where d'Alembert's "
      "principle\n"
      "asks that the constraint force do no virtual work. The force above is M q'' - Q; it contains mu. From "
      "this\n"
      "state the two principles give\n";
  const auto& names = system.velocity_names();
  const std::size_t width = width_of(names, 10);
  const double pace = std::max(largest_of(at.solution.acceleration), largest_of(at.dalembert_acceleration));
  page += fmt::format("  {:<{}} {:>13} {:>13} {:>13}\n", "velocity", width, "acceleration", "d'Alembert's",
                      "difference");
  for (std::size_t i = 0; i < names.size() && i < most_lines; ++i) {
    const double q = at.solution.acceleration[i], other = at.dalembert_acceleration[i];
    page += fmt::format("  {:<{}} {:>13} {:>13} {:>13}\n", names[i], width, cell(q, pace), cell(other, pace),
                        cell(q - other, pace));
  }
  page += cut_text(names.size(), "velocities");
}

void add_certificate(std::string& page, const System& system, const Solution& s,
                     const Check* balance = nullptr) {
  const auto line = [&](const char* what, const Check& c) {
    if (std::isnan(c.value))
      page += fmt::format("  {:<44} not checked: the system is too large for it\n", what);
    else
      page += fmt::format("  {:<44} {:>9}  (rounding allows {}) {}\n", what, magnitude_text(c.value),
                          magnitude_text(c.bound), c.holds() ? "holds" : "FAILS");
  };
  const Certificate& c = s.certificate;
  const bool vakonomic = system.mechanics() == Mechanics::vakonomic;
  const bool pushed = largest_of(s.nonideal_force) > 0;
  page += "\nCertificate of this instant";
  page += vakonomic ? ", of the equations with M + mu phi_vv and what else mu adds\n" : "\n";
  if (system.mechanics() == Mechanics::none) {
    line("the equations hold", c.constraint_residual);
    line("v1 does nothing where A v = 0 (44)", c.virtual_work);
    line("x'' is the nearest to s + c", c.gauss_gap);
    line("x'' = s + v1 + v2 (41)", c.kkt_residual);
    if (pushed) line("v2 does what c does where A v = 0 (46)", c.nonideal_work);
    return;
  }
  line("the constraints hold", c.constraint_residual);
  line(vakonomic ? "A^T lambda does no virtual work" : "their force does no virtual work", c.virtual_work);
  line(vakonomic  ? "their Gauss's function is stationary"
       : s.saddle ? "Gauss's function is stationary"
                  : "Gauss's function is at its minimum",
       c.gauss_gap);
  line("Lagrange's equations of the first kind hold", c.kkt_residual);
  if (pushed) line("the virtual work of all forces is that of C", c.nonideal_work);
  if (balance) line("the energy changes by the powers", *balance);
}

void add_frictions(std::string& page, const System& system, const Instant& at) {
  for (std::size_t k = 0; k < at.frictions.size() && k < most_lines; ++k) {
    std::vector<std::string> names;
    const FrictionPair& contact = system.frictions()[k];
    for (const std::string& name : names_of(system, contact)) names.push_back("'" + name + "'");
    const FrictionState& c = at.frictions[k];
    page += fmt::format(
        "{}Friction {}: ", k == 0 ? "\n" : "",
        contact.law.empty() ? "of " + list_text(names) : "that is written out and rests on " + contact.law);
    page += c.grip == Grip::sticks
                ? fmt::format("sticks; it takes {} of at most {}\n", cell(c.needed), cell(c.limit))
                : fmt::format("slides, and pushes back with {}\n", cell(c.limit));
    if (const std::string text = friction_text(system, contact, c); !text.empty()) page += "  " + text + "\n";
  }
  page += cut_text(at.frictions.size(), "frictions");
}

void add_head(std::string& page, const System& system, double t, int rank) {
  const std::size_t n = system.velocity_names().size(), m = system.row_names().size();
  page += fmt::format("At t = {}: {}, {}", full_text(t), velocities_text(n), count_text(m, "constraint row"));
  if (rank < 0)
    page += "; their rank is not known\n\n";
  else
    page += fmt::format(" of rank {}, {} of freedom\n\n", rank, count_text(n - rank, "degree"));
}

void add_road(std::string& page, const Solution& s) {
  page += fmt::format("\nRoad asked: {}; road used: {}\n", road_name(s.road_asked), road_name(s.road_used));
}

}  // namespace

std::string explain(const System& system, const State& state, const Solution& s) {
  std::string page;
  add_head(page, system, state.t, s.rank);
  if (s.status != Status::solved) {
    page += describe(system, s) + "\n";
    if (s.acceleration.empty()) return page;
  }
  add_motion(page, system, state, s);
  add_rows(page, system, state, s);
  add_gauss(page, s);
  if (s.status == Status::solved) add_certificate(page, system, s);
  add_road(page, s);
  return page;
}

std::string explain(const System& system, const Instant& at) {
  const Solution& s = at.solution;
  std::string page;
  add_head(page, system, at.state.t, at.rank);
  const bool answered = s.multipliers.size() == system.row_names().size() && !s.acceleration.empty() &&
                        std::isfinite(s.acceleration.front());
  const bool mechanical = system.mechanics() != Mechanics::none;
  const bool readable = std::max(system.velocity_names().size(), system.row_names().size()) <= most_lines;
  const Principles principles = readable ? principles_of(system, at) : Principles();
  if (const std::string reason = reason_of(system, at); !reason.empty()) page += reason + "\n\n";
  if (answered) {
    add_motion(page, system, at.state, s, &at.equations);
    if (s.saddle && system.mechanics() == Mechanics::dalembert)
      page += fmt::format(
          "\nM has a negative direction{}: Gauss's function is stationary at the motion, not\n"
          "least, and what needs the {} of M is left out.\n",
          std::isnan(s.gaussian) ? " and no inverse" : "; the Lagrangian is regular but not definite",
          std::isnan(s.gaussian) ? "inverse" : "root");
    else if (std::isnan(s.gaussian))
      page += "\nM is singular: what needs its inverse is left out (-).\n";
    if (mechanical)
      add_split(page, system, at);
    else
      add_underdetermined(page, at);
    add_mechanics(page, system, at);
  }
  add_demands(page, system, at.equations);
  if (answered) {
    add_rows(page, system, at.state, s, &at.equations);
    if (mechanical) {
      add_carriers(page, system, at);
      add_loads(page, at);
      add_controls(page, system, at);
      add_gauss(page, s);
      if (readable) {
        add_proportionality(page, system, at, principles);
        add_displacements(page, system, at, principles);
      } else {
        page += "The two fundamental principles, virtual displacements, spaces of Jalnapurkar: see --json\n";
      }
      add_frictions(page, system, at);
      add_powers(page, system, at);
    }
  }
  if (mechanical) add_natures(page, at.constraints);
  add_admissibility(page, system, at);
  add_norm_dependences(page, at);
  if (readable) add_spaces(page, system, principles);
  if (answered) add_workless(page, system, at);
  add_near_rank(page, s);
  if (s.status == Status::solved) add_certificate(page, system, s, &at.power_balance);
  add_road(page, s);
  return page;
}

}  // namespace vinculum
