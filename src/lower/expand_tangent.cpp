#include <map>

#include "lower/expand_parts.hpp"
#include "vinculum/lower/symbols.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;
}  // namespace

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
        residual[{false, t.j}] -= c.value * model.stated().multiplier_of_row(s.first_row + t.i);
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
        if (!slope[k].is_constant(0)) out.push_back({slope[k], {where, i, model.stated().role(x[k]).index}});
    }
  };
  for (const auto& [of, f] : residual)
    if (of.first)
      differentiate(f, of.second, Where::row_by_q, Where::row_by_v);
    else
      differentiate(f, of.second, Where::force_by_q, Where::force_by_v);
  if (s.kind == StatementKind::rate)
    differentiate(s.roots[0], model.stated().role(s.targets[0]).index, Where::rate_by_q, Where::rate_by_v);
}

}  // namespace vinculum
