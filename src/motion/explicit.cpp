// Explicit Runge-Kutta steps from a tableau.
#include <algorithm>
#include <cmath>

#include "motion/stepper.hpp"
#include "motion/tableau.hpp"

namespace vinculum {
namespace {

class ExplicitStepper final : public Stepper {
 public:
  ExplicitStepper(const Tableau& tableau, Flow& flow, const Tolerance& tolerance, double fixed_step)
      : tableau_(tableau),
        flow_(flow),
        tolerance_(tolerance),
        fixed_(tableau.error.empty() ? fixed_step : 0.0),
        size_(flow.size()),
        k_(static_cast<std::size_t>(tableau.total) * size_),
        y_(size_),
        y_new_(size_) {}

  Attempt attempt(double t, const double* y, const double* f0, double h, double* y_new) override {
    t_ = t;
    h_ = h;
    std::copy_n(y, size_, y_.begin());
    std::copy_n(f0, size_, stage(0));
    for (int i = 1; i < tableau_.stages; ++i) {
      combine(tableau_.row(i), i, h, y, y_new);
      if (!flow_(t + tableau_.c[i] * h, y_new, stage(i))) return {false, INFINITY, 0};
    }
    combine(tableau_.b.data(), tableau_.stages, h, y, y_new);
    const bool uses_end = static_cast<int>(tableau_.error.size()) > tableau_.stages;
    if (uses_end && !flow_(t + h, y_new, stage(tableau_.stages))) return {false, INFINITY, 0};
    return estimate(h, y, y_new);
  }

  bool interpolate(const double* f_new, StepPolynomial& out) override {
    std::copy_n(f_new, size_, stage(tableau_.stages));
    for (int i = tableau_.stages + 1; i < tableau_.total; ++i) {
      combine(tableau_.row(i), i, h_, y_.data(), y_new_.data());
      if (!flow_(t_ + tableau_.c[i] * h_, y_new_.data(), stage(i))) return false;
    }
    out.t = t_;
    out.h = h_;
    out.size = size_;
    const int degree = tableau_.dense_degree;
    out.node.assign(degree, 0.0);
    out.coefficient.assign(static_cast<std::size_t>(degree + 1) * size_, 0.0);
    std::copy(y_.begin(), y_.end(), out.coefficient.begin());
    for (int j = 0; j < degree; ++j) {
      double* c = out.coefficient.data() + static_cast<std::ptrdiff_t>(j + 1) * size_;
      for (int i = 0; i < tableau_.total; ++i) {
        const double w = h_ * tableau_.dense[i * degree + j];
        if (w == 0) continue;
        const double* k = stage(i);
        for (int n = 0; n < size_; ++n) c[n] += w * k[n];
      }
    }
    return true;
  }

  /// Proportional and integral control: the error of the step before damps the change, so that steps do not
  /// chatter where the tolerance is nearly met.
  double next_step(double h, const Attempt& attempt, bool accepted) override {
    if (!adaptive()) return fixed_;
    const double exponent = 1.0 / tableau_.error_order;
    if (!attempt.evaluated || !std::isfinite(attempt.error)) return 0.25 * h;
    const double error = std::max(attempt.error, 1e-10);
    if (!accepted) {
      rejected_ = true;
      return h * std::max(0.2, 0.9 * std::pow(error, -exponent));
    }
    constexpr double damping = 0.4;  // part of the exponent that goes to the step before
    double factor = 0.9 * std::pow(error, -exponent * (1 - 0.5 * damping)) *
                    std::pow(before_, 0.5 * damping * exponent);
    factor = std::clamp(factor, 0.333, rejected_ ? 1.0 : 6.0);
    rejected_ = false;
    before_ = std::max(error, 1e-4);
    return h * factor;
  }

  double first_step(double t, const double* y, const double* f0, double span) override {
    if (!adaptive()) return fixed_;
    return guess_first_step(flow_, tolerance_, tableau_.order, t, y, f0, span);
  }

  void restart() override { before_ = 1e-4; }
  bool adaptive() const override { return !tableau_.error.empty(); }

