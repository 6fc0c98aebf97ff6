// Entries of the document as values: numbers, vectors, equations, words.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "io/model/reader_templates.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/expr/valuation.hpp"
#include "vinculum/io/faults.hpp"
#include "vinculum/kernel/kernel.hpp"
#include "vinculum/lower/constants.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {

using Kind = Entry::Kind;

void Reader::note(std::size_t at, std::string text) {
  faults.push_back({source_.place(at), std::move(text), at});
}

void Reader::note(const Entry& entry, std::string text) {
  if (entry.at != std::string::npos) return note(entry.at, std::move(text));
  // What `--set` gave stands in no file.
  faults.push_back({{"--set " + entry.key + "=" + entry.text, 0, 0}, std::move(text), 0});
}

void Reader::suggest(std::string name, std::function<std::vector<std::string>()> known) {
  suggestions_.emplace(faults.size() - 1, Suggestion{std::move(name), std::move(known)});
}

std::vector<std::size_t> Reader::of_first_uses(const std::vector<std::size_t>& order,
                                               std::map<std::size_t, std::size_t>& others) const {
  std::vector<std::size_t> kept;
  for (std::size_t begin = 0; begin < order.size();) {
    const auto at = [&](std::size_t k) { return Source::stated(faults[order[k]].at); };
    const bool placed = faults[order[begin]].place.line > 0;
    std::size_t end = begin + 1;
    while (end < order.size() && placed && at(end) == at(begin)) ++end;
    const std::size_t use = Source::use_of(faults[order[begin]].at);
    std::set<std::size_t> uses;
    for (std::size_t k = begin; k < end; ++k) {
      const std::size_t other = Source::use_of(faults[order[k]].at);
      if (other != use) uses.insert(other);
      // What could not be found may be part of what could not be written out.
      if (other == use && (complete_ || !suggestions_.contains(order[k]))) kept.push_back(order[k]);
    }
    if (!uses.empty() && !kept.empty()) others[kept.back()] = uses.size();
    begin = end;
  }
  return kept;
}

void Reader::sort_faults() {
  std::vector<std::size_t> order(faults.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
    return std::pair(faults[a].place.line > 0, Source::stated(faults[a].at)) <
           std::pair(faults[b].place.line > 0, Source::stated(faults[b].at));
  });
  std::map<std::size_t, std::size_t> other_uses;  // by the fault that stands for them
  order = of_first_uses(order, other_uses);
  for (std::size_t k = 0; k < std::min<std::size_t>(order.size(), most_faults_shown); ++k)
    if (const auto s = suggestions_.find(order[k]); s != suggestions_.end()) {
      std::vector<std::string> known = s->second.known();
      // In a part its own things are called without its name.
      if (const std::string part = source_.part_at(faults[order[k]].at); !part.empty())
        for (std::string& name : known)
          if (name.starts_with(part + ".")) name.erase(0, part.size() + 1);
      if (const std::string near = nearest_name(s->second.name, known); !near.empty())
        faults[order[k]].text += " (did you mean '" + near + "'?)";
    }
  std::vector<Fault> sorted;
  for (const std::size_t k : order) {
    sorted.push_back(std::move(faults[k]));
    sorted.back().text += source_.told_use(sorted.back().at);
    if (const auto more = other_uses.find(k); more != other_uses.end())
      sorted.back().text +=
          fmt::format("; {} other use{} the same", more->second, more->second == 1 ? " has" : "s have");
  }
  faults = std::move(sorted);
}

void Reader::note(const Place& in_text, std::string text) {
  const Entry& entry = *text_->entry;
  if (entry.at == std::string::npos)
    note(entry, std::move(text));
  else
    note(places_of_text(source_, entry)[offset_of(in_text)], std::move(text));
}

/// Counted in the content of the text being read.
std::size_t Reader::offset_of(const Place& in_text) const {
  const std::string& content = text_->entry->text;
  std::size_t offset = 0;
  for (int line = 1; line < in_text.line; ++line) {
    const std::size_t end = content.find('\n', offset);
    if (end == content.npos) break;
    offset = end + 1;
  }
  return std::min(offset + static_cast<std::size_t>(in_text.column - 1), content.size());
}

std::size_t Reader::first_letter(const Entry& text) const {
  const std::vector<std::size_t> places = places_of_text(source_, text);
  return places.empty() ? text.at : places.front();
}

