// The index of the papers in docs/theory.md, line by line: its command is run, what it checks is computed a
// second time from the numbers given there, and every check is shown to fail when what it reads of the
// program is changed.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "cli/matrix_text.hpp"
#include "cli/papers_numbers.hpp"
#include "cli/program.hpp"

namespace vinculum::cli_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;  // names of rows keep their order

const fs::path root = VINCULUM_SOURCE;

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string trimmed(const std::string& s) {
  const auto first = s.find_first_not_of(' '), last = s.find_last_not_of(' ');
  return first == s.npos ? "" : s.substr(first, last - first + 1);
}

/// What stands between backticks.
std::vector<std::string> quoted(const std::string& cell) {
  std::vector<std::string> found;
  for (std::size_t at = 0; (at = cell.find('`', at)) != cell.npos;) {
    const std::size_t end = cell.find('`', at + 1);
    if (end == cell.npos) throw std::runtime_error("a backtick is not closed: " + cell);
    found.push_back(cell.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return found;
}

struct Line {
  std::string number, says, where, command, checked;
  bool not_yet() const { return checked.starts_with("not yet"); }
};

struct Index {
  std::map<std::string, std::vector<Line>> papers;                  ///< by the heading of each table
  std::map<std::string, std::map<std::string, std::string>> given;  ///< by model; "every model" too
};

/// `m = 2, x = [1; 2]  # words`: cut at the commas outside of brackets.
void read_given(std::string line, std::map<std::string, std::string>& into) {
  line = line.substr(0, line.find('#')) + ",";
  std::string part;
  int depth = 0;
  for (const char c : line) {
    depth += (c == '[' || c == '(') - (c == ']' || c == ')');
    if (c != ',' || depth > 0) {
      part += c;
      continue;
    }
    const auto equals = part.find('=');
    if (equals != part.npos) into[trimmed(part.substr(0, equals))] = trimmed(part.substr(equals + 1));
    part.clear();
  }
}

/// The cells of a line of a table. A bar inside one is written `\|`.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> found(1);
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '|' && line[i - 1] != '\\')
      found.emplace_back();
    else
      found.back() += line[i];
  }
  found.pop_back();  // behind the last bar
  for (std::string& cell : found) cell = trimmed(cell);
  return found;
}

const Index& index() {
  static const Index read = [] {
    Index index;
    std::istringstream text(text_of(root / "docs" / "theory.md"));
    std::string line, paper, model;
    bool inside = false, block = false;
    while (std::getline(text, line)) {
      if (line.starts_with("## ")) inside = line == "## The papers, by number";
      if (!inside) continue;
      if (line.starts_with("### ")) paper = line.substr(4);
      if (line == "```given") {
        block = true;
        std::getline(text, model);
      } else if (line == "```") {
        block = false;
      } else if (block) {
        read_given(line, index.given[model]);
      } else if (line.starts_with("| ") && !line.starts_with("| number")) {
        const auto c = cells(line);
        if (c.size() != 5) throw std::runtime_error("not five cells: " + line);
        index.papers[paper].push_back({c[0], c[1], c[2], c[3], c[4]});
      }
    }
    return index;
  }();
  return read;
}

TEST(Papers, EveryNumberOfEveryPaperStandsInTheIndexOnce) {
  ASSERT_EQ(index().papers.size(), numbered().size());
  for (const auto& [paper, list] : numbered()) {
    ASSERT_TRUE(index().papers.contains(paper)) << paper;
    std::multiset<std::string> found;
    for (const Line& line : index().papers.at(paper)) found.insert(line.number);
    EXPECT_EQ(found, std::multiset<std::string>(list.begin(), list.end())) << paper;
  }
}

TEST(Papers, WhatTheIndexSaysOfTheSourcesIsThere) {
  for (const auto& [paper, lines] : index().papers)
    for (const Line& line : lines) {
      SCOPED_TRACE(paper + ", " + line.number);
      std::string sources;
      std::vector<std::string> names;
      for (const std::string& item : quoted(line.where)) {
        if (item.find('/') == item.npos) {
          names.push_back(item);
          continue;
        }
        EXPECT_TRUE(fs::is_regular_file(root / item)) << item;
        sources += text_of(root / item);
      }
      EXPECT_TRUE(line.not_yet() || !sources.empty()) << "no source is named";
      for (const std::string& name : names)
        EXPECT_TRUE(std::regex_search(sources, std::regex("\\b" + name + "\\b"))) << name;
    }
}

