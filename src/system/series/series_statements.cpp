#include "system/series/series_statements.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_set>

#include "system/system_impl.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/lower/expand.hpp"
#include "vinculum/lower/living.hpp"
#include "vinculum/lower/rows.hpp"
#include "vinculum/lower/symbols.hpp"

namespace vinculum {
namespace {

const Expr& symbol(const Model& model, int velocity) { return model.velocities()[velocity].symbol; }

bool has_actuators(const System::Impl& s, int constraint) {
  return std::ranges::any_of(s.programmes, [&](const ProgrammeInfo& p) {
    return p.constraint == constraint && !p.actuators.empty();
  });
}

// --- Friction

Expr length_of(const std::vector<Expr>& x) {
  Expr squares = 0;
  for (const Expr& part : x) squares += part * part;
  return sqrt(squares);
}

/// |A_c^T lambda_c|
Expr size_of_force(const Model& model, const Statement& constraint) {
  std::map<int, Expr> force;
  std::vector<Expr> row;
  for (const auto& [value, to] : expand(model, constraint, Purpose::equations)) {
    if (to.where != Target::Where::row) continue;
    row.push_back(value);
    force[to.j] += value * model.stated().multiplier_of_row(constraint.first_row + to.i);
  }
  if (constraint.roots.size() == 1)
    return abs(model.stated().multiplier_of_row(constraint.first_row)) * length_of(row);
  std::vector<Expr> all;
  for (const auto& [velocity, part] : force) all.push_back(part);
  return length_of(all);
}

/// The velocity of the other side of one row across itself, A v = -r: w = -A^T r / (A A^T).
std::vector<Expr> velocity_of_row(const Model& model, const Expr& phi, const std::vector<int>& velocities) {
  const Expr rate = order_of(model, phi) == 0 ? time_derivative(phi, model.stated().rates) : phi;
  SymbolMap still;
  for (const Expr& v : symbols_with_role(model, rate, Role::velocity)) still.set(v, 0);
  const Expr r = still.empty() ? rate : substitute(rate, still);
  std::vector<Expr> along, list;
  for (const int v : velocities) along.push_back(symbol(model, v));
  along = gradient(rate, along);
  Expr square = 0;
  for (const Expr& a : along) square += a * a;
  for (const Expr& a : along) list.push_back(-a * r / square);
  return list;
}

int rows_of(const System::Impl& s, const FrictionPair& pair) {
  int count = 0;
  for (const int c : pair.constraints) count += s.constraints[c].row_count;
  return count;
}

/// -mu |force(c)| u/|u|, where u is the velocity against the other side. Of one velocity u/|u| is a sign.
void add_friction(const System::Impl& s, const FrictionPair& pair, const std::vector<Statement>& rows,
                  std::vector<Statement>& to) {
  const Model& model = s.model;
  std::vector<Expr> u;
  for (const int v : pair.velocities) u.push_back(symbol(model, v));
  if (pair.moves) {
    const Expr& phi = rows[pair.constraints.front()].roots.front();
    const std::vector<Expr> other = velocity_of_row(model, phi, pair.velocities);
    for (std::size_t i = 0; i < u.size(); ++i) u[i] -= other[i];
  }
  Expr limit = 0;
  for (const Model::FrictionData& f : model.frictions())
    if (f.velocities == pair.velocities && !f.coefficient.is_constant(0))
      limit += f.coefficient * size_of_force(model, rows[f.constraint]);
  const Expr part = u.size() == 1 ? limit : limit / length_of(u);
  for (std::size_t i = 0; i < u.size(); ++i)
    to.push_back({StatementKind::nonideal,
                  {-part * (u.size() == 1 ? sign(u[i]) : u[i])},
                  {symbol(model, pair.velocities[i])}});
}

// --- Actuators

/// Each takes the place of one row, with its own force as the multiplier: the row on velocities that has its
/// unit force for coefficients.
void add_actuators(const System::Impl& s, std::vector<Statement>& to) {
  for (std::size_t j = 0; j < s.drive->actuators.size(); ++j) {
    Expr power = 0;
    for (const Model::ForceData& part : s.drive->actuators[j].unit)
      power += part.value * symbol(s.model, part.velocity);
    to.push_back({StatementKind::constraint, {power}, {}, s.drive->rows[j], 0});
  }
}

// --- Signs

/// What an operation looks at the sign of; 0 where it looks at none.
Expr sign_in(const Expr& e) {
  switch (e.op()) {
    case Op::sign:
    case Op::abs:
      return e.operand(0);
    case Op::less:
    case Op::less_equal:
    case Op::min:
    case Op::max:
      return e.operand(0) - e.operand(1);
    default:
      return 0;
  }
}

/// A root of a square, the series of which goes on behind a zero as a negative number.
bool may_turn(const Expr& e) {
  const bool is_whole = e.op() == Op::power && e.operand(1).is_constant() &&
                        std::trunc(e.operand(1).value()) == e.operand(1).value();
  return e.op() == Op::sqrt || e.op() == Op::hypot || (e.op() == Op::power && !is_whole);
}

/// What no one else watches: signs that multipliers decide, and those of laws that were taken for friction.
std::vector<Statement> sides_of(const System::Impl& system, const std::vector<Statement>& nonideal) {
  const Model& model = system.model;
  const bool has_laws =
      std::ranges::any_of(system.frictions, [](const FrictionPair& p) { return !p.law.empty(); });
  std::vector<Expr> roots;
  for (const Statement& s : nonideal) roots.push_back(model.stated().written_out(s.roots[0]));
  std::vector<Statement> list;
  std::unordered_set<NodeId> known;
  const auto add = [&](const Expr& zero) {
    if (!zero.is_constant() && !is_of_living(model, zero) && known.insert(zero.id()).second)
      list.push_back({StatementKind::switching, {zero}, {}, static_cast<int>(list.size())});
  };
  Graph& graph = model.stated().graph();
  for (const NodeId id : graph.reachable(roots)) {
    const Expr e = graph.at(id), zero = sign_in(e);
    if (has_laws || depends_on_multipliers(model, zero)) add(zero);
    if (may_turn(e) && depends_on_multipliers(model, e)) add(e);
  }
  return list;
}

}  // namespace

SeriesStatements series_statements(const System::Impl& s) {
  SeriesStatements out;
  for (const Statement& one : statements_of(s.model)) {
    if (one.kind == StatementKind::nonideal)
      out.nonideal.push_back(one);
    else if (one.kind != StatementKind::constraint || !has_actuators(s, one.place))
      out.balance.push_back(one);
    if (one.kind == StatementKind::constraint) out.rows.push_back(one);
  }
  for (const FrictionPair& pair : s.frictions)
    if (pair.law.empty()) add_friction(s, pair, out.rows, out.nonideal);
  if (s.drive) add_actuators(s, out.balance);
  out.sides = sides_of(s, out.nonideal);
  return out;
}

std::string why_not_stated(const System::Impl& s) {
  for (const FrictionPair& pair : s.frictions)
    if (pair.law.empty() && pair.moves && rows_of(s, pair) > 1)
      return "it has no series of friction on what several rows move";
  if (!s.drive) return "";
  if (s.has_nonideal) return "it has no series of non-ideal forces beside actuators";
  if (s.drive->actuators.size() != s.drive->rows.size()) return "it has no series of what actuators share";
  for (const Model::ActuatorData& actuator : s.drive->actuators)
    for (const Model::ForceData& part : actuator.unit)
      if (!symbols_with_role(s.model, part.value, Role::velocity).empty())
        return "it has no series of actuators that turn with velocities";
  return "";
}

}  // namespace vinculum
