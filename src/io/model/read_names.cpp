// What has a name: parameters, definitions, coordinates, particles; bodies stand in read_bodies.cpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "io/model/reader_templates.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/expr/parse.hpp"
#include "vinculum/model/checks.hpp"

namespace vinculum {

bool is_open_text(const Entry& entry, std::string_view mark) {
  if (entry.kind != Entry::Kind::text) return false;
  std::string text;
  for (const char c : entry.text)
    if (c != ' ' && c != '\t') text += c;
  return text == mark;
}

bool Reader::require_name(const Entry& entry, const std::string& what) {
  const bool whole = is_name(entry.key), plain = whole && entry.key.find('.') == entry.key.npos;
  if (plain || (whole && (is_of_part(entry.key) || is_in_series(entry.key)))) return true;
  note(entry.key_at, name_fault(entry.key, what));
  return false;
}

bool Reader::is_of_part(std::string_view name) {
  if (!last_part_.empty() && name.starts_with(last_part_) && name.substr(last_part_.size()).starts_with('.'))
    return true;
  const Entry* parts = root_.find("parts");
  if (parts == nullptr) return false;
  for (std::size_t dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1))
    if (parts->find(name.substr(0, dot)) != nullptr) {
      last_part_ = name.substr(0, dot);
      return true;
    }
  return false;
}

std::size_t Reader::end_of_name(std::string_view path) const {
  const std::size_t first = std::min(path.find('.'), path.size());
  if (root_.find("parts") == nullptr && &root_ != &own_root_) return first;
  const auto is_known = [&](std::string_view name) {
    return names_.contains(name) || is_joint(name) || is_bushing(name) || view_points_.contains(name);
  };
  for (std::size_t end = path.size(); end > first; end = path.rfind('.', end - 1))
    if (is_known(path.substr(0, end))) return end;
  return first;
}

bool Reader::is_stated(std::string_view name) const {
  for (const char* key : {"coordinates", "particles", "bodies"})
    if (const Entry* table = root_.find(key); table != nullptr && table->find(name) != nullptr) return true;
  return false;
}

void Reader::declare(const Entry& entry, const char* what) {
  if (!require_name(entry, std::string("a ") + what)) return;
  noting_faults(entry.key_at, [&] {
    if (const std::string_view last = std::string_view(entry.key).substr(entry.key.rfind('.') + 1);
        is_reserved_word(last))
      require_not_reserved(last, std::string("a ") + what);
    const auto [other, is_new] = names_.emplace(entry.key, Named{&entry, what});
    if (!is_new) refuse_taken_name(entry.key, std::string("a ") + other->second.what);
  });
}

/// All names first: entries may refer to later ones.
void Reader::declare_all() {
  for (const auto& [table, what] : {std::pair{"parameters", "parameter"},
                                    {"definitions", "definition"},
                                    {"coordinates", "coordinate"},
                                    {"particles", "particle"},
                                    {"bodies", "body"}})
    if (const Entry* entries = top(table))
      for (const Entry& entry : entries->entries) declare(entry, what);
  for (const auto& [table, what] : {std::pair{"joints", "a joint"}, {"constraints", "a constraint"}})
    if (const Entry* entries = top(table))
      for (const Entry& entry : entries->entries)
        if (require_name(entry, what) && type_of(entry) != "series" &&
            !constraints_.emplace(entry.key, -1).second)
          noting_faults(entry.key_at, [&] { refuse_taken_name(entry.key, "a joint"); });
  for (const auto& [name, named] : names_)
    for (std::size_t dot = name.find('.'); dot != name.npos; dot = name.find('.', dot + 1))
      if (const auto other = names_.find(name.substr(0, dot)); other != names_.end())
        note(named.entry->key_at, fmt::format("'{}' cannot be a name beside '{}', which is that of a {}",
                                              name, other->first, other->second.what));
}

void Reader::apply_overrides(const Overrides& overrides) {
  std::vector<std::string> known;
  if (const Entry* table = top("parameters"))
    for (const Entry& entry : table->entries) known.push_back(entry.key);
  for (const auto& [name, text] : overrides) {
    const auto found = parameters_.find(name);
    if (found == parameters_.end()) {
      const std::string near = nearest_name(name, known);
      Fault& fault = faults.emplace_back();
      fault.place.file = "--set " + name + "=" + text;
      fault.text = fmt::format("there is no parameter '{}' in '{}'{}", name, source_.path(),
                               known.empty()  ? "; it has none"
                               : near.empty() ? "; parameters are " + list_text(known)
                                              : " (did you mean '" + near + "'?)");
      continue;
    }
    ParameterState& state = found->second;
    if (state.overridden)
      file_.warnings.push_back(fmt::format("--set {} is given twice; the last, {}, holds", name, text));
    state.overridden = true;
    Entry& given = given_.emplace_back();
    given.key = name;
    given.kind = Entry::Kind::text;
    given.text = text;
    given.at = given.key_at = std::string::npos;
    state.entry = &given;
  }
}

void Reader::read_parameters() {
  const Entry* table = top("parameters");
  if (table == nullptr) return;
  for (const Entry& entry : table->entries) {
    const auto named = names_.find(entry.key);
    if (named == names_.end() || named->second.entry != &entry) continue;
    const double value = parameter_value(entry.key, named->second);
    ParameterState& state = *named->second.parameter;
    if (!state.known) continue;
    const bool open = is_open_text(*state.entry, "?");
    has_open_ = has_open_ || state.open;
    noting_faults(entry.key_at, [&] {
      state.symbol = state.open ? model_.open_parameter(entry.key, open ? "" : state.entry->text)
                                : model_.parameter(entry.key, value);
    });
    if (open) require_value(entry.key);
  }
  define_parameters();
}

