// Extrapolation of the explicit midpoint rule (Gragg, Bulirsch, Stoer), with order and step chosen by work.
#include <algorithm>
#include <array>
#include <cmath>

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

class ExtrapolationStepper final : public Stepper {
 public:
  ExtrapolationStepper(Flow& flow, const Tolerance& tolerance)
      : flow_(flow), tolerance_(of_column(tolerance)), size_(flow.size()) {
    for (auto& column : table_) column.resize(size_);
    for (auto* list : {&row_, &old_})
      for (auto& part : *list) part.resize(size_);
    accepted_.resize(size_);
    for (auto* v : {&y_, &f_, &before_, &now_, &slope_, &error_}) v->resize(size_);
    cost_[1] = substeps(1);  // f at the start is shared by all columns
    for (int k = 2; k <= most_columns; ++k) cost_[k] = cost_[k - 1] + substeps(k);
    // Tighter tolerances start with a higher order.
    target_ = std::clamp(static_cast<int>(-std::log10(tolerance_.relative) * 0.6 + 0.5), 3, most_columns - 2);
  }

  Attempt attempt(double t, const double* y, const double* f0, double h, double* y_new) override {
    t_ = t;
    h_ = h;
    std::copy_n(y, size_, y_.begin());
    std::copy_n(f0, size_, f_.begin());
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
    end_ = accepted_;
    for (int p = 0; p < points; ++p) {
      double* y = row(2 * p);
      if (p == 0) {
        std::copy(y_.begin(), y_.end(), y);
        slopes_[p] = f_;
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
    accepted_ = end_;
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
    before_ = y_;
    for (int i = 0; i < size_; ++i) now_[i] = y_[i] + step * f_[i];
    for (int s = 1; s < n; ++s) {
      if (!flow_(t_ + s * step, now_.data(), slope_.data())) return false;
      for (int i = 0; i < size_; ++i) {
        const double next = before_[i] + 2 * step * slope_[i];
        before_[i] = now_[i];
        now_[i] = next;
      }
    }
    // Gragg's smoothing: f at the end takes part, so that a jump in the last substep is not overlooked.
    if (!flow_(t_ + h, now_.data(), slope_.data())) return false;
    for (int i = 0; i < size_; ++i) now_[i] = 0.5 * (now_[i] + before_[i] + step * slope_[i]);
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
      extrapolate(k);
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
    std::copy(table_[0].begin(), table_[0].end(), y_new);
    if (last < most_columns || h == h_) accepted_ = table_[0];
    return result;
  }

  /// Aitken and Neville: table_[0] becomes the value of highest order, table_[1] the one before it.
  void extrapolate(int k) {
    // table_[j] holds T(k-1, j) counted from the highest; shift in the new first column.
    std::vector<double>& fresh = row_[0];
    fresh = now_;
    for (int j = 1; j < k; ++j) {
      const double ratio = static_cast<double>(substeps(k)) / substeps(k - j);
      const double factor = 1 / (ratio * ratio - 1);
      for (int i = 0; i < size_; ++i)
        row_[j][i] = row_[j - 1][i] + (row_[j - 1][i] - old_[j - 1][i]) * factor;
    }
    for (int j = 0; j < k; ++j) old_[j] = row_[j];
    table_[0] = row_[k - 1];
    if (k > 1) table_[1] = row_[k - 2];
  }

  Attempt estimate(int k, double h) {
    for (int i = 0; i < size_; ++i) error_[i] = table_[0][i] - table_[1][i];
    const Attempt result = largest_error(flow_, tolerance_, y_.data(), table_[0].data(), error_.data());
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
  std::array<std::vector<double>, 2> table_;
  std::array<std::vector<double>, most_columns> row_, old_;
  std::vector<double> y_, f_, before_, now_, slope_, error_, accepted_;
  std::vector<std::vector<double>> slopes_;  // at the points of the polynomial
  std::vector<double> end_;
};

}  // namespace

std::unique_ptr<Stepper> make_extrapolation(Flow& flow, const Tolerance& tolerance) {
  return std::make_unique<ExtrapolationStepper>(flow, tolerance);
}

}  // namespace vinculum
