#include "system/statement.hpp"

#include <algorithm>

#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;
using Role = Model::Role;

std::vector<Expr> symbols_with_role(const Model& model, const Expr& e, Role role) {
  std::vector<Expr> found;
  for (const Expr& s : symbols_of({&e, 1}))
    if (s.name().front() != '#' && model.role(s).role == role) found.push_back(s);
  return found;
}

/// The summands of a sum, signs carried along: M and Q are linear in the energy, so each becomes a statement
/// of its own.
std::vector<Expr> summands(const Expr& sum) {
  std::vector<Expr> terms;
  std::vector<std::pair<Expr, bool>> open{{sum, false}};
  while (!open.empty()) {
    const auto [e, negative] = open.back();
    open.pop_back();
    if (e.op() == Op::add || e.op() == Op::subtract) {
      open.emplace_back(e.operand(1), negative != (e.op() == Op::subtract));
      open.emplace_back(e.operand(0), negative);
    } else if (e.op() == Op::negate) {
      open.emplace_back(e.operand(0), !negative);
    } else {
      terms.push_back(negative ? -e : e);
    }
  }
  return terms;
}

/// L = T - V: M_ij = d2L/dv_i dv_j,  Q_i = dL/dq_i - d/dt(dL/dv_i) with the accelerations taken out.
void expand_lagrangian(const Model& model, const Expr& energy, std::vector<Contribution>& out) {
  const std::vector<Expr> v = symbols_with_role(model, energy, Role::velocity);
  const std::vector<Expr> momentum = gradient(energy, v);
  for (std::size_t i = 0; i < v.size(); ++i) {
    const int row = model.role(v[i]).index;
    const std::vector<Expr> inertia = gradient(momentum[i], v);
    for (std::size_t j = 0; j < v.size(); ++j)
      if (!inertia[j].is_constant(0)) out.push_back({inertia[j], {Where::mass, row, model.role(v[j]).index}});
    const Expr drift = time_derivative(momentum[i], model.rates());
    if (!drift.is_constant(0)) out.push_back({-drift, {Where::force, row, 0}});
  }
  const std::vector<Expr> q = symbols_with_role(model, energy, Role::coordinate);
  const std::vector<Expr> slope = gradient(energy, q);
  for (std::size_t k = 0; k < q.size(); ++k) {
    const int velocity = model.velocity_of_coordinate(model.role(q[k]).index);
    if (!slope[k].is_constant(0)) out.push_back({slope[k], {Where::force, velocity, 0}});
  }
}

/// The generalised force of V: its power is -dV/dt, so Q_j = -d(dV/dt)/dv_j, also where q' is not v.
void expand_potential(const Model& model, const Expr& energy, std::vector<Contribution>& out) {
  const Expr power = time_derivative(energy, model.rates());
  const std::vector<Expr> v = symbols_with_role(model, power, Role::velocity);
  const std::vector<Expr> slope = gradient(power, v);
  for (std::size_t j = 0; j < v.size(); ++j)
    if (!slope[j].is_constant(0)) out.push_back({-slope[j], {Where::force, model.role(v[j]).index, 0}});
}

/// Where accelerations stand with the weight zero they are no part of the state a row is evaluated at.
Expr without_accelerations(const Model& model, const Expr& phi) {
  SymbolMap still;
  for (const Expr& a : symbols_with_role(model, phi, Role::acceleration)) still.set(a, 0);
  return still.empty() ? phi : substitute(phi, still);
}

/// phi differentiated until accelerations appear:  A q'' = b.
void expand_row(const Model& model, const Expr& stated, int row, std::vector<Contribution>& out) {
  const int order = order_of(model, stated);
  const Expr phi = order < 2 ? without_accelerations(model, stated) : stated;
  const Expr last = order == 0 ? time_derivative(phi, model.rates()) : phi;
  const Role level = order == 2 ? Role::acceleration : Role::velocity;
  const std::vector<Expr> unknown = symbols_with_role(model, last, level);
  const std::vector<Expr> coefficient = gradient(last, unknown);
  SymbolMap still;
  for (std::size_t k = 0; k < unknown.size(); ++k) {
    still.set(unknown[k], 0);
    if (!coefficient[k].is_constant(0))
      out.push_back({coefficient[k], {Where::row, row, model.role(unknown[k]).index}});
  }
  const Expr rest = order == 2 ? substitute(last, still) : time_derivative(last, model.rates());
  out.push_back({-rest, {Where::right, row, 0}});
}

void expand_residual(const Model& model, const Expr& stated, int row, std::vector<Contribution>& out) {
  const int order = order_of(model, stated);
  const Expr phi = without_accelerations(model, stated);
  if (order == 0) {
    out.push_back({phi, {Where::position, row, 0}});
    out.push_back({time_derivative(phi, model.rates()), {Where::velocity, row, 0}});
  } else if (order == 1) {
    out.push_back({phi, {Where::velocity, row, 0}});
  }
}

}  // namespace

