#include "vinculum/expr/parse.hpp"

#include <array>
#include <numbers>
#include <string>
#include <vector>

#include "expr/token.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

// Recursion stays below a few frames per level, so this bounds the stack whatever the text.
constexpr int deepest = 200;

constexpr std::array<std::string_view, 3> words_without_value{"force", "multiplier", "ground"};
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
class Parser {
 public:
  Parser(Graph& graph, std::string_view text, const NameResolver& resolve, const Place& start)
      : graph_(graph), resolve_(resolve), lexer_(text, start), start_(start), token_(lexer_.next()) {}

  Expr expression();
  ParsedEquation equation();

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

  Expr sum();
  Expr product();
  Expr signed_power();
  Expr power();
  Expr primary();
  Expr parenthesised();
  Expr named(const Token& name);
  Expr call(const Token& name, Op op);
  Expr choice(const Token& name);
  Expr condition(const Token& name);
  std::vector<Expr> arguments();

  void advance() {
    last_ = token_;
    token_ = lexer_.next();
  }
  void close(const Token& open);
  Place place_of(const Token& token) const { return lexer_.place(token.line, token.column); }
  [[noreturn]] void fail_at(const Token& token, std::string text) const {
    fail(std::move(text), place_of(token));
  }
  [[noreturn]] void refuse_operand() const;
  [[noreturn]] void refuse_token() const;
  [[noreturn]] void refuse_function(const Token& name) const;
  void check_word(const Token& name, std::string_view word) const;

  Graph& graph_;
  const NameResolver& resolve_;
  Lexer lexer_;
  const Place& start_;
  Token token_;  // the one to be read next
  Token last_;   // the one before
  int depth_ = 0;
  bool is_equation_ = false;
};

Expr Parser::expression() {
  if (token_.kind == TokenKind::end)
    fail_at(token_, "the expression is empty; write a number, a name or a formula");
  const Expr value = sum();
  if (token_.kind != TokenKind::end) refuse_token();
  return value;
}

ParsedEquation Parser::equation() {
  is_equation_ = true;
  if (token_.kind == TokenKind::end) fail("the equation is empty; write left = right", start_);
  const Expr left = sum();
  if (token_.kind == TokenKind::end) fail("the equation has no '='; write left = right", start_);
  if (token_.kind != TokenKind::equal) refuse_token();
  advance();
  const Expr right = sum();
  if (token_.kind == TokenKind::equal)
    fail_at(token_, "the equation has a second '='; an equation has exactly one");
  if (token_.kind != TokenKind::end) refuse_token();
  return {left, right};
}

Expr Parser::sum() {
  Expr left = product();
  while (token_.kind == TokenKind::plus || token_.kind == TokenKind::minus) {
    const Op op = token_.kind == TokenKind::plus ? Op::add : Op::subtract;
    advance();
    left = graph_.make(op, left, product());
  }
  return left;
}

Expr Parser::product() {
  Expr left = signed_power();
  while (token_.kind == TokenKind::times || token_.kind == TokenKind::divide) {
    const Op op = token_.kind == TokenKind::times ? Op::multiply : Op::divide;
    advance();
    left = graph_.make(op, left, signed_power());
  }
  return left;
}

Expr Parser::signed_power() {
  if (token_.kind != TokenKind::plus && token_.kind != TokenKind::minus) return power();
  const Level level(*this);
  const bool negative = token_.kind == TokenKind::minus;
  advance();
  const Expr operand = signed_power();
  return negative ? graph_.make(Op::negate, operand) : operand;
}

Expr Parser::power() {
  const Expr base = primary();
  if (token_.kind != TokenKind::power) return base;
  const Level level(*this);
  advance();
  return graph_.make(Op::power, base, signed_power());
}

Expr Parser::primary() {
  const Token first = token_;
  switch (first.kind) {
    case TokenKind::number:
      advance();
      return first.value;
    case TokenKind::name:
      return named(first);
    case TokenKind::open:
      return parenthesised();
    default:
      refuse_operand();
  }
}

Expr Parser::parenthesised() {
  const Level level(*this);
  const Token open = token_;
  advance();
  const Expr inside = sum();
  close(open);
  return inside;
}

void Parser::close(const Token& open) {
  if (token_.kind == TokenKind::end) fail_at(open, "'(' is never closed; a ')' is missing");
  if (token_.kind != TokenKind::close) refuse_token();
  advance();
}

