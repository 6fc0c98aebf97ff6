#include "vinculum/expr/value.hpp"

#include <array>

#include "expr/arithmetic.hpp"
#include "vinculum/expr/graph.hpp"

namespace vinculum {

using Kind = Value::Kind;

std::string_view kind_name(Kind kind) {
  constexpr std::array<std::string_view, 4> names{"a number", "a vector", "a generalised force", "unknown"};
  return names[static_cast<std::size_t>(kind)];
}

Value Scope::force(const RowName& of, std::string_view, const Place&) {
  fail("'force' has no value in this expression", of.call);
}
Value Scope::torque(const RowName& of, std::string_view, const Place&) {
  fail("'torque' has no value in this expression", of.call);
}
Value Scope::fixed_in(std::string_view body, std::string_view what, const Vector&, const Place& place) {
  fail("'" + std::string(body) + "." + std::string(what) + "' has no value in this expression", place);
}
Value Scope::multiplier(const RowName& of) { fail("'multiplier' has no value in this expression", of.call); }
Value Scope::of_instant(std::string_view word, const RowName& of) {
  fail("'" + std::string(word) + "' has no value in this expression", of.call);
}
Value Scope::component(const Value&, std::string_view name, const Place& place) {
  fail("there is no component '" + std::string(name) + "'", place);
}
Value Scope::rate(const Value&, const Place& place) {
  fail("a rate has no meaning in this expression", place);
}

namespace {

bool is_unknown(const Value& a, const Value& b = {}) { return a.is(Kind::unknown) || b.is(Kind::unknown); }

[[noreturn]] void refuse_pair(const char* verb, const Value& a, const Value& b, const Place& place) {
  std::string way_out;
  if (a.is(Kind::vector) && b.is(Kind::scalar) && b.scalar.is_constant(0))
    way_out = "; the zero vector is [0, 0, 0]";
  fail(std::string(kind_name(a.kind)) + " and " + std::string(kind_name(b.kind)) + " cannot be " + verb +
           way_out,
       place);
}

Value scaled(const Value& a, const Expr& factor) {
  Value result = a;
  if (a.is(Kind::vector)) result.vector = a.vector * factor;
  for (auto& [velocity, component] : result.components) component = component * factor;
  return result;
}

}  // namespace

Value add(Graph& graph, Op op, const Value& a, const Value& b, const Place& place) {
  if (is_unknown(a, b)) return Value::unknown();
  if (a.kind != b.kind) refuse_pair(op == Op::add ? "added" : "subtracted", a, b, place);
  if (a.is(Kind::scalar)) return graph.make(op, a.scalar, b.scalar);
  if (a.is(Kind::vector)) return op == Op::add ? a.vector + b.vector : a.vector - b.vector;
  Value sum = a;
  for (const auto& [velocity, component] : b.components) {
    Expr& term = sum.components.try_emplace(velocity, 0.0).first->second;
    term = op == Op::add ? term + component : term - component;
  }
  return sum;
}

Value multiply(Graph& graph, const Value& a, const Value& b, const Place& place) {
  if (is_unknown(a, b)) return Value::unknown();
  if (a.is(Kind::scalar) && b.is(Kind::scalar)) return graph.make(Op::multiply, a.scalar, b.scalar);
  if (a.is(Kind::scalar)) return scaled(b, a.scalar);
  if (b.is(Kind::scalar)) return scaled(a, b.scalar);
  fail("a product of vectors is written dot(a, b) or cross(a, b)", place);
}

Value divide(Graph& graph, const Value& a, const Value& b, const Place& place) {
  if (is_unknown(a, b)) return Value::unknown();
  if (!b.is(Kind::scalar))
    fail("the divisor is " + std::string(kind_name(b.kind)) + "; divide by a number", place);
  if (a.is(Kind::scalar)) return graph.make(Op::divide, a.scalar, b.scalar);
  Value result = a;
  if (a.is(Kind::vector)) result.vector = a.vector / b.scalar;
  for (auto& [velocity, component] : result.components) component = component / b.scalar;
  return result;
}

Value negate(Graph& graph, const Value& a) {
  if (a.is(Kind::scalar)) return graph.make(Op::negate, a.scalar);
  Value result = a;
  if (a.is(Kind::vector)) result.vector = -a.vector;
  for (auto& [velocity, component] : result.components) component = -component;
  return result;
}

Value norm_of(const Value& a) {
  if (a.is(Kind::vector)) return norm(a.vector);
  Expr sum = 0.0;
  for (const auto& [velocity, component] : a.components) sum += pow(component, 2);
  return sqrt(sum);
}

}  // namespace vinculum
