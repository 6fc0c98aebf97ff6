// The series of a motion order by order, for systems of any size.
#pragma once
#include <memory>
#include <vector>

#include "system/series/deviation_series.hpp"
#include "system/series/order_solver.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

/// Coefficients of a motion, in a unit of time that suits it. Those of one order stand together: coordinates,
/// velocities, and the work of stated forces, of constraints, of programmes, of time itself and of non-ideal
/// forces.
class SeriesNumbers {
 public:
  /// There is room for two orders more: rows are ahead of the motion.
  SeriesNumbers(const System& system, int order);
  double* q(int k) { return all_.data() + static_cast<std::ptrdiff_t>(k) * width_; }
  const double* q(int k) const { return all_.data() + static_cast<std::ptrdiff_t>(k) * width_; }
  double* v(int k) { return q(k) + nq_; }
  static constexpr int parts_of_work = 5;
  struct Work {
    double impressed = 0, constraint = 0, control = 0, explicit_time = 0, nonideal = 0;
  };
  Work work(int k) const {
    const double* const w = all_.data() + static_cast<std::ptrdiff_t>(k + 1) * width_ - parts_of_work;
    return {w[0], w[1], w[2], w[3], w[4]};
  }
  void set_work(int k, const Work& w) {
    double* const to = q(k + 1) - parts_of_work;
    to[0] = w.impressed, to[1] = w.constraint, to[2] = w.control, to[3] = w.explicit_time, to[4] = w.nonideal;
  }
  void clear() { all_.assign(all_.size(), 0.0); }

 private:
  int nq_, width_;
  std::vector<double> all_;
};

class OrderSeries {
 public:
  OrderSeries(const System& system, int order);
  /// To the values of living parameters.
  void bind();
  /// From a state whose acceleration was just found, with these workspaces, by the fast road or another.
  /// False where a coefficient is none.
  bool expand(const StateView& at, const Equations& here, const Solution& found, SolveWorkspace& solved,
              DriveScratch* drive, double unit, SeriesNumbers& out);
  /// Whether what stands in a sign keeps it for so many units of time.
  bool keeps_sides(double units) const { return !deviation_ || deviation_->keeps_sides(units); }

 private:
  double* a(int k) { return a_.data() + static_cast<std::ptrdiff_t>(k) * nv_; }
  double* ideal(int k) { return deviation_ ? deviation_->ideal(k) : a(k); }
  double* lambda(int k) { return lambda_.data() + static_cast<std::ptrdiff_t>(k) * m_; }
  StateParts coefficients(int k);
  StateParts ideal_coefficients(int k);
  void take_rates(int k);
  void take_multipliers(int k);
  bool begin(const StateView& at, const Equations& here, const Solution& found);
  bool advance(int k);
  bool solve_order(int k);
  void find_work();
  void find_work_of_rows(int k, ElementSeries& power, const StateParts& at, SeriesNumbers::Work& w);
  double work_of_deviation(int k);

  const System& system_;
  int order_, nq_, nv_, m_;
  std::shared_ptr<const SeriesPrograms> programs_;
  ElementSeries balance_, rows_[3], rates_, stated_power_, row_power_, power_of_deviation_;
  bool needs_power_ = false, needs_row_power_ = false;
  OrderSolver solver_;
  std::unique_ptr<DeviationSeries> deviation_;  // where there are non-ideal forces
  double unit_ = 1;
  SeriesNumbers* out_ = nullptr;
  std::vector<double> t_, a_, lambda_, rate_, force_, right_, row_power_now_;
};

}  // namespace vinculum
