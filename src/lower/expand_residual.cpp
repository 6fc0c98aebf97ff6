// What must vanish along the motion, and its derivatives.
#include <map>

#include "lower/expand_parts.hpp"
#include "vinculum/lower/rows.hpp"
#include "vinculum/lower/symbols.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;

/// M a - Q - C - A^T lambda and A a - b, with accelerations and multipliers as symbols.
struct Residual {
  std::map<int, Expr> of_velocity, of_row;
};

Residual residual_of(const Model& model, const Statement& s) {
  Residual residual;
  const auto acceleration = [&](int v) { return model.velocities()[v].acceleration; };
  const Purpose all = s.kind == StatementKind::nonideal ? Purpose::nonideal : Purpose::equations;
  for (const Contribution& c : expand(model, s, all)) {
    const Target& t = c.target;
    switch (t.where) {
      case Where::mass:
        residual.of_velocity[t.i] += c.value * acceleration(t.j);
        break;
      case Where::force:
      case Where::nonideal:
        residual.of_velocity[t.i] -= c.value;
        break;
      case Where::row:
        residual.of_velocity[t.j] -= c.value * model.stated().multiplier_of_row(s.first_row + t.i);
        residual.of_row[t.i] += c.value * acceleration(t.j);
        break;
      default:
        residual.of_row[t.i] -= c.value;
        break;
    }
  }
  return residual;
}

}  // namespace

void expand_tangent(const Model& model, const Statement& s, std::vector<Contribution>& out) {
  const auto differentiate = [&](const Expr& f, int i, Where by_q, Where by_v) {
    for (const auto& [role, where] : {std::pair{Role::coordinate, by_q}, std::pair{Role::velocity, by_v}}) {
      const std::vector<Expr> x = symbols_with_role(model, f, role);
      const std::vector<Expr> slope = gradient(f, x);
      for (std::size_t k = 0; k < x.size(); ++k)
        if (!slope[k].is_constant(0)) out.push_back({slope[k], {where, i, model.stated().role(x[k]).index}});
    }
  };
  const Residual residual = residual_of(model, s);
  for (const auto& [i, f] : residual.of_velocity) differentiate(f, i, Where::force_by_q, Where::force_by_v);
  for (const auto& [i, f] : residual.of_row) differentiate(f, i, Where::row_by_q, Where::row_by_v);
  if (s.kind == StatementKind::rate)
    differentiate(s.roots[0], model.stated().role(s.targets[0]).index, Where::rate_by_q, Where::rate_by_v);
}

void expand_deviation(const Model& model, const Statement& s, std::vector<Contribution>& out) {
  Residual linear;
  const auto acceleration = [&](int v) { return model.velocities()[v].acceleration; };
  for (const auto& [value, to] : expand(model, s, Purpose::equations)) {
    if (to.where == Where::mass) linear.of_velocity[to.i] += value * acceleration(to.j);
    if (to.where != Where::row) continue;
    linear.of_velocity[to.j] -= value * model.stated().multiplier_of_row(s.first_row + to.i);
    linear.of_row[to.i] += value * acceleration(to.j);
  }
  for (const auto& [i, f] : linear.of_velocity) out.push_back({f, {Where::balance, i, 0}});
  for (const auto& [r, f] : linear.of_row) out.push_back({f, {Where::stated_row, r, 2}});
}

void expand_series(const Model& model, const Statement& s, std::vector<Contribution>& out) {
  Expr taken = 0;
  for (const auto& [i, f] : residual_of(model, s).of_velocity) {
    out.push_back({f, {Where::balance, i, 0}});
    taken += f * model.velocities()[i].symbol;
  }
  // What mu phi adds to Lagrange's equations is a part of the constraint force.
  if (s.kind == StatementKind::multiplier) out.push_back({-taken, {Where::row_power, 0, 0}});
  if (s.kind != StatementKind::constraint) return;
  std::map<int, Expr> power;
  for (const Contribution& c : expand(model, s, Purpose::equations))
    if (c.target.where == Where::row) power[c.target.i] += c.value * model.velocities()[c.target.j].symbol;
  for (const auto& [r, pace] : power)
    out.push_back({pace * model.stated().multiplier_of_row(s.first_row + r), {Where::row_power, r, 0}});
  for (int r = 0; r < static_cast<int>(s.roots.size()); ++r) {
    const int order = order_of(model, s.roots[r]);
    const Expr row = order < 2 ? without_accelerations(model, s.roots[r]) : s.roots[r];
    out.push_back({row, {Where::stated_row, r, order}});
  }
}

}  // namespace vinculum
