// The right side that integrators see: y = (q, v, work done so far, what friction and switches that hold the
// motion have left of their limits).
// The mu of vakonomic motion are among q.
#pragma once
#include <optional>
#include <vector>

#include "motion/assemble/project.hpp"
#include "motion/run/modes.hpp"
#include "vinculum/motion/simulate.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {

class Flow {
 public:
  Flow(const System& system, Workspace& work, const MotionOptions& options, Modes& modes);

  /// Whose power is integrated along.
  enum class ForceKind { impressed, constraint, nonideal, explicit_time, control };

  int size() const { return first_mode() + modes_.count(); }
  int coordinates() const { return nq_; }
  int velocities() const { return nv_; }
  /// Coordinates and velocities.
  int controlled() const { return nq_ + nv_; }
  /// q' = v, in order, and accelerations that need no forces found first.
  bool is_plain() const { return plain_ && !needs_forces_; }
  std::span<const ForceKind> parts() const { return parts_; }
  int first_mode() const { return nq_ + nv_ + static_cast<int>(parts_.size()); }

  /// dy = f(t, y). False where there is no acceleration; why() then says so.
  bool operator()(double t, const double* y, double* dy);
  /// The same at a state on its constraints, where contradictions are judged.
  bool at_accepted(double t, const double* y, double* dy);
  Status why() const { return status_; }
  /// Where it was that an evaluation failed last.
  const State& failed_at() const { return failed_at_; }

  /// Evaluate at the nearest state that satisfies the constraints. f is the same on the constraints and
  /// smoother beside them, which is what a step past a singular position needs.
  void set_careful(bool careful) {
    careful_ = careful;
    if (careful && !projector_) projector_.emplace(system_, sizes_);
  }
  /// The part of f that is rounding.
  void set_rounding(double part) { rounding_ = part; }
  double rounding() const { return rounding_; }
  bool careful() const { return careful_; }
  /// Of the numbers of y, along the motion.
  Sizes& sizes() { return sizes_; }

  /// From now on note whether any evaluation stands on another side of a switch than these values say.
  void watch_switches(const std::vector<double>& values);
  bool met_switch() const { return met_switch_; }

  Work work_done(const double* y) const;
  /// The same the other way: into the entries of y that are integrated along.
  void put_work(const Work& work, double* y) const;
  long evaluations = 0;
  /// Evaluations for which the fast road had no answer, and the first of them.
  struct DenseUse {
    long count = 0;
    Doubt doubt = Doubt::none;
    State at;
  };
  const DenseUse& dense_use() const { return dense_use_; }
  Status status_ = Status::solved;

  const System& system() const { return system_; }
  Stabilisation keep() const { return keep_; }
  const Modes& modes() const { return modes_; }
  Workspace& workspace() { return work_; }

 private:
  StateView view(double t, const double* q, const double* v) const {
    return {t, {q, static_cast<std::size_t>(nq_)}, {v, static_cast<std::size_t>(nv_)}};
  }
  bool evaluate(const StateView& at, double* dy, bool within_step);
  const Mode* evaluate_motion(const StateView& at, double* dy, bool within_step);
  const Mode* evaluate_forces(const StateView& at, double* dy, bool within_step);
  const Mode& evaluate_baumgarte(const StateView& at, double* dy);
  const Mode& solve_at(const StateView& at, bool within_step);
  void look_at_switches(const StateView& at);
  void count_dense(const StateView& at, const Solution& found);
  void evaluate_power(const StateView& at, double* power);

  const System& system_;
  Workspace& work_;
  Modes& modes_;
  Stabilisation keep_;
  double baumgarte_time_;
  int nq_, nv_;
  double rounding_ = 0.0;
  bool careful_ = false;
  bool needs_forces_ = false;
  bool free_multipliers_ = false;  // vakonomic: rows depend on each other, and lambda is the least one
  bool plain_ = true;              // q' = v, in order
  bool met_switch_ = false;
  std::vector<double> side_, switch_values_;  // empty without switches
  Solution nothing_found_;                    // not a number throughout
  std::vector<ForceKind> parts_;              // the powers that are integrated along
  Sizes sizes_;
  std::optional<Projector> projector_;  // made for the first careful step
  State at_, failed_at_;
  DenseUse dense_use_;
  Solution solution_;
  Residuals residuals_;
  std::vector<double> extra_;
};

}  // namespace vinculum