int order_of(const Model& model, const Expr& phi) {
  // By the coefficients, not by the letters: 0*y' is no velocity, and sign(y') changes nothing while y' keeps
  // its sign.
  for (const auto& [order, role] : {std::pair{2, Role::acceleration}, std::pair{1, Role::velocity}})
    for (const Expr& slope : gradient(phi, symbols_with_role(model, phi, role)))
      if (!slope.is_constant(0)) return order;
  return 0;
}

void require_linear(const Model& model, const std::string& constraint, const Expr& phi) {
  if (symbols_with_role(model, phi, Role::acceleration).empty()) return;
  Graph& graph = model.graph();
  for (const NodeId id : graph.reachable({&phi, 1})) {
    const Expr e = graph.at(id);
    if (e.op() != Op::sign && e.op() != Op::less && e.op() != Op::less_equal) continue;
    const std::vector<Expr> inside = symbols_with_role(model, e, Role::acceleration);
    if (!inside.empty())
      fail("constraint '" + constraint + "' is not linear in the accelerations: it decides by '" +
           inside.front().name() + "'");
  }
  const std::vector<Expr> accelerations = symbols_with_role(model, phi, Role::acceleration);
  const std::vector<Expr> coefficient = gradient(phi, accelerations);
  for (std::size_t k = 0; k < accelerations.size(); ++k) {
    const std::vector<Expr> inside = symbols_with_role(model, coefficient[k], Role::acceleration);
    if (!inside.empty())
      fail("constraint '" + constraint + "' is not linear in the accelerations: its coefficient of '" +
           accelerations[k].name() + "' contains '" + inside.front().name() + "'; write it solved for them");
  }
}

std::vector<Statement> statements_of(const Model& model) {
  const auto velocity = [&](int i) { return model.velocities()[i].symbol; };
  std::vector<Statement> list;
  for (const auto& m : model.masses())
    list.push_back({StatementKind::mass, {m.value}, {velocity(m.i), velocity(m.j)}, 0});
  for (const auto& f : model.forces())
    list.push_back({StatementKind::force, {f.value}, {velocity(f.velocity)}, 0});
  for (const Expr& energy : model.lagrangians())
    for (const Expr& term : summands(energy)) list.push_back({StatementKind::lagrangian, {term}, {}, 0});
  for (const Expr& energy : model.potentials())
    for (const Expr& term : summands(energy)) list.push_back({StatementKind::potential, {term}, {}, 0});
  for (const auto& c : model.nonideal_forces())
    list.push_back({StatementKind::nonideal, {c.value}, {velocity(c.velocity)}, 0});
  int row = 0;
  for (const auto& c : model.constraints()) {
    Statement s{StatementKind::constraint, {}, {}, row};
    s.roots = c.rows;
    row += static_cast<int>(c.rows.size());
    list.push_back(std::move(s));
  }
  for (std::size_t i = 0; i < model.coordinates().size(); ++i)
    if (model.velocity_of_coordinate(static_cast<int>(i)) < 0)
      list.push_back(
          {StatementKind::rate, {model.coordinates()[i].rate}, {model.coordinates()[i].symbol}, 0});
  return list;
}

std::vector<Contribution> expand(const Model& model, const Statement& s, Purpose purpose) {
  std::vector<Contribution> out;
  if (purpose == Purpose::residuals) {
    if (s.kind == StatementKind::constraint)
      for (std::size_t r = 0; r < s.roots.size(); ++r)
        expand_residual(model, s.roots[r], static_cast<int>(r), out);
    return out;
  }
  if ((purpose == Purpose::rates) != (s.kind == StatementKind::rate)) return out;
  const auto target = [&](int k) { return model.role(s.targets[k]).index; };
  switch (s.kind) {
    case StatementKind::mass:
      out.push_back({s.roots[0], {Where::mass, target(0), target(1)}});
      if (target(0) != target(1)) out.push_back({s.roots[0], {Where::mass, target(1), target(0)}});
      break;
    case StatementKind::force:
      out.push_back({s.roots[0], {Where::force, target(0), 0}});
      break;
    case StatementKind::nonideal:
      out.push_back({s.roots[0], {Where::nonideal, target(0), 0}});
      break;
    case StatementKind::lagrangian:
      expand_lagrangian(model, s.roots[0], out);
      break;
    case StatementKind::potential:
      expand_potential(model, s.roots[0], out);
      break;
    case StatementKind::rate:
      out.push_back({s.roots[0], {Where::rate, target(0), 0}});
      break;
    case StatementKind::constraint:
      for (std::size_t r = 0; r < s.roots.size(); ++r)
        expand_row(model, s.roots[r], static_cast<int>(r), out);
      break;
  }
  return out;
}

}  // namespace vinculum
