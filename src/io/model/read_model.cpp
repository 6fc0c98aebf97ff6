#include "vinculum/io/read_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "io/model/expand.hpp"
#include "io/model/reader_templates.hpp"
#include "vinculum/base/text.hpp"

namespace vinculum {
namespace {

/// No model written by a person or a sensible generator is larger; reading takes about ten times this in
/// memory.
constexpr std::size_t largest_file = 32u << 20;

}  // namespace

Reader::Reader(const Source& source, const Entry& root, const Overrides& overrides, OpenNames open,
               bool complete)
    : source_(source),
      root_(with_series(root, own_root_)),
      model_(file_.model),
      open_(open),
      complete_(complete) {
  check_top();
  declare_all();
  if (const Entry* table = top("parameters")) {
    parameters_.reserve(table->entries.size());  // names know their places
    for (const Entry& entry : table->entries) {
      ParameterState& state = parameters_[entry.key];
      state.entry = &entry;
      if (const auto named = names_.find(entry.key); named != names_.end()) named->second.parameter = &state;
    }
  }
  apply_overrides(overrides);
}

/// The order is that of the model, not of the file: coordinates, particles, bodies; joints before
/// constraints; names before their uses.
ModelFile Reader::read() {
  read_texts();
  read_parameters();
  for (const auto& [name, what] : counting_)
    if (const auto known = parameters_.find(name); known != parameters_.end() && known->second.symbol)
      model_.stated().use_as_number(name, what);
  read_coordinates();
  read_particles();
  read_bodies();
  read_joints();
  read_constraints();
  read_multipliers();
  read_mass();
  read_energies();
  read_gravity();
  read_springs();
  read_bushings();
  read_forces("forces", false);
  read_forces("nonideal", true);
  std::vector<std::string> definitions;
  for (const auto& [name, named] : names_)
    if (std::string_view(named.what) == "definition") definitions.emplace_back(name);
  std::ranges::sort(definitions);
  for (const std::string& name : definitions) definition(name);  // faults of unused ones count, too
  read_outputs();
  read_events();
  is_start_ = true;
  read_simulate();
  read_ensemble();
  read_view();
  read_units();
  judge_whole();
  sort_faults();
  return std::move(file_);
}

void Reader::check_top() {
  std::vector<std::string> known{"include", "components", "parts"};
  for (const KeyFormat& key : top_keys()) known.emplace_back(key.name);
  for (const TableFormat& table : tables()) known.emplace_back(table.name);
  for (const Entry& entry : root_.entries) {
    const auto table =
        std::find_if(tables().begin(), tables().end(), [&](const auto& t) { return t.name == entry.key; });
    if (table != tables().end()) {
      if (entry.kind != Entry::Kind::table)
        note(entry.key_at, fmt::format("'{}' is {}; a table [{}] is asked for", entry.key,
                                       kind_name(entry.kind), entry.key));
    } else if (std::find(known.begin(), known.end(), entry.key) == known.end()) {
      const std::string near = nearest_name(entry.key, known);
      const bool is_table = entry.kind == Entry::Kind::table;
      note(entry.key_at, fmt::format("unknown {} {}{}", is_table ? "table" : "key",
                                     is_table ? "[" + entry.key + "]" : "'" + entry.key + "'",
                                     near.empty() ? "" : " (did you mean '" + near + "'?)"));
    }
  }
}

void Reader::read_texts() {
  for (const auto& [key, target] : {std::pair{"title", &file_.title}, {"description", &file_.description}})
    if (const Entry* entry = root_.find(key)) {
      if (entry->kind == Entry::Kind::text)
        *target = entry->text;
      else
        note(entry->at,
             fmt::format("'{}' is {}; a text in quotes is asked for", key, kind_name(entry->kind)));
    }
  const KeyFormat& mechanics = top_keys().back();
  if (const Entry* entry = root_.find("mechanics")) {
    const std::string principle = word(entry, mechanics, "'mechanics'", "dalembert");
    if (principle == "vakonomic") model_.set_mechanics(Mechanics::vakonomic);
    if (principle == "none") leave_mechanics();
  }
}

/// x'' = s + A^+ (b - A s) + (I - A^+ A) c: nothing but [forces], which is s, and [nonideal], which is c,
/// moves anything.
void Reader::leave_mechanics() {
  model_.set_mechanics(Mechanics::none);
  for (const char* key : {"mass", "kinetic", "lagrangian", "potential", "gravity", "springs", "bushings",
                          "particles", "bodies", "joints"})
    if (const Entry* entry = root_.find(key)) {
      const bool is_table = entry->kind == Entry::Kind::table;
      note(entry->key_at,
           fmt::format("{} beside 'mechanics' = \"none\": such a system has no mechanics; [coordinates] are "
                       "what changes, [forces] is s and [nonideal] is c",
                       is_table ? "[" + entry->key + "]" : "'" + entry->key + "'"));
    }
}

namespace {

/// The model and the document it was read from, in full.
ReadResult read_in_full(std::string_view text, const std::string& path, const Overrides& overrides,
                        OpenNames open, const IncludeFiles& files, Entry& root) {
  ReadResult result;
  Source source(text, path);
  if (!read_document(source, root, result.faults)) return result;
  Expansion full;
  if (!is_expanded(root)) {
    full = expand(source, root, overrides, files, result.faults);
    root = std::move(full.root);
  }
  if (full.too_large) {
    for (Fault& fault : result.faults) fault.text += source.told_use(fault.at);
    return result;
  }
  Reader reader(source, root, overrides, open, full.complete);
  reader.faults.insert(reader.faults.begin(), result.faults.begin(), result.faults.end());
  reader.use_as_numbers(full.counting);
  ModelFile file = reader.read();
  file.path = path;
  // Results say what they come from: of several files, the model in full.
  file.text = source.files() > 1 && reader.faults.empty() ? toml_text(root) : std::string(text);
  result.faults = std::move(reader.faults);
  if (result.faults.empty()) result.file = std::move(file);
  return result;
}

}  // namespace

void Reader::use_as_numbers(const std::vector<std::pair<std::string, std::string>>& counting) {
  counting_ = counting;
}

ReadResult read_model(std::string_view text, const std::string& path, const Overrides& overrides,
                      OpenNames open, const IncludeFiles& files) {
  Entry root;
  return read_in_full(text, path, overrides, open, files, root);
}

ExpandResult expand_model(std::string_view text, const std::string& path, const Overrides& overrides,
                          const IncludeFiles& files) {
  Entry root;
  ReadResult read = read_in_full(text, path, overrides, OpenNames::allowed, files, root);
  if (!read.file) return {std::nullopt, std::move(read.faults)};
  for (Entry& table : root.entries) {
    if (table.key != "parameters") continue;
    for (Entry& entry : table.entries)
      for (const auto& [name, value] : overrides)
        if (name == entry.key) {
          entry.kind = Entry::Kind::text;
          entry.text = value;
        }
  }
  return {toml_text(root), {}};
}

std::optional<std::string> read_text(const std::string& path, std::vector<Fault>& faults) {
  const auto refuse = [&](const std::string& why) {
    Fault& fault = faults.emplace_back();
    fault.place.file = path;
    fault.text = why;
    return std::nullopt;
  };
  std::error_code trouble;
  if (std::filesystem::is_directory(path, trouble)) return refuse("this is a folder; a model is a file");
  std::ifstream file(path, std::ios::binary);
  if (!file) return refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
  std::string text;
  std::vector<char> block(1u << 16);
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0) {
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > largest_file)
      return refuse(fmt::format("larger than {} MiB, the limit of a model", largest_file >> 20));
  }
  if (file.bad()) return refuse(fmt::format("cannot be read: {}", std::strerror(errno)));
  return text;
}

}  // namespace vinculum
