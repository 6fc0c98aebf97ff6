// How near the rows of eight motions are to depending on each other: what motion/run/singularity_watch says
// of one as long as they are far from it.
#pragma once
#include <vector>

#include "equation/sparse/eight.hpp"
#include "motion/run/singularity_watch.hpp"

namespace vinculum {

class EightRows {
 public:
  EightRows(const SparseMatrix& pattern, const SingularityWatch& like);
  /// The motion of this lane has been looked at once, at its start.
  void begin(int lane, const SingularityWatch& watch);
  /// Rows as they are at the ends of steps: of the lanes where they have turned clearly less than asks for a
  /// closer look, and are clearly far from depending on each other. Nothing is kept of the others.
  EightTruths look(const Eight* rows);
  /// That was the end of a step of these.
  void accept(const EightTruths& lanes, const Eight* rows);

 private:
  struct Pair {  // a product that stands in the entry of two rows, and the velocity it belongs to
    int first, second, velocity;
  };
  int entry(int i, int j) const { return i * (i + 1) / 2 + j; }
  void turn(const Eight* rows);
  void eliminate(const Eight* rows);
  void judge();

  SparseMatrix pattern_;
  int count_;
  std::vector<int> order_;                // of elimination
  std::vector<std::vector<Pair>> pairs_;  // of every entry of A W A^T below its diagonal, in that order
  std::vector<Eight> weight_, before_;    // W; the rows where they were looked at last
  std::vector<Eight> square_, factor_;    // A W A^T, and its elimination
  std::vector<Eight> part_, widest_;      // what a row has beyond the others; the most it has had
  /// The largest square of a row so far: a run has two watches, which look in turn.
  std::vector<Eight> largest_, largest_of_other_;
  Eight turned_ = 0.0, least_ = 1.0, nearness_ = 1.0, length_ = 1.0;
};

}  // namespace vinculum
