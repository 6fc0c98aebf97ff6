#include "vinculum/expr/parse.hpp"

#include "expr/arithmetic.hpp"
#include "expr/parser.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

using Kind = Value::Kind;

/// Where all names are numbers.
class NumberScope : public Scope {
 public:
  explicit NumberScope(const NameResolver& resolve) : resolve_(resolve) {}
  Value name(std::string_view name, const Place& place) override {
    if (name == "ground") fail("'ground' is a reserved word and has no value in this expression", place);
    return resolve_(name, place);
  }

 private:
  const NameResolver& resolve_;
};

Expr as_number(const Value& value, const Place& start) {
  if (!value.is(Kind::scalar))
    fail("a number is asked for, and this is " + std::string(kind_name(value.kind)), start);
  return value.scalar;
}

}  // namespace

Value Parser::expression() {
  if (token_.kind == TokenKind::end)
    fail_at(token_, "the expression is empty; write a number, a name or a formula");
  Value value = sum();
  if (token_.kind != TokenKind::end) refuse_token();
  return value;
}

ValueEquation Parser::equation() {
  is_equation_ = true;
  if (token_.kind == TokenKind::end) fail("the equation is empty; write left = right", start_);
  Value left = sum();
  if (token_.kind == TokenKind::end) fail("the equation has no '='; write left = right", start_);
  if (token_.kind != TokenKind::equal) refuse_token();
  advance();
  const Token second = token_;
  Value right = sum();
  if (token_.kind == TokenKind::equal)
    fail_at(token_, "the equation has a second '='; an equation has exactly one");
  if (token_.kind != TokenKind::end) refuse_token();
  if (left.kind != right.kind && !left.is(Kind::unknown) && !right.is(Kind::unknown))
    fail_at(
        second,
        "the left side is " + std::string(kind_name(left.kind)) + " and the right side " +
            std::string(kind_name(right.kind)) +
            (right.is(Kind::scalar) && right.scalar.is_constant(0) ? "; the zero vector is [0, 0, 0]" : ""));
  return {std::move(left), std::move(right)};
}

Value Parser::sum() {
  Value left = product();
  while (token_.kind == TokenKind::plus || token_.kind == TokenKind::minus) {
    const Token sign = token_;
    advance();
    left =
        add(graph_, sign.kind == TokenKind::plus ? Op::add : Op::subtract, left, product(), place_of(sign));
  }
  return left;
}

Value Parser::product() {
  Value left = signed_power();
  while (token_.kind == TokenKind::times || token_.kind == TokenKind::divide) {
    const Token sign = token_;
    advance();
    const Value right = signed_power();
    left = sign.kind == TokenKind::times ? multiply(graph_, left, right, place_of(sign))
                                         : divide(graph_, left, right, place_of(sign));
  }
  return left;
}

Value Parser::signed_power() {
  if (token_.kind != TokenKind::plus && token_.kind != TokenKind::minus) return power();
  const Level level(*this);
  const bool negative = token_.kind == TokenKind::minus;
  advance();
  const Value operand = signed_power();
  return negative ? negate(graph_, operand) : operand;
}

Value Parser::power() {
  const Token first = token_;
  const Value base = primary();
  if (token_.kind != TokenKind::power) return base;
  const Level level(*this);
  advance();
  const Token second = token_;
  const Value exponent = signed_power();
  if (number(base, first, "the base of a power").is(Kind::unknown) ||
      number(exponent, second, "an exponent").is(Kind::unknown))
    return Value::unknown();
  return graph_.make(Op::power, base.scalar, exponent.scalar);
}

Value Parser::primary() {
  const Token first = token_;
  switch (first.kind) {
    case TokenKind::number:
      advance();
      return Expr(first.value);
    case TokenKind::name:
      return named(first);
    case TokenKind::open:
      return members(parenthesised());
    case TokenKind::open_bracket:
      return members(bracketed());
    default:
      refuse_operand();
  }
}

Value Parser::parenthesised() {
  const Level level(*this);
  const Token open = token_;
  advance();
  Value inside = sum();
  close(open);
  return inside;
}

Value Parser::bracketed() {
  const Level level(*this);
  const Token open = token_;
  if (last_.kind == TokenKind::name)
    fail_at(open, "'[' after " + quoted(last_.text) + ": a name takes no index; write a component as p.x");
  advance();
  Expr part[3];
  bool known = true;
  for (int i = 0; i < 3; ++i) {
    const Token first = token_;
    const Value value = number(sum(), first, "a component of a vector");
    known = known && !value.is(Kind::unknown);
    part[i] = value.scalar;
    if (token_.kind == TokenKind::end) fail_at(open, "'[' is never closed; a ']' is missing");
    if (token_.kind != (i < 2 ? TokenKind::comma : TokenKind::close_bracket))
      fail_at(token_.kind == TokenKind::comma || token_.kind == TokenKind::close_bracket ? open : token_,
              "a vector has three components: [a, b, c]");
    advance();
  }
  return known ? Value(Vector{part[0], part[1], part[2]}) : Value::unknown();
}

