// One idea for all that switches along a motion: something holds, is watched, lets go, and holds again.
#pragma once
#include <string>
#include <vector>

#include "motion/sizes.hpp"
#include "vinculum/system/state.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

/// How the number that is watched for one thing may be met by a step.
struct Guard {
  bool may_hold = false;  ///< behind its zero the motion may be held
  bool holds_smoothly =
      false;                 ///< it holds the motion, and beyond the zero as well: any stage may stand there
  bool has_corners = false;  ///< it is solved for at every state
  bool met_again = false;    ///< a step that could not come near enough leaves it to the next one
};

/// The end of a step that was made with the mode at hand. `q` and `v` are the state, to be moved.
struct StepEnd {
  double t = 0.0;
  std::span<double> q, v;
  std::span<const double> acceleration;
  std::span<const double> from, to;     ///< what is watched, at both ends
  std::span<const double> rest, reach;  ///< velocities that are none, and ways that are none, over velocities
  double instant = 0.0;                 ///< time that cannot be told apart
  double step = 0.0;                    ///< the length of the step
  StateView at() const { return {t, q, v}; }
};

/// A friction that begins to stick or to slide, a switch that begins to hold the motion or lets it go.
struct ModeChange {
  int thing = 0;
  bool holds = false;
};

/// A slope of the forces by velocities that only a law knows.
struct ForceSlope {
  int row = 0, column = 0;
  double value = 0.0;
};

/// What is watched, held and let go by one law. A law decides nothing by itself: the modes it is given say
/// what holds, evaluations say what they find, and the run calls its methods in one order for all laws: look
/// at the end of a step; where something changes open it, evaluate, settle what was found, and accept.
class ModeLaw {
 public:
  virtual ~ModeLaw() = default;
  /// How many things it has: each has a number in y, the integral of what is left before it lets go.
  virtual std::size_t count() const = 0;
  virtual const std::vector<std::string>& names_of(int thing) const = 0;

  // --- What is watched, among the values of all switches.
  /// How many numbers it adds to them, one for each thing, and what their zeros are called.
  virtual std::size_t own_guards() const { return 0; }
  virtual std::string guard_text(int /*thing*/) const { return ""; }
  /// How a watched number is met; nothing where it belongs to no thing of this law.
  virtual const Guard* guard(int place, const Mode& now) const = 0;
  /// Whether watching costs an evaluation, since something holds.
  virtual bool holds(const Mode& now) const = 0;
  /// Into `values`: what is found tells of that which holds.
  virtual void watch(const StateView& at, const Mode& now, const Mode* found, std::span<double> values) = 0;
  /// What is left of each before it lets go. True where one that holds is beyond that, and no stage of a step
  /// may stand there.
  virtual bool left(const Mode& found, double* left) const = 0;

  // --- At a start.
  /// Velocities as small as `rest` are none.
  virtual void begin(std::span<const double> /*rest*/, const StateView& /*at*/, std::span<double> /*v*/) {}
  virtual void settle_start(const Mode& found, Mode& now) = 0;
  /// Something may have stood still here for any time: the motion cannot be followed back.
  virtual bool hides_its_past(const StateView& /*at*/) { return false; }

  // --- At the end of a step.
  virtual void look(const StepEnd& end, const Mode& now, const Mode& found) = 0;
  /// Whether anything lets go or may begin to hold; back in time nothing is drawn to what holds forward.
  virtual bool changes(bool forward) const = 0;
  /// Why a motion that changes there is not followed further back: a sentence behind the time, and names.
  virtual std::string no_way_back(const StepEnd& end, std::vector<std::string>& names) const = 0;
  /// What holds is put back to where it holds. True where the equations are to be evaluated anew.
  virtual bool put_back(const StepEnd& end, const Mode& mode) = 0;
  /// What was found at the state just before it changes.
  virtual void remember(const Mode& /*found*/) {}
  /// Opens what changes. True where velocities were changed: others are to follow.
  virtual bool open(const StepEnd& end, const Mode& now, Mode& next) = 0;
  /// What the evaluation with the opened mode found is the mode of what follows. True where the state was
  /// moved, and the equations are to be evaluated anew.
  virtual bool settle(const StepEnd& end, const Mode& now, const Mode& found, Mode& next,
                      std::vector<ModeChange>& changes) = 0;
  /// Of what has changed, the values at the new state are those to go on with.
  virtual void take_values(const Mode& /*now*/, const Mode& /*next*/, std::span<const double> /*at_new*/,
                           std::span<double> /*values*/) const {}
  /// The step is over: its end is the start of the next one. Whether other forces act from here on.
  virtual bool accept(const StateView& at, bool changed, Mode& now, std::span<double> values) = 0;

  // --- Inside a step.
  /// Of what holds, lets go what rows move at a state right behind the start of the step.
  virtual void tear(const State& /*behind*/, Mode& /*now*/, std::vector<ModeChange>& /*changes*/) {}
  /// Something leaves in the step at hand by an approximation; how much too far that takes a step, in parts
  /// of what is allowed.
  virtual bool leaves(const Mode& /*now*/) const { return false; }
  virtual double departure(const StepEnd& /*end*/, const Mode& /*now*/, const Mode& /*found*/) { return 0.0; }
  /// Its forces are as steep as a velocity is small.
  virtual bool steep(const Mode& /*now*/) const { return false; }
  /// The derivative of its forces by velocities, with the other sign, in a step of this length: entries of
  /// which there are as many for every state.
  virtual void slopes(const StateView& /*at*/, const Mode& /*now*/, const Mode& /*found*/,
                      const double* /*acceleration*/, double /*step*/, std::vector<ForceSlope>& /*out*/) {}
  /// Forces that cancel where something holds, and have a size all the same.
  virtual void add_forces(const StateView& /*at*/, const Mode& /*now*/, Sizes& /*sizes*/) {}
};

}  // namespace vinculum
