// What is recorded of a run: appended to the trajectory, and given to the sink of who asked for one.
#pragma once
#include <optional>

#include "motion/run/landing.hpp"

namespace vinculum {

class Recorder {
 public:
  Recorder(Course& course, Landing& landing)
      : course_(course),
        step_(course.step),
        options_(course.options),
        out_(course.out),
        flow_(course.flow),
        singularity_(course.singularity),
        observer_(course.observer),
        landing_(landing),
        between_(course.flow.size()) {}

  /// The start, where it is to be recorded.
  void begin();
  /// The step, up to t, for those who look along the motion; and what is due in it up to there (and the step
  /// itself, where every one is), at the end of the step from the state itself.
  void record_until(double t, bool inclusive);
  /// What was reached, where the run ends early.
  void end();
  /// The instant to be recorded next, where instants are asked for.
  std::optional<double> next_due() const;

 private:
  class Looking;
  /// A place in the step at hand, on its constraints.
  enum class Place { there, misses, nowhere };
  Place go_to(double t, std::vector<double>& y);
  void record_due(double t, bool inclusive);
  void record(double t, const double* y);

  Course& course_;
  Step& step_;
  const MotionOptions& options_;
  Trajectory& out_;
  Flow& flow_;
  SingularityWatch& singularity_;
  Observer& observer_;
  Landing& landing_;
  int next_sample_ = 0;
  std::vector<double> between_;
};

}  // namespace vinculum
