#include "system/series/order_series.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "system/system_impl.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;
constexpr int where(Where w) { return static_cast<int>(w); }

}  // namespace

SeriesNumbers::SeriesNumbers(const System& system, int order)
    : nq_(static_cast<int>(system.coordinate_names().size())),
      width_(nq_ + static_cast<int>(system.velocity_names().size()) + parts_of_work),
      all_(static_cast<std::size_t>(order + 3) * width_) {}

OrderSeries::OrderSeries(const System& system, int order)
    : system_(system),
      order_(order),
      nq_(static_cast<int>(system.coordinate_names().size())),
      nv_(static_cast<int>(system.velocity_names().size())),
      m_(static_cast<int>(system.row_names().size())),
      programs_(system.impl().series(order)),
      balance_(programs_->balance),
      rows_{ElementSeries(programs_->rows[0]), ElementSeries(programs_->rows[1]),
            ElementSeries(programs_->rows[2])},
      rates_(programs_->rates),
      stated_power_(programs_->stated_power),
      row_power_(programs_->power),
      power_of_deviation_(programs_->power),
      solver_(system) {
  const MayWork may = may_work(system);
  needs_power_ = may.impressed || may.explicit_time;
  needs_row_power_ = may.constraint || may.control;
  if (system.impl().has_nonideal) deviation_ = std::make_unique<DeviationSeries>(system, *programs_, order);
  const auto sized = [](int orders, int each) {
    return std::vector<double>(static_cast<std::size_t>(orders) * each, 0.0);
  };
  t_ = sized(order + 3, 1);
  a_ = sized(order + 3, nv_);
  lambda_ = sized(order + 3, m_);
  rate_.resize(nq_);
  force_.resize(nv_);
  right_.resize(m_);
  row_power_now_.resize(m_);
}

StateParts OrderSeries::coefficients(int k) { return {{&t_[k], out_->q(k), out_->v(k), a(k), lambda(k)}}; }
StateParts OrderSeries::ideal_coefficients(int k) {
  return {{&t_[k], out_->q(k), out_->v(k), ideal(k), lambda(k)}};
}

/// Coefficient k + 1 of the coordinates from number k of their rates, which are in rate_ but for plain ones.
void OrderSeries::take_rates(int k) {
  const double part = unit_ / (k + 1);
  const std::vector<int>& plain = system_.impl().plain_rate;
  for (int i = 0; i < nq_; ++i) out_->q(k + 1)[i] = (plain[i] >= 0 ? out_->v(k)[plain[i]] : rate_[i]) * part;
}

/// mu' = -lambda of vakonomic motion.
void OrderSeries::take_multipliers(int k) {
  if (system_.stated_coordinates() == nq_) return;
  for (int r = 0; r < m_; ++r)
    if (const int mu = system_.multiplier_coordinate(r); mu >= 0)
      out_->q(k + 1)[mu] = -lambda(k)[r] * (unit_ / (k + 1));
}

/// Everything that the accelerations and multipliers of the first order make known.
bool OrderSeries::begin(const StateView& at, const Equations& here, const Solution& found) {
  out_->clear();
  for (std::vector<double>* all : {&t_, &a_, &lambda_}) std::fill(all->begin(), all->end(), 0.0);
  t_[0] = at.t;
  t_[1] = unit_;
  std::copy(at.q.begin(), at.q.end(), out_->q(0));
  std::copy(at.v.begin(), at.v.end(), out_->v(0));
  std::copy(found.acceleration.begin(), found.acceleration.end(), a(0));
  std::copy(found.multipliers.begin(), found.multipliers.end(), lambda(0));
  if (system_.impl().drive)
    for (std::size_t j = 0; j < found.actuator_force.size(); ++j)
      lambda(0)[system_.impl().drive->rows[j]] = found.actuator_force[j];
  for (int i = 0; i < nv_; ++i) out_->v(1)[i] = unit_ * a(0)[i];
  Numbers to{};
  to[where(Where::rate)] = rate_.data();
  rate_ = system_.values().constant_rate;
  rates_.compute(0, coefficients(0), to);
  take_rates(0);
  std::fill(rate_.begin(), rate_.end(), 0.0);
  rates_.compute(1, coefficients(1), to);
  take_rates(1);
  take_multipliers(0);
  if (deviation_ && !deviation_->begin(coefficients(0), here.C, found.acceleration, solver_)) return false;
  const Numbers nowhere{};
  balance_.compute(0, ideal_coefficients(0), nowhere);
  for (int lead = 0; lead < 3; ++lead)
    for (int k = 0; k <= 2 - lead; ++k) rows_[lead].compute(k, coefficients(k), nowhere);
  return true;
}

/// Coefficient k of accelerations and multipliers, for force_ and right_.
bool OrderSeries::solve_order(int k) {
  if (deviation_) deviation_->prepare(k, coefficients(k), right_);
  if (!solver_.solve(force_, right_)) return false;
  std::copy(solver_.x.begin(), solver_.x.end(), ideal(k));
  std::copy(solver_.lambda.begin(), solver_.lambda.end(), lambda(k));
  if (!deviation_) return true;
  if (!deviation_->advance(k, coefficients(k), solver_)) return false;
  for (int i = 0; i < nv_; ++i) a(k)[i] = ideal(k)[i] + deviation_->d(k)[i];
  return true;
}

