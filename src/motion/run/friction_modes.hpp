// Friction along a motion: pairs slide, come to rest, stick, and slide again.
#pragma once
#include <vector>

#include "motion/run/mode_law.hpp"
#include "system/modes/friction.hpp"

namespace vinculum {

/// Velocities and accelerations are those against the other side, which may move. A pair that slides is
/// watched by its velocity along the direction it had at the start of the step: where that passes zero it has
/// come to rest or turned. One that sticks is watched by what its limit leaves.
class FrictionModes : public ModeLaw {
 public:
  /// What it watches stands at `first_place` and behind it.
  FrictionModes(const System& system, Workspace& work, int first_place);

  std::size_t count() const override { return direction_.size(); }
  const std::vector<std::string>& names_of(int pair) const override { return names_[pair]; }
  std::size_t own_guards() const override { return count(); }
  std::string guard_text(int pair) const override;
  const Guard* guard(int place, const Mode& now) const override;
  bool holds(const Mode& now) const override;
  void watch(const StateView& at, const Mode& now, const Mode* found, std::span<double> values) override;
  bool left(const Mode& found, double* left) const override;

  void begin(std::span<const double> rest, const StateView& at, std::span<double> v) override;
  void settle_start(const Mode& found, Mode& now) override;
  bool hides_its_past(const StateView& at) override;

  /// Ends are those that have passed zero or brake, slower than `rest` plus what their acceleration makes of
  /// `instant`, or as good as at rest; those that stick beyond their limit let go.
  void look(const StepEnd& end, const Mode& now, const Mode& found) override;
  bool changes(bool forward) const override;
  std::string no_way_back(const StepEnd& end, std::vector<std::string>& names) const override;
  /// Gives what sticks, or may, the velocity of the other side: what a projection has changed, or rounding.
  bool put_back(const StepEnd& end, const Mode& mode) override;
  bool open(const StepEnd& end, const Mode& now, Mode& next) override;
  bool settle(const StepEnd& end, const Mode& now, const Mode& found, Mode& next,
              std::vector<ModeChange>& changes) override;
  bool accept(const StateView& at, bool changed, Mode& now, std::span<double> values) override;

  void tear(const State& behind, Mode& now, std::vector<ModeChange>& changes) override;
  /// Where a pair that leaves its rest can turn, its velocity v follows the direction of its load within
  /// m|v|/limit, which is nothing at first: no step could follow. For the length of one step friction is
  /// against the load instead.
  bool leaves(const Mode& now) const override;
  /// The load has turned by an angle: velocities are off by its square, places by itself.
  double departure(const StepEnd& end, const Mode& now, const Mode& found) override;
  bool steep(const Mode& now) const override;
  /// It is limit/|v| across the velocity, and |v| is taken as large as the step makes it: a slope that is too
  /// steep would let Newton's method believe that it has arrived. Every pair of velocities has its entry, 0
  /// where it does not slide.
  void slopes(const StateView& at, const Mode& now, const Mode& found, const double* acceleration,
              double step, std::vector<ForceSlope>& out) override;

 private:
  struct Slide {
    std::vector<double> velocity, acceleration;  // against the other side
  };
  const Slide& slide(int pair, const StateView& at, const double* acceleration = nullptr);
  void set_to_rest(int pair, const StateView& at, std::span<double> v);
  double along(int pair, const std::vector<double>& u) const;
  bool is_as_good_as_at_rest(int pair, const Slide& s, const StepEnd& end, const Mode& now);
  bool holds_at_rest(int pair, const StateView& at, const Mode& now);
  double rest_of(int pair, std::span<const double> rest) const;
  Friction& friction() { return *work_.impl().friction; }
  const Friction& friction() const { return *work_.impl().friction; }

  const System& system_;
  Workspace& work_;
  int first_place_;
  std::vector<std::vector<std::string>> names_;
  std::vector<std::vector<double>> direction_;  // at the start of the step
  std::vector<char> ends_, lets_go_;            // at the end of the step
  // Scratch.
  Slide slide_;
  State trial_;
  Mode trial_mode_;
};

}  // namespace vinculum
