// One step as a polynomial of time.
#pragma once
#include <vector>

namespace vinculum {

/// y(t + theta h) in Newton's form over the nodes: c0 + (theta - x0)(c1 + (theta - x1)(c2 + ...)). With all
/// nodes zero these are the powers of theta.
struct StepPolynomial {
  double t = 0.0, h = 0.0;
  int size = 0;                     // of y
  std::vector<double> node;         // one less than there are coefficients
  std::vector<double> coefficient;  // [k][i]

  void at(double theta, double* y) const {
    const int last = static_cast<int>(node.size());
    const double* c = coefficient.data() + static_cast<std::ptrdiff_t>(last) * size;
    for (int i = 0; i < size; ++i) y[i] = c[i];
    for (int k = last - 1; k >= 0; --k) {
      c -= size;
      const double x = theta - node[k];
      for (int i = 0; i < size; ++i) y[i] = c[i] + x * y[i];
    }
  }
  /// dy/dtheta of one entry.
  double slope(double theta, int i) const {
    const int last = static_cast<int>(node.size());
    const double* c = coefficient.data() + static_cast<std::ptrdiff_t>(last) * size + i;
    double y = *c, s = 0;
    for (int k = last - 1; k >= 0; --k) {
      c -= size;
      s = y + (theta - node[k]) * s;
      y = *c + (theta - node[k]) * y;
    }
    return s;
  }
  /// One entry of y.
  double at(double theta, int i) const {
    const int last = static_cast<int>(node.size());
    const double* c = coefficient.data() + static_cast<std::ptrdiff_t>(last) * size + i;
    double y = *c;
    for (int k = last - 1; k >= 0; --k) {
      c -= size;
      y = *c + (theta - node[k]) * y;
    }
    return y;
  }
};

}  // namespace vinculum
