#include "system/modes/friction_at_rest.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace vinculum {
namespace {

constexpr int sweeps = 200;     // of the projected iteration, which finds out who slides
constexpr int most_steps = 60;  // of Newton's method, which finds where to

/// The force a pair would take next: against its acceleration, as far as its limit goes.
template <int most>
struct Trial {
  VectorAtRest<most> force;
  double size = 0.0;
  bool slides = false;
};

template <int most>
Trial<most> trial(const FrictionsAtRest<most>& at, int k, const VectorAtRest<most>& c,
                  const VectorAtRest<most>& a, double step) {
  const int first = at.start[k], width = at.start[k + 1] - first;
  Trial<most> t;
  t.force = c.segment(first, width) - step * a.segment(first, width);
  t.size = t.force.norm();
  t.slides = at.driven[k] || t.size > at.limit[k];
  return t;
}

/// Pair after pair, each as if the others stood by what they do.
template <int most>
VectorAtRest<most> projected_sweeps(const FrictionsAtRest<most>& at) {
  VectorAtRest<most> c = VectorAtRest<most>::Zero(at.a0.size()), a = at.a0;
  for (int k = 0; k < at.count(); ++k)
    if (at.driven[k]) c(at.start[k + 1] - 1) = -at.limit[k];
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (int k = 0; k < at.count(); ++k) {
      const int first = at.start[k], width = at.start[k + 1] - first;
      const double stiffness = at.W.block(first, first, width, width).trace();
      if (!(stiffness > 0)) continue;
      Trial<most> t = trial(at, k, c, a, 1.0 / stiffness);
      if (t.slides) t.force *= at.limit[k] / t.size;
      const VectorAtRest<most> change = t.force - c.segment(first, width);
      c.segment(first, width) = t.force;
      a += at.W.middleCols(first, width) * change;
    }
  return c;
}

}  // namespace

template <int most>
VectorAtRest<most> frictions_at_rest(const FrictionsAtRest<most>& at) {
  using Vector = VectorAtRest<most>;
  using Matrix = MatrixAtRest<most>;
  if (at.a0.size() == 0) return at.a0;  // nothing can slide
  Vector c = projected_sweeps(at);
  const int size = static_cast<int>(c.size());
  const double step = 1.0 / std::max(at.W.trace(), 1e-300);
  // Newton's method for: a_k = 0 where it sticks, c_k at its limit against a_k where it slides.
  for (int pass = 0; pass < most_steps; ++pass) {
    const Vector a = at.a0 + at.W * c;
    Vector miss(size);
    Matrix slope(size, size);
    for (int k = 0; k < at.count(); ++k) {
      const int first = at.start[k], width = at.start[k + 1] - first;
      const Trial<most> t = trial(at, k, c, a, step);
      if (!t.slides) {
        miss.segment(first, width) = step * a.segment(first, width);
        slope.middleRows(first, width) = step * at.W.middleRows(first, width);
        continue;
      }
      const Vector along = t.force / t.size;
      Matrix turn = Matrix::Identity(width, width) - along * along.transpose();
      turn *= at.limit[k] / t.size;
      miss.segment(first, width) = c.segment(first, width) - at.limit[k] * along;
      slope.middleRows(first, width) = step * turn * at.W.middleRows(first, width);
      slope.block(first, first, width, width) += Matrix::Identity(width, width) - turn;
    }
    const Vector change = slope.completeOrthogonalDecomposition().solve(miss);
    c -= change;
    if (!(change.norm() > 1e-15 * c.norm())) break;
  }
  return c;
}

template VectorAtRest<few_at_rest> frictions_at_rest(const FrictionsAtRest<few_at_rest>& at);
template VectorAtRest<Eigen::Dynamic> frictions_at_rest(const FrictionsAtRest<Eigen::Dynamic>& at);

}  // namespace vinculum
