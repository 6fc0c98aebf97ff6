#include "system/compile/closed_form.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "base/clones.hpp"
#include "equation/sparse/schur.hpp"
#include "system/compile/traced.hpp"
#include "vinculum/equation/sparse_row.hpp"
#include "vinculum/expr/factors.hpp"
#include "vinculum/lower/living.hpp"
#include "vinculum/model/stated.hpp"

namespace vinculum {
namespace {

constexpr int most_coordinates = 24, widest_block = 8;
constexpr int most_rows = 8;             // of a closed form
constexpr int most_rows_of_series = 12;  // of its beginning

using TracedNumbers = std::vector<Traced>;

/// The fast road in expressions: the steps of equation/sparse/schur.hpp.
class SymbolicElimination {
 public:
  SymbolicElimination(const SymbolicEquations& e, const Structure::Impl& s, const Equations& pattern,
                      RowsHold beside)
      : s_(s),
        pattern_(pattern),
        beside_(beside),
        A_(pattern.A.column.size()),
        inverse_(s.inverse_start.back()),
        factor_(static_cast<std::size_t>(s.rows) * s.rows) {
    for (int r = 0; r < s.rows; ++r)
      for (int k = pattern.A.start[r]; k < pattern.A.start[r + 1]; ++k)
        A_[k] = entry_at(e.A, r, pattern.A.column[k]);
    factorize(e);
    const TracedNumbers b(e.b.begin(), e.b.end()), Q(e.Q.begin(), e.Q.end());
    free = TracedNumbers(s.coordinates);
    apply_inverse_mass(s, inverse_.data(), Q.data(), free.data());
    acceleration = free;
    meet_rows(b.data(), acceleration, force);
  }
  /// C may depend on the multipliers, which are known by now.
  void finish(const Model& model, const std::vector<Expr>& c) {
    if (pattern_.C.empty()) return;
    SymbolMap known;
    for (int r = 0; r < s_.rows; ++r) known.set(model.stated().multiplier_of_row(r), multipliers[r].value);
    TracedNumbers stated;
    for (const Expr& x : c) stated.push_back(substitute(x, known));
    TracedNumbers push(s_.coordinates);
    apply_inverse_mass(s_, inverse_.data(), stated.data(), push.data());
    const TracedNumbers ideal = multipliers, unmet = dissatisfaction;
    meet_rows(nullptr, push, nonideal);
    multipliers = ideal;
    dissatisfaction = unmet;
    for (int i = 0; i < s_.coordinates; ++i) {
      nonideal[i] += stated[i];
      acceleration[i] += push[i];
    }
  }

  TracedNumbers free, dissatisfaction, multipliers, force, acceleration, nonideal;
  void require_tame() {
    for (const Traced& part : part_) conditions_.require(part.value, most_of_row, false);
  }
  /// The matrices: A, M^-1, L, 1 / D.
  std::array<const TracedNumbers*, 4> factors() const { return {&A_, &inverse_, &factor_, &pivot_}; }

  Expr good(const Model& model) const {
    return conditions_.good([&](const Expr& small, const Expr& large) {
      const Expr sides[2] = {small, large};
      const std::vector<Expr> symbols = symbols_of(sides);
      return !symbols.empty() &&
             std::all_of(symbols.begin(), symbols.end(), [&](const Expr& s) { return is_living(model, s); });
    });
  }

 private:
  /// M^-1, and S = A M^-1 A^T = L D L^T.
  void factorize(const SymbolicEquations& e) {
    TracedNumbers mass, y(s_.y_size);
    for (int i = 0; i < pattern_.M.rows; ++i)
      for (int k = pattern_.M.start[i]; k < pattern_.M.start[i + 1]; ++k)
        mass.push_back(entry_at(e.M, i, pattern_.M.column[k]));
    invert_mass(s_, mass.data(), inverse_.data());
    fill_y(s_, inverse_.data(), A_.data(), y.data());
    pivot_.resize(s_.rows);
    factorize_dense(s_, A_.data(), y.data(), factor_.data(), pivot_.data());
    conditions_.watch_here();
    for (int i = 0; i < s_.rows; ++i)
      if (s_.profile[i] < i)
        part_.push_back(pivot_[i] * schur_entry(s_, s_.schur.start[i], A_.data(), y.data()));
    for (const Traced& p : pivot_) {
      const bool is_its_own = s_.rows == 1 && p.value.op() == Op::divide;  // nobody else needs 1/d
      negative_pivot_.push_back(is_its_own ? -1 / p.value.operand(1) : -p.value);
    }
  }

