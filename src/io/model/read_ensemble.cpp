// What varies from member to member, and what is kept of each.
#include <fmt/format.h>

#include <algorithm>

#include "io/model/reader_templates.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/model/joint_rules.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

constexpr int most_values = 100'000'000, most_draws = 2'000'000'000;
constexpr long most_seed = 1L << 53;

bool is_setting(const std::string& key) {
  return std::ranges::find(ensemble_keys(), std::string_view(key), &KeyFormat::name) != ensemble_keys().end();
}

}  // namespace

void Reader::read_ensemble() {
  const Entry* table = top("ensemble");
  if (table == nullptr) return;
  EnsembleSettings& out = file_.ensemble;
  const std::size_t before = faults.size();
  // A setting that is a table is what varies by such a name: a parameter may be called 'count'.
  const auto setting = [&](const char* key) -> const Entry* {
    const Entry* entry = table->find(key);
    return entry != nullptr && entry->kind != Entry::Kind::table ? entry : nullptr;
  };
  out.study.draws_each = count(setting("count"), "'count' in [ensemble]", 1, most_draws, 1);
  out.study.seed =
      static_cast<std::uint64_t>(count(setting("seed"), "'seed' in [ensemble]", 0, most_seed, 0));
  if (word(setting("sampling"), ensemble_keys()[2], "'sampling' in [ensemble]", "random") == "sobol")
    out.study.sampling = Sampling::sobol;
  const auto names = [&](const char* key, const char* example) {
    std::vector<std::string> list;
    const Entry* entry = setting(key);
    if (entry == nullptr) return list;
    const bool good =
        entry->kind == Entry::Kind::array &&
        std::ranges::all_of(entry->entries, [](const Entry& e) { return e.kind == Entry::Kind::text; });
    if (!good)
      note(*entry, fmt::format("'{}' in [ensemble] is a list of names in quotes, as in {}", key, example));
    else
      for (const Entry& name : entry->entries) list.push_back(name.text);
    return list;
  };
  out.keep = names("keep", "[\"x\", \"tension.max\"]");
  out.columns = names("columns", "[\"L\", \"x'\"]");
  if (const Entry* file = setting("table")) {
    if (file->kind != Entry::Kind::text)
      note(*file, "'table' in [ensemble] is the name of a file, as in \"starts.csv\"");
    else
      out.table = file->text;
  } else if (const Entry* columns = setting("columns")) {
    note(columns->key_at,
         "'columns' in [ensemble] are those of its table: say which, as in table = \"starts.csv\"");
  }
  for (const Entry& entry : table->entries)
    if (!is_setting(entry.key) || entry.kind == Entry::Kind::table) read_variation(entry, out.study);
  if (faults.size() == before && out.table.empty() && !out.study.names().empty())
    noting_faults(table->at, [&] { out.study.require_sound(); });
}

/// A parameter, or what a start says.
bool Reader::may_vary(const Entry& entry) {
  std::vector<std::string> known;
  for (const auto& p : model_.stated().parameters) known.push_back(p.name);
  for (const auto& c : model_.coordinates()) known.push_back(c.name);
  for (const auto& v : model_.velocities()) known.push_back(v.name);
  for (const JointData& joint : model_.joints())
    for (int k = 0; k < static_cast<int>(joint_coordinates(joint.options.type).size()); ++k)
      for (const char* rate : {"", "'"}) known.push_back(coordinate_name(joint, k) + rate);
  if (std::ranges::find(known, entry.key) != known.end()) return true;
  note(entry.key_at,
       fmt::format(
           "there is no '{}' to vary: parameters do, and where coordinates, velocities and joints start",
           entry.key));
  suggest(entry.key, [known] { return known; });
  return false;
}

std::vector<double> Reader::values_in(const Entry& list, const std::string& what, std::size_t least,
                                      std::size_t most) {
  std::vector<double> values;
  if (list.kind != Entry::Kind::array || list.entries.size() < least || list.entries.size() > most)
    note(list, most == 2 ? what + " is two numbers in brackets" : what + " is a list of numbers in brackets");
  else
    for (const Entry& entry : list.entries) values.push_back(number(&entry, what, 0.0));
  return values;
}

void Reader::read_variation(const Entry& entry, Study& study) {
  const std::string what = fmt::format("'{}' in [ensemble]", entry.key);
  const std::size_t before = faults.size();
  const auto keys = table_format("ensemble").keys;
  if (table_of(entry, keys, what) == nullptr || !may_vary(entry)) return;
  const Entry *from = entry.find("from"), *to = entry.find("to"), *steps = entry.find("count"),
              *values = entry.find("values");
  const Entry* drawn = nullptr;
  int ways = (from != nullptr || to != nullptr || steps != nullptr) + (values != nullptr);
  for (const char* way : {"uniform", "normal", "log"})
    if (const Entry* found = entry.find(way)) drawn = found, ++ways;
  if (faults.size() > before) return;
  if (ways != 1 || (ways == 1 && values == nullptr && drawn == nullptr &&
                    (from == nullptr || to == nullptr || steps == nullptr)))
    return note(entry, what +
                           " varies in one way: { from = 0.5, to = 2, count = 20 }, { values = [1, 2] }, "
                           "{ uniform = [a, b] }, { normal = [mean, deviation] } or { log = [a, b] }");
  if (drawn != nullptr) {
    const std::vector<double> of = values_in(*drawn, what, 2, 2);
    if (faults.size() > before) return;
    const Distribution kind = drawn->key == "normal"    ? Distribution::normal
                              : drawn->key == "uniform" ? Distribution::uniform
                                                        : Distribution::log_uniform;
    study.draws.push_back({entry.key, kind, of[0], of[1]});
  } else if (values != nullptr) {
    study.axes.push_back({entry.key, values_in(*values, what, 1, most_values)});
  } else {
    const double first = number(from, "'from' of " + what, 0.0), last = number(to, "'to' of " + what, 0.0);
    const long many = count(steps, "'count' of " + what, 1, most_values, 1);
    if (faults.size() == before && many == 1 && first != last)
      note(entry, fmt::format("{} is one value, and not both {} and {}: a 'count' of 2 or more has both",
                              what, number_text(first), number_text(last)));
    if (faults.size() == before) study.axes.push_back(evenly(entry.key, first, last, many));
  }
}

}  // namespace vinculum
