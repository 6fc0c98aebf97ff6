// Repetition: for = "i = 1..n".
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "io/model/expander_templates.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/expr/parse.hpp"
#include "vinculum/kernel/kernel.hpp"
#include "vinculum/model/checks.hpp"

namespace vinculum {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// The first place of `what` outside of parentheses and brackets, or the end.
std::size_t find_outside(std::string_view text, std::string_view what, std::size_t from) {
  int depth = 0;
  for (std::size_t at = from; at < text.size(); ++at) {
    if (text[at] == '(' || text[at] == '[') ++depth;
    if (text[at] == ')' || text[at] == ']') --depth;
    if (depth == 0 && text.substr(at, what.size()) == what) return at;
  }
  return text.size();
}

double evaluate(const Expr& e) {
  if (e.is_constant()) return e.value();
  double value = 0;
  vinculum::evaluate(Kernel({&e, 1}, {}), {}, {&value, 1});
  return value;
}

constexpr const char* as_in = "; it is said as in for = \"i = 1..n\" or \"i = 1..n, j = 1..i\"";

}  // namespace

bool Expander::read_loop(const Entry& loop, std::vector<Clause>& clauses) {
  if (loop.kind != Entry::Kind::text) {
    note(loop.at, fmt::format("'for' is {}{}", kind_name(loop.kind), as_in));
    return false;
  }
  const std::string_view text = loop.text;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = find_outside(text, ",", at), equals = text.find('=', at);
    const std::size_t dots = equals < end ? find_outside(text.substr(0, end), "..", equals) : end;
    const std::string index(trimmed(text.substr(at, std::min(equals, end) - at)));
    if (equals >= end || dots >= end) {
      note(loop.at, fmt::format("'for' is '{}'{}", loop.text, as_in));
      return false;
    }
    const bool taken = std::ranges::any_of(indices_, [&](const Index& i) { return i.name == index; }) ||
                       std::ranges::any_of(clauses, [&](const Clause& c) { return c.index == index; });
    if (!is_name(index) || index.find('.') != index.npos || is_reserved_word(index) || taken) {
      note(loop.at, taken ? fmt::format("the index '{}' is there twice", index)
                          : fmt::format("'{}' cannot name an index{}", index, as_in));
      return false;
    }
    clauses.push_back({index, equals + 1, dots, dots + 2, end});
    at = end + 1;
  }
  return true;
}

void Expander::turn(const Entry& loop, const std::vector<Clause>& clauses, std::size_t k,
                    const std::function<void()>& each) {
  if (k == clauses.size()) return each();
  const Clause& clause = clauses[k];
  const std::string_view text = loop.text;
  const Entry* const outer = std::exchange(text_, &loop);
  const std::string what = fmt::format("the range of '{}'", clause.index);
  counted_ = what;
  long from = 0, to = 0;
  const bool known =
      whole_number(text.substr(clause.from, clause.from_end - clause.from), clause.from, what, from) &&
      whole_number(text.substr(clause.to, clause.to_end - clause.to), clause.to, what, to);
  counted_.clear();
  text_ = outer;
  if (!known) return;
  indices_.push_back({clause.index, from});
  for (long value = from; value <= to; ++value) {
    last_at_ = Source::in_use(loop.at, use_);
    spend_turn();
    indices_.back().value = value;
    turn(loop, clauses, k + 1, each);
  }
  indices_.pop_back();
}

/// A key without brackets gets the indices at its end: p3, p3_1.
std::string Expander::element_key(const Entry& entry) {
  if (entry.key.find('[') != entry.key.npos) {
    const Entry* const outer = std::exchange(text_, &entry);
    const bool key = std::exchange(in_key_, true);
    std::string made;
    for (std::size_t at = 0; at < entry.key.size();) {
      std::vector<Segment> path;
      const std::size_t end = read_path(entry.key, at, path);
      if (path.empty()) {
        made += entry.key[at++];
        continue;
      }
      made += rest_of(entry.key, path, nullptr, false);
      at = end;
    }
    text_ = outer;
    in_key_ = key;
    return made;
  }
  std::string key = entry.key;
  const Entry* loop = entry.kind == Entry::Kind::table ? entry.find("for") : nullptr;
  if (loop == nullptr) return key;
  for (std::size_t k = 0; k < indices_.size(); ++k) {
    const Index& index = indices_[k];
    if (index.value < 0)
      note(Source::in_use(loop->at, inside_->use),
           fmt::format("{} = {} is the number of no element of '{}'; they are counted 0, 1, 2 and on",
                       index.name, index.value, entry.key));
    key += (k == 0 && index.value >= 0 ? "" : "_") + std::to_string(std::abs(index.value));
  }
  return key;
}