Value Reader::value(const Entry& entry, const Context& context) {
  if (entry.kind == Kind::array) return vector(entry, context);
  if (entry.kind == Kind::number) {
    if (std::isfinite(entry.number)) return Expr(entry.number);
    note(entry, fmt::format("{} is {}; it must be a finite number", context.what, number_text(entry.number)));
    return Value::unknown();
  }
  if (entry.kind != Kind::text) {
    note(entry, fmt::format("{} is {}; a number or an expression in quotes is asked for", context.what,
                            kind_name(entry.kind)));
    return Value::unknown();
  }
  return parsed(entry, context, [&] { return parse_value(model_.stated().graph(), entry.text, *this); });
}

Value Reader::scalar(const Entry& entry, const Context& context) {
  if (entry.kind == Kind::array) {
    note(entry, fmt::format("{} is an array; a number is asked for", context.what));
    return Value::unknown();
  }
  Value result = value(entry, context);
  if (result.is(Value::Kind::scalar) || result.is(Value::Kind::unknown)) return result;
  note(entry, fmt::format("{} is {}; a number is asked for", context.what, kind_name(result.kind)));
  return Value::unknown();
}

Value Reader::vector(const Entry& entry, const Context& context) {
  if (entry.kind != Kind::array) {
    Value result = value(entry, context);
    if (result.is(Value::Kind::vector) || result.is(Value::Kind::unknown)) return result;
    const bool may_move = context.reach >= Reach::positions;
    note(entry, fmt::format("{} is {}; a vector is asked for, as in {}", context.what, kind_name(result.kind),
                            may_move ? "\"[0, 0, 1]\" or the name of a particle" : "[0, 0, 1]"));
    return Value::unknown();
  }
  if (entry.entries.size() != 3) {
    note(entry, fmt::format("{} has {} components; a vector has three", context.what, entry.entries.size()));
    return Value::unknown();
  }
  const Value x = scalar(entry.entries[0], context), y = scalar(entry.entries[1], context),
              z = scalar(entry.entries[2], context);
  for (const Value& part : {x, y, z})
    if (part.is(Value::Kind::unknown)) return part;
  return Vector{x.scalar, y.scalar, z.scalar};
}

ValueEquation Reader::equation(const Entry& entry, const Context& context) {
  const ValueEquation unknown{Value::unknown(), Value::unknown()};
  if (entry.kind != Kind::text) {
    note(entry, fmt::format("{} is {}; an equation in quotes is asked for: \"left = right\"", context.what,
                            kind_name(entry.kind)));
    return unknown;
  }
  ValueEquation result = unknown;
  parsed(entry, context, [&] {
    result = parse_value_equation(model_.stated().graph(), entry.text, *this);
    return result.left.is(Value::Kind::unknown) ? result.right : result.left;
  });
  require_finite(result.right, entry, context);
  return result;
}

namespace {

/// The value of an expression without symbols.
double evaluate(const Expr& e) {
  if (e.is_constant()) return e.value();
  double value = 0;
  vinculum::evaluate(Kernel({&e, 1}, {}), {}, {&value, 1});
  return value;
}

}  // namespace

double Reader::number(const Entry* entry, const std::string& what, double fallback) {
  if (entry == nullptr) return fallback;
  if (path_.empty()) open_read_.clear();
  const Value result = scalar(*entry, {.what = what, .reach = Reach::parameters});
  if (result.is(Value::Kind::unknown)) return fallback;
  require_values_of_numbers(*entry, what);
  const double value = evaluate(result.scalar);
  if (std::isfinite(value)) return value;
  note(*entry, fmt::format("{} is {}; it must be a finite number", what, number_text(value)));
  return fallback;
}

std::array<double, 3> Reader::numbers(const Entry* entry, const std::string& what) {
  if (entry == nullptr) return {};
  if (path_.empty()) open_read_.clear();
  const Value result = vector(*entry, {.what = what, .reach = Reach::parameters});
  if (result.is(Value::Kind::unknown)) return {};
  require_values_of_numbers(*entry, what);
  const std::array<double, 3> xyz{evaluate(result.vector.x), evaluate(result.vector.y),
                                  evaluate(result.vector.z)};
  for (const double x : xyz)
    if (!std::isfinite(x)) {
      note(*entry, fmt::format("{} has the component {}; it must be a finite number", what, number_text(x)));
      return {};
    }
  return xyz;
}

std::optional<Value> Reader::of_parameters(const Entry& entry, const std::string& what, ReadEntry as) {
  if (has_open_) return std::nullopt;
  const std::size_t before = faults.size();
  const Value value = (this->*as)(entry, {.what = what, .reach = Reach::symbols});
  if (faults.size() == before && !value.is(Value::Kind::unknown)) return value;
  faults.resize(before);
  suggestions_.erase(suggestions_.lower_bound(before), suggestions_.end());
  return std::nullopt;
}

