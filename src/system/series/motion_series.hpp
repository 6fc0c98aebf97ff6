// The motion from a state on as power series in time, its constraint forces included.
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "system/series/order_series.hpp"
#include "system/series/small_series.hpp"

namespace vinculum {

/// What became of a series.
enum class SeriesFound {
  all,
  unsolved,   ///< there is no acceleration
  held,       ///< a switch holds the motion, or friction does
  rests,      ///< friction has no direction yet
  loose,      ///< multipliers are not unique, and forces depend on them
  shared,     ///< multipliers are not unique, and programmes have a part of their work
  no_number,  ///< a coefficient is none: where something has no slope, on a switch, or of actuators that
              ///< share
};

/// Why the motions of a system have no series that could be found; empty where they have.
std::string why_no_series(const System& system);
/// The order of a series that suits steps to a relative tolerance.
int series_order(const System& system, double tolerance);
/// How many operations it has where it may be one kernel; none elsewhere.
double series_operations(const System& system, double tolerance);
/// Whether the whole series to that tolerance is one kernel, which is compiled to tell.
bool has_small_series(const System& system, double tolerance);

/// Along the motion M a - Q - A^T lambda is zero, and so is every row as it was stated: every coefficient of
/// their series is. Number k of the balance is linear in the coefficients a_k and lambda_k,
///     M_0 a_k - A_0^T lambda_k = what lower orders make of it,
/// and so is number k + 2 of a row on positions, k + 1 of one on velocities, k of one on accelerations:
///     A_0 a_k = ...
/// The matrix is the same for all orders: one factorisation for the whole series. What non-ideal forces add
/// is another such system: see DeviationSeries.
class MotionSeries {
 public:
  /// Coefficients 0 to `order` of coordinates and velocities. There must be no reason against.
  MotionSeries(const System& system, int order);
  int order() const { return order_; }

  /// From this state on. With a `unit` of time about as long as the series is good for, no coefficient is so
  /// large or so small that it is no number.
  SeriesFound expand(const StateView& at, const Mode& mode, double unit, Workspace& work);

  /// Coefficient k of all coordinates, and behind them of all velocities; from the first on of the work.
  const double* coordinates(int k) const { return numbers_.q(k); }
  SeriesNumbers::Work work(int k) const { return numbers_.work(k); }
  /// Whether forces are smooth for so many units of time: of what stands in a sign only the forces of
  /// constraints are not seen by those who watch switches.
  bool is_smooth(double units) const {
    return at_once_ ? small_->keeps_sides(units) : by_order_->keeps_sides(units);
  }

 private:
  SeriesFound solve_at(const StateView& at, const Mode& mode, Workspace& work);
  SeriesFound taken(const StateView& at, bool good);
  bool is_finite();
  void bind();

  const System& system_;
  int order_;
  bool at_once_ = false;
  bool shares_control_;  // which part of the work is that of programmes is asked for
  SolveWorkspace solve_;
  Solution solution_;
  SeriesNumbers numbers_;
  std::uint64_t serial_ = 0;  // of the values that the following are bound to
  std::shared_ptr<const SmallSeriesProgram> small_program_;
  std::optional<SmallSeries> small_;
  std::unique_ptr<OrderSeries> by_order_;  // made where it is needed
};

}  // namespace vinculum
