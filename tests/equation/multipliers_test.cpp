#include "vinculum/equation/multipliers.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <Eigen/QR>
#include <Eigen/SVD>

#include "equation/kinds.hpp"
#include "equation/reference.hpp"
#include "vinculum/base/error.hpp"
#include "vinculum/equation/solve.hpp"

namespace vinculum {
namespace {

using dense::to_vector;
using sample::Kind;
using sample::Matrix;
using sample::Measure;
using sample::Numbers;
using sample::Vector;

Equations reference_case(const char* name) {
  return reference::equations(reference::read(name)["parameters"]);
}

TEST(Multipliers, TheFamilyOfTheReferenceMakesOneForce) {
  for (const char* name : {"f01-redundant-consistent", "f02-redundant-nonideal"}) {
    const Equations at = reference_case(name);
    const Solution out = solve(at);
    const Vector force = to_vector(out.constraint_force);
    const Matrix A = dense::to_matrix(at.A, 4);
    // I - A A^+ of a factorisation of another make.
    const Matrix projector = Matrix::Identity(4, 4) - A * A.completeOrthogonalDecomposition().pseudoInverse();
    Numbers number(7);
    for (int k = 0; k < 5; ++k) {
      const Vector h = number.vector(4);
      const Vector lambda = to_vector(multiplier_family(out, sample::plain(h)));
      // A dozen roundings of numbers of size one.
      EXPECT_LE((lambda - to_vector(out.multipliers) - projector * h).norm(), 1e-14);
      EXPECT_LE((A.transpose() * lambda - force).norm(), 1e-13);
      EXPECT_GE(lambda.norm(), to_vector(out.multipliers).norm());
    }
    EXPECT_EQ(multiplier_family(out, std::vector<double>(4, 0.0)), out.multipliers);
  }
}

TEST(Multipliers, ParallelRowsShareAForceThatARowApartDoesNot) {
  // c0 and c1 are parallel, c3 = c0 + c2: none is unique. With c3 gone c2 is.
  Equations at = reference_case("f01-redundant-consistent");
  EXPECT_EQ(unique_multipliers(solve(at)), (std::vector<bool>{false, false, false, false}));
  at.A.rows = 3;
  at.A.start.pop_back();
  at.A.column.resize(at.A.start.back());
  at.A.value.resize(at.A.start.back());
  at.b.pop_back();
  const Solution out = solve(at);
  EXPECT_EQ(unique_multipliers(out), (std::vector<bool>{false, false, true}));
  EXPECT_FALSE(unique_force(at, out, 0, 1));
  EXPECT_TRUE(unique_force(at, out, 0, 2));  // what the two carry together
  EXPECT_TRUE(unique_force(at, out, 2, 1));
}

TEST(Multipliers, ARowOfZerosMakesNoForceWhateverItsMultiplier) {
  const Equations at = reference_case("f04-zero-row");
  const Solution out = solve(at);
  EXPECT_EQ(unique_multipliers(out), (std::vector<bool>{true, false}));
  EXPECT_TRUE(unique_force(at, out, 1, 1));
}

TEST(Multipliers, WhatIsNotKnownIsNotSaid) {
  const Solution out = solve(reference_case("f01-redundant-consistent"), {.detail = Detail::motion});
  ASSERT_EQ(out.status, Status::solved);
  ASSERT_FALSE(out.multipliers_unique);
  EXPECT_FALSE(freedom_is_known(out));
  EXPECT_TRUE(unique_multipliers(out).empty());
  try {
    multiplier_family(out, std::vector<double>(4, 0.0));
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.text(),
              "multipliers: their freedom is not known; solve with Detail::full, and within robust_limit");
  }
}

/// The null space of A^T by singular values, for rows of length one, so that a part is a part whatever the
/// scale of its row.
Matrix null_space(const Measure& measure) {
  const Matrix unit = measure.rows.unit_rows;
  Eigen::JacobiSVD<Matrix> svd(unit, Eigen::ComputeFullV);
  return svd.matrixV().rightCols(unit.cols() - measure.rows.rank);
}

RC_GTEST_PROP(MultiplierProperties, UniqueIsWhatNoStepAlongTheNullSpaceChanges, ()) {
  Kind drawn = sample::any_kind();
  drawn.coordinates = std::min(drawn.coordinates, 12);
  drawn.rank = std::min(drawn.rank, drawn.coordinates);
  drawn.rows = drawn.rank + sample::any_of(0, 5);
  drawn.nearly_dependent = drawn.mass_ratios = false;  // they make small weights that are not rounding
  sample::for_systems(drawn, [](const Equations& at, const Measure& measure, const Kind& kind) {
    if (at.rows() == 0) return;
    const Solution out = solve(at, {.road = Road::robust});
    const Matrix N = null_space(measure);
    const std::vector<bool> unique = unique_multipliers(out);
    RC_ASSERT(static_cast<int>(unique.size()) == at.rows());
    // A weight of random numbers is either rounding or far above it.
    for (int r = 0; r < at.rows(); ++r) {
      const double part = N.cols() > 0 ? N.row(r).norm() : 0.0;
      RC_ASSERT(part < 1e-9 || part > 1e-7);
      RC_ASSERT(unique[r] == (part < 1e-9));
    }
    Numbers number(kind.seed);
    const int first = number.below(at.rows()), count = 1 + number.below(at.rows() - first);
    const Matrix through = measure.rows.unit_rows.middleCols(first, count) * N.middleRows(first, count);
    const double most = through.size() > 0 ? through.norm() : 0.0;
    RC_ASSERT(most < 1e-9 || most > 1e-7);
    RC_ASSERT(unique_force(at, out, first, count) == (most < 1e-9));
    // The whole family makes the same force, and no other is shorter.
    const Vector h = number.vector(at.rows());
    const Vector lambda = to_vector(multiplier_family(out, sample::plain(h)));
    RC_ASSERT(lambda.norm() >= to_vector(out.multipliers).norm() * (1.0 - 1e-12));
    for (int r = 0; r < at.rows(); ++r)
      if (unique[r]) RC_ASSERT(lambda(r) == out.multipliers[r]);
  });
}

}  // namespace
}  // namespace vinculum