// A name is looked up before the text behind it is read, so that of two faults the first is reported.
Expr Parser::named(const Token& name) {
  const std::string_view word = name.text.substr(0, name.text.find_first_of(".'"));
  check_word(name, word);
  if (word == "pi") {
    advance();
    return std::numbers::pi;
  }
  if (lexer_.open_follows()) {
    if (word == "if") return choice(name);
    const Op op = function_of(name.text);
    if (op == Op::constant) refuse_function(name);
    return call(name, op);
  }
  const Expr value = resolve_(name.text, place_of(name));
  advance();
  return value;
}

// Words whose meaning is fixed by the grammar.
void Parser::check_word(const Token& name, std::string_view word) const {
  const bool alone = name.text == word;
  const bool called = alone && lexer_.open_follows();
  const std::string shown(word);
  if (word == "if" && !called) fail_at(name, "'if' needs its arguments: if(a < b, then, else)");
  if (function_of(word) != Op::constant && !called)
    fail_at(name, "function '" + shown + "' needs its arguments: " + shown + "(...)");
  if (word == "pi" && !alone) fail_at(name, "'pi' is a number; it has no rate and no components");
  if (word == "t" && !alone) fail_at(name, "'t' is the time; it has no rate and no components");
  if (holds(words_without_value, word))
    fail_at(name, "'" + shown + "' is a reserved word and has no value in this expression");
}

Expr Parser::call(const Token& name, Op op) {
  const Level level(*this);
  advance();
  const std::vector<Expr> given = arguments();
  const bool open_ended = op == Op::min || op == Op::max;
  const std::size_t count = static_cast<std::size_t>(arity(op));
  if (given.size() < count || (given.size() > count && !open_ended)) {
    fail_at(name, "function '" + std::string(name.text) + "' takes " + std::to_string(count) +
                      (open_ended ? " or more" : "") + (count == 1 ? " argument, " : " arguments, ") +
                      std::to_string(given.size()) + (given.size() == 1 ? " is given" : " are given"));
  }
  if (count == 1) return graph_.make(op, given[0]);
  Expr value = graph_.make(op, given[0], given[1]);
  for (std::size_t i = 2; i < given.size(); ++i) value = graph_.make(op, value, given[i]);
  return value;
}

std::vector<Expr> Parser::arguments() {
  const Token open = token_;
  advance();
  std::vector<Expr> given;
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

Expr Parser::choice(const Token& name) {
  const Level level(*this);
  advance();
  const Token open = token_;
  advance();
  Expr part[3] = {condition(name), 0.0, 0.0};
  for (int i = 1; i < 3; ++i) {
    if (token_.kind == TokenKind::close)
      fail_at(name, "'if' takes a condition and two values: if(a < b, then, else)");
    if (token_.kind == TokenKind::end) close(open);
    if (token_.kind != TokenKind::comma) refuse_token();
    advance();
    part[i] = sum();
  }
  if (token_.kind == TokenKind::comma)
    fail_at(name, "'if' takes a condition and two values: if(a < b, then, else)");
  close(open);
  return graph_.make(Op::select, part[0], part[1], part[2]);
}

Expr Parser::condition(const Token& name) {
  const Expr left = sum();
  const TokenKind kind = token_.kind;
  if (kind == TokenKind::comma || kind == TokenKind::close)
    fail_at(name, "the condition of 'if' needs a comparison, one of < <= > >=: if(a < b, then, else)");
  if (kind == TokenKind::equal)
    fail_at(token_, "'=' is no comparison; the comparisons of 'if' are < <= > >=");
  if (!is_comparison(kind)) return left;  // the caller refuses the token
  advance();
  const Expr right = sum();
  if (is_comparison(token_.kind))
    fail_at(token_, "a condition holds one comparison; put one 'if' inside another");
  switch (kind) {
    case TokenKind::less:
      return graph_.make(Op::less, left, right);
    case TokenKind::less_equal:
      return graph_.make(Op::less_equal, left, right);
    case TokenKind::greater:
      return graph_.make(Op::less, right, left);
    default:
      return graph_.make(Op::less_equal, right, left);
  }
}

void Parser::refuse_function(const Token& name) const {
  const std::string shown = quoted(name.text);
  if (holds(vector_functions, name.text))
    fail_at(name, "function " + shown + " works on vectors and cannot be used in this expression");
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

Expr parse(Graph& graph, std::string_view text, const NameResolver& resolve, const Place& start) {
  return Parser(graph, text, resolve, start).expression();
}

Expr parse(Graph& graph, std::string_view text) {
  return parse(graph, text, [&graph](std::string_view name, const Place&) { return graph.symbol(name); });
}

ParsedEquation parse_equation(Graph& graph, std::string_view text, const NameResolver& resolve,
                              const Place& start) {
  return Parser(graph, text, resolve, start).equation();
}

}  // namespace vinculum
