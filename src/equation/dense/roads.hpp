// The roads that work densely, and what they share.
#pragma once
#include "equation/dense/mass.hpp"
#include "vinculum/equation/solve.hpp"

namespace vinculum::dense {

/// What a road found out beside its answer, for the certificate.
struct Trace {
  Mass mass;
  double dropped = 0.0;         ///< part of a unit row that the rank tolerance left out
  double smallest_pivot = 1.0;  ///< of the unit rows that were kept: rounding grows by its inverse
};

/// Orthogonal and rank-revealing: the Moore-Penrose answer.
Trace robust_road(const Problem& at, const SolveOptions& options, Solution& out);
/// Lagrange's equations of the first kind.
Trace lagrange_road(const Problem& at, const SolveOptions& options, Solution& out);
/// The minimum of Gauss's function by elimination.
Trace gauss_road(const Problem& at, const SolveOptions& options, Solution& out);

/// The acceleration that makes (q'' - a - M^-1 C)^T M (q'' - a - M^-1 C) smallest under A q'' = b, by
/// elimination. False when M and A do not determine it.
bool minimum_by_elimination(const Problem& at, const Mass& mass, double rank_tolerance, Vector& acceleration);

/// Fills the checks of `out.certificate` and the extended Gauss function from the numbers in `out` and the
/// equations alone.
void certify(const Problem& at, const Trace& trace, double rank_tolerance, Solution& out);

/// A bound of 1 or more would let through as much as the terms themselves and tells nothing: there a number
/// has to be small by itself.
inline Check judged(double value, double bound) {
  constexpr double small_by_itself = 1e-6;
  return {value, bound < 1.0 ? bound : small_by_itself};
}

/// The same system with C pushing as Q does.
struct Pushed {
  std::vector<double> free_acceleration;  ///< M^-1 (Q + C)
  std::vector<double> multipliers;        ///< of F^L + F^C - C; none where there is no C, or no answer
};
/// The same without dense matrices, for large systems. `smallest`: the relative singular value of the
/// independent rows; 0: not known, and then checks that need the virtual displacements are not made.
void certify_large(const Equations& at, const Pushed& pushed, double smallest, Solution& out);

/// a = M^-1 Q; not a number where M is singular.
Vector free_acceleration(const Problem& at, const Mass& mass);
/// The same also where M has a negative direction and an inverse; not a number where it has none.
Vector regular_acceleration(const Problem& at, const Mass& mass);

/// The parts of an answer, before they are written down.
struct Answer {
  Vector ideal;        ///< acceleration without C
  Vector extra;        ///< acceleration that C adds
  Vector force;        ///< F^L, from the factorisation: A^T lambda loses digits where lambda is large
  Vector nonideal;     ///< F^C
  Vector multipliers;  ///< of the ideal problem, for the rows as written
};
/// Writes the vectors of an answer, a, e, and Gauss's function. What needs M^-1 is not a number where M is
/// singular.
void write_down(const Problem& at, const Mass& mass, const Answer& answer, Solution& out);
/// No answer: all vectors are not a number.
void write_nothing(int coordinates, int rows, Solution& out);
void write_freedom(const Matrix& freedom, Solution& out);
/// M with a negative direction: status and coordinates.
void write_indefinite(const Problem& at, const Mass& mass, Solution& out);

}  // namespace vinculum::dense
