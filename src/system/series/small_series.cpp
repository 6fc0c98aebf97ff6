#include "system/series/small_series.hpp"

#include <algorithm>
#include <map>

#include "equation/sparse/fast.hpp"
#include "equation/sparse/schur.hpp"
#include "system/series/deviation_series.hpp"
#include "system/series/small_parts.hpp"
#include "system/system_impl.hpp"

namespace vinculum {
namespace {

constexpr int most_coordinates = 24, most_rows = 12;

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

/// Those that may be written out.
bool is_small(const System::Impl& system) {
  const Structure::Impl& s = system.structure->impl();
  return !system.drive && (s.method == Method::dense || s.method == Method::free) &&
         s.coordinates <= most_coordinates && s.rows <= most_rows;
}

/// Accelerations that the equations alone tell.
bool is_plain(const System::Impl& system) {
  return !system.has_nonideal && system.frictions.empty() && system.model.mechanics() != Mechanics::vakonomic;
}

}  // namespace

class SmallSeriesWriting {
  using enum SmallParts::Part;

 public:
  SmallSeriesWriting(const System::Impl& system, int order, SmallSeriesProgram& out)
      : system_(system),
        structure_(system.structure->impl()),
        pattern_(system.pattern),
        order_(order),
        nq_(static_cast<int>(system.coordinate_names.size())),
        nv_(static_cast<int>(system.velocity_names.size())),
        m_(static_cast<int>(system.row_names.size())),
        deviates_(system.has_nonideal),
        stated_(system, series_statements(system)),
        out_(out) {
    Written::sheet = &sheet_;
  }
  ~SmallSeriesWriting() { Written::sheet = nullptr; }

  /// How many operations there are up to each order.
  std::vector<std::size_t> count() {
    std::vector<std::size_t> counts = {0};
    write([&] {
      counts.push_back(sheet_.instruction_count());
      return true;
    });
    return counts;
  }

  bool run() {
    if (!write([&] { return sheet_.instruction_count() <= SmallSeriesProgram::most_operations; }))
      return false;
    std::vector<Value> written;
    for (int k = 1; k <= order_; ++k) {
      written.insert(written.end(), q_[k].begin(), q_[k].end());
      written.insert(written.end(), v_[k].begin(), v_[k].end());
      const Values work = work_of(k);
      written.insert(written.end(), work.begin(), work.end());
    }
    out_.order_ = order_;
    out_.sides_ = deviates_ ? static_cast<int>(stated_.outputs[nonideal].size()) - nv_ : 0;
    for (int k = 0; k < order_; ++k)
      for (int s = 0; s < out_.sides_; ++s)
        written.push_back(sheet_.settled(series_[nonideal].output(nv_ + s, k)));
    out_.kernel_ = sheet_.take_written(written);
    out_.numbers_ = sheet_.numbers();
    if (is_plain(system_)) {
      const std::vector<Expr> begun =
          written_beginning(system_.model, stated_.equations(), pattern_, RowsHold::refined);
      out_.beginning_ = StateFunction(system_.model, begun, static_cast<int>(begun.size()));
    }
    return true;
  }

 private:
  /// All orders; `goes_on` is asked after each.
  bool write(const auto& goes_on) {
    compile();
    give();
    begin();
    bool all = goes_on();
    for (int k = 1; k < order_ && all; ++k) {
      advance(k);
      all = goes_on();
    }
    return all;
  }

