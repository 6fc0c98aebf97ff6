#include "analysis/instant/explain_principles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/instant/explain_forces.hpp"
#include "analysis/page_text.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/equation/row_scale.hpp"

namespace vinculum {
namespace {

/// Rows whose columns of the matrices are shown: more of them do not help a reader.
constexpr std::size_t most_rows = 3, most_columns = 8, most_displacements = 6;

/// "2 x - 0.5 y", by names of what moves or of rows.
std::string sum_text(const std::vector<std::string>& names, const std::vector<double>& weights) {
  const double largest = largest_of(weights);
  std::string text;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const std::string size = cell(std::fabs(weights[i]), largest);
    if (size == "0") continue;
    text += text.empty() ? (weights[i] < 0 ? "-" : "") : (weights[i] < 0 ? " - " : " + ");
    text += (size == "1" ? "" : size + " ") + names[i];
  }
  return text.empty() ? "0" : text;
}

std::vector<std::string> moving_names(const System& system) {
  std::vector<std::string> names;
  for (const std::string& velocity : system.velocity_names()) names.push_back(moving(velocity));
  return names;
}

/// What belongs to one row of A: its row of B = A M^-1/2, and its columns of B^+, K1 and K.
void add_row_of_matrices(std::string& page, const System& system, const Proportionality& of, int row) {
  const int n = static_cast<int>(system.velocity_names().size()),
            m = static_cast<int>(system.row_names().size());
  const std::size_t width = width_of(system.velocity_names(), 10);
  const auto column = [&](const std::vector<double>& matrix) {
    std::vector<double> out(n);
    for (int i = 0; i < n; ++i) out[i] = matrix[i * m + row];
    return out;
  };
  const std::vector<double> B(of.constraint_matrix.begin() + row * n,
                              of.constraint_matrix.begin() + (row + 1) * n);
  const std::vector<double> columns[] = {B, column(of.inverse), column(of.K1), column(of.K)};
  page += fmt::format("  {:<{}} {:>13} {:>13} {:>13} {:>13}\n", "'" + system.row_names()[row] + "'", width,
                      "B = A M^-1/2", "B^+", "K1", "K");
  for (int i = 0; i < n && i < static_cast<int>(most_lines); ++i) {
    page += fmt::format("  {:<{}}", system.velocity_names()[i], width);
    for (const auto& values : columns) page += fmt::format(" {:>13}", cell(values[i], largest_of(values)));
    page += "\n";
  }
  page += cut_text(n, "velocities");
  const std::vector<double> K2(of.K2.begin() + row * m, of.K2.begin() + (row + 1) * m);
  std::vector<std::string> misses;
  for (const std::string& name : system.row_names()) misses.push_back("e(" + name + ")");
  page += fmt::format("  {:<{}} K2 e = {}\n", "multiplier", width, sum_text(misses, K2));
}

}  // namespace

void add_proportionality(std::string& page, const System& system, const Instant& at, const Principles& of) {
  if (system.mechanics() != Mechanics::dalembert || at.solution.status != Status::solved) return;
  if (const int row = row_beyond_squares(at.equations.A); row >= 0)
    page += fmt::format(
        "\nThe two fundamental principles are not shown: the coefficients of '{}' have squares that are no "
        "numbers; state it in other units\n",
        system.row_names()[row]);
  if (!of.matrices) return;
  const bool pushed = largest_of(at.solution.nonideal_force) > 0;
  const std::size_t rows = system.row_names().size();
  page += fmt::format(
      "\nThe two fundamental principles (Udwadia and Kalaba)\n"
      "  The motion deviates from the free one in direct proportion to e: q'' - a = K1 e{} (15), K1 = M^-1/2 "
      "B^+.\n"
      "  The constraints push in direct proportion to e: F^c = K e (17), K = M^1/2 B^+; lambda = K2 e (23).\n"
      "{}",
      pushed ? " + M^-1 F^C" : "",
      pushed ? "  F^C is what the constraints do of their own (C), beside it.\n" : "");
  const std::size_t shown = system.velocity_names().size() <= most_columns ? std::min(rows, most_rows) : 0;
  for (std::size_t r = 0; r < shown; ++r)
    add_row_of_matrices(page, system, *of.matrices, static_cast<int>(r));
  if (shown < rows)
    page += fmt::format("  {}the matrices of {} are not shown here (--json has them all)\n",
                        shown > 0 ? "" : "B = A M^-1/2; ",
                        count_text(rows - shown, shown > 0 ? "more row" : "row"));
  page += fmt::format("  scaled deviation z = M^1/2 (q'' - a){}: {}\n", pushed ? "" : " = B^+ e",
                      sum_text(moving_names(system), of.scaled_deviation));
}

