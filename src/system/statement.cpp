#include "system/statement.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

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

Expr size_of(const Expr& phi) {
  Expr sum = 0;
  for (const Expr& term : summands(phi)) sum += abs(term);
  return sum;
}

/// v.dL/dv - L
Expr energy_of_lagrangian(const Model& model, const Expr& l) {
  const std::vector<Expr> v = symbols_with_role(model, l, Role::velocity);
  const std::vector<Expr> momentum = gradient(l, v);
  Expr energy = -l;
  for (std::size_t i = 0; i < v.size(); ++i) energy += v[i] * momentum[i];
  return energy;
}

Expr by_time(const Model& model, const Expr& e) { return derivative(e, model.graph().symbol("t")); }

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
    out.push_back({size_of(rate), {Where::power, 0, 0}});
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

/// The degree k of f in the velocities where f(k v) = k^degree f(v) by the look of it, else not a number.
/// Zero itself has any degree: infinite.
double degree_in_velocities(const Model& model, const Expr& f) {
  if (f.is_constant()) return f.value() == 0 ? INFINITY : 0.0;
  Graph& graph = model.graph();
  std::unordered_map<NodeId, double> degree;
  const auto same = [](double a, double b) {
    return a == b ? a : std::isinf(a) ? b : std::isinf(b) ? a : NAN;
  };
  for (const NodeId id : graph.reachable({&f, 1})) {
    const Expr e = graph.at(id);
    const auto of = [&](int k) {
      const Expr x = e.operand(k);
      return x.is_constant() ? (x.value() == 0 ? INFINITY : 0.0) : degree.at(x.id());
    };
    double d = NAN;
    switch (e.op()) {
      case Op::constant:
        d = e.value() == 0 ? INFINITY : 0.0;
        break;
      case Op::symbol:
        d = e.name().front() != '#' && model.role(e).role == Role::velocity ? 1.0 : 0.0;
        break;
      case Op::add:
      case Op::subtract:
        d = same(of(0), of(1));
        break;
      case Op::multiply:
        d = of(0) + of(1);
        break;
      case Op::divide:
        d = of(1) == 0 ? of(0) : NAN;
        break;
      case Op::negate:
      case Op::abs:
        d = of(0);
        break;
      case Op::power:
        d = e.operand(1).is_constant() ? of(0) * e.operand(1).value() : of(0) + of(1) == 0 ? 0.0 : NAN;
        break;
      case Op::sqrt:
        d = 0.5 * of(0);
        break;
      default:
        d = 0.0;
        for (int k = 0; k < arity(e.op()); ++k)
          if (of(k) != 0) d = NAN;
        break;
    }
    degree[id] = d;
  }
  return degree.at(f.id());
}

/// Without mechanics forces are s of x'' = s + v1 + v2, non-ideal ones c; nothing else moves anything.
void refuse_mechanics(const Model& model) {
  const auto refuse = [](const std::string& what) {
    fail("without mechanics there are no " + what + "; state s by force() and c by nonideal()");
  };
  if (!model.masses().empty()) refuse("masses");
  if (!model.lagrangians().empty() || !model.potentials().empty()) refuse("energies");
  if (!model.frictions().empty()) refuse("friction laws");
}

/// What has energy or is a stated force.
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
  for (const auto& f : model.gyroscopic_forces())
    list.push_back({StatementKind::gyroscopic, {f.value}, {velocity(f.velocity)}});
  for (const Expr& energy : model.lagrangians())
    for (const Expr& term : summands(energy)) list.push_back({StatementKind::lagrangian, {term}, {}});
  for (const Expr& energy : model.potentials())
    for (const Expr& term : summands(energy)) list.push_back({StatementKind::potential, {term}, {}});
  return list;
}

Expr energy_of(const Model& model) {
  if (model.mechanics() == Mechanics::none) fail("without mechanics there is no energy");
  Expr sum = 0;
  for (const Statement& s : free_statements(model))
    for (const Contribution& c : expand(model, s, Purpose::energy))
      if (c.target.where == Where::energy) sum += c.value;
  return sum;
}

/// mu phi is a part of the Lagrangian.
void expand_multiplier(const Model& model, const Expr& mu, const Expr& phi, std::vector<Contribution>& out) {
  expand_lagrangian(model, mu * without_accelerations(model, phi), out);
}

