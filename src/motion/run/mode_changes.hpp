// Where something comes to rest, is held or lets go, the motion goes on as what it has become.
#pragma once
#include "motion/run/course.hpp"

namespace vinculum {

class ModeChanges {
 public:
  explicit ModeChanges(Course& course)
      : course_(course),
        step_(course.step),
        out_(course.out),
        work_(course.work),
        modes_(course.modes),
        flow_(course.flow),
        sizes_(course.sizes),
        projector_(course.projector),
        tolerance_(course.tolerance) {}

  /// At the end of the step: what comes to rest, is held from here on, or lets go.
  void change_modes();
  /// Where what holds and the rows cannot both be kept at the end of the step, rows begin to move it at its
  /// start, however smoothly: it lets go there. True where that is so.
  bool tear_modes();
  /// The end of the step at hand, as laws look at it.
  StepEnd end_of_step();
  /// Velocities this small are none: they are well within the error of a step, or rounding.
  std::span<const double> rest_speeds();
  /// What rests tells nothing of when it came to rest.
  void stop_without_past(double t, const std::string& why, std::vector<std::string> names);

 private:
  void change_mode(ModeLaw& law);
  bool evaluate_end();
  std::span<const double> reaches();
  double smallest_instant() const;
  void note_change(double t, const ModeLaw& law, const ModeChange& change);

  Course& course_;
  Step& step_;
  Trajectory& out_;
  Workspace& work_;
  Modes& modes_;
  Flow& flow_;
  Sizes& sizes_;
  Projector& projector_;
  const Tolerance& tolerance_;
  std::vector<double> rest_, reach_, values_;
  std::vector<ModeChange> changed_;
};

}  // namespace vinculum
