// What the tests of expressions share: a tiny evaluator, and random formulas given as a recipe that can be
// cooked twice, once as a graph and once directly on numbers.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <ostream>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::sample {

inline double apply(Op op, double a, double b = 0, double c = 0) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::power:
      return std::pow(a, b);
    case Op::negate:
      return -a;
    case Op::sin:
      return std::sin(a);
    case Op::cos:
      return std::cos(a);
    case Op::tan:
      return std::tan(a);
    case Op::asin:
      return std::asin(a);
    case Op::acos:
      return std::acos(a);
    case Op::atan:
      return std::atan(a);
    case Op::sinh:
      return std::sinh(a);
    case Op::cosh:
      return std::cosh(a);
    case Op::tanh:
      return std::tanh(a);
    case Op::exp:
      return std::exp(a);
    case Op::log:
      return std::log(a);
    case Op::sqrt:
      return std::sqrt(a);
    case Op::abs:
      return std::fabs(a);
    case Op::sign:
      return a > 0 ? 1 : a < 0 ? -1 : a;
    case Op::atan2:
      return std::atan2(a, b);
    case Op::min:
      return std::isnan(a) || std::isnan(b) ? NAN : a < b ? a : b;
    case Op::max:
      return std::isnan(a) || std::isnan(b) ? NAN : a > b ? a : b;
    case Op::hypot:
      return std::hypot(a, b);
    case Op::less:
      return a < b ? 1 : 0;
    case Op::less_equal:
      return a <= b ? 1 : 0;
    case Op::select:
      return a != 0 ? b : c;
    case Op::constant:
    case Op::symbol:
    case Op::argument:
    case Op::call:
      break;
  }
  return NAN;
}

using Inputs = std::map<std::string, double, std::less<>>;

/// The value of an expression, symbols taken from `at` by name.
inline double evaluate(const Expr& e, const Inputs& at) {
  if (e.is_constant()) return e.value();
  const Graph& graph = *e.graph();
  std::unordered_map<NodeId, double> value;
  for (const NodeId id : e.graph()->reachable({&e, 1})) {
    const Node& n = graph.node(id);
    double result = 0;
    if (n.op == Op::constant) {
      result = n.value;
    } else if (n.op == Op::symbol) {
      result = at.at(graph.symbol_name(id));
    } else {
      const int count = arity(n.op);
      result = apply(n.op, value[n.operand[0]], count > 1 ? value[n.operand[1]] : 0,
                     count > 2 ? value[n.operand[2]] : 0);
    }
    value[id] = result;
  }
  return value.at(e.id());
}

/// One step of a recipe: an operation on earlier results, by number modulo how many there are.
struct Step {
  Op op = Op::add;
  std::uint32_t from[4] = {0, 0, 0, 0};  // `select` takes four: two to compare, two to choose from
  bool strict = false;                   // `select` compares by < instead of <=
};
using Recipe = std::vector<Step>;

inline std::ostream& operator<<(std::ostream& out, const Step& s) {
  return out << op_name(s.op) << '(' << s.from[0] << ' ' << s.from[1] << ' ' << s.from[2] << ' ' << s.from[3]
             << ')';
}

inline const std::vector<std::string>& symbol_names() {
  static const std::vector<std::string> names{"x", "y'", "p.z"};
  return names;
}
/// Constants on which simplifications act, and some on which printing may stumble.
inline const std::vector<double>& constants() {
  static const std::vector<double> values{
      0, 1, -1, 2, -2, 0.5, -0.1, 1e-12, 1e200, -1e200, 3.141592653589793};
  return values;
}

/// All results of the recipe as expressions; the last is the formula.
inline std::vector<Expr> cook(Graph& graph, const Recipe& recipe) {
  std::vector<Expr> results;
  for (const std::string& name : symbol_names()) results.push_back(graph.symbol(name));
  for (const double value : constants()) results.emplace_back(value);
  for (const Step& s : recipe) {
    const auto part = [&](int i) { return results[s.from[i] % results.size()]; };
    if (s.op == Op::select) {
      const Expr condition = graph.make(s.strict ? Op::less : Op::less_equal, part(0), part(1));
      results.push_back(graph.make(Op::select, condition, part(2), part(3)));
    } else {
      results.push_back(graph.make(s.op, part(0), part(1)));
    }
  }
  return results;
}

/// A number computed without a graph. Simplification may change the sign of a zero, so where 1/0 or atan2(0,
/// -1) makes a difference of it the number is not certain, nor is what is made of it.
struct Plain {
  double value = 0;
  bool certain = true;
};

inline bool same_value(double a, double b) { return (std::isnan(a) && std::isnan(b)) || a == b; }

inline Plain apply(Op op, const Plain& a, const Plain& b) {
  Plain result{apply(op, a.value, b.value), a.certain && (arity(op) < 2 || b.certain)};
  for (const double u : {a.value, a.value == 0 ? -a.value : a.value}) {
    for (const double v : {b.value, b.value == 0 ? -b.value : b.value})
      result.certain = result.certain && same_value(apply(op, u, v), result.value);
  }
  return result;
}

/// The same on numbers, without a graph and so without simplification.
inline std::vector<Plain> cook(const Inputs& at, const Recipe& recipe) {
  std::vector<Plain> results;
  for (const std::string& name : symbol_names()) results.push_back({at.at(name)});
  for (const double value : constants()) results.push_back({value});
  for (const Step& s : recipe) {
    const auto part = [&](int i) { return results[s.from[i] % results.size()]; };
    if (s.op == Op::select) {
      const bool chosen = s.strict ? part(0).value < part(1).value : part(0).value <= part(1).value;
      const Plain& branch = chosen ? part(2) : part(3);
      results.push_back({branch.value, part(0).certain && part(1).certain && branch.certain});
    } else {
      results.push_back(apply(s.op, part(0), part(1)));
    }
  }
  return results;
}

/// The operations a recipe may use: all but constants, symbols and bare comparisons.
inline std::vector<Op> all_operations() {
  std::vector<Op> ops;
  for (int i = static_cast<int>(Op::add); i < op_count; ++i) {
    const Op op = static_cast<Op>(i);
    if (op != Op::less && op != Op::less_equal) ops.push_back(op);
  }
  return ops;
}

/// A recipe of that many steps. Recent results are preferred, so that formulas grow deep, not only wide.
inline Recipe random_recipe(std::uint32_t seed, int steps, const std::vector<Op>& ops) {
  std::mt19937 random(seed);
  Recipe recipe;
  std::uint32_t there = static_cast<std::uint32_t>(symbol_names().size() + constants().size());
  for (int i = 0; i < steps; ++i, ++there) {
    Step s;
    s.op = ops[random() % ops.size()];
    s.strict = random() % 2 == 0;
    for (std::uint32_t& from : s.from) {
      const std::uint32_t back = random() % 3 == 0 ? there : std::min<std::uint32_t>(there, 4);
      from = there - 1 - random() % back;
    }
    recipe.push_back(s);
  }
  return recipe;
}

}  // namespace vinculum::sample