/// Order k of accelerations and multipliers, and all that follows from it.
bool OrderSeries::advance(int k) {
  Numbers to{};
  to[where(Where::rate)] = rate_.data();
  to[where(Where::balance)] = force_.data();
  to[where(Where::stated_row)] = right_.data();
  rates_.compute(k + 1, coefficients(k + 1), to);
  take_rates(k + 1);  // without a_k
  std::fill(force_.begin(), force_.end(), 0.0);
  std::fill(right_.begin(), right_.end(), 0.0);
  balance_.compute(k, ideal_coefficients(k), to);
  for (int lead = 0; lead < 3; ++lead) rows_[lead].compute(k + 2 - lead, coefficients(k + 2 - lead), to);
  for (double& f : force_) f = -f;
  for (int r = 0; r < m_; ++r) {
    const int order = system_.order_of_row(r);
    right_[r] *= order == 0   ? -(k + 1.0) * (k + 2.0) / (unit_ * unit_)
                 : order == 1 ? -(k + 1.0) / unit_
                              : -1.0;
  }
  if (!solve_order(k)) return false;
  for (int i = 0; i < nv_; ++i) out_->v(k + 1)[i] = a(k)[i] * (unit_ / (k + 1));
  if (!std::all_of(a(k), a(k) + nv_, [](double x) { return std::isfinite(x); })) return false;
  rates_.complete(k + 1, coefficients(k + 1), &to);
  take_rates(k + 1);
  take_multipliers(k);
  if (k + 1 == order_) return true;
  balance_.complete(k, ideal_coefficients(k));
  for (int lead = 0; lead < 3; ++lead) rows_[lead].complete(k + 2 - lead, coefficients(k + 2 - lead));
  return true;
}

/// The power of multipliers, that of programmes apart.
void OrderSeries::find_work_of_rows(int k, ElementSeries& power, const StateParts& at,
                                    SeriesNumbers::Work& w) {
  const double part = unit_ / (k + 1);
  Numbers to{};
  to[where(Where::row_power)] = row_power_now_.data();
  std::fill(row_power_now_.begin(), row_power_now_.end(), 0.0);
  power.compute(k, at, to);
  for (const double of_row : row_power_now_) w.constraint += part * of_row;
  for (const ProgrammeInfo& programme : system_.impl().programmes) {
    const ConstraintInfo& rows = system_.constraints()[programme.constraint];
    for (int r = rows.first_row; r < rows.first_row + rows.row_count; ++r)
      w.control += part * row_power_now_[r];
  }
  w.constraint -= w.control;
}

/// v C, and what rows that move take of it.
double OrderSeries::work_of_deviation(int k) {
  double sum = 0;
  for (int j = 0; j <= k; ++j)
    for (int i = 0; i < nv_; ++i) sum += out_->v(k - j)[i] * deviation_->force(j)[i];
  SeriesNumbers::Work w{.impressed = sum * unit_ / (k + 1)};
  if (!needs_row_power_) return w.impressed;
  find_work_of_rows(k, power_of_deviation_, deviation_->own(k, coefficients(k)), w);
  return w.impressed + w.constraint + w.control;
}

void OrderSeries::find_work() {
  double impressed = 0, explicit_time = 0;
  Numbers to{};
  to[where(Where::power)] = &impressed;
  to[where(Where::power_explicit)] = &explicit_time;
  for (int k = 0; k < order_; ++k) {
    SeriesNumbers::Work w;
    const double part = unit_ / (k + 1);
    if (needs_power_) {
      impressed = k == 0 ? system_.values().constant_power : 0.0;
      explicit_time = k == 0 ? system_.values().constant_power_explicit : 0.0;
      stated_power_.compute(k, coefficients(k), to);
      w.impressed = part * impressed;
      w.explicit_time = part * explicit_time;
    }
    if (needs_row_power_) find_work_of_rows(k, row_power_, coefficients(k), w);
    if (deviation_) w.nonideal = work_of_deviation(k);
    out_->set_work(k + 1, w);
  }
}

void OrderSeries::bind() {
  const std::span<const double> numbers = system_.values().numbers;
  for (ElementSeries* part : {&balance_, &rows_[0], &rows_[1], &rows_[2], &rates_, &stated_power_,
                              &row_power_, &power_of_deviation_})
    part->bind(numbers);
  if (deviation_) deviation_->bind(numbers);
}

bool OrderSeries::expand(const StateView& at, const Equations& here, const Solution& found,
                         SolveWorkspace& solved, DriveScratch* drive, double unit, SeriesNumbers& out) {
  unit_ = unit;
  out_ = &out;
  if (!solver_.begin(here, solved, drive, found) || !begin(at, here, found)) return false;
  for (int k = 1; k < order_; ++k)
    if (!advance(k)) return false;
  find_work();
  double sum = 0;
  for (const double x : std::span<const double>(out.q(1), out.q(order_ + 1))) sum += x;
  return std::isfinite(sum);
}

}  // namespace vinculum
