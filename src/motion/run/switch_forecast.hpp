// When the motion meets its switches next, as the curve of a step tells.
#pragma once
#include <optional>
#include <vector>

#include "motion/run/course.hpp"

namespace vinculum {

/// A switch and when it is met.
struct Meeting {
  int place = 0;
  double t = 0, doubt = 0;  // the time it may be off by
  bool closely = false;     // no way leads there but the shortest: rows jump
};

/// The curve is the cubic of a step. What it may be off by is told by the same curve without its cube.
class SwitchForecast {
 public:
  explicit SwitchForecast(Course& course);

  /// The first switch that a step from the start of the step at hand to (t, y), where f = y', passes.
  std::optional<Meeting> inside(double t, const double* y, const double* f);
  /// The first that is met beyond the end of the step at hand, not later than at `latest`, if the motion goes
  /// on as it does there.
  std::optional<Meeting> beyond_end(double latest);

  /// The state on the curve.
  void at(double t, double* y) const { curve_.at(theta(t), y); }
  void slope_at(double t, double* f) const {
    for (int i = 0; i < curve_.size; ++i) f[i] = curve_.slope(theta(t), i) / curve_.h;
  }
  /// How far it may be off there, in parts of what a step may be off by: beyond its end by the part s of its
  /// length a cubic is off by as much more than s times its cube as the motion changes in more than a step.
  double error(double t) const;
  /// The time in parts of the step.
  double theta(double t) const { return (t - curve_.t) / curve_.h; }

 private:
  double time(double theta) const { return curve_.t + theta * curve_.h; }
  void values_at(double theta, std::vector<double>& values);
  double without_cube(int place, double theta);
  std::optional<Meeting> first(double from, double to);
  double zero_of(int place, double from, double to);

  Course& course_;
  StepPolynomial curve_;
  std::vector<double> state_, from_, here_, later_;
};

}  // namespace vinculum
