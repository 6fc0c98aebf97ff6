// Everything that Detail::full says, without dense matrices beside with them: two roads to the same numbers.
#include "equation/sparse/sparse_rank.hpp"

#include <gtest/gtest.h>

#include "equation/dense/roads.hpp"
#include "equation/sample.hpp"

namespace vinculum {
namespace {

using dense::Matrix;
using dense::to_vector;
using dense::Vector;
using sample::Kind;

/// As if there were no room for dense matrices.
Solution without_dense_matrices(const Equations& at) { return solve(at, {.robust_limit = 1}); }

Kind random_kind(int seed, sample::Numbers& number) {
  Kind kind;
  kind.coordinates = 4 + number.below(30);
  kind.rank = 1 + number.below(kind.coordinates - 1);
  kind.rows = kind.rank + number.below(6);
  kind.sparse = true;
  kind.row_scales = number.below(2) == 1;
  kind.nonideal = number.below(2) == 1;
  kind.seed = static_cast<std::uint64_t>(seed);
  return kind;
}

/// The projector on what makes no force: the same for any basis of it.
Matrix projector(const Solution& out, int rows) {
  Matrix basis(rows, static_cast<Eigen::Index>(out.freedom.size()));
  for (std::size_t k = 0; k < out.freedom.size(); ++k)
    basis.col(static_cast<Eigen::Index>(k)) = to_vector(out.freedom[k]);
  return basis * basis.transpose();
}

void expect_dependencies_hold(const Equations& at, const Solution& out) {
  const Matrix A = dense::to_problem(at).A;
  for (const Dependency& d : out.dependencies) {
    Vector left = A.row(d.row);
    double terms = left.norm();
    for (std::size_t k = 0; k < d.on.size(); ++k) {
      EXPECT_LT(d.on[k], d.row) << "a row follows from rows written before it";
      left -= d.weight[k] * A.row(d.on[k]).transpose();
      terms += std::abs(d.weight[k]) * A.row(d.on[k]).norm();
    }
    EXPECT_LE(left.norm(), 1e-10 * terms);  // parts below 1e-11 are left out
  }
}

TEST(SparseRank, SaysWhatTheDenseLookSays) {
  int compared = 0;
  for (int seed = 0; seed < 400; ++seed) {
    sample::Numbers number(static_cast<std::uint64_t>(seed));
    const Equations at = sample::make(random_kind(seed, number));
    const Solution dense_look = solve(at, {.road = Road::robust}), sparse_look = without_dense_matrices(at);
    const SparseRank found = look_at_rank(at);
    if (!found.certain || sparse_look.status != Status::solved) continue;  // it may say that it does not know
    ++compared;
    ASSERT_EQ(sparse_look.rank, dense_look.rank) << seed;
    EXPECT_EQ(sparse_look.multipliers_unique, dense_look.multipliers_unique) << seed;
    ASSERT_EQ(sparse_look.dependencies.size(), dense_look.dependencies.size()) << seed;
    for (std::size_t k = 0; k < sparse_look.dependencies.size(); ++k)
      EXPECT_EQ(sparse_look.dependencies[k].row, dense_look.dependencies[k].row) << seed;
    expect_dependencies_hold(at, sparse_look);
    const sample::Measure measure(at);
    // Rounding of some 60 terms over the smallest singular value; the rows differ in scale by up to 1e12.
    const double loss = 1e-13 * measure.condition * measure.condition;
    EXPECT_LE((projector(sparse_look, at.rows()) - projector(dense_look, at.rows())).norm(), 1e-6) << seed;
    const Vector lambda = to_vector(dense_look.multipliers);
    const Vector scale = measure.at.A.rowwise().norm();
    EXPECT_LE(scale.cwiseProduct(to_vector(sparse_look.multipliers) - lambda).norm(),
              loss * (scale.cwiseProduct(lambda).norm() + to_vector(at.Q).norm() + 1.0))
        << seed;
    EXPECT_TRUE(sparse_look.certificate.holds()) << seed;
    EXPECT_NEAR(sparse_look.extended_gaussian, dense_look.extended_gaussian,
                loss * (1.0 + dense_look.extended_gaussian))
        << seed;
  }
  EXPECT_GT(compared, 300);
}

TEST(SparseRank, RowsNearlyDependentAreLeftToADenseLook) {
  for (const double apart : {1e-7, 1e-9, 1e-11, 1e-13}) {
    Equations at;
    at.M = SparseMatrix::diagonal(std::vector<double>{1.0, 1.0, 1.0});
    at.A = SparseMatrix::from_dense(2, 3, std::vector<double>{1, 0, 0, 1, apart, 0});
    at.Q = {1.0, 2.0, 3.0};
    at.b = {0.0, 0.0};
    EXPECT_FALSE(look_at_rank(at).certain && look_at_rank(at).rank == 2) << apart;
  }
}

TEST(SparseRank, TheChecksSeeAForceThatIsNoForceOfTheRows) {
  sample::Numbers number(5);
  Equations at = sample::make({.coordinates = 12, .rows = 5, .rank = 5, .sparse = true, .seed = 7});
  const Solution right = without_dense_matrices(at);
  ASSERT_TRUE(right.certificate.holds());
  Solution off = right;
  const sample::Measure measure(at);
  const Vector push = 1e-6 * measure.virtual_displacement(number);
  for (int i = 0; i < 12; ++i) {
    off.constraint_force[i] += push(i) * to_vector(right.constraint_force).norm();
    off.acceleration[i] += push(i);
  }
  dense::certify_large(at, {off.free_acceleration, {}}, 0.1, off);
  EXPECT_FALSE(off.certificate.virtual_work.holds());
  EXPECT_FALSE(off.certificate.gauss_gap.holds() && off.certificate.kkt_residual.holds());
}

}  // namespace
}  // namespace vinculum
