// Explicit Runge-Kutta steps from a tableau.
#include <algorithm>
#include <cmath>

#include "motion/steppers/in_eights.hpp"
#include "motion/steppers/stepper.hpp"
#include "motion/steppers/tableau.hpp"

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
        k_(tableau.total, size_),
        y_(1, size_),
        at_(1, size_),
        error_(1, size_),
        error_low_(1, size_) {
    all_summands_.reserve(tableau.a.size() + tableau.b.size() + tableau.error.size() +
                          tableau.error_low.size());
    to_stage_.reserve(tableau.total);
    for (int i = 0; i < tableau.total; ++i)
      to_stage_.push_back(summands({tableau.row(i), static_cast<std::size_t>(i)}));
    to_end_ = summands(tableau.b.first(static_cast<std::size_t>(tableau.stages)));
    to_error_ = summands(tableau.error);
    to_error_low_ = summands(tableau.error_low);
    std::vector<double> c(tableau.c.begin(), tableau.c.begin() + tableau.stages);
    c.push_back(1.0);
    std::sort(c.begin(), c.end());
    for (std::size_t i = 1; i < c.size(); ++i)
      if (c[i] - c[i - 1] > quiet_.width) quiet_ = {0.5 * (c[i] + c[i - 1]), c[i] - c[i - 1]};
    find_witnesses();
  }

  Attempt attempt(double t, const double* y, const double* f0, double h, double* y_new) override {
    t_ = t;
    h_ = h;
    std::copy_n(y, size_, y_.data());
    std::copy_n(f0, size_, stage(0));
    for (int i = 1; i < tableau_.stages; ++i) {
      combine(to_stage_[i], y_, at_);
      if (!flow_(t + tableau_.c[i] * h, at_.data(), stage(i))) return {false, INFINITY, 0};
    }
    combine(to_end_, y_, at_);
    std::copy_n(at_.data(), size_, y_new);
    const bool uses_end = static_cast<int>(tableau_.error.size()) > tableau_.stages;
    if (uses_end && !flow_(t + h, y_new, stage(tableau_.stages))) return {false, INFINITY, 0};
    return estimate(y_new);
  }

  bool interpolate(const double* f_new, StepPolynomial& out) override {
    std::copy_n(f_new, size_, stage(tableau_.stages));
    for (int i = tableau_.stages + 1; i < tableau_.total; ++i) {
      combine(to_stage_[i], y_, at_);
      if (!flow_(t_ + tableau_.c[i] * h_, at_.data(), stage(i))) return false;
    }
    out.t = t_;
    out.h = h_;
    out.size = size_;
    const int degree = tableau_.dense_degree;
    out.node.assign(degree, 0.0);
    out.coefficient.assign(static_cast<std::size_t>(degree + 1) * size_, 0.0);
    std::copy_n(y_.data(), size_, out.coefficient.begin());
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

  Attempt filtered(const Attempt& attempt, const double* y_new, const Filter& filter) override {
    if (!attempt.evaluated) return attempt;
    filter(error_.data());
    if (!tableau_.error_low.empty()) filter(error_low_.data());
    return measure(y_new);
  }

  void take_errors(const double* y, const double* error, const double* error_low) override {
    std::copy_n(y, size_, y_.data());
    std::copy_n(error, size_, error_.data());
    std::copy_n(error_low, size_, error_low_.data());
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
    double factor =
        0.9 * std::pow(error, -exponent * (1 - 0.5 * damping)) * std::pow(before_, 0.5 * damping * exponent);
    factor = std::clamp(factor, 0.333, rejected_ ? 1.0 : 6.0);
    rejected_ = false;
    before_ = std::max(error, 1e-4);
    return h * factor;
  }

  double first_step(double time_scale) override {
    return adaptive() ? first_step_of_order(tableau_.order, tolerance_, time_scale) : fixed_;
  }

  double farthest_from_stages() const override { return quiet_.middle; }
  double widest_stage_gap() const override { return quiet_.width; }

  bool sketch_gap(std::span<const int> entries, const double* y_new, const double* f_new,
                  double* gap) override {
    const double* const first = stage(0);
    for (const int n : entries) {
      const double change = y_new[n] - y_[n];
      double most = 0;
      for (const Witness& w : witnesses_) {
        const double slope = w.of_change * change + h_ * (w.of_first * first[n] + w.of_last * f_new[n]);
        most = std::max(most, w.weight * std::fabs(h_ * stage(w.stage)[n] - slope));
      }
      *gap++ = most;
    }
    return !witnesses_.empty();
  }

  void restart() override { before_ = 1e-4; }
  bool adaptive() const override { return !tableau_.error.empty(); }

 private:
  /// A stage that tells what a step is off its cubic, whose slope there is a sum of what the step changes and
  /// of the slopes at its ends.
  struct Witness {
    int stage = 0;
    double of_change = 0, of_first = 0, of_last = 0, weight = 0;
  };

  /// A cubic is off by C theta^2 (1 - theta)^2 / 2 and its slope by C theta (1 - theta) (1 - 2 theta): in the
  /// last third of the step, where stages are of high order, they tell the most it is off anywhere.
  void find_witnesses() {
    for (int i = 1; i < tableau_.stages; ++i) {
      const double c = tableau_.c[i];
      if (c < 0.64 || c > 0.9) continue;
      witnesses_.push_back(
          {i, 6 * c * (1 - c), (1 - c) * (1 - 3 * c), c * (3 * c - 2), 1 / (32 * c * (1 - c) * (2 * c - 1))});
    }
  }

  double* stage(int i) { return k_.row(i); }

  /// Behind those of other sums; there is room for all.
  std::span<const Summand> summands(std::span<const double> weight) {
    const std::size_t first = all_summands_.size();
    for (std::size_t i = 0; i < weight.size(); ++i)
      if (weight[i] != 0) all_summands_.push_back({weight[i], k_.eights(static_cast<int>(i))});
    return std::span<const Summand>(all_summands_).subspan(first);
  }
  /// out = from + h sum weight_i k_i
  void combine(std::span<const Summand> sum, InEights& from, InEights& out) {
    add_slopes(sum, h_, from.eights(), from.count(), out.eights());
  }

  Attempt estimate(const double* y_new) {
    if (!adaptive()) {
      for (int n = 0; n < flow_.controlled(); ++n)
        if (!std::isfinite(y_new[n])) return {false, INFINITY, n};
      return {true, 0.0, 0, guess(y_new)};
    }
    combine(to_error_, nothing_, error_);
    if (!tableau_.error_low.empty()) combine(to_error_low_, nothing_, error_low_);
    return measure(y_new);
  }

  /// From stage to stage a step without an error estimate changes by less and less: what is left out is by as
  /// much smaller again, twice.
  double guess(const double* y_new) {
    const double *first = stage(0), *second = stage(1), *before = stage(tableau_.stages - 2),
                 *last = stage(tableau_.stages - 1);
    double most = 0;
    for (int n = 0; n < flow_.controlled(); ++n) {
      const double slopes = std::max(std::fabs(second[n] - first[n]), 0.5 * std::fabs(last[n] - first[n]));
      const double bends = std::max(std::fabs(before[n] - second[n]),
                                    0.5 * std::fabs(last[n] - before[n] - second[n] + first[n]));
      const double part = bends < slopes ? bends / slopes : 1.0;
      if (bends > 0)
        most = std::max(most, std::fabs(h_) * bends * part * part / tolerance_.of(n, y_[n], y_new[n]));
    }
    return most;
  }

  /// DOP853 weighs the error of order 5 by that of order 3; a single estimate stands for itself.
  Attempt measure(const double* y_new) {
    Attempt high = largest_error(flow_, tolerance_, y_.data(), y_new, error_.data());
    if (tableau_.error_low.empty() || !high.evaluated || high.error == 0) return high;
    const Attempt low = largest_error(flow_, tolerance_, y_.data(), y_new, error_low_.data());
    high.error *= high.error / std::hypot(high.error, 0.1 * low.error);
    return high;
  }

  struct {
    double middle = 0.5, width = 0.0;
  } quiet_;  // the widest part without a stage
  const Tableau& tableau_;
  Flow& flow_;
  Tolerance tolerance_;
  double fixed_;
  int size_;
  double t_ = 0, h_ = 0, before_ = 1e-4;
  bool rejected_ = false;
  InEights k_, y_, at_, error_, error_low_, nothing_{1, size_};
  std::vector<Summand> all_summands_;
  using Summands = std::span<const Summand>;
  std::vector<Summands> to_stage_;
  Summands to_end_, to_error_, to_error_low_;
  std::vector<Witness> witnesses_;
};

}  // namespace

std::unique_ptr<Stepper> make_explicit(std::string_view name, Flow& flow, const Tolerance& tolerance,
                                       double fixed_step) {
  const Tableau& tableau = name == "dop853" ? dop853() : name == "dopri5" ? dopri5() : rk4();
  return std::make_unique<ExplicitStepper>(tableau, flow, tolerance, fixed_step);
}

}  // namespace vinculum
