#include "system/statement.hpp"

#include <cmath>
#include <unordered_map>

#include "system/expand.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

using Role = Model::Role;

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

}  // namespace

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

}  // namespace vinculum
