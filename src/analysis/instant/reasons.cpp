// Why a constraint is called what it is called.
#include <fmt/format.h>

#include <unordered_map>

#include "analysis/instant/nature.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

constexpr std::size_t longest_text = 48;  // of an expression inside a sentence

/// A sum without the summands that are zero whatever their symbols are: z*0 is left where z' was put to zero.
Expr without_zeros(const Expr& sum, std::unordered_map<NodeId, Expr>& known) {
  if (sum.is_constant()) return sum;
  if (const auto found = known.find(sum.id()); found != known.end()) return found->second;
  const auto part = [&](int k) { return without_zeros(sum.operand(k), known); };
  const Expr left_over = sum.op() == Op::negate     ? -part(0)
                         : sum.op() == Op::add      ? part(0) + part(1)
                         : sum.op() == Op::subtract ? part(0) - part(1)
                         : vanishes(sum)            ? Expr(0.0)
                                                    : sum;
  return known.emplace(sum.id(), left_over).first->second;
}

/// "the part '-0.25*cos(t)'" of the first row that has one.
std::string part_text(const Model& numbers, const Model::ConstraintData& c) {
  for (const Expr& phi : c.rows) {
    const Expr part = free_part(numbers, phi);
    if (vanishes(part)) continue;
    std::unordered_map<NodeId, Expr> known;
    const std::string text = to_short_text(without_zeros(part, known), longest_text);
    return text.size() <= longest_text ? "the part '" + text + "'" : "a part";
  }
  return "a part";
}

/// A velocity whose coefficient changes with velocities.
std::string bent_velocity(const Model& numbers, const Model::ConstraintData& c) {
  for (const Expr& phi : c.rows) {
    std::vector<Expr> v;
    for (const Expr& s : symbols_of({&phi, 1}))
      if (numbers.stated().role(s).role == Role::velocity) v.push_back(s);
    const std::vector<Expr> slope = gradient(phi, v);
    for (std::size_t k = 0; k < v.size(); ++k)
      for (const Expr& s : symbols_of({&slope[k], 1}))
        if (numbers.stated().role(s).role == Role::velocity) return v[k].name();
  }
  return "";
}

std::string why_kind(const Model& numbers, const Model::ConstraintData& c, const ConstraintNature& n) {
  const char* what = n.order == 2 ? "acceleration" : "velocity";
  const char* many = n.order == 2 ? "accelerations" : "velocities";
  const std::string begin = n.order == 0 ? "differentiated once, " : "";
  if (n.kind == Kind::linear) return fmt::format("{}every term has one {} as a factor", begin, what);
  if (n.kind == Kind::affine)
    return fmt::format("{}it is linear but for {} free of {}", begin, part_text(numbers, c), many);
  return fmt::format("the coefficient of {} depends on velocities", bent_velocity(numbers, c));
}

std::string why_admissible(const ConstraintNature& n, std::size_t rows, bool zero_row) {
  if (zero_row)
    return rows == 1 ? "its row of A is zero here: no force can keep it"
                     : "a row of it in A is zero here: no force can keep it";
  if (!n.admissible) return "its rows of A depend on each other here";
  const std::string independent = rows == 1 ? "its row of A is not zero here"
                                            : fmt::format("its {} rows of A are independent here", rows);
  if (n.order > 0) return independent;
  return "differentiated, " + independent +
         "; as it stands, on positions alone, it is horizontal and no force keeps it";
}

/// Why A v = 0 at every state that satisfies the constraint.
std::string why_always(const ConstraintNature& n) {
  if (n.order == 0)
    return std::string(n.scleronomic ? "t does not occur in it" : "t occurs in it, but changes nothing") +
           ", so A v is its derivative, which is 0";
  return n.kind == Kind::linear ? "linear and homogeneous in the velocities, so A v = 0 (Euler)"
                                : "homogeneous in the velocities, so A v is a multiple of it, 0 (Euler)";
}

std::string why_ideal(const Model& numbers, const Model::ConstraintData& c, const ConstraintNature& n,
                      const AtState& here) {
  if (n.ideal_always == true)
    return n.ideal ? why_always(n)
                   : fmt::format("A v = {} here, since the state does not satisfy it",
                                 number_text(here.power, 6));
  if (n.ideal) {
    const std::string elsewhere = n.ideal_always
                                      ? "; at other states that satisfy it A v is not 0"
                                      : "; whether at every state that satisfies it could not be decided";
    return (here.at_rest ? "nothing moves at this state, so A v = 0" : "A v = 0 at this state") + elsewhere;
  }
  const std::string because = n.order == 2                ? "an equation of accelerations does not see to it"
                              : n.kind == Kind::nonlinear ? "it is not homogeneous in the velocities"
                              : n.order == 0
                                  ? "its derivative has " + part_text(numbers, c) + " free of velocities"
                                  : "the equation has " + part_text(numbers, c) + " free of velocities";
  return fmt::format("A v = {} here, since {}", number_text(here.power, 6), because);
}

}  // namespace

NatureReasons reasons_of(const Model& numbers, const Model::ConstraintData& c, const ConstraintNature& n,
                         const AtState& here) {
  return {why_kind(numbers, c, n), n.scleronomic ? "t does not occur in it" : "t occurs in it",
          why_admissible(n, c.rows.size(), here.zero_row), why_ideal(numbers, c, n, here)};
}

}  // namespace vinculum
