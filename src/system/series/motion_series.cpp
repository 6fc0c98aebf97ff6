#include "system/series/motion_series.hpp"

#include <algorithm>
#include <cmath>

#include "equation/sparse/fast.hpp"
#include "system/modes/switch_law.hpp"
#include "system/system_impl.hpp"

namespace vinculum {

std::string why_no_series(const System& system) {
  const System::Impl& s = system.impl();
  if (system.mechanics() == Mechanics::vakonomic) return "it has no series of vakonomic motion";
  if (!s.frictions.empty()) return "it has no series of friction";
  if (s.has_nonideal) return "it has no series of non-ideal forces";
  if (s.drive) return "it has no series of what actuators do";
  const SeriesKernels& k = s.series_kernels();
  for (const ElementKernels* part : {&k.balance, &k.rows[0], &k.rows[1], &k.rows[2], &s.rates, &s.energy})
    if (part->calls_functions()) return "a function written in C++ has no series";
  return "";
}

int series_order(double tolerance) {
  constexpr int lowest = 6, highest = 19;  // what the smallest tolerance asks for
  return std::clamp(static_cast<int>(std::ceil(1 - 0.5 * std::log(tolerance))), lowest, highest);
}

bool has_small_series(const System& system, double tolerance) {
  return why_no_series(system).empty() && system.impl().small_series(series_order(tolerance))->exists();
}

MotionSeries::MotionSeries(const System& system, int order)
    : system_(system),
      order_(order),
      solve_(system.structure()),
      numbers_(system, order),
      small_program_(system.impl().small_series(order)) {
  const MayWork may = may_work(system);
  shares_control_ = !system.impl().programmes.empty() && (may.constraint || may.control);
  if (small_program_->exists()) small_.emplace(*small_program_, system.values().numbers);
}

bool MotionSeries::is_finite() {
  double sum = 0;
  for (const double x : std::span<const double>(numbers_.q(1), numbers_.q(order_ + 1))) sum += x;
  return std::isfinite(sum);
}

/// To the values of living parameters.
void MotionSeries::bind() {
  serial_ = system_.values().serial;
  if (small_) small_->bind(system_.values().numbers);
  if (by_order_) by_order_->bind();
}

SeriesFound MotionSeries::expand(const StateView& at, const Mode& mode, double unit, Workspace& work) {
  Workspace::Impl& w = work.impl();
  if (w.sliding && w.sliding->intervenes(at, mode)) return SeriesFound::held;
  if (serial_ != system_.values().serial) bind();
  std::copy(at.q.begin(), at.q.end(), numbers_.q(0));
  std::copy(at.v.begin(), at.v.end(), numbers_.v(0));
  const auto finite = [this] { return is_finite() ? SeriesFound::all : SeriesFound::no_number; };
  if (small_ && small_->expand(at, unit, numbers_.q(1))) return finite();
  const Equations& here = evaluate(system_, at, mode, work).equations;
  leave_out(solve_, mode.left_out);
  SolveOptions options = options_for(system_, {});
  options.detail = Detail::motion;
  options.within_step = true;
  solve(system_.structure(), here, solve_, solution_, options);
  if (solution_.status != Status::solved) return SeriesFound::unsolved;
  if (shares_control_ && !solution_.multipliers_unique) return SeriesFound::shared;
  if (small_ && solution_.road_used == Road::fast &&
      small_->expand(at, here, solution_, solve_, unit, numbers_.q(1)))
    return finite();
  if (!by_order_) {
    by_order_ = std::make_unique<OrderSeries>(system_, order_);
    by_order_->bind();
  }
  return by_order_->expand(at, here, solution_, solve_, unit, numbers_) ? SeriesFound::all
                                                                        : SeriesFound::no_number;
}

}  // namespace vinculum
