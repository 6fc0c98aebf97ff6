#include "equation/certificate/conflict.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "equation/kinds.hpp"

namespace vinculum {
namespace {

const Road all_roads[] = {Road::robust, Road::lagrange, Road::gauss, Road::automatic};

/// Unit masses without force under the rows.
Equations rows(int n, const std::vector<double>& A, const std::vector<double>& b) {
  const std::vector<double> ones(n, 1.0);
  return {SparseMatrix::diagonal(ones),
          std::vector<double>(n, 0.0),
          SparseMatrix::from_dense(static_cast<int>(b.size()), n, A),
          b,
          {}};
}

void expect_conflict(const Equations& at, const std::vector<int>& named, double gap) {
  for (Road road : all_roads) {
    SCOPED_TRACE(road_name(road));
    const Solution out = solve(at, {.road = road});
    EXPECT_EQ(out.status, Status::contradicting);
    EXPECT_EQ(out.rows, named);
    double largest = 0.0;  // the gap is a difference of right sides: it has their rounding
    for (double b : at.b) largest = std::max(largest, std::abs(b));
    EXPECT_NEAR(out.gap, gap, 4 * dense::epsilon * largest);
  }
}

TEST(Conflict, XIs1AndXIs2) { expect_conflict(rows(1, {1, 1}, {1, 2}), {0, 1}, 1.0); }

TEST(Conflict, TheGapIsInTheUnitOfTheLastNamedRow) {
  expect_conflict(rows(1, {1, 10}, {1, 30}), {0, 1}, 20.0);
  expect_conflict(rows(1, {10, 1}, {30, 1}), {0, 1}, 2.0);
}

TEST(Conflict, ZeroIsOne) { expect_conflict(rows(2, {1, 0, 0, 0, 1, 0}, {1, 1, 1}), {1}, 1.0); }

TEST(Conflict, ZeroIsZeroIsNoConflict) {
  EXPECT_EQ(solve(rows(2, {1, 0, 0, 0}, {1, 0})).status, Status::solved);
}

TEST(Conflict, AChainOfThree) {
  expect_conflict(rows(3, {1, -1, 0, 0, 1, -1, 1, 0, -1}, {1, 1, 3}), {0, 1, 2}, 1.0);
}

TEST(Conflict, FourRowsOfWhichNoThreeContradict) {
  expect_conflict(rows(3, {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1}, {1, 1, 1, 4}), {0, 1, 2, 3}, 1.0);
}

TEST(Conflict, APairHiddenBehindACircuit) {
  // Taken in order, the last row contradicts the first two together; but it contradicts the third alone.
  expect_conflict(rows(2, {1, 1, 1, -1, 1, 0, 1, 0}, {1, 0, 0.5, 2}), {2, 3}, 1.5);
}

TEST(Conflict, RowsOfAnyScaleContradictByTheirOwnTerms) {
  expect_conflict(rows(2, {1e-6, 0, 1e6, 0}, {1e-6, 2e6}), {0, 1}, 1e6);
  expect_conflict(rows(2, {1e-6, 0, 1e6, 0}, {1e-6, 1.001e6}), {0, 1}, 1e3);
}

TEST(Conflict, ASmallMassDoesNotHideAConflictBehindItsLargeFreeAcceleration) {
  Equations at = rows(2, {1, 0, 1, 0}, {1, 2});
  at.M = SparseMatrix::diagonal(std::vector<double>{1.0, 1e-8});
  at.Q = {0.0, 1.0};
  expect_conflict(at, {0, 1}, 1.0);
  at.M = SparseMatrix::diagonal(std::vector<double>{1e-8, 1.0});
  at.Q = {1.0, 0.0};
  expect_conflict(at, {0, 1}, 1.0);
}

TEST(Conflict, VelocitiesThatAreRoundingMakeNone) {
  // x = 0 and x y = 0 at y = 1, held at rest: b is the product of two velocities of 1e-17.
  EXPECT_EQ(solve(rows(2, {1, 0, 1, 0, 0, 1}, {0, -2e-34, 0})).status, Status::solved);
}

/// A consistent system with a change in one row that follows from others. Whatever is named must be a circuit
/// - its rows dependent, any of them left out independent - and must miss by the gap.
RC_GTEST_PROP(Conflict, WhatIsNamedCannotHoldTogetherAndNothingInItIsIdle, ()) {
  sample::Kind kind = sample::any_kind();
  kind.nearly_dependent = false;
  if (kind.rank == 0) kind.rank = kind.rows = 1;
  kind.rows = std::max(kind.rows, kind.rank + 1);
  sample::for_systems(kind, [](Equations at, const sample::Measure& measure, const sample::Kind& of) {
    sample::Numbers number(of.seed);
    const Solution before = solve(at, {.road = Road::robust});
    const Dependency& one = before.dependencies[number.below(static_cast<int>(before.dependencies.size()))];
    double terms = measure.at.A.row(one.row).norm() * 10.0 + std::abs(at.b[one.row]);
    at.b[one.row] += one.on.empty() ? 1.0 : terms * 0.1;
    const Solution out = solve(at);
    RC_ASSERT(out.status == Status::contradicting);
    RC_ASSERT(!out.rows.empty());
    const int size = static_cast<int>(out.rows.size());
    sample::Matrix unit(measure.rows.unit_rows.rows(), size);
    for (int k = 0; k < size; ++k) unit.col(k) = measure.rows.unit_rows.col(out.rows[k]);
    const dense::Vector values = dense::singular_values(unit);
    if (size <= unit.rows()) RC_ASSERT(values(size - 1) <= 1e-9);
    for (int left_out = 0; left_out < size && size > 1; ++left_out) {
      sample::Matrix others(unit.rows(), size - 1);
      for (int k = 0, to = 0; k < size; ++k)
        if (k != left_out) others.col(to++) = unit.col(k);
      RC_ASSERT(dense::singular_values(others)(size - 2) > 1e-9);
    }
    RC_ASSERT(out.gap > 0.0);
  });
}

}  // namespace
}  // namespace vinculum
