// Taylor's method: the motion is its own power series as far as that converges fast.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "motion/steppers/series_sums.hpp"
#include "motion/steppers/stepper.hpp"
#include "system/series/motion_series.hpp"

namespace vinculum {
namespace {

/// Where forces are not smooth for a longer part of a step than this, others make it: a corner is not met by
/// ever shorter steps.
constexpr double least_part = 0.25;

std::string why_not(const Flow& flow) {
  if (flow.keep() == Stabilisation::baumgarte) return "it has no series of Baumgarte's terms";
  return why_no_series(flow.system());
}

class TaylorStepper final : public Stepper {
 public:
  TaylorStepper(Flow& flow, const Tolerance& tolerance)
      : flow_(flow),
        tolerance_(tolerance),
        size_(flow.size()),
        order_(series_order(flow.system(), tolerance.relative)),
        why_not_(why_not(flow)),
        moved_(flow.controlled()),
        others_(static_cast<std::size_t>(order_ + 1) * (size_ - moved_)),
        y_(size_),
        slope_(size_),
        error_(size_) {
    if (why_not_.empty()) series_.emplace(flow.system(), order_);
  }

  /// The series at this state, once for all steps that are tried from it.
  bool begins_at(double t, const double* y, const double* f0, double h) override {
    if (!series_) return false;
    if (known_ && t == t_ && std::equal(y, y + size_, y_.begin())) return is_smooth(least_part * h);
    known_ = false;
    t_ = t;
    std::copy_n(y, size_, y_.begin());
    for (int i = flow_.first_mode(); i < size_; ++i)
      if (f0[i] != 0) return is_found(SeriesFound::held);
    const StateView at{t,
                       {y, static_cast<std::size_t>(flow_.coordinates())},
                       {y + flow_.coordinates(), static_cast<std::size_t>(flow_.velocities())}};
    ++flow_.evaluations;
    unit_ = std::isnormal(h) ? std::ldexp(1.0, std::ilogb(h)) : 1.0;
    known_ = is_found(series_->expand(at, flow_.modes().now(), unit_, flow_.workspace()));
    if (known_) take_work();
    return known_ && is_smooth(least_part * h);
  }

  double suited(double h) override {
    if (!known_) return h;
    while (!is_smooth(h) && is_smooth(least_part * h)) h *= 0.5;
    LastOrders of_motion;
    find_last_orders(of_places(), AllowedErrors(tolerance_, y_.data(), y_.data()), of_motion);
    auto [last, before] = of_motion;
    double work[3] = {};  // all of it together: its last coefficients, and itself
    for (int i = moved_; i < flow_.first_mode(); ++i) {
      work[0] += others(order_)[i - moved_];
      work[1] += others(order_ - 1)[i - moved_];
      work[2] += y_[i];
    }
    if (flow_.first_mode() > moved_) {
      const double allowed = tolerance_.of_work(work[2], work[2]);
      last = std::max(last, std::fabs(work[0]) / allowed);
      before = std::max(before, decay_of_orders * std::fabs(work[1]) / allowed);
    }
    const double longest =
        0.95 * unit_ * std::min(std::pow(last, -1.0 / order_), std::pow(before, -1.0 / (order_ - 1)));
    return !(longest > 0) || std::fabs(h) <= longest ? h : std::copysign(longest, h);
  }

  Attempt attempt(double t, const double* y, const double* f0, double h, double* y_new) override {
    if (!begins_at(t, y, f0, h)) return {false, INFINITY, 0};
    h_ = h;
    const double theta = h / unit_;
    if (!is_smooth(h)) return {false, INFINITY, 0};
    double power = 1;
    for (int k = 1; k < order_; ++k) power *= theta;
    const auto part_of = [&](int first, const Series& series) {
      sum_up(series, {theta, power}, y_new + first, slope_.data() + first, error_.data() + first);
    };
    part_of(0, of_places());
    part_of(moved_, {others(0), size_ - moved_, size_ - moved_, order_});
    return largest_error(flow_, tolerance_, y_.data(), y_new, error_.data());
  }

  Attempt filtered(const Attempt& attempt, const double* y_new, const Filter& filter) override {
    if (!attempt.evaluated) return attempt;
    filter(error_.data());
    return largest_error(flow_, tolerance_, y_.data(), y_new, error_.data());
  }