std::optional<Expr> Reader::judged_constant(const Entry& entry, const std::string& what, double fallback,
                                            const std::function<void(double)>& judge) {
  const std::size_t before = faults.size();
  const std::optional<Value> known = of_parameters(entry, what, &Reader::scalar);
  const double size = known ? model_.stated().value_now(known->scalar, what) : number(&entry, what, fallback);
  if (faults.size() == before) noting_faults(entry.at, [&] { judge(size); });
  const Value stated = known ? *known : scalar(entry, {.what = what, .reach = Reach::symbols});
  if (faults.size() > before || !stated.is(Value::Kind::scalar)) return std::nullopt;
  return stated.scalar;
}

namespace {

/// An expression where parameters stand in it, else its value.
Expr value_or_symbols(const Expr& e) {
  return e.is_constant() || e.is_symbol() || !symbols_of({&e, 1}).empty() ? e : Expr(evaluate(e));
}

}  // namespace

Expr Reader::start_number(const Entry* entry, const std::string& what) {
  if (entry == nullptr) return 0.0;
  if (const std::optional<Value> stated = of_parameters(*entry, what, &Reader::scalar))
    return value_or_symbols(stated->scalar);
  const std::size_t before = faults.size();
  const double value = number(entry, what, 0.0);
  if (faults.size() > before || !open_read_.empty()) return value;
  const Value stated = scalar(*entry, {.what = what, .reach = Reach::symbols});
  return stated.is(Value::Kind::scalar) ? value_or_symbols(stated.scalar) : Expr(value);
}

Triple Reader::start_numbers(const Entry* entry, const std::string& what) {
  if (entry == nullptr) return {};
  const auto triple = [](const Vector& v) {
    return Triple{value_or_symbols(v.x), value_or_symbols(v.y), value_or_symbols(v.z)};
  };
  if (const std::optional<Value> stated = of_parameters(*entry, what, &Reader::vector))
    return triple(stated->vector);
  const std::size_t before = faults.size();
  const std::array<double, 3> values = numbers(entry, what);
  if (faults.size() > before || !open_read_.empty()) return values;
  const Value stated = vector(*entry, {.what = what, .reach = Reach::symbols});
  return stated.is(Value::Kind::vector) ? triple(stated.vector) : Triple(values);
}

void Reader::fix_zero(const Entry* entry, const std::string& what) {
  const Fixing fixing(*this, what);
  number(entry, what, 0.0);
}

/// Whether they are made of parameters alone, and all their parts are finite.
bool Reader::is_finite_number(std::span<const Expr> roots) const {
  Valuation valuation(roots);
  if (valuation.has_calls()) return false;
  std::vector<double> numbers, values(roots.size());
  numbers.reserve(valuation.symbols().size());
  for (const Expr& symbol : valuation.symbols()) {
    const SymbolRole which = model_.stated().role(symbol);
    if (!is_number(which.role)) return false;
    numbers.push_back(model_.stated().number_of(which));
  }
  valuation.at(numbers, values);
  return valuation.was_finite();
}

/// The smallest part that is no finite number is named.
void Reader::require_finite(const Value& value, const Entry& entry, const Context& context) {
  if (value.is(Value::Kind::unknown)) return;
  const bool is_vector = value.is(Value::Kind::vector);
  const Expr parts[] = {is_vector ? value.vector.x : value.scalar, value.vector.y, value.vector.z};
  const std::span<const Expr> roots(parts, is_vector ? 3 : 1);
  for (const Expr& root : roots)
    if (root.is_constant() && !std::isfinite(root.value())) {
      note(entry, fmt::format("{} is {}; it must be finite", context.what, number_text(root.value())));
      return;
    }
  if (std::ranges::all_of(roots, [](const Expr& e) { return e.is_constant() || e.is_symbol(); })) return;
  if (is_finite_number(roots)) return;
  for (const Expr& part : constant_parts(model_, roots))
    if (const double number = model_.stated().value_now(part, context.what); !std::isfinite(number)) {
      note(entry, constant_fault(part, context.what, number));
      return;
    }
}

bool Reader::pair(const Entry& entry, const Context& context, Vector& from, Vector& to) {
  if (entry.kind != Kind::array || entry.entries.size() != 2) {
    note(entry, fmt::format("{} joins two points: [\"p\", \"q\"], each a vector expression or \"ground\"",
                            context.what));
    return false;
  }
  const Value a = vector(entry.entries[0], context), b = vector(entry.entries[1], context);
  if (a.is(Value::Kind::unknown) || b.is(Value::Kind::unknown)) return false;
  from = a.vector;
  to = b.vector;
  return true;
}

