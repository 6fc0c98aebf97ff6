// One integration from start to stop.
#pragma once
#include "motion/run/loops.hpp"
#include "motion/run/method_choice.hpp"
#include "motion/run/start.hpp"

namespace vinculum {

/// The loop over steps. What all parts work with, and the step at hand, is the course; every part has one
/// job: a step is made (step_maker), to where forces switch (switch_finder) or something holds or lets go
/// (mode_changes), by the method chosen (method_choice), its surroundings are looked at (lookout), events in
/// it are found (event_finder), and what is due is recorded (recorder).
class Run {
 public:
  Run(const System& system, const MotionOptions& options, Workspace work, Trajectory& out,
      std::vector<StepPolynomial>* dense);
  /// Rows that were passed over when the start was assembled are so all along.
  void begin(const State& start, const std::vector<PassedOver>& passed_over = {});
  /// All steps from there on.
  void go();
  /// The last state, and what is to be said of the whole.
  void end();

 private:
  friend class Walk;
  bool step();
  void accept();

  Course course_;
  Step& step_;
  Trajectory& out_;
  std::vector<StepPolynomial>* dense_;
  Landing landing_;
  StepWatch watch_;
  Recorder recorder_;
  EventFinder events_;
  SwitchFinder switches_;
  ModeChanges changes_;
  Lookout lookout_;
  StallWatch stall_;
  ProgressClock clock_;
  StepMaker maker_;
  Start start_;
  MethodChoice choice_;
  Loops loops_;
  Residuals miss_;
  bool begun_ = false;
};

/// The same as the public one, keeping the polynomial of every step where asked to.
Trajectory simulate(const System& system, const State& start, const MotionOptions& options,
                    std::vector<StepPolynomial>* dense);

}  // namespace vinculum
