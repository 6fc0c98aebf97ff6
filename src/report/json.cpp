// `explain --json`, `check --json`, `derive --json`.
#include "vinculum/report/json.hpp"

#include <algorithm>
#include <cmath>

#include "report/json_parts.hpp"
#include "report/json_principles.hpp"
#include "vinculum/equation/sparse_row.hpp"
#include "vinculum/system/control.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {
namespace {

constexpr double most_dense_entries = 1e6;

Json matrix(const SparseMatrix& m, int columns) {
  if (static_cast<double>(m.rows) * columns > most_dense_entries) {
    std::vector<int> row(m.column.size());
    for (int i = 0; i < m.rows; ++i) std::fill(row.begin() + m.start[i], row.begin() + m.start[i + 1], i);
    return {{"rows", m.rows}, {"columns", columns}, {"row", row}, {"column", m.column}, {"value", m.value}};
  }
  Json out = Json::array();
  std::vector<double> row(columns);
  for (int i = 0; i < m.rows; ++i) {
    std::fill(row.begin(), row.end(), 0.0);
    for (const auto [column, value] : row_of(m, i)) row[column] += value;
    out.push_back(row);
  }
  return out;
}

Json multipliers(const System& system, const Instant& at) {
  const Solution& s = at.solution;
  const bool by_rank = at.rank >= 0 && !has_restricted_programmes(system);
  const bool unique = by_rank ? at.rank == at.equations.rows() : s.multipliers_unique;
  Json freedom = Json::array();
  for (const std::vector<double>& n : s.freedom) freedom.push_back(list(n));
  if (!unique && s.freedom.empty()) freedom = nullptr;  // too large, or not solved: not computed
  std::vector<double> values = s.multipliers;
  report_multipliers(system, at.state, values);
  Json unique_rows = Json::object();
  for (std::size_t r = 0; r < at.unique_rows.size(); ++r)
    add(unique_rows, system.row_names()[r], static_cast<bool>(at.unique_rows[r]));
  if (at.unique_rows.size() != system.row_names().size()) unique_rows = nullptr;
  return {{"unique", unique},
          {"values", by_name(system.row_names(), values)},
          {"freedom", freedom},
          {"unique_rows", unique_rows}};
}

/// Of so many constraints that their forces are no list to read: null.
Json reactions(const System& system, const Instant& at) {
  const std::size_t n = system.velocity_names().size();
  if (at.reactions.size() != system.constraints().size() ||
      static_cast<double>(at.reactions.size()) * static_cast<double>(n) > most_dense_entries)
    return nullptr;
  const bool known = at.unique_rows.size() == system.row_names().size();
  Json out = Json::array();
  for (const Reaction& r : at.reactions) {
    std::vector<double> force(n, 0.0);
    for (std::size_t k = 0; k < r.force.size(); ++k) force[r.velocity[k]] = r.force[k];
    out.push_back({{"name", r.name}, {"force", force}, {"unique", known ? Json(r.unique) : Json()}});
  }
  return out;
}

/// Force and torque of each joint on one of its parts, world axes, at its point.
Json joints(const Instant& at) {
  Json out = Json::array();
  for (const JointLoad& load : at.loads) {
    const auto three = [](const auto& list, int first) {
      return Json{list[first], list[first + 1], list[first + 2]};
    };
    out.push_back({{"name", load.name},
                   {"type", joint_word(load.type)},
                   {"on", load.on},
                   {"from", load.from},
                   {"point", three(load.point, 0)},
                   {"force", three(load.value, 0)},
                   {"torque", three(load.value, 3)},
                   {"unique", {{"force", three(load.unique, 0)}, {"torque", three(load.unique, 3)}}}});
  }
  return out;
}

Json workless(const Workless& w) {
  if (!w.known)
    return {{"dimension", nullptr}, {"empty", nullptr}, {"holds_ideal", nullptr}, {"example", nullptr}};
  return {{"dimension", w.empty ? Json() : Json(w.dimension)},  // the empty set has none
          {"empty", w.empty},
          {"holds_ideal", w.holds_ideal},
          {"example", w.example.empty() ? Json() : list(w.example)}};
}

/// x'' = s + v1 + v2 where there is no mechanics: with unit masses accelerations are forces.
Json underdetermined(const System& system, const Instant& at) {
  if (system.mechanics() != Mechanics::none) return nullptr;
  const Solution& s = at.solution;
  return {{"s", list(at.equations.Q)},
          {"v1", list_or_null(s.constraint_force)},
          {"v2", list_or_null(s.nonideal_force)},
          {"orthogonality", at.orthogonality}};
}

Json natures(const std::vector<ConstraintNature>& constraints) {
  Json out = Json::array();
  for (const ConstraintNature& c : constraints)
    out.push_back({{"name", c.name},
                   {"order", c.order},
                   {"kind", kind_name(c.kind)},
                   {"scleronomic", c.scleronomic},
                   {"ideal", c.ideal},
                   {"ideal_always", c.ideal_always ? Json(*c.ideal_always) : Json()},
                   {"redundant", c.redundant},
                   {"admissible", c.admissible},
                   {"reason",
                    {{"kind", c.reason.kind},
                     {"scleronomic", c.reason.scleronomic},
                     {"admissible", c.reason.admissible},
                     {"ideal", c.reason.ideal}}}});
  return out;
}

/// Frictions at the instant, one entry for each constraint that has one.
Json frictions(const System& system, const Instant& at) {
  Json out = Json::array();
  for (std::size_t k = 0; k < at.frictions.size(); ++k)
    for (const std::string& name : names_of(system, system.frictions()[k])) {
      const bool sticks = at.frictions[k].grip == Grip::sticks;
      out.push_back({{"name", name},
                     {"state", sticks ? "sticks" : "slides"},
                     {"limit", at.frictions[k].limit},
                     {"needed", sticks ? Json(at.frictions[k].needed) : Json()}});
      if (const std::string text = friction_text(system, system.frictions()[k], at.frictions[k]);
          !text.empty())
        out.back()["note"] = text;
    }
  return out;
}

/// The singular value that made the rank a close decision; null where none did.
Json near_or_null(const Solution& s) {
  return s.singular_value_near == 0 ? Json() : Json(s.singular_value_near);
}

/// Constraints by whose shares of least norm the motion is what it is, and which law reads them.
void add_norm_dependences(Json& out, const Instant& at, const std::vector<std::string>& notes = {}) {
  out["norm_dependent"] = names_of(at.norm_dependences);
  out["notes"] = notes;
  for (const NormDependence& d : at.norm_dependences) out["notes"].push_back(describe(d));
}

Json rank_or_null(int rank) { return rank >= 0 ? Json(rank) : Json(); }

void add_solution(Json& out, const System& system, const Instant& at) {
  const Solution& s = at.solution;
  out["acceleration"] = list(s.acceleration);
  if (!at.dalembert_acceleration.empty()) out["dalembert_acceleration"] = list(at.dalembert_acceleration);
  out["deviation"] = list_or_null(s.deviation);
  out["newton_force"] = list(at.equations.Q);  // F^N = M a
  out["constraint_force"] = list(s.constraint_force);
  add_control(out, system, s.constraint_force, s.control_force);
  out["nonideal_force"] = list(s.nonideal_force);
  out["nonideal"] =
      list(at.equations.C.empty() ? std::vector<double>(at.equations.Q.size(), 0.0) : at.equations.C);
  out["orthogonality"] = at.orthogonality;
  out["multipliers"] = multipliers(system, at);
  out["reactions"] = reactions(system, at);
  out["joints"] = joints(at);
  out["rank"] = rank_or_null(at.rank);
  out["saddle"] = s.saddle;
  out["gaussian"] = s.gaussian;
  out["extended_gaussian"] = s.extended_gaussian;
  add_certificate(out, at);
  out["energy"] = at.energy;
  out["power"] = {{"impressed", at.power_impressed},
                  {"constraint", at.power_constraint},
                  {"nonideal", at.power_nonideal},
                  {"explicit_time", at.power_explicit}};
  if (!programmes(system).empty()) out["power"]["control"] = at.power_control;
  out["energy_rate"] = at.energy_rate;
  Json by_constraint = Json::object();
  for (const ConstraintNature& c : at.constraints)
    add(by_constraint, c.name, std::isnan(at.energy) ? Json() : Json(c.power));
  out["power_of_constraints"] = by_constraint;
  Json power_unique = Json::object();
  for (const ConstraintNature& c : at.constraints) add(power_unique, c.name, c.power_unique);
  out["power_unique"] = power_unique;
  out["workless"] = workless(at.workless);
  out["underdetermined"] = underdetermined(system, at);
}

}  // namespace

