#include "vinculum/analysis/check.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

double worst_of(const std::vector<double>& misses) {
  double worst = 0.0;
  for (const double miss : misses)
    if (!(std::fabs(miss) <= worst)) worst = std::fabs(miss);  // keeps what is not a number
  return worst;
}

/// Whether the start is a number at all, as simulate() asks it.
bool start_is_finite(const System& system, const State& start, CheckReport& out) {
  const auto look = [&](const std::vector<double>& values, const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (!std::isfinite(values[i])) {
        out.status = "not_finite";
        out.names = {names[i]};
        out.reason = "the start of '" + names[i] + "' is " + number_text(values[i]);
        return false;
      }
    return true;
  };
  return look(start.q, system.coordinate_names()) && look(start.v, system.velocity_names());
}

void judge_start(const Assembly& start, CheckReport& out) {
  if (start.consistent && start.repaired) return;
  out.status = start.not_finite                             ? "not_finite"
               : start.fighting.empty() || start.consistent ? "start"
                                                            : "contradiction";
  out.contradicting = start.fighting;
  out.reason = start.consistent
                   ? "the start misses its constraints by less than 1e-08 of their terms, but no "
                     "state that satisfies them was found nearby"
                   : start.text;
  out.names = start.fighting;
  if (out.names.empty())
    for (const Violation& v : start.open.empty() ? start.violations : start.open)
      add_once(out.names, v.constraint);
}

/// Where the start has been judged already, the instant only adds what it knows of contradictions: with a
/// start off its constraints that could not be repaired, rows that disagree say nothing.
void judge_instant(const System& system, CheckReport& out) {
  const Solution& s = out.instant.solution;
  if (s.status == Status::contradicting && out.start.repaired) out.contradicting = names_of(system, s);
  if (out.status != "done" || s.status == Status::solved) return;
  out.status = status_of(out.instant);
  out.reason = "at t = " + number_text(out.instant.state.t, 10) + ": " + describe(system, s);
  out.names = names_of(system, s);
}

}  // namespace

std::string status_of(const Instant& instant) {
  switch (instant.solution.status) {
    case Status::solved:
      return "done";
    case Status::contradicting:
      return "contradiction";
    case Status::not_finite:
      return "not_finite";
    default:
      return "singular";
  }
}

std::vector<std::string> names_of(const System& system, const Solution& solution) {
  std::vector<std::string> names;
  for (const int r : solution.rows) add_once(names, system.constraints()[system.constraint_of_row(r)].name);
  for (const int c : solution.coordinates) add_once(names, name_of_moving(system, c));
  return names;
}

CheckReport check(const Model& model, const System& system, const State& start) {
  CheckReport out;
  out.rows = static_cast<int>(system.row_names().size());
  out.start.state = start;
  Workspace work(system);
  Residuals miss;
  residuals(system, start, work, miss);
  out.start_position = worst_of(miss.position);
  out.start_velocity = worst_of(miss.velocity);
  if (start_is_finite(system, start, out)) {
    out.start = assemble(system, start);
    judge_start(out.start, out);
  }
  out.instant = look_at(model, system, out.start.state);
  judge_instant(system, out);
  out.rank = out.instant.rank;
  out.degrees_of_freedom = static_cast<int>(system.velocity_names().size()) - std::max(out.rank, 0);
  out.admissible = out.instant.admissible;
  out.constraints = out.instant.constraints;
  for (const ConstraintNature& c : out.constraints)
    if (c.redundant) out.redundant.push_back(c.name);
  out.fine = out.status == "done";
  return out;
}

}  // namespace vinculum
