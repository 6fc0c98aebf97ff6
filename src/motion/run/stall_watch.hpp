// Runs that would never end: steps too short, and steps that move nothing.
#pragma once
#include "motion/run/course.hpp"

namespace vinculum {

class StallWatch {
 public:
  explicit StallWatch(Course& course)
      : course_(course),
        step_(course.step),
        system_(course.system),
        options_(course.options),
        flow_(course.flow),
        sizes_(course.sizes),
        singularity_(course.singularity),
        tolerance_(course.tolerance) {}

  /// The length of the step that is meant to be made first.
  void begin() { longest_ = std::fabs(step_.h_next); }
  /// No less than time can resolve, here and on the scale of the whole run; nor so much shorter than others
  /// before, and for so long, that the run would never end.
  bool too_short() const;
  void stop_too_short();
  /// The step at hand is made.
  void accept();
  /// Steps are made, but nothing moves, and they are so short that the end is out of reach: counted by steps
  /// and by the time they have advanced. Steps whose length was asked for are none of these.
  bool stands_still();
  void stop_standing_still();

 private:
  void word_noise();
  void name_dependent_rows();
  std::string laws_at_rest() const;

  Course& course_;
  Step& step_;
  const System& system_;
  const MotionOptions& options_;
  Flow& flow_;
  Sizes& sizes_;
  SingularityWatch& singularity_;
  const Tolerance& tolerance_;
  bool noisy_ = false;  // the last step was held to the rounding of forces
  int crawling_ = 0;    // steps in a row that are far too short for the run
  int drowned_ = 0;     // steps in a row whose forces are rounding
  double longest_ = 0;  // step made so far, or meant to be made first
  long standing_ = 0;   // steps since a coordinate has moved by more than the tolerance ...
  double standing_since_ = 0;
  std::vector<double> stood_at_;  // ... from here
};

}  // namespace vinculum
