// How states come onto their constraints, and steps to an instant.
#pragma once
#include <optional>

#include "motion/run/course.hpp"

namespace vinculum {

class Landing {
 public:
  explicit Landing(Course& course)
      : course_(course),
        step_(course.step),
        system_(course.system),
        options_(course.options),
        work_(course.work),
        modes_(course.modes),
        flow_(course.flow),
        sizes_(course.sizes),
        projector_(course.projector),
        singularity_(course.singularity) {
    // Most runs need these first when a step is refused again and again.
    for (std::vector<double>* v : {&rounding_of_place_, &rounding_of_velocity_})
      v->reserve(flow_.velocities());
    for (std::vector<double>* r : {&terms_.position, &terms_.velocity, &misses_.position, &misses_.velocity})
      r->reserve(system_.row_names().size());
  }

  /// The bodies that nothing turns keep the angular momentum they begin with.
  void begin(const State& start) { free_momenta(system_, start.q, start.v, momenta_); }
  /// Onto the constraints; false, with the reason as the refusal of the step, where that cannot be.
  bool project(double t, double* y);
  /// The same for who only looks at a state of the step: what is known of rows and sizes stays, so that the
  /// motion is the same whoever looks.
  bool project_to_look(double t, double* y);
  /// The last projection left the curve: a constraint asks for a jump.
  bool jumps() const { return jumps_; }
  /// A step of the method from the start of the step at hand to t, projected.
  bool step_to(double t, std::vector<double>& y);
  const Attempt& made() const { return made_; }  ///< how that went
  /// The largest change of a coordinate or velocity, relative to its size. A velocity that moves nothing by a
  /// rounding in the whole run is none.
  double changed(const double* from, const double* to) const;
  double changed(const double* from, const double* to, int first, int last) const;
  /// The projection gives places and velocities the rounding of the rows: no step is more exact. Where rows
  /// fade, near a singular position, their rounding would excuse any error: there it is not looked at.
  void measure_rounding_of_rows(const State& at);
  /// The row that a state misses most, beside the sizes of its terms; -1 where there is none.
  int most_missed(const State& at);

 private:
  bool land(Projector& projector, double t, double* y);
  bool teleports(const Projection& projection, double t, const double* before, const double* after);
  const Residuals& terms_of_rows(const State& at);

  Course& course_;
  Step& step_;
  const System& system_;
  const MotionOptions& options_;
  Workspace& work_;
  Modes& modes_;
  Flow& flow_;
  Sizes& sizes_;
  Projector& projector_;
  std::optional<Projector> looker_;  // made when it is first needed
  SingularityWatch& singularity_;
  std::vector<double> momenta_;  // of bodies that nothing turns
  bool jumps_ = false;
  Attempt made_;
  std::vector<double> before_;
  std::vector<double> rounding_of_place_, rounding_of_velocity_, known_rounding_;
  Residuals terms_, misses_;
};

}  // namespace vinculum
