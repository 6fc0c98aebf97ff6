#include "system/series/small_series.hpp"

#include <algorithm>
#include <map>

#include "equation/sparse/fast.hpp"
#include "equation/sparse/schur.hpp"
#include "system/system_impl.hpp"
#include "vinculum/lower/rows.hpp"

namespace vinculum {
namespace {

constexpr std::size_t most_instructions = 30'000;

using Value = SeriesSheet::Value;
using Values = std::vector<Value>;

/// A number of the elimination that is an instruction on the sheet at hand.
struct Written {
  Value value;
  Written() = default;
  Written(Value v) : value(v) {}  // NOLINT(google-explicit-constructor)
  Written(double x) {             // NOLINT(google-explicit-constructor): constants stand in formulas
    if (x != 0) value = sheet->number(x);
  }
  static inline thread_local SeriesSheet* sheet = nullptr;

  Written& operator+=(const Written& b) { return *this = sheet->settled(sheet->add(value, b.value)); }
  Written& operator-=(const Written& b) { return *this = sheet->settled(sheet->subtract(value, b.value)); }
  Written& operator*=(const Written& b) { return *this = sheet->settled(sheet->multiply(value, b.value)); }
  friend Written operator+(Written a, const Written& b) { return a += b; }
  friend Written operator*(Written a, const Written& b) { return a *= b; }
};

enum Part {
  balance,
  row_of_position,
  row_of_velocity,
  row_of_acceleration,
  rate_of_change,
  power,
  row_power
};

/// Number times number, constants outside: entries of A that are the same but for a factor share a product.
Expr product(const Expr& a, const Expr& b) {
  if (a.op() == Op::negate) return -product(a.operand(0), b);
  if (a.op() == Op::multiply && a.operand(0).is_constant()) return a.operand(0) * product(a.operand(1), b);
  return a * b;
}

/// Whether others leave enough of every row: S_ii = D_i + sum L_ij^2 D_j.
bool is_tame(const std::vector<double>& l, const std::vector<double>& inverse) {
  const std::size_t m = inverse.size();
  for (std::size_t i = 0; i < m; ++i) {
    double row = 1;
    for (std::size_t j = 0; j < i; ++j)
      if (l[i * m + j] != 0) row += l[i * m + j] * l[i * m + j] * inverse[i] / inverse[j];
    if (!(row <= most_of_row)) return false;
  }
  return true;
}

/// The expressions of all parts.
class Stated {
 public:
  Stated(const System::Impl& system, const std::vector<Statement>& statements)
      : model_(system.model), equations_(symbolic_equations(system.model, statements)) {
    add_balance();
    add_rows(statements);
    add_rates(statements);
    add_powers(system, statements);
  }

  const SymbolicEquations& equations() const { return equations_; }
  std::vector<Expr> outputs[7];
  std::vector<int> rows[3];      // those of each order, in the order of its outputs
  std::vector<int> coordinates;  // of each rate

 private:
  void add_balance() {
    std::vector<Expr>& f = outputs[balance];
    for (const Expr& q : equations_.Q) f.push_back(-q);
    for (const SymbolicEquations::Entry& m : equations_.M)
      f[m.row] += m.value * model_.velocities()[m.column].acceleration;
    for (const SymbolicEquations::Entry& a : equations_.A)
      f[a.column] -= product(a.value, model_.stated().multiplier_of_row(a.row));
  }
  void add_rows(const std::vector<Statement>& statements) {
    for (const Statement& s : statements)
      for (const Contribution& c : expand(model_, s, Purpose::series)) {
        if (c.target.where != Target::Where::stated_row) continue;
        rows[c.target.j].push_back(s.first_row + c.target.i);
        outputs[row_of_position + c.target.j].push_back(c.value);
      }
  }
  void add_rates(const std::vector<Statement>& statements) {
    for (const Statement& s : statements)
      for (const Contribution& c : expand(model_, s, Purpose::rates)) {
        coordinates.push_back(c.target.i);
        outputs[rate_of_change].push_back(c.value);
      }
  }
  void add_powers(const System::Impl& system, const std::vector<Statement>& statements) {
    Expr stated = 0, by_time = 0, of_rows = 0, of_programmes = 0;
    for (const Statement& s : statements)
      for (const Contribution& c : expand(model_, s, Purpose::energy)) {
        if (c.target.where == Target::Where::power) stated += c.value;
        if (c.target.where == Target::Where::power_explicit) by_time += c.value;
      }
    for (const SymbolicEquations::Entry& a : equations_.A) {
      const int constraint = system.constraint_of_row[a.row];
      const bool is_programme =
          std::any_of(system.programmes.begin(), system.programmes.end(),
                      [&](const ProgrammeInfo& p) { return p.constraint == constraint; });
      (is_programme ? of_programmes : of_rows) +=
          product(a.value, model_.stated().multiplier_of_row(a.row)) * model_.velocities()[a.column].symbol;
    }
    outputs[power] = {stated, by_time};
    if (system.rows_may_work || system.programmes_may_work) outputs[row_power] = {of_rows, of_programmes};
  }