/// The answer of a command of the index, with `--json`; each is run once.
const Json& answer(const std::string& command) {
  static std::map<std::string, Json> known;
  const auto [at, fresh] = known.try_emplace(command);
  if (!fresh) return at->second;
  static const std::regex model("([a-z0-9_]+\\.toml)");
  const std::string full =
      std::regex_replace(command, model, "'" + (root / "examples" / "papers").string() + "/$1'",
                         std::regex_constants::format_first_only);
  const Outcome outcome = Folder().shell(full + " --json");
  EXPECT_EQ(outcome.status, 0) << command << ": " << outcome.err;
  return at->second = Json::parse(outcome.out);
}

/// Steps of a path: `.list[].key` is the key of each entry, `[2]` one entry, `."a name"` any key.
Json at_path(const Json& from, const std::string& path) {
  static const std::regex step("^(\\.([A-Za-z0-9_]+)|\\.\"([^\"]*)\"|\\[([0-9]*)\\])");
  std::smatch found;
  if (path.empty()) return from;
  if (!std::regex_search(path, found, step)) throw std::runtime_error("no path: " + path);
  const std::string rest = found.suffix();
  if (found[2].matched) return at_path(from.at(found[2].str()), rest);
  if (found[3].matched) return at_path(from.at(found[3].str()), rest);
  if (found[4].length() > 0) return at_path(from.at(std::stoul(found[4])), rest);
  Json each = Json::array();
  for (const Json& entry : from) each.push_back(at_path(entry, rest));
  return each;
}

/// Numbers and truths as they are, a list as a column, a list of lists by rows, an object by its values.
Matrix matrix_of(const Json& json) {
  if (json.is_boolean()) return Matrix::Constant(1, 1, json.get<bool>());
  if (json.is_number()) return Matrix::Constant(1, 1, json.get<double>());
  if (!json.is_structured() || json.empty()) throw std::runtime_error("no numbers: " + json.dump());
  std::vector<Matrix> rows;
  for (const auto& entry : json.items()) rows.push_back(matrix_of(entry.value()));
  const bool lists = rows[0].size() > 1;
  Matrix all(rows.size(), lists ? rows[0].size() : 1);
  for (std::size_t i = 0; i < rows.size(); ++i) all.row(i) = rows[i].reshaped().transpose();
  return all;
}

/// The checks that a person would make with pencil and paper: left, relation, right.
struct Check {
  std::string left, relation, right;
};
Check split(const std::string& text) {
  static const std::regex relation(" (=|~|>|<|:) ");
  std::smatch found;
  if (!std::regex_search(text, found, relation)) throw std::runtime_error("no relation: " + text);
  return {found.prefix(), found[1], found.suffix()};
}

/// What a check reads of the program may be changed on its way: the path, and how.
struct Change {
  std::string path;
  double by = 0;
};

Matrix changed(Matrix m, double by) {
  // Another amount for each entry, so that no sum of them stays the same by chance.
  for (Eigen::Index i = 0; i < m.size(); ++i)
    m(i) += by * (1 + std::fabs(m(i))) * (1 + 0.37 * static_cast<double>(i));
  return m;
}

/// A few dozen roundings of numbers of the size of the terms; matrices here have condition numbers below 100.
constexpr double rounding = 1e-12;
/// Ten times the tolerance of a run.
constexpr double along_a_run = 1e-8;

class Judge {
 public:
  explicit Judge(const Line& line) {
    const std::string command = quoted(line.command).at(0);
    json_ = answer(command);
    static const std::regex model("([a-z0-9_]+\\.toml)"), set("--set ([A-Za-z0-9_]+)=(\\S+)");
    std::smatch found;
    if (!std::regex_search(command, found, model)) throw std::runtime_error("no model: " + command);
    if (!index().given.contains(found[1])) throw std::runtime_error("nothing is given for " + found[1].str());
    calculator_.text = index().given.at("every model");
    for (const auto& [name, text] : index().given.at(found[1])) calculator_.text[name] = text;
    for (std::sregex_iterator it(command.begin(), command.end(), set), end; it != end; ++it) {
      EXPECT_TRUE(calculator_.text.contains((*it)[1])) << "not given, but set: " << (*it)[1];
      calculator_.text[(*it)[1]] = (*it)[2];
    }
    if (json_.contains("text")) evaluate_derived();
    calculator_.path = [this](const std::string& path) {
      const Matrix value = matrix_of(at_path(json_, path));
      read_.insert(path);
      return path == change_.path ? changed(value, change_.by) : value;
    };
  }