bool Expander::whole_number(std::string_view text, std::size_t at, const std::string& what, long& out) {
  constexpr double largest = 1e9;
  const std::string_view plain = trimmed(text);
  // Most are i, i+1, i-1 or a number.
  std::size_t name_end = 0;
  while (name_end < plain.size() &&
         (std::isalnum(static_cast<unsigned char>(plain[name_end])) || plain[name_end] == '_'))
    ++name_end;
  long base = 0;
  std::string_view rest = plain;
  if (const auto index =
          std::ranges::find_if(indices_, [&](const Index& i) { return i.name == plain.substr(0, name_end); });
      index != indices_.end()) {
    base = index->value;
    rest = trimmed(plain.substr(name_end));
    if (rest.empty()) {
      out = base;
      return true;
    }
  }
  const bool moved = rest.size() < plain.size();
  const std::string_view digits = moved ? trimmed(rest.substr(1)) : rest;
  const bool is_short = !digits.empty() && digits.size() < 10 &&
                        digits.find_first_not_of("0123456789") == digits.npos &&
                        (!moved || rest[0] == '+' || rest[0] == '-');
  if (is_short) {
    long by = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), by);
    out = moved ? (rest[0] == '-' ? base - by : base + by) : by;
    return true;
  }
  double value = 0;
  try {
    if (!value_of(text, what, value)) return false;
  } catch (const Error& e) {
    const auto column = static_cast<std::size_t>(std::max(1, e.place().column) - 1);
    note_in_text(at + (e.place().line <= 1 ? std::min(column, text.size()) : 0),
                 e.text() + " (in " + what + ")");
    return false;
  }
  if (value == std::floor(value) && std::fabs(value) <= largest) {
    out = static_cast<long>(value);
    return true;
  }
  note_in_text(at + static_cast<std::size_t>(plain.data() - text.data()),
               fmt::format("{} is {}; a whole number is asked for", what, number_text(value)));
  return false;
}

bool Expander::value_of(std::string_view text, const std::string&, double& out) {
  Graph& graph = *graph_.get();
  const Expr e = parse(graph, text, [this](std::string_view name, const Place& place) -> Expr {
    for (const Index& index : indices_)
      if (index.name == name) return Expr(static_cast<double>(index.value));
    return Expr(parameter(std::string(name), place));
  });
  out = evaluate(e);
  return true;
}

/// The value a parameter has before anything is read: as stated, or as `--set` gives it.
double Expander::parameter(const std::string& name, const Place& place) {
  const Inside* in = inside_;
  while (in != nullptr && !in->parameters.contains(name)) in = in->outer;
  if (in == nullptr)
    fail("'" + name + "' is no parameter; what counts is made of indices and parameters", place);
  constexpr std::size_t longest = 100;
  const std::string full = in->prefix + name;
  if (std::ranges::count(reading_, full) > 0 || reading_.size() > longest)
    fail("parameter '" + full + "' goes in a circle", place);
  if (reading_.empty() && !counted_.empty()) counting_.try_emplace(full, counted_);
  const Inside::Stated& stated = in->parameters.at(name);
  const auto given = overrides_.find(full);
  if (given == overrides_.end() && stated.entry->kind == Entry::Kind::number) return stated.entry->number;
  if (given == overrides_.end() && stated.entry->kind != Entry::Kind::text)
    fail("parameter '" + full + "' is " + std::string(kind_name(stated.entry->kind)) +
             ", and a number is asked for",
         place);
  const std::string& text = given == overrides_.end() ? stated.entry->text : given->second;
  if (text == "?")
    fail("parameter '" + full + "' has no value, and it counts: give it by --set " + full + "=..", place);
  const Inside* top = in;
  while (top->outer != nullptr) top = top->outer;
  reading_.push_back(full);
  const Inside* const inside = std::exchange(inside_, given == overrides_.end() ? stated.in : top);
  Indices indices = std::exchange(indices_, given == overrides_.end() ? stated.indices : Indices{});
  double value = 0;
  std::string fault;
  try {
    value_of(text, "", value);
  } catch (const Error& e) {
    fault = e.text();
  }
  inside_ = inside;
  indices_ = std::move(indices);
  reading_.pop_back();
  if (!fault.empty()) fail(fault + " (in parameter '" + full + "')", place);
  return value;
}

}  // namespace vinculum
