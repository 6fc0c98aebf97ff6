// The certificate must be able to fail.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "equation/dense/roads.hpp"
#include "equation/reference.hpp"
#include "equation/sample.hpp"

namespace vinculum {
namespace {

using dense::store;
using dense::to_vector;
using dense::Vector;

/// An answer that is right, and the means to judge it again after a change of 1e-6.
class Certificates : public testing::Test {
 protected:
  Certificates()
      : at_(reference::equations(reference::read("f02-redundant-nonideal")["parameters"])),
        problem_(dense::to_problem(at_)) {
    trace_ = dense::robust_road(problem_, options_, right_);
    dense::certify(problem_, trace_, options_.rank_tolerance, right_);
  }
  Certificate judge(const Solution& changed) {
    Solution out = changed;
    dense::certify(problem_, trace_, options_.rank_tolerance, out);
    return out.certificate;
  }
  Vector virtual_displacement() {
    sample::Numbers number(1);
    const Vector v = sample::Measure(at_).virtual_displacement(number);
    return v / v.norm();
  }

  Equations at_;
  dense::Problem problem_;
  SolveOptions options_;
  dense::Trace trace_;
  Solution right_;
};

TEST_F(Certificates, ARightAnswerPassesWithinAFewRoundings) {
  EXPECT_TRUE(right_.certificate.holds());
  for (const Check& check :
       {right_.certificate.constraint_residual, right_.certificate.virtual_work, right_.certificate.gauss_gap,
        right_.certificate.kkt_residual, right_.certificate.nonideal_work}) {
    EXPECT_LE(check.value, 1e-15);
    EXPECT_LE(check.bound, 1e-12);  // far below the change of 1e-6 that must be seen
    EXPECT_GT(check.bound, 0.0);
  }
}

TEST_F(Certificates, AnAccelerationOffByOneMillionthBreaksTheRows) {
  for (double& q : right_.acceleration) q *= 1.0 + 1e-6;
  EXPECT_FALSE(judge(right_).constraint_residual.holds());
}

TEST_F(Certificates, AnAccelerationOffAlongAVirtualDisplacementKeepsTheRowsAndMissesTheMinimum) {
  const Vector q = to_vector(right_.acceleration);
  store(q + 1e-6 * q.norm() * virtual_displacement(), right_.acceleration);
  const Certificate certificate = judge(right_);
  EXPECT_TRUE(certificate.constraint_residual.holds());
  EXPECT_FALSE(certificate.gauss_gap.holds());
  EXPECT_FALSE(certificate.kkt_residual.holds());
}

TEST_F(Certificates, AConstraintForceWithAMillionthAlongAVirtualDisplacementDoesWork) {
  const Vector force = to_vector(right_.constraint_force);
  store(force + 1e-6 * force.norm() * virtual_displacement(), right_.constraint_force);
  const Certificate certificate = judge(right_);
  EXPECT_FALSE(certificate.virtual_work.holds());
  EXPECT_TRUE(certificate.gauss_gap.holds());
}

TEST_F(Certificates, ANonidealForceWithAMillionthAlongAVirtualDisplacementDoesAnotherWorkThanC) {
  const Vector force = to_vector(right_.nonideal_force);
  store(force + 1e-6 * problem_.C.norm() * virtual_displacement(), right_.nonideal_force);
  const Certificate certificate = judge(right_);
  EXPECT_FALSE(certificate.nonideal_work.holds());
  EXPECT_NEAR(certificate.nonideal_work.value, 1e-6, 1e-12);
  EXPECT_TRUE(certificate.virtual_work.holds());
}

TEST_F(Certificates, WithoutCThereIsNoWorkOfCAndGaussSFunctionIsTheExtendedOne) {
  Equations ideal = at_;
  ideal.C.clear();
  for (const Road road : {Road::fast, Road::robust, Road::lagrange, Road::gauss}) {
    const Solution out = solve(ideal, {.road = road});
    EXPECT_EQ(out.certificate.nonideal_work.value, 0.0);
    EXPECT_TRUE(out.certificate.holds());
    EXPECT_EQ(out.extended_gaussian, out.gaussian);
  }
}

TEST_F(Certificates, TheExtendedFunctionIsThatOfASystemWhichCPushesAsAForce) {
  Equations pushed = at_;
  for (std::size_t i = 0; i < pushed.Q.size(); ++i) pushed.Q[i] += at_.C[i];
  pushed.C.clear();
  const double expected = solve(pushed, {.road = Road::robust}).gaussian;
  for (const Road road : {Road::fast, Road::robust, Road::lagrange, Road::gauss}) {
    const Solution out = solve(at_, {.road = road});
    EXPECT_NEAR(out.extended_gaussian, expected, 1e-14 * expected);  // a few roundings
  }
  SolveOptions large;  // as if there were no room for dense matrices
  large.robust_limit = 1;
  const Solution out = solve(at_, large);
  ASSERT_EQ(out.status, Status::solved);
  EXPECT_NEAR(out.extended_gaussian, expected, 1e-13 * expected);
  EXPECT_TRUE(out.certificate.nonideal_work.holds());
}

TEST_F(Certificates, MultipliersOffByOneMillionthBreakLagrangesEquations) {
  for (double& lambda : right_.multipliers) lambda *= 1.0 + 1e-6;
  const Certificate certificate = judge(right_);
  EXPECT_FALSE(certificate.kkt_residual.holds());
  EXPECT_TRUE(certificate.constraint_residual.holds());
}

TEST_F(Certificates, WhatIsNotANumberDoesNotPass) {
  right_.acceleration[1] = std::numeric_limits<double>::quiet_NaN();
  const Certificate certificate = judge(right_);
  EXPECT_FALSE(certificate.constraint_residual.holds());
  EXPECT_FALSE(certificate.gauss_gap.holds());
  EXPECT_FALSE(certificate.kkt_residual.holds());
}

TEST_F(Certificates, TheChecksForLargeSystemsPassARightAnswerAndSeeAMillionth) {
  constexpr double not_known = 0.0;
  dense::certify_large(at_, {right_.free_acceleration, {}}, not_known, right_);
  EXPECT_TRUE(right_.certificate.constraint_residual.holds());
  EXPECT_TRUE(right_.certificate.kkt_residual.holds());
  Solution off = right_;
  for (double& q : off.acceleration) q *= 1.0 + 1e-6;
  dense::certify_large(at_, {off.free_acceleration, {}}, not_known, off);
  EXPECT_FALSE(off.certificate.constraint_residual.holds());
  EXPECT_FALSE(off.certificate.kkt_residual.holds());
}

TEST(Certificate, ContradictingRowsFailByTheirResidualAlone) {
  const auto data = reference::read("f03-inconsistent");
  const Certificate certificate =
      solve(reference::equations(data["parameters"]), {.road = Road::robust}).certificate;
  EXPECT_FALSE(certificate.constraint_residual.holds());
  EXPECT_TRUE(certificate.virtual_work.holds());
  EXPECT_TRUE(certificate.gauss_gap.holds());
  EXPECT_TRUE(certificate.kkt_residual.holds());
}

TEST(Certificate, ABoundAsLargeAsTheTermsNeverHolds) {
  EXPECT_FALSE(dense::judged(0.5, 2.3e13).holds());
  EXPECT_FALSE(dense::judged(1e-5, 1.0).holds());
  EXPECT_LT(dense::judged(0.0, 2.3e13).bound, 1.0);
  EXPECT_TRUE(dense::judged(1e-16, 1e-15).holds());
}

/// A pendulum that hangs: q'' is what rounding leaves of g, and so is what the row is missed by.
TEST(Certificate, NothingOverNothingIsNoFailure) {
  const double angle = 0.7, g = 9.81;
  const double n[] = {std::sin(angle), -std::cos(angle)};
  Equations at{SparseMatrix::diagonal(std::vector{0.3, 0.3}),
               {n[0] * 0.3 * g, n[1] * 0.3 * g},  // along the rod
               SparseMatrix::from_dense(1, 2, n),
               {0.0},
               {}};
  const Solution s = solve(at);
  EXPECT_LE(std::hypot(s.acceleration[0], s.acceleration[1]), 1e-14);
  EXPECT_TRUE(s.certificate.holds());
  EXPECT_LT(s.certificate.constraint_residual.bound, 1.0);
}

/// Rows that leave no motion, no forces, and a C: q'' is what rounding leaves of M^-1 C, and all that is
/// missed is rounding of C. `bonds`: further rows, which follow from the others.
Equations held_altogether(int n, int bonds, bool massless, std::uint64_t seed) {
  sample::Numbers number(seed);
  std::vector<double> mass(n), rows(static_cast<std::size_t>(n + bonds) * n, 0.0);
  for (double& m : mass) m = std::exp(number.normal());
  if (massless) mass[0] = 0.0;
  for (int r = 0; r < n + bonds; ++r)
    for (int i = 0; i < n; ++i)
      if (n < 20 || std::abs(r - i) < 2) rows[r * n + i] = number.normal() + (r == i ? 4.0 : 0.0);
  Equations at{SparseMatrix::diagonal(mass),
               std::vector<double>(n, 0.0),
               SparseMatrix::from_dense(n + bonds, n, rows),
               std::vector<double>(n + bonds, 0.0),
               {}};
  for (int i = 0; i < n; ++i) at.C.push_back(number.normal());
  return at;
}

TEST(Certificate, WhereAllThatCPushesCancelsOnEveryRoadItPasses) {
  for (int k = 0; k < 100; ++k)
    for (const bool massless : {false, true})
      for (const Road road : {Road::robust, Road::lagrange, Road::gauss, Road::fast}) {
        const int n = k < 98 ? 1 + k % 8 : 150;
        const Solution out = solve(held_altogether(n, k % 3, massless, k), {.road = road});
        ASSERT_EQ(out.status, Status::solved);
        for (const double q : out.acceleration) EXPECT_NEAR(q, 0.0, 1e-12);
        EXPECT_TRUE(out.certificate.holds()) << n << " " << road_name(road) << " " << k;
      }
}

TEST(Certificate, WhereAllThatCPushesCancelsTheChecksForLargeSystemsPassAndStillSee) {
  for (int k = 0; k < 100; ++k) {
    const Equations at = held_altogether(2 + k % 8, k % 3, false, k);
    Solution out = solve(at, {.robust_limit = 1});  // as if there were no room for dense matrices
    ASSERT_EQ(out.status, Status::solved);
    EXPECT_TRUE(out.certificate.constraint_residual.holds()) << k;
    EXPECT_TRUE(out.certificate.kkt_residual.holds()) << k;
    const dense::Pushed pushed{std::vector<double>(at.C.size(), 1.0), {}};
    out.nonideal_force[0] += 1e-6;
    dense::certify_large(at, pushed, 0.0, out);
    EXPECT_FALSE(out.certificate.kkt_residual.holds()) << k;
    out.acceleration[0] += 1e-6;
    dense::certify_large(at, pushed, 0.0, out);
    EXPECT_FALSE(out.certificate.constraint_residual.holds()) << k;
  }
}

/// Drawn instants, one of some ten thousand, in which two rows nearly depend and mu of F^C = C - A^T mu is
/// large: F^C is rounded at the size of the terms of A^T mu, which F^C itself does not show.
TEST(Certificate, ANonidealForceOfNearlyDependentRowsIsRoundedAtTheSizeOfItsTerms) {
  struct Drawn {
    sample::Kind kind;
    Road road;
  };
  const std::vector<Drawn> drawn{
      {{.coordinates = 14, .rows = 5, .rank = 5, .full_mass = true, .row_scales = true, .seed = 425240},
       Road::gauss},
      {{.coordinates = 6, .rows = 3, .rank = 3, .full_mass = true, .row_scales = true, .seed = 158337},
       Road::lagrange},
      {{.coordinates = 3, .rows = 5, .rank = 2, .full_mass = true, .seed = 349956}, Road::gauss},
      {{.coordinates = 11, .rows = 22, .rank = 11, .row_scales = true, .seed = 274743}, Road::robust}};
  for (Drawn d : drawn) {
    d.kind.nearly_dependent = d.kind.nonideal = true;
    const Solution out = solve(sample::make(d.kind), {.road = d.road});
    EXPECT_TRUE(out.certificate.kkt_residual.holds()) << d.kind.seed;
    EXPECT_LT(out.certificate.kkt_residual.bound, 1e-8);  // and says something
  }
}

TEST(Certificate, ASystemAtRestWithoutForcePasses) {
  const Equations at{SparseMatrix::diagonal(std::vector<double>{1.0, 2.0}),
                     {0.0, 0.0},
                     SparseMatrix::from_dense(1, 2, std::vector<double>{1.0, 1.0}),
                     {0.0},
                     {}};
  for (Road road : {Road::robust, Road::lagrange, Road::gauss, Road::fast})
    EXPECT_TRUE(solve(at, {.road = road}).certificate.holds());
}

TEST(Certificate, ASystemWithoutRowsPasses) {
  Equations at{SparseMatrix::diagonal(std::vector<double>{1.0, 2.0}), {3.0, 4.0}, {}, {}, {}};
  for (Road road : {Road::robust, Road::lagrange, Road::gauss, Road::fast}) {
    at.C.clear();
    EXPECT_TRUE(solve(at, {.road = road}).certificate.holds());
    at.C = {1.0, -1.0};
    const Solution out = solve(at, {.road = road});
    EXPECT_TRUE(out.certificate.holds());
    EXPECT_EQ(out.acceleration, (std::vector<double>{4.0, 1.5}));
  }
}

}  // namespace
}  // namespace vinculum