  /// From the free motion q to the one that the rows allow, by a push of theirs. b comes with a sign from
  /// differentiating, and lambda is asked for with another: A q - b needs neither, and the sign of lambda
  /// goes with the pivots, which are ready long before. (No bit depends on that.)
  void meet_rows(const Traced* b, TracedNumbers& q, TracedNumbers& push) {
    const int *start = pattern_.A.start.data(), *column = pattern_.A.column.data();
    const TracedNumbers from = q;
    TracedNumbers surplus(s_.rows);
    for (int i = 0; i < s_.rows; ++i) {
      if (b) surplus[i] = -b[i].value;
      for (int k = start[i]; k < start[i + 1]; ++k) surplus[i] += A_[k] * q[column[k]];
    }
    multipliers = surplus;
    solve_dense(s_, factor_.data(), negative_pivot_.data(), multipliers.data());
    dissatisfaction.clear();
    for (int i = 0; i < s_.rows; ++i) {
      dissatisfaction.push_back(-surplus[i].value);
      // lambda^T S lambda is the square of the largest push, so where it is finite every acceleration is.
      conditions_.require_finite((multipliers[i] * surplus[i]).value);
    }
    push.assign(s_.coordinates, Traced());
    add_transposed(s_.rows, start, column, A_.data(), multipliers.data(), push.data());
    push_from(s_, inverse_.data(), from.data(), push.data(), q.data());
    if (beside_ == RowsHold::refined) refine(b, q, push, from);
    if (beside_ != RowsHold::not_asked) require_rows(b, q, from);
    require_finite_outside_rows(from);
  }

  /// Once more from what is left of the rows, as the general road does it: nothing where they hold.
  void refine(const Traced* b, TracedNumbers& q, TracedNumbers& push, const TracedNumbers& from) {
    const int *start = pattern_.A.start.data(), *column = pattern_.A.column.data();
    const auto in_one = [](const Expr&, const Expr&) { return false; };
    TracedNumbers left(s_.rows), change(s_.coordinates);
    residual(s_.rows, start, column, A_.data(), b, q.data(), left.data());
    Conditions at_once;
    require_rows_at_once(b, q, from);
    const Expr hold = at_once.good(in_one);
    for (Traced& x : left) x = if_less(hold, 1, x.value, 0);
    solve_dense(s_, factor_.data(), pivot_.data(), left.data());
    add_transposed(s_.rows, start, column, A_.data(), left.data(), change.data());
    for (int i = 0; i < s_.rows; ++i) multipliers[i] += left[i];
    for (int i = 0; i < s_.coordinates; ++i) push[i] += change[i];
    push_from(s_, inverse_.data(), q.data(), change.data(), q.data());
  }

  /// That they hold, beside what is said.
  void require_rows(const Traced* b, const TracedNumbers& q, const TracedNumbers& from) {
    const int *start = pattern_.A.start.data(), *column = pattern_.A.column.data();
    if (beside_ == RowsHold::beside_their_terms) {
      require_rows_at_once(b, q, from);
    } else {
      TracedNumbers left(s_.rows);
      residual(s_.rows, start, column, A_.data(), b, q.data(), left.data());
      within_cancellation(s_.rows, start, column, A_.data(), b, q.data(), from.data(), left.data());
    }
  }
  void require_rows_at_once(const Traced* b, const TracedNumbers& q, const TracedNumbers& from) {
    if (s_.rows == 1 && s_.diagonal) {
      check_cancellation(b ? b[0].value : Expr(0.0), q, from);
    } else {
      TracedNumbers left(s_.rows);
      checked_residual(s_.rows, pattern_.A.start.data(), pattern_.A.column.data(), A_.data(), b, q.data(),
                       left.data());
    }
  }

  /// Where no row would notice.
  void require_finite_outside_rows(const TracedNumbers& x) {
    std::vector<bool> noticed(s_.coordinates, false);
    for (const int c : pattern_.A.column) noticed[c] = true;
    for (int i = 0; i < s_.coordinates; ++i)
      if (!noticed[i]) conditions_.require_finite(x[i].value);
  }

