// What names and functions mean to the parser.
#include <array>
#include <numbers>

#include "expr/arithmetic.hpp"
#include "expr/parser.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

using Kind = Value::Kind;

constexpr std::array<std::string_view, 2> constraint_functions{"force", "multiplier"};
/// What is said of a whole instant. Their names stay free for other things: only a call means them.
constexpr std::array<std::string_view, 5> instant_functions{"gauss", "dissatisfaction", "deviation",
                                                            "nonideal_force", "power"};
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
  constexpr std::size_t longest = 5;
  if (name.size() > longest) return Op::constant;
  for (int i = 0; i < op_count; ++i) {
    const Op op = static_cast<Op>(i);
    if (is_function(op) && op_name(op) == name) return op;
  }
  return Op::constant;
}

bool is_comparison(TokenKind kind) { return kind >= TokenKind::less && kind <= TokenKind::greater_equal; }

}  // namespace

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
    if (holds(instant_functions, name.text)) return members(instant_call(name));
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

// gauss(), dissatisfaction(c), power(c), deviation(x), nonideal_force(x).
Value Parser::instant_call(const Token& name) {
  const Level level(*this);
  advance();
  const Token open = token_;
  advance();
  RowName of{"", -1, place_of(name), {}};
  const bool of_coordinate = name.text == "deviation" || name.text == "nonideal_force";
  if (of_coordinate && token_.kind != TokenKind::name)
    fail_at(token_, "the name of a coordinate, particle or body is asked for here, as in " +
                        std::string(name.text) + "(x)");
  if (name.text != "gauss")
    of = row_name();
  else if (token_.kind != TokenKind::close)
    fail_at(token_, "gauss() is Gauss's function of the whole system; nothing stands in its parentheses");
  of.call = place_of(name);
  close(open);
  return scope_.of_instant(name.text, of);
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
  for (const std::string_view derivative : {"der", "diff", "ddt", "derivative", "deriv"})
    if (name.text == derivative)
      fail_at(name, shown +
                        " is no function: the rate of x is x', its second x''; a partial derivative is not " +
                        "to be had");
  // Two habits that no edit distance would guess.
  std::string near = name.text == "ln" ? "log" : nearest_name(name.text, function_names());
  if (name.text == "pow") near = "a^b";
  fail_at(name, "unknown function " + shown + (near.empty() ? "" : " (did you mean '" + near + "'?)") +
                    "; if a product is meant, write '*' before the '('");
}

bool is_reserved_word(std::string_view word) {
  constexpr std::array<std::string_view, 5> words{"t", "pi", "if", "energy", "ground"};
  return holds(words, word) || holds(constraint_functions, word) || holds(vector_functions, word) ||
         function_of(word) != Op::constant;
}

}  // namespace vinculum
