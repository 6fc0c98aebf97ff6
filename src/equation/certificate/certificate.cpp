// Independent statements of the theory, each against its own rounding bound.
#include <algorithm>
#include <cmath>

#include "equation/dense/factorise.hpp"
#include "equation/dense/roads.hpp"

namespace vinculum::dense {
namespace {

/// One rounding per term of a sum of n + m terms, a few sums one after the other; and what the rank tolerance
/// left out of the rows: no statement holds better than the rows themselves.
double rounding_unit(const Problem& at, double dropped) {
  return 8.0 * (at.coordinates() + at.rows()) * epsilon + dropped;
}

double relative(double value, double size) { return value == 0.0 ? 0.0 : value / size; }

/// Over the coordinates, from what q'' is reached: M^-1 (|Q| + |C|). Without M^-1 each coordinate by its own
/// mass, as its scale tells it.
double reached_from(const Problem& at, const Mass& mass) {
  if (mass.kind != MassKind::definite) {
    Vector force = at.Q.cwiseAbs();
    if (at.C.size() > 0) force += at.C.cwiseAbs();
    return mass.scale.cwiseAbs2().cwiseProduct(force).norm();
  }
  Problem pushed = at;
  pushed.Q = at.Q.cwiseAbs();
  if (at.C.size() > 0) pushed.Q += at.C.cwiseAbs();
  return free_acceleration(pushed, mass).norm();
}

/// |A q'' - b| / (|A||q''| + |b|), the worst row; never less than the same over all rows together.
/// Bound: the roundings of the row, and for a row that follows from others those of the rows it follows from;
/// q'' is reached from M^-1 (Q + C), and where the two cancel their rounding is what is left of it. A row
/// whose terms are all such rounding, at rest say, is 0/0 and misses nothing.
Check constraint_residual(const Problem& at, const Trace& trace, const Vector& q, const Solution& out) {
  const Vector residual = at.A * q - at.b, length = at.A.rowwise().norm();
  const Vector size = length * q.norm() + at.b.cwiseAbs();
  const double unit = rounding_unit(at, trace.dropped), start = reached_from(at, trace.mass);
  double worst = 0.0, cancelled = 0.0;
  for (int i = 0; i < at.rows(); ++i) {
    if (size(i) <= unit * length(i) * start) continue;
    const double value = relative(std::abs(residual(i)), size(i));
    worst = value <= worst ? worst : value;  // keeps what is not a number
    cancelled = std::max(cancelled, relative(length(i) * start, size(i)));
  }
  double growth = 1.0;
  for (const Dependency& dependency : out.dependencies) {
    double inherited = 0.0;
    for (std::size_t k = 0; k < dependency.on.size(); ++k)
      inherited += std::abs(dependency.weight[k]) * size(dependency.on[k]);
    growth = std::max(growth, 1.0 + relative(inherited, size(dependency.row)));
  }
  return judged(worst, unit * (growth + cancelled));
}

/// The virtual displacements, A Z = 0, found here from A alone: the unit rows, transposed, factorised.
struct Displacements {
  PivotedQr rows;
  int rank = 0;
  double dropped = 0.0;  ///< part of a unit row that the rank leaves out
  double turn = 1.0;     ///< rounding turns Z by so much of it: one over the smallest pivot of the unit rows

