#include "vinculum/lower/equations.hpp"

#include <algorithm>
#include <map>

#include "vinculum/base/error.hpp"
#include "vinculum/lower/expand.hpp"
#include "vinculum/lower/reaction.hpp"
#include "vinculum/lower/rows.hpp"
#include "vinculum/lower/vakonomic.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;
using Entry = SymbolicEquations::Entry;
using Entries = std::map<std::pair<int, int>, Expr>;

std::vector<Entry> listed(const Entries& entries) {
  std::vector<Entry> list;
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

/// A force that acts on some coordinates only is no A^T lambda: the equations would be those of another
/// motion.
void require_free_hand(const Model& model) {
  for (const auto& s : model.servos())
    if (!s.actuators.empty())
      fail("programme '" + model.constraints()[s.constraint].name +
           "' acts by its actuators alone, and derive writes equations whose forces act on every coordinate; "
           "without 'actuators' they are those of a free hand, and 'explain' tells the numbers of this one");
}

void add_rates(const Model& model, const std::vector<Statement>& statements, SymbolicEquations& e) {
  for (const Statement& s : statements)
    for (const Contribution& c : expand(model, s, Purpose::rates)) e.rates.push_back({c.target.i, c.value});
  for (int r = 0; r < static_cast<int>(e.rows.size()); ++r)
    for (auto& rate : e.rates)
      if (rate.coordinate == model.stated().multiplier_coordinate(r))
        rate.value = -model.stated().multiplier_of_row(r);
}

}  // namespace

SymbolicEquations symbolic_equations(const Model& model, const std::vector<Statement>& statements) {
  SymbolicEquations e;
  for (const auto& v : model.velocities()) e.velocities.push_back(v.name);
  e.rows = row_names(model);
  e.Q.resize(e.velocities.size());
  e.b.resize(e.rows.size());
  if (!model.nonideal_forces().empty() || !model.frictions().empty()) e.C.resize(e.velocities.size());
  Entries mass, row;
  for (const Statement& s : statements) {
    const Purpose all = s.kind == StatementKind::nonideal ? Purpose::nonideal : Purpose::equations;
    for (const Contribution& c : expand(model, s, all)) {
      const Target& to = c.target;
      if (to.where == Where::mass) mass[{to.i, to.j}] += c.value;
      if (to.where == Where::force) e.Q[to.i] += c.value;
      if (to.where == Where::nonideal) e.C[to.i] += c.value;
      if (to.where == Where::row) row[{s.first_row + to.i, to.j}] += c.value;
      if (to.where == Where::right) e.b[s.first_row + to.i] += c.value;
    }
  }
  e.M = listed(mass);
  e.A = listed(row);
  return e;
}

SymbolicEquations symbolic_equations(const Model& stated) {
  require_free_hand(stated);
  const Model model = with_multiplier_coordinates(with_made_numbers(stated));
  for (const auto& c : model.constraints())
    for (const Expr& phi : c.rows) require_linear(model, c.name, phi);
  const std::vector<Statement> statements = statements_of(model);
  SymbolicEquations e = symbolic_equations(model, statements);
  add_rates(model, statements, e);
  for (const Model::ForceData& f : friction_forces(model)) e.C[f.velocity] += f.value;
  return e;
}

const Expr& entry_at(const std::vector<Entry>& entries, int row, int column) {
  static const Expr zero;
  const auto before = [](const Entry& e, std::pair<int, int> place) {
    return std::pair{e.row, e.column} < place;
  };
  const auto found = std::lower_bound(entries.begin(), entries.end(), std::pair{row, column}, before);
  return found != entries.end() && found->row == row && found->column == column ? found->value : zero;
}

}  // namespace vinculum
