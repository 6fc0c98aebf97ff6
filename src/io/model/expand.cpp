#include "io/model/expand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "io/model/expander_templates.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

using Kind = Entry::Kind;

/// What a model may be in full. No model written by a person or a sensible generator is larger; reading takes
/// a few hundred bytes of memory for each entry.
constexpr std::size_t most_entries = 500'000, most_text = 32u << 20;

const KeyFormat* key_in(std::span<const KeyFormat> keys, std::string_view name) {
  const auto found = std::ranges::find_if(keys, [&](const KeyFormat& k) { return k.name == name; });
  return found == keys.end() ? nullptr : &*found;
}

bool is_force_table(const std::string& table) { return table == "forces" || table == "nonideal"; }

/// Tables whose keys are names of things stated elsewhere.
bool refers_by_key(const std::string& table) {
  return table == "mass" || table == "units" || table == "multipliers" || is_force_table(table);
}

bool is_energy(std::string_view key) { return key == "kinetic" || key == "lagrangian" || key == "potential"; }

std::string indices_text(const Indices& indices) {
  std::vector<std::string> told;
  for (const Index& index : indices) told.push_back(fmt::format("{} = {}", index.name, index.value));
  return list_text(told);
}

}  // namespace

bool is_expanded(const Entry& root) {
  for (const Entry& table : root.entries) {
    if (table.key == "include" || table.key == "components" || table.key == "parts") return false;
    if (table.kind != Kind::table) continue;
    for (const Entry& entry : table.entries) {
      if (entry.kind != Kind::table) continue;
      if (entry.find("for") != nullptr) return false;
      if (table.key != "view") continue;
      for (const Entry& shown : entry.entries)
        if (shown.kind == Kind::table && shown.find("for") != nullptr) return false;
    }
  }
  return true;
}

Expansion expand(Source& source, const Entry& root, const Overrides& overrides, const IncludeFiles& files,
                 std::vector<Fault>& faults) {
  return Expander(source, overrides, files, faults).run(root);
}

Expansion Expander::run(const Entry& root) {
  Expansion result;
  Inside model;
  std::vector<Item> items;
  including_.push_back(std::filesystem::path(source_.path()).filename().generic_string());
  try {
    gather(root, 0, items);
    model.items = &items;
    declare(model);
    emit(model);
  } catch (const TooLarge&) {
    result.too_large = true;
    note(last_at_, fmt::format("the model in full has more than {} entries or {} MiB of text, the limit",
                               most_entries, most_text >> 20));
  }
  result.complete = complete_;
  if (!result.too_large) result.root = finished(root);
  for (const auto& [name, what] : counting_) result.counting.emplace_back(name, what);
  return result;
}

void Expander::note(std::size_t at, std::string text, bool missing) {
  complete_ = complete_ && !missing;
  if (noted_.emplace(at, text).second) faults_.push_back({source_.place(at), std::move(text), at});
}

void Expander::spend(std::size_t entries, std::size_t bytes) {
  entries_ += entries;
  bytes_ += bytes;
  if (entries_ > most_entries || bytes_ > most_text) throw TooLarge{};
}

void Expander::spend_turn() {
  if (++turns_ > 4 * most_entries) throw TooLarge{};
}

void Expander::emit(const Inside& inside) {
  for (const Item& item : *inside.items) {
    use_ = inside.use;
    last_at_ = Source::in_use(item.entry->key_at, use_);
    emit_item(inside, item);
  }
}

