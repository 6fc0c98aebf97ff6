#include "vinculum/expr/factors.hpp"

#include <cmath>
#include <cstdlib>
#include <unordered_map>
#include <utility>

namespace vinculum {
namespace {

/// The number is x * 2^exponent, or minus that.
struct Factored {
  Expr x;
  bool negative = false;
  int exponent = 0;
  bool any = false;  // exponent is as good: 0 * y
};

class Carrier {
 public:
  explicit Carrier(Graph& graph) : graph_(graph) {}

  void note(NodeId id) { known_.emplace(id, of(graph_.at(id))); }
  Expr whole(const Expr& e) { return whole(known(e)); }

 private:
  static constexpr int most = 64;  // of an exponent: far from where numbers end

  Factored known(const Expr& e) const { return e.is_constant() ? constant(e.value()) : known_.at(e.id()); }

  static Factored constant(double c) {
    int exponent = 0;
    const bool is_power = std::isnormal(c) && std::abs(std::frexp(c, &exponent)) == 0.5;
    if (is_power && std::abs(exponent) <= most) return {1.0, c < 0, exponent - 1};
    return {std::abs(c), std::signbit(c), 0, c == 0};
  }
  static Expr whole(const Factored& f) {
    if (f.exponent == 0) return f.negative ? -f.x : f.x;
    return f.x * std::ldexp(f.negative ? -1.0 : 1.0, f.exponent);
  }
  static Factored plain(const Expr& x) { return {x}; }

  /// Beside another exponent. Constants are multiplied here, once and for all.
  static Expr with_exponent(const Factored& f, int exponent) {
    return f.exponent == exponent || f.any ? f.x : f.x * std::ldexp(1.0, f.exponent - exponent);
  }
  static int common_exponent(const Factored& a, const Factored& b) {
    if (a.any || a.x.is_constant()) return b.exponent;
    if (b.any || b.x.is_constant() || b.exponent != 0) return a.exponent;
    return b.exponent;
  }

  Factored of(const Expr& e) {
    const auto operand = [&](int i) { return known(e.operand(i)); };
    switch (e.op()) {
      case Op::symbol:
        return plain(e);
      case Op::negate:
        return flipped(operand(0));
      case Op::add:
        return sum(operand(0), operand(1));
      case Op::subtract:
        return sum(operand(0), flipped(operand(1)));
      case Op::multiply:
        return product(operand(0), operand(1), 1);
      case Op::divide:
        return product(operand(0), operand(1), -1);
      case Op::power:
        return power(e, operand(0));
      case Op::abs:
        return {abs(operand(0).x), false, operand(0).exponent};
      case Op::less:
      case Op::less_equal:
        return plain(comparison(e.op(), operand(0), operand(1)));
      case Op::select:
        return selection(operand(0).x, operand(1), operand(2));
      default:
        return plain(as_it_is(e));
    }
  }

  static Factored flipped(Factored f) {
    f.negative = !f.negative;
    return f;
  }
  static Factored sum(const Factored& a, const Factored& b) {
    const int exponent = common_exponent(a, b);
    const bool any = a.any && b.any;
    const Expr x = with_exponent(a, exponent), y = with_exponent(b, exponent);
    if (a.negative != b.negative) return {a.negative ? y - x : x - y, false, exponent, any};
    if (a.negative && (x.is_constant() || y.is_constant()))  // whose sign costs nothing
      return {x.is_constant() ? -x - y : -y - x, false, exponent, any};
    return {x + y, a.negative, exponent, any};
  }
  /// a * b or a / b.
  static Factored product(const Factored& a, const Factored& b, int way) {
    const int exponent = a.exponent + way * b.exponent;
    if (std::abs(exponent) > most) return plain(way > 0 ? whole(a) * whole(b) : whole(a) / whole(b));
    const bool any = way > 0 && (a.any || b.any), negative = a.negative != b.negative;
    if (way > 0) return {a.x * b.x, negative, exponent, any};
    if (negative && a.x.is_constant()) return {-a.x / b.x, false, exponent};
    return {a.x / b.x, negative, exponent};
  }
  Factored power(const Expr& e, const Factored& base) const {
    const Expr n = e.operand(1);
    const bool is_whole = n.is_constant() && n.value() == std::trunc(n.value()) && std::abs(n.value()) <= 8;
    if (!is_whole || std::abs(base.exponent * n.value()) > most) return plain(as_it_is(e));
    return {pow(base.x, n), base.negative && std::fmod(n.value(), 2) != 0,
            base.exponent * static_cast<int>(n.value())};
  }
  Expr comparison(Op op, const Factored& a, const Factored& b) const {
    const int exponent = common_exponent(a, b);
    const Expr x = with_exponent(a, exponent), y = with_exponent(b, exponent);
    if (a.negative && b.negative) return graph_.make(op, y, x);
    return graph_.make(op, a.negative ? -x : x, b.negative ? -y : y);
  }
  /// Of a number and 0, which has every sign and exponent, or of two alike.
  Factored selection(const Expr& condition, const Factored& a, const Factored& b) const {
    const bool zero = a.x.is_constant(0) || b.x.is_constant(0);
    if (!zero && (a.negative != b.negative || a.exponent != b.exponent))
      return plain(graph_.make(Op::select, condition, whole(a), whole(b)));
    const Factored& like = a.x.is_constant(0) ? b : a;
    return {graph_.make(Op::select, condition, a.x, b.x), like.negative, like.exponent};
  }
  Expr as_it_is(const Expr& e) const {
    const auto operand = [&](int i) { return arity(e.op()) > i ? whole(known(e.operand(i))) : Expr(0.0); };
    return graph_.make(e.op(), operand(0), operand(1), operand(2));
  }

  Graph& graph_;
  std::unordered_map<NodeId, Factored> known_;
};

}  // namespace

std::vector<Expr> carry_factors(std::span<const Expr> values) {
  std::vector<Expr> before(values.begin(), values.end()), after;
  Graph* graph = nullptr;
  for (const Expr& e : values)
    if (!e.is_constant()) graph = e.graph();
  if (graph == nullptr) return before;
  const std::vector<NodeId> nodes = graph->reachable(values);
  Carrier carrier(*graph);
  for (const NodeId id : nodes) carrier.note(id);
  for (const Expr& e : values) after.push_back(carrier.whole(e));
  return graph->reachable(after).size() < nodes.size() ? after : before;
}

}  // namespace vinculum
