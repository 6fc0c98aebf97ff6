#include "report/json_said.hpp"

#include <cmath>
#include <span>
#include <unordered_map>

#include "vinculum/equation/sparse_row.hpp"

namespace vinculum {
namespace {

double length(std::span<const double> x) {
  double length = 0.0;
  for (const double value : x) length = std::hypot(length, value);
  return length;
}

/// |A q'' - b| / (|A||q''| + |b|) over all rows together.
double constraint_residual(const Equations& at, const std::vector<double>& acceleration) {
  if (static_cast<int>(acceleration.size()) != at.coordinates()) return NAN;
  std::vector<double> miss(at.rows());
  for (int r = 0; r < at.rows(); ++r) miss[r] = row_of(at.A, r).dot(acceleration, -at.b[r]);
  const double missed = length(miss);
  return missed == 0.0 ? 0.0 : missed / (length(at.A.value) * length(acceleration) + length(at.b));
}

/// Coordinates and velocities of a state by name.
std::unordered_map<std::string, double> values_of(const System& system, const State& state) {
  std::unordered_map<std::string, double> value;
  for (std::size_t i = 0; i < state.q.size(); ++i) value[system.coordinate_names()[i]] = state.q[i];
  for (std::size_t i = 0; i < state.v.size(); ++i) value[system.velocity_names()[i]] = state.v[i];
  return value;
}

}  // namespace

void add(Json& object, const std::string& name, Json value) {
  using Pairs = Json::object_t::Container;
  static_cast<Pairs&>(object.get_ref<Json::object_t&>()).emplace_back(name, std::move(value));
}

std::string mechanics_word(const System& system) {
  switch (system.mechanics()) {
    case Mechanics::vakonomic:
      return "vakonomic";
    case Mechanics::none:
      return "none";
    default:
      return "dalembert";
  }
}

void add_certificate(Json& out, const Instant& at) {
  const Certificate& c = at.solution.certificate;
  const std::pair<const char*, Check> checks[] = {{"constraint_residual", c.constraint_residual},
                                                  {"virtual_work", c.virtual_work},
                                                  {"gauss_gap", c.gauss_gap},
                                                  {"kkt_residual", c.kkt_residual},
                                                  {"nonideal_work", c.nonideal_work},
                                                  {"power_balance", at.power_balance}};
  Json numbers = Json::object(), bounds = Json::object();
  for (const auto& [name, check] : checks) {
    numbers[name] = check.value;
    bounds[name] = std::isnan(check.value) ? Json() : Json(check.bound);
  }
  // Over all rows together: never more than the worst row, which is 0 where there is nothing but rounding.
  if (c.constraint_residual.value != 0.0)
    numbers["constraint_residual"] = constraint_residual(at.equations, at.solution.acceleration);
  const std::vector<std::string> failing = failing_checks(at);
  out["certificate"] = numbers;
  out["certificate_bounds"] = bounds;
  out["certificate_failing"] = failing;
  out["certificate_holds"] = at.solution.status == Status::solved && failing.empty();
}

void add_start(Json& out, const System& system, const CheckReport& report) {
  const Assembly& start = report.start;
  out["start"] = {{"position", report.start_position}, {"velocity", report.start_velocity}};
  out["start_consistent"] = start.consistent && start.repaired;
  out["start_misses"] = Json::array();
  out["start_repair"] = nullptr;
  for (const Violation& v : start.violations)
    out["start_misses"].push_back(
        {{"constraint", v.constraint}, {"of_velocity", v.of_velocity}, {"miss", v.miss}});
  if (start.consistent || !start.repaired) return;
  const auto value = values_of(system, start.state);
  Json changes = Json::array();
  for (const Change& c : start.changes)
    changes.push_back({{"name", c.name}, {"value", value.at(c.name)}, {"by", c.by}});
  out["start_repair"] = {{"nearest", !start.by_detour}, {"changes", changes}};
}

Json dependencies_json(const System& system, const std::vector<Dependency>& dependent) {
  Json out = Json::array();
  for (const Dependency& d : dependent) {
    Json on = Json::object();
    for (std::size_t k = 0; k < d.on.size(); ++k) add(on, system.row_names()[d.on[k]], d.weight[k]);
    out.push_back({{"row", system.row_names()[d.row]}, {"on", on}});
  }
  return out;
}

Json worst_json(const System& system, const Trajectory& motion) {
  Json out = Json::array();
  for (std::size_t c = 0; c < motion.worst.size(); ++c)
    out.push_back({{"name", system.constraints()[c].name},
                   {"position", motion.worst[c].position},
                   {"velocity", motion.worst[c].velocity},
                   {"acceleration", motion.worst[c].acceleration}});
  return out;
}

Json works_json(const Trajectory& motion) {
  return {{"impressed", motion.work.impressed},
          {"constraint", motion.work.constraint},
          {"control", motion.work.control},
          {"nonideal", motion.work.nonideal},
          {"explicit_time", motion.work.explicit_time}};
}

}  // namespace vinculum
