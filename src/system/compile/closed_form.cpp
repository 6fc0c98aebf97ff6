#include "system/compile/closed_form.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/clones.hpp"
#include "equation/sparse/schur.hpp"
#include "vinculum/lower/living.hpp"

namespace vinculum {
namespace {

constexpr int most_rows = 4, most_coordinates = 12, widest_block = 3;

/// The road, step by step as in equation/schur.hpp, in expressions.
class SymbolicElimination {
 public:
  SymbolicElimination(const SymbolicEquations& e, const Structure::Impl& s, const Equations& pattern)
      : e_(e), s_(s), pattern_(pattern), inverse_(s.inverse_start.back()) {
    invert_mass();
    free = apply_inverse(e.Q);
    factorize();
    const std::vector<Expr> surplus = surplus_of(free, e.b);
    multipliers = surplus;
    solve_negated(multipliers);
    for (int i = 0; i < s.rows; ++i) {
      dissatisfaction.push_back(-surplus[i]);
      // lambda^T S lambda is the square of the largest push, so where it is finite every acceleration is.
      require_finite(multipliers[i] * surplus[i]);
    }
    force = transposed(multipliers);
    acceleration = free;
    add_reaction(acceleration, multipliers);
    check_rows(acceleration, e.b, free);
    require_finite_outside_rows(free);
  }
  /// C may depend on the multipliers, which are known by now.
  void finish(const Model& model) {
    if (pattern_.C.empty()) return;
    SymbolMap known;
    for (int r = 0; r < s_.rows; ++r) known.set(model.multiplier_of_row(r), multipliers[r]);
    std::vector<Expr> c = e_.C;
    for (Expr& x : c) x = substitute(x, known);
    add_nonideal(c);
  }

  std::vector<Expr> free, dissatisfaction, multipliers, force, acceleration, nonideal;

  /// 1 where every condition holds and every number is finite, else 0. 0 * x is 0 for a number and NaN for
  /// everything else, and no comparison with NaN holds. Conditions on living parameters stand inside all
  /// others: together they are one number of the parameters.
  Expr good(const Model& model) const {
    if (hopeless_) return 0;
    const auto of_parameters = [&](const Condition& c) {
      const Expr sides[2] = {c.small, c.large};
      const std::vector<Expr> symbols = symbols_of(sides);
      return !symbols.empty() &&
             std::all_of(symbols.begin(), symbols.end(), [&](const Expr& s) { return is_living(model, s); });
    };
    Expr result = 1;
    for (const bool first : {true, false})
      for (std::size_t k = conditions_.size(); k-- > 0;) {
        const auto& [small, large, strict] = conditions_[k];
        const bool watches = k == last_of_rows_;
        if ((!watches && of_parameters(conditions_[k])) != first) continue;
        const Expr watched = watches ? 0 * finite_ + large : large;
        result = strict ? if_less(small, watched, result, 0) : if_less_equal(small, watched, result, 0);
      }
    return result;
  }

 private:
  const Expr& mass(int entry) const {
    static const Expr zero;
    if (entry < 0) return zero;
    int row = 0;
    while (pattern_.M.start[row + 1] <= entry) ++row;
    return entry_at(e_.M, row, pattern_.M.column[entry]);
  }
  const Expr& row_entry(int r, int k) const { return entry_at(e_.A, r, pattern_.A.column[k]); }
  void require(const Expr& small, const Expr& large, bool strict) {
    conditions_.push_back({small, large, strict});
  }
  void require_finite(const Expr& x) {
    if (!x.is_constant())
      finite_ += x;
    else if (!std::isfinite(x.value()))
      hopeless_ = true;
  }

  void invert_mass() {
    for (std::size_t k = 0; k + 1 < s_.block_start.size(); ++k) {
      const int size = s_.block_start[k + 1] - s_.block_start[k];
      const int* entry = s_.mass_entry.data() + s_.inverse_start[k];
      Expr* x = inverse_.data() + s_.inverse_start[k];
      for (int i = 0; i < size * size; ++i) x[i] = mass(entry[i]);
      for (int p = 0; p < size; ++p) {
        require(size == 1 ? Expr(0.0) : mass(entry[p * size + p]) * mass_tolerance, x[p * size + p], true);
        require_finite(x[p * size + p]);
        const Expr d = 1 / x[p * size + p];
        x[p * size + p] = 1;
        for (int j = 0; j < size; ++j) x[p * size + j] *= d;
        for (int i = 0; i < size; ++i) {
          if (i == p) continue;
          const Expr w = x[i * size + p];
          x[i * size + p] = 0;
          if (w.is_constant(0)) continue;
          for (int j = 0; j < size; ++j) x[i * size + j] -= w * x[p * size + j];
        }
      }
    }
  }

