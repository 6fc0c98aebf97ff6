// Rows that are independent as they are written, and depend on each other wherever the constraints hold.
#include <fmt/format.h>

#include "analysis/derive/page.hpp"
#include "analysis/instant/constraint_states.hpp"
#include "vinculum/base/text.hpp"
#include "vinculum/lower/rows.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum::derive {
namespace {

State start_of(const Model& model) {
  State start;
  for (const auto& q : model.coordinates()) start.q.push_back(q.start);
  for (const auto& v : model.velocities()) start.v.push_back(v.start);
  return start;
}

/// All rows, and behind them the rates of those on positions: a state satisfies both.
std::vector<Expr> rows_and_rates(const Model& numbers) {
  std::vector<Expr> rows, rates;
  for (const auto& c : numbers.constraints())
    for (const Expr& phi : c.rows) {
      rows.push_back(phi);
      if (order_of(numbers, phi) == 0) rates.push_back(time_derivative(phi, numbers.stated().rates));
    }
  rows.insert(rows.end(), rates.begin(), rates.end());
  return rows;
}

}  // namespace

std::string dependence_on_constraints(const Model& model, const std::vector<std::string>& names,
                                      const std::vector<int>& rows) {
  const Model numbers = with_numbers(model);
  const State start = start_of(numbers);
  ConstraintStates states(numbers, rows_and_rates(numbers), start);
  if (!states.possible()) return "";
  int tried = 0;
  for (int k = 0; k < ConstraintStates::draws; ++k) {
    if (!states.draw(k)) continue;
    if (states.are_independent(rows)) return "";
    ++tried;
  }
  if (tried == 0) return "";
  std::vector<std::string> quoted;
  for (const int row : rows) quoted.push_back("'" + names[row] + "'");
  return fmt::format(
      "Where the constraints hold, {} ({}): a closed form would divide 0 by 0. "
      "The formula with the Moore-Penrose inverse ( )^+ holds there",
      rows.size() == 1 ? "the row of " + quoted[0] + " in A is zero"
                       : "the rows " + list_text(quoted) + " of A depend on each other",
      tried == 1 ? "at the start" : fmt::format("at each of {} states tried", tried));
}

}  // namespace vinculum::derive