std::string explain_json(const System& system, const Instant& at, const Trajectory* stopped,
                         const std::vector<std::string>& notes, const Answer& answer) {
  const Solution& s = at.solution;
  const int n = at.equations.coordinates();
  Json out;
  out["status"] = stopped != nullptr ? status_word(stopped->stop) : status_word(status_of(at));
  out["reason"] = stopped != nullptr ? stopped->reason : reason_of(system, at);
  out["names"] = stopped != nullptr ? stopped->names : names_of(system, s);
  out["time"] = at.state.t;
  out["coordinates"] = stated_names(system);
  out["velocities"] = system.velocity_names();
  out["rows"] = system.row_names();
  out["q"] = stated(system, at.state.q);
  out["v"] = list(at.state.v);
  out["mass"] = matrix(at.equations.M, n);
  out["force"] = list(at.equations.Q);
  out["free_acceleration"] = list_or_null(s.free_acceleration);
  out["A"] = matrix(at.equations.A, n);
  out["b"] = list(at.equations.b);
  out["dissatisfaction"] = list_or_null(s.dissatisfaction);
  add_principles(out, system, at);
  add_solution(out, system, at);
  add_answer(out, system, answer);
  out["admissible"] = at.admissible;
  out["dependent"] = dependencies_json(system, at.dependent);
  out["constraints"] = natures(at.constraints);
  if (!at.frictions.empty()) out["friction"] = frictions(system, at);
  out["dependencies"] = dependencies_json(system, s.dependencies);
  out["singular_value_near"] = near_or_null(s);
  out["passed_over"] = passed_over_json(at.passed_over);
  out["mechanics"] = mechanics_word(system);
  out["road"] = {{"asked", road_name(s.road_asked)}, {"used", road_name(s.road_used)}};
  add_norm_dependences(out, at, notes);
  return text_of(out);
}

