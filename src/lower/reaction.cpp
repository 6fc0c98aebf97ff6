#include "vinculum/lower/reaction.hpp"

#include <set>

#include "lower/expand_parts.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;
Expr energy_of(const Model& model) {
  if (model.mechanics() == Mechanics::none) fail("without mechanics there is no energy");
  Expr sum = 0;
  for (const Statement& s : free_statements(model))
    for (const Contribution& c : expand(model, s, Purpose::energy))
      if (c.target.where == Where::energy) sum += c.value;
  return sum;
}

/// What one row brings to the equation of one velocity: A^T lambda, and what mu phi adds to Q and to M q''.
Expr reaction_of_row(const Model& model, const Expr& phi, int row, int velocity) {
  std::vector<Contribution> terms;
  expand_row(model, phi, 0, terms);
  if (const int mu = model.stated().multiplier_coordinate(row); mu >= 0)
    expand_multiplier(model, model.coordinates()[mu].symbol, phi, terms);
  Expr sum = 0;
  for (const auto& [value, to] : terms) {
    if (to.where == Where::row && to.j == velocity) sum += value * model.stated().multiplier_of_row(row);
    if (to.where == Where::force && to.i == velocity) sum += value;
    if (to.where == Where::mass && to.i == velocity) sum -= value * model.velocities()[to.j].acceleration;
  }
  return sum;
}

Expr reaction_of(const Model& model, const ReactionData& of) {
  int row = 0;
  for (int k = 0; k < of.constraint; ++k) row += static_cast<int>(model.constraints()[k].rows.size());
  const std::vector<Expr>& rows = model.constraints()[of.constraint].rows;
  Expr sum = 0;
  for (int r = 0; r < static_cast<int>(rows.size()); ++r)
    if (of.row < 0 || of.row == r) sum += reaction_of_row(model, rows[r], row + r, of.velocity);
  return sum;
}

/// |force(c)| over all velocities.
Expr size_of_reaction(const Model& model, int constraint) {
  std::set<int> velocities;
  int row = 0;
  for (const Expr& phi : model.constraints()[constraint].rows) {
    std::vector<Contribution> terms;
    expand_row(model, phi, row++, terms);
    for (const Contribution& c : terms)
      if (c.target.where == Where::row) velocities.insert(c.target.j);
  }
  Expr squares = 0;
  for (const int v : velocities) squares += pow(reaction_of(model, ReactionData{constraint, v}), 2);
  return sqrt(squares);
}

}  // namespace

std::vector<Model::ForceData> friction_forces(const Model& model) {
  std::vector<Model::ForceData> list;
  for (const Model::FrictionData& f : model.frictions()) {
    Expr squares = 0;
    for (const int v : f.velocities) squares += pow(model.velocities()[v].symbol, 2);
    const Expr size = f.coefficient * size_of_reaction(model, f.constraint) / sqrt(squares);
    for (const int v : f.velocities) list.push_back({v, -size * model.velocities()[v].symbol});
  }
  return list;
}

Expr resolve(const Model& model, const Expr& observed) {
  SymbolMap meaning;
  for (const Expr& symbol : symbols_of({&observed, 1})) {
    const SymbolRole role = model.stated().role(symbol);
    if (role.role == Role::energy) meaning.set(symbol, energy_of(model));
    if (role.role == Role::reaction)
      meaning.set(symbol, reaction_of(model, model.stated().reactions[role.index]));
    if (role.role != Role::multiplier) continue;
    if (const int mu = model.stated().multiplier_coordinate(role.index); mu >= 0)
      meaning.set(symbol, model.coordinates()[mu].symbol);
  }
  return meaning.empty() ? observed : substitute(observed, meaning);
}

}  // namespace vinculum
