#include "analysis/instant/nature.hpp"

#include <algorithm>
#include <unordered_set>

#include "vinculum/lower/rows.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

std::vector<Expr> symbols_with(const Model& model, const Expr& e, Role role) {
  std::vector<Expr> found;
  for (const Expr& s : symbols_of({&e, 1}))
    if (model.stated().role(s).role == role) found.push_back(s);
  return found;
}

/// What is left of a row where these symbols are zero.
Expr left_over(const Expr& phi, const std::vector<Expr>& symbols) {
  SymbolMap zero;
  for (const Expr& s : symbols) zero.set(s, 0);
  return zero.empty() ? phi : substitute(phi, zero);
}

/// f(0, 0, ..) = 0 for functions of this kind.
bool keeps_zero(Op op) {
  switch (op) {
    case Op::negate:
    case Op::add:
    case Op::subtract:
    case Op::sin:
    case Op::tan:
    case Op::asin:
    case Op::atan:
    case Op::sinh:
    case Op::tanh:
    case Op::sqrt:
    case Op::abs:
    case Op::sign:
    case Op::min:
    case Op::max:
    case Op::hypot:
      return true;
    default:
      return false;
  }
}

}  // namespace

Kind kind_of_row(const Model& model, const Expr& phi) {
  // Linear in the accelerations is every row that contains them: the compiler refuses others.
  if (order_of(model, phi) == 1) {
    const Expr of_velocities = left_over(phi, symbols_with(model, phi, Role::acceleration));
    const std::vector<Expr> v = symbols_with(model, of_velocities, Role::velocity);
    for (const Expr& slope : gradient(of_velocities, v))
      if (!symbols_with(model, slope, Role::velocity).empty()) return Kind::nonlinear;
  }
  return vanishes(free_part(model, phi)) ? Kind::linear : Kind::affine;
}

Expr free_part(const Model& numbers, const Expr& phi) {
  const int order = order_of(numbers, phi);
  if (order == 0) return derivative(phi, numbers.stated().graph().symbol("t"));
  const Expr still = left_over(phi, symbols_with(numbers, phi, Role::acceleration));
  return order == 2 ? still : left_over(still, symbols_with(numbers, still, Role::velocity));
}

std::string_view kind_name(ConstraintKind kind) {
  return kind == Kind::linear ? "linear" : kind == Kind::affine ? "affine" : "nonlinear";
}

Kind kind_of(const Model& numbers, const Model::ConstraintData& constraint) {
  Kind kind = Kind::linear;
  for (const Expr& phi : constraint.rows) kind = std::max(kind, kind_of_row(numbers, phi));
  return kind;
}

bool is_scleronomic(const Model& numbers, const Model::ConstraintData& constraint) {
  const std::vector<Expr> symbols = symbols_of(constraint.rows);
  return std::none_of(symbols.begin(), symbols.end(),
                      [&](const Expr& s) { return numbers.stated().role(s).role == Role::time; });
}

bool vanishes(const Expr& e) {
  if (e.is_constant()) return e.value() == 0;
  Graph& graph = *e.graph();
  std::unordered_set<NodeId> zeros;
  for (const NodeId id : graph.reachable({&e, 1})) {
    const Expr f = graph.at(id);
    const auto zero = [&](int k) {
      const Expr x = f.operand(k);
      return x.is_constant() ? x.value() == 0 : zeros.contains(x.id());
    };
    bool is_zero = false;
    if (f.op() == Op::multiply)
      is_zero = zero(0) || zero(1);
    else if (f.op() == Op::divide)
      is_zero = zero(0);
    else if (f.op() == Op::power)
      is_zero = zero(0) && f.operand(1).is_constant() && f.operand(1).value() > 0;
    else if (f.op() == Op::select)
      is_zero = zero(1) && zero(2);
    else if (keeps_zero(f.op()))
      is_zero = zero(0) && (arity(f.op()) < 2 || zero(1));
    if (is_zero) zeros.insert(id);
  }
  return zeros.contains(e.id());
}

}  // namespace vinculum
