#include <algorithm>
#include <cmath>

#include "equation/roads.hpp"

namespace vinculum::dense {
namespace {

double length(const std::vector<double>& x) { return to_vector(x).norm(); }

/// |A q'' - b| / (|A||q''| + |b|), the worst row. Bound: the terms of that row, and of b - A a, each rounded.
Check constraint_residual(const Equations& at, const Solution& out) {
  const double moving = length(out.acceleration), released = length(out.free_acceleration);
  Check worst{0.0, 64.0 * epsilon};
  for (int i = 0; i < at.rows(); ++i) {
    double residual = -at.b[i], square = 0.0;
    for (int k = at.A.start[i]; k < at.A.start[i + 1]; ++k) {
      residual += at.A.value[k] * out.acceleration[at.A.column[k]];
      square += at.A.value[k] * at.A.value[k];
    }
    const double row = std::sqrt(square), size = row * moving + std::abs(at.b[i]);
    if (residual == 0.0) continue;
    const double unit = (64.0 + 2.0 * (at.A.start[i + 1] - at.A.start[i])) * epsilon;
    if (size <= unit * row * released) continue;  // all its terms are rounding: 0/0
    const Check check = judged(std::abs(residual) / size, unit * (1.0 + row * released / size));
    if (!(check.value * worst.bound <= worst.value * check.bound)) worst = check;
  }
  return worst;
}

/// |M q'' - Q - A^T lambda - F^C| / (|M||q''| + |Q|). Bound: the terms of each coordinate, each rounded.
Check kkt_residual(const Equations& at, const Solution& out) {
  const int n = at.coordinates();
  Vector residual = Vector::Zero(n), terms = Vector::Zero(n);
  const auto add = [&](int i, double term) {
    residual(i) += term;
    terms(i) += std::abs(term);
  };
  double square = 0.0;
  int longest = 0;
  for (int i = 0; i < n; ++i) {
    add(i, -at.Q[i]);
    add(i, -out.nonideal_force[i]);
    if (!at.C.empty()) terms(i) += std::abs(at.C[i]);
    for (int k = at.M.start[i]; k < at.M.start[i + 1]; ++k) {
      add(i, at.M.value[k] * out.acceleration[at.M.column[k]]);
      terms(i) += std::abs(at.M.value[k] * out.free_acceleration[at.M.column[k]]);
      square += at.M.value[k] * at.M.value[k];
    }
    longest = std::max(longest, at.M.start[i + 1] - at.M.start[i]);
  }
  for (int r = 0; r < at.rows(); ++r)
    for (int k = at.A.start[r]; k < at.A.start[r + 1]; ++k)
      add(at.A.column[k], -at.A.value[k] * out.multipliers[r]);
  const double size = std::sqrt(square) * length(out.acceleration) + length(at.Q);
  const double against = size > 0.0 ? size : 1.0;
  return judged(residual.norm() / against, (64.0 + 2.0 * longest) * epsilon * terms.norm() / against);
}

}  // namespace

void certify_large(const Equations& at, Solution& out) {
  out.certificate.constraint_residual = constraint_residual(at, out);
  out.certificate.kkt_residual = kkt_residual(at, out);
  if (at.C.empty()) out.certificate.nonideal_work = {0.0, 64.0 * epsilon};
}

}  // namespace vinculum::dense
