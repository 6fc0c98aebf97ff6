// The forces of actuators that follow their programmes with the least of Gauss's function.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace vinculum {

/// A small matrix by columns that keeps its memory.
struct Columns {
  int rows = 0, count = 0;
  std::vector<double> value;

  void resize(int rows_, int count_) {
    rows = rows_;
    count = count_;
    value.assign(static_cast<std::size_t>(rows) * count, 0.0);
  }
  std::span<double> operator[](int k) {
    return std::span(value).subspan(static_cast<std::size_t>(k) * rows, rows);
  }
  std::span<const double> operator[](int k) const {
    return std::span(value).subspan(static_cast<std::size_t>(k) * rows, rows);
  }
};

/// The forces u with G u = g that make u^T W u least. In coordinates z with u^T W u = z^T z this is a
/// pseudo-inverse. Of u that differ by what moves nothing the least is taken. What the actuators cannot reach
/// is left over. Memory is allocated where there are more actuators or rows than ever before.
class LeastDrive {
 public:
  Columns W;                  ///< what a force of each actuator (columns) moves of the others: symmetric
  Columns G;                  ///< and of the rows
  std::vector<double> reach;  ///< of each row: what a free hand could do, by which it is measured

  /// W, G and `reach` have been filled.
  void factorise(double rank_tolerance);
  /// The forces for g, into its place.
  void solve(std::vector<double>& g);

 private:
  void find_basis();
  void add_step();  // to forces_, for what asked_ is
  std::vector<double> size_, part_, asked_, forces_, along_;
  Columns even_, modes_, basis_, moving_, measured_, turns_;
  std::vector<double> inverse_;  // of the singular values of measured_, squared; 0 where they are none
};

}  // namespace vinculum
