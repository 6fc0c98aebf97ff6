// Singular positions on the way: where rows of A come to depend on each other for an instant.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "vinculum/equation/rank_watch.hpp"
#include "vinculum/motion/trajectory.hpp"

namespace vinculum {

class SingularityWatch {
 public:
  explicit SingularityWatch(const System& system);

  bool watching() const { return watching_; }
  /// The row whose squares are no numbers, which ended the watch; -1 where it was never possible.
  int beyond_squares() const { return beyond_squares_; }
  int looks() const { return looks_; }  ///< so far
  /// Looks at A at an accepted state; `at` must have been evaluated there.
  void look(const Equations& at, double t);
  /// The same, unless some row may have turned around and back on the way from the last look: then in how
  /// many parts that is to be looked at first, else 1.
  int look_unless_far(const Equations& at, double t);
  /// Looks at a trial state without taking it as accepted: how near it is.
  double nearness_of(const Equations& at);
  /// Looks at a state beside the way, for make_least().
  void look_aside(const Equations& at) { between_.look(at.A, weight_); }
  /// The rank at the last look aside where rows are left out and still depend on the others there; else -1.
  int rank_aside() { return chosen_ && between_.left_out_depend() ? between_.rank() : -1; }
  /// The smallest part of a row beyond the others, of rows that are not dependent all along; 1 where nothing
  /// is watched.
  double nearness() const { return nearness_; }
  /// How long, at the pace of the last step, until a row depends on others; infinite where none tends to.
  double time_to_singular() const;
  /// The constraints of the row that is nearest to depending on others, with those it would depend on.
  std::vector<std::string> nearest_constraints();
  /// The constraints of rows that depend on each other at the last look, or are nothing there.
  std::vector<std::string> dependent_constraints();
  /// The constraints of a row and of those it depends on, or nearly does, at a state that is not taken as
  /// accepted.
  std::vector<std::string> constraints_beside(int row, const Equations& at) const;
  int rank() const { return now_.rank(); }

  // --- What the last look found: for others who watch the same rows.
  std::vector<int> order() const { return now_.order(); }      ///< of elimination
  std::span<const double> weights() const { return weight_; }  ///< of the velocities
  const SparseMatrix& rows() const { return a_now_; }
  double part(int row) const { return s_now_[row]; }     ///< what it has beyond those before it in that order
  double widest(int row) const { return widest_[row]; }  ///< the most it has had
  /// At a state that is not taken as accepted.
  int rank_of(const Equations& at);
  /// The rows are others from now on: nothing is known of them.
  void start_over();
  /// No row is left out any more: one of them has turned out to be a row of its own.
  void forget_rows();
  /// Rows that depend on the others all along, chosen so that the others are as independent as can be; empty
  /// where there are none, where it is too early to tell them from rows of a singular start, or where the
  /// rank was another at the look before.
  std::span<const char> left_out() const {
    return proven_ && now_.rank() == before_.rank() ? std::span<const char>(redundant_)
                                                    : std::span<const char>();
  }

  /// Rank changes between the last two looks. `equations_at` evaluates the equations at a time in between.
  void find(const std::function<const Equations&(double)>& equations_at, std::vector<RankChange>& out);
  /// Multipliers of least norm for the rows as written, at the last look aside: takes away what makes no
  /// force. False where no row is dependent.
  bool make_least(std::span<double> multipliers);

 private:
  struct Turn {  // a row whose part points the other way after the step
    int row;
    std::vector<double> before;
  };
  void weigh(const Equations& at);
  void measure();
  void take(const Equations& at, double t);
  void look_closely();
  int parts_to_look_at(const SparseMatrix& a);
  void find_changes(const SparseMatrix& a);
  double turned(std::span<const double> before, std::span<const double> after) const;
  double nearness_by(const RankWatch& watch) const;
  void choose_rows(const SparseMatrix& a);
  void leave_start();
  void take_rows(const std::vector<char>& left_out);
  bool has_changed(const SparseMatrix& a) const;
  bool others_make_up(const SparseMatrix& a);
  double time_to_zero(std::size_t row) const;
  bool may_touch(std::size_t row) const;
  double nearest_instant(int row, const std::function<const Equations&(double)>& equations_at);
  void find_touch(const std::function<const Equations&(double)>& equations_at, std::vector<RankChange>& out);
  std::vector<double> parts_along(const std::vector<Turn>& turns, const Equations& at);
  double part_along(int row, const std::vector<double>& before, const Equations& at);
  bool may_vanish(int row, double within);
  double locate(int row, const std::vector<double>& before,
                const std::function<const Equations&(double)>& equations_at);
  std::vector<std::string> names_of(const std::vector<int>& rows) const;

  const System& system_;
  bool watching_;
  int beyond_squares_ = -1;
  RankWatch now_, before_, between_;
  SparseMatrix a_now_, a_before_;
  double t_now_ = 0, t_before_ = 0, t_earlier_ = 0;
  int looks_ = 0;
  double nearness_ = 1;
  double turned_ = 0;  // between the last two looks
  std::vector<double> weight_, part_, part_before_, s_now_, s_before_, s_earlier_, widest_;
  std::vector<double> change_, squares_;  // of rows that are not looked at yet
  double shortest_ = 0, longest_ = 0;     // their largest entries
  std::vector<int> rows_near_;            // rows that may have turned around in the last step
  std::vector<double> along_;             // their parts after it along those before
  std::vector<char> redundant_;
  double looked_at_ = 1;  // how near the rows were when others were looked for last
  bool chosen_ = false;   // rows that depend on others all along are left out of sight
  bool proven_ = false;   // and they still did when A had become another
  std::vector<double> a_first_;
  double t_first_ = 0;
  int rank_first_ = 0;
  std::optional<RankChange> left_;  // of a singular start that was left, to be told
};

}  // namespace vinculum