  const Model& model_;
  SymbolicEquations equations_;
};

}  // namespace

class SmallSeriesWriting {
 public:
  SmallSeriesWriting(const System::Impl& system, int order, SmallSeriesProgram& out)
      : system_(system),
        structure_(system.structure->impl()),
        pattern_(system.pattern),
        order_(order),
        nq_(static_cast<int>(system.coordinate_names.size())),
        nv_(static_cast<int>(system.velocity_names.size())),
        m_(static_cast<int>(system.row_names.size())),
        stated_(system, statements_of(system.model)),
        out_(out) {
    Written::sheet = &sheet_;
  }
  ~SmallSeriesWriting() { Written::sheet = nullptr; }

  bool run() {
    const std::vector<Expr> begun = written_beginning(system_.model, stated_.equations(), pattern_);
    if (begun.empty()) return false;
    out_.beginning_ = StateFunction(system_.model, begun, static_cast<int>(begun.size()));
    compile();
    give();
    begin();
    for (int k = 1; k < order_; ++k) {
      advance(k);
      if (sheet_.instruction_count() > most_instructions) return false;
    }
    std::vector<Value> written;
    for (int k = 1; k <= order_; ++k) {
      written.insert(written.end(), q_[k].begin(), q_[k].end());
      written.insert(written.end(), v_[k].begin(), v_[k].end());
      const Values work = work_of(k);
      written.insert(written.end(), work.begin(), work.end());
    }
    out_.kernel_ = sheet_.take_written(written);
    out_.numbers_ = sheet_.numbers();
    return true;
  }

 private:
  /// How far the series of a part are ahead of the accelerations, and which part of the state is late there.
  static constexpr int lead[] = {0, 2, 1, 0, 1, 0, 0};
  static bool is_late(int part, std::uint32_t of_state) {
    switch (part) {
      case balance:
        return of_state == StatePlace::acceleration || of_state == StatePlace::multiplier;
      case row_of_position:
        return of_state == StatePlace::coordinate;
      case row_of_velocity:
      case rate_of_change:
        return of_state == StatePlace::velocity;
      case row_of_acceleration:
        return of_state == StatePlace::acceleration;
      default:
        return false;
    }
  }

  void compile() {
    out_.functions_.reserve(std::size(lead));
    for (int part = 0; part < static_cast<int>(std::size(lead)); ++part) {
      const StateFunction& f = out_.functions_.emplace_back(system_.model, stated_.outputs[part]);
      std::vector<bool> late(f.kernel().input_count(), false);
      for (std::size_t i = 0; i < f.kernel().places().size(); ++i)
        late[i] = is_late(part, f.kernel().places()[i].part);
      series_.emplace_back(sheet_, f.kernel(), order_ + lead[part], late);
    }
  }

  void give() {
    auto& at = out_.at_;
    const auto given = [this](int count) { return sheet_.given(static_cast<std::size_t>(count)); };
    const auto values = [](std::uint32_t first, int count) {
      Values list;
      for (int i = 0; i < count; ++i) list.emplace_back(first + i);
      return list;
    };
    at = {.t = given(1),
          .unit = given(1),
          .per_unit = given(1),
          .q = given(nq_),
          .v = given(nv_),
          .a = given(nv_),
          .lambda = given(m_),
          .A = given(pattern_.A.entries()),
          .inverse = given(structure_.inverse_start.back()),
          .factor = given(m_ * m_),
          .pivot = given(m_),
          .good = given(1)};
    const auto orders = static_cast<std::size_t>(order_ + 3);
    t_.resize(orders);
    t_[0] = at.t;
    t_[1] = at.unit;
    q_.assign(orders, Values(nq_));
    v_.assign(orders, Values(nv_));
    a_.assign(orders, Values(nv_));
    lambda_.assign(orders, Values(m_));
    q_[0] = values(at.q, nq_);
    v_[0] = values(at.v, nv_);
    a_[0] = values(at.a, nv_);
    lambda_[0] = values(at.lambda, m_);
    const auto take = [&](std::vector<Written>& list, std::uint32_t first, int count) {
      for (int i = 0; i < count; ++i) list.emplace_back(Value(first + i));
    };
    take(A_, at.A, pattern_.A.entries());
    take(inverse_, at.inverse, structure_.inverse_start.back());
    take(factor_, at.factor, m_ * m_);
    take(pivot_, at.pivot, m_);
    for (std::size_t part = 0; part < out_.functions_.size(); ++part) {
      const Kernel& kernel = out_.functions_[part].kernel();
      const int first = static_cast<int>(kernel.places().size());
      out_.living_.push_back(given(kernel.input_count() - first));
      for (int i = first; i < kernel.input_count(); ++i)
        series_[part].set_input(i, 0, out_.living_.back() + (i - first));
    }
  }

