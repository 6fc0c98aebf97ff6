// The pendulum by Jacobi's elliptic functions: a road to its motion that integrates nothing.
#pragma once
#include <cmath>
#include <vector>

namespace vinculum {

/// am(u, k), the angle whose elliptic integral of the first kind with modulus k < 1 is u. The means of 1 and
/// sqrt(1 - k^2) become equal in a few steps, and there the angle is proportional to u; the way back halves
/// it.
inline double jacobi_amplitude(double u, double k) {
  double a = 1, b = std::sqrt((1 - k) * (1 + k)), c = k;
  std::vector<double> ratio;  // c/a of each step
  while (c > 1e-17 * a) {
    const double mean = (a + b) / 2;
    c = c * c / (4 * mean);  // (a - b) / 2 without its cancellation
    b = std::sqrt(a * b);
    a = mean;
    ratio.push_back(c / a);
  }
  double angle = std::ldexp(a * u, static_cast<int>(ratio.size()));
  while (!ratio.empty()) {
    angle = (angle + std::asin(ratio.back() * std::sin(angle))) / 2;
    ratio.pop_back();
  }
  return angle;
}

/// Angle from the lowest point and its rate.
struct Swing {
  double angle = 0.0, rate = 0.0;
};

/// A pendulum with w^2 = g/L that passes its lowest point at t = 0 at the rate 2 k w: it swings to and fro
/// for k < 1 and turns over the top for k > 1.
inline Swing pendulum_swing(double t, double w, double k) {
  if (k < 1) {
    const double am = jacobi_amplitude(w * t, k);
    return {2 * std::asin(k * std::sin(am)), 2 * k * w * std::cos(am)};
  }
  const double am = jacobi_amplitude(k * w * t, 1 / k), sn = std::sin(am) / k;
  return {2 * am, 2 * k * w * std::sqrt((1 - sn) * (1 + sn))};
}

}  // namespace vinculum
