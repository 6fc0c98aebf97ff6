// What the statements say of energy, of L, and of how the energy changes.
#include "lower/expand_parts.hpp"
#include "vinculum/lower/symbols.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;
/// v.dL/dv - L
Expr energy_of_lagrangian(const Model& model, const Expr& l) {
  const std::vector<Expr> v = symbols_with_role(model, l, Role::velocity);
  const std::vector<Expr> momentum = gradient(l, v);
  Expr energy = -l;
  for (std::size_t i = 0; i < v.size(); ++i) energy += v[i] * momentum[i];
  return energy;
}

}  // namespace

void expand_energy(const Model& model, const Statement& s, std::vector<Contribution>& out) {
  const auto add = [&out](Where where, const Expr& value) {
    if (!value.is_constant(0)) out.push_back({value, {where, 0, 0}});
  };
  const Expr& stated = s.roots[0];
  switch (s.kind) {
    case StatementKind::mass: {
      const Expr weight = (identical(s.targets[0], s.targets[1]) ? 0.5 : 1.0) * s.targets[0] * s.targets[1];
      add(Where::energy, stated * weight);
      const Expr change = time_derivative(stated, model.stated().rates);
      if (!change.is_constant(0)) add(Where::power_explicit, change * weight);
      break;
    }
    case StatementKind::lagrangian:
      add(Where::energy, energy_of_lagrangian(model, stated));
      add(Where::power_explicit, -by_time(model, stated));
      break;
    case StatementKind::potential:
      add(Where::energy, stated);
      add(Where::power_explicit, by_time(model, stated));
      break;
    case StatementKind::force:
      add(Where::power, stated * s.targets[0]);
      break;
    default:
      break;
  }
}

void expand_action(const Statement& s, std::vector<Contribution>& out) {
  const Expr& stated = s.roots[0];
  const auto add = [&out](const Expr& value) { out.push_back({value, {Where::energy, 0, 0}}); };
  if (s.kind == StatementKind::mass)
    add((identical(s.targets[0], s.targets[1]) ? 0.5 : 1.0) * s.targets[0] * s.targets[1] * stated);
  if (s.kind == StatementKind::lagrangian) add(stated);
  if (s.kind == StatementKind::potential) add(-stated);
}

void expand_energy_rate(const Model& model, const Statement& s, std::vector<Contribution>& out) {
  std::vector<Contribution> held;
  expand_energy(model, s, held);
  for (const Contribution& c : held) {
    if (c.target.where != Where::energy) continue;
    Expr rate = time_derivative(c.value, model.stated().rates);
    const std::vector<Expr> v = symbols_with_role(model, c.value, Role::velocity);
    const std::vector<Expr> slope = gradient(c.value, v);
    for (std::size_t j = 0; j < v.size(); ++j)
      rate += slope[j] * model.velocities()[model.stated().role(v[j]).index].acceleration;
    if (rate.is_constant(0)) continue;
    out.push_back({rate, {Where::energy, 0, 0}});
    out.push_back({size_of(model, rate), {Where::power, 0, 0}});
  }
}

}  // namespace vinculum
