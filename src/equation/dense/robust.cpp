// The robust road: never squares the condition number, tells redundant rows from contradicting ones.
#include <algorithm>
#include <cmath>

#include "equation/certificate/conflict.hpp"
#include "equation/dense/curvature.hpp"
#include "equation/dense/factorise.hpp"
#include "equation/dense/roads.hpp"

namespace vinculum::dense {
namespace {

/// M and A factorised; answers any Q and b. T is L^-T with M = L L^T, or the scales of the coordinates where
/// M is singular; in both cases  A T = W Q1^T  with W for the rows as they were written.
class Robust {
 public:
  Robust(const Problem& at, const Mass& mass, double rank_tolerance)
      : rows(turned(mass, at.A.transpose()), rank_tolerance, mass.kind != MassKind::definite),
        at_(at),
        mass_(mass) {
    if (mass.kind != MassKind::definite && rows.complement.cols() > 0) restrict_mass();
  }

  RowSpace rows;
  std::vector<int> open;  ///< coordinates that M and A leave undetermined

  /// Coordinates with a part in directions that the rows leave and in which hardly any mass is felt.
  std::vector<int> hardly_felt() const {
    const Matrix& Z = rows.complement;
    if (!open.empty() || Z.cols() == 0) return open;
    const Matrix H = Z.transpose() * mass_.scaled * Z;
    const Matrix loose = loose_directions(H, drowned * mass_.scaled.diagonal().maxCoeff());
    return loose.cols() > 0 ? taking_part(Z * loose) : std::vector<int>();
  }

  /// `least_squares`: rows that disagree are met as nearly as they can be, as they were written.
  Response respond(const Vector& Q, const Vector& b, bool least_squares) const {
    return refined(at_, Q, b, [&](const Vector& force, const Vector& right) {
      return mass_.kind == MassKind::definite ? by_range(force, right, least_squares)
                                              : by_null_space(force, right, least_squares);
    });
  }

  /// The shortest lambda with A^T lambda = force.
  Vector multipliers(const Vector& force, const Matrix& free) const {
    return shortest(at_.A, force, free, [&](const Vector& of) {
      return rows.basic_multipliers(rows.basis.transpose() * turned(mass_, of));
    });
  }

 private:
  /// T^T x
  static Matrix turned(const Mass& mass, const Matrix& x) {
    if (mass.kind != MassKind::definite) return mass.scale.asDiagonal() * x;
    return solve_lower(mass.factor, x);
  }
  Vector pull_for(const Vector& e, bool least_squares) const {
    return least_squares ? rows.written.least_squares(e) : rows.solve_independent(e);
  }

  /// T^-T Q1 y, made of the rows themselves: then it is a force of the constraints to rounding.
  Vector force_of(const Vector& pull) const { return at_.A.transpose() * rows.basic_multipliers(pull); }

  /// q'' = a + T Q1 y,  W y = b - A a,  force = T^-T Q1 y
  Response by_range(const Vector& force, const Vector& right, bool least_squares) const {
    const Vector a = solve_lower_transposed(mass_.factor, turned(mass_, force));
    const Vector pull = pull_for(right - at_.A * a, least_squares);
    return {a + solve_lower_transposed(mass_.factor, rows.basis * pull), force_of(pull), pull};
  }

  /// q'' = T (Q1 y + Q2 w),  W y = b,  (Q2^T T M T Q2) w = Q2^T T (Q - M T Q1 y),  force = M q'' - Q
  Response by_null_space(const Vector& force, const Vector& right, bool least_squares) const {
    const Vector turned_force = turned(mass_, force);
    Vector x = rows.basis * pull_for(right, least_squares);
    if (open.empty() && rows.complement.cols() > 0) {
      const Vector left = rows.complement.transpose() * (turned_force - mass_.scaled * x);
      x += rows.complement * restricted_.solve(left);
    }
    const Vector pull = rows.basis.transpose() * (mass_.scaled * x - turned_force);
    return {mass_.scale.cwiseProduct(x), force_of(pull), pull};
  }

  void restrict_mass() {
    const Matrix& Z = rows.complement;
    const Matrix H = Z.transpose() * mass_.scaled * Z;
    // Rounding in M and Z moves the eigenvalues of H as it moves those of M: one below that holds nothing.
    const Matrix loose = loose_directions(H, mass_.noise);
    if (loose.cols() > 0)
      open = taking_part(Z * loose);
    else
      restricted_.compute(H, mass_.kind);
  }

