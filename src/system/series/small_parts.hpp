// What the series of a small system are made of, as expressions.
#pragma once
#include <vector>

#include "system/series/series_statements.hpp"
#include "vinculum/lower/equations.hpp"

namespace vinculum {

/// All that is expanded, part by part.
class SmallParts {
 public:
  enum Part {
    balance,
    row_of_position,
    row_of_velocity,
    row_of_acceleration,
    rate_of_change,
    power,
    row_power,
    nonideal,            // C, and behind it what stands in its signs
    deviation,           // M d - A^T mu
    row_of_deviation,    // A d
    power_of_deviation,  // of mu
    part_count
  };
  SmallParts(const System::Impl& system, const SeriesStatements& stated);
  const SymbolicEquations& equations() const { return equations_; }

  std::vector<Expr> outputs[part_count];
  std::vector<int> rows[3];      // those of each order, in the order of its outputs
  std::vector<int> coordinates;  // of each rate

 private:
  void add_balance();
  void add_rows(const std::vector<Statement>& statements);
  void add_rates(const std::vector<Statement>& statements);
  void add_powers(const System::Impl& system, const std::vector<Statement>& statements);
  void add_deviation(const SeriesStatements& stated);

  const Model& model_;
  SymbolicEquations equations_;
};

}  // namespace vinculum
