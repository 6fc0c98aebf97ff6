// Which names there are, in the model and in each of its parts.
#include <fmt/format.h>

#include <algorithm>

#include "io/model/expander_templates.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/expr/parse.hpp"
#include "vinculum/model/checks.hpp"

namespace vinculum {
namespace {

/// Neither a person nor a sensible generator nests parts deeper; the limit keeps recursion within the stack.
constexpr std::size_t deepest_part = 32;

unsigned meaning_of(const std::string& table) {
  if (table == "parameters" || table == "definitions" || table == "coordinates" || table == "particles" ||
      table == "bodies")
    return of_value;
  if (table == "joints") return of_joint | of_constraint;
  if (table == "bushings") return of_joint;
  if (table == "constraints") return of_constraint;
  if (table == "outputs" || table == "events") return of_result;
  if (table == "view.points") return of_point;
  if (table == "parts") return of_part;
  return 0;
}

bool is_repeated(const Entry& entry) {
  return entry.kind == Entry::Kind::table && entry.find("for") != nullptr;
}

bool is_triple(const Entry& entry) { return entry.kind == Entry::Kind::array && entry.entries.size() == 3; }

}  // namespace

/// Parameters come first, since they may count what follows; parts last, since they name what is around them.
void Expander::declare(Inside& inside) {
  for (const bool repeated : {false, true})
    for (const Item& item : *inside.items)
      if (item.table == "parameters" && is_repeated(*item.entry) == repeated) declare_item(inside, item);
  for (const Item& item : *inside.items)
    if (item.table != "parameters") declare_item(inside, item);
  for (const Item& item : *inside.items)
    if (item.table == "parts") for_each(*item.entry, inside, [&] { declare_part(inside, *item.entry); });
}

void Expander::declare_item(Inside& inside, const Item& item) {
  const unsigned meaning = meaning_of(item.table);
  if (meaning == 0) return;
  const Entry& entry = *item.entry;
  const bool repeated = is_repeated(entry);
  for_each(entry, inside, [&] {
    const std::string key = element_key(entry);
    spend_turn();
    inside.own[key] |= meaning;
    if (repeated) {
      const std::string base = entry.key.substr(0, entry.key.find('['));
      const auto [all, is_new] = inside.repeated.try_emplace(base);
      if (is_new) all->second.first = key;
      all->second.last = key;
    }
    if (item.table == "parameters") {
      const Entry* value = repeated ? entry.find("value") : &entry;
      // What a part was given is there already.
      if (value != nullptr) inside.parameters.emplace(key, Inside::Stated{value, &inside, indices_});
    }
  });
}

const Component* Expander::component_of(const Entry& entry, const std::string& what) {
  const Entry* name = entry.find("use");
  if (name == nullptr) {
    note(Source::in_use(entry.at, use_), fmt::format("{} has no 'use'; it says which component it is", what));
    return nullptr;
  }
  const std::size_t at = Source::in_use(name->at, use_);
  if (name->kind != Entry::Kind::text) {
    note(at,
         fmt::format("'use' of {} is {}; the name of a component is asked for", what, kind_name(name->kind)));
    return nullptr;
  }
  const std::size_t letter = Source::in_use(places_of_text(source_, *name).front(), use_);
  const auto found = components_.find(name->text);
  if (found == components_.end()) {
    std::vector<std::string> known;
    for (const auto& [other, component] : components_) known.push_back(other);
    const std::string near = nearest_name(name->text, known);
    note(letter, fmt::format("{} uses component '{}', which is not declared; {}", what, name->text,
                             known.empty() ? "there are none"
                                           : "components are: " + list_text(known) +
                                                 (near.empty() ? "" : " (did you mean '" + near + "'?)")));
    return nullptr;
  }
  if (const auto circle = std::ranges::find(using_, name->text); circle != using_.end()) {
    std::string way;
    for (auto step = circle; step != using_.end(); ++step) way += *step + " -> ";
    note(letter, fmt::format("component '{}' uses itself: {}{}", name->text, way, name->text));
    return nullptr;
  }
  if (using_.size() >= deepest_part) {
    note(letter, fmt::format("{} is nested more than {} parts deep", what, deepest_part));
    return nullptr;
  }
  return &found->second;
}

void Expander::declare_part(Inside& inside, const Entry& entry) {
  use_ = inside.use;
  const std::string key = element_key(entry), what = "part '" + inside.prefix + key + "'";
  const std::size_t at = Source::in_use(entry.key_at, use_);
  if (entry.kind != Entry::Kind::table)
    return note(at, fmt::format("{} is {}; a table is asked for, as in {} = {{ use = \"leg\" }}", what,
                                kind_name(entry.kind), entry.key));
  const bool is_open =
      entry.entries.empty();  // what belongs to it is stated outside, with its name before it
  if (!is_name(key) || (!is_open && key.find('.') != key.npos)) return note(at, name_fault(key, "a part"));
  if (is_reserved_word(key)) return note(at, "'" + key + "' is reserved and cannot name a part");
  if (is_open) return;
  const Component* component = component_of(entry, what);
  if (component == nullptr) return;
  auto [place, is_new] = inside.parts.emplace(key);
  if (!is_new) return;  // told when it is emitted
  place->second = std::make_unique<Inside>();
  Inside& part = *place->second;
  part.outer = nullptr;
  part.prefix = inside.prefix + key + ".";
  part.name = inside.prefix + key;
  part.items = &component->items;
  spend_turn();
  spend(0, part.prefix.size());
  last_at_ = at;
  part.use = source_.add_use({part.name, at, true});
  take_parameters(part, inside, entry, *component);
  part.outer = &inside;
  using_.push_back(entry.find("use")->text);
  Indices indices = std::exchange(indices_, {});
  use_ = part.use;
  declare(part);
  use_ = inside.use;
  indices_ = std::move(indices);
  using_.pop_back();
}

/// What a part is given is said in the words of the one who uses it; what it is not given, in its own.
void Expander::take_parameters(Inside& part, const Inside& outer, const Entry& entry,
                               const Component& component) {
  std::vector<std::string_view> known;
  const Entry* names = component.entry->find("names");
  for (const Item& item : component.items) {
    if (item.table != "parameters" || is_repeated(*item.entry)) continue;
    const std::string& name = item.entry->key;
    known.emplace_back(name);
    if (is_triple(*item.entry)) part.vectors.insert(name);
    const Entry* given = entry.find(name);
    if (given != nullptr && given->key != "use" && given->key != "for")
      part.parameters.emplace(name, Inside::Stated{given, &outer, indices_});
  }
  if (names != nullptr && names->kind == Entry::Kind::table) {
    take_names(part, outer, entry, *names);
    for (const Entry& name : names->entries) known.emplace_back(name.key);
  }
  const std::string& used = entry.find("use")->text;
  for (const Entry& key : entry.entries) {
    if (key.key == "use" || key.key == "for" || std::ranges::count(known, key.key) > 0) continue;
    const std::vector<std::string> words(known.begin(), known.end());
    const std::string near = nearest_name(key.key, words);
    note(Source::in_use(key.key_at, use_),
         fmt::format("component '{}' has no parameter '{}' ({})", used, key.key,
                     words.empty()  ? "it has none"
                     : near.empty() ? "it has " + list_text(words)
                                    : "did you mean '" + near + "'?"));
  }
}

void Expander::take_names(Inside& part, const Inside& outer, const Entry& entry, const Entry& names) {
  for (const Entry& name : names.entries) {
    const Entry* given = entry.find(name.key);
    const Entry& stated = given == nullptr ? name : *given;
    const std::size_t at = Source::in_use(stated.at, given == nullptr ? part.use : use_);
    if (stated.kind != Entry::Kind::text) {
      note(at, fmt::format("'{}' of part '{}' is {}; a name in quotes is asked for", name.key, part.name,
                           kind_name(stated.kind)));
      continue;
    }
    if (stated.text == "?") {
      note(Source::in_use(entry.at, use_),
           fmt::format("part '{}' has no '{}', and component '{}' asks for it", part.name, name.key,
                       entry.find("use")->text));
      continue;
    }
    const Entry* const before = std::exchange(text_, &stated);
    std::vector<Segment> path;
    const std::size_t end = read_path(stated.text, 0, path);
    if (path.empty() || end != stated.text.size()) {
      note(at, fmt::format("'{}' of part '{}' is '{}'; the name of one thing is asked for", name.key,
                           part.name, stated.text));
    } else {
      const Inside* const inside = std::exchange(inside_, &outer);
      part.stands_for.emplace(name.key, resolved(stated.text, path, false, {.any = true}));
      inside_ = inside;
    }
    text_ = before;
  }
}

}  // namespace vinculum
