// Names in texts: those of a part get its name before them, elements their number behind them.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/model/expander_templates.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
char at_or_end(std::string_view text, std::size_t at) { return at < text.size() ? text[at] : '\0'; }

/// Where the number that begins at `at` ends: 1e-3 holds no name.
std::size_t end_of_number(std::string_view text, std::size_t at) {
  while (is_digit(at_or_end(text, at)) || at_or_end(text, at) == '.') ++at;
  if (const char e = at_or_end(text, at); e == 'e' || e == 'E') {
    const char sign = at_or_end(text, at + 1);
    const std::size_t digits = at + (sign == '+' || sign == '-' ? 2 : 1);
    if (is_digit(at_or_end(text, digits))) {
      at = digits;
      while (is_digit(at_or_end(text, at))) ++at;
    }
  }
  return at;
}

std::size_t end_of_bracket(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '[') ++depth;
    if (text[at] == ']' && --depth == 0) return at;
  }
  return text.npos;
}

bool asks_for_row(std::string_view function) {
  constexpr std::array<std::string_view, 5> words{"force", "multiplier", "torque", "dissatisfaction",
                                                  "power"};
  return std::ranges::count(words, function) > 0;
}

/// A parenthesis that is open: of force(c), which has coordinates for components, or of anything else.
struct Open {
  bool of_force = false;
};

}  // namespace

/// A name with all that belongs to it: leg[i].knee[2].x'. Nothing where no name begins at `at`.
std::size_t Expander::read_path(std::string_view text, std::size_t at, std::vector<Segment>& path) const {
  if (!is_letter(at_or_end(text, at))) return at;
  for (;;) {
    Segment segment;
    segment.begin = at;
    while (is_letter(at_or_end(text, at)) || is_digit(at_or_end(text, at))) ++at;
    segment.end = at;
    if (at_or_end(text, at) == '[') {
      const std::size_t close = end_of_bracket(text, at);
      if (close != text.npos) {
        segment.open = at + 1;
        segment.close = close;
        at = close + 1;
      }
    }
    for (; at_or_end(text, at) == '\''; ++at) ++segment.primes;
    path.push_back(segment);
    if (at_or_end(text, at) != '.' || !is_letter(at_or_end(text, at + 1))) return at;
    ++at;
  }
}

/// The numbers in the brackets of a name, as they stand in the names of elements: "3", "3_1".
bool Expander::elements(std::string_view text, const Segment& segment, std::string& out) {
  const std::string name(text.substr(segment.begin, segment.end - segment.begin));
  const std::string what = fmt::format("the index of '{}'", name);
  for (std::size_t at = segment.open; at <= segment.close;) {
    std::size_t end = at;
    for (int depth = 0; end < segment.close && (depth > 0 || text[end] != ','); ++end)
      depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
    long number = 0;
    if (!whole_number(text.substr(at, end - at), at, what, number)) return false;
    if (number < 0) {
      note_in_text(segment.begin, fmt::format("{} is {}; elements are counted 0, 1, 2 and on", what, number));
      return false;
    }
    out += (out.empty() ? "" : "_") + std::to_string(number);
    at = end + 1;
  }
  return true;
}

/// What follows the first name of a path, which is that of a part or of something unknown.
std::string Expander::rest_of(std::string_view text, const std::vector<Segment>& path, const Inside* part,
                              bool rows) {
  std::string out;
  for (std::size_t k = 0; k < path.size(); ++k) {
    const Segment& s = path[k];
    const std::string name(text.substr(s.begin, s.end - s.begin));
    std::string number;
    if (s.open != 0 && !elements(text, s, number)) number = "";
    std::string key = name + number;
    const bool known = part != nullptr && part->own.contains(key);
    if (s.open != 0 && part != nullptr && !known) {
      if (rows && (part->own.contains(name) || !part->repeated.contains(name)))
        key = name + "[" + number + "]";
      else if (const auto all = part->repeated.find(name); all != part->repeated.end() && !number.empty())
        note_in_text(s.begin, fmt::format("'{}' is '{}', and the elements of '{}' are '{}' to '{}'",
                                          text.substr(s.begin, s.close + 1 - s.begin), key, name,
                                          all->second.first, all->second.last));
    }
    if (part != nullptr) {
      const auto inner = part->parts.find(key);
      part = inner == part->parts.end() ? nullptr : inner->second.get();
    }
    out += (k == 0 ? "" : ".") + key + std::string(s.primes, '\'');
  }
  return out;
}

