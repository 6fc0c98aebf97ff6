// Which files and which components belong to a model.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "io/model/expander.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/io/read_table.hpp"
#include "vinculum/model/checks.hpp"

namespace vinculum {
namespace {

namespace fs = std::filesystem;

/// Neither a person nor a sensible generator needs more; the limits keep reading within the memory of one
/// large file.
constexpr std::size_t deepest_include = 16, most_files = 256, most_bytes = 32u << 20;

constexpr std::array energies{"kinetic", "lagrangian", "potential"};

bool is_table_of_names(std::string_view name) {
  return std::ranges::any_of(tables(), [&](const TableFormat& t) { return t.name == name; });
}

/// Tables of settings, which belong to no part.
bool is_of_whole(std::string_view name) { return name == "simulate" || name == "ensemble"; }

/// "" where the path stays below the folder it starts from.
std::string fault_of_path(const std::string& path) {
  if (path.empty()) return "the path of a file is empty";
  if (path.find('\0') != path.npos) return "the path of a file holds a NUL byte";
  if (path.front() == '/' || path.find('\\') != path.npos || path.find(':') != path.npos)
    return fmt::format("'{}': files are named from the folder of the model, with '/' between folders", path);
  for (const fs::path& step : fs::path(path))
    if (step == "..")
      return fmt::format("'{}' leads out of the folder of the model; files stand in it or below it", path);
  return "";
}

/// Of a path without `..`: "./a//b.toml" is "a/b.toml".
std::string joined(const std::string& folder, const std::string& path) {
  return (fs::path(folder) / path).lexically_normal().generic_string();
}

void sort_by_text(std::vector<Item>& items) {
  std::stable_sort(items.begin(), items.end(),
                   [](const Item& a, const Item& b) { return a.entry->key_at < b.entry->key_at; });
}

/// The entries of the tables below `root`, in the order of the text.
template <class Top>
std::vector<Item> items_below(const Entry& root, const Top& at_top) {
  std::vector<Item> items;
  for (const Entry& table : root.entries) {
    const bool is_table = table.kind == Entry::Kind::table;
    if (!is_table || is_of_whole(table.key) || (!is_table_of_names(table.key) && table.key != "parts")) {
      at_top(table, items);
      continue;
    }
    for (const Entry& entry : table.entries) {
      const bool is_list = table.key == "view" && entry.kind == Entry::Kind::table;
      if (!is_list) items.push_back({table.key, &table, &entry});
      if (is_list)
        for (const Entry& shown : entry.entries) items.push_back({"view." + entry.key, &entry, &shown});
    }
    if (table.entries.empty()) items.push_back({"", &root, &table});  // a table that is there, with nothing
  }
  sort_by_text(items);
  return items;
}

}  // namespace

namespace {

/// Below the folder, links followed; where it is not, why.
struct Found {
  std::string path, why;
};
Found found_below(const fs::path& folder, const std::string& name) {
  std::error_code trouble;
  const fs::path root = fs::canonical(folder.empty() ? fs::path(".") : folder, trouble);
  if (trouble) return {"", trouble.message()};
  const fs::path file = fs::canonical(root / name, trouble);
  if (trouble) return {"", trouble.message()};
  const auto [end, rest] = std::mismatch(root.begin(), root.end(), file.begin(), file.end());
  if (end != root.end()) return {"", "a link leads out of the folder of the model"};
  if (!fs::is_regular_file(file, trouble)) return {"", "this is no plain file"};
  return {file.string(), ""};
}

}  // namespace

std::string path_beside(const std::string& model_path, const std::string& name) {
  if (const std::string fault = fault_of_path(name); !fault.empty()) fail(fault);
  const Found found = found_below(fs::path(model_path).parent_path(), name);
  if (found.path.empty()) fail(fmt::format("cannot read '{}': {}", name, found.why));
  return found.path;
}

IncludeFiles files_beside(const std::string& model_path) {
  return [folder = fs::path(model_path).parent_path()](const std::string& path) -> IncludedText {
    const Found found = found_below(folder, path);
    if (found.path.empty()) return {std::nullopt, found.why};
    std::vector<Fault> faults;
    IncludedText result{read_text(found.path, faults), ""};
    if (!result.text) result.why = faults.empty() ? "cannot be read" : faults.front().text;
    return result;
  };
}

void Expander::gather(const Entry& root, int file, std::vector<Item>& items) {
  const std::vector<Item> own = items_below(root, [&](const Entry& entry, std::vector<Item>& list) {
    if (!is_of_whole(entry.key) || entry.kind != Entry::Kind::table || entry.entries.empty())
      list.push_back({"", &root, &entry});
    else
      for (const Entry& key : entry.entries) list.push_back({entry.key, &entry, &key});
  });
  for (const Item& item : own) {
    const std::string& key = item.entry->key;
    const bool at_top = item.table.empty();
    if (at_top && key == "include")
      include(*item.entry, items);
    else if (at_top && key == "components")
      add_components(*item.entry);
    else if (!at_top || file == 0 || (key != "title" && key != "description"))  // those are of that file
      items.push_back(item);
  }
}

void Expander::include(const Entry& entry, std::vector<Item>& items) {
  if (entry.kind == Entry::Kind::text) return include_file(entry, items);
  const bool is_list =
      entry.kind == Entry::Kind::array &&
      std::ranges::all_of(entry.entries, [](const Entry& name) { return name.kind == Entry::Kind::text; });
  if (!is_list)
    return note(entry.at, "'include' is a list of files: include = [\"legs.toml\", \"parts/engine.toml\"]");
  for (const Entry& name : entry.entries) include_file(name, items);
}

/// Paths are counted from the file that includes; each file is read once, whoever includes it.
void Expander::include_file(const Entry& name, std::vector<Item>& items) {
  if (const std::string fault = fault_of_path(name.text); !fault.empty()) return note(name.at, fault);
  const std::string path = joined(fs::path(including_.back()).parent_path().generic_string(), name.text);
  if (const auto circle = std::ranges::find(including_, path); circle != including_.end()) {
    std::string way;
    for (auto step = circle; step != including_.end(); ++step) way += *step + " -> ";
    return note(name.at, fmt::format("'{}' includes itself: {}{}", path, way, path));
  }
  if (included_.contains(path)) return;
  if (including_.size() > deepest_include)
    return note(name.at, fmt::format("files include files more than {} deep", deepest_include));
  if (included_.size() >= most_files)
    return note(name.at, fmt::format("more than {} files are included", most_files));
  if (!files_)
    return note(name.at, fmt::format("'{}' cannot be included: this text has no folder", name.text));
  IncludedText found = files_(path);
  if (!found.text) return note(name.at, fmt::format("'{}' cannot be included: {}", name.text, found.why));
  if (source_.size() + found.text->size() > most_bytes)
    return note(name.at, fmt::format("'{}' cannot be included: all files together are larger than {} MiB",
                                     name.text, most_bytes >> 20));
  included_.insert(path);
  const std::string shown = (fs::path(source_.path()).parent_path() / path).generic_string();
  const int number = source_.add_file(std::move(*found.text), shown);
  Entry& root = documents_.emplace_back();
  if (!read_document(source_, root, faults_, number)) {
    complete_ = false;
    return;
  }
  including_.push_back(path);
  gather(root, number, items);
  including_.pop_back();
}

void Expander::add_components(const Entry& table) {
  if (table.kind != Entry::Kind::table)
    return note(table.key_at,
                fmt::format("'components' is {}; a table [components] is asked for", kind_name(table.kind)));
  for (const Entry& entry : table.entries) {
    if (!is_name(entry.key) || entry.key.find('.') != entry.key.npos)
      note(entry.key_at, name_fault(entry.key, "a component"));
    else if (entry.kind != Entry::Kind::table)
      note(entry.at,
           fmt::format("component '{}' is {}; a table is asked for", entry.key, kind_name(entry.kind)));
    else if (const auto other = components_.find(entry.key); other != components_.end()) {
      const Place at = source_.place(other->second.entry->key_at);
      note(entry.key_at, fmt::format("component '{}' is stated at {}:{}:{} already", entry.key, at.file,
                                     at.line, at.column));
    } else {
      components_[entry.key] = {&entry, items_of_component(entry)};
    }
  }
}

/// A component is a small model: what belongs to the whole stands outside of it.
std::vector<Item> Expander::items_of_component(const Entry& component) {
  const std::string what = "component '" + component.key + "'";
  return items_below(component, [&](const Entry& entry, std::vector<Item>& list) {
    if (entry.key == "names" && entry.kind == Entry::Kind::table) return;
    if (std::ranges::count(energies, entry.key) > 0) {
      list.push_back({"", &component, &entry});
      return;
    }
    const bool is_table = is_table_of_names(entry.key) && !is_of_whole(entry.key);
    if (entry.key == "parts" || entry.key == "names" || is_table)
      return note(entry.key_at, fmt::format("'{}' of {} is {}; a table is asked for", entry.key, what,
                                            kind_name(entry.kind)));
    const bool of_whole = std::ranges::any_of(top_keys(), [&](const auto& k) { return k.name == entry.key; });
    if (of_whole || is_of_whole(entry.key) || entry.key == "include" || entry.key == "components")
      return note(entry.key_at, fmt::format("'{}' is said of the whole model, not of {}", entry.key, what));
    std::vector<std::string> known{"names", "parts"};
    for (const TableFormat& table : tables()) known.emplace_back(table.name);
    for (const char* energy : energies) known.emplace_back(energy);
    const std::string near = nearest_name(entry.key, known);
    note(entry.key_at, fmt::format("unknown key '{}' in {}{}", entry.key, what,
                                   near.empty() ? "" : " (did you mean '" + near + "'?)"));
  });
}

}  // namespace vinculum
