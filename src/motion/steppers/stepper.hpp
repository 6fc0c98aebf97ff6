// One step of an integrator.
#pragma once
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "motion/sizes.hpp"
#include "motion/steppers/flow.hpp"
#include "motion/steppers/polynomial.hpp"

namespace vinculum {

/// How well a step went.
struct Attempt {
  bool evaluated = true;  ///< false: f could not be evaluated somewhere in the step
  double error = 0.0;     ///< largest local error over its tolerance; at most 1 is good
  int worst = 0;          ///< the entry of y it belongs to
  double guess = 0.0;     ///< of a step without such an error: what it may be, by the look of its stages
};

/// Relative to the size of the motion; `absolute`, in the units of each number, is for who asks for it.
struct Tolerance {
  double relative = 1e-9, absolute = 0.0;
  const Sizes* sizes = nullptr;
  /// For an entry of y that goes from y0 to y1.
  double of(int entry, double y0, double y1) const {
    return beside((*sizes)[entry], y0, y1) + sizes->noise(entry);
  }
  double of_work(double w0, double w1) const { return beside(sizes->work(), w0, w1) + sizes->work_noise(); }

 private:
  double beside(double size, double y0, double y1) const {
    const double a = y0 < 0 ? -y0 : y0, b = y1 < 0 ? -y1 : y1;
    return absolute + relative * std::max({size, a, b});
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
  /// An attempt from y that was made elsewhere, with these error vectors: for filtered().
  virtual void take_errors(const double* /*y*/, const double* /*error*/, const double* /*error_low*/) {}
  /// The step just made as a polynomial; f_new = f(t + h, y_new). False where f cannot be evaluated.
  virtual bool interpolate(const double* f_new, StepPolynomial& out) = 0;
  /// Whether it can make steps from here, of about that length; where not, another method does in its place.
  virtual bool begins_at(double /*t*/, const double* /*y*/, const double* /*f0*/, double /*h*/) {
    return true;
  }
  /// As much of a step as suits the state where it begins, for methods that know beforehand.
  virtual double suited(double h) { return h; }
  /// Whether f at the end of the step just made is what the step thinks it is, for methods that have not
  /// looked beyond its beginning.
  virtual bool is_confirmed(const double* /*y_new*/, const double* /*f_new*/) { return true; }
  /// The step to try next, after `attempt` of size h (rejected or not). Keeps what it needs of the past.
  virtual double next_step(double h, const Attempt& attempt, bool accepted) = 0;
  /// The step to begin with where the motion becomes another in a time that long.
  virtual double first_step(double time_scale) = 0;
  /// The part of a step farthest from its stages: a singular position that must be passed is best passed
  /// there.
  virtual double farthest_from_stages() const = 0;
  /// The longest part of a step without a stage in it.
  virtual double widest_stage_gap() const = 0;
  /// How far some entries of the step just made may be from their cubics, by stages that are at hand. False
  /// where none tell.
  virtual bool sketch_gap(std::span<const int> /*entries*/, const double* /*y_new*/, const double* /*f_new*/,
                          double* /*gap*/) {
    return false;
  }
  /// Forget the past: the right side has changed.
  virtual void restart() {}
  virtual bool adaptive() const { return true; }
  /// Its error tells when stages stood on both sides of a switch.
  virtual bool feels_switches() const { return adaptive(); }
  /// It solves for its stages: made for laws that are stiff.
  virtual bool implicit() const { return false; }
  /// Near singular positions its stages can be taken to the constraints, see Flow::set_careful().
  virtual bool can_be_careful() const { return true; }
  /// Of the polynomials of interpolate().
  virtual int degree() const { return 7; }
  /// There are steps that another method has to make in its place, and why.
  virtual bool needs_passer() const { return false; }
  virtual std::string why_passed(long /*steps*/) const { return ""; }
};

std::unique_ptr<Stepper> make_stepper(Integrator which, Flow& flow, const Tolerance& tolerance,
                                      double fixed_step);

/// The time in which the motion from (t, y), where f0 = y', becomes another: within a factor of eight the
/// longest, up to the span, for which the accelerations stay what they are.
double time_scale(Flow& flow, const Sizes& sizes, double t, const double* y, const double* f0, double span);
/// A step of a method of this order that resolves such a time to the tolerance, with some caution.
double first_step_of_order(int order, const Tolerance& tolerance, double time_scale);

std::unique_ptr<Stepper> make_explicit(std::string_view name, Flow& flow, const Tolerance& tolerance,
                                       double fixed_step);
std::unique_ptr<Stepper> make_extrapolation(Flow& flow, const Tolerance& tolerance);
std::unique_ptr<Stepper> make_radau(Flow& flow, const Tolerance& tolerance);
std::unique_ptr<Stepper> make_taylor(Flow& flow, const Tolerance& tolerance);

}  // namespace vinculum