/// The name as the whole model knows it: that of the part's own thing, or of the first thing further outside.
std::string Expander::resolved(std::string_view text, const std::vector<Segment>& path, bool rows,
                               Mode mode) {
  const Segment& first = path.front();
  const std::string name(text.substr(first.begin, first.end - first.begin));
  const bool alone = path.size() == 1 && first.open == 0 && first.primes == 0;
  if (alone && !rows)
    for (const Index& index : indices_)
      if (index.name == name)
        return index.value < 0 ? fmt::format("({})", index.value) : std::to_string(index.value);
  // What has a fault in its brackets is looked for by its name alone, and not found without a word.
  std::string number;
  if (first.open != 0 && !elements(text, first, number)) return name;
  const std::string key = name + number, primes(first.primes, '\'');
  const std::vector<Segment> behind(path.begin() + 1, path.end());
  unsigned wanted = rows ? of_joint | of_constraint | of_part : of_value | of_part | of_joint;
  if (mode.any) wanted = ~0u;
  if (mode.view) wanted |= of_point;
  if (mode.results) wanted |= of_result;
  for (const Inside* in = inside_; in != nullptr; in = in->outer) {
    const auto rest = [&](const Inside* part) {
      return primes + (behind.empty() ? "" : "." + rest_of(text, behind, part, rows));
    };
    if (const auto other = in->stands_for.find(name); first.open == 0 && other != in->stands_for.end())
      return other->second + rest(nullptr);
    if (const auto own = in->own.find(key); own != in->own.end() && (own->second & wanted) != 0) {
      const auto part = in->parts.find(key);
      if (in->vectors.contains(key) && alone) return fmt::format("[{0}.x, {0}.y, {0}.z]", in->prefix + key);
      return in->prefix + key + rest(part == in->parts.end() ? nullptr : part->second.get());
    }
    if (first.open == 0) continue;
    if (const auto own = in->own.find(name); rows && own != in->own.end() && (own->second & wanted) != 0)
      return in->prefix + name + "[" + number + "]";
    if (const auto all = in->repeated.find(name); all != in->repeated.end()) {
      note_in_text(first.begin, fmt::format("'{}' is '{}', and the elements of '{}' are '{}' to '{}'",
                                            text.substr(first.begin, first.close + 1 - first.begin), key,
                                            name, all->second.first, all->second.last));
      return key;
    }
  }
  if (first.open != 0 && !rows) {
    note_in_text(first.begin, fmt::format("'{}': nothing called '{}' is repeated",
                                          text.substr(first.begin, first.close + 1 - first.begin), name));
    return key;
  }
  if (first.open != 0) return name + "[" + number + "]";
  return name + primes + (behind.empty() ? "" : "." + rest_of(text, behind, nullptr, rows));
}

Expander::Renamed Expander::renamed(std::string_view text, Mode mode) {
  Renamed out;
  out.text.reserve(text.size() + 16);
  // What is copied goes on where the last copy ended, or where a name stood.
  const auto copy = [&](std::size_t from, std::size_t to) {
    out.text += text.substr(from, to - from);
    if (out.pieces.empty() || !out.pieces.back().copied) out.pieces.push_back({0, from, true});
    out.pieces.back().end = out.text.size();
  };
  std::vector<Open> open;
  bool row_follows = mode.rows, force_closed = false;
  std::vector<Segment> path;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    const bool member = c == '.' && force_closed && is_letter(at_or_end(text, at + 1));
    if (!member && (is_digit(c) || (c == '.' && is_digit(at_or_end(text, at + 1))))) {
      const std::size_t end = end_of_number(text, at);
      copy(at, end);
      at = end;
      continue;
    }
    if (member) copy(at, at + 1), ++at;
    path.clear();
    const std::size_t end = read_path(text, at, path);
    if (path.empty()) {
      if (c == '(') open.push_back({});
      if (c == ',' && !open.empty()) open.back().of_force = false;
      force_closed = false;
      if (c == ')' && !open.empty()) {
        force_closed = open.back().of_force;
        open.pop_back();
      }
      copy(at, at + 1);
      ++at;
      continue;
    }
    force_closed = false;
    std::size_t next = end;
    while (at_or_end(text, next) == ' ') ++next;
    const bool called = at_or_end(text, next) == '(';
    const Segment& last = path.back();
    const std::string_view word = text.substr(path.front().begin, last.end - path.front().begin);
    if (called && path.size() == 1 && !member) {
      copy(at, next + 1);
      at = next + 1;
      open.push_back({word == "force"});
      row_follows = asks_for_row(word);
      continue;
    }
    const std::string made = resolved(text, path, row_follows, mode);
    row_follows = mode.rows;
    if (made != text.substr(at, end - at)) out.changed = true;
    out.text += made;
    out.pieces.push_back({out.text.size(), at, false});
    at = end;
  }
  return out;
}

Entry Expander::renamed_entry(const Entry& entry, Mode mode) {
  Entry out = shell(entry);
  const Entry* const outer = std::exchange(text_, &entry);
  Renamed made = renamed(entry.text, mode);
  text_ = outer;
  if (made.changed) {
    const std::vector<std::size_t> places = places_of_text(source_, entry);
    std::size_t at = 0;
    for (const Renamed::Piece& piece : made.pieces) {
      if (piece.copied)
        for (std::size_t from = piece.from; at < piece.end; ++at, ++from)
          out.places.add(Source::in_use(places[from], use_));
      else
        out.places.add(Source::in_use(places[piece.from], use_), piece.end - at);
      at = piece.end;
    }
    out.places.add(Source::in_use(places[entry.text.size()], use_));
  }
  spend(0, made.text.size());
  out.text = std::move(made.text);
  return out;
}

void Expander::note_in_text(std::size_t k, std::string text) {
  if (in_key_) return note(Source::in_use(text_->key_at, use_), std::move(text));
  const std::vector<std::size_t> places = places_of_text(source_, *text_);
  note(Source::in_use(places[std::min(k, places.size() - 1)], use_), std::move(text));
}

}  // namespace vinculum
