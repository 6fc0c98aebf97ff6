#include "vinculum/expr/parse.hpp"

#include <array>
#include <numbers>
#include <string>
#include <vector>

#include "expr/arithmetic.hpp"
#include "expr/token.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

// Recursion stays below a few frames per level, so this bounds the stack whatever the text.
constexpr int deepest = 200;

using Kind = Value::Kind;

constexpr std::array<std::string_view, 2> constraint_functions{"force", "multiplier"};
constexpr std::array<std::string_view, 4> vector_functions{"dot", "cross", "norm", "distance"};

template <std::size_t n>
bool holds(const std::array<std::string_view, n>& list, std::string_view word) {
  for (const std::string_view entry : list) {
    if (entry == word) return true;
  }
  return false;
}

constexpr bool is_function(Op op) { return op >= Op::sin && op <= Op::hypot; }

const std::vector<std::string>& function_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (int i = 0; i < op_count; ++i) {
      if (is_function(static_cast<Op>(i))) all.emplace_back(op_name(static_cast<Op>(i)));
    }
    all.emplace_back(op_name(Op::select));
    return all;
  }();
  return names;
}

// The operation of that name, or Op::constant where the name is no function.
Op function_of(std::string_view name) {
  for (int i = 0; i < op_count; ++i) {
    const Op op = static_cast<Op>(i);
    if (is_function(op) && op_name(op) == name) return op;
  }
  return Op::constant;
}

bool is_comparison(TokenKind kind) { return kind >= TokenKind::less && kind <= TokenKind::greater_equal; }

// A precedence parser that looks one token ahead:
//     sum = product { (+|-) product }      signed = (+|-) signed | power
//     product = signed { (*|/) signed }    power = primary [ ^ signed ]
//     primary = number | name | (sum) | [sum, sum, sum] | function(...), and components behind the last
//     three;
//               b.point(...) and b.axis(...) with primes
class Parser {
 public:
  Parser(Graph& graph, std::string_view text, Scope& scope, const Place& start)
      : graph_(graph), scope_(scope), lexer_(text, start), start_(start), token_(lexer_.next()) {}

  Value expression();
  ValueEquation equation();

 private:
  // One level of nesting, for as long as it lives.
  class Level {
   public:
    explicit Level(Parser& parser) : parser_(parser) {
      if (++parser_.depth_ > deepest) {
        parser_.fail_at(parser_.token_, "expression nested deeper than " + std::to_string(deepest) +
                                            " levels; give its parts names of their own");
      }
    }
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };

  Value sum();
  Value product();
  Value signed_power();
  Value power();
  Value primary();
  Value parenthesised();
  Value bracketed();
  Value members(Value value);
  Value named(const Token& name);
  Value call(const Token& name, Op op);
  Value vector_call(const Token& name);
  Value constraint_call(const Token& name);
  Value body_call(const Token& name);
  RowName row_name();
  Value choice(const Token& name);
  Value condition(const Token& name);
  std::vector<Value> arguments();

  void advance() {
    last_ = token_;
    token_ = lexer_.next();
  }
  void close(const Token& open);
  Place place_of(const Token& token) const { return lexer_.place(token.line, token.column); }
  [[noreturn]] void fail_at(const Token& token, std::string text) const {
    fail(std::move(text), place_of(token));
  }
  Value number(const Value& value, const Token& at, const std::string& what) const;
  void count_arguments(const Token& name, std::size_t given, std::size_t asked, bool open_ended) const;
  [[noreturn]] void refuse_operand() const;
  [[noreturn]] void refuse_token() const;
  [[noreturn]] void refuse_function(const Token& name) const;
  void check_word(const Token& name, std::string_view word) const;

  Graph& graph_;
  Scope& scope_;
  Lexer lexer_;
  const Place& start_;
  Token token_;  // the one to be read next
  Token last_;   // the one before
  int depth_ = 0;
  bool is_equation_ = false;
};

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

// A name is looked up before the text behind it is read, so that of two faults the first is reported.
Value Parser::named(const Token& name) {
  const std::string_view word = name.text.substr(0, name.text.find_first_of(".'"));
  check_word(name, word);
  if (word == "pi") {
    advance();
    return Expr(std::numbers::pi);
  }
  if (lexer_.open_follows()) {
    if (word == "if") return choice(name);
    if (holds(constraint_functions, name.text) || name.text == "torque")
      return members(constraint_call(name));
    if (name.text.ends_with(".point") || name.text.ends_with(".axis")) return members(body_call(name));
    if (holds(vector_functions, name.text)) return members(vector_call(name));
    const Op op = function_of(name.text);
    if (op == Op::constant) refuse_function(name);
    return call(name, op);
  }
  Value value = scope_.name(name.text, place_of(name));
  advance();
  return value;
}

