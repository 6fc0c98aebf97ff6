// One step of an integrator.
#pragma once
#include <functional>
#include <memory>
#include <string_view>

#include "motion/flow.hpp"
#include "motion/polynomial.hpp"

namespace vinculum {

/// How well a step went.
struct Attempt {
  bool evaluated = true;  ///< false: f could not be evaluated somewhere in the step
  double error = 0.0;     ///< largest local error over its tolerance; at most 1 is good
  int worst = 0;          ///< the entry of y it belongs to
};

struct Tolerance {
  double relative = 1e-9, absolute = 1e-9;
  double of(double y0, double y1) const {
    const double a = y0 < 0 ? -y0 : y0, b = y1 < 0 ? -y1 : y1;
    return absolute + relative * (a > b ? a : b);
  }
};

using Filter = std::function<void(double*)>;

/// Largest entry of an error over its tolerance.
Attempt largest_error(const Flow& flow, const Tolerance& tolerance, const double* y, const double* y_new,
                      const double* error);

class Stepper {
 public:
  virtual ~Stepper() = default;
  /// y_new after a step h from y, where f0 = f(t, y).
  virtual Attempt attempt(double t, const double* y, const double* f0, double h, double* y_new) = 0;
  /// The error of the attempt just made, with what a projection takes away taken away: `filter` changes an
  /// error vector over y in place.
  virtual Attempt filtered(const Attempt& attempt, const double* y_new, const Filter& filter) = 0;
  /// The step just made as a polynomial; f_new = f(t + h, y_new). False where f cannot be evaluated.
  virtual bool interpolate(const double* f_new, StepPolynomial& out) = 0;
  /// The step to try next, after `attempt` of size h (rejected or not). Keeps what it needs of the past.
  virtual double next_step(double h, const Attempt& attempt, bool accepted) = 0;
  virtual double first_step(double t, const double* y, const double* f0, double span) = 0;
  /// The part of a step farthest from its stages: a singular position that must be passed is best passed
  /// there.
  virtual double quiet_part() const = 0;
  /// The longest part of a step without a stage in it.
  virtual double widest_gap() const = 0;
  /// How far each entry of the step just made may be from its cubic, by stages that are at hand. False where
  /// none tell.
  virtual bool sketch_gap(const StepPolynomial& /*cubic*/, std::vector<double>& /*gap*/) { return false; }
  /// Forget the past: the right side has changed.
  virtual void restart() {}
  virtual bool adaptive() const { return true; }
};

std::unique_ptr<Stepper> make_stepper(std::string_view name, Flow& flow, const Tolerance& tolerance,
                                      double fixed_step);

/// A first step from the sizes of y, y' and the change of y' (Hairer, Norsett, Wanner, II.4).
double guess_first_step(Flow& flow, const Tolerance& tolerance, int order, double t, const double* y,
                        const double* f0, double span);

std::unique_ptr<Stepper> make_explicit(std::string_view name, Flow& flow, const Tolerance& tolerance,
                                       double fixed_step);
std::unique_ptr<Stepper> make_extrapolation(Flow& flow, const Tolerance& tolerance);
std::unique_ptr<Stepper> make_radau(Flow& flow, const Tolerance& tolerance);

}  // namespace vinculum
