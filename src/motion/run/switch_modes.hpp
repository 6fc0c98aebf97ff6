// Motion that stays on a switch of its forces: it comes there, is held, and lets go.
#pragma once
#include <string>
#include <vector>

#include "motion/run/mode_law.hpp"
#include "system/modes/switch_law.hpp"

namespace vinculum {

/// A switch that is passed is watched by its own value, as all switches are; one that holds the motion by
/// what is left before it lets go.
class SwitchModes : public ModeLaw {
 public:
  SwitchModes(const System& system, Workspace& work);

  std::size_t count() const override { return switches_.size(); }
  const std::vector<std::string>& names_of(int k) const override { return names_[k]; }
  const Guard* guard(int place, const Mode& now) const override;
  bool holds(const Mode& now) const override;
  void watch(const StateView& at, const Mode& now, const Mode* found, std::span<double> values) override;
  /// A held switch is held beyond the point where it lets go, and smoothly: stages may stand there.
  bool left(const Mode& found, double* left) const override;

  void settle_start(const Mode& found, Mode& now) override;
  /// Reached are those passed between the values, and those the motion goes towards and is nearer to than
  /// velocities `rest` plus what its rate makes of `instant`.
  void look(const StepEnd& end, const Mode& now, const Mode& found) override;
  bool changes(bool forward) const override;
  std::string no_way_back(const StepEnd& end, std::vector<std::string>& names) const override;
  bool put_back(const StepEnd& end, const Mode& mode) override;
  void remember(const Mode& found) override;
  /// Those reached may hold the motion, those that let go do not, the others may or may not.
  bool open(const StepEnd& end, const Mode& now, Mode& next) override;
  /// Moves v onto or beside the switches.
  bool settle(const StepEnd& end, const Mode& now, const Mode& found, Mode& next,
              std::vector<ModeChange>& changes) override;
  void take_values(const Mode& now, const Mode& next, std::span<const double> at_new,
                   std::span<double> values) const override;
  bool accept(const StateView& at, bool changed, Mode& now, std::span<double> values) override;
  void add_forces(const StateView& at, const Mode& now, Sizes& sizes) override;

 private:
  SwitchLaw& sliding() const { return *work_.impl().sliding; }

  const System& system_;
  Workspace& work_;
  const std::vector<SlidingSwitch>& switches_;
  std::vector<std::vector<std::string>> names_;
  std::vector<char> reached_, lets_go_;    // at the end of the step
  std::vector<int> way_out_;               // of those that let go
  std::vector<std::vector<double>> jump_;  // of the acceleration, as it was when each held the motion last
  std::vector<int> target_;                // scratch
};

}  // namespace vinculum
