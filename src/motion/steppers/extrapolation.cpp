// Extrapolation of the explicit midpoint rule (Gragg, Bulirsch, Stoer), with order and step chosen by work.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/clones.hpp"
#include "motion/steppers/in_eights.hpp"
#include "motion/steppers/stepper.hpp"

namespace vinculum {
namespace {

/// Column k (from 1) uses 2k substeps; its error is of order 2k in the step. Ten columns are order 20, as far
/// as rounding lets extrapolation go.
constexpr int most_columns = 10;
constexpr double safety = 0.94, aim = 0.65;
/// Interpolation through values and slopes at these parts of the step (Lobatto's points): degree 13.
constexpr std::array<double, 7> nodes = {
    0, 0.08488805186071653, 0.2655756032646429, 0.5, 0.7344243967353571, 0.9151119481392835, 1};

int substeps(int column) { return 2 * column; }

/// Few and long steps: each takes its whole share of the tolerance, where pairs of one order stay well below.
Tolerance of_column(const Tolerance& asked) {
  return {std::max(0.1 * asked.relative, 1e-15), 0.1 * asked.absolute, asked.sizes};
}

/// now = y + step f
VINCULUM_CLONES
void leave(const Four* y, const Four* f, double step, int fours, Four* now) {
  for (int n = 0; n < fours; ++n) now[n] = y[n] + step * f[n];
}

/// From the last two states and the slope at the second to the next two: twice a substep ahead.
VINCULUM_CLONES
void leap(const Four* slope, double twice, int fours, Four* before, Four* now) {
  for (int n = 0; n < fours; ++n) {
    const Four next = before[n] + twice * slope[n];
    before[n] = now[n];
    now[n] = next;
  }
}

/// Gragg's smoothing: f at the end takes part, so that a jump in the last substep is not overlooked.
VINCULUM_CLONES
void smooth(const Four* slope, double step, int fours, const Four* before, Four* now) {
  for (int n = 0; n < fours; ++n) now[n] = 0.5 * (now[n] + before[n] + step * slope[n]);
}

/// Aitken and Neville, in place: the fresh first column and what it makes with the last columns of a row
/// become those of the next row. The last one is of the highest order.
VINCULUM_CLONES
void extrapolate(const Four* fresh, std::span<const double> factor, int fours, Four* table) {
  for (int n = 0; n < fours; ++n) {
    Four value = fresh[n];
    Four* column = table + n;
    for (const double f : factor) {
      const Four last = *column;
      *column = value;
      value += (value - last) * f;
      column += fours;
    }
    *column = value;
  }
}

class ExtrapolationStepper final : public Stepper {
 public:
  ExtrapolationStepper(Flow& flow, const Tolerance& tolerance)
      : flow_(flow), tolerance_(of_column(tolerance)), size_(flow.size()) {
    cost_[1] = substeps(1);  // f at the start is shared by all columns
    for (int k = 2; k <= most_columns; ++k) cost_[k] = cost_[k - 1] + substeps(k);
    // Tighter tolerances start with a higher order.
    target_ = std::clamp(static_cast<int>(-std::log10(tolerance_.relative) * 0.6 + 0.5), 3, most_columns - 2);
  }

  Attempt attempt(double t, const double* y, const double* f0, double h, double* y_new) override {
    t_ = t;
    h_ = h;
    std::copy_n(y, size_, y_.data());
    std::copy_n(f0, size_, f_.data());
    return advance(h, y_new, target_ + 1);
  }

  Attempt filtered(const Attempt& attempt, const double* y_new, const Filter& filter) override {
    if (!attempt.evaluated) return attempt;
    filter(error_.data());
    return largest_error(flow_, tolerance_, y_.data(), y_new, error_.data());
  }

