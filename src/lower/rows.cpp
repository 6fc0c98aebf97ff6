#include "vinculum/lower/rows.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/error.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/lower/symbols.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {

Expr without_accelerations(const Model& model, const Expr& phi) {
  SymbolMap still;
  for (const Expr& a : symbols_with_role(model, phi, Role::acceleration)) still.set(a, 0);
  return still.empty() ? phi : substitute(phi, still);
}

bool is_workless(const Model& model, const Expr& phi, int order) {
  if (order == 2) return false;
  if (order == 0 || model.mechanics() == Mechanics::vakonomic) {
    if (!by_time(model, phi).is_constant(0)) return false;
    if (order == 0) return true;
  }
  // A v = degree * phi (Euler)
  return !std::isnan(degree_in_velocities(model, without_accelerations(model, phi)));
}

int order_of(const Model& model, const Expr& phi) {
  // By the coefficients, not by the letters: 0*y' is no velocity, and sign(y') changes nothing while y' keeps
  // its sign.
  std::vector<Expr> accelerations, velocities;
  for (const Expr& s : symbols_of({&phi, 1})) {
    if (s.name().front() == '#') continue;  // a number of a template
    const Role role = model.stated().role(s).role;
    if (role == Role::acceleration) accelerations.push_back(s);
    if (role == Role::velocity) velocities.push_back(s);
  }
  const auto matters = [&phi](const std::vector<Expr>& symbols) {
    return !symbols.empty() && std::ranges::any_of(gradient(phi, symbols),
                                                   [](const Expr& slope) { return !slope.is_constant(0); });
  };
  return matters(accelerations) ? 2 : matters(velocities) ? 1 : 0;
}

std::string nonlinearity(const Model& model, const std::string& constraint, const Expr& phi) {
  if (symbols_with_role(model, phi, Role::acceleration).empty()) return {};
  Graph& graph = model.stated().graph();
  for (const NodeId id : graph.reachable({&phi, 1})) {
    const Expr e = graph.at(id);
    if (e.op() != Op::sign && e.op() != Op::less && e.op() != Op::less_equal) continue;
    const std::vector<Expr> inside = symbols_with_role(model, e, Role::acceleration);
    if (!inside.empty())
      return "constraint '" + constraint + "' is not linear in the accelerations: it decides by '" +
             inside.front().name() + "'";
  }
  const std::vector<Expr> accelerations = symbols_with_role(model, phi, Role::acceleration);
  const std::vector<Expr> coefficient = gradient(phi, accelerations);
  for (std::size_t k = 0; k < accelerations.size(); ++k) {
    const std::vector<Expr> inside = symbols_with_role(model, coefficient[k], Role::acceleration);
    if (!inside.empty())
      return "constraint '" + constraint + "' is not linear in the accelerations: its coefficient of '" +
             accelerations[k].name() + "' contains '" + inside.front().name() + "'; write it solved for them";
  }
  return {};
}

void require_linear(const Model& model, const std::string& constraint, const Expr& phi) {
  if (const std::string text = nonlinearity(model, constraint, phi); !text.empty()) fail(text);
}

}  // namespace vinculum