void add_displacements(std::string& page, const System& system, const Instant& at, const Principles& of) {
  if (!of.displacements_known || system.row_names().empty() || system.mechanics() != Mechanics::dalembert)
    return;
  if (of.displacements.empty()) {
    page += "\nVirtual displacements: none, the constraints leave nothing free.\n";
    return;
  }
  const bool pushed = !at.equations.C.empty();
  const std::vector<std::string> names = moving_names(system);
  std::vector<double> forces = at.solution.constraint_force;
  for (const std::vector<double>* more : {&at.solution.nonideal_force, &at.equations.Q, &at.equations.C})
    forces.insert(forces.end(), more->begin(), more->end());
  const double largest = largest_of(forces);
  page += fmt::format("\nVirtual displacements v, A v = 0: {}\n",
                      of.displacements.size() == 1
                          ? "all are multiples of one"
                          : fmt::format("all are combinations of {}", of.displacements.size()));
  for (std::size_t k = 0; k < of.displacements.size() && k < most_displacements; ++k) {
    const VirtualDisplacement& d = of.displacements[k];
    const double scale = largest * largest_of(d.v);
    page += fmt::format("  v = {}:  v.F^L = {}", sum_text(names, d.v), cell(d.ideal, scale));
    if (pushed)
      page += fmt::format(", v.F^C = {} and v.C = {}", cell(d.nonideal, scale), cell(d.stated, scale));
    page += "\n";
  }
  if (of.displacements.size() > most_displacements)
    page += fmt::format("  and {}, not shown here (--json has them all)\n",
                        count_text(of.displacements.size() - most_displacements, "more displacement"));
}

void add_spaces(std::string& page, const System& system, const Principles& of) {
  if (!of.spaces) return;
  const int n = static_cast<int>(system.velocity_names().size()), reactions = of.spaces->reactions;
  page += fmt::format(
      "\nThe spaces of Jalnapurkar\n"
      "  TQ, positions and velocities: {} dimensions; S in it, where the constraints hold: {}\n"
      "  Theta, spanned by the covectors d phi of {}; tau* Theta, the constraint reaction 1-forms: {}\n"
      "  vertical vectors Y, what forces add to the motion: {}, of which reactions: {}; virtual "
      "displacements: {}\n",
      of.spaces->states, of.spaces->held, count_text(of.spaces->rows, "row"), reactions, n, reactions,
      n - reactions);
}

namespace {

/// The rows that are missed, by how much.
std::string misses_text(const System& system, const std::vector<double>& miss, const char* what) {
  std::vector<std::string> missed;
  for (std::size_t r = 0; r < miss.size(); ++r)
    if (const std::string size = cell(miss[r], largest_of(miss)); size != "0")
      missed.push_back(fmt::format("'{}' by {}", system.row_names()[r], size));
  return fmt::format("{}: {}", what, list_text(missed));
}

void add_trial(std::string& page, const System& system, const Instant& at, const Trial& t) {
  const std::vector<std::string> names = moving_names(system);
  const bool pushed = !at.equations.C.empty();
  // What the principle says is said of motions that obey it, and with numbers that are there.
  const bool least = t.keeps && at.solution.status == Status::solved &&
                     system.mechanics() != Mechanics::vakonomic && std::isfinite(t.gaussian) &&
                     !at.solution.saddle;
  page += fmt::format("\nThe trial as an acceleration, what is not named as in the motion: {}\n",
                      sum_text(names, t.acceleration));
  page += "  " +
          (t.keeps ? std::string("it keeps the constraints")
                   : misses_text(system, t.miss, "it misses the constraints")) +
          "\n";
  page += fmt::format(
      "  Gauss's function of it is {}; that of the motion {}, u^T M u = {} for u, the trial less the "
      "motion\n",
      cell(t.gaussian), cell(at.solution.gaussian), cell(t.above));
  if (least && !pushed)
    page += fmt::format(
        "  G1 = G + u^T M u: {} = {} + {}, no trial that keeps the constraints is below the motion\n",
        cell(t.gaussian), cell(at.solution.gaussian), cell(t.above));
  if (pushed)
    page += fmt::format("  extended by C it is {}, that of the motion {}{}\n", cell(t.extended),
                        cell(at.solution.extended_gaussian),
                        least ? fmt::format(", and the difference is u^T M u = {}", cell(t.above)) : "");
  page += fmt::format("The trial as a displacement, what is not named at rest: {}\n",
                      sum_text(names, t.displacement));
  page += "  " +
          (t.is_virtual ? std::string("it is virtual: A v = 0")
                        : misses_text(system, t.slip, "it is not virtual, A v is not zero")) +
          "\n";
  page += fmt::format("  work in it: v.F^L = {}", cell(t.ideal));
  if (pushed) page += fmt::format(", v.F^C = {}, v.C = {}", cell(t.nonideal), cell(t.stated));
  page += "\n";
}

void add_chosen(std::string& page, const System& system, const char* which,
                const std::vector<double>& lambda) {
  page += fmt::format("\nMultipliers {}\n", which);
  const std::size_t width = width_of(system.row_names(), 10);
  for (std::size_t r = 0; r < lambda.size() && r < most_lines; ++r)
    page +=
        fmt::format("  {:<{}} {:>13}\n", system.row_names()[r], width, cell(lambda[r], largest_of(lambda)));
  page += cut_text(lambda.size(), "rows");
}

}  // namespace

std::string answer_page(const System& system, const Instant& at, const Answer& answer) {
  std::string page;
  if (answer.trial) add_trial(page, system, at, *answer.trial);
  if (answer.family)
    add_chosen(page, system, "for the h given, K2 e + [I - (A^T)^+ A^T] h (22), which make the same force",
               *answer.family);
  if (answer.weighted)
    add_chosen(page, system, "with the least sum of weight * lambda^2, which make the same force",
               *answer.weighted);
  return page;
}

}  // namespace vinculum
