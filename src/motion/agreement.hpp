// On how many digits two computations of one motion agree.
#pragma once
#include <span>
#include <vector>

#include "vinculum/system/system.hpp"

namespace vinculum {

/// Digits are counted against the size of a coordinate: its value or a tenth of what it has moved so far,
/// whichever is more, but no more than it has moved; while it rests, and for a tenth of the whole time
/// behind, it is what it moves until then that counts. A coordinate that passes zero still has digits, and an
/// origin far away adds none. The three of a position move together; the four of an orientation are apart by
/// the angle between both, and move by what it has turned, at most a radian.
class Agreement {
 public:
  /// `first` is the start of the motion. Of a coordinate the part `rounding` is not known, whatever agrees.
  /// What rows hold is followed to a part `resolved` of what the others are.
  Agreement(const System& system, const State& first, double until, double rounding, double resolved = 0.0);
  /// The next instant, in order: where the motion is, and where the other computation has it.
  void compare(double t, std::span<const double> q, std::span<const double> other);

  const std::vector<double>& times() const { return times_; }
  /// Digits of every stated coordinate at every instant, with fractions.
  std::vector<std::vector<double>> digits() const;
  /// Of every stated coordinate, whether it is no farther apart at an instant than rounding of its own value,
  /// or of what rows tie it to, may put it.
  std::vector<char> apart_by_rounding(std::size_t at) const;

 private:
  enum class Kind { plain, place, turning };
  struct Group {  // of coordinates that have one size
    Kind kind = Kind::plain;
    int first = 0, count = 1;
    double mass = 0;  // the largest of its velocities; 0 where it has none
    bool in_rows = false;
  };
  void find_groups(const System& system);
  void weigh(const System& system, const State& first);
  std::vector<double> moved_until(const std::vector<double>& moved) const;
  std::vector<std::vector<double>> sizes() const;
  double digits_of(double apart, double value, double moved) const;
  std::vector<double> as_large_as_others(const std::vector<double>& largest) const;

  std::vector<Group> groups_;
  std::vector<double> start_;
  double begin_ = 0, until_ = 0, rounding_ = 0, resolved_ = 0;
  std::vector<double> times_;
  std::vector<std::vector<double>> moved_, largest_;  // of each group at each instant
  std::vector<std::vector<double>> value_, apart_;    // of each coordinate at each instant
};

}  // namespace vinculum
