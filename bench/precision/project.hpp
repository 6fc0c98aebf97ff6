// Projection by hand onto the constraints, in the mass metric.
#pragma once
#include <algorithm>
#include <cmath>

namespace vinculum::precision {

/// w -= M^-1 G^T (G M^-1 G^T)^-1 G w; `at` is factorised.
template <class P, class T>
void make_tangent(const typename P::template At<T>& at, T* w) {
  T miss[P::rows], lambda[P::rows];
  at.rows_times(w, miss);
  at.solve(miss, lambda);
  at.subtract(lambda, w);
}

/// Positions by Newton's method until rounding (2 steps suffice), then velocities.
template <class P, class T>
typename P::template At<T> project(T* q, T* v) {
  for (int pass = 0; pass < 3; ++pass) {
    typename P::template At<T> at(q);
    T phi[P::rows], lambda[P::rows];
    at.gap(phi);
    T worst = 0;
    for (const T x : phi) worst = std::max(worst, std::abs(x));
    if (worst < T(P::rounding)) break;
    at.factor();
    at.solve(phi, lambda);
    at.subtract(lambda, q);
  }
  typename P::template At<T> at(q);
  at.factor();
  make_tangent<P>(at, v);
  return at;
}

}  // namespace vinculum::precision
