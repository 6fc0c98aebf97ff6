#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "equation/kinds.hpp"
#include "equation/reference.hpp"
#include "vinculum/base/error.hpp"

namespace vinculum {
namespace {

using dense::to_vector;
using dense::Vector;
using sample::Matrix;

Matrix matrix(const std::vector<double>& row_major, Eigen::Index rows, Eigen::Index columns) {
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      row_major.data(), rows, columns);
}

TEST(Proportionality, DeviationForceAndMultipliersAreProportionalToTheDissatisfaction) {
  const Equations at = reference::equations(reference::read("f01-redundant-consistent")["parameters"]);
  const Proportionality of = proportionality(at);
  const Solution out = solve(at);
  const Vector e = to_vector(out.dissatisfaction);
  // A few ulps times the condition of the case (below 40).
  const double tolerance = 4 * 40 * dense::epsilon;
  EXPECT_LE((matrix(of.K1, 4, 4) * e - to_vector(out.deviation)).norm(), tolerance * e.norm());
  EXPECT_LE((matrix(of.K, 4, 4) * e - to_vector(out.constraint_force)).norm(), tolerance * e.norm());
  EXPECT_LE((matrix(of.K2, 4, 4) * e - to_vector(out.multipliers)).norm(), tolerance * e.norm());
}

TEST(Proportionality, ASingularMassMatrixIsAnError) {
  const Equations at{SparseMatrix::diagonal(std::vector<double>{1.0, 0.0}),
                     {0.0, 0.0},
                     SparseMatrix::from_dense(1, 2, std::vector<double>{1.0, 1.0}),
                     {0.0},
                     {}};
  try {
    proportionality(at);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(
        error.text(),
        "proportionality: the mass matrix is singular or has a negative direction; K, K1 and K2 contain M^-1 "
        "and need a positive definite one");
  }
}

TEST(Proportionality, ARowWhoseSquaresAreNoNumbersIsAnError) {
  const Equations at{SparseMatrix::diagonal(std::vector<double>{1.0, 2.0}),
                     {0.0, 0.0},
                     SparseMatrix::from_dense(2, 2, std::vector<double>{1.0, 0.0, 0.0, 1e160}),
                     {0.0, 0.0},
                     {}};
  try {
    proportionality(at);
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "proportionality: row 1 has coefficients whose squares are no numbers, and K2 is made of "
                 "these; state it in other units");
  }
}

/// X = M^1/2 K1 is the Moore-Penrose inverse of B = A M^-1/2. With M = L L^T: B = A L^-T, X = L^T K1, the
/// same but for a rotation that the four conditions do not see.
RC_GTEST_PROP(Proportionality, K1MeetsTheFourConditionsOfMooreAndPenrose, ()) {
  sample::Kind kind = sample::any_kind();
  kind.row_scales = false;  // B X is for the rows as written: with scales its entries have none in common
  sample::for_systems(kind, [](const Equations& at, const sample::Measure& measure, const sample::Kind&) {
    const int n = at.coordinates(), m = at.rows();
    const Proportionality of = proportionality(at);
    const Matrix B = sample::Measure::turned(measure.at, measure.mass).transpose();
    const Matrix X = measure.mass.factor.transpose() * matrix(of.K1, n, m);
    // Rounding of products, grown by the condition of the rows; rows differ in size through the masses.
    const double unit = 16.0 * (n + m) * dense::epsilon * (1.0 + B.norm() * X.norm());
    RC_ASSERT((B * X * B - B).norm() <= unit * B.norm());
    RC_ASSERT((X * B * X - X).norm() <= unit * X.norm());
    RC_ASSERT((B * X - (B * X).transpose()).norm() <= unit);
    RC_ASSERT((X * B - (X * B).transpose()).norm() <= unit);
    // K = M K1 and K2 = (A M^-1 A^T)^+ = X^T X
    const Matrix L = measure.mass.factor;
    RC_ASSERT((dense::solve_lower(L, matrix(of.K, n, m)) - X).norm() <= unit * X.norm());
    RC_ASSERT((matrix(of.K2, m, m) - X.transpose() * X).norm() <= unit * X.norm() * X.norm());
  });
}

}  // namespace
}  // namespace vinculum
