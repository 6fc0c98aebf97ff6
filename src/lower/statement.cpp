#include "vinculum/lower/statement.hpp"

#include <unordered_set>

#include "vinculum/base/error.hpp"
#include "vinculum/lower/expand.hpp"
#include "vinculum/lower/living.hpp"
#include "vinculum/lower/reaction.hpp"
#include "vinculum/lower/symbols.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

/// Without mechanics forces are s of x'' = s + v1 + v2, non-ideal ones c; nothing else moves anything.
void refuse_mechanics(const Model& model) {
  const auto refuse = [](const std::string& what) {
    fail("without mechanics there are no " + what + "; state s by force() and c by nonideal()");
  };
  if (!model.masses().empty()) refuse("masses");
  if (!model.lagrangians().empty() || !model.potentials().empty()) refuse("energies");
  if (!model.frictions().empty()) refuse("friction laws");
}

}  // namespace

std::vector<Statement> free_statements(const Model& model) {
  const auto velocity = [&](int i) { return model.velocities()[i].symbol; };
  std::vector<Statement> list;
  if (model.mechanics() == Mechanics::none) {  // M is the identity: (40) of Fan et al. is the same formula
    refuse_mechanics(model);
    for (const auto& v : model.velocities())
      list.push_back({StatementKind::mass, {1.0}, {v.symbol, v.symbol}});
  }
  for (const auto& m : model.masses())
    list.push_back({StatementKind::mass, {m.value}, {velocity(m.i), velocity(m.j)}});
  for (const auto& f : model.forces())
    list.push_back({StatementKind::force, {f.value}, {velocity(f.velocity)}});
  for (const auto& f : model.stated().gyroscopic_forces)
    list.push_back({StatementKind::gyroscopic, {f.value}, {velocity(f.velocity)}});
  for (const Expr& energy : model.lagrangians())
    for (const Expr& term : summands(energy)) list.push_back({StatementKind::lagrangian, {term}, {}});
  for (const Expr& energy : model.potentials())
    for (const Expr& term : summands(energy)) list.push_back({StatementKind::potential, {term}, {}});
  return list;
}

std::vector<Statement> statements_of(const Model& model) {
  std::vector<Statement> list = free_statements(model);
  for (const auto& c : model.nonideal_forces())
    list.push_back(
        {StatementKind::nonideal, {resolve(model, c.value)}, {model.velocities()[c.velocity].symbol}});
  int row = 0;
  for (std::size_t k = 0; k < model.constraints().size(); ++k) {
    const auto& c = model.constraints()[k];
    list.push_back({StatementKind::constraint, c.rows, {}, row, static_cast<int>(k)});
    for (const Expr& phi : c.rows) {
      if (const int mu = model.stated().multiplier_coordinate(row); mu >= 0)
        list.push_back({StatementKind::multiplier, {phi}, {model.coordinates()[mu].symbol}, row});
      ++row;
    }
  }
  for (std::size_t i = 0; i < model.coordinates().size(); ++i)
    if (model.stated().velocity_of_coordinate(static_cast<int>(i)) < 0)
      list.push_back({StatementKind::rate, {model.coordinates()[i].rate}, {model.coordinates()[i].symbol}});
  return list;
}

std::vector<Statement> outputs_of(const Model& model) {
  std::vector<Statement> list;
  for (std::size_t k = 0; k < model.outputs().size(); ++k)
    list.push_back(
        {StatementKind::output, {resolve(model, model.outputs()[k].value)}, {}, static_cast<int>(k)});
  return list;
}

std::vector<Statement> events_of(const Model& model) {
  std::vector<Statement> list;
  for (std::size_t k = 0; k < model.events().size(); ++k)
    list.push_back(
        {StatementKind::event, {resolve(model, model.events()[k].value)}, {}, static_cast<int>(k)});
  return list;
}

/// The conditions in these, as the differences whose signs decide them. An event may jump there, and a gate
/// that is open for a short while only is found by its condition, as one of a force is.
std::vector<Expr> conditions_of(const Model& model, const std::vector<Statement>& events) {
  std::vector<Expr> roots, conditions;
  for (const Statement& s : events) roots.insert(roots.end(), s.roots.begin(), s.roots.end());
  for (const NodeId id : model.stated().graph().reachable(roots)) {
    const Expr e = model.stated().graph().at(id);
    if (e.op() == Op::less || e.op() == Op::less_equal) conditions.push_back(e);
  }
  return conditions;
}

std::vector<Statement> switches_of(const Model& model, const std::vector<Statement>& statements) {
  std::vector<Expr> roots = conditions_of(model, events_of(model));
  for (const Statement& s : statements) roots.insert(roots.end(), s.roots.begin(), s.roots.end());
  std::vector<Statement> list;
  std::unordered_set<NodeId> known;
  Graph& graph = model.stated().graph();
  for (const NodeId id : graph.reachable(roots)) {
    const Expr e = graph.at(id);
    Expr zero = 0;
    if (e.op() == Op::sign || e.op() == Op::abs)
      zero = e.operand(0);
    else if (e.op() == Op::less || e.op() == Op::less_equal || e.op() == Op::min || e.op() == Op::max)
      zero = e.operand(0) - e.operand(1);
    if (zero.is_constant() || is_of_living(model, zero) || !known.insert(zero.id()).second) continue;
    if (symbols_with_role(model, zero, Role::acceleration).empty())
      list.push_back({StatementKind::switching, {zero}, {}, static_cast<int>(list.size())});
  }
  return list;
}

}  // namespace vinculum
