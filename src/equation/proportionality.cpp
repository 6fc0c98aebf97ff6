#include "equation/factorise.hpp"
#include "equation/mass.hpp"
#include "equation/row_space.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/equation/solve.hpp"

namespace vinculum {
namespace {

std::vector<double> row_major(const dense::Matrix& from) {
  std::vector<double> out(static_cast<std::size_t>(from.size()));
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(out.data(), from.rows(),
                                                                                     from.cols()) = from;
  return out;
}

}  // namespace

// With M = L L^T and A L^-T = W Q1^T:  K1 = L^-T Q1 W^+,  K = L Q1 W^+,  K2 = (W W^T)^+ = (W^+)^T W^+.
Proportionality proportionality(const Equations& at, double rank_tolerance) {
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
  return {row_major(mass.factor * turned), row_major(dense::solve_lower_transposed(mass.factor, turned)),
          row_major(inverse.transpose() * inverse)};
}

}  // namespace vinculum
