// What non-ideal forces make of the ideal motion, order by order.
#pragma once
#include <span>
#include <vector>

#include "system/series/order_solver.hpp"
#include "system/series/series_kernels.hpp"

namespace vinculum {

/// Whether the sums of series, `count` of them side by side, keep their signs for so many units of time.
bool keep_signs(std::span<const double> coefficients, int count, int order, double units);

/// The motion is that of ideal constraints and what C adds to it, of which the rows know nothing:
///     q'' = a + d,   M a - Q = A^T lambda,   M d - C = A^T mu,   A d = 0.
/// C may depend on lambda, which is found first in each order.
class DeviationSeries {
 public:
  DeviationSeries(const System& system, const SeriesPrograms& programs, int order);
  void bind(std::span<const double> parameters);

  double* ideal(int k) { return at(ideal_, k, nv_); }  ///< a
  double* d(int k) { return at(d_, k, nv_); }
  double* mu(int k) { return at(mu_, k, m_); }
  const double* force(int k) { return at(C_, k, nv_); }

  /// The first order, from the acceleration with C and the multipliers; `state` has lambda.
  bool begin(const StateParts& state, const std::vector<double>& C, std::span<const double> acceleration,
             OrderSolver& solver);
  /// What lower orders make of A d: the rows of the ideal motion have it, too.
  void prepare(int k, const StateParts& state, std::vector<double>& right);
  /// d and mu, now that a and lambda are known.
  bool advance(int k, const StateParts& state, OrderSolver& solver);
  /// A state with d and mu in the places of accelerations and multipliers.
  StateParts own(int k, const StateParts& state);
  /// Whether what stands in a sign keeps it for so many units of time.
  bool keeps_sides(double units) const { return keep_signs(side_, sides_count_, order_, units); }

 private:
  static double* at(std::vector<double>& all, int k, int each) {
    return all.data() + static_cast<std::ptrdiff_t>(k) * each;
  }
  void find_force(int k, const StateParts& state);

  int order_, nv_, m_, sides_count_;
  ElementSeries force_, linear_, sides_;
  std::vector<double> ideal_, d_, mu_, C_, side_, lower_, lower_rows_, push_, rows_;
};

}  // namespace vinculum