// Words whose meaning is fixed by the grammar.
void Parser::check_word(const Token& name, std::string_view word) const {
  const bool alone = name.text == word;
  const bool called = alone && lexer_.open_follows();
  const std::string shown(word);
  if (word == "if" && !called) fail_at(name, "'if' needs its arguments: if(a < b, then, else)");
  if ((function_of(word) != Op::constant || holds(vector_functions, word)) && !called)
    fail_at(name, "function '" + shown + "' needs its arguments: " + shown + "(...)");
  if (holds(constraint_functions, word) && !called)
    fail_at(name, "'" + shown + "' needs the name of a constraint: " + shown + "(rod)");
  if (word == "pi" && !alone) fail_at(name, "'pi' is a number; it has no rate and no components");
  if (word == "t" && !alone) fail_at(name, "'t' is the time; it has no rate and no components");
}

Value Parser::number(const Value& value, const Token& at, const std::string& what) const {
  if (!value.is(Kind::scalar) && !value.is(Kind::unknown))
    fail_at(at, what + " must be a number, and this is " + std::string(kind_name(value.kind)));
  return value;
}

void Parser::count_arguments(const Token& name, std::size_t given, std::size_t asked, bool open_ended) const {
  if (given == asked || (given > asked && open_ended)) return;
  fail_at(name, "function '" + std::string(name.text) + "' takes " + std::to_string(asked) +
                    (open_ended ? " or more" : "") + (asked == 1 ? " argument, " : " arguments, ") +
                    std::to_string(given) + (given == 1 ? " is given" : " are given"));
}

Value Parser::call(const Token& name, Op op) {
  const Level level(*this);
  advance();
  const std::vector<Value> given = arguments();
  const std::size_t count = static_cast<std::size_t>(arity(op));
  count_arguments(name, given.size(), count, op == Op::min || op == Op::max);
  for (const Value& value : given)
    if (number(value, name, "an argument of '" + std::string(name.text) + "'").is(Kind::unknown))
      return Value::unknown();
  if (count == 1) return graph_.make(op, given[0].scalar);
  Expr value = graph_.make(op, given[0].scalar, given[1].scalar);
  for (std::size_t i = 2; i < given.size(); ++i) value = graph_.make(op, value, given[i].scalar);
  return value;
}

Value Parser::vector_call(const Token& name) {
  const Level level(*this);
  advance();
  const std::vector<Value> given = arguments();
  const bool is_norm = name.text == "norm";
  count_arguments(name, given.size(), is_norm ? 1 : 2, false);
  bool known = true;
  for (const Value& value : given) {
    known = known && !value.is(Kind::unknown);
    const bool fits = value.is(Kind::vector) || (is_norm && value.is(Kind::generalised));
    if (!fits && !value.is(Kind::unknown))
      fail_at(name, "function '" + std::string(name.text) + "' works on vectors, and " +
                        std::string(kind_name(value.kind)) + " is given" +
                        (is_norm ? "; write abs(...) for a number" : ""));
  }
  if (!known) return Value::unknown();
  if (is_norm) return norm_of(given[0]);
  const Vector &a = given[0].vector, &b = given[1].vector;
  if (name.text == "dot") return dot(a, b);
  if (name.text == "cross") return cross(a, b);
  return distance(a, b);
}

// force(c), force(c[1]), force(c, p), torque(c, b), multiplier(c), multiplier(c[1]): their arguments are
// names of constraints.
Value Parser::constraint_call(const Token& name) {
  const Level level(*this);
  advance();
  const Token open = token_;
  advance();
  RowName of = row_name();
  of.call = place_of(name);
  std::string_view on;
  Place on_place = of.place;
  const bool turns = name.text == "torque";
  if (turns && token_.kind != TokenKind::comma)
    fail_at(name, "torque(c, b) asks for the body it acts on, as in torque(hinge, door)");
  if (token_.kind == TokenKind::comma && name.text != "multiplier") {
    advance();
    if (token_.kind != TokenKind::name)
      fail_at(token_, turns ? "torque(c, b) asks for the name of a body after its ','"
                            : "force(c, p) asks for the name of a particle or body after its ','");
    on = token_.text;
    on_place = place_of(token_);
    advance();
  }
  close(open);
  if (turns) return scope_.torque(of, on, on_place);
  return name.text == "force" ? scope_.force(of, on, on_place) : scope_.multiplier(of);
}

