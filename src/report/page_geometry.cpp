#include "report/page_geometry.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/analysis/check.hpp"

namespace vinculum {
namespace {

using Json = nlohmann::ordered_json;  // order is the order of the model

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json constraints(const Instant& at) {
  Json list = Json::array();
  for (std::size_t k = 0; k < at.constraints.size(); ++k) {
    const ConstraintNature& c = at.constraints[k];
    const bool known = k < at.reactions.size() && !at.unique_rows.empty();
    list.push_back({{"name", c.name},
                    {"order", c.order},
                    {"kind", kind_name(c.kind)},
                    {"scleronomic", c.scleronomic},
                    {"admissible", c.admissible},
                    {"ideal", c.ideal},
                    {"ideal_always", c.ideal_always ? Json(*c.ideal_always) : Json()},
                    {"redundant", c.redundant},
                    {"unique", known ? Json(at.reactions[k].unique) : Json()},
                    {"power", number(c.power)},
                    {"power_unique", c.power_unique},
                    {"reason",
                     {{"kind", c.reason.kind},
                      {"scleronomic", c.reason.scleronomic},
                      {"admissible", c.reason.admissible},
                      {"ideal", c.reason.ideal}}}});
  }
  return list;
}

/// M q'' = F^N + F^L + F^C by velocity; null without C.
Json split(const System& system, const Instant& at) {
  if (at.equations.C.empty()) return nullptr;
  const Solution& s = at.solution;
  Json list = Json::array();
  for (std::size_t i = 0; i < system.velocity_names().size(); ++i)
    list.push_back({{"name", system.velocity_names()[i]},
                    {"stated", number(at.equations.C[i])},
                    {"newton", number(at.equations.Q[i])},
                    {"lagrange", number(s.constraint_force[i])},
                    {"coulomb", number(s.nonideal_force[i])}});
  return list;
}

Json workless(const System& system, const Workless& w) {
  if (!w.known) return nullptr;
  Json example = Json::array();
  for (std::size_t i = 0; i < w.example.size(); ++i)
    example.push_back({{"name", system.velocity_names()[i]}, {"value", number(w.example[i])}});
  return {
      {"dimension", w.dimension}, {"empty", w.empty}, {"holds_ideal", w.holds_ideal}, {"example", example}};
}

Json power(const Instant& at) {
  if (!std::isfinite(at.energy_rate)) return nullptr;
  return {{"rate", number(at.energy_rate)},
          {"impressed", number(at.power_impressed)},
          {"constraint", number(at.power_constraint)},
          {"nonideal", number(at.power_nonideal)},
          {"explicit_time", number(at.power_explicit)}};
}

}  // namespace

Json geometry_part(const Model& model, const System& system, const Trajectory& motion, int limit) {
  const int size = static_cast<int>(std::max(system.velocity_names().size(), system.row_names().size()));
  if (motion.empty() || size > limit) return nullptr;
  const Instant at = examine(model, system, motion.state(motion.size() - 1), {}, motion.passed_over);
  if (at.solution.status != Status::solved) return nullptr;
  Json dependent = Json::array();
  for (const Dependency& d : at.dependent) {
    Json on = Json::array();
    for (const int row : d.on) on.push_back(system.row_names()[row]);
    dependent.push_back({{"row", system.row_names()[d.row]}, {"on", on}});
  }
  return {{"time", number(at.state.t)},
          {"mechanics", system.mechanics() != Mechanics::none},
          {"constraints", constraints(at)},
          {"dependent", std::move(dependent)},
          {"unique", at.solution.multipliers_unique},
          {"split", split(system, at)},
          {"orthogonality", number(at.orthogonality)},
          {"power", power(at)},
          {"workless", workless(system, at.workless)}};
}

}  // namespace vinculum
