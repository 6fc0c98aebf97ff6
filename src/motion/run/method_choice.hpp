// Which method makes the steps of a run that leaves it to us.
#pragma once
#include <vector>

#include "motion/run/course.hpp"

namespace vinculum {

/// Begins with dop853. Where steps are held short by something that would die out by itself, and not by the
/// motion, radau5 goes on, for as long as its steps are worth their price; where a small system has made many
/// steps to a tight tolerance, taylor does, which is twice as fast then and takes milliseconds to be
/// compiled.
class MethodChoice {
 public:
  static constexpr int between_looks = 32;  ///< steps
  explicit MethodChoice(Course& course);
  /// The run begins.
  void begin();
  /// A step was accepted.
  void accept();

 private:
  void look();
  void look_at_explicit(double step);
  void look_at_implicit(double step);
  bool is_held() const;
  bool is_worth_series() const;
  double fastest_rate();
  double rate_beside();
  void change_to(Integrator method, const char* why);

  Course& course_;
  bool may_be_implicit_, may_be_series_;
  long steps_ = 0;       // of the method at hand
  double t_before_ = 0;  // where it began
  double way_ = 0;       // in time, since the last look
  int looks_ = 0;        // in a row that said the other kind of method would do better
  int worth_ = 0;        // looks that said the implicit method is worth its price
  long patience_ = 0;    // steps of an explicit method before the implicit one is tried again
  std::vector<double> beside_, f_, along_;
};

}  // namespace vinculum
