// Coordinates without mass on the fast road, against the robust one, which has no need of M^-1.
#include "equation/sparse/massless.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "equation/sample.hpp"
#include "vinculum/equation/solve.hpp"

namespace vinculum {
namespace {

/// n coordinates in a row, every third one without mass, with rows between neighbours and beyond: `held`
/// false leaves one of them in no row at all.
Equations row_of_masses(int n, bool held, std::uint64_t seed) {
  sample::Numbers number(seed);
  std::vector<double> mass(n);
  for (int i = 0; i < n; ++i) mass[i] = i % 3 == 1 ? 0.0 : std::exp(number.normal());
  sample::Matrix rows = sample::Matrix::Zero(n / 2, n);
  for (int r = 0; r < n / 2; ++r)
    for (int i = 2 * r; i < std::min(2 * r + 4, n); ++i) rows(r, i) = number.normal() + (i == 2 * r ? 2 : 0);
  if (!held) rows.col(n / 2 / 3 * 3 + 1).setZero();
  Equations at;
  at.M = SparseMatrix::diagonal(mass);
  at.A = sample::sparse(rows);
  at.Q = sample::plain(number.vector(n));
  at.b = sample::plain(number.vector(n / 2));
  return at;
}

double apart(const std::vector<double>& x, const std::vector<double>& y) {
  double size = 1.0, out = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) size = std::max(size, std::fabs(y[i]));
  for (std::size_t i = 0; i < x.size(); ++i) out = std::max(out, std::fabs(x[i] - y[i]));
  return out / size;
}

TEST(Massless, TheFastRoadAnswersAsTheRobustOneWhereTheRowsHoldWhatHasNoMass) {
  for (const int n : {6, 30, 180})
    for (int seed = 0; seed < 10; ++seed)
      for (const Detail detail : {Detail::motion, Detail::full}) {
        const Equations at = row_of_masses(n, true, seed);
        const Solution fast = solve(at, {.detail = detail});
        const Solution robust = solve(at, {.road = Road::robust, .detail = detail});
        ASSERT_EQ(fast.status, Status::solved);
        EXPECT_EQ(fast.road_used, Road::fast) << n << " " << seed;
        EXPECT_LE(apart(fast.acceleration, robust.acceleration), 1e-11);
        EXPECT_LE(apart(fast.constraint_force, robust.constraint_force), 1e-11);
        EXPECT_LE(apart(fast.multipliers, robust.multipliers), 1e-11);
        EXPECT_EQ(fast.certificate.holds(), detail == Detail::full) << n << " " << seed;
      }
}

TEST(Massless, WhatNoRowHoldsIsLeftOpenByName) {
  for (const int n : {6, 30, 180}) {
    const Equations at = row_of_masses(n, false, 1);
    for (const Detail detail : {Detail::motion, Detail::full}) {
      const Solution out = solve(at, {.detail = detail});
      EXPECT_EQ(out.status, Status::undetermined);
      EXPECT_EQ(out.coordinates, std::vector<int>{n / 2 / 3 * 3 + 1});
    }
  }
}

/// One hub that everything hangs on: A M^-1 A^T is full, and the KKT form is taken.
TEST(Massless, InTheKktFormTooItIsAnsweredAsByTheRobustRoad) {
  const int n = 300;
  sample::Numbers number(3);
  std::vector<double> mass(n, 1.0);
  for (int i = 5; i < n; i += 7) mass[i] = 0.0;
  sample::Matrix rows = sample::Matrix::Zero(n - 1, n);
  for (int r = 0; r + 1 < n; ++r) {
    rows(r, 0) = number.normal();
    rows(r, r + 1) = 2 + number.normal() / 4;
  }
  Equations at;
  at.M = SparseMatrix::diagonal(mass);
  at.A = sample::sparse(rows);
  at.Q = sample::plain(number.vector(n));
  at.b = sample::plain(number.vector(n - 1));
  const Solution fast = solve(at, {.detail = Detail::motion}), robust = solve(at, {.road = Road::robust});
  EXPECT_EQ(fast.road_used, Road::fast);
  EXPECT_LE(apart(fast.acceleration, robust.acceleration), 1e-11);
  EXPECT_LE(apart(fast.constraint_force, robust.constraint_force), 1e-11);
}

TEST(Massless, OtherForcesUnderTheSameFactorsAreAnsweredAsWell) {
  const Equations at = row_of_masses(60, true, 4);
  const Structure structure(at.M, at.A);
  SolveWorkspace work(structure);
  Solution out;
  solve(structure, at, work, out, {.detail = Detail::motion});
  Equations other = at;
  for (double& x : other.Q) x = std::cos(3 * x);
  for (double& x : other.b) x = std::sin(2 * x);
  std::vector<double> x, lambda;
  ASSERT_TRUE(solve_again(structure, at, work, other.Q, other.b, x, lambda));
  const Solution robust = solve(other, {.road = Road::robust});
  EXPECT_LE(apart(x, robust.acceleration), 1e-11);
  EXPECT_LE(apart(lambda, robust.multipliers), 1e-11);
}

TEST(Massless, MassesThatComeAndGoAreSeenAtEveryInstant) {
  Equations at = row_of_masses(30, true, 5);
  const Structure structure(at.M, at.A);
  SolveWorkspace work(structure);
  Solution out;
  for (const double mass : {0.0, 0.5, 0.0, 2.0}) {
    at.M.value[4] = mass;
    at.M.value[6] = mass == 0.0 ? 1.0 : 0.0;
    solve(structure, at, work, out, {.detail = Detail::motion});
    EXPECT_EQ(out.road_used, Road::fast);
    EXPECT_LE(apart(out.acceleration, solve(at, {.road = Road::robust}).acceleration), 1e-11) << mass;
  }
}

}  // namespace
}  // namespace vinculum
