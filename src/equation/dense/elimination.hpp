// Gauss-Jordan elimination of the rows, with complete pivoting: the ground of the two witnesses.
#pragma once
#include "equation/certificate/circuits.hpp"
#include "equation/dense/graded.hpp"
#include "equation/dense/roads.hpp"
#include "vinculum/equation/solve.hpp"

namespace vinculum::dense {

/// With S the scales of the coordinates, x = S^-1 q'', and D those of the rows, P (D A S) Q = L U stops at
/// the rank:
///     x_p = U11^-1 L11^-1 (D b)_p - X x_f,   X = U11^-1 U12
/// expresses the pivot coordinates by the free ones, and A S = W [U11 U12] Q^T with W = D^-1 P^T [L11; L21].
class Elimination {
 public:
  Elimination(const Problem& at, const Mass& mass, double rank_tolerance);

  int rank = 0;
  std::vector<int> row_order;     ///< the first `rank` rows are independent, the others follow from them
  std::vector<int> column_order;  ///< the first `rank` coordinates are expressed by the others
  Vector scale;                   ///< D
  double smallest_pivot = 1.0;    ///< relative to the largest
  double dropped = 0.0;           ///< size of what is left of the other rows
  Matrix T;                       ///< columns span the virtual displacements, in coordinates x: A S T = 0
  GradedRows written;             ///< of W
  Matrix free;                    ///< orthonormal vectors over the rows that make no force

  Vector particular(const Vector& b) const;          ///< x with x_f = 0 that meets the independent rows
  Vector force(const Vector& scaled_force) const;    ///< the part [U11 U12]^T y that agrees on the pivots
  Vector nearest_right_side(const Vector& b) const;  ///< W W^+ b: what the rows can meet
  Vector multipliers(const Problem& at, const Mass& mass,  ///< the shortest lambda with A^T lambda = force
                     const Vector& force) const;
  /// Part of their terms by which the rows that follow miss b, after the independent ones are met; 0:
  /// rounding.
  double disagreement(const Problem& at, const Vector& acceleration, const Vector& free) const;

 private:
  void find_freedom(const Matrix& L);
  Vector pull(const Vector& scaled_force) const;  // y with U11^T y = force on the pivot coordinates
  Matrix W_;
  Matrix L_;  // L11
  Matrix U_;  // [U11 U12], in the order of columns
};

/// The common course of both witnesses, once they can answer any Q and b:
/// `respond(Q, b)` is a Response whose force is that of the constraints.
template <class Respond>
void bear_witness(const Problem& at, const Trace& trace, const Elimination& rows, const SolveOptions& options,
                  Respond&& respond, Solution& out) {
  const int n = at.coordinates(), m = at.rows();
  Response ideal = respond(at.Q, at.b);
  const double apart = rows.disagreement(at, ideal.acceleration, free_acceleration(at, trace.mass));
  if (apart > options.contradiction_tolerance) out.status = Status::contradicting;
  Vector right = at.b;
  if (apart > 64.0 * (n + m) * epsilon) {
    right = rows.nearest_right_side(at.b);
    ideal = respond(at.Q, right);
  }
  const Vector none = Vector::Zero(n);
  Answer answer{ideal.acceleration, none, ideal.force, none, rows.multipliers(at, trace.mass, ideal.force)};
  if (at.C.size() > 0) {
    const Response extra = respond(at.C, Vector::Zero(m));
    // Both parts may be larger than their sum: the rows are met once more by the sum itself.
    const Vector left = right - at.A * (ideal.acceleration + extra.acceleration);
    answer.extra = extra.acceleration + respond(none, left).acceleration;
    answer.nonideal = at.C + extra.force;
  }
  write_down(at, trace.mass, answer, out);
  write_freedom(rows.free, out);
}

}  // namespace vinculum::dense
