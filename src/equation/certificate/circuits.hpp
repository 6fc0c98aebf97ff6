// Rows that follow from other rows.
#pragma once
#include "equation/dense/row_space.hpp"
#include "vinculum/equation/solution.hpp"

namespace vinculum::dense {

/// A row that follows from others, all of length one:  unit row = sum of weight[k] * unit row on[k].
/// Weights that are rounding are left out, so `row` and `on` together are a smallest dependent set.
struct Circuit {
  int row = 0;
  std::vector<int> on;
  std::vector<double> weight;
};

/// Takes the rows in the given order; each one that follows from those already taken makes a circuit with
/// them. As many rows are taken as the rank says.
std::vector<Circuit> circuits(const RowSpace& rows, const std::vector<int>& order, double rank_tolerance);

/// The circuits in the order of the rows, with weights for the rows as they were written.
std::vector<Dependency> dependencies(const RowSpace& rows, double rank_tolerance);

/// Orthonormal vectors over the rows that make no force, A^T n = 0: as columns, one for each dependency. A
/// row without part in any of them has no part in these either, whatever its scale.
Matrix freedom(const std::vector<Dependency>& dependencies, int rows);

/// The shortest lambda with A^T lambda = force. `basic(f)` gives one that is zero for the rows that follow.
/// Taking the freedom out leaves a rounding at the size of the largest multiplier, which the largest rows
/// turn into force; what the force then lacks is given back without new freedom, and is smaller with every
/// pass.
template <class Basic>
Vector shortest(const Matrix& A, const Vector& force, const Matrix& freedom, Basic&& basic) {
  const auto bound = [&](const Vector& lambda) {
    return Vector(lambda - freedom * (freedom.transpose() * lambda));
  };
  Vector lambda = bound(basic(force));
  for (int pass = 0; pass < 3; ++pass) {
    const Vector left = force - A.transpose() * lambda;
    lambda = bound(lambda) + bound(basic(left));
  }
  return lambda;
}

}  // namespace vinculum::dense
