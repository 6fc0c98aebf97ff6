#include "vinculum/lower/expand.hpp"

#include "lower/expand_parts.hpp"
#include "vinculum/lower/rows.hpp"
#include "vinculum/lower/symbols.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;
}  // namespace

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

namespace {

/// L = T - V: M_ij = d2L/dv_i dv_j,  Q_i = dL/dq_i - d/dt(dL/dv_i) with the accelerations taken out. (The
/// equation of a mu, which has no velocity, is phi = 0: a row.)
void expand_lagrangian(const Model& model, const Expr& energy, std::vector<Contribution>& out) {
  const std::vector<Expr> v = symbols_with_role(model, energy, Role::velocity);
  const std::vector<Expr> momentum = gradient(energy, v);
  for (std::size_t i = 0; i < v.size(); ++i) {
    const int row = model.stated().role(v[i]).index;
    const std::vector<Expr> inertia = gradient(momentum[i], v);
    for (std::size_t j = 0; j < v.size(); ++j)
      if (!inertia[j].is_constant(0))
        out.push_back({inertia[j], {Where::mass, row, model.stated().role(v[j]).index}});
    const Expr drift = time_derivative(momentum[i], model.stated().rates);
    if (!drift.is_constant(0)) out.push_back({-drift, {Where::force, row, 0}});
  }
  const std::vector<Expr> q = symbols_with_role(model, energy, Role::coordinate);
  const std::vector<Expr> slope = gradient(energy, q);
  for (std::size_t k = 0; k < q.size(); ++k) {
    const int velocity = model.stated().velocity_of_coordinate(model.stated().role(q[k]).index);
    if (velocity >= 0 && !slope[k].is_constant(0)) out.push_back({slope[k], {Where::force, velocity, 0}});
  }
}

/// The generalised force of V: its power is -dV/dt, so Q_j = -d(dV/dt)/dv_j, also where q' is not v.
void expand_potential(const Model& model, const Expr& energy, std::vector<Contribution>& out) {
  const Expr power = time_derivative(energy, model.stated().rates);
  const std::vector<Expr> v = symbols_with_role(model, power, Role::velocity);
  const std::vector<Expr> slope = gradient(power, v);
  for (std::size_t j = 0; j < v.size(); ++j)
    if (!slope[j].is_constant(0))
      out.push_back({-slope[j], {Where::force, model.stated().role(v[j]).index, 0}});
}

void expand_residual(const Model& model, const Expr& stated, int row, std::vector<Contribution>& out) {
  const int order = order_of(model, stated);
  const Expr phi = without_accelerations(model, stated);
  if (order == 0) {
    out.push_back({phi, {Where::position, row, 0}});
    out.push_back({time_derivative(phi, model.stated().rates), {Where::velocity, row, 0}});
  } else if (order == 1) {
    out.push_back({phi, {Where::velocity, row, 0}});
  }
}

}  // namespace

void expand_row(const Model& model, const Expr& stated, int row, std::vector<Contribution>& out) {
  const int order = order_of(model, stated);
  const Expr phi = order < 2 ? without_accelerations(model, stated) : stated;
  const Expr last = order == 0 ? time_derivative(phi, model.stated().rates) : phi;
  const Role level = order == 2 ? Role::acceleration : Role::velocity;
  const std::vector<Expr> unknown = symbols_with_role(model, last, level);
  const std::vector<Expr> coefficient = gradient(last, unknown);
  SymbolMap still;
  for (std::size_t k = 0; k < unknown.size(); ++k) {
    still.set(unknown[k], 0);
    if (!coefficient[k].is_constant(0))
      out.push_back({coefficient[k], {Where::row, row, model.stated().role(unknown[k]).index}});
  }
  const Expr rest = order == 2 ? substitute(last, still) : time_derivative(last, model.stated().rates);
  out.push_back({-rest, {Where::right, row, 0}});
}

void expand_multiplier(const Model& model, const Expr& mu, const Expr& phi, std::vector<Contribution>& out) {
  expand_lagrangian(model, mu * without_accelerations(model, phi), out);
}