bool Reader::truth(const Entry* entry, const std::string& what, bool fallback) {
  if (entry == nullptr) return fallback;
  if (entry->kind == Kind::boolean) return entry->boolean;
  note(*entry, fmt::format("{} is {}; true or false is asked for", what, kind_name(entry->kind)));
  return fallback;
}

std::string name_here(std::string_view elsewhere) {
  struct Names {
    std::string_view elsewhere, here;
  };
  static constexpr Names names[] = {
      {"hinge", "revolute"},  {"pin", "revolute"},     {"pivot", "revolute"},    {"continuous", "revolute"},
      {"ball", "spherical"},  {"socket", "spherical"}, {"slider", "prismatic"},  {"slide", "prismatic"},
      {"fixed", "weld"},      {"rigid", "weld"},       {"cardan", "universal"},  {"hooke", "universal"},
      {"helical", "screw"},   {"rod", "distance"},     {"link", "distance"},     {"wheel", "rolling"},
      {"world", "ground"},    {"earth", "ground"},     {"base", "ground"},       {"origin", "ground"},
      {"inertial", "ground"}, {"frame", "ground"},     {"fixed_frame", "ground"}};
  for (const Names& n : names)
    if (n.elsewhere == elsewhere) return std::string(n.here);
  return "";
}

std::string Reader::word(const Entry* entry, const KeyFormat& format, const std::string& what,
                         std::string fallback) {
  if (entry == nullptr) return fallback;
  std::vector<std::string> choices;
  for (std::size_t at = 0; at < format.words.size();) {
    const std::size_t end = std::min(format.words.find(' ', at), format.words.size());
    const std::string_view choice = format.words.substr(at, end - at);
    if (entry->kind == Kind::text && choice == entry->text) return entry->text;
    choices.emplace_back(choice);
    at = end + 1;
  }
  const std::string shown =
      entry->kind == Kind::text ? "'" + entry->text + "'" : std::string(kind_name(entry->kind));
  const std::string other = entry->kind == Kind::text ? name_here(entry->text) : "";
  const bool is_choice = std::ranges::count(choices, other) > 0;
  const std::string near = is_choice                   ? other
                           : entry->kind == Kind::text ? nearest_name(entry->text, choices)
                                                       : "";
  note(*entry, fmt::format("{} is {}; it is one of {}{}", what, shown, list_text(choices, choices.size()),
                           near.empty() ? "" : " (did you mean '" + near + "'?)"));
  return fallback;
}

long Reader::count(const Entry* entry, const std::string& what, long least, long most, long fallback) {
  if (entry == nullptr) return fallback;
  const std::size_t before = faults.size();
  const double value = number(entry, what, static_cast<double>(fallback));
  if (faults.size() > before) return fallback;
  if (value == std::floor(value) && value >= static_cast<double>(least) && value <= static_cast<double>(most))
    return static_cast<long>(value);
  note(*entry, fmt::format("{} is {}; a whole number from {} to {} is asked for", what, number_text(value),
                           least, most));
  return fallback;
}

const Entry* Reader::table_of(const Entry& entry, std::span<const KeyFormat> keys, const std::string& what,
                              const std::function<std::vector<std::string>()>& of_use) {
  if (entry.kind != Kind::table) {
    note(entry, fmt::format("{} is {}; a table is asked for", what, kind_name(entry.kind)));
    return nullptr;
  }
  for (const Entry& child : entry.entries) {
    if (std::ranges::find(keys, std::string_view(child.key), &KeyFormat::name) != keys.end()) continue;
    std::vector<std::string> known = of_use ? of_use() : std::vector<std::string>();
    if (known.empty())
      for (const KeyFormat& key : keys) known.emplace_back(key.name);
    const std::string near = nearest_name(child.key, known);
    note(child.key_at, fmt::format("unknown key '{}' in {} ({})", child.key, what,
                                   near.empty() ? "keys are " + list_text(known, known.size())
                                                : "did you mean '" + near + "'?"));
  }
  for (const KeyFormat& key : keys)
    if (key.needed && entry.find(key.name) == nullptr)
      note(entry, fmt::format("{} has no '{}'", what, key.name));
  return &entry;
}

const Entry* Reader::top(const char* name) const {
  const Entry* entry = root_.find(name);
  return entry != nullptr && entry->kind == Kind::table ? entry : nullptr;
}

}  // namespace vinculum
