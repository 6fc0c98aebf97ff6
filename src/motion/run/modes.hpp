// The mode of a motion: that of the step at hand, and of what follows it.
#pragma once
#include <memory>
#include <vector>

#include "motion/run/mode_law.hpp"

namespace vinculum {

class Modes {
 public:
  Modes(const System& system, Workspace& work);

  bool any() const { return !laws_.empty(); }
  /// Of all laws: numbers in y.
  int count() const { return count_; }
  std::span<const std::unique_ptr<ModeLaw>> laws() const { return laws_; }
  /// What evaluations are to be made with.
  const Mode& now() const { return behind_ ? next_ : now_; }
  /// As the last evaluation of an accepted state found it.
  const Mode& found() const { return found_; }
  void take_found(const Mode& found) { found_ = found; }
  /// The evaluations that follow are inside the step, or behind its end.
  void use(bool behind) { behind_ = changed_ && behind; }
  bool changed() const { return changed_; }
  void leave_out(std::span<const char> rows);
  /// For the whole run.
  void pass_over(const std::vector<char>& rows) { now_.passed_over = next_.passed_over = rows; }

  // --- What is watched.
  Guard guard(int place) const;
  /// What the zero of a watched number is called, and the names of whose it is.
  std::string guard_text(int place) const;
  std::vector<std::string> guard_names(int place) const;
  /// Values of all switches at a state, which the plain ones fill in before.
  void watch(const StateView& at, std::vector<double>& values);
  /// The same where it costs nothing: not a number for what holds.
  void watch_free(const StateView& at, std::span<double> values) const;
  bool left(const Mode& found, double* left) const;
  std::vector<std::string> names_of(int number) const;

  // --- In the order of a run.
  void begin(std::span<const double> rest, const StateView& at, std::span<double> v);
  void settle_start();
  bool hides_its_past(const StateView& at) const;
  bool open(ModeLaw& law, const StepEnd& end);
  bool settle(ModeLaw& law, const StepEnd& end, std::vector<ModeChange>& changes);
  void take_values(const ModeLaw& law, std::span<const double> at_new, std::span<double> values) const;
  bool accept(const StateView& at, std::span<double> values);
  bool tear(const State& behind, std::vector<std::pair<const ModeLaw*, ModeChange>>& changes);
  bool leaves() const;
  double departure(const StepEnd& end) const;
  bool steep() const;
  void slopes(const StateView& at, const Mode& found, const double* acceleration, double step,
              std::vector<ForceSlope>& out) const;
  void add_forces(const StateView& at, Sizes& sizes);

 private:
  /// Whose a watched number is that belongs to no expression, and which of its things.
  std::pair<const ModeLaw*, int> owner_of(int place) const;

  const System& system_;
  Workspace& work_;
  std::vector<std::unique_ptr<ModeLaw>> laws_;
  int count_ = 0;
  std::size_t expressions_;  // switches of the equations: the first numbers that are watched
  Mode now_, next_, found_;
  bool changed_ = false, behind_ = false;
};

}  // namespace vinculum
