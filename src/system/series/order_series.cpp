#include "system/series/order_series.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "system/system_impl.hpp"

namespace vinculum {
namespace {

using Where = Target::Where;
constexpr int where(Where w) { return static_cast<int>(w); }

/// Of what the statements contribute, the part that goes there.
template <class Wanted>
std::vector<LoweredGroup> part_of(const std::vector<LoweredGroup>& groups, const Wanted& wanted) {
  std::vector<LoweredGroup> result;
  for (const LoweredGroup& group : groups) {
    LoweredGroup part = group;
    part.contributions.clear();
    part.targets.clear();
    for (std::size_t c = 0; c < group.contributions.size(); ++c) {
      if (!wanted(group.contributions[c].target)) continue;
      part.contributions.push_back(group.contributions[c]);
      part.targets.push_back(group.targets[c]);
    }
    if (!part.contributions.empty()) result.push_back(std::move(part));
  }
  return result;
}

}  // namespace

SeriesKernels::SeriesKernels(const Model& model, int velocities, int row_count,
                             const std::vector<Statement>& statements) {
  const std::vector<LoweredGroup> lowered =
      lower_groups(model, statements, group_by_shape(model, statements), Purpose::series);
  Constants constants;  // of the first coefficients, which are solved for otherwise
  constants[where(Where::balance)].assign(velocities, 0.0);
  for (const Where w : {Where::stated_row, Where::row_power}) constants[where(w)].assign(row_count, 0.0);
  const auto compile = [&](const auto& wanted) {
    return ElementKernels(model, part_of(lowered, wanted), [](const Target& t) { return t.i; }, constants);
  };
  balance = compile([](const Target& t) { return t.where == Where::balance; });
  power = compile([](const Target& t) { return t.where == Where::row_power; });
  for (int order = 0; order < 3; ++order)
    rows[order] = compile([order](const Target& t) { return t.where == Where::stated_row && t.j == order; });
}

SeriesPrograms::SeriesPrograms(const System::Impl& s, int order)
    : balance(s.series_kernels().balance, order, {StatePlace::acceleration, StatePlace::multiplier}),
      rows{{s.series_kernels().rows[0], order + 2, {StatePlace::coordinate}},
           {s.series_kernels().rows[1], order + 1, {StatePlace::velocity}},
           {s.series_kernels().rows[2], order, {StatePlace::acceleration}}},
      rates(s.rates, order + 1, {StatePlace::velocity}),
      energy(s.energy, order, {}),
      power(s.series_kernels().power, order, {}) {}

SeriesNumbers::SeriesNumbers(const System& system, int order)
    : nq_(static_cast<int>(system.coordinate_names().size())),
      width_(nq_ + static_cast<int>(system.velocity_names().size()) + 4),
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
      energy_(programs_->energy),
      row_power_(programs_->power) {
  const MayWork may = may_work(system);
  needs_power_ = may.impressed || may.explicit_time;
  needs_row_power_ = may.constraint || may.control;
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

/// Coefficient k + 1 of the coordinates from number k of their rates, which are in rate_ but for plain ones.
void OrderSeries::take_rates(int k) {
  const double part = unit_ / (k + 1);
  const std::vector<int>& plain = system_.impl().plain_rate;
  for (int i = 0; i < nq_; ++i) out_->q(k + 1)[i] = (plain[i] >= 0 ? out_->v(k)[plain[i]] : rate_[i]) * part;
}

/// Everything that the accelerations and multipliers of the first order make known.
void OrderSeries::begin(const StateView& at, const Solution& found) {
  out_->clear();
  for (std::vector<double>* all : {&t_, &a_, &lambda_}) std::fill(all->begin(), all->end(), 0.0);
  t_[0] = at.t;
  t_[1] = unit_;
  std::copy(at.q.begin(), at.q.end(), out_->q(0));
  std::copy(at.v.begin(), at.v.end(), out_->v(0));
  std::copy(found.acceleration.begin(), found.acceleration.end(), a(0));
  std::copy(found.multipliers.begin(), found.multipliers.end(), lambda(0));
  for (int i = 0; i < nv_; ++i) out_->v(1)[i] = unit_ * a(0)[i];
  Numbers to{};
  to[where(Where::rate)] = rate_.data();
  rate_ = system_.values().constant_rate;
  rates_.compute(0, coefficients(0), to);
  take_rates(0);
  std::fill(rate_.begin(), rate_.end(), 0.0);
  rates_.compute(1, coefficients(1), to);
  take_rates(1);
  const Numbers nowhere{};
  balance_.compute(0, coefficients(0), nowhere);
  for (int lead = 0; lead < 3; ++lead)
    for (int k = 0; k <= 2 - lead; ++k) rows_[lead].compute(k, coefficients(k), nowhere);
}

bool OrderSeries::solve_order(const Equations& at, SolveWorkspace& solved) {
  if (factorised_ && solve_again(system_.structure(), at, solved, force_, right_, found_, multipliers_))
    return true;
  other_ = at;
  other_.Q = force_;
  other_.b = right_;
  SolveOptions options = options_for(system_, {});
  options.detail = Detail::motion;
  options.within_step = true;
  solve(system_.structure(), other_, solved, solution_, options);
  factorised_ = solution_.road_used == Road::fast;
  found_ = solution_.acceleration;
  multipliers_ = solution_.multipliers;
  return solution_.status == Status::solved;
}

/// Coefficient k of accelerations and multipliers, and all that follows from it.
bool OrderSeries::advance(int k, const Equations& at, SolveWorkspace& solved) {
  Numbers to{};
  to[where(Where::rate)] = rate_.data();
  to[where(Where::balance)] = force_.data();
  to[where(Where::stated_row)] = right_.data();
  rates_.compute(k + 1, coefficients(k + 1), to);
  take_rates(k + 1);  // without a_k
  std::fill(force_.begin(), force_.end(), 0.0);
  std::fill(right_.begin(), right_.end(), 0.0);
  balance_.compute(k, coefficients(k), to);
  for (int lead = 0; lead < 3; ++lead) rows_[lead].compute(k + 2 - lead, coefficients(k + 2 - lead), to);
  for (double& f : force_) f = -f;
  for (int r = 0; r < m_; ++r) {
    const int order = system_.order_of_row(r);
    right_[r] *= order == 0   ? -(k + 1.0) * (k + 2.0) / (unit_ * unit_)
                 : order == 1 ? -(k + 1.0) / unit_
                              : -1.0;
  }
  if (!solve_order(at, solved)) return false;
  std::copy(found_.begin(), found_.end(), a(k));
  std::copy(multipliers_.begin(), multipliers_.end(), lambda(k));
  for (int i = 0; i < nv_; ++i) out_->v(k + 1)[i] = found_[i] * (unit_ / (k + 1));
  if (!std::all_of(found_.begin(), found_.end(), [](double x) { return std::isfinite(x); })) return false;
  rates_.complete(k + 1, coefficients(k + 1), &to);
  take_rates(k + 1);
  if (k + 1 == order_) return true;
  balance_.complete(k, coefficients(k));
  for (int lead = 0; lead < 3; ++lead) rows_[lead].complete(k + 2 - lead, coefficients(k + 2 - lead));
  return true;
}

void OrderSeries::find_work() {
  double impressed = 0, explicit_time = 0;
  Numbers to{};
  to[where(Where::power)] = &impressed;
  to[where(Where::power_explicit)] = &explicit_time;
  to[where(Where::row_power)] = row_power_now_.data();
  for (int k = 0; k < order_; ++k) {
    SeriesNumbers::Work w;
    const double part = unit_ / (k + 1);
    if (needs_power_) {
      impressed = k == 0 ? system_.values().constant_power : 0.0;
      explicit_time = k == 0 ? system_.values().constant_power_explicit : 0.0;
      energy_.compute(k, coefficients(k), to);
      w.impressed = part * impressed;
      w.explicit_time = part * explicit_time;
    }
    if (!needs_row_power_) {
      out_->set_work(k + 1, w);
      continue;
    }
    std::fill(row_power_now_.begin(), row_power_now_.end(), 0.0);
    row_power_.compute(k, coefficients(k), to);
    for (const double of_row : row_power_now_) w.constraint += part * of_row;
    for (const ProgrammeInfo& programme : system_.impl().programmes) {
      const ConstraintInfo& rows = system_.constraints()[programme.constraint];
      for (int r = rows.first_row; r < rows.first_row + rows.row_count; ++r)
        w.control += part * row_power_now_[r];
    }
    w.constraint -= w.control;
    out_->set_work(k + 1, w);
  }
}

void OrderSeries::bind() {
  for (ElementSeries* part : {&balance_, &rows_[0], &rows_[1], &rows_[2], &rates_, &energy_, &row_power_})
    part->bind(system_.values().numbers);
}

bool OrderSeries::expand(const StateView& at, const Equations& here, const Solution& found,
                         SolveWorkspace& solved, double unit, SeriesNumbers& out) {
  unit_ = unit;
  out_ = &out;
  factorised_ = found.road_used == Road::fast;
  begin(at, found);
  for (int k = 1; k < order_; ++k)
    if (!advance(k, here, solved)) return false;
  find_work();
  double sum = 0;
  for (const double x : std::span<const double>(out.q(1), out.q(order_ + 1))) sum += x;
  return std::isfinite(sum);
}

}  // namespace vinculum
