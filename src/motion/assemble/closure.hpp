// Loops as they are drawn: rows that follow from the others but for the noise of a drawing.
#pragma once
#include <vector>

#include "vinculum/equation/rank_watch.hpp"
#include "vinculum/motion/assemble.hpp"

namespace vinculum {

/// The gap of each row that is `closure` of the size of the machine: what the row changes by where every
/// place moves by that part of the extent of the machine, and everything turns by that part of a radian. 0
/// for rows that are not of order 0.
std::vector<double> allowed_gaps(const System& system, const State& state, double closure, Workspace& work);

/// Rows of order 0 that nearly depend on others at a state, in a metric of lengths and radians: how near
/// drawings are has nothing to do with masses.
class NearRows {
 public:
  NearRows(const System& system, const State& at, Workspace& work);
  /// At another state, in the metric of the first.
  void look(const State& at, Workspace& work);
  /// Rows whose part beyond the others is less than this, as few as can be, and chosen well; none where a
  /// programme would be among them.
  std::vector<char> marked(double part);
  /// Takes others in the place of rows in which the noise of their loops has grown large; false where all are
  /// well chosen.
  bool choose_better(std::vector<char>& rows);
  void leave_out(const std::vector<char>& rows);
  /// What is left of a row that is left out beside the others, of the length of all that it is compared with.
  double left_over(int row);

 private:
  double length(int row) const;
  std::vector<double> force_of(const std::vector<double>& u) const;
  std::vector<double> times(const std::vector<double>& x) const;

  const System& system_;
  SparseMatrix a_;
  std::vector<double> weight_;
  RankWatch watch_;
};

/// Rows of order 0 that follow from the others on the constraints, near a state, but for noise: without them
/// the others can be met, they open by no more than `closure` allows then, and stay so at states beside. Rows
/// that follow from others to rounding are none of them: those need nobody's tolerance. One flag for each
/// row, or none where there is no such row. A programme is never passed over.
std::vector<char> rows_to_pass_over(const System& system, const State& near, double closure, Workspace& work);

/// The least power of ten beyond `closure` with which rows would be passed over near a state, and these rows:
/// a way out where loops do not close, or do not move. 0 where there is none up to 1e-2, or too many rows.
struct WiderClosure {
  double closure = 0.0;
  std::vector<char> rows;
};
WiderClosure wider_closure(const System& system, const State& near, double closure, Workspace& work);

/// The rows marked, with their gaps at a state.
std::vector<PassedOver> gaps_of(const System& system, const State& at, const std::vector<char>& rows,
                                double closure, Workspace& work);

}  // namespace vinculum
