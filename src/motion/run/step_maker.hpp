// Makes a step that is good: tries, projects, evaluates, and shortens what is refused.
#pragma once
#include "motion/run/lookout.hpp"
#include "motion/run/mode_changes.hpp"
#include "motion/run/progress_clock.hpp"
#include "motion/run/recorder.hpp"
#include "motion/run/stall_watch.hpp"
#include "motion/run/switch_finder.hpp"

namespace vinculum {

class StepMaker {
 public:
  /// Those who have a say in a step.
  struct Helpers {
    Landing& landing;
    SwitchFinder& switches;
    ModeChanges& changes;
    Lookout& lookout;
    StallWatch& stall;
    Recorder& recorder;
    ProgressClock& clock;
  };
  StepMaker(Course& course, const Helpers& helpers);

  /// The motion begins; neither switches nor rows make steps of a smooth one short.
  void begin(bool smooth, bool leaves_singular_start);
  bool begins_singular() const { return leaves_singular_start_; }
  /// Tries until a step is good. True with its end and the length of the next one ready; false when the run
  /// has ended.
  bool make();
  /// The length of the next attempt, and where it ends.
  void measure();
  /// After an attempt whose error is too large: what leaves the constraints is no error. True with the end on
  /// them.
  bool good_after_projection();
  double most_to_project() const;
  /// The same of an end that was projected elsewhere.
  bool is_good_on_constraints();
  /// A leap over a singular position went past the end: the end is read from its polynomial.
  void cut_at_end();
  /// How near a singular position was at the start of the step.
  double nearness_before() const { return nearness_before_; }
  /// What rounding of the state and of time makes of f, unless it stands on a switch.
  void measure_noise();

 private:
  double aim() const;
  double clipped(double h) const;
  bool attempt_step();
  bool good_on_constraints();
  bool meets_constraints();
  bool ends_before_switch();
  bool evaluate_accepted();
  double rounding_of_forces() const;
  void choose_method(bool near_singular);
  void plan_passage();
  bool near_singular_position();
  bool refuse_hidden_switch();
  bool refuse_departure();
  void refuse(std::string_view what, bool halve);
  void refuse_error();
  void try_shorter(bool halve);
  bool passes_for_other();
  void stop_fixed_step();

  Course& course_;
  Step& step_;
  const System& system_;
  const MotionOptions& options_;
  Trajectory& out_;
  Workspace& work_;
  Modes& modes_;
  Flow& flow_;
  Sizes& sizes_;
  SingularityWatch& singularity_;
  const Tolerance& tolerance_;
  Landing& landing_;
  SwitchFinder& switches_;
  ModeChanges& changes_;
  Lookout& lookout_;
  StallWatch& stall_;
  Recorder& recorder_;
  ProgressClock& clock_;
  bool smooth_ = false;
  bool leaves_singular_start_ = false;  // f there is what it is just behind it
  bool projected_ = false;              // the end is on the constraints already
  bool leaping_ = false;                // the step at hand passes a singular position
  double half_way_ = 0, before_leap_ = 0;
  double tried_first_ = 0;  // the length of the step at hand before it was refused
  double nearness_before_ = 1;
  std::vector<double> between_, change_, beside_, beside_start_, noisy_f_;
};

}  // namespace vinculum