  Value value(const InputPlace& place, int k) const {
    switch (place.part) {
      case StatePlace::time:
        return t_[k];
      case StatePlace::coordinate:
        return q_[k][place.index];
      case StatePlace::velocity:
        return v_[k][place.index];
      case StatePlace::acceleration:
        return a_[k][place.index];
      default:
        return lambda_[k][place.index];
    }
  }
  void feed(int part, int k) {
    const std::span<const InputPlace> places = out_.functions_[part].kernel().places();
    for (std::size_t i = 0; i < places.size(); ++i) series_[part].set_input(i, k, value(places[i], k));
  }
  void compute(int part, int k) {
    feed(part, k);
    series_[part].compute(k);
  }
  void complete(int part, int k) {
    feed(part, k);
    series_[part].complete(k);
  }
  /// The unit of time over k: what makes coefficient k of number k - 1 of a rate.
  Value part_of(int k) {
    const auto [known, is_new] = parts_.try_emplace(k);
    if (is_new) known->second = sheet_.settled(sheet_.multiply(Value(out_.at_.unit), sheet_.number(1.0 / k)));
    return known->second;
  }
  /// Coefficient k + 1 of the coordinates from number k of their rates.
  void take_rates(int k) {
    const Value part = part_of(k + 1);
    for (int i = 0; i < nq_; ++i)
      if (const int v = system_.plain_rate[i]; v >= 0)
        q_[k + 1][i] = sheet_.settled(sheet_.multiply(v_[k][v], part));
    for (std::size_t o = 0; o < stated_.coordinates.size(); ++o)
      q_[k + 1][stated_.coordinates[o]] =
          sheet_.settled(sheet_.multiply(series_[rate_of_change].output(o, k), part));
  }

  void begin() {
    for (int i = 0; i < nv_; ++i) v_[1][i] = sheet_.settled(sheet_.multiply(a_[0][i], Value(out_.at_.unit)));
    for (int k = 0; k < 2; ++k) {
      compute(rate_of_change, k);
      take_rates(k);
    }
    for (const int part : {balance, row_of_position, row_of_velocity, row_of_acceleration})
      for (int k = 0; k <= lead[part]; ++k) compute(part, k);
    for (const int part : {power, row_power}) compute(part, 0);
  }

  void advance(int k) {
    compute(rate_of_change, k + 1);
    take_rates(k + 1);  // without a_k
    for (const int part : {balance, row_of_position, row_of_velocity, row_of_acceleration})
      compute(part, k + lead[part]);
    std::vector<Written> force(nv_), right(m_);
    for (int i = 0; i < nv_; ++i) force[i] = sheet_.settled(sheet_.negate(series_[balance].output(i, k)));
    for (int order = 0; order < 3; ++order)
      for (std::size_t o = 0; o < stated_.rows[order].size(); ++o) {
        const double factor = order == 0 ? -(k + 1.0) * (k + 2.0) : order == 1 ? -(k + 1.0) : -1.0;
        Value row =
            sheet_.multiply(series_[row_of_position + order].output(o, k + 2 - order), sheet_.number(factor));
        for (int slope = order; slope < 2; ++slope) row = sheet_.multiply(row, Value(out_.at_.per_unit));
        right[stated_.rows[order][o]] = sheet_.settled(row);
      }
    solve(force, right, k);
    const Value part = part_of(k + 1);
    for (int i = 0; i < nv_; ++i) v_[k + 1][i] = sheet_.settled(sheet_.multiply(a_[k][i], part));
    complete(rate_of_change, k + 1);
    take_rates(k + 1);
    for (const int of : {balance, row_of_position, row_of_velocity, row_of_acceleration})
      complete(of, k + lead[of]);
    for (const int of : {power, row_power}) compute(of, k);
  }

