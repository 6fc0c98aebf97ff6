#include "analysis/page_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/base/text.hpp"

namespace vinculum {

std::string cell(double x, double largest) {
  if (std::fabs(x) <= 1e-14 * largest) return "0";
  return std::isfinite(x) ? number_text(x, 6) : "-";
}

double largest_of(const std::vector<double>& v) {
  double largest = 0;
  for (const double x : v) largest = std::max(largest, std::fabs(x));
  return largest;
}

std::size_t width_of(const std::vector<std::string>& names, std::size_t least) {
  for (std::size_t k = 0; k < names.size() && k < most_lines; ++k) least = std::max(least, names[k].size());
  return least;
}

std::string count_text(std::size_t count, const std::string& thing) {
  return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string velocities_text(std::size_t count) {
  return count == 1 ? "1 velocity" : fmt::format("{} velocities", count);
}

std::string cut_text(std::size_t count, const std::string& things) {
  if (count <= most_lines) return "";
  if (count == most_lines + 1) return "  and one more, not shown here (--json has it)\n";
  return fmt::format("  and {} more {}, not shown here (--json has them all)\n", count - most_lines, things);
}

namespace {

/// Of every state that satisfies the constraint where that is decided, else of this one.
std::string ideal_text(const ConstraintNature& c) {
  if (!c.ideal) return ", not ideal at this state (A v is not zero)";
  if (!c.ideal_always) return ", ideal at this state";
  return *c.ideal_always ? ", ideal" : ", ideal at this state, not at others";
}

}  // namespace

std::string nature_text(const ConstraintNature& c) {
  const char* const of[] = {"of positions", "of velocities", "of accelerations"};
  std::string text = fmt::format("{}, {} in the {}", of[c.order], kind_name(c.kind),
                                 c.order == 2 ? "accelerations" : "velocities");
  text += c.scleronomic ? ", scleronomic" : ", with time in it";
  text += ideal_text(c);
  if (!c.admissible) text += ", not admissible at this state";
  return c.redundant ? text + ", redundant" : text;
}

namespace {

/// The reasons, each once, with the constraints it holds for.
void add_reasons(std::string& page, const std::vector<ConstraintNature>& constraints) {
  std::vector<std::pair<std::string, std::vector<std::string>>> said;
  const auto say = [&](const std::string& text, const std::string& name) {
    const auto found = std::find_if(said.begin(), said.end(), [&](const auto& s) { return s.first == text; });
    if (found == said.end())
      said.push_back({text, {"'" + name + "'"}});
    else
      found->second.push_back("'" + name + "'");
  };
  for (const ConstraintNature& c : constraints) {
    say(std::string(kind_name(c.kind)) + ": " + c.reason.kind, c.name);
    if (!c.admissible) say("not admissible: " + c.reason.admissible, c.name);
    say((c.ideal ? "ideal: " : "not ideal: ") + c.reason.ideal, c.name);
  }
  for (std::size_t k = 0; k < said.size() && k < most_lines; ++k)
    page += fmt::format("  {} ({})\n", said[k].first, list_text(said[k].second, 6));
  page += cut_text(said.size(), "reasons");
}

}  // namespace

void add_natures(std::string& page, const std::vector<ConstraintNature>& constraints) {
  if (constraints.empty()) return;
  std::vector<std::string> names;
  for (const ConstraintNature& c : constraints) names.push_back(c.name);
  const std::size_t width = width_of(names, 10);
  page += "\nThe constraints\n";
  for (std::size_t k = 0; k < constraints.size() && k < most_lines; ++k)
    page += fmt::format("  {:<{}} {}\n", names[k], width, nature_text(constraints[k]));
  page += cut_text(constraints.size(), "constraints");
  add_reasons(page, constraints);
}

void add_admissibility(std::string& page, const System& system, const Instant& at) {
  if (system.row_names().empty() || at.admissible) return;
  page += "Not admissible at this state: the rows of orders 0 and 1 depend on each other\n";
  for (std::size_t k = 0; k < at.dependent.size() && k < most_lines; ++k)
    page += "  " + dependency_text(system, at.dependent[k]) + "\n";
  page += cut_text(at.dependent.size(), "rows that follow from others");
}

std::string dependency_text(const System& system, const Dependency& d) {
  if (d.on.empty()) return fmt::format("'{}' says 0 = 0 here", system.row_names()[d.row]);
  std::vector<std::string> others;
  for (const int k : d.on) others.push_back("'" + system.row_names()[k] + "'");
  return fmt::format("'{}' follows from {}", system.row_names()[d.row], list_text(others));
}

void add_norm_dependences(std::string& page, const Instant& at) {
  for (std::size_t k = 0; k < at.norm_dependences.size(); ++k) {
    std::string text = describe(at.norm_dependences[k]);
    text.front() = 'T';
    page += (k == 0 ? "\n" : "") + text + ".\n";
  }
}

void add_near_rank(std::string& page, const Solution& s) {
  if (s.singular_value_near == 0) return;
  page += fmt::format(
      "\nThe rank is a close decision: a singular value of the rows is {} of the largest, and below "
      "1e-10 it "
      "counts as zero.\n",
      magnitude_text(s.singular_value_near));
}

}  // namespace vinculum
