#include "vinculum/base/text.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

namespace vinculum {
namespace {

// The significant digits d1 d2 .. dn of a positive finite number and its exponent: d1.d2..dn * 10^exponent.
struct Decimal {
  std::string digits;
  int exponent = 0;
};

Decimal shortest_decimal(double value) {
  char buffer[40];
  const char* end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  Decimal result;
  const char* p = buffer;
  for (; p != end && *p != 'e'; ++p) {
    if (*p != '.') result.digits += *p;
  }
  p += p[1] == '+' ? 2 : 1;  // from_chars knows no plus
  std::from_chars(p, end, result.exponent);
  return result;
}

std::string scientific(const Decimal& d) {
  std::string text = d.digits.substr(0, 1);
  if (d.digits.size() > 1) text += '.' + d.digits.substr(1);
  return text + 'e' + std::to_string(d.exponent);
}

std::string fixed(const Decimal& d) {
  const int count = static_cast<int>(d.digits.size());
  if (d.exponent < 0) return "0." + std::string(-d.exponent - 1, '0') + d.digits;
  if (count <= d.exponent + 1) return d.digits + std::string(d.exponent + 1 - count, '0');
  return d.digits.substr(0, d.exponent + 1) + '.' + d.digits.substr(d.exponent + 1);
}

// The one place where a rounded number becomes text for people.
std::string printed(const char* format, int digits, double value) {
  if (std::isnan(value)) return "nan";  // its sign says nothing
  char text[40];
  std::snprintf(text, sizeof text, format, digits, value + 0.0);  // -0.0 + 0.0 is 0.0
  return text;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// A wrong letter costs 2, a letter in the wrong case 1: `Theta` for `theta` is the likelier slip.
constexpr int edit_cost = 2;

int substitution_cost(char a, char b) {
  if (a == b) return 0;
  return lower(a) == lower(b) ? 1 : edit_cost;
}

// Which letters and digits a name has, whatever their case.
std::uint64_t letters_of(std::string_view name) {
  std::uint64_t letters = 0;
  for (const char c : name) letters |= std::uint64_t{1} << (static_cast<unsigned char>(lower(c)) & 63u);
  return letters;
}

// No more than their distance: each letter that only one of them has takes an edit of its own.
int least_distance(std::uint64_t a, std::uint64_t b) {
  return edit_cost * std::max(std::popcount(a & ~b), std::popcount(b & ~a));
}

// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours.
int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = edit_cost * static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = edit_cost * static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min(
          {last[j] + edit_cost, row[j - 1] + edit_cost, last[j - 1] + substitution_cost(a[i - 1], b[j - 1])});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + edit_cost);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

}  // namespace

std::string number_text(double value) {
  if (std::isnan(value)) return "nan";
  const std::string sign = std::signbit(value) ? "-" : "";
  if (std::isinf(value)) return sign + "inf";
  if (value == 0) return sign + "0";
  const Decimal decimal = shortest_decimal(std::abs(value));
  const std::string exponential = scientific(decimal);
  // Everyday sizes read better without exponent, even where the exponent would save a character or two.
  if (decimal.exponent >= -4 && decimal.exponent < 7) return sign + fixed(decimal);
  // Far from 1 the fixed form is only worth building where it is short (12345678, not 1e300).
  if (decimal.exponent < 0 || decimal.exponent > 20) return sign + exponential;
  const std::string plain = fixed(decimal);
  return sign + (plain.size() <= exponential.size() ? plain : exponential);
}

std::string full_text(double value) { return number_text(value + 0.0); }
std::string number_text(double value, int digits) { return printed("%.*g", digits, value); }
std::string magnitude_text(double value) { return printed("%.*e", 1, value); }

std::string list_text(std::span<const std::string> names, std::size_t limit) {
  if (names.empty()) return "nothing";
  const std::size_t shown = std::min(names.size(), limit);
  const std::size_t hidden = names.size() - shown;
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool closes = hidden == 0 && i + 1 == shown;
    if (i > 0) text += closes ? " and " : ", ";
    text += names[i];
  }
  if (hidden > 0)
    text += (shown > 0 ? " and " : "") + std::to_string(hidden) + (shown > 0 ? " more" : " names");
  return text;
}

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
  std::string best;
  int best_distance = 0;
  const std::uint64_t letters = letters_of(name);
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(name.size(), candidate.size());
    const std::size_t shorter = std::min(name.size(), candidate.size());
    if (longer > 200) continue;  // nobody mistypes such a name, and the distance costs the product of lengths
    // One slip in about three letters; a single letter may only be in the wrong case, else all are near.
    const int allowed = std::max(1, edit_cost * static_cast<int>((longer + 1) / 3));
    if (edit_cost * static_cast<int>(longer - shorter) > allowed) continue;
    if (least_distance(letters, letters_of(candidate)) > allowed) continue;
    const int distance = edit_distance(name, candidate);
    if (distance > allowed || (!best.empty() && distance >= best_distance)) continue;
    best = candidate;
    best_distance = distance;
  }
  return best;
}

}  // namespace vinculum