  double next_step(double h, const Attempt& attempt, bool accepted) override {
    if (!attempt.evaluated) return 0.25 * h;
    int k = std::min(column_, most_columns - 1);
    double next = 0;
    if (!accepted) {
      k = std::max(2, std::min({k, target_, most_columns - 1}));
      if (k > 2 && work_[k - 1] < 0.8 * work_[k]) --k;
      next = best_[k];
      rejected_ = true;
    } else {
      int wanted = k;
      if (column_ <= 2) {
        wanted = std::min(3, most_columns - 1);
      } else if (column_ <= target_) {
        if (work_[column_ - 1] < 0.8 * work_[column_])
          wanted = column_ - 1;
        else if (work_[column_] < 0.9 * work_[column_ - 1])
          wanted = std::min(column_ + 1, most_columns - 1);
      } else {
        wanted = column_ - 1;
        if (column_ > 3 && work_[column_ - 2] < 0.8 * work_[column_ - 1]) wanted = column_ - 2;
        if (work_[column_] < 0.9 * work_[wanted]) wanted = std::min(column_, most_columns - 1);
      }
      if (rejected_) {
        wanted = std::min(wanted, column_);
        next = std::min(std::fabs(h), best_[std::max(2, wanted)]);
        rejected_ = false;
      } else if (wanted <= column_) {
        next = best_[std::max(2, wanted)];
      } else {
        next = best_[column_] * cost_[wanted] / cost_[column_];
      }
      k = wanted;
    }
    // A step cut short from outside says nothing about order and step that suit the motion.
    if (accepted && std::fabs(h) < 0.9 * proposed_)
      next = std::max(next, proposed_);
    else
      target_ = std::clamp(k, 3, most_columns - 1);
    proposed_ = std::clamp(next, 0.02 * std::fabs(h), 4 * std::max(std::fabs(h), proposed_));
    return h < 0 ? -proposed_ : proposed_;
  }

  /// Between 9/20 and 1/2, the widest gap of all substeps away from the ends.
  double widest_stage_gap() const override { return 1.0 / substeps(target_); }
  double farthest_from_stages() const override { return 0.475; }

  /// It halves its steps until the error is small, and may take one that stands on both sides.
  bool feels_switches() const override { return false; }

  double first_step(double time_scale) override {
    return proposed_ = first_step_of_order(2 * target_, tolerance_, time_scale);
  }

  /// Values and slopes at points of the step, each reached by a step of its own from the start.
  bool interpolate(const double* f_new, StepPolynomial& out) override {
    const int points = static_cast<int>(nodes.size()), last = 2 * points;
    out.t = t_;
    out.h = h_;
    out.size = size_;
    out.node.clear();
    for (const double x : nodes) out.node.insert(out.node.end(), {x, x});
    out.node.pop_back();
    std::vector<double>& c = out.coefficient;  // divided differences in place, values twice at each point
    c.resize(static_cast<std::size_t>(last) * size_);
    slopes_.resize(points);
    for (std::vector<double>& slope : slopes_) slope.resize(size_);
    const auto row = [&](int k) { return c.data() + static_cast<std::ptrdiff_t>(k) * size_; };
    const double h = h_;
    end_.assign(accepted_.data(), accepted_.data() + size_);
    for (int p = 0; p < points; ++p) {
      double* y = row(2 * p);
      if (p == 0) {
        std::copy_n(y_.data(), size_, y);
        slopes_[p].assign(f_.data(), f_.data() + size_);
      } else if (p == points - 1) {
        std::copy(end_.begin(), end_.end(), y);
        slopes_[p].assign(f_new, f_new + size_);
      } else {
        if (!advance(nodes[p] * h, y, most_columns).evaluated) return false;
        if (!flow_(t_ + nodes[p] * h, y, slopes_[p].data())) return false;
      }
      std::copy_n(y, size_, row(2 * p + 1));
    }
    for (int level = 1; level < last; ++level)
      for (int k = last - 1; k >= level; --k)
        divide(row(k), row(k - 1), nodes[k / 2] - nodes[(k - level) / 2], slopes_[k / 2], h);
    std::ranges::copy(end_, accepted_.data());
    return true;
  }

 private:
  void divide(double* upper, const double* lower, double width, const std::vector<double>& slope, double h) {
    for (int i = 0; i < size_; ++i) upper[i] = width == 0 ? h * slope[i] : (upper[i] - lower[i]) / width;
  }

