// The words of an expression's text. Internal to the parser.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "vinculum/base/error.hpp"

namespace vinculum {

enum class TokenKind : std::uint8_t {
  end,
  number,
  name,
  plus,
  minus,
  times,
  divide,
  power,
  open,
  close,
  open_bracket,
  close_bracket,
  member,  // what follows a closed parenthesis or bracket without space: .x, .p.x'
  prime,   // the same: ' or ''
  comma,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
};

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view text;  // as written; names with all their dots and primes
  double value = 0;       // of numbers
  int line = 0;
  int column = 0;
};

/// The text in quotes for a message; long texts are cut.
std::string quoted(std::string_view text);

/// Splits a text into tokens, one at a time, counting lines and columns in bytes. Raises an error at the
/// first character that can be part of no expression.
class Lexer {
 public:
  Lexer(std::string_view text, const Place& start);
  Token next();
  /// Whether the next token is '(', without reading it: an error behind a name is reported after the name's
  /// own.
  bool open_follows() const;
  Place place(int line, int column) const { return {file_, line, column}; }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  void skip_space();
  Token read();
  Token take(TokenKind kind, std::size_t length);
  Token number();
  Token name();
  Token member();
  Token primes();
  std::size_t name_length(std::size_t length) const;
  Token equals();
  [[noreturn]] void fail_here(std::string text) const { fail(std::move(text), place(line_, column_)); }
  [[noreturn]] void refuse_character() const;
  [[noreturn]] void refuse_byte() const;

  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0;
  int line_ = 1;
  int column_ = 1;
  TokenKind last_ = TokenKind::end;
  std::size_t last_end_ = 0;
};

}  // namespace vinculum
