#include "vinculum/analysis/check.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

/// Names in the order they come, each once.
class Names {
 public:
  explicit Names(std::vector<std::string>& list) : list_(list) {}
  void add(const std::string& name) {
    if (known_.insert(name).second) list_.push_back(name);
  }

 private:
  std::vector<std::string>& list_;
  std::unordered_set<std::string> known_;
};

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
        out.status = Stop::not_finite;
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
  out.status = start.not_finite                             ? Stop::not_finite
               : start.fighting.empty() || start.consistent ? Stop::start
                                                            : Stop::contradicting;
  out.contradicting = start.fighting;
  out.reason = start.consistent
                   ? "the start misses its constraints by less than 1e-08 of their terms, but no "
                     "state that satisfies them was found nearby"
                   : start.text;
  out.names = start.fighting;
  if (!out.names.empty()) return;
  Names names(out.names);
  for (const Violation& v : start.open.empty() ? start.violations : start.open) names.add(v.constraint);
}

/// Where the start has been judged already, the instant only adds what it knows of contradictions: with a
/// start off its constraints that could not be repaired, rows that disagree say nothing.
void judge_instant(const System& system, CheckReport& out) {
  const Solution& s = out.instant.solution;
  if (s.status == Status::contradicting && out.start.repaired) out.contradicting = names_of(system, s);
  if (out.status != Stop::end || s.status == Status::solved) return;
  out.status = status_of(out.instant);
  out.reason = "at t = " + number_text(out.instant.state.t, 10) + ": " + describe(system, s);
  out.names = names_of(system, s);
}

/// Rows that depend on each other at the start, or ask for nothing there, may leave the motion no way on: the
/// numbers of the instant do not show it, a first step does.
void judge_first_step(const System& system, const State& start, MotionOptions how, CheckReport& out) {
  if (out.status != Stop::end || (out.admissible && out.rank == out.rows)) return;
  if (how.until == start.t) how.until = start.t + 1.0;
  how.step_limit = 1;
  how.samples = 1;
  const Trajectory motion = simulate(system, start, how);
  if (motion.stop == Stop::end || motion.stop == Stop::event || motion.stop == Stop::step_limit) return;
  out.status = motion.stop;
  out.reason = motion.reason;
  out.names = motion.names;
  if (motion.stop == Stop::contradicting) out.contradicting = motion.names;
}

/// Rows that follow from others though none of the constraints could go as a whole.
std::vector<std::string> rows_to_spare(const System& system, const CheckReport& report) {
  std::vector<std::string> rows;
  if (report.redundant.empty() && report.contradicting.empty())
    for (const Dependency& d : report.instant.solution.dependencies)
      rows.push_back(system.row_names()[d.row]);
  return rows;
}

}  // namespace

std::vector<std::string> failing_checks(const Instant& at) {
  std::vector<std::string> names;
  const Certificate& c = at.solution.certificate;
  const std::pair<const char*, Check> checks[] = {{"constraint_residual", c.constraint_residual},
                                                  {"virtual_work", c.virtual_work},
                                                  {"gauss_gap", c.gauss_gap},
                                                  {"kkt_residual", c.kkt_residual},
                                                  {"nonideal_work", c.nonideal_work},
                                                  {"power_balance", at.power_balance}};
  for (const auto& [name, check] : checks)
    if (!std::isnan(check.value) && !check.holds()) names.emplace_back(name);
  return names;
}

std::string reason_of(const System& system, const Instant& at) {
  const std::vector<std::string> failing = failing_checks(at);
  if (at.solution.status != Status::solved || failing.empty()) return describe(system, at.solution);
  return "the certificate of this instant does not hold (" + list_text(failing) +
         "): its numbers are not vouched for, rounding may be as large as they are";
}

Stop status_of(const Instant& instant) {
  switch (instant.solution.status) {
    case Status::solved:
      return failing_checks(instant).empty() ? Stop::end : Stop::singular;
    case Status::contradicting:
      return Stop::contradicting;
    case Status::not_finite:
      return Stop::not_finite;
    default:
      return Stop::singular;
  }
}

std::vector<std::string> names_of(const System& system, const Solution& solution) {
  std::vector<std::string> list;
  Names names(list);
  for (const int r : solution.rows) names.add(system.constraints()[system.constraint_of_row(r)].name);
  for (const int c : solution.coordinates) names.add(name_of_moving(system, c));
  return list;
}

CheckReport check(const Model& model, const System& system, const State& start, const MotionOptions& how) {
  CheckReport out;
  out.rows = static_cast<int>(system.row_names().size());
  out.start.state = start;
  Workspace work(system);
  Residuals miss;
  residuals(system, start, work, miss);
  out.start_position = worst_of(miss.position);
  out.start_velocity = worst_of(miss.velocity);
  if (start_is_finite(system, start, out)) {
    AssembleOptions repair;
    repair.time = std::isfinite(how.until) ? std::fabs(how.until - start.t) : 0.0;
    repair.closure = how.closure;
    out.start = assemble(system, start, repair);
    judge_start(out.start, out);
  }
  out.instant = examine(model, system, out.start.state, {}, out.start.passed_over);
  judge_instant(system, out);
  out.rank = out.instant.rank;
  out.degrees_of_freedom = static_cast<int>(system.velocity_names().size()) - std::max(out.rank, 0);
  out.admissible = out.instant.admissible;
  const std::vector<double>& entries = out.instant.equations.A.value;
  out.finite = std::all_of(entries.begin(), entries.end(), [](double a) { return std::isfinite(a); });
  judge_first_step(system, start, how, out);
  out.constraints = out.instant.constraints;
  for (const ConstraintNature& c : out.constraints)
    if (c.redundant) out.redundant.push_back(c.name);
  out.redundant_rows = rows_to_spare(system, out);
  out.fine = out.status == Stop::end;
  return out;
}

}  // namespace vinculum
