#include <Eigen/Eigenvalues>
#include <string>

#include "equation/dense/factorise.hpp"
#include "equation/dense/mass.hpp"
#include "equation/dense/row_space.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/equation/row_scale.hpp"
#include "vinculum/equation/solve.hpp"

namespace vinculum {
namespace {

std::vector<double> row_major(const dense::Matrix& from) {
  std::vector<double> out(static_cast<std::size_t>(from.size()));
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(out.data(), from.rows(),
                                                                                     from.cols()) = from;
  return out;
}

/// Coordinates that M couples, directly or through others: each such set by itself, so that a light one keeps
/// its digits beside a heavy one.
std::vector<std::vector<int>> coupled(const dense::Matrix& M) {
  std::vector<std::vector<int>> sets;
  std::vector<char> known(static_cast<std::size_t>(M.rows()), 0);
  for (int first = 0; first < M.rows(); ++first) {
    if (known[first]) continue;
    std::vector<int> set{first};
    known[first] = 1;
    for (std::size_t k = 0; k < set.size(); ++k)
      for (int i = 0; i < M.rows(); ++i)
        if (!known[i] && M(i, set[k]) != 0.0) {
          known[i] = 1;
          set.push_back(i);
        }
    sets.push_back(set);
  }
  return sets;
}

/// The symmetric root of M, and its inverse.
void take_root(const dense::Matrix& M, dense::Matrix& root, dense::Matrix& inverse) {
  root = inverse = dense::Matrix::Zero(M.rows(), M.rows());
  for (const std::vector<int>& set : coupled(M)) {
    const Eigen::SelfAdjointEigenSolver<dense::Matrix> part(M(set, set));
    root(set, set) = part.operatorSqrt();
    inverse(set, set) = part.operatorInverseSqrt();
  }
}

}  // namespace

// With M = L L^T and A L^-T = W Q1^T:  K1 = L^-T Q1 W^+,  K = L Q1 W^+,  K2 = (W W^T)^+ = (W^+)^T W^+.
Proportionality proportionality(const Equations& at, double rank_tolerance) {
  if (const int row = row_beyond_squares(at.A); row >= 0)
    fail("proportionality: row " + std::to_string(row) +
         " has coefficients whose squares are no numbers, and K2 is made of these; state it in other units");
  const dense::Problem problem = dense::to_problem(at);
  const dense::Mass mass = dense::judge_mass(problem.M);
  if (mass.kind != dense::MassKind::definite)
    fail(
        "proportionality: the mass matrix is singular or has a negative direction; K, K1 and K2 contain M^-1 "
        "and need a "
        "positive definite one");
  const dense::RowSpace rows(dense::solve_lower(mass.factor, problem.A.transpose()), rank_tolerance, false);
  const dense::Matrix inverse = rows.written.inverse();
  const dense::Matrix turned = rows.basis * inverse;
  const dense::Matrix K1 = dense::solve_lower_transposed(mass.factor, turned);
  dense::Matrix root, inverse_root;
  take_root(problem.M, root, inverse_root);
  return {
      row_major(problem.A * inverse_root), row_major(root * K1), row_major(root),
      row_major(mass.factor * turned),     row_major(K1),        row_major(inverse.transpose() * inverse)};
}

}  // namespace vinculum
