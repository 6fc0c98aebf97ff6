// Explicit Runge-Kutta methods as data.
#pragma once
#include <span>
#include <string_view>

namespace vinculum {

/// y1 = y0 + h sum b_i k_i with k_i = f(t + c_i h, y0 + h sum a_ij k_j). Stage number `stages` is f at the
/// end of the step; those after it serve the dense output alone.
struct Tableau {
  std::string_view name;
  int order = 0;
  int stages = 0;  ///< of the step
  int total = 0;   ///< with the end and what dense output needs
  std::span<const double> c;
  std::span<const double> a;  ///< rows 1 .. total-1, packed: row i has i entries
  std::span<const double> b;
  /// Error estimates h sum e_i k_i: none for a fixed step, one, or the pair of orders 5 and 3 of DOP853.
  std::span<const double> error, error_low;
  int error_order = 0;  ///< the local error estimate behaves as h^error_order
  /// y(t + theta h) = y0 + h sum_i k_i sum_j dense[i][j] theta^(j+1)
  std::span<const double> dense;
  int dense_degree = 0;
  int dense_order = 0;

  const double* row(int i) const { return a.data() + i * (i - 1) / 2; }
};

/// Prince and Dormand's pair of order 8 with dense output of order 7 (Hairer, Norsett, Wanner, Solving ODEs
/// I, sections II.5 and II.6).
const Tableau& dop853();
/// Dormand and Prince's pair of order 5 with dense output of order 4 (the same book, II.5).
const Tableau& dopri5();
/// Kutta's classical method with the cubic through both ends.
const Tableau& rk4();

}  // namespace vinculum
