#include "system/compile/written_motion.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "system/system_impl.hpp"
#include "vinculum/lower/expand.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;

/// What decides by itself as it goes, or is no closed form.
std::vector<std::string> obstacles_of(const System::Impl& s) {
  std::vector<std::string> all;
  if (s.model.mechanics() == Mechanics::vakonomic)
    all.emplace_back("its mechanics is vakonomic, with the multipliers as part of the state");
  for (const FrictionPair& f : s.frictions)
    all.push_back(fmt::format("friction of '{}' may come to rest, and decides then what holds",
                              s.constraints[f.constraints.front()].name));
  for (const ProgrammeInfo& p : s.programmes)
    all.push_back(
        fmt::format("'{}' is a programme that control forces carry out", s.constraints[p.constraint].name));
  for (const std::string& text : s.switch_texts)
    all.push_back(fmt::format("its forces switch or have a corner where {} = 0", text));
  return all;
}

StateFunction all_written(const Model& model, const std::vector<Expr>& outputs) {
  return {model, outputs, static_cast<int>(outputs.size())};
}

/// The parts of the elimination that are asked for: accelerations, `more` numbers behind them, good.
StateFunction eliminated(const Model& model, const SymbolicEquations& equations, const Equations& pattern,
                         int more, RowsHold hold) {
  std::vector<Expr> all = written_beginning(model, equations, pattern, hold);
  if (all.empty()) return {};
  all.erase(all.begin() + pattern.M.rows + more, all.end() - 1);
  return all_written(model, all);
}

std::vector<Expr> rates_of(const System::Impl& s, const std::vector<Statement>& statements) {
  std::vector<Expr> rates;
  for (const int v : s.plain_rate) rates.push_back(v >= 0 ? s.model.velocities()[v].symbol : Expr(0.0));
  for (const Statement& statement : statements)
    for (const Contribution& c : expand(s.model, statement, Purpose::rates)) rates[c.target.i] = c.value;
  return rates;
}

struct Asked {
  std::vector<AskedRow> places, velocities;
};
Asked residuals_of(const Model& model, const std::vector<Statement>& statements) {
  Asked asked;
  for (const Statement& s : statements)
    for (const Contribution& c : expand(model, s, Purpose::residuals))
      (c.target.where == Where::position ? asked.places : asked.velocities)
          .push_back({s.first_row + c.target.i, c.value});
  return asked;
}

}  // namespace

WrittenMotion::WrittenMotion(const System& system) : obstacles(obstacles_of(system.impl())) {
  if (!obstacles.empty()) return;
  const System::Impl& s = system.impl();
  const Model& model = s.model;
  const std::vector<Statement> statements = statements_of(model);
  const SymbolicEquations equations = symbolic_equations(model, statements);
  motion = eliminated(model, equations, s.pattern, s.pattern.A.rows, RowsHold::beside_free_motion);
  const Asked asked = residuals_of(model, statements);
  const auto corrections = [&](const std::vector<AskedRow>& rows) {
    return rows.empty() ? StateFunction()
                        : eliminated(model, correction(equations, rows), correction_pattern(s.pattern, rows),
                                     0, RowsHold::not_asked);
  };
  places = corrections(asked.places);
  velocities = corrections(asked.velocities);
  if (motion.empty() || (!asked.places.empty() && places.empty()) ||
      (!asked.velocities.empty() && velocities.empty())) {
    obstacles.push_back(fmt::format(
        "its {} coordinates and {} rows have no closed form (at most 24 and 12, whose masses are regular)",
        s.pattern.M.rows, s.pattern.A.rows));
    return;
  }
  rates = all_written(model, rates_of(s, statements));
  std::vector<Expr> parts;
  for (const AngleData& angle : model.stated().angles) {
    angles.push_back(angle.coordinate);
    parts.push_back(model.stated().written_out(angle.start + atan2(angle.sine, angle.cosine)));
  }
  turned = all_written(model, parts);
}

namespace {

/// What a statement says, as the number `index` of its kind.
Expr observed(const Model& model, const std::vector<Statement>& statements, int index) {
  Expr sum = 0;
  for (const Statement& s : statements)
    if (s.first_row == index)
      for (const Contribution& c : expand(model, s, Purpose::observe)) sum += c.value;
  return sum;
}

Expr energy_of(const Model& model) {
  Expr sum = 0;
  for (const Statement& s : statements_of(model))
    for (const Contribution& c : expand(model, s, Purpose::energy))
      if (c.target.where == Where::energy) sum += c.value;
  return sum;
}

Expr expression_of(const Model& model, const Look& look) {
  switch (look.of) {
    case Look::coordinate:
      return model.coordinates()[look.index].symbol;
    case Look::velocity:
      return model.velocities()[look.index].symbol;
    case Look::output:
      return observed(model, outputs_of(model), look.index);
    case Look::event:
      return observed(model, events_of(model), look.index);
    case Look::energy:
      return energy_of(model);
    default:
      return model.stated().graph().symbol("t");
  }
}

std::string name_of(const System::Impl& s, const Look& look) {
  if (look.of == Look::output) return "output '" + s.output_names[look.index] + "'";
  return look.of == Look::event ? "event '" + s.events[look.index].name + "'" : "the energy";
}

bool is_had(const Model& model, const Expr& symbol) {
  return is_number(model.stated().role(symbol).role) ||
         place_of(model, symbol).part <= StatePlace::multiplier;
}

}  // namespace

StateFunction written_looks(const System& system, std::span<const Look> looks,
                            std::vector<std::string>& obstacles) {
  const System::Impl& s = system.impl();
  std::vector<Expr> values;
  for (const Look& look : looks) {
    values.push_back(expression_of(s.model, look));
    const std::vector<Expr> symbols = symbols_of({&values.back(), 1});
    if (!std::ranges::all_of(symbols, [&](const Expr& x) { return is_had(s.model, x); }))
      obstacles.push_back(name_of(s, look) + " asks for more than accelerations and multipliers");
  }
  return obstacles.empty() ? all_written(s.model, values) : StateFunction();
}

bool reads_solution(const StateFunction& function) {
  return std::ranges::any_of(function.kernel().places(), [](const InputPlace& place) {
    return place.part == StatePlace::acceleration || place.part == StatePlace::multiplier;
  });
}

std::span<const double> living_numbers(const System& system, const StateFunction& function) {
  if (function.living().empty()) return {};
  return function.living().at(system.values().numbers);
}

KinGroups kin_groups(const System& system) {
  const System::Impl& s = system.impl();
  KinGroups groups;
  groups.of_velocity.assign(s.velocity_names.size(), -1);
  groups.of_coordinate.assign(s.coordinate_names.size(), -1);
  for (std::size_t v = 0; v < s.kin.size(); ++v)
    groups.of_velocity[v] = s.kin[v] == static_cast<int>(v) ? groups.count++ : groups.of_velocity[s.kin[v]];
  for (std::size_t i = 0; i < groups.of_coordinate.size(); ++i)
    if (s.plain_rate[i] >= 0) groups.of_coordinate[i] = groups.of_velocity[s.plain_rate[i]];
  for (const Rotation& r : s.rotations)
    std::fill_n(groups.of_coordinate.begin() + r.coordinate, 4, groups.of_velocity[r.velocity]);
  for (int& group : groups.of_coordinate)
    if (group < 0) group = groups.count++;
  return groups;
}

}  // namespace vinculum
