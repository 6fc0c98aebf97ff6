#include "vinculum/report/json.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "report/json_principles.hpp"
#include "vinculum/system/control.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {
namespace {

/// One object, a line for each of its keys. A path may hold bytes that are no UTF-8: they are replaced, not
/// refused.
std::string text_of(const Json& object) {
  std::string text;
  for (const auto& [key, value] : object.items())
    text += (text.empty() ? "{\n  " : ",\n  ") + Json(key).dump() + ": " +
            value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text + "\n}\n";
}

Json list(std::span<const double> values) { return std::vector<double>(values.begin(), values.end()); }

/// The coordinates the user stated: the mu of vakonomic motion are told among the multipliers.
Json stated_names(const System& system) {
  const auto& names = system.coordinate_names();
  return std::vector<std::string>(names.begin(), names.begin() + system.stated_coordinates());
}
Json stated(const System& system, std::span<const double> q) {
  return list(q.first(std::min(q.size(), static_cast<std::size_t>(system.stated_coordinates()))));
}

/// What needs the inverse of a singular M is null as a whole.
Json list_or_null(std::span<const double> values) {
  for (const double value : values)
    if (std::isnan(value)) return nullptr;
  return list(values);
}

/// {name: value}; null where nothing was computed.
Json by_name(const std::vector<std::string>& names, std::span<const double> values) {
  Json out = Json::object();
  for (std::size_t i = 0; i < names.size(); ++i)
    add(out, names[i], i < values.size() ? Json(values[i]) : Json());
  return out;
}

// --- run
// -----------------------------------------------------------------------------------------------------------

bool ends_with(const std::string& name, std::string_view end) {
  return name.size() > end.size() && std::string_view(name).substr(name.size() - end.size()) == end;
}

/// The outputs k, k+1, k+2 are name.x, name.y, name.z of one vector.
bool is_vector(const std::vector<std::string>& names, std::size_t k) {
  if (k + 2 >= names.size() || !ends_with(names[k], ".x")) return false;
  const std::string stem = names[k].substr(0, names[k].size() - 1);
  return names[k + 1] == stem + "y" && names[k + 2] == stem + "z";
}

Json outputs(const std::vector<std::string>& names, std::span<const double> values) {
  Json out = Json::object();
  for (std::size_t k = 0; k < names.size(); ++k)
    if (is_vector(names, k)) {
      add(out, names[k].substr(0, names[k].size() - 2), list(values.subspan(k, 3)));
      k += 2;
    } else {
      add(out, names[k], values[k]);
    }
  return out;
}

/// The last sample, where it was recorded at the state reached.
std::optional<Sample> end_of(const Trajectory& motion) {
  if (motion.empty() || motion.times().back() != motion.last.t) return {};
  return motion.back();
}

/// The control force of programmes, and what is left of the constraint force without it.
void add_control(Json& out, const System& system, std::span<const double> constraint,
                 std::span<const double> control) {
  if (programmes(system).empty()) return;
  out["control_force"] = nullptr;
  out["reaction_force"] = nullptr;
  if (constraint.empty() || control.size() != constraint.size()) return;
  std::vector<double> reaction(constraint.begin(), constraint.end());
  for (std::size_t i = 0; i < reaction.size(); ++i) reaction[i] -= control[i];
  out["control_force"] = list(control);
  out["reaction_force"] = reaction;
}

void add_end(Json& out, const System& system, const std::optional<Sample>& end) {
  out["acceleration"] = end ? list(end->acceleration) : Json();
  out["constraint_force"] = end ? list(end->constraint_force) : Json();
  add_control(out, system, end ? end->constraint_force : std::span<const double>(),
              end ? end->control_force : std::span<const double>());
  out["nonideal_force"] = end ? list(end->nonideal_force) : Json();
  out["multipliers"] = end ? by_name(system.row_names(), end->multipliers) : Json::object();
  out["rank"] = end && end->rank >= 0 ? Json(end->rank) : Json();
}

/// Nothing where there is no mechanics: half the square of a rate is no energy.
Json energy(const System& system, const Trajectory& motion, bool began) {
  if (!began || system.mechanics() == Mechanics::none)
    return {{"start", nullptr}, {"end", nullptr}, {"work", nullptr}, {"drift", nullptr}};
  return {{"start", motion.energy_start},
          {"end", motion.energy_end},
          {"work", motion.work.total()},
          {"drift", motion.drift()}};
}

/// Keeps what is not a number: a miss of that kind is the worst.
void take_worst(double& worst, double miss) {
  if (!(miss <= worst) && !std::isnan(worst)) worst = miss;
}

void add_residuals(Json& out, const System& system, const Trajectory& motion, bool began) {
  WorstResidual worst;
  Json by_constraint = Json::object();
  for (std::size_t c = 0; c < motion.worst.size() && began; ++c) {
    const WorstResidual& w = motion.worst[c];
    const ConstraintInfo& info = system.constraints()[c];
    add(by_constraint, info.name,
        info.order == 0   ? w.position
        : info.order == 1 ? w.velocity
                          : w.acceleration);
    take_worst(worst.position, w.position);
    take_worst(worst.velocity, w.velocity);
    take_worst(worst.acceleration, w.acceleration);
  }
  out["residual"] = {
      {"position", worst.position}, {"velocity", worst.velocity}, {"acceleration", worst.acceleration}};
  if (!began) out["residual"] = {{"position", nullptr}, {"velocity", nullptr}, {"acceleration", nullptr}};
  out["residuals"] = by_constraint;
}

void add_controls(Json& out, const System& system, const Trajectory& motion) {
  if (programmes(system).empty()) return;
  out["controls"] = Json::array();
  for (const ControlRecord& c : motion.controls)
    out["controls"].push_back({{"name", c.constraint},
                               {"largest_force", c.largest_force},
                               {"largest_force_time", c.largest_force_time},
                               {"largest_power", c.largest_power},
                               {"largest_power_time", c.largest_power_time},
                               {"miss_start", c.miss_start},
                               {"miss_end", c.miss_end}});
  out["control_work"] = motion.controls.empty() ? Json() : Json(motion.work.control);
}

Json events(const Trajectory& motion) {
  Json out = Json::array();
  for (const EventRecord& e : motion.events) out.push_back({{"name", e.name}, {"time", e.time}});
  return out;
}

bool has_grips(const System& system, const Trajectory& motion) {
  return !system.frictions().empty() || !motion.grip_changes.empty();
}

Json grip_changes(const Trajectory& motion) {
  Json out = Json::array();
  for (const GripChange& c : motion.grip_changes)
    out.push_back({{"name", c.constraint}, {"time", c.time}, {"state", c.sticks ? "sticks" : "slides"}});
  return out;
}

Json rank_changes(const Trajectory& motion) {
  Json out = Json::array();
  for (const RankChange& r : motion.rank_changes)
    out.push_back({{"time", r.time},
                   {"before", r.before},
                   {"at", r.at},
                   {"after", r.after},
                   {"constraints", r.constraints}});
  return out;
}

/// Null where there was no second computation; digits are null where it did not come to the end.
Json verification(const System& system, const Trajectory& motion) {
  const Verification& v = motion.verification;
  if (v.outcome == Verification::Outcome::not_made) return nullptr;
  Json digits = Json::object();
  for (int i = 0; i < system.stated_coordinates(); ++i)
    digits[system.coordinate_names()[i]] = v.digits.empty() ? Json() : Json(v.digits[i]);
  const auto compared = [](const std::string& differs, double largest) {
    return Json{{"agree", differs.empty()}, {"largest_difference", largest}};
  };
  Json out = {{"digits", digits},
              {"trusted_until", v.trusted_until},
              {"integrator", integrator_name(*v.integrator)},
              {"tolerance", v.tolerance},
              {"events", compared(v.events, v.event_difference)},
              {"doubtful", v.doubtful},
              {"text", v.text}};
  if (has_grips(system, motion)) out["contacts"] = compared(v.grips, v.grip_difference);
  return out;
}

// --- explain and check
// -----------------------------------------------------------------------------------------------------------

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
    for (int k = m.start[i]; k < m.start[i + 1]; ++k) row[m.column[k]] += m.value[k];
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

std::string_view status_word(Stop stop) { return stop == Stop::step_limit ? "step" : stop_name(stop); }

namespace {

Json run_object(const System& system, const Trajectory& motion, const std::string& model_path) {
  // A start that is refused is refused before anything is evaluated.
  const bool began = motion.evaluations > 0 && !motion.empty();
  Json out;
  out["status"] = status_word(motion.stop);
  out["reason"] = motion.reason;
  out["names"] = motion.names;
  out["model"] = model_path;
  out["time"] = motion.last.t;
  out["coordinates"] = stated_names(system);
  out["velocities"] = system.velocity_names();
  out["q"] = stated(system, motion.last.q);
  out["v"] = list(motion.last.v);
  const std::optional<Sample> end = end_of(motion);
  add_end(out, system, end);
  out["energy"] = energy(system, motion, began);
  add_controls(out, system, motion);
  add_residuals(out, system, motion, began);
  out["steps"] = motion.steps;
  out["rejected"] = motion.rejected;
  out["evaluations"] = motion.evaluations;
  out["seconds"] = motion.seconds;
  out["outputs"] = end ? outputs(system.output_names(), end->outputs) : Json::object();
  out["events"] = events(motion);
  if (has_grips(system, motion)) out["contacts"] = grip_changes(motion);
  out["rank_changes"] = rank_changes(motion);
  out["verification"] = verification(system, motion);
  const bool compared = motion.verification.outcome == Verification::Outcome::compared;
  out["unverified"] = compared ? Json() : Json(motion.verification.text);
  out["norm_dependent"] = motion.norm_dependent;
  out["notes"] = motion.notes;
  out["worst"] = began ? worst_json(system, motion) : Json();
  out["works"] = began && system.mechanics() != Mechanics::none ? works_json(motion) : Json();
  return out;
}

Json numbers_of(const std::vector<std::pair<std::string, double>>& list) {
  Json out = Json::object();
  for (const auto& [name, value] : list) add(out, name, value);
  return out;
}

Json boundary_json(const BoundaryStart& b) {
  return {{"found", b.found},
          {"end", numbers_of(b.end)},
          {"start", numbers_of(b.values)},
          {"worst", b.worst.empty() ? Json() : Json(b.worst)},
          {"miss", b.worst.empty() ? Json() : Json(b.miss)},
          {"motions", b.motions},
          {"text", b.text}};
}

/// The motion by the other principle, and both beside each other.
Json comparison_json(const System& own, const Comparison& c, const std::string& model_path) {
  const bool vakonomic = own.mechanics() == Mechanics::vakonomic;
  const ByPrinciple& other = vakonomic ? c.dalembert : c.vakonomic;
  Json apart = Json::object();
  for (const Apart& a : c.apart) add(apart, a.name, Json{{"most", a.most}, {"time", a.time}});
  return {{"mechanics", mechanics_word(other.system)},
          {"action", {{"dalembert", c.dalembert.action}, {"vakonomic", c.vakonomic.action}}},
          {"apart", apart},
          {"must_agree", c.must_agree},
          {"notes", c.notes},
          {"run", run_object(other.system, other.motion, model_path)}};
}

}  // namespace

std::string run_json(const System& system, const Trajectory& motion, const std::string& model_path,
                     const BesideRun& beside) {
  Json out = run_object(system, motion, model_path);
  if (beside.boundary != nullptr) out["boundary"] = boundary_json(*beside.boundary);
  if (beside.comparison != nullptr) out["compare"] = comparison_json(system, *beside.comparison, model_path);
  return text_of(out);
}

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
