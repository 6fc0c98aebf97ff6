// States that satisfy given rows, drawn around one state: for questions about the whole set of them.
#pragma once
#include <cstdint>
#include <vector>

#include "vinculum/model/stated.hpp"
#include "vinculum/system/system.hpp"

namespace vinculum {

/// Draws states and takes them to the rows by Newton's method: positions move for rows on positions,
/// velocities for rows on velocities; accelerations meet the others by themselves. The draws are the same in
/// every run. What holds at all of them is a hint, what fails at one of them is a proof.
class ConstraintStates {
 public:
  static constexpr int draws = 12;

  /// Rows of a model with numbers for its parameters. The model and the state must outlive this.
  ConstraintStates(const Model& numbers, const std::vector<Expr>& rows, const State& around);

  /// Not for long expressions of many symbols, nor for rows on positions in which bodies turn: orientations
  /// are not free to be drawn.
  bool possible() const { return possible_; }
  /// The first is the state itself, taken to the rows; the others lie around it, near and far. False where no
  /// state was reached.
  bool draw(int number);

  /// Of an expression, at the state drawn.
  double value(const Expr& e) const;
  const std::vector<Expr>& rows() const { return rows_; }
  const std::vector<Expr>& symbols() const { return symbols_; }
  int order(std::size_t row) const { return order_[row]; }
  Role role(std::size_t symbol) const { return model_.stated().role(symbols_[symbol]).role; }
  /// d row / d symbol
  const Expr& slope(std::size_t row, std::size_t symbol) const { return slope_[row][symbol]; }
  /// These rows of A, each of length one, are independent here. A row of zeros is not.
  bool are_independent(const std::vector<int>& which) const;
  /// The same for those of index below `count`.
  bool are_independent(std::size_t count) const;

 private:
  bool has_order(int order) const;
  bool is_plain(std::size_t symbol) const;
  bool turns() const;
  double stated(std::size_t symbol) const;
  bool moves(std::size_t symbol, std::size_t row) const;
  bool meet_rows();
  double random();

  const Model& model_;
  const State& around_;
  std::vector<Expr> rows_, symbols_;
  std::vector<std::vector<Expr>> slope_;
  std::vector<int> order_;
  std::vector<double> at_;  // over symbols
  std::uint64_t bits_ = 13;
  bool possible_ = false;
};

}  // namespace vinculum
