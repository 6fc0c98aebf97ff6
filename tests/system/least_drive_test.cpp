// The least forces of actuators, against the same by Eigen's pseudo-inverses in the root of W.
#include "system/evaluate/least_drive.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "equation/sample.hpp"
#include "support/allocations.hpp"

namespace vinculum {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// W = B B^T of `moving` directions, G = D B^T: actuators beyond these directions move nothing new.
struct Drawn {
  MatrixXd W, G;
  VectorXd reach;
  Drawn(int actuators, int moving, int rows, std::uint64_t seed) {
    sample::Numbers number(seed);
    const auto any = [&](int m, int n) {
      return MatrixXd::NullaryExpr(m, n, [&] { return number.normal(); });
    };
    MatrixXd B = any(actuators, moving);
    for (int i = 0; i < actuators; ++i) B.row(i) *= std::pow(10.0, number.between(-3, 3));  // units
    const MatrixXd D = any(rows, moving);
    W = B * B.transpose();
    G = D * B.transpose();
    reach = D.rowwise().norm();
  }
  void give(LeastDrive& to) const {
    const auto take = [](const MatrixXd& from, Columns& columns) {
      columns.resize(static_cast<int>(from.rows()), static_cast<int>(from.cols()));
      Eigen::Map<MatrixXd>(columns.value.data(), from.rows(), from.cols()) = from;
    };
    take(W, to.W);
    take(G, to.G);
    to.reach.assign(reach.data(), reach.data() + reach.size());
  }
};

TEST(LeastDrive, MeetsTheRowsWithTheLeastWorkAndNothingThatMovesNothing) {
  for (const int actuators : {1, 2, 5, 8, 13, 30})
    for (const int spare : {0, 2})  // forces that move nothing
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        const int moving = std::max(1, actuators - spare), rows = std::max(1, moving - 2);
        const Drawn of(actuators, moving, rows, seed);
        sample::Numbers number(seed + 100);
        const VectorXd asked = VectorXd::NullaryExpr(rows, [&] { return number.normal(); });
        LeastDrive least;
        of.give(least);
        least.factorise(1e-10);
        std::vector<double> g(asked.data(), asked.data() + rows);
        least.solve(g);
        ASSERT_EQ(static_cast<int>(g.size()), actuators);
        const VectorXd u = Eigen::Map<VectorXd>(g.data(), actuators);
        const VectorXd size = of.W.diagonal().cwiseSqrt();
        const double terms = (of.G.cwiseAbs() * u.cwiseAbs()).norm();
        EXPECT_LT((of.G * u - asked).norm(), 1e-9 * terms) << actuators << " " << spare << " " << seed;
        // The least: W u is a combination of the rows of G.
        const VectorXd pull = (of.W * u).cwiseQuotient(size);
        const MatrixXd span = size.cwiseInverse().asDiagonal() * of.G.transpose();
        const VectorXd left = pull - span * span.completeOrthogonalDecomposition().solve(pull);
        EXPECT_LT(left.norm(), 1e-9 * pull.norm()) << actuators << " " << spare << " " << seed;
        // Nothing of it moves nothing: u is what W makes of some force.
        MatrixXd range = of.W;
        for (int k = 0; k < actuators; ++k) range.col(k) /= size(k);
        const Eigen::JacobiSVD<MatrixXd> svd(range, Eigen::ComputeFullU);
        const VectorXd idle = svd.matrixU().rightCols(actuators - moving).transpose() * u;
        EXPECT_LT(idle.norm(), 1e-6 * u.norm()) << actuators << " " << spare << " " << seed;
      }
}

TEST(LeastDrive, AllocatesNothingOnceItHasRoom) {
  const Drawn of(8, 7, 5, 1);
  LeastDrive least;
  std::vector<double> g(8);
  const auto solve = [&] {
    of.give(least);
    least.factorise(1e-10);
    g.assign(5, 1.0);
    least.solve(g);
  };
  solve();
  const long before = allocations();
  solve();
  EXPECT_EQ(allocations() - before, 0);
}

}  // namespace
}  // namespace vinculum