  /// As the fast road does it. The pivots are tame: what rounding leaves needs no second look.
  void solve(const std::vector<Written>& force, const std::vector<Written>& right, int k) {
    const int *start = pattern_.A.start.data(), *column = pattern_.A.column.data();
    std::vector<Written> x(nv_), lambda(m_), push(nv_);
    apply_inverse_mass(structure_, inverse_.data(), force.data(), x.data());
    if (m_ > 0) {
      residual(m_, start, column, A_.data(), right.data(), x.data(), lambda.data());
      solve_dense(structure_, factor_.data(), pivot_.data(), lambda.data());
      add_transposed(m_, start, column, A_.data(), lambda.data(), push.data());
      push_from(structure_, inverse_.data(), x.data(), push.data(), x.data());
    }
    for (int i = 0; i < nv_; ++i) a_[k][i] = x[i].value;
    for (int r = 0; r < m_; ++r) lambda_[k][r] = lambda[r].value;
  }

  /// Coefficient k of the work: of stated forces, constraints, programmes and time itself.
  Values work_of(int k) {
    const Value part = part_of(k);
    const auto take = [&](int of, std::size_t o) -> Value {
      if (stated_.outputs[of].size() <= o) return std::nullopt;
      return sheet_.settled(sheet_.multiply(series_[of].output(o, k - 1), part));
    };
    return {take(power, 0), take(row_power, 0), take(row_power, 1), take(power, 1)};
  }

  const System::Impl& system_;
  const Structure::Impl& structure_;
  const Equations& pattern_;
  int order_, nq_, nv_, m_;
  Stated stated_;
  SmallSeriesProgram& out_;
  SeriesSheet sheet_{SeriesSheet::Kind::one_kernel};
  std::vector<SeriesFunction> series_;
  Values t_;
  std::map<int, Value> parts_;
  std::vector<Values> q_, v_, a_, lambda_;  // [order]
  std::vector<Written> A_, inverse_, factor_, pivot_;
};

SmallSeriesProgram::SmallSeriesProgram(const System::Impl& system, int order) {
  exists_ = SmallSeriesWriting(system, order, *this).run();
}

SmallSeries::SmallSeries(const SmallSeriesProgram& program, std::span<const double> parameters)
    : program_(&program), beginning_(program.beginning_, parameters), run_(program.kernel_, 1) {
  for (const auto& [place, value] : program.numbers_) run_.inputs()[place] = value;
}

void SmallSeries::bind(std::span<const double> parameters) {
  beginning_.bind(parameters);
  for (std::size_t f = 0; f < program_->functions_.size(); ++f)
    std::ranges::copy(program_->functions_[f].living().at(parameters), run_.inputs() + program_->living_[f]);
}

bool SmallSeries::expand(const StateView& at, double unit, double* out) {
  beginning_.run(parts_of(at).part, run_.inputs() + program_->at_.a);
  if (run_.inputs()[program_->at_.good] != 1.0) return false;
  run_from(at, unit, out);
  return true;
}

bool SmallSeries::expand(const StateView& at, const Equations& equations, const Solution& found,
                         SolveWorkspace& solved, double unit, double* out) {
  const SolveWorkspace::Impl& w = solved.impl();
  if (!is_tame(w.dense, w.dense_inverse)) return false;
  const auto& to = program_->at_;
  const auto put = [this](std::uint32_t place, const auto& numbers) {
    std::ranges::copy(numbers, run_.inputs() + place);
  };
  put(to.a, found.acceleration);
  put(to.lambda, found.multipliers);
  put(to.A, equations.A.value);
  put(to.inverse, w.inverse);
  put(to.factor, w.dense);
  put(to.pivot, w.dense_inverse);
  run_from(at, unit, out);
  return true;
}

void SmallSeries::run_from(const StateView& at, double unit, double* out) {
  const auto& to = program_->at_;
  run_.inputs()[to.t] = at.t;
  run_.inputs()[to.unit] = unit;
  run_.inputs()[to.per_unit] = 1 / unit;
  std::ranges::copy(at.q, run_.inputs() + to.q);
  std::ranges::copy(at.v, run_.inputs() + to.v);
  run_.run(nullptr, out);
}

}  // namespace vinculum