void Expander::emit_item(const Inside& inside, const Item& item) {
  const Entry& entry = *item.entry;
  inside_ = &inside;
  if (item.table.empty()) {
    const KeyFormat* format = key_in(top_keys(), entry.key);
    Entry value = copied(entry, format == nullptr ? Form::text : format->form, {});
    value.key = entry.key;
    return add("", nullptr, std::move(value));
  }
  const bool is_own = inside.outer != nullptr;
  const bool repeated = entry.kind == Kind::table && entry.find("for") != nullptr;
  if (item.table == "parameters" && is_own && !repeated) return;  // they come with the part
  if (item.table == "parts") return for_each(entry, inside, [&] { emit_part(inside, item); });
  if (item.table == "ensemble") return add(item.table, item.of, copied(entry, Form::text, {}));
  if (item.table == "simulate" || item.table == "view") {
    const KeyFormat* format = key_in(table_format(item.table).keys, entry.key);
    return add(item.table, item.of, copied(entry, format == nullptr ? Form::text : format->form, {}));
  }
  const bool shown = item.table.starts_with("view.");
  const std::string_view name = std::string_view(item.table).substr(shown ? 5 : 0);
  const TableFormat* format = nullptr;
  for (const TableFormat& table : shown ? view_tables() : tables())
    if (table.name == name) format = &table;
  if (format == nullptr) return add(item.table, item.of, copied(entry, Form::text, {}));  // [view.pionts]
  for_each(entry, inside, [&] {
    if (repeated)
      use_ = source_.add_use({indices_text(indices_), Source::in_use(entry.key_at, inside.use), false});
    emit_entry(inside, item, *format);
  });
}

void Expander::emit_part(const Inside& inside, const Item& item) {
  const std::string key = element_key(*item.entry);
  const auto found = inside.parts.find(key);
  if (found == inside.parts.end() && !item.entry->entries.empty()) return;  // it has a fault of its own
  Entry part = shell(*item.entry);
  part.key = inside.prefix + key;
  const std::size_t before = faults_.size();
  add("parts", item.of, std::move(part));
  if (faults_.size() > before || found == inside.parts.end()) return;
  const std::size_t use = use_;
  emit_parameters(*found->second);
  Indices indices = std::exchange(indices_, {});
  emit(*found->second);
  indices_ = std::move(indices);
  inside_ = &inside;
  use_ = use;
}

void Expander::emit_parameters(const Inside& part) {
  const Inside* const inside = inside_;
  Indices outer_indices = indices_;
  const std::size_t use = use_;
  for (const Item& item : *part.items) {
    const auto stated = part.parameters.find(item.entry->key);
    if (item.table != "parameters" || stated == part.parameters.end()) continue;
    const auto& [entry, in, indices] = stated->second;
    inside_ = in;
    indices_ = indices;
    use_ = in == &part ? part.use : in->use;
    const std::string key = part.prefix + item.entry->key;
    if (!part.vectors.contains(item.entry->key)) {
      Entry value = copied(*entry, Form::constant, {});
      value.key = key;
      add("parameters", item.of, std::move(value));
      continue;
    }
    const bool is_array = entry->kind == Kind::array && entry->entries.size() == 3;
    if (!is_array && entry->kind != Kind::text) {
      note(Source::in_use(entry->at, use_),
           fmt::format("parameter '{}' is {}; a vector of three numbers is asked for", key,
                       entry->kind == Kind::array ? fmt::format("an array of {}", entry->entries.size())
                                                  : std::string(kind_name(entry->kind))));
      continue;
    }
    for (int k = 0; k < 3; ++k) {
      Entry value = copied(is_array ? entry->entries[k] : *entry, Form::constant, {});
      value.key = key + "." + "xyz"[k];
      value.key_at = Source::in_use(entry->key_at, use_);
      if (!is_array && value.text != "?") {
        std::vector<std::size_t> places = places_of_text(source_, value);
        places.insert(places.begin(), places.front());
        value.text = fmt::format("({}).{}", value.text, "xyz"[k]);
        places.resize(value.text.size() + 1, places.back());
        value.places = TextPlaces(places);
      }
      add("parameters", item.of, std::move(value));
    }
  }
  inside_ = inside;
  indices_ = std::move(outer_indices);
  use_ = use;
}

/// The key in full: the name of what is stated, or of what something is said about.
std::string Expander::emitted_key(const Inside& inside, const Item& item) {
  const Entry& entry = *item.entry;
  if (!refers_by_key(item.table)) return inside.prefix + element_key(entry);
  const bool indexed = entry.key.find('[') != entry.key.npos;
  return renamed_key(entry, indexed ? entry.key : element_key(entry), item.table);
}

std::string Expander::renamed_key(const Entry& entry, const std::string& key, const std::string& table) {
  const Entry* const outer = std::exchange(text_, &entry);
  in_key_ = true;
  std::string made = renamed(key, {.rows = table == "multipliers", .results = table == "units"}).text;
  in_key_ = false;
  text_ = outer;
  return made;
}

