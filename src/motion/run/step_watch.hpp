// What is watched along a step: events, and switches of the equations. Each is a function of the state, known
// over the whole step as closely as its zeros ask for.
#pragma once
#include "motion/run/course.hpp"
#include "motion/run/curve.hpp"
#include "motion/run/zeros.hpp"

namespace vinculum {

enum class Watch { events, switches };
struct Watched {  ///< an event, or a switch of the equations
  Watch kind = Watch::events;
  int index = 0;
};

struct SketchLanes;

class StepWatch {
 public:
  explicit StepWatch(Course& course);

  /// The values at a state.
  double value_at(const Watched& what, double t, const double* y);
  /// True where no function comes near zero in the step, as its cubic and what that may be off by tell: then
  /// its polynomial, which costs evaluations, is not needed. `side` is where each stood before.
  bool stays_clear(Watch watch, const std::vector<int>& side);
  const std::vector<int>& sides_seen() const { return sides_seen_; }  ///< along such a step

  // --- Along the step, for whose curve is asked first.
  /// The curve of the step for what follows; without a polynomial the cubic of its ends.
  void lay_curve();
  StepCurve& curve() { return curve_; }
  /// The functions over the whole step, at the points of a piece.
  void sample(Watch watch);
  const std::vector<Piece>& pieces() const { return pieces_; }
  double watched_at(const Watched& what, double theta);
  /// Until the next ones are asked for.
  const std::vector<Zero>& zeros_of(const Watched& what, int& side);
  const std::vector<Zero>& zeros_between_points_of(int index) {
    zeros_between_points(pieces_[index], zeros_);
    return zeros_;
  }

  // --- What is zero as far as can be told.
  /// How far from zero a function may be where it ought to be zero: what it owes to the rounding of the state
  /// and of its own operations, and for events to the errors of the steps so far and the rounding of time,
  /// too. (Switches are followed as the computed motion has them.)
  double noise_of(const Watched& what, const State& at, double off_curve);
  /// The same on the curve of the step, with what that is off the motion: it is looked at once, by a step of
  /// the method to the middle.
  double noise_on_curve(const Watched& what, double theta);
  bool is_in_noise(const Watched& what, double theta) {
    return std::fabs(watched_at(what, theta)) <= noise_on_curve(what, theta);
  }
  /// Of all steps so far, in parts of what is allowed.
  double errors() const { return errors_; }
  void accept() { errors_ += course_.error_of_step(); }

 private:
  const StatePlaces& places(Watch watch) const;
  void watch_state(Watch watch, const State& state, std::vector<double>& values, unsigned rounding = 0);
  void lay_lanes(std::span<const int> entries, const SketchLanes& at);
  void sketch(Watch watch, std::span<const int> entries);
  bool is_noise(const Watched& what, const Piece& whole);
  void note_unresolved(const Watched& what);

  Course& course_;
  Step& step_;
  const System& system_;
  Trajectory& out_;
  Workspace& work_;
  Modes& modes_;
  Flow& flow_;
  Sizes& sizes_;
  SingularityWatch& singularity_;
  Observer& observer_;
  const Tolerance& tolerance_;
  StepCurve curve_;
  StepPolynomial cubic_;
  StatePlaces event_places_, switch_places_;
  std::vector<int> event_entries_, switch_entries_;  // the same as places of y
  std::vector<Piece> pieces_;                        // what is watched, over the step
  Watched walked_;                                   // whose zeros are looked for
  ZeroWalk walk_;
  std::vector<Zero> zeros_;
  std::vector<Sketch> sketches_;
  StateBatch lanes_;  // of a sketch
  std::vector<double> lane_values_, margins_, sketch_gap_;
  std::vector<int> sides_seen_;
  std::vector<long> switch_budget_;  // evaluations to spend on each along a step
  double errors_ = 0;
  double off_curve_ = -1;  // the curve of the step from the motion at most, likewise; negative: not looked at
  State probe_;
  std::vector<double> watched_, at_state_, look_f_, between_;
  std::vector<std::string> unresolved_;  // what changed too wildly to be followed
};

}  // namespace vinculum