  Displacements(const Problem& at, int known_rank) : rank(known_rank) {
    const int n = at.coordinates(), m = at.rows();
    if (rank == 0) {  // every displacement is virtual
      rows.Q = Matrix::Identity(n, n);
      return;
    }
    Matrix unit_rows = at.A.transpose();
    for (int i = 0; i < m; ++i) {
      const double length = unit_rows.col(i).norm();
      if (length > 0.0) unit_rows.col(i) /= length;
    }
    rows = pivoted_qr(unit_rows, n);
    const Matrix& R = rows.R;
    if (rank < R.rows() && rank < m)
      dropped = R.bottomRightCorner(R.rows() - rank, m - rank).colwise().norm().maxCoeff();
    turn = 1.0 / std::abs(R(rank - 1, rank - 1));
  }
  /// |Z^T force|
  double work(const Vector& force) const {
    return (rows.Q.rightCols(rows.Q.cols() - rank).transpose() * force).norm();
  }
  /// The sizes of the terms of a force that is a combination of unit rows.
  double terms(const Vector& force) const {
    if (rank == 0) return 0.0;
    const Vector part = rows.Q.leftCols(rank).transpose() * force;
    return solve_upper(rows.R.topLeftCorner(rank, rank), part).lpNorm<1>();
  }
};

/// The sizes of the forces whose balance F^L and F^C are.
double balanced(const Problem& at, const Vector& q) {
  return (at.M.cwiseAbs() * q.cwiseAbs() + at.Q.cwiseAbs()).norm();
}

/// |Z^T F^L| / |F^L| with Z an orthonormal basis of the virtual displacements. Bound: Z turns by the rounding
/// over the smallest pivot of the unit rows; F^L = A^T lambda is rounded at the size of its terms, and at
/// that of the forces whose balance it is.
Check virtual_work(const Problem& at, const Displacements& Z, const Vector& q, const Vector& force,
                   const Vector& lambda) {
  const double size = force.norm();
  if (Z.rank == 0 || Z.rank == at.coordinates() || size == 0.0)
    return {size == 0.0 || Z.rank == at.coordinates() ? 0.0 : 1.0, rounding_unit(at, 0.0)};
  // A force that is no more than the rounding of those whose balance it is: 0/0.
  if (size <= rounding_unit(at, 0.0) * balanced(at, q)) return {0.0, rounding_unit(at, 0.0)};
  const double terms = (at.A.rowwise().norm().dot(lambda.cwiseAbs()) + balanced(at, q)) / size;
  return judged(Z.work(force) / size, rounding_unit(at, Z.dropped) * (Z.turn + terms));
}

/// |Z^T (F^L + F^C - C)| / |C|: the constraint forces do the virtual work of C, (35) of Fan et al.
/// Bound: F^L + F^C - C is a combination of the rows, rounded at the size of its terms, of the forces whose
/// balance it is and of C itself; Z turns as above.
Check nonideal_work(const Problem& at, const Displacements& Z, const Vector& q, const Solution& out) {
  if (at.C.size() == 0) return {0.0, rounding_unit(at, 0.0)};
  const double size = at.C.norm();
  const Vector ideal = to_vector(out.constraint_force), held = to_vector(out.nonideal_force) - at.C;
  if (size == 0.0 || Z.rank == at.coordinates()) return {0.0, rounding_unit(at, 0.0)};
  // C is lost in the rounding of the other forces: 0/0.
  if (size <= rounding_unit(at, 0.0) * balanced(at, q)) return {0.0, rounding_unit(at, 0.0)};
  const double turned = Z.turn * (ideal.norm() + held.norm());
  const double terms = at.A.rowwise().norm().dot(to_vector(out.multipliers).cwiseAbs()) + Z.terms(held) +
                       balanced(at, q) + 2.0 * size;
  return judged(Z.work(ideal + held) / size, rounding_unit(at, Z.dropped) * (turned + terms) / size);
}

/// (q'' - a - M^-1 C)^T M (q'' - a - M^-1 C), (26) of Fan et al.: Gauss's function where there is no C.
double extended_gaussian(const Problem& at, const Trace& trace, const Vector& q, double gaussian) {
  if (at.C.size() == 0) return gaussian;
  Problem pushed = at;
  pushed.Q += at.C;
  const Vector apart = q - regular_acceleration(pushed, trace.mass);
  return apart.dot(at.M * apart);
}

/// (G - smallest G) / (1 + G) for Gauss's function, extended by C where there is one:
///     G = (q'' - c)^T M (q'' - c),   c = M^-1 (Q + C)
/// against its minimum by elimination. For a singular M, the part of G without M^-1:
///     q''^T M q'' - 2 (Q + C)^T q''
/// Bound: near its constrained minimum G changes by 2 F^T dq for a dq that leaves the rows, and dq is the
/// rounding of q'' over the smallest pivot; c is rounded too.
Check gauss_gap(const Problem& at, const Trace& trace, double rank_tolerance, const Vector& q) {
  const bool definite = trace.mass.kind == MassKind::definite;
  Vector best;
  if (!minimum_by_elimination(at, trace.mass, rank_tolerance, best)) return {not_a_number, 0.0};
  Problem pushed = at;
  if (at.C.size() > 0) pushed.Q += at.C;
  const double unit = rounding_unit(at, trace.dropped) / trace.smallest_pivot;
  if (!definite) {
    const auto function = [&](const Vector& x) { return x.dot(at.M * x) - 2.0 * pushed.Q.dot(x); };
    const Vector speed = q.cwiseAbs();
    const double terms = speed.dot(at.M.cwiseAbs() * speed) + 2.0 * pushed.Q.cwiseAbs().dot(speed);
    return judged(std::abs(function(q) - function(best)) / (1.0 + terms),
                  4.0 * unit * (terms + unit) / (1.0 + terms));
  }
  const Vector c = free_acceleration(pushed, trace.mass);
  const auto length = [&](const Vector& x) {
    return Vector(trace.mass.factor.transpose().triangularView<Eigen::Upper>() * x).norm();
  };
  const double now = length(q - c), least = length(best - c);
  const double G = now * now;
  const double rounding = unit * (length(q) + length(c));
  return judged(std::abs(now - least) * (now + least) / (1.0 + G),
                rounding * (2.0 * now + rounding) / (1.0 + G));
}

/// |M q'' - Q - A^T lambda - F^C| / (|M||q''| + |Q| + |C|)
/// Bound: the roundings of all terms, at the size of the terms: a = M^-1 Q and A^T lambda may be larger than
/// their sum, and so may F^C = C - A^T mu where rows nearly depend.
Check kkt_residual(const Problem& at, const Trace& trace, const Displacements& Z, const Vector& q,
                   const Vector& lambda, const Vector& nonideal) {
  const Vector residual = at.M * q - at.Q - at.A.transpose() * lambda - nonideal;
  const double mass = at.M.norm(), size = mass * q.norm() + at.Q.norm() + at.C.norm();
  double terms = size + nonideal.norm() + at.A.rowwise().norm().dot(lambda.cwiseAbs());
  if (at.C.size() > 0) terms += Z.terms(nonideal - at.C);
  if (trace.mass.kind == MassKind::definite)
    terms += (at.M.cwiseAbs() * free_acceleration(at, trace.mass).cwiseAbs()).norm();
  const double against = size > 0.0 ? size : terms;
  return judged(relative(residual.norm(), against),
                rounding_unit(at, trace.dropped) * relative(terms, against));
}

}  // namespace

void certify(const Problem& at, const Trace& trace, double rank_tolerance, Solution& out) {
  const Vector q = to_vector(out.acceleration), lambda = to_vector(out.multipliers);
  out.certificate.constraint_residual = constraint_residual(at, trace, q, out);
  const Displacements Z(at, out.rank);
  out.certificate.virtual_work = virtual_work(at, Z, q, to_vector(out.constraint_force), lambda);
  out.certificate.nonideal_work = nonideal_work(at, Z, q, out);
  out.extended_gaussian = extended_gaussian(at, trace, q, out.gaussian);
  out.certificate.kkt_residual = kkt_residual(at, trace, Z, q, lambda, to_vector(out.nonideal_force));
  if (out.status == Status::contradicting) {
    // The answer is the minimum among all that miss the rows by the same: the rows with what they reach as
    // right side.
    Problem reached = at;
    reached.b = at.A * q;
    out.certificate.gauss_gap = gauss_gap(reached, trace, rank_tolerance, q);
  } else {
    out.certificate.gauss_gap = gauss_gap(at, trace, rank_tolerance, q);
  }
}

}  // namespace vinculum::dense