  const Problem& at_;
  const Mass& mass_;
  Curvature restricted_;
};

enum class Rows { agree, differ, contradict };

/// Rows agree to rounding, differ by less than the tolerance (the truncation error of a step), or contradict.
Rows judge_rows(const RowSpace& rows, const Agreement& agreement) {
  const double rounding = 64.0 * static_cast<double>(rows.unit_rows.rows() + rows.unit_rows.cols()) * epsilon;
  double worst = 0.0;
  for (const Circuit& circuit : pivot_circuits(rows))
    worst = std::max(worst, agreement.disagreement(circuit));
  if (worst > 1.0) return Rows::contradict;
  return worst * agreement.tolerance > rounding ? Rows::differ : Rows::agree;
}

void write_conflict(const Conflict& conflict, Solution& out) {
  out.status = Status::contradicting;
  out.rows = conflict.rows;
  out.gap = conflict.gap;
}

/// Light coordinates that rows hold are solved as those without mass are, where M^-1 would drown others;
/// those that the rows leave free keep the mass they have.
Mass hold_light(const Problem& at, const Mass& stated, double rank_tolerance) {
  if (stated.kind != MassKind::definite || at.rows() == 0) return stated;
  std::vector<int> held = at.light;
  while (!held.empty()) {
    Mass mass = without_mass_of(at.M, stated, held);
    const std::vector<int> free = Robust(at, mass, rank_tolerance).hardly_felt();
    if (free.empty()) return mass;
    const std::size_t before = held.size();
    std::erase_if(held, [&](int i) { return std::find(free.begin(), free.end(), i) != free.end(); });
    if (held.size() == before) break;
  }
  return stated;
}

}  // namespace

Trace robust_road(const Problem& at, const SolveOptions& options, Solution& out) {
  const Mass stated = judge_mass(at.M);
  Trace trace{hold_light(at, stated, options.rank_tolerance)};
  const Mass& mass = trace.mass;
  const Robust factors(at, mass, options.rank_tolerance);
  const RowSpace& rows = factors.rows;
  trace.dropped = rows.dropped;
  if (rows.rank > 0) trace.smallest_pivot = std::abs(rows.R(rows.rank - 1, rows.rank - 1));
  out.rank = rows.rank;
  out.singular_value_near = rows.near;
  out.saddle = mass.kind == MassKind::indefinite;
  if (out.saddle && !options.stationary) {
    write_indefinite(at, mass, out);
    return trace;
  }

  Response ideal = factors.respond(at.Q, at.b, false);
  const Agreement agreement(at, rows, ideal.acceleration, free_acceleration(at, mass),
                            options.contradiction_tolerance);
  const Rows judged = judge_rows(rows, agreement);
  if (judged == Rows::contradict) write_conflict(find_conflict(rows, agreement, options.rank_tolerance), out);
  if (!factors.open.empty()) {
    // Rows that contradict allow no motion at all, so that verdict stands before coordinates left open.
    write_nothing(at.coordinates(), at.rows(), out);
    out.coordinates = factors.open;
    if (out.status == Status::solved) out.status = Status::undetermined;
    return trace;
  }
  if (judged != Rows::agree) ideal = factors.respond(at.Q, at.b, true);

  const Vector none = Vector::Zero(at.coordinates());
  out.dependencies = dependencies(rows, options.rank_tolerance);
  const Matrix free = freedom(out.dependencies, at.rows());
  Answer answer{ideal.acceleration, none, ideal.force, none, factors.multipliers(ideal.force, free)};
  if (at.C.size() > 0) {
    // F^C = C - A^T mu, where A^T mu keeps C alone from breaking the rows.
    const Response extra = factors.respond(at.C, Vector::Zero(at.rows()), false);
    // Both parts may be larger than their sum: the rows are met once more by the sum itself.
    const Vector left = at.b - at.A * (ideal.acceleration + extra.acceleration);
    answer.extra = extra.acceleration + factors.respond(none, left, judged != Rows::agree).acceleration;
    answer.nonideal = at.C + extra.force;
  }
  write_down(at, stated, answer, out);
  write_freedom(free, out);
  return trace;
}

}  // namespace vinculum::dense
