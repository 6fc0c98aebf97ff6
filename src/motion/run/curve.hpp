// The step at hand as a curve, read where events and switches look.
#pragma once
#include <span>
#include <vector>

#include "motion/steppers/polynomial.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {

/// From the start of a step (theta = 0) to its end as it was projected (theta = 1): the step's polynomial,
/// led to that end, so that steps join without a gap. Only the entries of the state that are asked for are
/// read.
class StepCurve {
 public:
  StepCurve(int coordinates, int velocities);

  void lay(const StepPolynomial& polynomial, double t_end, const double* y_end);

  double time(double theta) const { return theta == 1 ? t_end_ : t_ + theta * (t_end_ - t_); }
  double theta(double t) const { return (t - t_) / (t_end_ - t_); }
  /// The state there, in the places asked for; the other numbers are those of earlier readings.
  const State& at(double theta, const StatePlaces& places);
  /// All of y.
  void at(double theta, double* y) const;
  /// Every coordinate and velocity.
  const StatePlaces& all() const { return all_; }

 private:
  const StepPolynomial* polynomial_ = nullptr;
  double t_ = 0, t_end_ = 0;
  const double* y_end_ = nullptr;
  StatePlaces all_;
  State state_;
  std::vector<double> gap_;  // from the end of the polynomial to the end of the step
};

/// Hermite's cubic of a step from the values and slopes at its ends.
void cubic_of(double t, double h, std::span<const double> y, const double* f, const double* y_new,
              const double* f_new, StepPolynomial& out);

}  // namespace vinculum