  std::vector<Expr> apply_inverse(const std::vector<Expr>& x) const {
    std::vector<Expr> y(x.size());
    for (std::size_t k = 0; k + 1 < s_.block_start.size(); ++k) {
      const int size = s_.block_start[k + 1] - s_.block_start[k];
      const int* at = s_.block_coordinate.data() + s_.block_start[k];
      for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j)
          if (!x[at[j]].is_constant(0)) y[at[i]] += inverse_[s_.inverse_start[k] + i * size + j] * x[at[j]];
    }
    return y;
  }

  /// Y = M^-1 A^T and S = A Y = L D L^T; `factor_` holds L below the diagonal, `pivot_` 1/D.
  void factorize() {
    const int m = s_.rows;
    std::vector<std::vector<Expr>> y(m);
    for (int r = 0; r < m; ++r) {
      std::vector<Expr> row(s_.coordinates);
      for (int k = pattern_.A.start[r]; k < pattern_.A.start[r + 1]; ++k)
        row[pattern_.A.column[k]] = row_entry(r, k);
      y[r] = apply_inverse(row);
    }
    factor_.assign(static_cast<std::size_t>(m) * m, 0);
    pivot_.resize(m);
    for (int i = 0; i < m; ++i) {
      for (int j = 0; j <= i; ++j)
        for (int k = pattern_.A.start[i]; k < pattern_.A.start[i + 1]; ++k)
          if (const Expr& w = y[j][pattern_.A.column[k]]; !w.is_constant(0))
            factor_[i * m + j] += row_entry(i, k) * w;
      Expr d = factor_[i * m + i];
      const Expr reference = d;
      for (int j = 0; j < i; ++j)
        for (int k = 0; k < j; ++k)
          subtract_product(factor_[i * m + j], factor_[i * m + k], factor_[j * m + k]);
      for (int j = 0; j < i; ++j) {
        const Expr w = factor_[i * m + j] * pivot_[j];
        subtract_product(d, w, factor_[i * m + j]);
        factor_[i * m + j] = w;
      }
      // The first row cannot depend on earlier ones; it must only be there.
      require(i == 0 ? Expr(0.0) : reference * row_tolerance, d, true);
      last_of_rows_ = conditions_.size() - 1;
      require_finite(d);
      diagonal_.push_back(d);
      pivot_[i] = 1 / d;
    }
  }

  static void subtract_product(Expr& x, const Expr& a, const Expr& b) {
    if (!a.is_constant(0) && !b.is_constant(0)) x -= a * b;
  }

  /// x = -S^-1 x. The sign goes with the pivots, which are ready long before x is.
  void solve_negated(std::vector<Expr>& x) const {
    const int m = s_.rows;
    for (int i = 1; i < m; ++i)
      for (int j = 0; j < i; ++j) subtract_product(x[i], factor_[i * m + j], x[j]);
    for (int i = 0; i < m; ++i) x[i] *= m == 1 ? -1 / diagonal_[i] : -pivot_[i];
    for (int i = m - 2; i >= 0; --i)
      for (int j = i + 1; j < m; ++j) subtract_product(x[i], factor_[j * m + i], x[j]);
  }

  /// A q - b: minus the dissatisfaction, and a sign less on the way from the velocities to the multipliers.
  std::vector<Expr> surplus_of(const std::vector<Expr>& q, const std::vector<Expr>& b) const {
    std::vector<Expr> r;
    for (int i = 0; i < s_.rows; ++i) {
      Expr sum = -b[i];
      for (int k = pattern_.A.start[i]; k < pattern_.A.start[i + 1]; ++k)
        if (const Expr& x = q[pattern_.A.column[k]]; !x.is_constant(0)) sum += row_entry(i, k) * x;
      r.push_back(sum);
    }
    return r;
  }

  /// Where no row would notice.
  void require_finite_outside_rows(const std::vector<Expr>& x) {
    std::vector<bool> noticed(s_.coordinates, false);
    for (const int c : pattern_.A.column) noticed[c] = true;
    for (int i = 0; i < s_.coordinates; ++i)
      if (!noticed[i]) require_finite(x[i]);
  }

