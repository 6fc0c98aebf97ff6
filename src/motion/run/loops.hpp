// Loops that are open by the noise of a drawing: the rows that are passed over, and how far they open.
#pragma once
#include <optional>

#include "motion/assemble/closure.hpp"
#include "motion/run/course.hpp"

namespace vinculum {

class Loops {
 public:
  explicit Loops(Course& course) : course_(course) {}
  /// With the rows that were passed over when the start was assembled.
  void begin(const State& start, const std::vector<PassedOver>& passed_over);
  /// Whether they open no farther than they may at an accepted state; else the run has ended.
  bool hold(const std::vector<double>& position_misses);
  /// Along the motion other rows of the same loops come to be better passed over. The state then moves onto
  /// those that are kept, by a part of the gap.
  void choose();

 private:
  Course& course_;
  std::optional<NearRows> near_;
  std::vector<char> rows_;       // passed over now
  std::vector<double> allowed_;  // of every row
};

}  // namespace vinculum
