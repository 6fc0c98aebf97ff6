// Radau IIA of order 5: implicit, for stiff models (Hairer, Wanner, Solving ODEs II, IV.8).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "motion/steppers/radau.hpp"
#include "motion/steppers/stepper.hpp"

namespace vinculum {
namespace {

using Complex = std::complex<double>;
constexpr int most_iterations = 8;

/// The error estimate is of order 3 where the method is of order 5: what is asked of it is less by as much.
Tolerance of_estimate(const Tolerance& asked) {
  Tolerance result = asked;
  result.relative = 0.1 * std::pow(asked.relative, 2.0 / 3);
  result.absolute = result.relative * asked.absolute / asked.relative;
  return result;
}

class RadauStepper final : public Stepper {
 public:
  RadauStepper(Flow& flow, const Tolerance& tolerance)
      : flow_(flow), tolerance_(of_estimate(tolerance)), size_(flow.size()), matrix_(flow), complex_(size_) {
    for (auto* list : {&z_, &w_, &stage_f_})
      for (auto& part : *list) part.resize(size_);
    for (auto* v : {&y_, &f_, &real_, &trial_, &error_}) v->resize(size_);
    newton_tolerance_ = std::max(10 * std::numeric_limits<double>::epsilon() / tolerance_.relative,
                                 std::min(0.03, std::sqrt(tolerance_.relative)));
  }

  Attempt attempt(double t, const double* y, const double* f0, double h, double* y_new) override {
    t_ = t;
    h_ = h;
    std::copy_n(y, size_, y_.begin());
    std::copy_n(f0, size_, f_.begin());
    for (int attempts = 0; attempts < 3; ++attempts) {
      if (!fresh_ && (attempts > 0 || stale_)) {
        if (!matrix_.linearise(t, y)) return {false, INFINITY, 0};
        fresh_ = true;
        stale_ = false;
        factored_for_ = 0;
      }
      if (factored_for_ != h) {
        if (!matrix_.factorize(RadauIIA::mu_real / h, RadauIIA::mu_complex / h)) return {false, INFINITY, 0};
        factored_for_ = h;
      }
      const Newton result = iterate();
      if (result == Newton::converged) return measure(y_new);
      if (attempts > 0) z_known_ = false;  // the last step may lead astray: once more from rest
    }
    converged_ = false;
    return {false, INFINITY, 0};
  }

  Attempt filtered(const Attempt& attempt, const double* y_new, const Filter& filter) override {
    if (!converged_) return attempt;
    filter(error_.data());
    return largest_error(flow_, tolerance_, y_.data(), y_new, error_.data());
  }

  double next_step(double h, const Attempt& attempt, bool accepted) override {
    if (!converged_ || !attempt.evaluated) {
      rejected_ = true;
      return 0.5 * h;
    }
    const double safety = 0.9 * (2 * most_iterations + 1) / (2.0 * most_iterations + iterations_);
    const double error = std::max(attempt.error, 1e-10);
    double factor = std::pow(error, -0.25);
    if (accepted && error_before_ > 0)  // Gustafsson: the trend of the last two steps
      factor = std::min(factor, std::fabs(h / h_before_) * std::pow(error_before_ / error, 0.25) * factor);
    factor = std::clamp(safety * factor, 0.2, rejected_ && accepted ? 1.0 : 8.0);
    if (!accepted) {
      rejected_ = true;
      return h * std::min(factor, 0.9);
    }
    rejected_ = false;
    error_before_ = std::max(error, 1e-2);
    h_before_ = h;
    fresh_ = false;
    // Friction that turns is less steep with every step: an old matrix would hold the motion back, and hide
    // it.
    stale_ = iterations_ > 2 || rate_ > 1e-3 || flow_.modes().steep();
    // A factorisation is worth keeping for a step that is nearly the same.
    if (!stale_ && factor >= 1 && factor < 1.2) return h;
    return h * factor;
  }

  double first_step(double time_scale) override { return first_step_of_order(3, tolerance_, time_scale); }

  bool implicit() const override { return true; }
  bool needs_passer() const override { return true; }
  std::string why_passed(long) const override {
    return "its iterates do not converge across a switch or a singular position";
  }
  double widest_stage_gap() const override { return RadauIIA::c[1] - RadauIIA::c[0]; }
  double farthest_from_stages() const override { return 0.5 * (RadauIIA::c[0] + RadauIIA::c[1]); }

  void restart() override {
    z_known_ = false;
    stale_ = true;
  }

  bool interpolate(const double* /*f_new*/, StepPolynomial& out) override {
    out = last_;
    return true;
  }

 private:
  enum class Newton { converged, diverged, not_evaluated };
  using Three = std::array<std::vector<double>, 3>;

  /// Stage increments Z = T W by simplified Newton: one real and one complex system for each iteration.
  Newton iterate() {
    guess();
    double before = 0;
    rate_ = 0;
    converged_ = false;
    for (iterations_ = 1; iterations_ <= most_iterations; ++iterations_) {
      for (int s = 0; s < 3; ++s) {
        for (int i = 0; i < size_; ++i) trial_[i] = y_[i] + z_[s][i];
        if (!flow_(t_ + RadauIIA::c[s] * h_, trial_.data(), stage_f_[s].data())) return Newton::not_evaluated;
      }
      solve_update();
      const double size = update();
      if (!std::isfinite(size)) return Newton::diverged;
      if (iterations_ > 1) {
        rate_ = size / before;
        // What is left is rounding of f, below the tolerance: no better answer is to be had. Where the matrix
        // may be far too steep, it is the matrix that makes small changes.
        if (rate_ > 0.5 && size < 0.3 && before < 0.3 && iterations_ > 2 && !flow_.modes().steep()) {
          converged_ = true;
          return Newton::converged;
        }
        const double left = std::pow(rate_, most_iterations - iterations_) / (1 - rate_) * size;
        if (rate_ >= 1 || left > newton_tolerance_) return Newton::diverged;
      }
      if (size == 0 || (iterations_ > 1 && rate_ / (1 - rate_) * size < newton_tolerance_)) {
        converged_ = true;
        return Newton::converged;
      }
      before = size;
    }
    return Newton::diverged;
  }

