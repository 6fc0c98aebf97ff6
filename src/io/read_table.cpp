#include "vinculum/io/read_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <filesystem>
#include <fstream>

#include "io/results/study_files.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/io/read_model.hpp"

namespace vinculum {
namespace {

namespace fs = std::filesystem;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r";
  const std::size_t first = text.find_first_not_of(space);
  return first == text.npos ? "" : text.substr(first, text.find_last_not_of(space) - first + 1);
}

/// Fields of a line; "" in quotes is one quote. No field goes on in the next line: names and numbers have no
/// reason to.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      fields.back() += line[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  for (std::string& field : fields) field = trimmed(field);
  return fields;
}

class CsvTable {
 public:
  CsvTable(const std::string& path, const std::vector<std::string>& columns) : path_(path), file_(path) {
    if (!file_ || fs::is_directory(path)) fail(fmt::format("cannot read '{}'", path));
    std::string line;
    while (next(line))
      if (names_.empty())
        begin(line, columns);
      else
        add(line);
    if (file_.bad()) fail(fmt::format("cannot read '{}' to its end", path));
    if (names_.empty()) fail(fmt::format("'{}' is empty: its first line has the names of its columns", path));
  }
  Table taken() { return std::move(table_); }

 private:
  /// Empty lines, and those that begin with a #, are none.
  bool next(std::string& line) {
    while (std::getline(file_, line)) {
      if (++number_ == 1 && line.starts_with("\xef\xbb\xbf")) line.erase(0, 3);
      if (const std::string_view text = trimmed(line); !text.empty() && text.front() != '#') return true;
    }
    return false;
  }

  void begin(const std::string& line, const std::vector<std::string>& columns) {
    names_ = fields_of(line);
    table_.names = columns.empty() ? names_ : columns;
    for (const std::string& name : table_.names) {
      const auto found = std::ranges::find(names_, name);
      if (found == names_.end()) {
        const std::string nearest = nearest_name(name, names_);
        fail(fmt::format("'{}' has no column '{}'{}; its columns are {}", path_, name,
                         nearest.empty() ? "" : "; did you mean '" + nearest + "'?", list_text(names_)));
      }
      places_.push_back(static_cast<std::size_t>(found - names_.begin()));
    }
  }

  void add(const std::string& line) {
    const std::vector<std::string> fields = fields_of(line);
    if (fields.size() != names_.size())
      fail(fmt::format("'{}', line {}: {} fields, and {} columns", path_, number_, fields.size(),
                       names_.size()));
    for (const std::size_t place : places_) table_.values.push_back(number_in(fields[place], names_[place]));
  }

  double number_in(std::string_view field, const std::string& column) const {
    double value = 0;
    if (field.starts_with('+')) field.remove_prefix(1);
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc() || end != field.data() + field.size())
      fail(fmt::format(
          "'{}', line {}: '{}' in the column '{}' is no number; columns that do not vary are left out "
          "by naming the others",
          path_, number_, field, column));
    return value;
  }

  std::string path_;
  std::ifstream file_;
  long number_ = 0;  // of the line
  std::vector<std::string> names_;
  std::vector<std::size_t> places_;  // of the columns that are taken
  Table table_;
};

std::string ending_of(const std::string& path) {
  std::string ending = fs::path(path).extension().string();
  std::ranges::transform(ending, ending.begin(), [](unsigned char c) { return std::tolower(c); });
  return ending;
}

}  // namespace

Table read_table(const std::string& path, const std::vector<std::string>& columns) {
  const std::string ending = ending_of(path);
  if (ending == ".csv") return CsvTable(path, columns).taken();
  if (ending != ".h5" && ending != ".hdf5")
    fail(fmt::format("'{}' cannot be a table: these end with .csv or .h5", path));
  try {
    return read_table_hdf5(path, columns);
  } catch (const Error& e) {
    fail(fmt::format("cannot read the table '{}': {}", path, e.text()));
  }
}

}  // namespace vinculum
