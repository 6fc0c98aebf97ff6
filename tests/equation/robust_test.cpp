// The robust road against exact answers, and the other dense roads beside it.
#include <gtest/gtest.h>

#include <cmath>

#include "equation/reference.hpp"
#include "vinculum/equation/solve.hpp"

namespace vinculum {
namespace {

using reference::number;
using reference::numbers;

const Road all_roads[] = {Road::robust, Road::lagrange, Road::gauss, Road::fast};

/// A few ulps of the largest entry, times the condition number of the case (below 40 for all of them).
void expect_close(const std::vector<double>& is, const std::vector<double>& should_be, const char* what) {
  ASSERT_EQ(is.size(), should_be.size()) << what;
  double largest = 1.0;
  for (double x : should_be) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < is.size(); ++i)
    EXPECT_NEAR(is[i], should_be[i], 4 * 40 * 2.2e-16 * largest) << what << "[" << i << "]";
}

void expect_reference(const std::string& name, Road road) {
  const auto data = reference::read(name);
  const Solution out = solve(reference::equations(data["parameters"]), {.road = road});
  const auto& exact = data["reference"][0];
  expect_close(out.acceleration, numbers(exact["acceleration"]), "acceleration");
  expect_close(out.constraint_force, numbers(exact["F_L"]), "F_L");
  expect_close(out.multipliers, numbers(exact["lambda_minimum_norm"]), "lambda");
  if (exact.contains("F_C")) expect_close(out.nonideal_force, numbers(exact["F_C"]), "F_C");
  EXPECT_EQ(out.rank, std::stoi(exact["rank_A"].get<std::string>()));
  EXPECT_NEAR(out.gaussian, number(exact["Gaussian (x''-a)^T M (x''-a)"]), 1e-14 * (1.0 + out.gaussian));
}

TEST(Robust, RedundantRowsGiveTheExactAnswerOfF01) {
  for (Road road : all_roads) {
    SCOPED_TRACE(road_name(road));
    expect_reference("f01-redundant-consistent", road);
  }
}

TEST(Robust, OnlyThePartOfCThatWorksSurvivesInF02) {
  for (Road road : all_roads) {
    SCOPED_TRACE(road_name(road));
    expect_reference("f02-redundant-nonideal", road);
  }
}

TEST(Robust, ContradictingRowsGiveTheLeastSquaresAnswerOfF03) {
  for (Road road : all_roads) {
    SCOPED_TRACE(road_name(road));
    expect_reference("f03-inconsistent", road);
    const Solution out =
        solve(reference::equations(reference::read("f03-inconsistent")["parameters"]), {.road = road});
    EXPECT_EQ(out.status, Status::contradicting);
    EXPECT_EQ(out.rows, (std::vector<int>{0, 1}));
    EXPECT_NEAR(out.gap, 0.1, 1e-15);  // -17/30 + 2/3
  }
}

TEST(Robust, ARowOfZerosMakesNoForceInF04) {
  for (Road road : all_roads) {
    SCOPED_TRACE(road_name(road));
    expect_reference("f04-zero-row", road);
  }
}

TEST(Robust, RedundantRowsOfF01AreNamedWithTheRowsTheyFollowFrom) {
  const Solution out = solve(reference::equations(reference::read("f01-redundant-consistent")["parameters"]),
                             {.road = Road::robust});
  EXPECT_FALSE(out.multipliers_unique);
  ASSERT_EQ(out.freedom.size(), 2u);
  ASSERT_EQ(out.dependencies.size(), 2u);
  EXPECT_EQ(out.dependencies[0].row, 1);
  EXPECT_EQ(out.dependencies[0].on, std::vector<int>{0});
  expect_close(out.dependencies[0].weight, {2.0}, "weight");
  EXPECT_EQ(out.dependencies[1].row, 3);
  EXPECT_EQ(out.dependencies[1].on, (std::vector<int>{0, 2}));
  expect_close(out.dependencies[1].weight, {1.0, 1.0}, "weight");
}

/// f05: the four-bar with N = 2 lying flat; coordinates B0x, B0y, B1x, B1y, B2x, B2y.
Equations flat_four_bar(double g, double w) {
  std::vector<double> M(36, 0.0), Q(6, 0.0);
  const auto rod = [&](int i, int j) {  // consistent mass of a unit rod between points i and j; -1: fixed
    for (int along = 0; along < 2; ++along) {
      for (int end : {i, j})
        if (end >= 0) M[(2 * end + along) * 7] += 1.0 / 3.0;
      if (i >= 0 && j >= 0) {
        M[(2 * i + along) * 6 + 2 * j + along] += 1.0 / 6.0;
        M[(2 * j + along) * 6 + 2 * i + along] += 1.0 / 6.0;
      }
    }
    for (int end : {i, j})
      if (end >= 0) Q[2 * end + 1] -= 0.5 * g;
  };
  std::vector<double> A, b;
  for (int i = 0; i < 3; ++i) {
    rod(-1, i);
    std::vector<double> row(6, 0.0);
    row[2 * i] = 1.0;
    A.insert(A.end(), row.begin(), row.end());
    b.push_back(-w * w);
  }
  for (int i = 1; i < 3; ++i) {
    rod(i - 1, i);
    std::vector<double> row(6, 0.0);
    row[2 * i] = 1.0;
    row[2 * i - 2] = -1.0;
    A.insert(A.end(), row.begin(), row.end());
    b.push_back(0.0);
  }
  return {SparseMatrix::from_dense(6, 6, M), Q, SparseMatrix::from_dense(5, 6, A), b, {}};
}

TEST(Robust, AtTheRankDropOfF05TheFormulaReleasesTheVerticalAccelerations) {
  const auto data = reference::read("f05-flat-fourbar-instant");
  const Equations at = flat_four_bar(number(data["parameters"]["g"]), number(data["parameters"]["w"]));
  const auto& exact = data["reference"][0];
  for (Road road : all_roads) {
    SCOPED_TRACE(road_name(road));
    const Solution out = solve(at, {.road = road});
    EXPECT_EQ(out.status, Status::solved);
    EXPECT_EQ(out.rank, std::stoi(exact["rank_A"].get<std::string>()));
    expect_close(out.acceleration, numbers(exact["formula_at_flat"]), "acceleration");
  }
}

TEST(Robust, ARodStatedThreeTimesSharesItsMultiplierByTheSquaresOfItsScales) {
  const auto data = reference::read("f06-seed1-spherical-pendulum-duplicated");
  const double m = number(data["parameters"]["m"]), g = number(data["parameters"]["g"]);
  const double scales[] = {1.0, 2.0, -3.0};
  for (const auto& row : data["reference"]) {
    const std::vector<double> r = numbers({row["x"], row["y"], row["z"]}),
                              v = numbers({row["vx"], row["vy"], row["vz"]});
    Equations at{SparseMatrix::diagonal(std::vector<double>{m, m, m}), {0.0, m * g, 0.0}, {}, {}, {}};
    std::vector<double> A;
    for (double s : scales) {
      for (double x : r) A.push_back(s * x);
      at.b.push_back(-s * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
    }
    at.A = SparseMatrix::from_dense(3, 3, A);
    for (Road road : all_roads) {
      const Solution out = solve(at, {.road = road});
      EXPECT_EQ(out.rank, 1);
      for (int i = 0; i < 3; ++i)  // the state is rounded to doubles: a few ulps of lambda = -22 .. -27
        EXPECT_NEAR(out.multipliers[i], scales[i] * number(row["lambda"]) / 14.0, 3e-14);
    }
  }
}

TEST(Robust, WorklessReactionsOfK01FormASetOfTheStatedDimension) {
  const auto data = reference::read("k01-nonuniqueness-dimension");
  for (const auto& row : data["reference"]) {
    // B Y = c and (M v).Y = 0
    const SparseMatrix M = reference::matrix(row["M"]);
    const std::vector<double> v = numbers(row["v"]);
    std::vector<double> A = reference::matrix(row["B"]).dense();
    const std::vector<double> mass = M.dense();
    const int n = M.rows, k = static_cast<int>(A.size()) / n;
    for (int i = 0; i < n; ++i) {
      double momentum = 0.0;
      for (int j = 0; j < n; ++j) momentum += mass[i * n + j] * v[j];
      A.push_back(momentum);
    }
    const Equations at{M,
                       std::vector<double>(n, 1.0),
                       SparseMatrix::from_dense(k + 1, n, A),
                       std::vector<double>(k + 1, 0.0),
                       {}};
    for (Road road : {Road::robust, Road::lagrange, Road::gauss})
      EXPECT_EQ(n - solve(at, {.road = road}).rank, std::stoi(row["dimension"].get<std::string>()));
  }
}

TEST(Robust, AnUnderdeterminedSystemSplitsAsInK03) {
  const auto data = reference::read("k03-underdetermined");
  const auto& given = data["parameters"];
  const Equations at{SparseMatrix::diagonal(std::vector<double>{1.0, 1.0, 1.0}), numbers(given["s"]),
                     reference::matrix(given["A"]), numbers(given["b"]), numbers(given["c"])};
  const auto& exact = data["reference"][0];
  for (Road road : all_roads) {
    const Solution out = solve(at, {.road = road});
    expect_close(out.acceleration, numbers(exact["x''"]), "x''");
    expect_close(out.constraint_force, numbers(exact["v1"]), "v1");
    expect_close(out.nonideal_force, numbers(exact["v2"]), "v2");
  }
}

TEST(Robust, NearlyDependentRowsAreReportedNearTheRankTolerance) {
  Equations at{SparseMatrix::diagonal(std::vector<double>{1.0, 1.0}), {0.0, 0.0}, {}, {0.0, 0.0}, {}};
  const auto solved = [&](double apart) {
    at.A = SparseMatrix::from_dense(2, 2, std::vector<double>{1.0, 0.0, 1.0, apart});
    return solve(at, {.road = Road::robust});
  };
  // The singular values of these unit rows are sqrt(2) and apart / sqrt(2).
  EXPECT_EQ(solved(1e-3).singular_value_near, 0.0);
  EXPECT_EQ(solved(1e-3).rank, 2);
  EXPECT_NEAR(solved(1e-8).singular_value_near, 0.5e-8, 1e-14);
  EXPECT_EQ(solved(1e-8).rank, 2);
  EXPECT_NEAR(solved(1e-11).singular_value_near, 0.5e-11, 1e-15);
  EXPECT_EQ(solved(1e-11).rank, 1);
  EXPECT_EQ(solved(0.0).singular_value_near, 0.0);
  EXPECT_EQ(solved(0.0).rank, 1);
}

TEST(Robust, RowsThatDifferByLessThanTheToleranceAreMetInTheMean) {
  // The truncation error of a step: not a contradiction, and the formula's least-squares answer.
  const Equations at{SparseMatrix::diagonal(std::vector<double>{2.0}),
                     {0.0},
                     SparseMatrix::from_dense(2, 1, std::vector<double>{1.0, 1.0}),
                     {1.0, 1.0 + 2e-9},
                     {}};
  for (Road road : all_roads) {
    const Solution out = solve(at, {.road = road});
    EXPECT_EQ(out.status, Status::solved);
    EXPECT_NEAR(out.acceleration[0], 1.0 + 1e-9, 4e-16);
  }
}

}  // namespace
}  // namespace vinculum