// Components behind a closed parenthesis or bracket: cross(a, b).x, force(rod).theta.
Value Parser::members(Value value) {
  while (token_.kind == TokenKind::member) {
    const Token member = token_;
    advance();
    if (value.is(Kind::unknown)) continue;
    const std::string_view name = member.text.substr(1);
    const Place name_place = lexer_.place(member.line, member.column + 1);  // behind the dot
    if (value.is(Kind::generalised)) {
      value = scope_.component(value, name, name_place);
      continue;
    }
    const std::string_view axis = name.substr(0, name.find('\''));
    if (!value.is(Kind::vector) || (axis != "x" && axis != "y" && axis != "z"))
      fail_at(member,
              quoted(member.text) + (value.is(Kind::vector) ? " is no component; a vector has .x .y .z"
                                                            : " follows a number, which has no components"));
    value = axis == "x" ? value.vector.x : axis == "y" ? value.vector.y : value.vector.z;
    for (std::size_t primes = name.size() - axis.size(); primes > 0; --primes)
      value = scope_.rate(value, name_place);
  }
  return value;
}

void Parser::close(const Token& open) {
  if (token_.kind == TokenKind::end) fail_at(open, "'(' is never closed; a ')' is missing");
  if (token_.kind != TokenKind::close) refuse_token();
  advance();
}

std::vector<Value> Parser::arguments() {
  const Token open = token_;
  advance();
  std::vector<Value> given;
  if (token_.kind == TokenKind::close) {
    advance();
    return given;
  }
  given.push_back(sum());
  while (token_.kind == TokenKind::comma) {
    advance();
    given.push_back(sum());
  }
  close(open);
  return given;
}

void Parser::refuse_operand() const {
  const std::string found =
      token_.kind == TokenKind::end ? "the text ends" : quoted(token_.text) + " stands there";
  const std::string where = last_.text.empty() ? "at the beginning" : "after " + quoted(last_.text);
  fail_at(token_, "a number, a name or '(' is missing " + where + ": " + found);
}

void Parser::refuse_token() const {
  const std::string shown = quoted(token_.text);
  switch (token_.kind) {
    case TokenKind::number:
    case TokenKind::name:
    case TokenKind::open:
      fail_at(token_,
              "no operator between " + quoted(last_.text) + " and " + shown + "; write '*' for a product");
    case TokenKind::close:
      fail_at(token_, "')' closes nothing; a '(' is missing");
    case TokenKind::open_bracket:
      if (last_.kind == TokenKind::name)
        fail_at(token_,
                "'[' after " + quoted(last_.text) + ": a name takes no index; write a component as p.x");
      fail_at(token_, "no operator between " + quoted(last_.text) + " and '['; write '*' for a product");
    case TokenKind::close_bracket:
      fail_at(token_, "']' closes nothing; a '[' is missing");
    case TokenKind::member:
      fail_at(token_, quoted(token_.text) + " follows a number, which has no components");
    case TokenKind::prime:
      fail_at(token_,
              "a prime (') follows a name or a component, as in x' or p.x'; name this expression in "
              "[definitions] to use its rate");
    case TokenKind::comma:
      fail_at(token_, "',' stands only between the arguments of a function; the point of a number is '.'");
    case TokenKind::equal:
      if (is_equation_) fail_at(token_, "'=' stands inside parentheses; an equation has its '=' outside");
      fail_at(token_, "'=' makes an equation, and an expression is asked for here");
    default:
      break;
  }
  if (is_equation_ && depth_ == 0)
    fail_at(token_, shown +
                        " compares, and a constraint is an equation, left = right; a stop or a contact is a "
                        "force with if(a < b, then, else), and [events] tells when it is reached");
  fail_at(token_, shown + " compares; a comparison stands only as the condition of if(a < b, then, else)");
}

Value parse_value(Graph& graph, std::string_view text, Scope& scope, const Place& start) {
  return Parser(graph, text, scope, start).expression();
}

ValueEquation parse_value_equation(Graph& graph, std::string_view text, Scope& scope, const Place& start) {
  return Parser(graph, text, scope, start).equation();
}

Expr parse(Graph& graph, std::string_view text, const NameResolver& resolve, const Place& start) {
  NumberScope scope(resolve);
  return as_number(parse_value(graph, text, scope, start), start);
}

Expr parse(Graph& graph, std::string_view text) {
  return parse(graph, text, [&graph](std::string_view name, const Place&) { return graph.symbol(name); });
}

ParsedEquation parse_equation(Graph& graph, std::string_view text, const NameResolver& resolve,
                              const Place& start) {
  NumberScope scope(resolve);
  const ValueEquation equation = parse_value_equation(graph, text, scope, start);
  return {as_number(equation.left, start), as_number(equation.right, start)};
}

}  // namespace vinculum