  /// The polynomial of the last step, read ahead.
  void guess() {
    if (!z_known_ || last_.h == 0) {
      for (auto& z : z_) std::fill(z.begin(), z.end(), 0.0);
    } else {
      for (int s = 0; s < 3; ++s) {
        last_.at((t_ + RadauIIA::c[s] * h_ - last_.t) / last_.h, z_[s].data());
        for (int i = 0; i < size_; ++i) z_[s][i] -= y_[i];
      }
    }
    for (int s = 0; s < 3; ++s)
      for (int i = 0; i < size_; ++i)
        w_[s][i] = RadauIIA::inverse_T[s][0] * z_[0][i] + RadauIIA::inverse_T[s][1] * z_[1][i] +
                   RadauIIA::inverse_T[s][2] * z_[2][i];
  }

  void solve_update() {
    const double mu = RadauIIA::mu_real / h_;
    const Complex nu = RadauIIA::mu_complex / h_;
    const auto& ti = RadauIIA::inverse_T;
    for (int i = 0; i < size_; ++i) {
      const double f[3] = {stage_f_[0][i], stage_f_[1][i], stage_f_[2][i]};
      const auto mixed = [&](int s) { return ti[s][0] * f[0] + ti[s][1] * f[1] + ti[s][2] * f[2]; };
      real_[i] = mixed(0) - mu * w_[0][i];
      complex_[i] = Complex(mixed(1), mixed(2)) - nu * Complex(w_[1][i], w_[2][i]);
    }
    matrix_.solve(std::span<double>(real_));
    matrix_.solve(std::span<Complex>(complex_));
  }

  /// W += dW, Z = T W; the size of dW.
  double update() {
    double largest = 0;
    const auto& t = RadauIIA::T;
    for (int i = 0; i < size_; ++i) {
      const double d[3] = {real_[i], complex_[i].real(), complex_[i].imag()};
      for (int s = 0; s < 3; ++s) w_[s][i] += d[s];
      for (int s = 0; s < 3; ++s) z_[s][i] = t[s][0] * w_[0][i] + t[s][1] * w_[1][i] + t[s][2] * w_[2][i];
      if (i >= flow_.controlled()) continue;
      const double scale = tolerance_.of(i, y_[i], y_[i] + z_[2][i]);
      for (int s = 0; s < 3; ++s)
        if (d[s] != 0 && !(std::fabs(d[s]) / scale <= largest)) largest = std::fabs(d[s]) / scale;
    }
    return largest;
  }

  Attempt measure(double* y_new) {
    for (int i = 0; i < size_; ++i) y_new[i] = y_[i] + z_[2][i];
    keep_polynomial();
    Attempt result = estimate(f_, y_new);
    if (result.error > 1 && (rejected_ || error_before_ == 0)) {  // filtered once more: stiff parts go
      for (int i = 0; i < size_; ++i) trial_[i] = y_[i] + error_[i];
      if (flow_(t_, trial_.data(), stage_f_[0].data())) result = estimate(stage_f_[0], y_new);
    }
    return result;
  }

  Attempt estimate(const std::vector<double>& f, const double* y_new) {
    for (int i = 0; i < size_; ++i)
      error_[i] = f[i] + (RadauIIA::error[0] * z_[0][i] + RadauIIA::error[1] * z_[1][i] +
                          RadauIIA::error[2] * z_[2][i]) /
                             h_;
    matrix_.solve(std::span<double>(error_));
    return largest_error(flow_, tolerance_, y_.data(), y_new, error_.data());
  }

  void keep_polynomial() {
    last_.t = t_;
    last_.h = h_;
    last_.size = size_;
    last_.node.assign(3, 0.0);
    last_.coefficient.resize(4 * static_cast<std::size_t>(size_));
    std::copy(y_.begin(), y_.end(), last_.coefficient.begin());
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < size_; ++i)
        last_.coefficient[(j + 1) * static_cast<std::size_t>(size_) + i] = RadauIIA::dense[0][j] * z_[0][i] +
                                                                           RadauIIA::dense[1][j] * z_[1][i] +
                                                                           RadauIIA::dense[2][j] * z_[2][i];
    z_known_ = true;
  }

  Flow& flow_;
  Tolerance tolerance_;
  int size_;
  NewtonMatrix matrix_;
  double t_ = 0, h_ = 0, factored_for_ = 0, newton_tolerance_ = 0, rate_ = 0;
  double error_before_ = 0, h_before_ = 0;
  int iterations_ = 0;
  bool fresh_ = false, stale_ = true, converged_ = false, rejected_ = false, z_known_ = false;
  StepPolynomial last_;
  Three z_, w_, stage_f_;
  std::vector<double> y_, f_, real_, trial_, error_;
  std::vector<Complex> complex_;
};

}  // namespace

std::unique_ptr<Stepper> make_radau(Flow& flow, const Tolerance& tolerance) {
  return std::make_unique<RadauStepper>(flow, tolerance);
}

}  // namespace vinculum
