// Lagrange's equations of the first kind, solved as they stand: a witness.
#include <Eigen/LU>
#include <algorithm>

#include "equation/dense/elimination.hpp"

namespace vinculum::dense {
namespace {

/// The equations of motion and the independent rows as one linear system, in x = S^-1 q'':
///     [ k S M S   (D A S)^T ] [    x    ]   [ k S Q ]
///     [  D A S        0     ] [ -k mu   ] = [  D b  ],   A^T lambda = S^-1 (D A S)^T mu
/// Its small eigenvalues are about k and s^2 / k for a small singular value s of D A S. k = s keeps both at
/// s, where k = 1 would square it.
class Lagrange {
 public:
  Lagrange(const Problem& at, const Mass& mass, double rank_tolerance)
      : rows(at, mass, rank_tolerance), at_(at), mass_(mass), k_(rows.smallest_pivot) {
    const int n = at.coordinates(), r = rows.rank;
    chosen_.resize(r, n);
    for (int i = 0; i < r; ++i) {
      const int row = rows.row_order[i];
      chosen_.row(i) = rows.scale(row) * at.A.row(row).cwiseProduct(mass.scale.transpose());
    }
    if (n == 0) return;
    Matrix K = Matrix::Zero(n + r, n + r);
    K.topLeftCorner(n, n) = k_ * mass.scaled;
    K.topRightCorner(n, r) = chosen_.transpose();
    K.bottomLeftCorner(r, n) = chosen_;
    system_.compute(K);
    system_.setThreshold(0.0);  // the rank is decided: nothing more is to be dropped
    if (mass.kind == MassKind::definite) return;
    // Rounding in M reaches K times k; a pivot below it means a direction that neither M nor A holds.
    system_.setThreshold(k_ * mass.noise / std::max(1.0, system_.maxPivot()));
    if (system_.rank() < n + r) open = taking_part(Matrix(system_.kernel()).topRows(n));
  }

  Elimination rows;
  std::vector<int> open;

  Response respond(const Vector& Q, const Vector& b) const {
    return refined(at_, Q, b, [this](const Vector& force, const Vector& right) {
      const int n = at_.coordinates(), r = rows.rank;
      Vector side(n + r);
      side.head(n) = k_ * mass_.scale.cwiseProduct(force);
      for (int i = 0; i < r; ++i) side(n + i) = rows.scale(rows.row_order[i]) * right(rows.row_order[i]);
      const Vector solved = n > 0 ? Vector(system_.solve(side)) : side;
      const Vector held = chosen_.transpose() * solved.tail(r) / -k_;
      return Response{mass_.scale.cwiseProduct(solved.head(n)), held.cwiseQuotient(mass_.scale), Vector()};
    });
  }

 private:
  const Problem& at_;
  const Mass& mass_;
  double k_;
  Matrix chosen_;  // D A S, the independent rows
  Eigen::FullPivLU<Matrix> system_;
};

}  // namespace

Trace lagrange_road(const Problem& at, const SolveOptions& options, Solution& out) {
  Trace trace{judge_mass(at.M)};
  out.saddle = trace.mass.kind == MassKind::indefinite;
  if (out.saddle && !options.stationary) {
    write_indefinite(at, trace.mass, out);
    return trace;
  }
  const Lagrange lagrange(at, trace.mass, options.rank_tolerance);
  out.rank = lagrange.rows.rank;
  trace.dropped = lagrange.rows.dropped;
  trace.smallest_pivot = lagrange.rows.smallest_pivot;
  if (!lagrange.open.empty()) {
    write_nothing(at.coordinates(), at.rows(), out);
    out.status = Status::undetermined;
    out.coordinates = lagrange.open;
    return trace;
  }
  bear_witness(
      at, trace, lagrange.rows, options,
      [&](const Vector& Q, const Vector& b) { return lagrange.respond(Q, b); }, out);
  return trace;
}

}  // namespace vinculum::dense