void Expander::emit_entry(const Inside& inside, const Item& item, const TableFormat& format) {
  const Entry& entry = *item.entry;
  if (is_force_table(item.table) && entry.kind == Kind::table && entry.find("for") == nullptr)
    return emit_forces(item, entry, entry.key);
  const std::size_t before = faults_.size();
  Entry value = emitted_value(entry, format, item.table);
  if (faults_.size() > before && value.kind == Kind::other) return;
  value.key = emitted_key(inside, item);
  value.key_at = Source::in_use(entry.key_at, use_);
  spend(0, value.key.size());
  add(item.table, item.of, std::move(value));
}

/// `p.x` without quotes is a table `p` with an entry `x` to TOML.
void Expander::emit_forces(const Item& item, const Entry& entry, const std::string& path) {
  for (const Entry& child : entry.entries) {
    const std::string key = path + "." + child.key;
    if (child.kind == Kind::table) {
      emit_forces(item, child, key);
      continue;
    }
    Entry value = copied(child, Form::any, {});
    value.key = renamed_key(child, key, item.table);
    add(item.table, item.of, std::move(value));
  }
}

Entry Expander::emitted_value(const Entry& entry, const TableFormat& format, const std::string& table) {
  const Mode mode{.view = table.starts_with("view.")};
  const bool repeated = entry.kind == Kind::table && entry.find("for") != nullptr;
  if (entry.kind != Kind::table) return copied(entry, format.entry, mode);
  if (repeated && format.keys.empty()) {
    const Entry* value = entry.find("value");
    for (const Entry& key : entry.entries)
      if (key.key != "for" && key.key != "value")
        note(Source::in_use(key.key_at, use_),
             fmt::format("unknown key '{}' in '{}', which is repeated (keys are for, value)", key.key,
                         entry.key));
    if (value != nullptr) return copied(*value, format.entry, mode);
    note(Source::in_use(entry.at, use_), fmt::format("'{}' is repeated and has no 'value'", entry.key));
    return {};
  }
  Entry out = shell(entry);
  out.entries.reserve(entry.entries.size());
  for (const Entry& child : entry.entries) {
    if (repeated && child.key == "for") continue;
    const KeyFormat* key = key_in(format.keys, child.key);
    const Form form = key == nullptr ? Form::text : key->form;
    const bool of_joints =
        (table == "springs" && child.key == "joint") || (table == "joints" && child.key == "joints");
    if (form == Form::joints && !child.entries.empty() && child.entries[0].kind == Kind::table) {
      Entry list = shell(child);
      for (const Entry& joint : child.entries) list.entries.push_back(emitted_value(joint, format, table));
      out.entries.push_back(std::move(list));
      continue;
    }
    Mode how = mode;
    how.rows = of_joints;
    out.entries.push_back(copied(child, of_joints ? Form::names : form, how));
  }
  out.index_keys();
  return out;
}

Entry Expander::shell(const Entry& entry) {
  spend(1);
  Entry out;
  out.key = entry.key;
  out.key_at = Source::in_use(entry.key_at, use_);
  out.at = Source::in_use(entry.at, use_);
  out.kind = entry.kind;
  out.number = entry.number;
  out.is_integer = entry.is_integer;
  out.boolean = entry.boolean;
  return out;
}

/// Words and plain texts stay as they are; in all else names are given in full.
Entry Expander::copied(const Entry& entry, Form form, Mode mode) {
  const bool is_plain = form == Form::text || form == Form::word || form == Form::truth;
  if (entry.kind == Kind::text && !is_plain) return renamed_entry(entry, mode);
  Entry out = shell(entry);
  out.text = entry.text;
  spend(0, entry.text.size());
  out.entries.reserve(entry.entries.size());
  for (const Entry& child : entry.entries) out.entries.push_back(copied(child, form, mode));
  out.index_keys();
  return out;
}

