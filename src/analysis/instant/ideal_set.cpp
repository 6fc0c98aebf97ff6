#include "analysis/instant/ideal_set.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "analysis/instant/constraint_states.hpp"
#include "analysis/instant/nature.hpp"
#include "vinculum/lower/rows.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

/// A v beside the terms it is made of, where it is called other than 0: far above what is left of a Newton
/// iteration that converges only half way, as it does to a double zero.
constexpr double not_zero = 1e-6;

bool is_ideal_row(const Model& numbers, const Expr& phi) {
  switch (order_of(numbers, phi)) {
    case 0:
      return vanishes(free_part(numbers, phi));
    case 1:
      return !std::isnan(degree_in_velocities(numbers, without_accelerations(numbers, phi)));
    default:
      return false;
  }
}

/// What A v of a row is where the row holds: minus the part without velocities, where that is all of it.
Expr power_of(const Model& numbers, const ConstraintStates& states, std::size_t row) {
  const Expr& phi = states.rows()[row];
  const int order = states.order(row);
  if (order == 0 || (order == 1 && kind_of_row(numbers, phi) != Kind::nonlinear))
    return free_part(numbers, phi);
  Expr sum = 0.0;
  for (std::size_t k = 0; k < states.symbols().size(); ++k)
    if (states.role(k) == (order == 2 ? Role::acceleration : Role::velocity))
      sum = sum + states.slope(row, k) *
                      numbers.velocities()[numbers.stated().role(states.symbols()[k]).index].symbol;
  return sum;
}

/// The sum of the sizes of the summands of a sum.
Expr sizes_of(const Expr& sum) {
  if (sum.is_constant()) return abs(sum);
  Graph& graph = *sum.graph();
  std::unordered_map<NodeId, Expr> size;
  const auto known = [&](const Expr& x) { return x.is_constant() ? abs(x) : size.at(x.id()); };
  for (const NodeId id : graph.reachable({&sum, 1})) {
    const Expr e = graph.at(id);
    size[id] = e.op() == Op::add || e.op() == Op::subtract ? known(e.operand(0)) + known(e.operand(1))
               : e.op() == Op::negate                      ? known(e.operand(0))
                                                           : abs(e);
  }
  return size.at(sum.id());
}

/// A number with what it is to be compared with: its summands, and how far its symbols' own sizes move it.
struct Power {
  Expr value, terms;

  Power(const Expr& power, const std::vector<Expr>& symbols) : value(power), terms(sizes_of(power)) {
    const std::vector<Expr> slope = gradient(power, symbols);
    for (std::size_t k = 0; k < symbols.size(); ++k) terms = terms + abs(slope[k] * symbols[k]);
  }
  bool differs_from_zero(const ConstraintStates& states) const {
    return std::fabs(states.value(value)) > not_zero * states.value(terms);
  }
};

}  // namespace

bool is_ideal_by_homogeneity(const Model& numbers, const Model::ConstraintData& constraint) {
  return std::all_of(constraint.rows.begin(), constraint.rows.end(),
                     [&](const Expr& phi) { return is_ideal_row(numbers, phi); });
}

bool has_working_state(const Model& numbers, const Model::ConstraintData& constraint, const State& state) {
  ConstraintStates states(numbers, constraint.rows, state);
  if (!states.possible()) return false;
  std::vector<Power> powers;
  for (std::size_t r = 0; r < states.rows().size(); ++r)
    powers.emplace_back(power_of(numbers, states, r), states.symbols());
  for (int k = 0; k < ConstraintStates::draws; ++k)
    // Where the rows of A are independent, velocities and accelerations that satisfy them exist.
    if (states.draw(k) && states.are_independent(states.rows().size()) &&
        std::any_of(powers.begin(), powers.end(),
                    [&](const Power& power) { return power.differs_from_zero(states); }))
      return true;
  return false;
}

}  // namespace vinculum
