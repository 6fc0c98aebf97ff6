// A page of derived equations read back, line by line, as a student would.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "expr/sample.hpp"
#include "vinculum/expr/parse.hpp"
#include "vinculum/model/stated.hpp"
#include "vinculum/motion/assemble.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum::derived {

using sample::Inputs;

/// All symbols of the model by name.
inline Inputs inputs_at(const Model& model, const State& at, const std::vector<double>& multipliers = {}) {
  Inputs in{{"t", at.t}};
  for (std::size_t i = 0; i < at.q.size(); ++i) in[model.coordinates()[i].name] = at.q[i];
  for (std::size_t i = 0; i < at.v.size(); ++i) in[model.velocities()[i].name] = at.v[i];
  for (const auto& p : model.parameters()) in[p.name] = p.value;
  for (std::size_t r = 0; r < multipliers.size(); ++r)
    in[model.stated().multiplier_of_row(static_cast<int>(r)).name()] = multipliers[r];
  return in;
}

inline std::vector<std::string> split(const std::string& text, const char* at) {
  const std::regex rule(at);
  std::vector<std::string> parts(std::sregex_token_iterator(text.begin(), text.end(), rule, -1), {});
  std::erase_if(parts, [](const std::string& p) { return p.find_first_not_of(' ') == p.npos; });
  return parts;
}

/// Reads a page as a student would: line by line, each name from where it was defined, matrices by their
/// cells. A name that is used before its line is an error.
class Reader {
 public:
  Reader(Inputs known, const std::string& page) : known_(std::move(known)) {
    // multiplier(rod[0]) is no name for the parser of expressions.
    std::map<std::string, double, std::less<>> plain;
    for (const auto& [name, at] : known_) plain[without_brackets(name)] = at;
    known_ = plain;
    std::istringstream lines(without_brackets(page));
    std::vector<std::string> matrix;
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("  ") && line.find('|') != line.npos) {
        matrix.push_back(line);
        continue;
      }
      if (!matrix.empty()) read_matrix(matrix);
      matrix.clear();
      read_line(line);
    }
  }
  std::map<std::string, double> value;                               ///< "M[x, y]", "x''", "F[x]"
  std::map<std::string, std::vector<std::vector<double>>> matrices;  ///< "M", "Q", "A", "b", "C"

  static std::string without_brackets(const std::string& text) {
    static const std::regex multiplier(R"(multiplier\((\w+)(\[(\d+)\])?\))");
    return std::regex_replace(text, multiplier, "multiplier_$1$3");
  }

 private:
  double number(const std::string& text) {
    Graph graph;
    return sample::evaluate(parse(graph, text), known_);
  }
  void read_line(const std::string& line) {
    static const std::regex rule(R"(  ([A-Za-z_][\w.]*'*|[A-Zabvsc^12]+\[.*\]) = (.*))");
    std::smatch found;
    if (!std::regex_match(line, found, rule) || found[2].str().find("M^-1") != std::string::npos) return;
    if (found[1] == "F" || found[1] == "q''") return;  // a formula between matrices
    value[found[1]] = number(found[2]);
    if (found[1].str().find('[') == std::string::npos) known_[found[1]] = value[found[1]];
  }
  void read_matrix(const std::vector<std::string>& lines) {
    std::map<int, std::string> label;
    std::map<int, std::vector<std::vector<double>>> blocks;
    for (const std::string& line : lines) {
      int place = 0;
      bool inside = false;
      for (std::size_t from = 0; from < line.size(); inside = !inside, ++place) {
        const std::size_t end = std::min(line.find('|', from), line.size());
        const std::string part = line.substr(from, end - from);
        from = end + 1;
        if (!inside && part.find(" = ") != part.npos) label[place + 1] = split(part, " ").front();
        if (!inside) continue;
        blocks[place].emplace_back();
        if (part.find("''") != part.npos || part.find("lambda") != part.npos) continue;
        if (part.find("A^T") == part.npos && !is_headline(lines))
          for (const std::string& cell : split(part, "  +")) blocks[place].back().push_back(number(cell));
      }
    }
    if (is_headline(lines)) return;
    for (const auto& [place, name] : label) matrices[name] = blocks[place];
  }
  /// M q'' = Q + f u, before f is known; or the block form for a singular M.
  static bool is_headline(const std::vector<std::string>& lines) {
    return std::any_of(lines.begin(), lines.end(), [](const std::string& l) {
      return l.find("''") != l.npos || l.find("lambda") != l.npos;
    });
  }
  Inputs known_;
};

struct Compared {
  int states = 0, matrices = 0, entries = 0, accelerations = 0, forces = 0, multipliers = 0, gauss = 0;
};

inline std::string label(std::string velocity) {
  if (velocity.back() == '\'') velocity.pop_back();
  return velocity;
}

