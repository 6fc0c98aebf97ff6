// Dense copies of the numbers of one instant, for the roads that work densely. Eigen stays inside src/.
#pragma once
#include <Eigen/Core>
#include <limits>
#include <span>
#include <vector>

#include "vinculum/equation/equations.hpp"
#include "vinculum/equation/light.hpp"
#include "vinculum/equation/sparse_row.hpp"

namespace vinculum::dense {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

inline constexpr double epsilon = std::numeric_limits<double>::epsilon();
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// M q'' = Q + C,  A q'' = b. C has no entries when the constraints are ideal.
struct Problem {
  Matrix M;
  Vector Q;
  Matrix A;
  Vector b;
  Vector C;
  std::vector<int> light = {};  ///< coordinates beside which others drown

  int coordinates() const { return static_cast<int>(Q.size()); }
  int rows() const { return static_cast<int>(b.size()); }
};

inline Matrix to_matrix(const SparseMatrix& sparse, int columns) {
  Matrix out = Matrix::Zero(sparse.rows, columns);
  for (int i = 0; i < sparse.rows; ++i)
    for (const auto [column, value] : row_of(sparse, i)) out(i, column) += value;
  return out;
}

inline Vector to_vector(const std::vector<double>& values) {
  return Eigen::Map<const Vector>(values.data(), static_cast<Eigen::Index>(values.size()));
}

inline std::span<const double> span_of(const Vector& x) {
  return {x.data(), static_cast<std::size_t>(x.size())};
}

inline void store(const Vector& from, std::vector<double>& to) {
  to.assign(from.data(), from.data() + from.size());
}

/// Copies the numbers. A without rows may come without columns.
inline Problem to_problem(const Equations& at) {
  const int n = at.coordinates();
  return {to_matrix(at.M, n), to_vector(at.Q), to_matrix(at.A, n),
          to_vector(at.b),    to_vector(at.C), light_coordinates(at.M, at.A)};
}

/// The answer of one road to a force Q and a right side b. `pull` is what the road keeps to make multipliers
/// from; `force` is the constraint force that belongs to it.
struct Response {
  Vector acceleration;
  Vector force;
  Vector pull;
};

/// Iterative refinement:  M q'' - force = Q,  A q'' = b  is solved again for what the answer leaves of Q and
/// b, so that the residual falls to the rounding of its own terms, whatever the scales of rows and masses.
/// Every step gains all digits the factorisation holds; the second one is for systems where it holds less
/// than half of them.
template <class Step>
Response refined(const Problem& at, const Vector& Q, const Vector& b, Step&& step) {
  Response sum = step(Q, b);
  for (int k = 0; k < 2; ++k) {
    const Vector left_of_Q = Q + sum.force - at.M * sum.acceleration;
    const Vector left_of_b = b - at.A * sum.acceleration;
    const Response correction = step(left_of_Q, left_of_b);
    sum.acceleration += correction.acceleration;
    sum.force += correction.force;
    sum.pull += correction.pull;
  }
  return sum;
}

}  // namespace vinculum::dense
