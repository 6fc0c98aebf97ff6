#include "vinculum/lower/symbols.hpp"

#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {

std::vector<Expr> symbols_with_role(const Model& model, const Expr& e, Role role) {
  std::vector<Expr> found;
  for (const Expr& s : symbols_of({&e, 1}))
    if (s.name().front() != '#' && model.stated().role(s).role == role) found.push_back(s);
  return found;
}

bool is_plain(const Model& model, const Expr& symbol) {
  const SymbolRole which = model.stated().role(symbol);
  return which.role != Role::abbreviation &&
         !(which.role == Role::coordinate && model.stated().velocity_of_coordinate(which.index) < 0) &&
         !(which.role == Role::velocity && symbol.name().back() != '\'');
}

bool depends_on_multipliers(const Model& model, const Expr& e) {
  return depends_on_free_motion(model, e) || !symbols_with_role(model, e, Role::multiplier).empty() ||
         !symbols_with_role(model, e, Role::reaction).empty() ||
         !symbols_with_role(model, e, Role::nonideal_force).empty();
}

bool depends_on_free_motion(const Model& model, const Expr& e) {
  return !symbols_with_role(model, e, Role::gauss).empty() ||
         !symbols_with_role(model, e, Role::dissatisfaction).empty() ||
         !symbols_with_role(model, e, Role::deviation).empty();
}

Expr by_time(const Model& model, const Expr& e) { return derivative(e, model.stated().graph().symbol("t")); }

}  // namespace vinculum