namespace {

void expand_observed(const Statement& s, std::vector<Contribution>& out) {
  switch (s.kind) {
    case StatementKind::output:
      out.push_back({s.roots[0], {Where::output, 0, 0}});
      break;
    case StatementKind::event:
      out.push_back({s.roots[0], {Where::event, 0, 0}});
      break;
    case StatementKind::switching:
      out.push_back({s.roots[0], {Where::switching, 0, 0}});
      break;
    default:
      break;
  }
}

void expand_residuals(const Model& model, const Statement& s, std::vector<Contribution>& out) {
  if (s.kind != StatementKind::constraint) return;
  for (std::size_t r = 0; r < s.roots.size(); ++r)
    expand_residual(model, s.roots[r], static_cast<int>(r), out);
}

void expand_sizes(const Model& model, const Statement& s, std::vector<Contribution>& out) {
  for (Contribution& c : expand(model, s, Purpose::residuals)) {
    const bool of_position = c.target.where == Where::position;
    c.target.where = of_position ? Where::position_size : Where::velocity_size;
    out.push_back({size_of(model, c.value), c.target});
  }
}

void expand_equations(const Model& model, const Statement& s, std::vector<Contribution>& out) {
  const auto target = [&](int k) { return model.stated().role(s.targets[k]).index; };
  switch (s.kind) {
    case StatementKind::mass:
      out.push_back({s.roots[0], {Where::mass, target(0), target(1)}});
      if (target(0) != target(1)) out.push_back({s.roots[0], {Where::mass, target(1), target(0)}});
      break;
    case StatementKind::force:
    case StatementKind::gyroscopic:
      out.push_back({s.roots[0], {Where::force, target(0), 0}});
      break;
    case StatementKind::nonideal:  // what depends on the ideal forces is known only after them
      if (!depends_on_multipliers(model, s.roots[0]))
        out.push_back({s.roots[0], {Where::nonideal, target(0), 0}});
      break;
    case StatementKind::lagrangian:
      expand_lagrangian(model, s.roots[0], out);
      break;
    case StatementKind::potential:
      expand_potential(model, s.roots[0], out);
      break;
    case StatementKind::multiplier:
      expand_multiplier(model, s.targets[0], s.roots[0], out);
      break;
    case StatementKind::constraint:
      for (std::size_t r = 0; r < s.roots.size(); ++r)
        expand_row(model, s.roots[r], static_cast<int>(r), out);
      break;
    default:
      break;
  }
}

/// With abbreviations, and what stands for one purpose alone.
std::vector<Contribution> expand_short(const Model& model, const Statement& s, Purpose purpose) {
  std::vector<Contribution> out;
  switch (purpose) {
    case Purpose::equations:
      expand_equations(model, s, out);
      break;
    case Purpose::sizes:
      expand_sizes(model, s, out);
      break;
    case Purpose::residuals:
      expand_residuals(model, s, out);
      break;
    case Purpose::nonideal:
      if (s.kind == StatementKind::nonideal)
        out.push_back({s.roots[0], {Where::nonideal, model.stated().role(s.targets[0]).index, 0}});
      break;
    case Purpose::rates:
      if (s.kind == StatementKind::rate)
        out.push_back({s.roots[0], {Where::rate, model.stated().role(s.targets[0]).index, 0}});
      break;
    case Purpose::energy:
      expand_energy(model, s, out);
      break;
    case Purpose::lagrangian:
      expand_action(s, out);
      break;
    case Purpose::energy_rate:
      expand_energy_rate(model, s, out);
      break;
    case Purpose::observe:
      expand_observed(s, out);
      break;
    case Purpose::tangent:
      expand_tangent(model, s, out);
      break;
    case Purpose::series:
      expand_series(model, s, out);
      break;
    case Purpose::deviation:
      expand_deviation(model, s, out);
      break;
  }
  return out;
}

}  // namespace

std::vector<Contribution> expand(const Model& model, const Statement& s, Purpose purpose) {
  std::vector<Contribution> out = expand_short(model, s, purpose);
  for (Contribution& c : out) c.value = model.stated().written_out(c.value);
  return out;
}

}  // namespace vinculum