/// What one row brings to the equation of one velocity: A^T lambda, and what mu phi adds to Q and to M q''.
Expr reaction_of_row(const Model& model, const Expr& phi, int row, int velocity) {
  std::vector<Contribution> terms;
  expand_row(model, phi, 0, terms);
  if (const int mu = model.multiplier_coordinate(row); mu >= 0)
    expand_multiplier(model, model.coordinates()[mu].symbol, phi, terms);
  Expr sum = 0;
  for (const auto& [value, to] : terms) {
    if (to.where == Where::row && to.j == velocity) sum += value * model.multiplier_of_row(row);
    if (to.where == Where::force && to.i == velocity) sum += value;
    if (to.where == Where::mass && to.i == velocity) sum -= value * model.velocities()[to.j].acceleration;
  }
  return sum;
}

Expr reaction_of(const Model& model, const Model::ReactionData& of) {
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
  for (const int v : velocities) squares += pow(reaction_of(model, Model::ReactionData{constraint, v}), 2);
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
    const Model::SymbolRole role = model.role(symbol);
    if (role.role == Role::energy) meaning.set(symbol, energy_of(model));
    if (role.role == Role::reaction) meaning.set(symbol, reaction_of(model, model.reactions()[role.index]));
    if (role.role != Role::multiplier) continue;
    if (const int mu = model.multiplier_coordinate(role.index); mu >= 0)
      meaning.set(symbol, model.coordinates()[mu].symbol);
  }
  return meaning.empty() ? observed : substitute(observed, meaning);
}

bool depends_on_multipliers(const Model& model, const Expr& e) {
  return !symbols_with_role(model, e, Role::multiplier).empty() ||
         !symbols_with_role(model, e, Role::reaction).empty();
}

bool is_workless(const Model& model, const Expr& phi) {
  const int order = order_of(model, phi);
  if (order == 2) return false;
  if (order == 0 || model.mechanics() == Mechanics::vakonomic) {
    if (!by_time(model, phi).is_constant(0)) return false;
    if (order == 0) return true;
  }
  return degree_in_velocities(model, without_accelerations(model, phi)) > 0;  // A v = degree * phi (Euler)
}

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
  std::vector<Statement> list = free_statements(model);
  for (const auto& c : model.nonideal_forces())
    list.push_back(
        {StatementKind::nonideal, {resolve(model, c.value)}, {model.velocities()[c.velocity].symbol}});
  int row = 0;
  for (std::size_t k = 0; k < model.constraints().size(); ++k) {
    const auto& c = model.constraints()[k];
    list.push_back({StatementKind::constraint, c.rows, {}, row, static_cast<int>(k)});
    for (const Expr& phi : c.rows) {
      if (const int mu = model.multiplier_coordinate(row); mu >= 0)
        list.push_back({StatementKind::multiplier, {phi}, {model.coordinates()[mu].symbol}, row});
      ++row;
    }
  }
  for (std::size_t i = 0; i < model.coordinates().size(); ++i)
    if (model.velocity_of_coordinate(static_cast<int>(i)) < 0)
      list.push_back({StatementKind::rate, {model.coordinates()[i].rate}, {model.coordinates()[i].symbol}});
  return list;
}

std::vector<Statement> observations_of(const Model& model) {
  std::vector<Statement> list;
  for (std::size_t k = 0; k < model.outputs().size(); ++k)
    list.push_back(
        {StatementKind::output, {resolve(model, model.outputs()[k].value)}, {}, static_cast<int>(k)});
  for (std::size_t k = 0; k < model.events().size(); ++k)
    list.push_back(
        {StatementKind::event, {resolve(model, model.events()[k].value)}, {}, static_cast<int>(k)});
  return list;
}

std::vector<Statement> switches_of(const Model& model, const std::vector<Statement>& statements) {
  std::vector<Expr> roots;
  for (const Statement& s : statements) roots.insert(roots.end(), s.roots.begin(), s.roots.end());
  std::vector<Statement> list;
  std::unordered_set<NodeId> known;
  Graph& graph = model.graph();
  for (const NodeId id : graph.reachable(roots)) {
    const Expr e = graph.at(id);
    Expr zero = 0;
    if (e.op() == Op::sign || e.op() == Op::abs)
      zero = e.operand(0);
    else if (e.op() == Op::less || e.op() == Op::less_equal || e.op() == Op::min || e.op() == Op::max)
      zero = e.operand(0) - e.operand(1);
    if (zero.is_constant() || !known.insert(zero.id()).second) continue;
    if (symbols_with_role(model, zero, Role::acceleration).empty())
      list.push_back({StatementKind::switching, {zero}, {}, static_cast<int>(list.size())});
  }
  return list;
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
      out.push_back({size_of(c.value), c.target});
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
