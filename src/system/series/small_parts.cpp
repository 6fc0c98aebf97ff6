#include "system/series/small_parts.hpp"

#include <algorithm>

#include "system/system_impl.hpp"
#include "vinculum/lower/expand.hpp"

namespace vinculum {
namespace {

/// Number times number, constants outside: entries of A that are the same but for a factor share a product.
Expr product(const Expr& a, const Expr& b) {
  if (a.op() == Op::negate) return -product(a.operand(0), b);
  if (a.op() == Op::multiply && a.operand(0).is_constant()) return a.operand(0) * product(a.operand(1), b);
  return a * b;
}

}  // namespace

SmallParts::SmallParts(const System::Impl& system, const SeriesStatements& stated)
    : model_(system.model), equations_(symbolic_equations(system.model, stated.balance)) {
  add_balance();
  add_rows(stated.rows);
  add_rates(stated.balance);
  add_powers(system, stated.balance);
  if (system.has_nonideal) add_deviation(stated);
}

void SmallParts::add_balance() {
  std::vector<Expr>& f = outputs[balance];
  for (const Expr& q : equations_.Q) f.push_back(-q);
  for (const SymbolicEquations::Entry& m : equations_.M)
    f[m.row] += m.value * model_.velocities()[m.column].acceleration;
  for (const SymbolicEquations::Entry& a : equations_.A)
    f[a.column] -= product(a.value, model_.stated().multiplier_of_row(a.row));
}

void SmallParts::add_rows(const std::vector<Statement>& statements) {
  for (const Statement& s : statements)
    for (const Contribution& c : expand(model_, s, Purpose::series)) {
      if (c.target.where != Target::Where::stated_row) continue;
      rows[c.target.j].push_back(s.first_row + c.target.i);
      outputs[row_of_position + c.target.j].push_back(c.value);
    }
}

void SmallParts::add_rates(const std::vector<Statement>& statements) {
  for (const Statement& s : statements)
    for (const Contribution& c : expand(model_, s, Purpose::rates)) {
      coordinates.push_back(c.target.i);
      outputs[rate_of_change].push_back(c.value);
    }
}

void SmallParts::add_powers(const System::Impl& system, const std::vector<Statement>& statements) {
  Expr stated = 0, by_time = 0, of_rows = 0, of_programmes = 0;
  for (const Statement& s : statements)
    for (const Contribution& c : expand(model_, s, Purpose::energy)) {
      if (c.target.where == Target::Where::power) stated += c.value;
      if (c.target.where == Target::Where::power_explicit) by_time += c.value;
    }
  for (const Statement& s : statements)
    if (s.kind == StatementKind::multiplier)
      for (const Contribution& c : expand(model_, s, Purpose::series))
        if (c.target.where == Target::Where::row_power) of_rows += c.value;
  for (const SymbolicEquations::Entry& a : equations_.A) {
    const int constraint = system.constraint_of_row[a.row];
    const bool is_programme = std::any_of(system.programmes.begin(), system.programmes.end(),
                                          [&](const ProgrammeInfo& p) { return p.constraint == constraint; });
    (is_programme ? of_programmes : of_rows) +=
        product(a.value, model_.stated().multiplier_of_row(a.row)) * model_.velocities()[a.column].symbol;
  }
  outputs[power] = {stated, by_time};
  if (system.rows_may_work || system.programmes_may_work) outputs[row_power] = {of_rows, of_programmes};
}

void SmallParts::add_deviation(const SeriesStatements& stated) {
  std::vector<Expr>&C = outputs[nonideal], &f = outputs[deviation], &taken_rows = outputs[row_of_deviation];
  C.resize(equations_.Q.size());
  f.resize(equations_.Q.size());
  taken_rows.resize(equations_.b.size());
  for (const Statement& s : stated.nonideal)
    for (const Contribution& c : expand(model_, s, Purpose::nonideal)) C[c.target.i] += c.value;
  for (const Statement& s : stated.sides) C.push_back(model_.stated().written_out(s.roots[0]));
  for (const SymbolicEquations::Entry& m : equations_.M)
    f[m.row] += m.value * model_.velocities()[m.column].acceleration;
  for (const SymbolicEquations::Entry& a : equations_.A) {
    f[a.column] -= product(a.value, model_.stated().multiplier_of_row(a.row));
    taken_rows[a.row] += a.value * model_.velocities()[a.column].acceleration;
  }
  if (outputs[row_power].empty()) return;
  const Expr &taken = outputs[row_power][0], &of_programmes = outputs[row_power][1];
  outputs[power_of_deviation] = {taken + of_programmes};
}

}  // namespace vinculum
