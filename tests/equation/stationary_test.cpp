// M with negative directions: the stationary point of Gauss's function, where it has exactly one.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "vinculum/equation/solve.hpp"

namespace vinculum {
namespace {

/// M with as many negative as positive directions, more or less; rows in general position, the last one
/// twice.
Equations random_saddle(int n, int m, unsigned seed) {
  std::mt19937 draw(seed);
  std::normal_distribution<double> number;
  std::vector<double> M(n * n), A((m + 1) * n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) M[i * n + j] = M[j * n + i] = number(draw);
  for (int i = 0; i < m * n; ++i) A[i] = number(draw);
  for (int j = 0; j < n; ++j) A[m * n + j] = -2 * A[(m - 1) * n + j];
  Equations e;
  e.M = SparseMatrix::from_dense(n, n, M);
  e.A = SparseMatrix::from_dense(m + 1, n, A);
  for (int i = 0; i < n; ++i) e.Q.push_back(number(draw));
  for (int r = 0; r < m; ++r) e.b.push_back(number(draw));
  e.b.push_back(-2 * e.b[m - 1]);
  return e;
}

TEST(Stationary, EveryRoadFindsTheOneAnswerOfLagrangesEquations) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const int n = 3 + static_cast<int>(seed % 5), m = 1 + static_cast<int>(seed % 2);
    const Equations e = random_saddle(n, m, seed);
    Solution first;
    for (const Road road : {Road::automatic, Road::robust, Road::lagrange, Road::gauss}) {
      SolveOptions options;
      options.road = road;
      ASSERT_EQ(solve(e, options).status, Status::indefinite) << seed;
      options.stationary = true;
      const Solution s = solve(e, options);
      ASSERT_EQ(s.status, Status::solved) << seed;
      EXPECT_EQ(s.rank, m);
      EXPECT_EQ(s.freedom.size(), 1u);
      const std::vector<double> M = e.M.dense(), A = e.A.dense();
      double size = 1;
      for (const double a : s.acceleration) size = std::max(size, std::fabs(a));
      // Rounding at the size of the answer, which is large where M is nearly singular along the rows.
      for (int i = 0; i < n; ++i) {
        double left = -e.Q[i];
        for (int j = 0; j < n; ++j) left += M[i * n + j] * s.acceleration[j];
        for (int r = 0; r <= m; ++r) left -= A[r * n + i] * s.multipliers[r];
        EXPECT_NEAR(left, 0.0, 1e-13 * size) << seed << " " << road_name(road);
      }
      for (int r = 0; r <= m; ++r) {
        double left = -e.b[r];
        for (int j = 0; j < n; ++j) left += A[r * n + j] * s.acceleration[j];
        EXPECT_NEAR(left, 0.0, 1e-13 * size) << seed << " " << road_name(road);
      }
      EXPECT_NEAR(s.multipliers[m], -2 * s.multipliers[m - 1], 1e-12 * size);  // the least ones
      if (road == Road::automatic) first = s;
      for (int i = 0; i < n; ++i) EXPECT_NEAR(s.acceleration[i], first.acceleration[i], 1e-10 * size * size);
    }
  }
}

TEST(Stationary, WhatMAndTheRowsLeaveOpenIsNamed) {
  Equations e;
  e.M = SparseMatrix::from_dense(3, 3, std::vector<double>{1, 0, 0, 0, -1, 0, 0, 0, 2});
  e.A = SparseMatrix::from_dense(1, 3, std::vector<double>{1, -1, 0});  // along (1, 1, 0) M is nothing
  e.Q = {1, 2, 3};
  e.b = {0.5};
  SolveOptions options;
  options.stationary = true;
  for (const Road road : {Road::robust, Road::lagrange, Road::gauss}) {
    options.road = road;
    const Solution s = solve(e, options);
    EXPECT_EQ(s.status, Status::undetermined) << road_name(road);
    EXPECT_EQ(s.coordinates, (std::vector<int>{0, 1})) << road_name(road);
  }
}

}  // namespace
}  // namespace vinculum