  /// One row and a diagonal M: S is a sum of squares and lambda one division, so A q = b up to the roundings
  /// of q_i = a_i + M_i^-1 A_i lambda. Those are the rounding of the row's own terms unless the a_i are much
  /// larger and cancel.
  void check_cancellation(const Expr& b, const TracedNumbers& q, const TracedNumbers& from) {
    Expr before = 0,
         after = pow(b, 2);  // squares: cheaper than absolute values, and strictly less where they underflow
    for (int k = pattern_.A.start[0]; k < pattern_.A.start[1]; ++k) {
      const int c = pattern_.A.column[k];
      if (from[c].is_zero()) continue;
      before += pow(A_[k].value * (0.125 * from[c].value), 2);
      after += pow(A_[k].value * q[c].value, 2);
    }
    if (!before.is_constant(0)) conditions_.require(before, after, true);
  }

  const Structure::Impl& s_;
  const Equations& pattern_;
  const RowsHold beside_;
  Conditions conditions_;
  TracedNumbers A_, inverse_, factor_, pivot_, negative_pivot_;
  TracedNumbers part_;  // a row over what others leave of it
};

bool is_small(const Structure::Impl& s, int rows) {
  const bool is_dense = s.method == Method::dense || s.method == Method::free;
  if (s.coordinates > most_coordinates || s.rows > rows || !is_dense) return false;
  for (std::size_t k = 0; k + 1 < s.block_start.size(); ++k)
    if (s.block_start[k + 1] - s.block_start[k] > widest_block) return false;
  return true;
}

}  // namespace

bool may_be_written_out(const Equations& pattern) {
  return pattern.M.rows <= most_coordinates && pattern.A.rows <= most_rows && pattern.A.rows > 0;
}

SymbolicEquations correction(const SymbolicEquations& e, const std::vector<AskedRow>& rows) {
  SymbolicEquations result;
  result.M = e.M;
  result.Q.resize(e.Q.size());
  for (const AskedRow& asked : rows) {
    const int r = static_cast<int>(result.b.size());
    result.b.push_back(-asked.residual);
    for (const SymbolicEquations::Entry& entry : e.A)
      if (entry.row == asked.row) result.A.push_back({r, entry.column, entry.value});
  }
  return result;
}

Equations correction_pattern(const Equations& pattern, const std::vector<AskedRow>& rows) {
  Equations result;
  result.M = pattern.M;
  result.Q = pattern.Q;
  result.A.columns = pattern.A.columns;
  for (const AskedRow& asked : rows) {
    ++result.A.rows;
    const std::span<const int> columns = row_of(pattern.A, asked.row).columns;
    result.A.column.insert(result.A.column.end(), columns.begin(), columns.end());
    result.A.start.push_back(result.A.entries());
  }
  result.A.value.resize(result.A.column.size());
  result.b.resize(rows.size());
  return result;
}

namespace {

/// The elimination of a small system, where it can be good.
class WrittenRoad {
 public:
  WrittenRoad(const Model& model, const SymbolicEquations& equations, const Equations& pattern, int rows,
              RowsHold beside = RowsHold::beside_their_terms) {
    if (equations.Q.empty()) return;
    structure_.emplace(pattern.M, pattern.A);
    if (!is_small(structure_->impl(), rows)) return;
    road_.emplace(equations, structure_->impl(), pattern, beside);
    road_->finish(model, equations.C);
    good = road_->good(model);
  }
  SymbolicElimination* operator->() { return &*road_; }
  /// It is not where constants alone say so, such as a massless coordinate.
  bool exists() const { return road_ && !good.is_constant(0); }
  const SymbolicElimination* operator->() const { return &*road_; }
  Expr good;

