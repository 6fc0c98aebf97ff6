#include "vinculum/lower/constants.hpp"

#include <cmath>
#include <unordered_map>

#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

/// For a sentence; a long one is not worth its place there, and a number says itself in what it is.
std::string shown(const Expr& e) {
  if (e.is_constant()) return "a number";
  try {
    return "'" + to_short_text(e, 80) + "'";
  } catch (const Error&) {
    return "a part";
  }
}

}  // namespace

std::vector<Expr> constant_parts(const Model& model, std::span<const Expr> roots) {
  Graph& graph = model.stated().graph();
  std::vector<Expr> parts;
  std::unordered_map<NodeId, bool> is_fixed;
  for (const NodeId id : graph.reachable(roots)) {
    const Node& node = graph.node(id);
    // What a function written in C++ makes of constants is its own affair.
    bool fixed = node.op == Op::symbol ? is_number(model.stated().role(graph.at(id)).role)
                                       : node.op != Op::call && node.op != Op::argument;
    for (int k = 0; k < arity(node.op); ++k) fixed = fixed && is_fixed.at(node.operand[k]);
    is_fixed.emplace(id, fixed);
    const bool has_value = node.op != Op::symbol && node.op != Op::less && node.op != Op::less_equal;
    const bool is_finite = node.op == Op::constant && std::isfinite(node.value);
    if (fixed && has_value && !is_finite) parts.push_back(graph.at(id));
  }
  return parts;
}

std::string constant_fault(const Expr& part, const std::string& what, double value) {
  return shown(part) + " in " + what + " is " + number_text(value) + "; constants must be finite";
}

std::vector<ConstantPart> constant_parts(const Model& model) {
  std::vector<ConstantPart> all;
  const auto look = [&](std::span<const Expr> of, const auto& what) {
    for (Expr& part : constant_parts(model, of)) all.push_back({std::move(part), what()});
  };
  const auto on = [&](const std::string& what, int velocity) {
    std::string name = model.velocities()[velocity].name;
    if (name.back() == '\'') name.pop_back();
    return what + " '" + name + "'";
  };
  for (const auto& m : model.masses()) look({&m.value, 1}, [&] { return on("the mass of", m.i); });
  for (const auto& f : model.forces()) look({&f.value, 1}, [&] { return on("the force on", f.velocity); });
  for (const auto& f : model.nonideal_forces())
    look({&f.value, 1}, [&] { return on("the non-ideal force on", f.velocity); });
  look(model.potentials(), [] { return "'potential'"; });
  look(model.lagrangians(), [] { return "'lagrangian'"; });
  for (const auto& c : model.constraints()) look(c.rows, [&] { return "constraint '" + c.name + "'"; });
  for (const auto& f : model.frictions())
    look({&f.coefficient, 1},
         [&] { return "the friction of constraint '" + model.constraints()[f.constraint].name + "'"; });
  for (const auto& o : model.outputs()) look({&o.value, 1}, [&] { return "output '" + o.name + "'"; });
  for (const auto& e : model.events()) look({&e.value, 1}, [&] { return "event '" + e.name + "'"; });
  return all;
}

}  // namespace vinculum
