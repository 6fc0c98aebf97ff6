#include "vinculum/analysis/derive.hpp"

#include <map>

#include "system/statement.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;
using Entries = std::map<std::pair<int, int>, Expr>;

std::vector<DerivedEquations::Entry> listed(const Entries& entries) {
  std::vector<DerivedEquations::Entry> list;
  for (const auto& [place, value] : entries)
    if (!value.is_constant(0)) list.push_back({place.first, place.second, value});
  return list;
}

std::vector<std::string> row_names(const Model& model) {
  std::vector<std::string> names;
  for (const auto& c : model.constraints())
    for (std::size_t r = 0; r < c.rows.size(); ++r)
      names.push_back(c.is_vector ? c.name + "[" + std::to_string(r) + "]" : c.name);
  return names;
}

/// Everything about the acceleration, and the rates of coordinates.
std::vector<Contribution> contributions(const Model& model, const Statement& s) {
  if (s.kind == StatementKind::nonideal) return expand(model, s, Purpose::nonideal);
  if (s.kind == StatementKind::rate) return expand(model, s, Purpose::rates);
  return expand(model, s, Purpose::equations);
}

/// A force that acts on some coordinates only is no A^T lambda: the equations would be those of another
/// motion.
void require_free_hand(const Model& model) {
  for (const auto& s : model.servos())
    if (!s.actuators.empty())
      fail("programme '" + model.constraints()[s.constraint].name +
           "' acts by its actuators alone, and derive writes equations whose forces act on every coordinate; "
           "without 'actuators' they are those of a free hand, and 'explain' tells the numbers of this one");
}

}  // namespace

DerivedEquations symbolic_equations(const Model& stated) {
  require_free_hand(stated);
  const Model model = with_multiplier_coordinates(stated.with_made_numbers());
  DerivedEquations e;
  for (const auto& v : model.velocities()) e.velocities.push_back(v.name);
  e.rows = row_names(model);
  e.Q.resize(e.velocities.size());
  e.b.resize(e.rows.size());
  if (!model.nonideal_forces().empty() || !model.frictions().empty()) e.C.resize(e.velocities.size());
  for (const auto& c : model.constraints())
    for (const Expr& phi : c.rows) require_linear(model, c.name, phi);

  Entries mass, row;
  for (const Statement& s : statements_of(model)) {
    for (const Contribution& c : contributions(model, s)) {
      const Target& to = c.target;
      if (to.where == Where::mass) mass[{to.i, to.j}] += c.value;
      if (to.where == Where::force) e.Q[to.i] += c.value;
      if (to.where == Where::nonideal) e.C[to.i] += c.value;
      if (to.where == Where::row) row[{s.first_row + to.i, to.j}] += c.value;
      if (to.where == Where::right) e.b[s.first_row + to.i] += c.value;
      if (to.where == Where::rate) e.rates.push_back({to.i, c.value});
    }
  }
  for (const Model::ForceData& f : friction_forces(model)) e.C[f.velocity] += f.value;
  for (int r = 0; r < static_cast<int>(e.rows.size()); ++r)
    for (auto& rate : e.rates)
      if (rate.coordinate == model.multiplier_coordinate(r)) rate.value = -model.multiplier_of_row(r);
  e.M = listed(mass);
  e.A = listed(row);
  return e;
}

}  // namespace vinculum
