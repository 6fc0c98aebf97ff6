#include "expr/token.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <utility>

namespace vinculum {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool ends_value(TokenKind kind) {
  return kind == TokenKind::close || kind == TokenKind::close_bracket || kind == TokenKind::prime;
}
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// What a text pasted from a paper holds most often, and how it is written here.
struct Replacement {
  std::string_view character;
  std::string_view written;
};
constexpr Replacement replacements[] = {
    {"\u00b7", "*"},
    {"\u00d7", "*"},
    {"\u22c5", "*"},
    {"\u2212", "-"},
    {"\u2013", "-"},
    {"\u00f7", "/"},
    {"\u00b2", "^2"},
    {"\u00b3", "^3"},
    {"\u221a", "sqrt(...)"},
    {"\u03c0", "pi"},
    {"\u2264", "<="},
    {"\u2265", ">="},
    {"\u2019", "a straight prime (')"},
    {"\u2032", "a straight prime (')"},
    {"\u2033", "two straight primes ('')"},
    {"\u1e8b", "x'"},
    {"\u1e8f", "y'"},
    {"\u017c", "z'"},
    {"\u1e8d", "x''"},
    {"\u0307", "a rate as x'"},
    {"\u0308", "a second rate as x''"},
    {"\u03b1", "alpha"},
    {"\u03b2", "beta"},
    {"\u03b8", "theta"},
    {"\u03bb", "lambda"},
    {"\u03bc", "mu"},
    {"\u03c1", "rho"},
    {"\u03c6", "phi"},
    {"\u03d5", "phi"},
    {"\u03c8", "psi"},
    {"\u03c9", "omega"},
};

// Length of the UTF-8 character at the front of the text; 0 where it is none.
std::size_t utf8_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead >= 0xf0 && lead < 0xf5 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc2 ? 2 : 0;
  if (lead >= 0xf5 || length == 0 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
  }
  return length;
}

std::string hex(char c) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  return {'0', 'x', digits[byte >> 4], digits[byte & 15]};
}

// from_chars reports too large and too small numbers alike. Here the first digit that is not zero tells them
// apart: the place it stands at, moved by the exponent, is far to the left of the point or far to the right.
bool is_large(std::string_view number) {
  const std::size_t mark = std::min(number.find_first_of("eE"), number.size());
  const std::string_view digits = number.substr(0, mark);
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const long lead = static_cast<long>(digits.find_first_of("123456789"));
  long exponent = 0;
  if (mark < number.size()) {
    const bool plus = number[mark + 1] == '+';
    const char* end = number.data() + number.size();
    const auto read = std::from_chars(number.data() + mark + (plus ? 2 : 1), end, exponent);
    if (read.ec == std::errc::result_out_of_range) return number[mark + 1] != '-';
  }
  return exponent > lead - static_cast<long>(point);
}

}  // namespace

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 40;
  if (text.size() <= longest) return "'" + std::string(text) + "'";
  return "'" + std::string(text.substr(0, longest)) + "...'";
}

Lexer::Lexer(std::string_view text, const Place& start)
    : text_(text), file_(start.file), line_(start.line), column_(start.column) {}

void Lexer::skip_space() {
  for (; at_ < text_.size() && is_space(text_[at_]); ++at_) {
    if (text_[at_] == '\n') {
      ++line_;
      column_ = 1;
    } else {
      ++column_;
    }
  }
}

bool Lexer::open_follows() const {
  std::size_t i = at_;
  while (i < text_.size() && is_space(text_[i])) ++i;
  return i < text_.size() && text_[i] == '(';
}

Token Lexer::next() {
  skip_space();
  const Token token = read();
  last_ = token.kind;
  last_end_ = at_;
  return token;
}

Token Lexer::take(TokenKind kind, std::size_t length) {
  const Token token{kind, text_.substr(at_, length), 0, line_, column_};
  at_ += length;
  column_ += static_cast<int>(length);
  return token;
}

Token Lexer::read() {
  if (at_ == text_.size()) return take(TokenKind::end, 0);
  const char c = peek();
  if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
  if (is_letter(c)) return name();
  switch (c) {
    case '+':
      return take(TokenKind::plus, 1);
    case '-':
      return take(TokenKind::minus, 1);
    case '*':
      if (peek(1) == '*') fail_here("'**' is no operator; write a power as a^b");
      return take(TokenKind::times, 1);
    case '/':
      return take(TokenKind::divide, 1);
    case '^':
      return take(TokenKind::power, 1);
    case '(':
      return take(TokenKind::open, 1);
    case ')':
      return take(TokenKind::close, 1);
    case '[':
      return take(TokenKind::open_bracket, 1);
    case ']':
      return take(TokenKind::close_bracket, 1);
    case '.':
      if (ends_value(last_) && last_end_ == at_ && is_letter(peek(1))) return member();
      refuse_character();
    case '\'':
      if (ends_value(last_) && last_end_ == at_) return primes();
      refuse_character();
    case ',':
      return take(TokenKind::comma, 1);
    case '<':
      return peek(1) == '=' ? take(TokenKind::less_equal, 2) : take(TokenKind::less, 1);
    case '>':
      return peek(1) == '=' ? take(TokenKind::greater_equal, 2) : take(TokenKind::greater, 1);
    case '=':
      return equals();
    default:
      refuse_character();
  }
}

