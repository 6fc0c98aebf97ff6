// How a run begins: the first state, sizes, modes, what is watched, and the first step to try.
#pragma once
#include "motion/run/event_finder.hpp"
#include "motion/run/step_maker.hpp"

namespace vinculum {

class Start {
 public:
  struct Helpers {
    Landing& landing;
    ModeChanges& changes;
    Lookout& lookout;
    StallWatch& stall;
    Recorder& recorder;
    EventFinder& events;
    StepMaker& maker;
  };
  Start(Course& course, const Helpers& helpers);

  /// False where the run has ended with it.
  bool begin(const State& start);

 private:
  void size_start(double span);
  void expect_forces(double span);
  void leave_singular_start();
  void observe_start(const State& start);
  void watch_start(const State& start);
  bool is_within_limits();
  void leave_switches();

  Course& course_;
  Step& step_;
  const System& system_;
  const MotionOptions& options_;
  Trajectory& out_;
  Workspace& work_;
  Modes& modes_;
  Flow& flow_;
  Sizes& sizes_;
  Projector& projector_;
  SingularityWatch& singularity_;
  Observer& observer_;
  Landing& landing_;
  ModeChanges& changes_;
  Lookout& lookout_;
  StallWatch& stall_;
  Recorder& recorder_;
  EventFinder& events_;
  StepMaker& maker_;
  bool leaves_singular_start_ = false;
  std::vector<double> between_, later_f_;
};

}  // namespace vinculum
