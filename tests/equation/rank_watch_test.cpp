#include "vinculum/equation/rank_watch.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace vinculum {
namespace {

/// Two rows at an angle.
SparseMatrix rows_at(double angle) {
  return SparseMatrix::from_dense(2, 2, std::vector<double>{1, 0, std::cos(angle), std::sin(angle)}, true);
}
const std::vector<double> ones{1, 1};

TEST(RankWatch, MeasuresWhatARowHasBeyondTheOthers) {
  RankWatch watch(rows_at(1));
  for (const double angle : {1.0, 0.1, 1e-3}) {
    watch.look(rows_at(angle), ones);
    EXPECT_EQ(watch.rank(), 2);
    EXPECT_NEAR(watch.parts()[0], 1, 1e-15);
    EXPECT_NEAR(std::sqrt(watch.parts()[1]), std::sin(angle), 1e-9);
  }
  watch.look(rows_at(1e-7), ones);
  EXPECT_EQ(watch.rank(), 1);
  EXPECT_EQ(watch.involved(1), (std::vector<int>{0, 1}));
}

TEST(RankWatch, ThePartTurnsAroundWhereItPassesZero) {
  RankWatch watch(rows_at(1));
  std::vector<double> before, after;
  watch.look(rows_at(0.2), ones);
  watch.part_of(rows_at(0.2), ones, 1, before);
  watch.look(rows_at(-0.3), ones);
  watch.part_of(rows_at(-0.3), ones, 1, after);
  EXPECT_NEAR(before[1], std::sin(0.2), 1e-15);
  EXPECT_NEAR(after[1], -std::sin(0.3), 1e-15);
  EXPECT_NEAR(before[0], 0, 1e-15);
}

TEST(RankWatch, ARowThatVanishesIsMeasuredByWhatItHasBeen) {
  const auto row = [](double size) {
    return SparseMatrix::from_dense(1, 2, std::vector<double>{size, 0}, true);
  };
  RankWatch watch(row(1));
  watch.look(row(2), ones);
  EXPECT_EQ(watch.parts()[0], 1);
  watch.look(row(1e-3), ones);
  EXPECT_NEAR(std::sqrt(watch.parts()[0]), 0.5e-3, 1e-15);
  watch.look(row(0), ones);
  EXPECT_EQ(watch.rank(), 0);
}

TEST(RankWatch, DependentMultipliersMakeNoForce) {
  const SparseMatrix a = SparseMatrix::from_dense(3, 2, std::vector<double>{1, 2, 3, 1, 4, 3}, true);
  RankWatch watch(a);
  watch.look(a, ones);
  EXPECT_EQ(watch.rank(), 2);
  int dependent = -1;
  for (int r = 0; r < 3; ++r)
    if (watch.parts()[r] == 0) dependent = r;
  ASSERT_GE(dependent, 0);
  const std::vector<double> u = watch.null_vector(dependent);
  EXPECT_NEAR(u[0] + 3 * u[1] + 4 * u[2], 0, 1e-14);
  EXPECT_NEAR(2 * u[0] + u[1] + 3 * u[2], 0, 1e-14);
}

}  // namespace
}  // namespace vinculum