  bool holds(const Check& check, Change change = {}) {
    change_ = std::move(change);
    read_.clear();
    if (check.relation == ":") return says(check);
    const Matrix left = calculator_(check.left), right = calculator_(check.right);
    if (left.rows() != right.rows() || left.cols() != right.cols()) return false;
    if (check.relation == ">") return left(0) > right(0);
    if (check.relation == "<") return left(0) < right(0);
    const double size = 1 + std::max(left.lpNorm<Eigen::Infinity>(), right.lpNorm<Eigen::Infinity>());
    return (left - right).lpNorm<Eigen::Infinity>() <=
           (check.relation == "~" ? along_a_run : rounding) * size;
  }
  /// The paths that the last check has read.
  const std::set<std::string>& read() const { return read_; }
  std::string values(const Check& check) {
    std::ostringstream text;
    text.precision(15);
    if (check.relation == ":")
      text << at_path(json_, check.left);
    else
      text << "left\n" << calculator_(check.left) << "\nright\n" << calculator_(check.right);
    return text.str();
  }

 private:
  /// The lines `name = formula` of what derive has written, with the numbers given: `.derived."x''"`.
  void evaluate_derived() {
    static const std::regex formula("^ *([A-Za-z0-9_]+'*) += ([^|]+)$");
    Calculator derived = calculator_;
    std::vector<std::string> accelerations;
    std::istringstream text(json_["text"].get<std::string>());
    std::smatch found;
    for (std::string line; std::getline(text, line);)
      if (std::regex_match(line, found, formula)) {
        derived.text[found[1]] = found[2];
        if (found[1].str().ends_with("''") && found[1] != "q''") accelerations.push_back(found[1]);
      }
    for (const std::string& name : accelerations) json_["derived"][name] = derived(name)(0);
  }

  /// `.path : words`: the text has these words.
  bool says(const Check& check) {
    read_.insert(check.left);
    if (change_.path == check.left)
      return std::string("something else").find(check.right) != std::string::npos;
    return at_path(json_, check.left).get<std::string>().find(check.right) != std::string::npos;
  }

  Json json_;
  Calculator calculator_;
  Change change_;
  std::set<std::string> read_;
};

/// A check that holds whatever the program says is none: each thing it reads, changed by a hundredth or more,
/// up or down, wherever it stands in the check, must break it.
void expect_it_can_fail(Judge& judge, const Check& check) {
  const std::set<std::string> read = judge.read();
  EXPECT_FALSE(read.empty()) << "nothing of the program is read";
  for (const std::string& path : read) {
    bool breaks = false;
    for (const double by : {0.01, -0.01, 1e3, -1e3})
      if (!breaks) breaks = !judge.holds(check, {path, by});
    EXPECT_TRUE(breaks) << path << " may be anything";
  }
}

TEST(Papers, EveryLineOfTheIndexHolds) {
  for (const auto& [paper, list] : index().papers)
    for (const Line& line : list) {
      SCOPED_TRACE(paper + ", " + line.number);
      if (line.not_yet()) continue;
      try {
        Judge judge(line);
        const auto checks = quoted(line.checked);
        EXPECT_FALSE(checks.empty());
        for (const std::string& text : checks) {
          const Check check = split(text);
          if (judge.holds(check))
            expect_it_can_fail(judge, check);
          else
            ADD_FAILURE() << text << "\n" << judge.values(check);
        }
      } catch (const std::exception& error) {
        ADD_FAILURE() << error.what();
      }
    }
}

TEST(Papers, WhatIsNotYetShownIsCounted) {
  int missing = 0;
  for (const auto& [paper, list] : index().papers)
    for (const Line& line : list) {
      if (!line.not_yet()) continue;
      ++missing;
      EXPECT_GE(line.checked.size(), 30u) << paper << ", " << line.number << ": no reason is given";
    }
  EXPECT_NE(
      text_of(root / "docs" / "theory.md").find("Lines not yet shown: " + std::to_string(missing) + "."),
      std::string::npos)
      << missing;
}

TEST(Papers, EveryModelOfThePapersIsUsedRunsAndIsConsistent) {
  std::set<std::string> used;
  for (const auto& [paper, list] : index().papers)
    for (const Line& line : list)
      for (const auto& entry : fs::directory_iterator(root / "examples" / "papers"))
        if (line.command.find(" " + entry.path().filename().string()) != std::string::npos)
          used.insert(entry.path().filename().string());
  const Folder folder;
  for (const auto& entry : fs::directory_iterator(root / "examples" / "papers")) {
    EXPECT_TRUE(used.contains(entry.path().filename().string())) << entry.path();
    for (const char* command : {"check", "run", "explain", "derive"}) {
      const Outcome outcome = folder(std::string(command) + " '" + entry.path().string() + "'");
      EXPECT_EQ(outcome.status, 0) << command << " " << entry.path() << "\n" << outcome.err;
    }
  }
}

}  // namespace
}  // namespace vinculum::cli_test