  /// How far the series of a part are ahead of the accelerations, and which part of the state is late there.
  static constexpr int lead[part_count] = {0, 2, 1, 0, 1, 0, 0, 0, 0, 0, 0};
  static bool is_late(int part, std::uint32_t of_state) {
    switch (part) {
      case balance:
      case deviation:
      case row_of_deviation:
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
          .C = given(deviates_ ? nv_ : 0),
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
    ideal_.assign(orders, Values(nv_));
    d_.assign(orders, Values(nv_));
    mu_.assign(orders, Values(m_));
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

  Value value(int part, const InputPlace& place, int k) const {
    const bool of_deviation = part == deviation || part == row_of_deviation || part == power_of_deviation;
    switch (place.part) {
      case StatePlace::time:
        return t_[k];
      case StatePlace::coordinate:
        return q_[k][place.index];
      case StatePlace::velocity:
        return v_[k][place.index];
      case StatePlace::acceleration:
        return (of_deviation ? d_ : part == balance && deviates_ ? ideal_ : a_)[k][place.index];
      default:
        return (of_deviation ? mu_ : lambda_)[k][place.index];
    }
  }
  void feed(int part, int k) {
    const std::span<const InputPlace> places = out_.functions_[part].kernel().places();
    for (std::size_t i = 0; i < places.size(); ++i) series_[part].set_input(i, k, value(part, places[i], k));
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

  /// mu' = -lambda of vakonomic motion.
  void take_multipliers(int k) {
    for (int r = 0; r < m_; ++r)
      if (const int mu = system_.model.stated().multiplier_coordinate(r); mu >= 0)
        q_[k + 1][mu] = sheet_.settled(sheet_.negate(sheet_.multiply(lambda_[k][r], part_of(k + 1))));
  }

  void begin() {
    for (int i = 0; i < nv_; ++i) v_[1][i] = sheet_.settled(sheet_.multiply(a_[0][i], Value(out_.at_.unit)));
    for (int k = 0; k < 2; ++k) {
      compute(rate_of_change, k);
      take_rates(k);
    }
    take_multipliers(0);
    if (deviates_) begin_deviation();
    for (const int part : {balance, row_of_position, row_of_velocity, row_of_acceleration})
      for (int k = 0; k <= lead[part]; ++k) compute(part, k);
    for (const int part : {power, row_power, power_of_deviation}) compute(part, 0);
  }
  void begin_deviation() {
    compute(nonideal, 0);
    std::vector<Written> force;
    for (int i = 0; i < nv_; ++i) force.emplace_back(Value(out_.at_.C + i));
    solve(force, std::vector<Written>(m_), d_[0], mu_[0]);
    for (int i = 0; i < nv_; ++i) ideal_[0][i] = sheet_.settled(sheet_.subtract(a_[0][i], d_[0][i]));
    for (const int part : {deviation, row_of_deviation}) compute(part, 0);
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
    if (deviates_)
      advance_with_deviation(k, force, right);
    else
      solve(force, right, a_[k], lambda_[k]);
    take_multipliers(k);
    const Value part = part_of(k + 1);
    for (int i = 0; i < nv_; ++i) v_[k + 1][i] = sheet_.settled(sheet_.multiply(a_[k][i], part));
    complete(rate_of_change, k + 1);
    take_rates(k + 1);
    for (const int of : {balance, row_of_position, row_of_velocity, row_of_acceleration})
      complete(of, k + lead[of]);
    for (const int of : {power, row_power, power_of_deviation}) compute(of, k);
  }
  /// As DeviationSeries does it.
  void advance_with_deviation(int k, const std::vector<Written>& force, std::vector<Written>& right) {
    for (const int part : {deviation, row_of_deviation}) compute(part, k);
    std::vector<Written> push(nv_), rows(m_);
    for (int r = 0; r < m_; ++r) {
      right[r] += series_[row_of_deviation].output(r, k);
      rows[r] -= series_[row_of_deviation].output(r, k);
    }
    solve(force, right, ideal_[k], lambda_[k]);
    compute(nonideal, k);
    for (int i = 0; i < nv_; ++i)
      push[i] =
          sheet_.settled(sheet_.subtract(series_[nonideal].output(i, k), series_[deviation].output(i, k)));
    solve(push, rows, d_[k], mu_[k]);
    for (int i = 0; i < nv_; ++i) a_[k][i] = sheet_.settled(sheet_.add(ideal_[k][i], d_[k][i]));
    for (const int part : {deviation, row_of_deviation}) complete(part, k);
  }

  /// As the fast road does it. The pivots are tame: what rounding leaves needs no second look.
  void solve(const std::vector<Written>& force, const std::vector<Written>& right, Values& found,
             Values& multipliers) {
    const int *start = pattern_.A.start.data(), *column = pattern_.A.column.data();
    std::vector<Written> x(nv_), lambda(m_), push(nv_);
    apply_inverse_mass(structure_, inverse_.data(), force.data(), x.data());
    if (m_ > 0) {
      residual(m_, start, column, A_.data(), right.data(), x.data(), lambda.data());
      solve_dense(structure_, factor_.data(), pivot_.data(), lambda.data());
      add_transposed(m_, start, column, A_.data(), lambda.data(), push.data());
      push_from(structure_, inverse_.data(), x.data(), push.data(), x.data());
    }
    for (int i = 0; i < nv_; ++i) found[i] = x[i].value;
    for (int r = 0; r < m_; ++r) multipliers[r] = lambda[r].value;
  }

  /// Coefficient k of the work: of stated forces, constraints, programmes, time itself and non-ideal forces.
  Values work_of(int k) {
    const Value part = part_of(k);
    const auto take = [&](int of, std::size_t o) -> Value {
      if (stated_.outputs[of].size() <= o) return std::nullopt;
      return sheet_.settled(sheet_.multiply(series_[of].output(o, k - 1), part));
    };
    return {take(power, 0), take(row_power, 0), take(row_power, 1), take(power, 1), work_of_deviation(k)};
  }
  /// v C, and what rows that move take of it.
  Value work_of_deviation(int k) {
    if (!deviates_) return std::nullopt;
    const bool takes = !stated_.outputs[power_of_deviation].empty();
    Value sum = takes ? series_[power_of_deviation].output(0, k - 1) : std::nullopt;
    for (int j = 0; j < k; ++j)
      for (int i = 0; i < nv_; ++i)
        sum = sheet_.settled(sheet_.add_product(sum, v_[k - 1 - j][i], series_[nonideal].output(i, j)));
    return sheet_.settled(sheet_.multiply(sum, part_of(k)));
  }

  const System::Impl& system_;
  const Structure::Impl& structure_;
  const Equations& pattern_;
  int order_, nq_, nv_, m_;
  bool deviates_;
  SmallParts stated_;
  SmallSeriesProgram& out_;
  SeriesSheet sheet_{SeriesSheet::Kind::one_kernel};
  std::vector<SeriesFunction> series_;
  Values t_;
  std::map<int, Value> parts_;
  std::vector<Values> q_, v_, a_, lambda_;  // [order]
  std::vector<Values> ideal_, d_, mu_;      // where there are non-ideal forces: see DeviationSeries
  std::vector<Written> A_, inverse_, factor_, pivot_;
};

SmallSeriesProgram::SmallSeriesProgram(const System::Impl& system, int order) {
  exists_ = is_small(system) && SmallSeriesWriting(system, order, *this).run();
}

std::optional<SeriesWork> SmallSeriesProgram::work(const System::Impl& system) {
  if (!is_small(system)) return std::nullopt;
  // The first orders have fewer operations than those behind: what is zero at the start is left out.
  constexpr int first = 4, step = 2, last = first + 2 * step;
  SmallSeriesProgram unused;
  const std::vector<std::size_t> counts = SmallSeriesWriting(system, last, unused).count();
  const auto at = [&](int order) { return static_cast<double>(counts[order]); };
  const double rise = (at(last) - at(last - step)) / step, before = (at(last - step) - at(first)) / step;
  SeriesWork work;
  work.square = (rise - before) / (2 * step);
  work.linear = rise - work.square * (2 * last - step);
  work.constant = at(last) - last * (work.linear + last * work.square);
  return work;
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
  if (program_->beginning_.empty()) return false;
  beginning_.run(parts_of(at).part, run_.inputs() + program_->at_.a);
  if (run_.inputs()[program_->at_.good] != 1.0) return false;
  run_from(at, unit, out);
  return true;
}

bool SmallSeries::expand(const StateView& at, const Equations& equations, const Solution& found,
                         SolveWorkspace& solved, double unit, double* out) {
  const SolveWorkspace::Impl& w = solved.impl();
  // What has no mass takes passes that this form does not know.
  if (w.massless.any() || !is_tame(w.dense, w.dense_inverse)) return false;
  const auto& to = program_->at_;
  const auto put = [this](std::uint32_t place, const auto& numbers) {
    std::ranges::copy(numbers, run_.inputs() + place);
  };
  put(to.a, found.acceleration);
  put(to.lambda, found.multipliers);
  put(to.C, equations.C);
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
  if (program_->sides_ == 0) return run_.run(nullptr, out);
  written_.resize(program_->kernel_.outputs().size());
  run_.run(nullptr, written_.data());
  std::copy_n(written_.data(), written_.size() - program_->order_ * program_->sides_, out);
}

bool SmallSeries::keeps_sides(double units) const {
  const auto behind = static_cast<std::size_t>(program_->order_) * program_->sides_;
  return keep_signs(std::span(written_).last(behind), program_->sides_, program_->order_, units);
}

}  // namespace vinculum
