// Rows so large or so small that their squares are no numbers: the truth is the same system with the same
// rows in other units, which are powers of two, so that both have the same digits.
#include "equation/row_powers.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "equation/sample.hpp"
#include "support/allocations.hpp"
#include "vinculum/equation/solve.hpp"

namespace vinculum {
namespace {

/// n masses in a row, rows between neighbours that ask for something, and a push on each mass: the dense, the
/// sparse and the KKT form of the fast road.
Equations ladder(int n, bool coupled) {
  std::vector<double> mass(static_cast<std::size_t>(n) * n, 0.0),
      rows(static_cast<std::size_t>(n - 1) * n, 0.0);
  Equations e;
  for (int i = 0; i < n; ++i) {
    mass[i * n + i] = 2 + 0.1 * (i % 7);
    if (coupled && i + 1 < n) mass[i * n + i + 1] = mass[(i + 1) * n + i] = 0.5;
    e.Q.push_back(std::cos(0.7 * i));
    e.C.push_back(0.3 * std::sin(1.1 * i));
  }
  for (int r = 0; r + 1 < n; ++r) {
    rows[r * n + r] = 1 + 0.01 * r;
    rows[r * n + r + 1] = -1;
    e.b.push_back(0.2 * std::sin(1.3 * r));
  }
  e.M = SparseMatrix::from_dense(n, n, mass);
  e.A = SparseMatrix::from_dense(n - 1, n, rows);
  return e;
}

/// Every third row 2^power times as large.
std::vector<int> every_third(int rows, int power) {
  std::vector<int> out(rows, 0);
  for (int r = 0; r < rows; r += 3) out[r] = power;
  return out;
}

void expect_same(const std::vector<double>& is, const std::vector<double>& should_be) {
  double size = 0.0;
  for (const double x : should_be) size = std::max(size, std::fabs(x));
  ASSERT_EQ(is.size(), should_be.size());
  for (std::size_t i = 0; i < is.size(); ++i) EXPECT_NEAR(is[i], should_be[i], 1e-12 * size);
}

const std::vector<int> powers{1000, 530, 410, -410, -530, -1000};

TEST(RowPowers, AreAskedForOnlyWhereSquaresNeedThem) {
  std::vector<int> power;
  find_powers(SparseMatrix::from_dense(3, 2, std::vector<double>{1e100, 0, 1e-100, 1, 0, 0}), power);
  EXPECT_TRUE(power.empty());
  find_powers(SparseMatrix::from_dense(3, 2, std::vector<double>{3e-160, 1e-170, 1, 1, -1e200, INFINITY}),
              power);
  EXPECT_EQ(power, (std::vector<int>{530, 0, 0}));  // what is not finite is told as such
}

TEST(RowPowers, DoNotChangeTheMotion) {
  for (const int n : {2, 3, 20, 120})
    for (const bool coupled : {false, true})
      for (const bool nonideal : {false, true})
        for (const Detail detail : {Detail::motion, Detail::full}) {
          Equations plain = ladder(n, coupled);
          if (!nonideal) plain.C.clear();
          for (const bool within_step : {false, true}) {
            const SolveOptions options{.detail = detail, .within_step = within_step};
            const Solution expected = solve(plain, options);
            for (const int power : powers) {
              SCOPED_TRACE(std::to_string(n) + " masses, 2^" + std::to_string(power));
              const std::vector<int> third = every_third(n - 1, power);
              Equations at = plain;
              multiply_rows(third, at);
              const Solution out = solve(at, options);
              ASSERT_EQ(out.status, Status::solved);
              EXPECT_EQ(out.rank, expected.rank);
              expect_same(out.acceleration, expected.acceleration);
              expect_same(out.constraint_force, expected.constraint_force);
              expect_same(out.nonideal_force, expected.nonideal_force);
              std::vector<double> lambda = out.multipliers, e = out.dissatisfaction;
              for (int r = 0; r + 1 < n; ++r) {
                lambda[r] = std::ldexp(lambda[r], third[r]);
                e[r] = std::ldexp(e[r], -third[r]);
              }
              expect_same(lambda, expected.multipliers);
              expect_same(e, expected.dissatisfaction);
              EXPECT_EQ(out.certificate.holds(), expected.certificate.holds());
              EXPECT_EQ(out.certificate.holds(), detail == Detail::full);
            }
          }
        }
}

TEST(RowPowers, DoNotChangeTheMotionOnAnyRoad) {
  const Equations plain = ladder(6, true);
  for (const Road road : {Road::fast, Road::robust, Road::lagrange, Road::gauss})
    for (const int power : powers) {
      Equations at = plain;
      multiply_rows(every_third(5, power), at);
      const Solution out = solve(at, {.road = road}), expected = solve(plain, {.road = road});
      EXPECT_EQ(out.road_used, road);
      expect_same(out.acceleration, expected.acceleration);
      EXPECT_TRUE(out.certificate.holds());
    }
}

/// One force F shared by rows of lengths 1 and s: the shortest multipliers are F / (1 + s^2) and
/// F s / (1 + s^2).
TEST(RowPowers, LeaveTheShortestMultipliersThoseOfTheRowsAsStated) {
  for (const int power : {530, -530}) {
    const double s = std::ldexp(1.0, power);
    const Equations at{SparseMatrix::diagonal(std::vector<double>{2.0, 1.0}),
                       {-6.0, 1.0},
                       SparseMatrix::from_dense(2, 2, std::vector<double>{1.0, 0.0, s, 0.0}),
                       {0.0, 0.0},
                       {}};
    const Solution out = solve(at);
    ASSERT_EQ(out.status, Status::solved);
    EXPECT_EQ(out.rank, 1);
    EXPECT_NEAR(out.constraint_force[0], 6.0, 1e-14);
    const double along = power > 0 ? 6.0 / s : 6.0 * s;  // 1 + s^2 is one of its terms
    EXPECT_NEAR(out.multipliers[1] / along, 1.0, 1e-14);
    EXPECT_NEAR(out.multipliers[0], power > 0 ? 0.0 : 6.0, 1e-14);
    EXPECT_FALSE(out.multipliers_unique);
    ASSERT_EQ(out.dependencies.size(), 1u);
    EXPECT_EQ(out.dependencies[0].row, 1);
    EXPECT_NEAR(out.dependencies[0].weight[0] / s, 1.0, 1e-14);
    ASSERT_EQ(out.freedom.size(), 1u);
    EXPECT_NEAR(std::fabs(out.freedom[0][power > 0 ? 0 : 1]), 1.0, 1e-14);
    EXPECT_TRUE(out.certificate.holds());
  }
}

TEST(RowPowers, TellAContradictionInTheUnitOfItsRow) {
  const double s = std::ldexp(1.0, 600);
  const Equations at{SparseMatrix::diagonal(std::vector<double>{2.0, 1.0}),
                     {0.0, 0.0},
                     SparseMatrix::from_dense(2, 2, std::vector<double>{1.0, 1.0, s, s}),
                     {1.0, 3.0 * s},
                     {}};
  const Solution out = solve(at);
  EXPECT_EQ(out.status, Status::contradicting);
  EXPECT_EQ(out.rows, (std::vector<int>{0, 1}));
  EXPECT_NEAR(out.gap / s, 2.0, 1e-12);
}

TEST(RowPowers, DoNotChangeTheNearestCorrection) {
  for (const int n : {2, 3, 20, 120})
    for (const bool coupled : {false, true}) {
      const Equations plain = ladder(n, coupled);
      const Structure structure(plain.M, plain.A);
      SolveWorkspace work(structure);
      std::vector<double> expected, x;
      ASSERT_TRUE(nearest(structure, plain, work, plain.b, expected));
      for (const int power : powers) {
        Equations at = plain;
        multiply_rows(every_third(n - 1, power), at);
        ASSERT_TRUE(nearest(structure, at, work, at.b, x));
        expect_same(x, expected);
        ASSERT_TRUE(nearest(structure, at, work, at.b, x, true));
        expect_same(x, expected);
      }
      ASSERT_TRUE(nearest(structure, plain, work, plain.b, x));
      expect_same(x, expected);
    }
}

TEST(RowPowers, AllocateNothingOnceTheyHaveBeenMet) {
  Equations at = ladder(20, false);
  multiply_rows(every_third(19, 530), at);
  const Structure structure(at.M, at.A);
  SolveWorkspace work(structure);
  Solution out;
  solve(structure, at, work, out, {.detail = Detail::motion});
  const long before = allocations();
  solve(structure, at, work, out, {.detail = Detail::motion});
  EXPECT_EQ(allocations() - before, 0);
}

}  // namespace
}  // namespace vinculum
