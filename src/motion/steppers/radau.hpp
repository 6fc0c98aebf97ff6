// The coefficients of Radau IIA of order 5, and the linear systems of its Newton iteration.
#pragma once
#include <complex>
#include <memory>
#include <span>

#include "motion/steppers/flow.hpp"

namespace vinculum {

/// Three stages; W = T^-1 Z takes the stage equations apart into a real and a complex system (Hairer, Wanner,
/// Solving ODEs II, IV.8).
struct RadauIIA {
  static constexpr double root6 = 2.449489742783178;
  static constexpr double c[3] = {(4 - root6) / 10, (4 + root6) / 10, 1};
  static constexpr double A[3][3] = {
      {(88 - 7 * root6) / 360, (296 - 169 * root6) / 1800, (-2 + 3 * root6) / 225},
      {(296 + 169 * root6) / 1800, (88 + 7 * root6) / 360, (-2 - 3 * root6) / 225},
      {(16 - root6) / 36, (16 + root6) / 36, 1. / 9}};
  static constexpr double T[3][3] = {{0.09443876248897524, -0.14125529502095421, 0.03002919410514742},
                                     {0.25021312296533332, 0.20412935229379994, -0.38294211275726192},
                                     {1, 1, 0}};
  static constexpr double inverse_T[3][3] = {
      {4.17871859155190428, 0.32768282076106237, 0.52337644549944951},
      {-4.17871859155190428, -0.32768282076106237, 0.47662355450055044},
      {0.50287263494578682, -2.57192694985560522, 0.59603920482822492}};
  /// Eigenvalues of A^-1: mu_real, and mu_complex with its conjugate.
  static constexpr double mu_real = 3.6378342527444957;
  static constexpr std::complex<double> mu_complex{2.6810828736277521, -3.0504301992474105};
  /// The error estimate: f + h^-1 sum e_i Z_i.
  static constexpr double error[3] = {(-13 - 7 * root6) / 3, (-13 + 7 * root6) / 3, -1. / 3};
  /// y(t + theta h) = y0 + sum_i Z_i sum_j dense[i][j] theta^(j+1): the collocation polynomial.
  static constexpr double dense[3][3] = {
      {13. / 3 + 7 * root6 / 3, -23. / 3 - 22 * root6 / 3, 10. / 3 + 5 * root6},
      {13. / 3 - 7 * root6 / 3, -23. / 3 + 22 * root6 / 3, 10. / 3 - 5 * root6},
      {1. / 3, -8. / 3, 10. / 3}};
};

/// (mu/h - J) x = r with J the exact derivative of the motion by its state. The multipliers stay unknowns of
/// the system, so that it is as sparse as the model is.
class NewtonMatrix {
 public:
  explicit NewtonMatrix(Flow& flow);
  ~NewtonMatrix();
  /// Derivatives at a state. False where the motion is not determined there.
  bool linearise(double t, const double* y);
  /// For mu_real/h and mu_complex/h.
  bool factorize(double real, std::complex<double> complex);
  void solve(std::span<double> x);
  void solve(std::span<std::complex<double>> x);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vinculum
