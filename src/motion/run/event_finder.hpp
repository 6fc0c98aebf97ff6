// Events of a run: zeros of expressions inside a step, in the order of time.
#pragma once
#include "motion/run/bracket.hpp"
#include "motion/run/recorder.hpp"
#include "motion/run/step_watch.hpp"

namespace vinculum {

class EventFinder {
 public:
  EventFinder(Course& course, StepWatch& watch, Landing& landing, Recorder& recorder)
      : course_(course),
        step_(course.step),
        system_(course.system),
        options_(course.options),
        out_(course.out),
        flow_(course.flow),
        singularity_(course.singularity),
        observer_(course.observer),
        watch_(watch),
        landing_(landing),
        recorder_(recorder) {}

  /// The side on which each event begins. Within the rounding of a start it is a zero that does not count.
  void begin(const State& start);
  /// Looks at all events of the step. True when one of them ends the run.
  bool find();

 private:
  struct Found {  // its zero in the step at hand
    Watched what;
    double t = 0.0;
    bool rising = false, touches = false;
    std::vector<double> y;
  };
  void find_events(std::vector<Found>& found);
  bool stays_clear();
  bool is_same_zero(const Found& found);
  bool approaches_zero(const Watched& what, const std::vector<Found>& found);
  bool turned_at_start(const Watched& what);
  bool any_in_noise_at_end();
  double noise_at_end(const Watched& what);
  bool any_near_zero_at_end();
  bool comes_to_zero_at_end(const Watched& what);
  void note_not_finite();
  void locate(Found& found, const Zero& zero);
  double step_to_event(Found& found);
  bool is_pole(const Found& found);
  void locate_touch(const Watched& what, const Zero& zero, std::vector<Found>& found);
  bool read_curve(double theta, std::vector<double>& y);
  void polish(Found& found, double theta, double apart);

  Course& course_;
  Step& step_;
  const System& system_;
  const MotionOptions& options_;
  Trajectory& out_;
  Flow& flow_;
  SingularityWatch& singularity_;
  Observer& observer_;
  StepWatch& watch_;
  Landing& landing_;
  Recorder& recorder_;
  std::vector<int> side_;
  std::vector<double> size_;  // the largest value each has had
  std::vector<char> near_;    // within noise of zero at the start of the step, and going there before
  std::vector<double> slope_;
};

}  // namespace vinculum
