#include "equation/certificate/finite.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "vinculum/equation/solve.hpp"

namespace vinculum {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Equations three_coordinates() {
  return {SparseMatrix::diagonal(std::vector<double>{1.0, 2.0, 3.0}),
          {1.0, 1.0, 1.0},
          SparseMatrix::from_dense(2, 3, std::vector<double>{1.0, 1.0, 0.0, 0.0, 0.0, 1.0}),
          {1.0, 2.0},
          {0.0, 1.0, 0.0}};
}

void expect_named(const Equations& at, char term, const std::vector<int>& coordinates,
                  const std::vector<int>& rows) {
  EXPECT_FALSE(all_finite(at));
  for (Road road : {Road::automatic, Road::fast, Road::robust, Road::lagrange, Road::gauss}) {
    const Solution out = solve(at, {.road = road});
    EXPECT_EQ(out.status, Status::not_finite);
    EXPECT_EQ(out.term, term);
    EXPECT_EQ(out.coordinates, coordinates);
    EXPECT_EQ(out.rows, rows);
    EXPECT_EQ(out.acceleration.size(), 3u);
    EXPECT_TRUE(std::isnan(out.acceleration[0]));
  }
}

TEST(Finite, NumbersPass) {
  EXPECT_TRUE(all_finite(three_coordinates()));
  EXPECT_TRUE(all_finite(Equations{}));
}

TEST(Finite, TheLargestNumberIsOne) {
  Equations at = three_coordinates();
  at.Q[0] = -std::numeric_limits<double>::max();
  EXPECT_TRUE(all_finite(at));
}

TEST(Finite, AnInfiniteMassIsNamedByItsCoordinate) {
  Equations at = three_coordinates();
  at.M.value[2] = infinity;
  expect_named(at, 'M', {2}, {});
}

TEST(Finite, ForcesAreNamedByTheirCoordinates) {
  Equations at = three_coordinates();
  at.Q[0] = nan;
  at.Q[2] = -infinity;
  expect_named(at, 'Q', {0, 2}, {});
}

TEST(Finite, AnEntryOfAOrBIsNamedByItsRow) {
  Equations at = three_coordinates();
  at.b[1] = nan;
  expect_named(at, 'b', {}, {1});
  at.A.value[0] = nan;
  expect_named(at, 'A', {}, {0});
}

TEST(Finite, TheNonIdealVectorIsNamedByItsCoordinate) {
  Equations at = three_coordinates();
  at.C[1] = nan;
  expect_named(at, 'C', {1}, {});
}

}  // namespace
}  // namespace vinculum
