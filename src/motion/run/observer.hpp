// Looks at states: forces, energies, residuals for the record, and values of events.
#pragma once
#include <functional>
#include <vector>

#include "motion/run/modes.hpp"
#include "motion/run/singularity_watch.hpp"
#include "vinculum/motion/trajectory.hpp"
#include "vinculum/system/observe.hpp"

namespace vinculum {

class Observer {
 public:
  Observer(const System& system, Workspace& work, const Modes& modes);

  /// Everything about a state, appended to the trajectory and given to the sink, where there is one.
  void record(const StateView& state, const Work& done, SingularityWatch& passage,
              const std::function<void(const Sample&)>& sink, Trajectory& out);
  /// The values of the outputs at a state.
  const std::vector<double>& outputs_at(const StateView& state, SingularityWatch& passage);
  /// Values of the events' expressions.
  void events(const StateView& state, SingularityWatch& passage, std::vector<double>& values,
              unsigned rounding = 0);
  /// Values of the expressions whose zeros are corners or jumps of the equations.
  void switches(const StateView& state, SingularityWatch& passage, std::vector<double>& values,
                unsigned rounding = 0);
  /// Takes the misses of an accepted state into the worst ones.
  void watch_residuals(const std::vector<double>& position, const std::vector<double>& velocity,
                       Trajectory& out) const;
  void watch_accelerations(const Equations& at, std::span<const double> acceleration, Trajectory& out) const;
  /// Takes the control forces of an accepted state into the largest ones, and its misses of the programmes.
  void watch_controls(const StateView& state, SingularityWatch& passage, Trajectory& out);
  /// What could not be recorded as it should, by name and time; each thing once.
  const std::vector<std::string>& complaints() const { return complaints_; }
  bool saw_free_multipliers() const { return saw_free_multipliers_; }
  bool saw_saddle() const { return saw_saddle_; }  ///< M had a negative direction

 private:
  void solve_at(const StateView& state, SingularityWatch& passage);
  void fill_unsolved(std::size_t velocities);
  bool is_solved(const StateView& state, const SingularityWatch& passage) const;
  const System& system_;
  Workspace& work_;
  const Modes& modes_;
  Solution solution_;
  State solved_at_;        // where solution_ belongs ...
  int looks_solved_ = -1;  // ... and how often ranks had been looked at then
  Residuals residuals_;
  std::vector<double> outputs_, miss_, force_, programme_miss_, multipliers_;
  void complain_once(bool& said, const std::string& text);
  bool saw_free_multipliers_ = false, saw_saddle_ = false;
  bool said_unsolved_ = false;
  std::vector<char> said_output_;
  std::vector<std::string> complaints_;
};

}  // namespace vinculum
