#include "system/series/motion_series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/clones.hpp"
#include "equation/sparse/fast.hpp"
#include "system/modes/friction.hpp"
#include "system/modes/switch_law.hpp"
#include "system/system_impl.hpp"

namespace vinculum {
namespace {

/// In sums side by side, which do not wait for each other.
VINCULUM_CLONES
double sum_of(const double* from, const double* to) {
  constexpr std::ptrdiff_t several = 16;
  double sum[several] = {};
  for (; to - from >= several; from += several)
    for (std::ptrdiff_t k = 0; k < several; ++k) sum[k] += from[k];
  for (; from != to; ++from) sum[0] += *from;
  double whole = 0;
  for (const double part : sum) whole += part;
  return whole;
}

}  // namespace

std::string why_no_series(const System& system) {
  const System::Impl& s = system.impl();
  if (std::string why = why_not_stated(s); !why.empty()) return why;
  const SeriesKernels& k = s.series_kernels();
  for (const ElementKernels* part :
       {&k.balance, &k.rows[0], &k.rows[1], &k.rows[2], &k.nonideal, &s.rates, &s.powers})
    if (part->calls_functions()) return "a function written in C++ has no series";
  return "";
}

/// A step is as long as the radius of convergence times tolerance^(1/order), so that the work on coefficients
/// alone is least with 1 - ln(tolerance)/2 (Jorba and Zou, 2005). Where a series is one kernel, the rest of a
/// step costs as much as some thousand operations of it: longer steps of a higher order are cheaper, the more
/// so the smaller the system.
int series_order(const System& system, double tolerance) {
  constexpr int lowest = 6, highest = 19, highest_written = 24;
  constexpr double rest_of_step = 4000;
  const double digits = -std::log(tolerance);
  const int order = std::clamp(static_cast<int>(std::ceil(1 + 0.5 * digits)), lowest, highest);
  const std::optional<SeriesWork>& work = system.impl().small_series_work();
  if (!work) return order;
  int best = lowest;
  double least = std::numeric_limits<double>::infinity();
  for (int k = lowest; k <= highest_written; ++k) {
    const double operations = work->to_order(k), cost = (rest_of_step + operations) * std::exp(digits / k);
    if (operations > SmallSeriesProgram::most_operations || cost >= least) break;
    least = cost;
    best = k;
  }
  return least < std::numeric_limits<double>::infinity() ? best : order;
}

double series_operations(const System& system, double tolerance) {
  const std::optional<SeriesWork>& work = system.impl().small_series_work();
  return work ? work->to_order(series_order(system, tolerance)) : 0.0;
}

bool has_small_series(const System& system, double tolerance) {
  return why_no_series(system).empty() &&
         system.impl().small_series(series_order(system, tolerance))->exists();
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

bool MotionSeries::is_finite() { return std::isfinite(sum_of(numbers_.q(1), numbers_.q(order_ + 1))); }

/// To the values of living parameters.
void MotionSeries::bind() {
  serial_ = system_.values().serial;
  if (small_) small_->bind(system_.values().numbers);
  if (by_order_) by_order_->bind();
}

/// The acceleration there, whose factors serve all orders.
SeriesFound MotionSeries::solve_at(const StateView& at, const Mode& mode, Workspace& work) {
  const System::Impl& s = system_.impl();
  Workspace::Impl& w = work.impl();
  const Equations& here = evaluate(system_, at, mode, work).equations;
  if (w.friction && !w.friction->all_slide()) return SeriesFound::rests;
  leave_out(solve_, mode.left_out);
  SolveOptions options = options_for(system_, {});
  options.detail = Detail::motion;
  options.within_step = true;
  if (s.drive)
    solve_driven(*s.drive, here, *w.drive, solution_, options);
  else
    solve(system_.structure(), here, solve_, solution_, options);
  if (solution_.status != Status::solved) return SeriesFound::unsolved;
  if (shares_control_ && !solution_.multipliers_unique) return SeriesFound::shared;
  // A road that leaves the rank open was not taken for C, which asks for multipliers.
  const bool unique = solution_.rank >= 0          ? solution_.multipliers_unique
                      : s.nonideal_needs_reactions ? w.solution.multipliers_unique
                                                   : false;
  const bool asked = s.nonideal_needs_reactions || system_.mechanics() == Mechanics::vakonomic;
  return asked && !unique ? SeriesFound::loose : SeriesFound::all;
}

SeriesFound MotionSeries::taken(const StateView& at, bool good) {
  std::copy(at.q.begin(), at.q.end(), numbers_.q(0));
  std::copy(at.v.begin(), at.v.end(), numbers_.v(0));
  return good ? SeriesFound::all : SeriesFound::no_number;
}

SeriesFound MotionSeries::expand(const StateView& at, const Mode& mode, double unit, Workspace& work) {
  Workspace::Impl& w = work.impl();
  for (const SwitchState& s : mode.switches)
    if (s.grip == Grip::sticks) return SeriesFound::held;
  if (serial_ != system_.values().serial) bind();
  // The memory of the road that is taken where there is no closed form is made at the first state.
  if (solution_.acceleration.empty()) solve_at(at, mode, work);
  const bool on_switch = w.sliding && w.sliding->intervenes(at, mode);
  // The closed form has all rows as stated.
  const bool closed = small_ && mode.passed_over.empty();
  at_once_ = !on_switch && closed && small_->expand(at, unit, numbers_.q(1));
  if (at_once_) return taken(at, is_finite());
  if (const SeriesFound found = solve_at(at, mode, work); found != SeriesFound::all) return found;
  // On a switch that holds nothing, forces are those of the state beside it, a few roundings away.
  StateView from = at;
  if (on_switch) {
    const std::span<const SwitchLaw::Side> sides = w.sliding->sides(system_, at, mode, w);
    if (sides.size() != 1) return SeriesFound::held;
    from = {at.t, sides.front().q, sides.front().v};
  }
  const Equations& here = w.equations;
  at_once_ = closed && solution_.road_used == Road::fast &&
             small_->expand(from, here, solution_, solve_, unit, numbers_.q(1));
  if (at_once_) return taken(at, is_finite());
  if (!by_order_) {
    by_order_ = std::make_unique<OrderSeries>(system_, order_);
    by_order_->bind();
  }
  return taken(at, by_order_->expand(from, here, solution_, solve_, w.drive.get(), unit, numbers_));
}

}  // namespace vinculum
