#include <gtest/gtest.h>

#include "vinculum/equation/solve.hpp"

namespace vinculum {
namespace {

TEST(Lagrange, NearlyDependentRowsAreNotSquaredAway) {
  // Singular values 1.4 and 7e-8: their squares, 5e-15, would be lost among roundings.
  const double apart = 1e-7;
  const Equations at{SparseMatrix::diagonal(std::vector<double>{1.0, 1.0, 1.0}),
                     {0.0, 0.0, 3.0},
                     SparseMatrix::from_dense(2, 3, std::vector<double>{1.0, 0.0, 0.0, 1.0, apart, 0.0}),
                     {1.0, 1.0 + 2.0 * apart},
                     {}};
  const Solution out = solve(at, {.road = Road::lagrange});
  EXPECT_EQ(out.status, Status::solved);
  EXPECT_EQ(out.rank, 2);
  EXPECT_NEAR(out.acceleration[0], 1.0, 1e-15);
  EXPECT_NEAR(out.acceleration[1], 2.0, 1e-15 / apart);  // the rounding of b over the distance of the rows
  EXPECT_NEAR(out.acceleration[2], 3.0, 1e-15);
}

TEST(Lagrange, ASystemThatIsAllRowsNeedsNoMasses) {
  const Equations at{SparseMatrix::from_dense(2, 2, std::vector<double>(4, 0.0), true),
                     {5.0, 7.0},
                     SparseMatrix::from_dense(2, 2, std::vector<double>{1.0, 1.0, 1.0, -1.0}),
                     {3.0, 1.0},
                     {}};
  for (Road road : {Road::lagrange, Road::gauss, Road::robust, Road::fast}) {
    SCOPED_TRACE(road_name(road));
    const Solution out = solve(at, {.road = road});
    ASSERT_EQ(out.status, Status::solved);
    EXPECT_NEAR(out.acceleration[0], 2.0, 1e-15);
    EXPECT_NEAR(out.acceleration[1], 1.0, 1e-15);
    EXPECT_NEAR(out.multipliers[0], -6.0, 1e-14);  // the rows carry all of Q
    EXPECT_NEAR(out.multipliers[1], 1.0, 1e-14);
  }
}

}  // namespace
}  // namespace vinculum
