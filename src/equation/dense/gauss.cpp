// The minimum of Gauss's function by elimination, as in (37)-(43) of the equivalence paper: a witness.
#include "equation/dense/curvature.hpp"
#include "equation/dense/elimination.hpp"

namespace vinculum::dense {
namespace {

/// q'' = S x, x = x_0 + T w with A S T = 0: the dependent accelerations are expressed by the free ones w.
/// Without constraints on w, Gauss's function is smallest where its derivative is zero:
///     (T^T S M S T) w = T^T S (Q - M S x_0)
class Gauss {
 public:
  Gauss(const Problem& at, const Mass& mass, double rank_tolerance)
      : rows(at, mass, rank_tolerance), at_(at), mass_(mass), T_(rows.T) {
    if (T_.cols() == 0) return;
    if (mass.kind != MassKind::definite) {
      // With a singular M it matters how small H is: that needs directions of length one.
      T_ = pivoted_qr(rows.T, rows.T.cols()).Q;
      const Matrix loose = loose_directions(T_.transpose() * mass.scaled * T_, mass.noise);
      if (loose.cols() > 0) open = taking_part(T_ * loose);
    }
    curvature_.compute(T_.transpose() * mass.scaled * T_, mass.kind);
  }

  Elimination rows;
  std::vector<int> open;

  Response respond(const Vector& Q, const Vector& b) const {
    return refined(at_, Q, b, [this](const Vector& force, const Vector& right) {
      const Vector pushed = mass_.scale.cwiseProduct(force);
      Vector x = rows.particular(right);
      if (T_.cols() > 0) {
        const Vector slope = T_.transpose() * (pushed - mass_.scaled * x);
        x += T_ * curvature_.solve(slope);
      }
      const Vector held = rows.force(mass_.scaled * x - pushed);
      return Response{mass_.scale.cwiseProduct(x), held.cwiseQuotient(mass_.scale), Vector()};
    });
  }

 private:
  const Problem& at_;
  const Mass& mass_;
  Matrix T_;
  Curvature curvature_;
};

}  // namespace

Trace gauss_road(const Problem& at, const SolveOptions& options, Solution& out) {
  Trace trace{judge_mass(at.M)};
  out.saddle = trace.mass.kind == MassKind::indefinite;
  if (out.saddle && !options.stationary) {
    write_indefinite(at, trace.mass, out);
    return trace;
  }
  const Gauss gauss(at, trace.mass, options.rank_tolerance);
  out.rank = gauss.rows.rank;
  trace.dropped = gauss.rows.dropped;
  trace.smallest_pivot = gauss.rows.smallest_pivot;
  if (!gauss.open.empty()) {
    write_nothing(at.coordinates(), at.rows(), out);
    out.status = Status::undetermined;
    out.coordinates = gauss.open;
    return trace;
  }
  bear_witness(
      at, trace, gauss.rows, options, [&](const Vector& Q, const Vector& b) { return gauss.respond(Q, b); },
      out);
  return trace;
}

bool minimum_by_elimination(const Problem& at, const Mass& mass, double rank_tolerance,
                            Vector& acceleration) {
  const Gauss gauss(at, mass, rank_tolerance);
  if (!gauss.open.empty()) return false;
  const Vector push = at.C.size() > 0 ? Vector(at.Q + at.C) : at.Q;
  acceleration = gauss.respond(push, at.b).acceleration;
  return true;
}

}  // namespace vinculum::dense