 private:
  std::optional<Structure> structure_;
  std::optional<SymbolicElimination> road_;
};

void append(std::vector<Expr>& outputs, const TracedNumbers& part) {
  for (const Traced& x : part) outputs.push_back(x.value);
}

}  // namespace

std::vector<Expr> written_beginning(const Model& model, const SymbolicEquations& equations,
                                    const Equations& pattern, RowsHold beside) {
  WrittenRoad road(model, equations, pattern, most_rows_of_series, beside);
  std::vector<Expr> outputs;
  if (!road.exists()) return outputs;
  road->require_tame();
  append(outputs, road->acceleration);
  append(outputs, road->multipliers);
  for (const TracedNumbers* part : road->factors()) append(outputs, *part);
  outputs.push_back(road->good(model));
  return outputs;
}

ClosedForm::ClosedForm(const Model& model, const SymbolicEquations& equations, const Equations& pattern)
    : coordinates_(pattern.M.rows), rows_(pattern.A.rows), has_nonideal_(!pattern.C.empty()) {
  if (rows_ == 0) return;
  const WrittenRoad refined(model, equations, pattern, most_rows, RowsHold::refined);
  if (!refined.exists()) return;
  std::vector<Expr> outputs;
  for (const auto* part : {&refined->acceleration, &refined->free, &refined->force, &refined->multipliers,
                           &refined->dissatisfaction})
    append(outputs, *part);
  if (has_nonideal_) append(outputs, refined->nonideal);
  outputs.push_back(refined.good);
  all_ = StateFunction(model, carry_factors(outputs), coordinates_);
  const WrittenRoad at_once(model, equations, pattern, most_rows);
  outputs.clear();
  append(outputs, at_once->acceleration);
  outputs.push_back(at_once.good);
  motion_ = StateFunction(model, carry_factors(outputs), coordinates_);
  exists_ = true;
}

ClosedForm::Scratch::Scratch(const ClosedForm& form, std::span<const double> parameters, States states)
    : motion(form.motion_, parameters, states == States::one ? 1 : lane_count) {
  if (states != States::one || !form.exists()) return;
  all = BoundFunction(form.all_, parameters);
  good_ = motion.eight(form.coordinates_);
}

void ClosedForm::Scratch::bind(std::span<const double> parameters) {
  all.bind(parameters);
  motion.bind(parameters);
}

bool ClosedForm::solve(double t, std::span<const double> q, std::span<const double> v, Scratch& scratch,
                       Solution& out) const {
  const double* const part[] = {&t, q.data(), v.data()};
  out.acceleration.resize(coordinates_);
  scratch.all.run(part, out.acceleration.data());
  auto [registers, place] = scratch.all.numbers();
  if (registers[all_.kernel().outputs().back()] != 1.0) return false;
  place += coordinates_;
  const auto take = [&](std::vector<double>& to, int count) {
    to.resize(count);
    for (int i = 0; i < count; ++i) to[i] = registers[*place++];
  };
  take(out.free_acceleration, coordinates_);
  take(out.constraint_force, coordinates_);
  take(out.multipliers, rows_);
  take(out.dissatisfaction, rows_);
  if (has_nonideal_)
    take(out.nonideal_force, coordinates_);
  else
    out.nonideal_force.assign(coordinates_, 0.0);
  out.deviation.resize(coordinates_);
  out.gaussian = 0;
  for (int i = 0; i < coordinates_; ++i) {
    out.deviation[i] = out.acceleration[i] - out.free_acceleration[i];
    out.gaussian += out.deviation[i] * (out.constraint_force[i] + out.nonideal_force[i]);
  }
  out.rank = rows_;
  return true;
}

bool ClosedForm::solve(const double* const* part, Scratch& scratch, double* acceleration) const {
  return scratch.at_once(part, acceleration) || refine(part, scratch, acceleration);
}

bool ClosedForm::refine(const double* const* part, Scratch& scratch, double* acceleration) const {
  scratch.all.run(part, acceleration);
  return scratch.all.numbers()[all_.kernel().outputs().size() - 1] == 1.0;
}

bool ClosedForm::solve_lanes(const double* t, const double* q, const double* v, Scratch& scratch,
                             double* acceleration, double* good) const {
  const double* const part[] = {t, q, v};
  scratch.motion.run(part, acceleration);
  const double* last = scratch.motion.eight(coordinates_);
  double sum = 0;
  for (int k = 0; k < lane_count; ++k) sum += good[k] = last[k];
  return sum == lane_count;
}

ClosedCorrection::ClosedCorrection(const Model& model, const SymbolicEquations& equations,
                                   const Equations& pattern, const std::vector<AskedRow>& rows)
    : coordinates_(pattern.M.rows), rows_(static_cast<int>(rows.size())) {
  if (rows.empty()) return;
  const WrittenRoad road(model, correction(equations, rows), correction_pattern(pattern, rows), most_rows,
                         RowsHold::not_asked);
  if (!road.exists()) return;
  std::vector<Expr> outputs;
  append(outputs, road->acceleration);
  append(outputs, road->dissatisfaction);
  outputs.push_back(road.good);
  change_ = StateFunction(model, carry_factors(outputs), coordinates_);
}

bool ClosedCorrection::solve(const double* const* part, Scratch& scratch, double* x, double* asked) const {
  scratch.run(part, x);
  const KernelRun::Numbers found = scratch.numbers();
  for (int i = 0; i < rows_; ++i) asked[i] = found[coordinates_ + i];
  return found[coordinates_ + rows_] == 1.0;
}

void ClosedCorrection::solve_lanes(const double* const* part, Scratch& scratch, double* x,
                                   double* good) const {
  scratch.run(part, x);
  std::copy_n(scratch.eight(coordinates_ + rows_), lane_count, good);
}

}  // namespace vinculum