  /// The midpoint rule with 2k substeps over h, smoothed.
  bool midpoint(double h, int column) {
    const int n = substeps(column);
    const double step = h / n;
    const int fours = y_.count_of_fours();
    std::copy_n(y_.eights(), y_.count(), before_.eights());
    leave(y_.fours(), f_.fours(), step, fours, now_.fours());
    for (int s = 1; s < n; ++s) {
      if (!flow_(t_ + s * step, now_.data(), slope_.data())) return false;
      leap(slope_.fours(), 2 * step, fours, before_.fours(), now_.fours());
    }
    if (!flow_(t_ + h, now_.data(), slope_.data())) return false;
    smooth(slope_.fours(), step, fours, before_.fours(), now_.fours());
    return true;
  }

  /// Columns one after the other until the last two agree; at most `last` of them.
  Attempt advance(double h, double* y_new, int last) {
    Attempt result;
    result.error = INFINITY;
    last = std::min(last, most_columns);
    for (int k = 1; k <= last; ++k) {
      column_ = k;
      if (!midpoint(h, k)) return {false, INFINITY, 0};
      extrapolate_to(k);
      if (k == 1) continue;
      result = estimate(k, h);
      if (!std::isfinite(result.error)) return {false, INFINITY, result.worst};
      if (result.error <= 1 && k >= target_ - 1) break;  // before, agreement may be chance
      // Columns to come gain a known factor each; where that is hopeless, stop here.
      if (last < most_columns && k >= target_ - 1 && k < last) {
        double gain = 1;
        for (int j = k + 1; j <= last; ++j)
          gain *= std::pow(static_cast<double>(substeps(j)) / substeps(1), 2);
        if (result.error > gain) break;
      }
    }
    const Eight* const best = table_.eights(column_ - 1);
    std::copy_n(best->lane, size_, y_new);
    if (last < most_columns || h == h_) std::copy_n(best, table_.count(), accepted_.eights());
    return result;
  }

  /// The table with column k behind the others: its last row becomes the value of highest order.
  void extrapolate_to(int k) {
    std::array<double, most_columns> factor{};
    for (int j = 1; j < k; ++j) {
      const double ratio = static_cast<double>(substeps(k)) / substeps(k - j);
      factor[j - 1] = 1 / (ratio * ratio - 1);
    }
    const std::span<const double> used(factor.data(), static_cast<std::size_t>(k - 1));
    extrapolate(now_.fours(), used, now_.count_of_fours(), table_.fours());
  }

  Attempt estimate(int k, double h) {
    const double *const best = table_.row(k - 1), *const before = table_.row(k - 2);
    for (int i = 0; i < size_; ++i) error_[i] = best[i] - before[i];
    const Attempt result = largest_error(flow_, tolerance_, y_.data(), best, error_.data());
    const double exponent = 1.0 / (2 * k - 1);
    const double factor =
        std::clamp(safety * std::pow(aim / std::max(result.error, 1e-30), exponent), 0.02, 50.0);
    best_[k] = std::fabs(h) * factor;
    work_[k] = cost_[k] / best_[k];
    return result;
  }

  Flow& flow_;
  Tolerance tolerance_;
  int size_;
  double t_ = 0, h_ = 0;
  int target_ = 6, column_ = 0;
  bool rejected_ = false;
  double proposed_ = 0;  // the step asked for last
  std::array<double, most_columns + 1> cost_{}, best_{}, work_{};
  InEights table_{most_columns, size_};
  InEights y_{1, size_}, f_{1, size_}, before_{1, size_}, now_{1, size_}, slope_{1, size_},
      accepted_{1, size_};
  std::vector<double> error_ = std::vector<double>(size_);
  std::vector<std::vector<double>> slopes_;  // at the points of the polynomial
  std::vector<double> end_;
};

}  // namespace

std::unique_ptr<Stepper> make_extrapolation(Flow& flow, const Tolerance& tolerance) {
  return std::make_unique<ExtrapolationStepper>(flow, tolerance);
}

}  // namespace vinculum
