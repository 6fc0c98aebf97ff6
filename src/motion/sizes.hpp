// How large the numbers of a motion are: what a tolerance is relative to, whatever the units.
#pragma once
#include <span>
#include <vector>

#include "motion/step_sizes.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

/// y is (q, v, what is integrated along). Numbers of one kind have one size: the three of a particle's or a
/// body's position, of its velocity, of an angular velocity. A size is the largest seen along the motion.
/// What has none yet takes it from what the step, or the first moments of the motion, would add to it; and
/// nothing is smaller than a part of what its kin would make of it in the metric of the masses: M_i v_i^2 is
/// an energy for every velocity, and M_i q_i^2 has one unit for every coordinate.
class Sizes : public StepSizes<double> {
 public:
  /// Behind q and v, y has work up to `first_other` and other things up to `entries`.
  Sizes(const System& system, int first_other, int entries);
  explicit Sizes(const System& system);
  /// Of a state alone, which has no past.
  Sizes(const System& system, const State& state, Workspace& work);
  /// The same for another state.
  void look_at(const System& system, const State& state, Workspace& work);

  /// Masses, and the accelerations that forces would make alone.
  void weigh(const Equations& at);
  /// Rows as they will be soon: what has no mass takes its size from them, and they may be nothing at the
  /// start.
  void lend(const Equations& at);
  /// Forces that may act as well: on either side of a switch.
  void add_forces(std::span<const double> force);
  /// The state as it is, and no past: `y` has all entries.
  void begin(const double* y);
  /// The time in which the motion, as it begins, becomes another: until then the start counts. `span` is that
  /// of the whole run.
  void set_start(double t, double time_scale, double span);
  double time_scale() const { return time_scale_; }
  /// A time that is short beside the run.
  double moment() const { return 1e-8 * span_; }
  /// f as it will be soon: what has no size yet takes one from it, or no step would lead there.
  void expect(const double* f);
  /// Whether anything has no size yet, and whether anything outside of rows has no velocity yet.
  bool any_at_rest() const;
  bool any_unmoved() const;
  /// In the step at hand f is this at t, behind a switch: an instant is known to a rounding of time only.
  void blur(const double* f, double t);

  /// What rounding of y makes of f, from f at y and at a state beside it by roundings(); it is forgotten by
  /// and by.
  void measure_noise(const double* f, const double* f_beside);
  void forget_noise();
  /// What rows leave unknown of places and velocities, over velocities; and of an entry of y, then.
  void set_rounding_of_rows(std::span<const double> place, std::span<const double> velocity);
  std::span<const double> rounding_of_rows() const { return of_rows_; }
  void restore_rounding_of_rows(const std::vector<double>& known) { of_rows_ = known; }
  double rounding_of_rows(int entry) const { return of_rows_.empty() ? 0.0 : of_rows_[entry]; }
  /// Forces have no jumps: noise that was measured is rounding, and makes an error of work, too.
  void set_smooth(bool smooth) { smooth_ = smooth; }
  /// Into `beside`: every number of y moved by a rounding of its kind.
  void add_roundings(const double* y, double* beside) const;

  /// The fastest that was seen.
  double fastest(int velocity) const { return fastest_[velocity]; }
  /// The largest that a move, a velocity and an acceleration of this kind are anywhere in the system: what
  /// rounding of a start may be of.
  struct Kin {
    double move, velocity, acceleration;
  };
  Kin kin(int velocity) const { return kin_[velocity]; }

  /// Whether f at a trial state a time h ahead is another than at the start of it.
  bool differs(const double* y, const double* f, const double* f_ahead, double h) const;
  /// The trial: on along y', y'' for the time h.
  void go_ahead(const double* y, const double* f, double h, double* ahead) const;

 private:
  void find_groups(const System& system);
  void look_at_patterns(const Equations& at);
  void measure_arms(const SparseMatrix& A);
  void size_kin();

  std::vector<int> mass_place_;  // of each velocity: where its mass is in M, or -1; empty: not looked at yet
  std::vector<int> group_of_;    // of each velocity
  bool has_arms_ = false;        // something turns, and something has a place
  std::vector<Kin> kin_;
};

}  // namespace vinculum