std::string check_json(const System& system, const CheckReport& report) {
  Json out;
  out["status"] = status_word(report.status);
  out["reason"] = report.reason;
  out["names"] = report.names;
  out["degrees_of_freedom"] = report.rank >= 0 ? Json(report.degrees_of_freedom) : Json();
  out["rank"] = rank_or_null(report.rank);
  out["redundant"] = report.redundant;
  out["redundant_rows"] = report.redundant_rows;
  out["contradicting"] = report.contradicting;
  out["admissible"] = report.finite ? Json(report.admissible) : Json();
  out["dependent"] = dependencies_json(system, report.instant.dependent);
  add_start(out, system, report);
  out["passed_over"] = passed_over_json(report.start.passed_over);
  out["constraints"] = natures(report.constraints);
  out["dependencies"] = dependencies_json(system, report.instant.solution.dependencies);
  out["singular_value_near"] = near_or_null(report.instant.solution);
  out["mechanics"] = mechanics_word(system);
  add_norm_dependences(out, report.instant);
  return text_of(out);
}

std::string derive_json(DeriveFormat format, const Derivation& page) {
  Json out{{"format", format_name(format)}, {"text", page.text}, {"on_constraints", page.on_constraints}};
  const bool measured = page.length > 0;  // a C file is not for reading
  out["without_value"] = page.without_value;
  out["multipliers"] = nullptr;
  for (const auto& [row, value] : page.multipliers) out["multipliers"][row] = value;
  out["gauss"] = page.gauss.empty() ? Json() : Json(page.gauss);
  out["gauss_least"] = page.least_gauss.empty() ? Json() : Json(page.least_gauss);
  out["length"] = measured ? Json(page.length) : Json();
  out["length_as_stated"] = measured ? Json(page.length_as_stated) : Json();
  return text_of(out);
}

}  // namespace vinculum
