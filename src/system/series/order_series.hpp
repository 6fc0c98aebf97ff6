// The series of a motion order by order, for systems of any size.
#pragma once
#include <memory>
#include <vector>

#include "system/series/element_series.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

/// What must vanish along the motion, compiled: the balance of forces, and the rows by their order; and the
/// power of multipliers.
struct SeriesKernels {
  SeriesKernels(const Model& model, int velocities, int rows, const std::vector<Statement>& statements);
  ElementKernels balance, power;
  ElementKernels rows[3];
};

/// These, and all else that is asked for along the motion, written out for series of one order.
struct SeriesPrograms {
  SeriesPrograms(const System::Impl& system, int order);
  ElementSeriesPrograms balance, rows[3], rates, energy, power;
};

/// Coefficients of a motion, in a unit of time that suits it. Those of one order stand together: coordinates,
/// velocities, and the work of stated forces, of constraints, of programmes and of time itself.
class SeriesNumbers {
 public:
  /// There is room for two orders more: rows are ahead of the motion.
  SeriesNumbers(const System& system, int order);
  double* q(int k) { return all_.data() + static_cast<std::ptrdiff_t>(k) * width_; }
  double* v(int k) { return q(k) + nq_; }
  struct Work {
    double impressed = 0, constraint = 0, control = 0, explicit_time = 0;
  };
  Work work(int k) const {
    const double* const w = all_.data() + static_cast<std::ptrdiff_t>(k + 1) * width_ - 4;
    return {w[0], w[1], w[2], w[3]};
  }
  void set_work(int k, const Work& w) {
    double* const to = q(k + 1) - 4;
    to[0] = w.impressed, to[1] = w.constraint, to[2] = w.control, to[3] = w.explicit_time;
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
  /// From a state whose acceleration was just found with that workspace, by the fast road or another. False
  /// where a coefficient is none.
  bool expand(const StateView& at, const Equations& here, const Solution& found, SolveWorkspace& solved,
              double unit, SeriesNumbers& out);

 private:
  double* a(int k) { return a_.data() + static_cast<std::ptrdiff_t>(k) * nv_; }
  double* lambda(int k) { return lambda_.data() + static_cast<std::ptrdiff_t>(k) * m_; }
  StateParts coefficients(int k);
  void take_rates(int k);
  void begin(const StateView& at, const Solution& found);
  bool advance(int k, const Equations& at, SolveWorkspace& solved);
  bool solve_order(const Equations& at, SolveWorkspace& solved);
  void find_work();

  const System& system_;
  int order_, nq_, nv_, m_;
  std::shared_ptr<const SeriesPrograms> programs_;
  ElementSeries balance_, rows_[3], rates_, energy_, row_power_;
  bool needs_power_ = false, needs_row_power_ = false;
  bool factorised_ = false;  // by the fast road
  Solution solution_;
  Equations other_;  // with other right sides, for other roads
  double unit_ = 1;
  SeriesNumbers* out_ = nullptr;
  std::vector<double> t_, a_, lambda_, rate_, force_, right_, found_, multipliers_, row_power_now_;
};

}  // namespace vinculum
