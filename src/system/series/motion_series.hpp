// The motion from a state on as power series in time, its constraint forces included.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "system/series/element_series.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {

/// What must vanish along the motion, compiled: the balance of forces, and the rows by their order.
struct SeriesKernels {
  SeriesKernels(const Model& model, int velocities, int rows, const std::vector<Statement>& statements);
  ElementKernels balance, power;
  ElementKernels rows[3];
};

/// These, and all else that is asked for along the motion, written out for series of one order.
struct SeriesPrograms {
  SeriesPrograms(const System::Impl& system, int order);
  bool exist() const;
  ElementSeriesPrograms balance, rows[3], rates, energy, power;
};

/// Why the motions of a system have no series that could be found; empty where they have.
std::string why_no_series(const System& system, int order);

/// Along the motion M a - Q - A^T lambda is zero, and so is every row as it was stated: every coefficient of
/// their series is. Number k of the balance is linear in the coefficients a_k and lambda_k,
///     M_0 a_k - A_0^T lambda_k = what lower orders make of it,
/// and so is number k + 2 of a row on positions, k + 1 of one on velocities, k of one on accelerations:
///     A_0 a_k = ...
/// The matrix is the same for all orders: one factorisation for the whole series.
class MotionSeries {
 public:
  /// Coefficients 0 to `order` of coordinates and velocities. There must be no reason against.
  MotionSeries(const System& system, int order);
  int order() const { return order_; }

  /// From this state on. False where there is no acceleration or a coefficient is no number.
  bool expand(const StateView& at, const Mode& mode, Workspace& work);

  /// Coefficient k of all coordinates, velocities, accelerations (below the order), multipliers.
  const double* coordinates(int k) const { return q_.data() + static_cast<std::ptrdiff_t>(k) * nq_; }
  const double* velocities(int k) const { return v_.data() + static_cast<std::ptrdiff_t>(k) * nv_; }
  const double* accelerations(int k) const { return a_.data() + static_cast<std::ptrdiff_t>(k) * nv_; }
  const double* multipliers(int k) const { return lambda_.data() + static_cast<std::ptrdiff_t>(k) * m_; }
  /// Of the powers, below the order: what stated forces, constraints, programmes and time itself do.
  struct Power {
    double impressed = 0, constraint = 0, control = 0, explicit_time = 0;
  };
  const Power& power(int k) const { return power_[k]; }

 private:
  double* q(int k) { return q_.data() + static_cast<std::ptrdiff_t>(k) * nq_; }
  double* v(int k) { return v_.data() + static_cast<std::ptrdiff_t>(k) * nv_; }
  double* a(int k) { return a_.data() + static_cast<std::ptrdiff_t>(k) * nv_; }
  double* lambda(int k) { return lambda_.data() + static_cast<std::ptrdiff_t>(k) * m_; }
  StateParts coefficients(int k);
  void take_rates(int k);
  void begin(const StateView& at);
  bool advance(int k, const Equations& at);
  bool solve_order(const Equations& at);
  void find_powers();

  const System& system_;
  int order_, nq_, nv_, m_;
  std::uint64_t serial_ = 0;  // of the values it is bound to
  std::shared_ptr<const SeriesPrograms> programs_;
  ElementSeries balance_, rows_[3], rates_, energy_, row_power_;
  bool needs_power_ = false, needs_row_power_ = false;
  SolveWorkspace solve_;
  bool factorised_ = false;  // by the fast road
  Solution solution_;
  Equations other_;  // with other right sides, for other roads
  std::vector<double> t_, q_, v_, a_, lambda_, rate_, force_, right_, found_, multipliers_, row_power_now_;
  std::vector<Power> power_;
};

}  // namespace vinculum