  /// A series knows the forces around the state it is made at, and nothing of what comes up farther on.
  bool is_confirmed(const double* y_new, const double* f_new) override {
    constexpr double enough = 100;  // times what a step may miss: the slope tells it magnified by the order
    // However short the step, forces that would make another motion of it before long are not its own: rows
    // that steps take for dependent, and states do not.
    const double another = std::max(1e-3, 1e3 * tolerance_.relative),
                 while_it_lasts = tolerance_.sizes->time_scale();
    const Confirmation asked{unit_, std::fabs(h_), enough, another};
    const AllowedErrors allowed(tolerance_, y_.data(), y_new);
    bool doubted = false;
    const auto look = [&](int from, int to, double time) {
      find_doubts(asked, allowed, from, to, time, slope_.data(), f_new, doubted);
    };
    look(0, flow_.coordinates(), 0.0);
    look(flow_.coordinates(), moved_, while_it_lasts);
    return !doubted;
  }

  bool interpolate(const double* /*f_new*/, StepPolynomial& out) override {
    out.t = t_;
    out.h = h_;
    out.size = size_;
    out.node.assign(order_, 0.0);
    out.coefficient.resize(static_cast<std::size_t>(order_ + 1) * size_);
    double power = 1;
    double* to = out.coefficient.data();
    for (int k = 0; k <= order_; ++k, power *= h_ / unit_) {
      for (int i = 0; i < moved_; ++i) *to++ = power * motion(k)[i];
      for (int i = moved_; i < size_; ++i) *to++ = power * others(k)[i - moved_];
    }
    return true;
  }

  double next_step(double h, const Attempt& attempt, bool accepted) override {
    if (accepted) return 4 * h;  // the next series tells
    if (!attempt.evaluated || !std::isfinite(attempt.error)) return 0.25 * h;
    return h * std::max(0.2, 0.9 * std::pow(std::max(attempt.error, 1.0), -1.0 / (order_ - 1)));
  }

  double first_step(double time_scale) override {
    return first_step_of_order(order_, tolerance_, time_scale);
  }
  double farthest_from_stages() const override { return 0.5; }
  double widest_stage_gap() const override { return 1.0; }
  void restart() override { known_ = false; }
  bool feels_switches() const override { return false; }
  bool can_be_careful() const override { return false; }
  int degree() const override { return order_; }
  bool needs_passer() const override { return true; }
  std::string why_passed(long steps) const override {
    if (!series_) return why_not_;
    constexpr std::pair<SeriesFound, const char*> reasons[] = {
        {SeriesFound::unsolved, "without an acceleration"},
        {SeriesFound::held, "where a switch or friction holds the motion"},
        {SeriesFound::rests, "where friction begins to slide"},
        {SeriesFound::loose, "where forces that others depend on are not unique"},
        {SeriesFound::shared, "where the part of programmes in the forces is not unique"},
        {SeriesFound::no_number,
         "from where there is no series (on a switch, without a slope, or by actuators that share)"}};
    std::string text;
    const auto add = [&text](long count, const char* reason) {
      if (count > 0) text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + reason;
    };
    long others = steps;
    for (const auto& [found, reason] : reasons) {
      const long count = found_[static_cast<std::size_t>(found)];
      add(count, reason);
      others -= count;
    }
    add(others, "beside a singular position or a switch, or where the forces at their end were others");
    return text;
  }

 private:
  bool is_found(SeriesFound found) {
    ++found_[static_cast<std::size_t>(found)];
    return found == SeriesFound::all;
  }
  bool is_smooth(double h) const { return series_->is_smooth(h / unit_); }
  /// Coefficient k of coordinates and velocities, and of what is integrated along.
  const double* motion(int k) const { return series_->coordinates(k); }
  Series of_places() const { return {motion(0), motion(1) - motion(0), moved_, order_}; }
  double* others(int k) { return others_.data() + static_cast<std::ptrdiff_t>(k) * (size_ - moved_); }

  void take_work() {
    const int parts = flow_.first_mode() - moved_;
    std::copy(y_.begin() + moved_, y_.end(), others(0));
    for (int k = 1; k <= order_ && parts > 0; ++k) {
      const SeriesNumbers::Work w = series_->work(k);
      flow_.put_work({.impressed = w.impressed,
                      .constraint = w.constraint,
                      .nonideal = w.nonideal,
                      .explicit_time = w.explicit_time,
                      .control = w.control},
                     others(k) - moved_);
    }
  }

  Flow& flow_;
  Tolerance tolerance_;
  int size_, order_;
  std::string why_not_;
  std::optional<MotionSeries> series_;
  int moved_;                   // coordinates and velocities: the first of y
  std::vector<double> others_;  // coefficients of the rest, [order][entry]
  std::vector<double> y_;
  std::vector<double> slope_, error_;  // at the end of the step tried last
  double t_ = 0, h_ = 0, unit_ = 1;    // of time, for coefficients
  bool known_ = false;
  std::array<long, 7> found_{};  // how often it went so, by SeriesFound
};

}  // namespace

std::unique_ptr<Stepper> make_taylor(Flow& flow, const Tolerance& tolerance) {
  return std::make_unique<TaylorStepper>(flow, tolerance);
}

}  // namespace vinculum