/// A matrix or vector on the page, laid out or listed, against the engine.
inline void expect_entries(const Reader& page, const std::string& name, const std::vector<std::string>& rows,
                           const std::vector<std::string>& columns, const std::vector<double>& expected,
                           const std::string& where, Compared& count) {
  const bool vector = columns.empty();
  const std::size_t width = vector ? 1 : columns.size();
  const auto laid_out = page.matrices.find(name);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < width; ++j) {
      double found = 0;
      if (laid_out != page.matrices.end()) {
        ASSERT_EQ(laid_out->second.size(), rows.size()) << where << " " << name;
        ASSERT_EQ(laid_out->second[i].size(), width) << where << " " << name;
        found = laid_out->second[i][j];
      } else {
        const auto key = [&](std::size_t r, std::size_t c) {
          return name + "[" + rows[r] + (vector ? "" : ", " + columns[c]) + "]";
        };
        auto at = page.value.find(key(i, j));
        if (at == page.value.end() && name == "M") at = page.value.find(key(j, i));  // symmetric
        if (at != page.value.end()) found = at->second, ++count.entries;
      }
      EXPECT_NEAR(found, expected[i * width + j], 1e-12 * (10 + std::fabs(expected[i * width + j])))
          << where << " " << name << " " << i << " " << j;
    }
  count.matrices += laid_out != page.matrices.end();
}

/// mu(pin[0]) -> mu_pin_0, as pages write it.
inline std::string name_on_page(const std::string& coordinate) {
  if (!coordinate.starts_with("mu(")) return coordinate;
  return std::regex_replace(std::regex_replace(coordinate, std::regex(R"([(\[])"), "_"),
                            std::regex(R"([)\]])"), "");
}

/// The states, each moved to where its constraints hold; those for which there is no way are left out.
inline std::vector<State> satisfying(const System& system, const std::vector<State>& states) {
  std::vector<State> list;
  for (const State& at : states) {
    const Assembly there = assemble(system, at);
    if (there.consistent || there.repaired) list.push_back(there.consistent ? at : there.state);
  }
  return list;
}

/// Everything a page says against the engine: matrices, accelerations, forces, multipliers.
inline void compare_page(const std::string& name, const System& system, const Model& model,
                         const std::string& text, const std::vector<State>& states, Compared& count) {
  Workspace work(system);
  std::vector<std::string> labels;
  for (const std::string& v : system.velocity_names()) labels.push_back(label(v));
  const bool vakonomic = model.mechanics() == Mechanics::vakonomic;
  for (const State& at : states) {
    const Solution s = solve(system, at);
    if (s.status != Status::solved) continue;
    ++count.states;
    Inputs in{{"t", at.t}};
    for (std::size_t i = 0; i < at.q.size(); ++i) in[name_on_page(system.coordinate_names()[i])] = at.q[i];
    for (std::size_t i = 0; i < at.v.size(); ++i) in[system.velocity_names()[i]] = at.v[i];
    for (const auto& p : model.parameters()) in[p.name] = p.value;
    for (std::size_t r = 0; r < s.multipliers.size(); ++r)
      in["multiplier(" + system.row_names()[r] + ")"] = s.multipliers[r];
    for (std::size_t i = 0; i < labels.size(); ++i)
      in[model.velocities()[i].acceleration.name()] = s.acceleration[i];  // G is a function of them
    const Reader page(in, text);
    const Equations& e = evaluate(system, at, work);
    // Without mechanics a page speaks of s, v1 and v2.
    const bool none = model.mechanics() == Mechanics::none;
    if (!none) expect_entries(page, "M", labels, labels, e.M.dense(), name, count);
    expect_entries(page, none ? "s" : "Q", labels, {}, e.Q, name, count);
    if (e.rows() > 0) {
      expect_entries(page, "A", system.row_names(), labels, e.A.dense(), name, count);
      expect_entries(page, "b", system.row_names(), {}, e.b, name, count);
    }
    // A closed form divides by numbers that may be small; the condition stays below 1e3 here.
    const auto expect = [&](const std::string& key, double expected, int& counter) {
      if (!page.value.contains(key)) return;
      ++counter;
      EXPECT_NEAR(page.value.at(key), expected, 1e-12 * (10 + std::fabs(expected)))
          << name << " " << key << "\n"
          << text;
    };
    for (std::size_t i = 0; i < labels.size(); ++i) {
      expect(model.velocities()[i].acceleration.name(), s.acceleration[i], count.accelerations);
      if (vakonomic) continue;  // the engine's force holds all that mu adds, the page's is A^T lambda
      expect((none ? "v1[" : "F[") + labels[i] + "]", s.constraint_force[i], count.forces);
      if (!s.nonideal_force.empty())
        expect((none ? "v2[" : "F^C[") + labels[i] + "]", s.nonideal_force[i], count.forces);
    }
    const std::string gauss = in.contains("G") ? "G_G" : "G";
    expect(gauss, s.gaussian, count.gauss);
    if (model.nonideal_forces().empty() && model.frictions().empty())
      expect(gauss + "_min", s.gaussian, count.gauss);
    for (std::size_t r = 0; r < s.multipliers.size() && !vakonomic; ++r)
      expect(Reader::without_brackets("multiplier(" + system.row_names()[r] + ")"), s.multipliers[r],
             count.multipliers);
  }
}

}  // namespace vinculum::derived