/// Parameters that are made of others, now that all of them have their symbols.
void Reader::define_parameters() {
  std::vector<std::string> made;
  for (const auto& [name, state] : parameters_)
    if (state.symbol && state.known && !state.open && state.entry->kind == Entry::Kind::text)
      made.emplace_back(name);
  std::ranges::sort(made);
  for (const std::string& name : made) {
    const ParameterState& state = parameters_.find(name)->second;
    const Value stated = scalar(*state.entry, {.what = "parameter '" + name + "'", .reach = Reach::symbols});
    if (stated.is(Value::Kind::scalar) && !symbols_of({&stated.scalar, 1}).empty())
      model_.define(name, stated.scalar);
  }
}

/// All but derive need a value.
void Reader::require_value(const std::string& parameter) {
  if (open_ == OpenNames::allowed) return;
  note(names_.find(parameter)->second.entry->key_at,
       fmt::format(
           "parameter '{0}' has no value, and only 'derive' does without one: give it by --set {0}=.., "
           "or here",
           parameter));
}

/// alpha = "?(t)"
Value Reader::open_function(const Entry& entry) {
  if (open_ == OpenNames::refused)
    note(entry.key_at,
         fmt::format(
             "'{0}' is a function of t without an expression, and only 'derive' does without one: write "
             "one here, {0} = \"sin(t)\" for example",
             entry.key));
  Value result = Value::unknown();
  has_open_ = true;
  noting_faults(entry.key_at, [&] { result = model_.open_function(entry.key); });
  return result;
}

/// A number inside an equation that is made of a parameter without value would hide it.
void Reader::require_values_of_numbers(const Entry& entry, const std::string& what) {
  if (open_read_.empty() || is_start_ || !path_.empty() || open_ == OpenNames::refused) return;
  note(entry,
       fmt::format("{0} is a number, and '{1}' in it has no value: give it one by --set {1}=.., or in the "
                   "file",
                   what, open_read_));
}

double Reader::parameter_value(const std::string& name, const Named& named) {
  ParameterState& state = *named.parameter;
  if (state.stage == Stage::read) return state.value;
  const std::size_t key_at = named.entry->key_at;
  constexpr std::size_t longest = 200;
  if (state.stage == Stage::reading || path_.size() > longest) {
    std::string circle;
    for (auto step = std::find(path_.begin(), path_.end(), name); step != path_.end(); ++step)
      circle += *step + " -> ";
    if (state.stage == Stage::reading)
      note(key_at, fmt::format("parameter '{}' goes in a circle: {}{}", name, circle, name));
    else
      note(key_at,
           fmt::format("parameter '{}' is the end of a chain of more than {} parameters", name, longest));
    state.known = false;
    return 0.0;
  }
  if (is_open_text(*state.entry, "?")) {
    state.open = true;
    state.stage = Stage::read;
    return state.value = 1.0;  // any number will do where it is looked at
  }
  state.stage = Stage::reading;
  path_.push_back(name);
  const std::size_t before = faults.size();
  const std::string read_before = std::exchange(open_read_, "");
  const double value = number(state.entry, "parameter '" + name + "'", 0.0);
  path_.pop_back();
  state.open = !open_read_.empty();
  open_read_ = read_before;
  state.value = value;
  state.known = state.known && faults.size() == before;
  state.stage = Stage::read;
  return value;
}

void Reader::read_coordinates() {
  const Entry* table = top("coordinates");
  if (table == nullptr) return;
  for (const Entry& entry : table->entries) {
    CoordinateStart start;
    const std::string what = "coordinate '" + entry.key + "'";
    is_start_ = true;
    if (entry.kind == Entry::Kind::table) {
      table_of(entry, table_format("coordinates").keys, what);
      start.start = start_number(entry.find("start"), "the start of " + what);
      start.rate = start_number(entry.find("rate"), "the rate of " + what);
    } else {
      start.start = start_number(&entry, "the start of " + what);
    }
    is_start_ = false;
    const auto named = names_.find(entry.key);
    if (named == names_.end() || named->second.entry != &entry) continue;
    noting_faults(entry.key_at, [&] {
      const Coordinate c = model_.coordinate(entry.key, start);
      coordinates_.emplace(entry.key, c);
    });
  }
}

void Reader::read_particles() {
  const Entry* table = top("particles");
  if (table == nullptr) return;
  for (const Entry& entry : table->entries) {
    const std::string what = "particle '" + entry.key + "'";
    if (table_of(entry, table_format("particles").keys, what) == nullptr) continue;
    ParticleOptions options;
    if (const Entry* mass = entry.find("mass")) {
      const Value value = scalar(*mass, {.what = "the mass of " + what, .reach = Reach::symbols});
      if (value.is(Value::Kind::scalar)) options.mass = value.scalar;
    }
    is_start_ = root_.find("joints") == nullptr;  // whose rows are made of where parts start
    options.position = start_numbers(entry.find("position"), "the position of " + what);
    options.velocity = start_numbers(entry.find("velocity"), "the velocity of " + what);
    is_start_ = false;
    const auto named = names_.find(entry.key);
    if (named == names_.end() || named->second.entry != &entry) continue;
    noting_faults(entry.key_at, [&] { particles_.emplace(entry.key, model_.particle(entry.key, options)); });
  }
}

}  // namespace vinculum
