#include "vinculum/lower/rows.hpp"

#include <cmath>
#include <map>
#include <unordered_map>

#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

double of_constant(double value) { return value == 0 ? INFINITY : 0.0; }

/// Of a sum: what both have. Zero agrees with everything.
double same(double a, double b) { return a == b ? a : std::isinf(a) ? b : std::isinf(b) ? a : NAN; }

class Degrees {
 public:
  explicit Degrees(const Model& model) : model_(model) {}

  double of(const Expr& f) {
    if (f.is_constant()) return of_constant(f.value());
    Graph& graph = model_.stated().graph();
    for (const NodeId id : graph.reachable({&f, 1})) {
      const double d = of_node(graph.at(id));
      degree_[id] = d == -INFINITY ? NAN : d;  // divided by zero
    }
    return degree_.at(f.id());
  }

 private:
  double known(const Expr& x) const { return x.is_constant() ? of_constant(x.value()) : degree_.at(x.id()); }

  double of_node(const Expr& e) const {
    const auto of = [&](int k) { return known(e.operand(k)); };
    switch (e.op()) {
      case Op::constant:
        return of_constant(e.value());
      case Op::symbol:
        return e.name().front() != '#' && model_.stated().role(e).role == Role::velocity ? 1.0 : 0.0;
      case Op::add:
      case Op::subtract: {
        const double d = same(of(0), of(1));
        return std::isnan(d) ? of_sum(e) : d;
      }
      case Op::multiply:
        return of(0) + of(1);
      case Op::divide:
        return of(0) - of(1);
      case Op::negate:
      case Op::abs:
        return of(0);
      case Op::sqrt:
        return 0.5 * of(0);
      case Op::power:
        return e.operand(1).is_constant()     ? of(0) * e.operand(1).value()
               : of(0) == 0.0 && of(1) == 0.0 ? 0.0
                                              : NAN;
      case Op::min:
      case Op::max:
      case Op::hypot:
        return same(of(0), of(1));
      case Op::sign:  // k > 0 keeps signs, order and directions
        return std::isnan(of(0)) ? NAN : 0.0;
      case Op::less:
      case Op::less_equal:
      case Op::atan2:
        return std::isnan(same(of(0), of(1))) ? NAN : 0.0;
      case Op::select:
        return of(0) == 0.0 ? same(of(1), of(2)) : NAN;
      case Op::argument:
      case Op::call:  // nobody knows what a function written in C++ does with velocities
        return NAN;
      default:
        return of(0) == 0.0 || std::isinf(of(0)) ? 0.0 : NAN;
    }
  }

  /// The summands of a sum of sums, like ones taken together: x' - y' + 1 - 1 is x' - y'.
  double of_sum(const Expr& sum) const {
    std::map<NodeId, double> weight;  // of nodes still to be opened: operands have smaller ids than their sum
    std::map<NodeId, double> summands;
    double constant = 0.0;
    Graph& graph = model_.stated().graph();
    const auto add = [&](const Expr& x, double w) {
      if (x.is_constant())
        constant += w * x.value();
      else
        weight[x.id()] += w;
    };
    weight[sum.id()] = 1.0;
    while (!weight.empty()) {
      const auto last = std::prev(weight.end());
      const Expr e = graph.at(last->first);
      const double w = last->second;
      weight.erase(last);
      const bool scaled = (e.op() == Op::multiply || e.op() == Op::divide) && e.operand(1).is_constant();
      if (e.op() == Op::add || e.op() == Op::subtract) {
        add(e.operand(0), w);
        add(e.operand(1), e.op() == Op::add ? w : -w);
      } else if (e.op() == Op::negate) {
        add(e.operand(0), -w);
      } else if (scaled) {
        const double c = e.operand(1).value();
        add(e.operand(0), e.op() == Op::multiply ? w * c : w / c);
      } else if (e.op() == Op::multiply && e.operand(0).is_constant()) {
        add(e.operand(1), w * e.operand(0).value());
      } else if (w != 0.0) {
        summands[e.id()] = w;
      }
    }
    double d = of_constant(constant);
    for (const auto& [id, w] : summands) d = same(d, degree_.at(id));
    return d;
  }

  const Model& model_;
  std::unordered_map<NodeId, double> degree_;
};

}  // namespace

double degree_in_velocities(const Model& model, const Expr& f) { return Degrees(model).of(f); }

}  // namespace vinculum
