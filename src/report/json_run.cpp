// `run --json`.
#include <algorithm>
#include <cmath>
#include <optional>

#include "report/json_parts.hpp"
#include "report/json_principles.hpp"
#include "vinculum/report/json.hpp"
#include "vinculum/system/control.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {
namespace {

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

Json methods(const Trajectory& motion) {
  Json list = Json::array();
  for (const MethodUse& use : motion.methods)
    list.push_back({{"name", integrator_name(use.integrator)}, {"from", use.from}});
  return list;
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
  out["integrators"] = methods(motion);
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
  out["passed_over"] = passed_over_json(motion.passed_over);
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

}  // namespace vinculum