 private:
  double* stage(int i) { return k_.data() + static_cast<std::ptrdiff_t>(i) * size_; }

  /// out = y + h sum weight_i k_i
  void combine(const double* weight, int count, double h, const double* y, double* out) {
    std::copy_n(y, size_, out);
    for (int i = 0; i < count; ++i) {
      const double w = h * weight[i];
      if (w == 0) continue;
      const double* k = stage(i);
      for (int n = 0; n < size_; ++n) out[n] += w * k[n];
    }
  }

  Attempt estimate(double h, const double* y, const double* y_new) {
    Attempt result;
    if (tableau_.error.empty()) {
      for (int n = 0; n < size_; ++n)
        if (!std::isfinite(y_new[n])) return {false, INFINITY, n};
      return result;
    }
    double high = 0, low = 0;
    for (int n = 0; n < flow_.controlled(); ++n) {
      double e = 0, e_low = 0;
      for (std::size_t i = 0; i < tableau_.error.size(); ++i)
        e += tableau_.error[i] * stage(static_cast<int>(i))[n];
      for (std::size_t i = 0; i < tableau_.error_low.size(); ++i)
        e_low += tableau_.error_low[i] * stage(static_cast<int>(i))[n];
      const double scale = tolerance_.of(y[n], y_new[n]);
      e = std::fabs(e) / scale;
      if (!(e <= high)) {
        high = e;
        result.worst = n;
      }
      low = std::max(low, std::fabs(e_low) / scale);
    }
    // DOP853 measures the error of order 5 by that of order 3; a single estimate stands for itself.
    const double together = high * high + 0.01 * low * low;
    result.error = tableau_.error_low.empty() ? std::fabs(h) * high
                   : together > 0             ? std::fabs(h) * high * high / std::sqrt(together)
                                              : 0.0;
    if (!std::isfinite(result.error)) result.evaluated = false;
    return result;
  }

  const Tableau& tableau_;
  Flow& flow_;
  Tolerance tolerance_;
  double fixed_;
  int size_;
  double t_ = 0, h_ = 0, before_ = 1e-4;
  bool rejected_ = false;
  std::vector<double> k_, y_, y_new_;
};

}  // namespace

double guess_first_step(Flow& flow, const Tolerance& tolerance, int order, double t, const double* y,
                        const double* f0, double span) {
  const int n = flow.size();
  double size = 0, slope = 0;
  for (int i = 0; i < flow.controlled(); ++i) {
    const double scale = tolerance.of(y[i], y[i]);
    size = std::max(size, std::fabs(y[i]) / scale);
    slope = std::max(slope, std::fabs(f0[i]) / scale);
  }
  const double limit = std::fabs(span);
  double h = size < 1e-5 || slope < 1e-5 ? 1e-6 * limit : 0.01 * size / slope;
  h = std::min(h, limit);
  std::vector<double> y1(y, y + n), f1(n);
  const double sign = span < 0 ? -1 : 1;
  for (int i = 0; i < n; ++i) y1[i] += sign * h * f0[i];
  if (!flow(t + sign * h, y1.data(), f1.data())) return sign * h;
  double bend = 0;
  for (int i = 0; i < flow.controlled(); ++i)
    bend = std::max(bend, std::fabs(f1[i] - f0[i]) / tolerance.of(y[i], y[i]));
  bend /= h;
  const double most = std::max(slope, bend);
  const double h1 = most <= 1e-15 ? std::max(1e-6 * limit, 1e-3 * h) : std::pow(0.01 / most, 1.0 / order);
  return sign * std::min({100 * h, h1, limit});
}

std::unique_ptr<Stepper> make_explicit(std::string_view name, Flow& flow, const Tolerance& tolerance,
                                       double fixed_step) {
  const Tableau& tableau = name == "dop853" ? dop853() : name == "dopri5" ? dopri5() : rk4();
  return std::make_unique<ExplicitStepper>(tableau, flow, tolerance, fixed_step);
}

}  // namespace vinculum