Token Lexer::number() {
  std::size_t length = 0;
  const auto digits = [&] {
    while (is_digit(peek(length))) ++length;
  };
  digits();
  if (peek(length) == '.') {
    ++length;
    digits();
  }
  if (peek(length) == 'e' || peek(length) == 'E') {
    ++length;
    if (peek(length) == '+' || peek(length) == '-') ++length;
    if (!is_digit(peek(length))) {
      fail_here("number " + quoted(text_.substr(at_, length)) +
                " lacks the digits of its exponent, as in 1e-3; a product is written with '*'");
    }
    digits();
  }
  if (peek(length) == '.') {
    fail_here("number " + quoted(text_.substr(at_, length + 1)) +
              " has a second point; a number has one at most");
  }
  Token token = take(TokenKind::number, length);
  const char* first = token.text.data();
  if (std::from_chars(first, first + length, token.value).ec == std::errc::result_out_of_range) {
    const bool large = is_large(token.text);
    fail(large ? "number too large: " + quoted(token.text) + " is above 1.7976931348623157e308"
               : "number too small: " + quoted(token.text) + " is below 5e-324; write 0 for zero",
         place(token.line, token.column));
  }
  return token;
}

// A name and all that follows it without space: components (p.x), rates (x'), both (p.x', p'.x).
Token Lexer::name() { return take(TokenKind::name, name_length(0)); }

// The same behind a closed parenthesis or bracket, with its first dot.
Token Lexer::member() { return take(TokenKind::member, name_length(1)); }

// All primes behind a closed parenthesis.
Token Lexer::primes() {
  std::size_t count = 0;
  while (peek(count) == '\'') ++count;
  return take(TokenKind::prime, count);
}

std::size_t Lexer::name_length(std::size_t length) const {
  int primes = 0;
  for (;;) {
    while (is_letter(peek(length)) || is_digit(peek(length))) ++length;
    for (; peek(length) == '\''; ++length) ++primes;
    if (peek(length) != '.') break;
    ++length;
    if (!is_letter(peek(length))) {
      fail_here(quoted(text_.substr(at_, length)) +
                " lacks the name of a component after its dot, as in p.x");
    }
  }
  if (is_letter(peek(length)) || is_digit(peek(length))) {
    fail_here(quoted(text_.substr(at_, length + 1)) +
              " goes on after its prime; a prime ends a name or stands before a dot, as in x' or p'.x");
  }
  if (primes > 2) {
    fail_here(quoted(text_.substr(at_, length)) +
              " is a third derivative; x' (velocity) and x'' (acceleration) are the only ones");
  }
  return length;
}

Token Lexer::equals() {
  const char c = peek(1);
  if (c == '=')
    fail_here("'==' is no comparison; the comparisons of if are < <= > >=, and an equation has one '='");
  if (c == '<' || c == '>') {
    fail_here("'=" + std::string(1, c) + "' is no comparison; write '" + std::string(1, c) + "='");
  }
  return take(TokenKind::equal, 1);
}

void Lexer::refuse_character() const {
  const char c = peek();
  const std::string shown = quoted(text_.substr(at_, 1));
  switch (c) {
    case '.':
      fail_here("'.' stands alone; write .5 or 0.5 for a number, p.x without spaces for a component");
    case '\'':
      fail_here("a prime (') stands alone; it follows its name without space, as in x'");
    case ';':
      fail_here("unexpected character ';'; arguments are separated by ','");
    case '{':
    case '}':
      fail_here("unexpected character " + shown + "; the parentheses of an expression are ( and )");
    case '|':
      if (peek(1) != '|' || !(last_ == TokenKind::name || last_ == TokenKind::number || ends_value(last_)))
        fail_here(
            "'|' is no operator; |a - b| is abs(a - b) of numbers, norm(a - b) or distance(a, b) of vectors");
      [[fallthrough]];
    case '&':
    case '!':
      fail_here("unexpected character " + shown +
                "; a condition is one comparison with < <= > or >=, and one if may " +
                "stand inside another");
    default:
      break;
  }
  if (c > ' ' && c < '\x7f') {
    fail_here("unexpected character " + shown + "; the operators are + - * / ^");
  }
  refuse_byte();
}

void Lexer::refuse_byte() const {
  const std::string_view rest = text_.substr(at_);
  const std::size_t length = utf8_length(rest);
  if (length == 0)
    fail_here("byte " + hex(rest[0]) + " cannot stand in an expression, which is plain ASCII text");
  const std::string_view character = rest.substr(0, length);
  for (const Replacement& r : replacements) {
    if (r.character == character) {
      fail_here("character " + quoted(character) + " is not ASCII; write " + std::string(r.written));
    }
  }
  fail_here("character " + quoted(character) + " is not ASCII; names are made of a-z A-Z 0-9 _");
}

}  // namespace vinculum