namespace {

/// A value as a text that can be a term of a sum, and where each of its bytes stands.
bool as_term(const Source& source, const Entry& entry, std::string& text, std::vector<std::size_t>& places) {
  const auto write = [&](std::string_view more) {
    text += more;
    places.resize(text.size(), entry.at);
  };
  if (entry.kind == Kind::number) {
    write(number_text(entry.number));
    return true;
  }
  if (entry.kind == Kind::text) {
    write("(");
    const std::vector<std::size_t> own = places_of_text(source, entry);
    text += entry.text;
    places.insert(places.end(), own.begin(), own.begin() + static_cast<std::ptrdiff_t>(entry.text.size()));
    write(")");
    return true;
  }
  if (entry.kind != Kind::array) return false;
  for (std::size_t k = 0; k < entry.entries.size(); ++k) {
    write(k == 0 ? "[" : ", ");
    if (!as_term(source, entry.entries[k], text, places)) return false;
  }
  write("]");
  return true;
}

}  // namespace

/// Forces on one thing and energies of several parts add up.
void Expander::add_up(Entry& sum, const Entry& more, bool is_sum) {
  Entry total = sum;
  total.kind = Kind::text;
  std::vector<std::size_t> places;
  if (is_sum) {  // written as a sum already
    places = sum.places.all();
    places.pop_back();
  } else {
    total.text.clear();
    if (!as_term(source_, sum, total.text, places)) return;  // the reader refuses it
  }
  total.text += " + ";
  places.resize(total.text.size(), more.at);
  if (!as_term(source_, more, total.text, places))
    return note(more.at, fmt::format("'{}' is {}; a number, a vector or an expression is asked for", more.key,
                                     kind_name(more.kind)));
  places.push_back(more.at);
  total.places = TextPlaces(places);
  total.entries.clear();
  total.at = sum.at;
  sum = std::move(total);
}

void Expander::add(const std::string& table, const Entry* of, Entry entry) {
  auto [into, is_new] = tables_.try_emplace(table);
  if (is_new) {
    order_.push_back(table);
    if (of != nullptr) into->second = shell(*of);
  }
  const auto [place, is_first] = added_[table].emplace(entry.key, Added{into->second.entries.size()});
  if (is_first) {
    into->second.entries.push_back(std::move(entry));
    return;
  }
  Entry& other = into->second.entries[place->second.at];
  if (is_force_table(table) || (table.empty() && is_energy(entry.key))) {
    add_up(other, entry, place->second.is_sum);
    place->second.is_sum = true;
    return;
  }
  if (table.empty() && entry.kind == Kind::table && entry.entries.empty())
    return;  // a table of several files
  const Place at = source_.place(other.key_at);
  note(entry.key_at,
       fmt::format("'{}' is stated{} at {}:{}:{} already", entry.key,
                   table.empty() ? "" : " in [" + table + "]", at.file, at.line, at.column),
       false);
}

/// The tables in the order they were first seen, each with its entries in the order of the text.
Entry Expander::finished(const Entry& root) {
  Entry out = root;
  out.entries.clear();
  Entry* view = nullptr;
  if (const auto top = tables_.find(""); top != tables_.end())
    for (Entry& entry : top->second.entries) {
      if (!tables_.contains(entry.key))
        out.entries.push_back(std::move(entry));
      else if (entry.kind != Kind::table)  // and parts have such a table
        note(entry.key_at, fmt::format("'{}' is {}; a table [{}] is asked for", entry.key,
                                       kind_name(entry.kind), entry.key));
    }
  const bool shows = std::ranges::any_of(order_, [](const std::string& t) { return t.starts_with("view."); });
  if (shows && !tables_.contains("view")) {
    for (const std::string& table : order_)
      if (table.starts_with("view.")) {
        Entry made = tables_[table];
        made.key = "view";
        made.entries.clear();
        tables_["view"] = std::move(made);
        order_.push_back("view");
        break;
      }
  }
  for (const std::string& table : order_)
    if (!table.empty() && !table.starts_with("view.")) {
      tables_[table].index_keys();
      out.entries.push_back(std::move(tables_[table]));
    }
  for (Entry& entry : out.entries)
    if (entry.key == "view" && entry.kind == Kind::table) view = &entry;
  if (view != nullptr)
    for (const std::string& table : order_)
      if (table.starts_with("view.")) {
        tables_[table].index_keys();
        view->entries.push_back(std::move(tables_[table]));
      }
  out.index_keys();
  return out;
}

}  // namespace vinculum