  std::vector<Expr> transposed(const std::vector<Expr>& x) const {
    std::vector<Expr> f(s_.coordinates);
    for (int i = 0; i < s_.rows; ++i)
      for (int k = pattern_.A.start[i]; k < pattern_.A.start[i + 1]; ++k)
        f[pattern_.A.column[k]] += row_entry(i, k) * x[i];
    return f;
  }

  /// q += M^-1 A^T x
  void add_reaction(std::vector<Expr>& q, const std::vector<Expr>& x) const {
    const std::vector<Expr> push = apply_inverse(transposed(x));
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += push[i];
  }

  /// Rows hold to rounding.
  void check_rows(const std::vector<Expr>& q, const std::vector<Expr>& b, const std::vector<Expr>& from) {
    if (s_.rows == 1 && s_.diagonal) return check_cancellation(q, b[0], from);
    constexpr double eps = std::numeric_limits<double>::epsilon();
    for (int i = 0; i < s_.rows; ++i) {
      Expr sum = b[i], size = abs(b[i]);
      for (int k = pattern_.A.start[i]; k < pattern_.A.start[i + 1]; ++k) {
        const Expr term = row_entry(i, k) * q[pattern_.A.column[k]];
        sum -= term;
        size += abs(term);
      }
      require(abs(sum), (32 + 2 * (pattern_.A.start[i + 1] - pattern_.A.start[i])) * eps * size, false);
    }
  }

  /// One row and a diagonal M: S is a sum of squares and lambda one division, so A q = b up to the roundings
  /// of q_i = a_i + M_i^-1 A_i lambda. Those are the rounding of the row's own terms unless the a_i are much
  /// larger and cancel.
  void check_cancellation(const std::vector<Expr>& q, const Expr& b, const std::vector<Expr>& from) {
    Expr before = 0,
         after = pow(b, 2);  // squares: cheaper than absolute values, and strictly less where they underflow
    for (int k = pattern_.A.start[0]; k < pattern_.A.start[1]; ++k) {
      const int c = pattern_.A.column[k];
      if (from[c].is_constant(0)) continue;
      before += pow(row_entry(0, k) * (0.125 * from[c]), 2);
      after += pow(row_entry(0, k) * q[c], 2);
    }
    if (!before.is_constant(0)) require(before, after, true);
  }

  void add_nonideal(const std::vector<Expr>& c) {
    const std::vector<Expr> start = apply_inverse(c);
    std::vector<Expr> push = start;
    const std::vector<Expr> none(s_.rows);
    const std::vector<Expr> surplus = surplus_of(push, none);
    std::vector<Expr> mu = surplus;
    solve_negated(mu);
    for (int i = 0; i < s_.rows; ++i) require_finite(mu[i] * surplus[i]);
    require_finite_outside_rows(push);
    nonideal = transposed(mu);
    for (int i = 0; i < s_.coordinates; ++i) nonideal[i] += c[i];
    add_reaction(push, mu);
    check_rows(push, none, start);
    for (int i = 0; i < s_.coordinates; ++i) acceleration[i] += push[i];
  }

  struct Condition {
    Expr small, large;
    bool strict;
  };
  const SymbolicEquations& e_;
  const Structure::Impl& s_;
  const Equations& pattern_;
  std::vector<Expr> inverse_, factor_, diagonal_, pivot_;
  std::vector<Condition> conditions_;
  std::size_t last_of_rows_ = 0;  // the condition that also watches for numbers that are not finite
  Expr finite_ = 0;               // their sum
  bool hopeless_ = false;         // a constant is not finite
};

bool is_small(const Structure::Impl& s) {
  if (s.coordinates > most_coordinates || s.rows > most_rows || s.rows == 0) return false;
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
    const auto first = pattern.A.column.begin();
    result.A.column.insert(result.A.column.end(), first + pattern.A.start[asked.row],
                           first + pattern.A.start[asked.row + 1]);
    result.A.start.push_back(result.A.entries());
  }
  result.A.value.resize(result.A.column.size());
  result.b.resize(rows.size());
  return result;
}

