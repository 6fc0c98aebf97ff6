// Friction along a motion: contacts slide, come to rest, stick, and slide again.
#pragma once
#include <vector>

#include "system/elements.hpp"
#include "vinculum/system/contact.hpp"

namespace vinculum {

/// What the contacts of a run do in the step at hand, and behind its end. Velocities and accelerations are
/// those against the other side, which may move. A contact that slides is watched by its velocity along the
/// direction it had at the start of the step: where that passes zero it has come to rest or turned. One that
/// sticks is watched by what its limit leaves.
class Contacts {
 public:
  Contacts(const System& system, Workspace& work);
  bool any() const { return !now_.empty(); }
  std::size_t count() const { return now_.size(); }

  /// Appends what is watched, one number for each contact, at a state.
  void watch(const State& state, std::vector<double>& values);
  /// The same into `values` where it costs nothing: not a number for contacts that stick.
  void watch_sliding(const StateView& at, double* values) const;

  /// Velocities as small as `rest`, over all velocities, count as rest at a start.
  void begin(std::span<const double> rest, const StateView& at, double* v);
  /// Takes over what the evaluation at the start has found.
  void settle_start();
  /// What counts as nothing at the end of a step.
  struct Nothing {
    std::span<const double> rest, reach;  // velocities, and ways they go
    double instant = 0, step = 0;         // time that cannot be told apart; the step just made
  };
  /// Sets to rest, in v, the contacts whose sliding ends: those that have passed zero or brake, slower than
  /// `rest` plus what their acceleration makes of `instant`, or as good as at rest. Lets go those that stick
  /// beyond their limit. True where anything changes: the equations must be evaluated anew, and
  /// settle_change() called.
  bool change(std::span<const double> watched, const Nothing& nothing, const StateView& at, double* v,
              const double* acceleration);
  /// Gives what sticks, or may, the velocity of the other side: what a projection has changed, or rounding.
  void put_to_rest(const StateView& at, double* v) const;
  /// Takes over what that evaluation has found, for the time behind the step; the contacts that began to
  /// stick or to slide.
  std::vector<std::pair<int, bool>> settle_change();
  /// Of the contacts that stick, lets go those that rows move at a state right behind the start of the step;
  /// the contacts it lets go. The equations must be evaluated anew.
  std::vector<std::pair<int, bool>> tear(const State& behind);
  /// The evaluations that follow are inside the step, or behind its end.
  void use(bool behind);
  bool changed() const { return changed_; }
  bool sticks(int contact) const { return now_[contact].grip == Grip::sticks; }
  /// Some contact has no velocity.
  bool any_at_rest(const StateView& at) const;
  /// How friction turns with the velocities: the derivative of -C by them in a step of this length from here.
  /// It is limit/|v| across the velocity, and |v| is taken as large as the step makes it: a slope that is too
  /// steep would let Newton's method believe that it has arrived. Every pair of velocities of a contact has
  /// its entry, 0 where it does not slide.
  struct Slope {
    int row = 0, column = 0;
    double value = 0;
  };
  void slopes(const StateView& at, const double* acceleration, double step, std::vector<Slope>& out) const;

  /// Some contact slides and can turn: its friction is as steep as its velocity is small.
  bool may_turn() const;

  /// Some contact leaves its rest in the step at hand. Where it can turn, its velocity v follows the
  /// direction of its load within m|v|/limit, which is nothing at first: no step could follow. For the length
  /// of one step friction is against the load instead.
  bool leaving() const;
  /// How much too far that takes the step to the state last evaluated, in parts of `rest` over velocities and
  /// of `reach` over the way they go in a time: the load has turned by an angle, and velocities are off by
  /// its square, places by itself.
  double departure(const StateView& at, double time, std::span<const double> rest,
                   std::span<const double> reach) const;
  /// The step is over: its end is the start of the next one. Whether other forces act from here on.
  bool accept(const StateView& at, double* watched);

 private:
  struct Slide {
    std::vector<double> velocity, acceleration;  // against the other side
  };
  Slide slide(int contact, const StateView& at, const double* acceleration = nullptr) const;
  void set_to_rest(int contact, const StateView& at, double* v) const;
  double along(int contact, const std::vector<double>& u) const;
  bool is_as_good_as_at_rest(int contact, const Slide& s, const Nothing& nothing, const StateView& at);
  bool holds_at_rest(int contact, const StateView& at);
  double rest_of(int contact, std::span<const double> rest) const;

  const System& system_;
  Workspace& work_;
  std::vector<ContactState> now_, next_;
  std::vector<std::vector<double>> direction_;  // at the start of the step
  bool changed_ = false;
};

}  // namespace vinculum
