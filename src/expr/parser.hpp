// The parser of expressions: its grammar stands in parse.cpp, what names and functions mean in
// parse_name.cpp.
#pragma once
#include <string>
#include <vector>

#include "expr/token.hpp"
#include "vinculum/expr/parse.hpp"

namespace vinculum {

// A precedence parser that looks one token ahead:
//     sum = product { (+|-) product }      signed = (+|-) signed | power
//     product = signed { (*|/) signed }    power = primary [ ^ signed ]
//     primary = number | name | (sum) | [sum, sum, sum] | function(...)   and components behind the last
//     three;
//               b.point(...) and b.axis(...) with primes
class Parser {
 public:
  Parser(Graph& graph, std::string_view text, Scope& scope, const Place& start)
      : graph_(graph), scope_(scope), lexer_(text, start), start_(start), token_(lexer_.next()) {}

  Value expression();
  ValueEquation equation();

 private:
  // Recursion stays below a few frames per level, so this bounds the stack whatever the text.
  static constexpr int deepest = 200;
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
  Value instant_call(const Token& name);
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

}  // namespace vinculum