ClosedForm::ClosedForm(const Model& model, const SymbolicEquations& equations, const Equations& pattern)
    : coordinates_(pattern.M.rows), rows_(pattern.A.rows), has_nonideal_(!pattern.C.empty()) {
  if (equations.Q.empty() || rows_ == 0) return;
  const Structure structure(pattern.M, pattern.A);
  if (!is_small(structure.impl())) return;
  SymbolicElimination road(equations, structure.impl(), pattern);
  road.finish(model);
  const Expr good = road.good(model);
  if (good.is_constant(0)) return;  // decided by constants alone, such as a massless coordinate
  std::vector<Expr> outputs;
  for (const auto* part :
       {&road.acceleration, &road.free, &road.force, &road.multipliers, &road.dissatisfaction})
    outputs.insert(outputs.end(), part->begin(), part->end());
  if (has_nonideal_) outputs.insert(outputs.end(), road.nonideal.begin(), road.nonideal.end());
  outputs.push_back(good);
  all_ = StateFunction(model, outputs);
  outputs = road.acceleration;
  outputs.push_back(good);
  motion_ = StateFunction(model, outputs);
  exists_ = true;
}

ClosedForm::Scratch::Scratch(const ClosedForm& form, std::span<const double> parameters)
    : one(form.all_.program().register_count()),
      motion(form.motion_.program().register_count()),
      eight(static_cast<std::size_t>(lane_count) * form.motion_.program().register_count()) {
  bind(form, parameters);
}

void ClosedForm::Scratch::bind(const ClosedForm& form, std::span<const double> parameters) {
  if (!form.exists_) return;
  form.all_.bind(parameters, one.data(), 1);
  form.motion_.bind(parameters, motion.data(), 1);
  form.motion_.bind(parameters, eight.data(), lane_count);
}

bool ClosedForm::solve(double t, std::span<const double> q, std::span<const double> v, Scratch& scratch,
                       Solution& out) const {
  double* r = scratch.one.data();
  const double* const part[] = {&t, q.data(), v.data()};
  all_.load(part, r);
  run(all_.program(), r);
  const std::uint32_t* place = all_.program().outputs().data();
  if (r[all_.program().outputs().back()] != 1.0) return false;
  const auto take = [&](std::vector<double>& to, int count) {
    to.resize(count);
    for (int i = 0; i < count; ++i) to[i] = r[*place++];
  };
  take(out.acceleration, coordinates_);
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

bool ClosedForm::solve(double t, const double* q, const double* v, Scratch& scratch,
                       double* acceleration) const {
  double* r = scratch.motion.data();
  const double* const part[] = {&t, q, v};
  motion_.load(part, r);
  run(motion_.program(), r);
  const std::uint32_t* place = motion_.program().outputs().data();
  for (int i = 0; i < coordinates_; ++i) acceleration[i] = r[place[i]];
  return r[place[coordinates_]] == 1.0;
}

bool ClosedForm::solve(double t, const double* q, const double* v, Scratch& scratch, double* acceleration,
                       double* dissatisfaction) const {
  double* r = scratch.one.data();
  const double* const part[] = {&t, q, v};
  all_.load(part, r);
  run(all_.program(), r);
  const auto place = all_.program().outputs();
  for (int i = 0; i < coordinates_; ++i) acceleration[i] = r[place[i]];
  for (int i = 0; i < rows_; ++i) dissatisfaction[i] = r[place[3 * coordinates_ + rows_ + i]];
  return r[place.back()] == 1.0;
}

namespace {

/// Eights of inputs into their registers, moved in one piece where the processor can: see gather() of the
/// elements.
VINCULUM_CLONES
void load_eights(const double* const* base, const StatePlace* place, std::size_t count, double* registers) {
  for (std::size_t i = 0; i < count; ++i) {
    const double* from = base[place[i].part] + 8 * place[i].index;
    for (int k = 0; k < 8; ++k) registers[8 * i + k] = from[k];
  }
}

/// Eights of outputs; the last one says which lanes are good.
VINCULUM_CLONES
bool store_eights(const double* registers, const std::uint32_t* place, int count, double* to, double* good) {
  for (int i = 0; i < count; ++i)
    for (int k = 0; k < 8; ++k) to[8 * i + k] = registers[8 * place[i] + k];
  double sum = 0;
  for (int k = 0; k < 8; ++k) sum += good[k] = registers[8 * place[count] + k];
  return sum == 8.0;
}

}  // namespace

bool ClosedForm::solve_lanes(const double* t, const double* q, const double* v, Scratch& scratch,
                             double* acceleration, double* good) const {
  const double* const base[3] = {t, q, v};
  load_eights(base, motion_.inputs().data(), motion_.inputs().size(), scratch.eight.data());
  run_lanes(motion_.program(), scratch.eight.data());
  return store_eights(scratch.eight.data(), motion_.program().outputs().data(), coordinates_, acceleration,
                      good);
}

}  // namespace vinculum
