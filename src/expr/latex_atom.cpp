#include "vinculum/expr/latex_atom.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

constexpr std::array<std::string_view, 40> letters_by_name{
    "alpha",   "beta", "gamma", "delta", "epsilon",    "zeta",     "eta",    "theta",    "iota",    "kappa",
    "lambda",  "mu",   "nu",    "xi",    "pi",         "rho",      "sigma",  "tau",      "upsilon", "phi",
    "chi",     "psi",  "omega", "Gamma", "Delta",      "Theta",    "Lambda", "Xi",       "Pi",      "Sigma",
    "Upsilon", "Phi",  "Psi",   "Omega", "varepsilon", "vartheta", "varphi", "varsigma", "ell",     "hbar",
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\') {
      result += "\\backslash ";
    } else if (c == '^' || c == '~') {
      result += std::string("\\") + c + "{}";
    } else {
      if (std::string_view("_#$%&{}").find(c) != std::string_view::npos) result += '\\';
      result += c;
    }
  }
  return result;
}

// A letter, a Greek letter or an index number stands as it is; anything longer is a word and stands upright.
std::string letter_or_word(std::string_view text) {
  if (std::find(letters_by_name.begin(), letters_by_name.end(), text) != letters_by_name.end())
    return "\\" + std::string(text);
  if (std::all_of(text.begin(), text.end(), is_digit)) return std::string(text);
  if (text.size() == 1) return escaped(text);
  return "\\mathrm{" + escaped(text) + "}";
}

// A name taken apart: link_2.x' is the stem `link` with the indices `2` and `x` and one dot.
struct NameParts {
  std::string stem;
  std::vector<std::string> indices;
  int primes = 0;
};

void add_piece(NameParts& parts, std::string piece) {
  if (piece.empty()) return;
  if (!parts.stem.empty()) {
    parts.indices.push_back(std::move(piece));
    return;
  }
  // Only the stem gives its digits away: x12 is x with the index 12.
  std::size_t letters = piece.size();
  while (letters > 0 && is_digit(piece[letters - 1])) --letters;
  if (letters == 0) letters = piece.size();
  parts.stem = piece.substr(0, letters);
  if (letters < piece.size()) parts.indices.push_back(piece.substr(letters));
}

NameParts take_apart(std::string_view name) {
  NameParts parts;
  std::string piece;
  for (const char c : name) {
    if (c == '\'') {
      ++parts.primes;
    } else if (c == '.' || c == '_') {
      add_piece(parts, std::move(piece));
      piece.clear();
    } else {
      piece += c;
    }
  }
  add_piece(parts, std::move(piece));
  if (parts.stem.empty()) parts.stem = std::string(name.substr(0, name.find('\'')));
  return parts;
}

}  // namespace

bool is_word(std::string_view name) { return letter_or_word(take_apart(name).stem).starts_with("\\mathrm"); }

std::string name_latex(std::string_view name) {
  const NameParts parts = take_apart(name);
  std::string text = letter_or_word(parts.stem);
  if (parts.primes > 0) text = "\\" + std::string(parts.primes, 'd') + "ot{" + text + "}";
  if (parts.indices.empty()) return text;
  text += "_{";
  for (std::size_t i = 0; i < parts.indices.size(); ++i) {
    if (i > 0) text += ',';
    text += letter_or_word(parts.indices[i]);
  }
  return text + '}';
}

std::string magnitude_latex(double value) {
  value = std::abs(value);
  if (std::isnan(value)) return "\\mathrm{NaN}";
  if (std::isinf(value)) return "\\infty";
  if (value == std::numbers::pi) return "\\pi";
  if (value == 0.5) return "\\frac{1}{2}";
  std::string text = number_text(value);
  const std::size_t mark = text.find('e');
  if (mark == text.npos) return text;
  const std::string mantissa = text.substr(0, mark), exponent = "10^{" + text.substr(mark + 1) + "}";
  return mantissa == "1" ? exponent : mantissa + " \\cdot " + exponent;
}

std::string exponent_latex(double value) {
  const std::string sign = value < 0 ? "-" : "";
  const double twice = 2 * std::abs(value);
  if (twice < 20 && std::fmod(twice, 2) == 1) return sign + number_text(twice) + "/2";
  return sign + magnitude_latex(value);
}

std::string_view function_latex(Op op) {
  switch (op) {
    case Op::sin:
      return "\\sin";
    case Op::cos:
      return "\\cos";
    case Op::tan:
      return "\\tan";
    case Op::asin:
      return "\\arcsin";
    case Op::acos:
      return "\\arccos";
    case Op::atan:
      return "\\arctan";
    case Op::sinh:
      return "\\sinh";
    case Op::cosh:
      return "\\cosh";
    case Op::tanh:
      return "\\tanh";
    case Op::log:
      return "\\ln";
    case Op::sign:
      return "\\operatorname{sgn}";
    case Op::atan2:
      return "\\operatorname{atan2}";
    case Op::min:
      return "\\min";
    case Op::max:
      return "\\max";
    default:
      return "";
  }
}

}  // namespace vinculum
