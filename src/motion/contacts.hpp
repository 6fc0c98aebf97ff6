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
  /// Sets to rest, in v, the contacts whose sliding ends: those that have passed zero or brake, slower than
  /// `rest` plus what their acceleration makes of `instant`. Lets go those that stick beyond their limit.
  /// True where anything changes: the equations must be evaluated anew, and settle_change() called.
  bool change(std::span<const double> watched, std::span<const double> rest, double instant,
              const StateView& at, double* v, const double* acceleration);
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
  /// The step is over: its end is the start of the next one.
  void accept(const StateView& at, double* watched);

 private:
  struct Slide {
    std::vector<double> velocity, acceleration;  // against the other side
  };
  Slide slide(int contact, const StateView& at, const double* acceleration = nullptr) const;
  void set_to_rest(int contact, const StateView& at, double* v) const;
  double along(int contact, const std::vector<double>& u) const;
  double rest_of(int contact, std::span<const double> rest) const;

  const System& system_;
  Workspace& work_;
  std::vector<ContactState> now_, next_;
  std::vector<std::vector<double>> direction_;  // at the start of the step
  bool changed_ = false;
};

}  // namespace vinculum
