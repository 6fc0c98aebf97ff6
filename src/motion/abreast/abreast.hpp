// Motions of one compiled system with other parameters, eight side by side: the same bits as each has alone.
#pragma once
#include <memory>
#include <optional>

#include "vinculum/motion/simulate.hpp"

namespace vinculum {

/// Who has motions to be made, and takes them.
class Walkers {
 public:
  struct Asked {
    const System& system;
    const State& start;
    const MotionOptions& options;
    bool events = true;  ///< somebody asks for those that do not end it
  };
  virtual ~Walkers() = default;
  /// Another motion, in that place, where it stays until it is done with; nothing: there are no more.
  virtual std::optional<Asked> next(int place) = 0;
  /// It has ended, as simulate() would have ended it: its states and its reasons are there. (What a run tells
  /// of the way, residuals and notes, is that of its start.)
  virtual void take(int place, const Trajectory& motion) = 0;
  /// It is misuse: the exception at hand says why.
  virtual void refuse(int place) = 0;
};

/// Eight motions make their steps together, each with its own step size, as long as these are steps like any
/// other: nothing switches, no event is asked for, rows stay independent. Who meets something else goes
/// alone.
class Abreast {
 public:
  Abreast();
  ~Abreast();
  Abreast(Abreast&&) noexcept;
  static constexpr int places = 8;
  /// All motions of the walkers, which go along where their systems were compiled as the first one was.
  void go(Walkers& walkers);
  /// How many went along to their end, of motions like the last ones.
  long along() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vinculum
