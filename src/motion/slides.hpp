// Motion that stays on a switch of its forces: it comes there, is held, and lets go.
#pragma once
#include <string>
#include <vector>

#include "system/sliding.hpp"

namespace vinculum {

/// What the switches of a run are in the step at hand, and behind its end. One that is passed is watched by
/// its own value, as all switches are; one that holds the motion by what is left before it lets go.
class Slides {
 public:
  Slides(const System& system, Workspace& work);
  bool any() const { return !now_.empty(); }
  std::size_t count() const { return now_.size(); }
  bool holds() const;
  bool holds_at(int place) const;
  bool watches(int place) const;

  /// Puts what is left into the values of switches that hold the motion at a state.
  void watch(const State& state, std::vector<double>& values);
  /// The same where it costs nothing: these values are no numbers.
  void watch_free(double* values) const;
  /// What is left, of each as the last evaluation found it; zero for those that hold nothing.
  void left(double* values) const;

  /// Takes over what the evaluation at the start has found.
  void settle_start();
  /// Looks which switches are reached at the end of a step: those passed between the values, and those it
  /// goes towards and is nearer to than velocities `rest` plus what its rate makes of `instant`.
  struct End {
    double t;
    std::span<const double> q, v, acceleration, rest;
    double instant;
  };
  void look(const End& end, const std::vector<double>& from, const std::vector<double>& to);
  /// What was found on both sides of the switches at this state, if it is on some.
  std::span<const Sliding::Side> sides(const State& at) const { return sliding().sides(at.t, at.q, at.v); }
  bool lets_go() const;
  bool changes() const;
  /// Opens them all: those reached may hold the motion, those that let go do not, the others may or may not.
  /// The equations must be evaluated anew, and settle_change() called.
  void open();
  /// Takes over what that evaluation has found, for the time behind the step, and moves v onto or beside the
  /// switches. Those that began or ceased to hold the motion, by their place among all switches.
  std::vector<std::pair<int, bool>> settle_change(double t, std::span<double> q, std::span<double> v);
  /// Onto the switches that hold the motion; true where v was not there.
  bool put_back(double t, std::span<double> q, std::span<double> v);
  /// Of what has changed, the values at the new state are those to go on with.
  void take_values(const std::vector<double>& at_new, std::vector<double>& values) const;

  /// The evaluations that follow are inside the step, or behind its end.
  void use(bool behind);
  bool changed() const { return changed_; }
  void accept();

 private:
  Sliding& sliding() const { return *work_.impl().sliding; }

  Workspace& work_;
  const System& system_;
  const std::vector<SlidingSwitch>& switches_;
  std::vector<SwitchState> now_, next_;
  std::vector<char> reached_, lets_go_;  // at the end of the step
  bool changed_ = false;
};

}  // namespace vinculum
