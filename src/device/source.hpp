// What a device is given to compile, and how numbers go there and come back.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "system/compile/written_motion.hpp"
#include "vinculum/ensemble/kept.hpp"
#include "vinculum/ensemble/run_study.hpp"

namespace vinculum::device {

/// The motion of all members of one system, as source text. What is kept decides what is looked at.
class DeviceMotion {
 public:
  DeviceMotion(const System& system, const MotionOptions& motion, std::span<const std::string> kept);

  /// Why it cannot run, each reason with its name; empty where it can.
  const std::vector<std::string>& obstacles() const { return obstacles_; }
  std::string source() const;

  std::size_t asked_width() const { return asked_width_; }
  std::size_t told_width() const { return told_width_; }
  /// The row that asks for a member.
  void ask(const Member& member, std::span<double> row) const;
  /// What a row tells: the end, and what is kept. No end where the member was given up there.
  std::optional<Stop> take(std::span<const double> row, std::span<double> kept) const;

  /// How large numbers are of which no member has told yet: parts of those of other motions.
  std::size_t sizes_width() const { return 2 * static_cast<std::size_t>(groups_.count); }
  void see_sizes(const System& system, const Trajectory& motion, std::span<double> sizes) const;

 private:
  void find_looks(std::span<const std::string> kept);
  int curve_of(const Look& look, bool peaks);
  int event_of(int event, bool told);
  std::string sizes_text() const;
  std::string functions_text() const;

  System system_;
  Integrator integrator_;
  std::vector<std::string> obstacles_;
  WrittenMotion written_;
  StateFunction ends_, curves_, events_;
  struct Place {  // of what is kept, in a row told
    Kept::How how;
    int index;
  };
  std::vector<Place> kept_;
  std::vector<Look> end_looks_, curve_looks_, event_looks_;
  std::vector<char> peaks_, told_;
  KinGroups groups_;
  std::vector<const StateFunction*> functions_;
  std::size_t asked_width_ = 0, told_width_ = 0, state_width_ = 0;
};

}  // namespace vinculum::device
