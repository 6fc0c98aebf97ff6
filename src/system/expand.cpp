#include "system/expand.hpp"

#include <map>

#include "system/living.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;
using Role = Model::Role;

}  // namespace

std::vector<Expr> symbols_with_role(const Model& model, const Expr& e, Role role) {
  std::vector<Expr> found;
  for (const Expr& s : symbols_of({&e, 1}))
    if (s.name().front() != '#' && model.role(s).role == role) found.push_back(s);
  return found;
}

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

Expr by_time(const Model& model, const Expr& e) { return derivative(e, model.graph().symbol("t")); }

Expr without_accelerations(const Model& model, const Expr& phi) {
  SymbolMap still;
  for (const Expr& a : symbols_with_role(model, phi, Role::acceleration)) still.set(a, 0);
  return still.empty() ? phi : substitute(phi, still);
}

namespace {

/// L = T - V: M_ij = d2L/dv_i dv_j,  Q_i = dL/dq_i - d/dt(dL/dv_i) with the accelerations taken out. (The
/// equation of a mu, which has no velocity, is phi = 0: a row.)
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
    if (velocity >= 0 && !slope[k].is_constant(0)) out.push_back({slope[k], {Where::force, velocity, 0}});
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

/// The size of the terms of one operation, from those of its operands.
Expr size_of_operation(const Expr& e, const std::function<Expr(const Expr&)>& size) {
  const auto at = [&](int i) { return e.operand(i); };
  switch (e.op()) {
    case Op::add:
    case Op::subtract:
      return size(at(0)) + size(at(1));
    case Op::negate:
      return size(at(0));
    case Op::multiply: {
      const Expr by_first = size(at(0)) * abs(at(1)), by_second = abs(at(0)) * size(at(1));
      return identical(by_first, by_second) ? by_first : max(by_first, by_second);
    }
    case Op::divide:
      return size(at(0)) / abs(at(1));
    case Op::select:
      return e.graph()->make(Op::select, at(0), size(at(1)), size(at(2)));
    default:
      return abs(e);
  }
}

/// How large the terms are that a value is the sum of: what rounding of it is a part of. A product vanishes
/// with one of its factors, and that by its own terms, wherever they stand: A*(t/D - sin(w*t)/w) has those of
/// its sum. What is made of parameters alone is one number, whether these live or not. Operands come first:
/// sums may be long.
Expr size_of(const Model& model, const Expr& phi) {
  if (phi.is_constant()) return abs(phi);
  Graph& graph = *phi.graph();
  std::unordered_map<NodeId, bool> number;
  std::unordered_map<NodeId, Expr> sizes;
  const auto is_number = [&](const Expr& e) { return e.is_constant() || number.at(e.id()); };
  const auto size = [&](const Expr& e) { return is_number(e) ? abs(e) : sizes.at(e.id()); };
  for (const NodeId id : graph.reachable({&phi, 1})) {
    const Expr e = graph.at(id);
    if (e.is_constant()) continue;
    bool all = e.is_symbol() ? e.name().front() == '#' || is_living(model, e) : true;
    for (int i = 0; i < arity(e.op()) && all; ++i) all = is_number(e.operand(i));
    number[id] = all;
    if (!all) sizes[id] = size_of_operation(e, size);
  }
  return size(phi);
}

/// v.dL/dv - L
Expr energy_of_lagrangian(const Model& model, const Expr& l) {
  const std::vector<Expr> v = symbols_with_role(model, l, Role::velocity);
  const std::vector<Expr> momentum = gradient(l, v);
  Expr energy = -l;
  for (std::size_t i = 0; i < v.size(); ++i) energy += v[i] * momentum[i];
  return energy;
}

/// With q' = v and M q'' = Q + F the energy changes by the power of F, of stated forces, and by
///     -dL/dt, dV/dt (partial), 1/2 v^T M' v (total: a stated mass that changes has no force of its own).
void expand_energy(const Model& model, const Statement& s, std::vector<Contribution>& out) {
  const auto add = [&out](Where where, const Expr& value) {
    if (!value.is_constant(0)) out.push_back({value, {where, 0, 0}});
  };
  const Expr& stated = s.roots[0];
  switch (s.kind) {
    case StatementKind::mass: {
      const Expr weight = (identical(s.targets[0], s.targets[1]) ? 0.5 : 1.0) * s.targets[0] * s.targets[1];
      add(Where::energy, stated * weight);
      const Expr change = time_derivative(stated, model.rates());
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

/// L = T - V, where energy would stand. A stated force is no part of it, and neither is mu phi, which is 0.
void expand_action(const Statement& s, std::vector<Contribution>& out) {
  const Expr& stated = s.roots[0];
  const auto add = [&out](const Expr& value) { out.push_back({value, {Where::energy, 0, 0}}); };
  if (s.kind == StatementKind::mass)
    add((identical(s.targets[0], s.targets[1]) ? 0.5 : 1.0) * s.targets[0] * s.targets[1] * stated);
  if (s.kind == StatementKind::lagrangian) add(stated);
  if (s.kind == StatementKind::potential) add(-stated);
}

/// dE/dt along the motion, with the accelerations as they are; where power would stand, the sizes of its
/// terms.
void expand_energy_rate(const Model& model, const Statement& s, std::vector<Contribution>& out) {
  std::vector<Contribution> held;
  expand_energy(model, s, held);
  for (const Contribution& c : held) {
    if (c.target.where != Where::energy) continue;
    Expr rate = time_derivative(c.value, model.rates());
    const std::vector<Expr> v = symbols_with_role(model, c.value, Role::velocity);
    const std::vector<Expr> slope = gradient(c.value, v);
    for (std::size_t j = 0; j < v.size(); ++j)
      rate += slope[j] * model.velocities()[model.role(v[j]).index].acceleration;
    if (rate.is_constant(0)) continue;
    out.push_back({rate, {Where::energy, 0, 0}});
    out.push_back({size_of(model, rate), {Where::power, 0, 0}});
  }
}

/// The derivatives of M a - Q - C - A^T lambda and of A a - b with a and lambda held: what an implicit method
/// needs to know of the equations.
void expand_tangent(const Model& model, const Statement& s, std::vector<Contribution>& out) {
  std::map<std::pair<bool, int>, Expr> residual;  // (is a row, which) -> its terms
  const auto acceleration = [&](int v) { return model.velocities()[v].acceleration; };
  const Purpose all = s.kind == StatementKind::nonideal ? Purpose::nonideal : Purpose::equations;
  for (const Contribution& c : expand(model, s, all)) {
    const Target& t = c.target;
    switch (t.where) {
      case Where::mass:
        residual[{false, t.i}] += c.value * acceleration(t.j);
        break;
      case Where::force:
      case Where::nonideal:
        residual[{false, t.i}] -= c.value;
        break;
      case Where::row:
        residual[{false, t.j}] -= c.value * model.multiplier_of_row(s.first_row + t.i);
        residual[{true, t.i}] += c.value * acceleration(t.j);
        break;
      default:
        residual[{true, t.i}] -= c.value;
        break;
    }
  }
  const auto differentiate = [&](const Expr& f, int i, Where by_q, Where by_v) {
    for (const auto& [role, where] : {std::pair{Role::coordinate, by_q}, std::pair{Role::velocity, by_v}}) {
      const std::vector<Expr> x = symbols_with_role(model, f, role);
      const std::vector<Expr> slope = gradient(f, x);
      for (std::size_t k = 0; k < x.size(); ++k)
        if (!slope[k].is_constant(0)) out.push_back({slope[k], {where, i, model.role(x[k]).index}});
    }
  };
  for (const auto& [of, f] : residual)
    if (of.first)
      differentiate(f, of.second, Where::row_by_q, Where::row_by_v);
    else
      differentiate(f, of.second, Where::force_by_q, Where::force_by_v);
  if (s.kind == StatementKind::rate)
    differentiate(s.roots[0], model.role(s.targets[0]).index, Where::rate_by_q, Where::rate_by_v);
}

}  // namespace

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

void expand_multiplier(const Model& model, const Expr& mu, const Expr& phi, std::vector<Contribution>& out) {
  expand_lagrangian(model, mu * without_accelerations(model, phi), out);
}

namespace {

std::vector<Contribution> expand_short(const Model& model, const Statement& s, Purpose purpose) {
  std::vector<Contribution> out;
  if (s.kind == StatementKind::output || s.kind == StatementKind::event ||
      s.kind == StatementKind::switching) {
    const Where where = s.kind == StatementKind::output  ? Where::output
                        : s.kind == StatementKind::event ? Where::event
                                                         : Where::switching;
    if (purpose == Purpose::observe) out.push_back({s.roots[0], {where, 0, 0}});
    return out;
  }
  if (purpose == Purpose::observe) return out;
  if (purpose == Purpose::energy) {
    expand_energy(model, s, out);
    return out;
  }
  if (purpose == Purpose::lagrangian) {
    expand_action(s, out);
    return out;
  }
  if (purpose == Purpose::energy_rate) {
    expand_energy_rate(model, s, out);
    return out;
  }
  if (purpose == Purpose::tangent) {
    expand_tangent(model, s, out);
    return out;
  }
  if (purpose == Purpose::nonideal) {
    if (s.kind == StatementKind::nonideal)
      out.push_back({s.roots[0], {Where::nonideal, model.role(s.targets[0]).index, 0}});
    return out;
  }
  if (purpose == Purpose::sizes) {
    for (Contribution& c : expand(model, s, Purpose::residuals)) {
      const bool of_position = c.target.where == Where::position;
      c.target.where = of_position ? Where::position_size : Where::velocity_size;
      out.push_back({size_of(model, c.value), c.target});
    }
    return out;
  }
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
    case StatementKind::rate:
      out.push_back({s.roots[0], {Where::rate, target(0), 0}});
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
  return out;
}

}  // namespace

std::vector<Contribution> expand(const Model& model, const Statement& s, Purpose purpose) {
  std::vector<Contribution> out = expand_short(model, s, purpose);
  for (Contribution& c : out) c.value = model.written_out(c.value);
  return out;
}

}  // namespace vinculum