// b.point(x, y, z) and b.axis(x, y, z), with the primes behind them.
Value Parser::body_call(const Token& name) {
  const Level level(*this);
  const std::size_t dot = name.text.rfind('.');
  Vector in_body;
  bool known = true;
  advance();
  const std::vector<Value> given = arguments();
  count_arguments(name, given.size(), 3, false);
  for (const Value& value : given)
    known = !number(value, name, "an argument of " + quoted(name.text)).is(Kind::unknown) && known;
  if (known) in_body = {given[0].scalar, given[1].scalar, given[2].scalar};
  Value value = scope_.fixed_in(name.text.substr(0, dot), name.text.substr(dot + 1), in_body, place_of(name));
  if (!known) value = Value::unknown();
  if (token_.kind != TokenKind::prime) return value;
  if (token_.text.size() > 2)
    fail_at(token_, "a third derivative; ' (velocity) and '' (acceleration) are the only ones");
  for (std::size_t k = 0; k < token_.text.size(); ++k) value = scope_.rate(value, place_of(name));
  advance();
  return value;
}

RowName Parser::row_name() {
  if (token_.kind != TokenKind::name)
    fail_at(token_, "the name of a constraint is asked for here, as in force(rod) or multiplier(pin[0])");
  RowName of{token_.text, -1, place_of(token_), {}};
  advance();
  if (token_.kind != TokenKind::open_bracket) return of;
  advance();
  const bool is_row =
      token_.kind == TokenKind::number && token_.text.find_first_not_of("0123456789") == token_.text.npos;
  if (!is_row || token_.value > 1e6) fail_at(token_, "a row is counted 0, 1, 2, as in pin[0]");
  of.row = static_cast<int>(token_.value);
  advance();
  if (token_.kind != TokenKind::close_bracket)
    fail_at(token_, "a ']' is missing after the row, as in pin[0]");
  advance();
  return of;
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

Value Parser::choice(const Token& name) {
  const Level level(*this);
  advance();
  const Token open = token_;
  advance();
  Value part[3] = {condition(name), {}, {}};
  for (int i = 1; i < 3; ++i) {
    if (token_.kind == TokenKind::close)
      fail_at(name, "'if' takes a condition and two values: if(a < b, then, else)");
    if (token_.kind == TokenKind::end) close(open);
    if (token_.kind != TokenKind::comma) refuse_token();
    advance();
    const Token first = token_;
    part[i] = number(sum(), first, "what 'if' chooses");
  }
  if (token_.kind == TokenKind::comma)
    fail_at(name, "'if' takes a condition and two values: if(a < b, then, else)");
  close(open);
  for (const Value& value : part)
    if (value.is(Kind::unknown)) return value;
  return graph_.make(Op::select, part[0].scalar, part[1].scalar, part[2].scalar);
}

Value Parser::condition(const Token& name) {
  const Token first = token_;
  Value left = sum();
  const TokenKind kind = token_.kind;
  if (kind == TokenKind::comma || kind == TokenKind::close)
    fail_at(name, "the condition of 'if' needs a comparison, one of < <= > >=: if(a < b, then, else)");
  if (kind == TokenKind::equal)
    fail_at(token_, "'=' is no comparison; the comparisons of 'if' are < <= > >=");
  if (!is_comparison(kind)) return left;  // the caller refuses the token
  advance();
  const Token second = token_;
  const Value right = sum();
  if (is_comparison(token_.kind))
    fail_at(token_, "a condition holds one comparison; put one 'if' inside another");
  if (number(left, first, "what is compared").is(Kind::unknown) ||
      number(right, second, "what is compared").is(Kind::unknown))
    return Value::unknown();
  const bool turned = kind == TokenKind::greater || kind == TokenKind::greater_equal;
  const Op op = kind == TokenKind::less || kind == TokenKind::greater ? Op::less : Op::less_equal;
  return turned ? graph_.make(op, right.scalar, left.scalar) : graph_.make(op, left.scalar, right.scalar);
}

void Parser::refuse_function(const Token& name) const {
  const std::string shown = quoted(name.text);
  // Two habits that no edit distance would guess.
  std::string near = name.text == "ln" ? "log" : nearest_name(name.text, function_names());
  if (name.text == "pow") near = "a^b";
  fail_at(name, "unknown function " + shown + (near.empty() ? "" : " (did you mean '" + near + "'?)") +
                    "; if a product is meant, write '*' before the '('");
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
  fail_at(token_, shown + " compares; a comparison stands only as the condition of if(a < b, then, else)");
}

}  // namespace

bool is_reserved_word(std::string_view word) {
  constexpr std::array<std::string_view, 5> words{"t", "pi", "if", "energy", "ground"};
  return holds(words, word) || holds(constraint_functions, word) || holds(vector_functions, word) ||
         function_of(word) != Op::constant;
}

Value parse_value(Graph& graph, std::string_view text, Scope& scope, const Place& start) {
  return Parser(graph, text, scope, start).expression();
}

ValueEquation parse_value_equation(Graph& graph, std::string_view text, Scope& scope, const Place& start) {
  return Parser(graph, text, scope, start).equation();
}

namespace {

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
