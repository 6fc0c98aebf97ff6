// Mass matrices that are singular or worse, on every road.
#include "equation/mass.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "vinculum/equation/solve.hpp"

namespace vinculum {
namespace {

const Road all_roads[] = {Road::robust, Road::lagrange, Road::gauss, Road::fast};

Equations system(int n, const std::vector<double>& M, const std::vector<double>& Q, int m = 0,
                 const std::vector<double>& A = {}, const std::vector<double>& b = {}) {
  return {SparseMatrix::from_dense(n, n, M), Q, SparseMatrix::from_dense(m, n, A), b, {}};
}

void expect_no_answer(const Equations& at, Status status, const std::vector<int>& coordinates) {
  for (Road road : all_roads) {
    SCOPED_TRACE(road_name(road));
    const Solution out = solve(at, {.road = road});
    EXPECT_EQ(out.status, status);
    EXPECT_EQ(out.coordinates, coordinates);
    EXPECT_TRUE(std::isnan(out.acceleration[0]));
  }
}

TEST(Mass, a_ratio_of_masses_is_no_singularity) {
  dense::Matrix M = dense::Matrix::Zero(3, 3);
  M.diagonal() << 1e-20, 1.0, 1e20;
  EXPECT_EQ(dense::judge_mass(M).kind, dense::MassKind::definite);
  M(0, 2) = M(2, 0) = 0.5;
  EXPECT_EQ(dense::judge_mass(M).kind, dense::MassKind::definite);
}

TEST(Mass, a_massless_coordinate_held_by_a_row_is_determined) {
  // q0 has no mass, and q0'' = 2 q1'' + 1.
  const Equations at = system(2, {0, 0, 0, 3}, {0, 6}, 1, {1, -2}, {1});
  for (Road road : all_roads) {
    SCOPED_TRACE(road_name(road));
    const Solution out = solve(at, {.road = road});
    ASSERT_EQ(out.status, Status::solved);
    EXPECT_NEAR(out.acceleration[0], 5.0, 1e-14);
    EXPECT_NEAR(out.acceleration[1], 2.0, 1e-14);
    EXPECT_NEAR(out.multipliers[0], 0.0, 1e-14);
    EXPECT_TRUE(std::isnan(out.free_acceleration[0]));
    EXPECT_TRUE(std::isnan(out.dissatisfaction[0]));
    EXPECT_TRUE(std::isnan(out.deviation[1]));
    EXPECT_TRUE(std::isnan(out.gaussian));
    EXPECT_TRUE(out.certificate.holds());
  }
}

TEST(Mass, a_force_on_a_massless_coordinate_is_carried_by_its_row) {
  Equations at = system(2, {0, 0, 0, 3}, {4, 6}, 1, {1, -2}, {1});
  at.C = {1, 0};
  for (Road road : all_roads) {
    SCOPED_TRACE(road_name(road));
    const Solution out = solve(at, {.road = road});
    ASSERT_EQ(out.status, Status::solved);
    EXPECT_NEAR(out.multipliers[0], -4.0, 1e-14);         // row of q0:  0 = 4 + lambda
    EXPECT_NEAR(out.acceleration[1], 16.0 / 3.0, 1e-14);  // 3 q1'' = 6 - 2 lambda, and 2 more from C
    EXPECT_NEAR(out.nonideal_force[0], 0.0, 1e-14);
    EXPECT_NEAR(out.nonideal_force[1], 2.0, 1e-14);
    EXPECT_TRUE(out.certificate.holds());
  }
}

TEST(Mass, a_singular_mass_matrix_with_rows_that_hold_the_rest_is_determined) {
  // M = (1, 1)(1, 1)^T moves the sum only; the row fixes the difference.
  const Equations at = system(2, {1, 1, 1, 1}, {3, 3}, 1, {1, -1}, {1});
  for (Road road : all_roads) {
    SCOPED_TRACE(road_name(road));
    const Solution out = solve(at, {.road = road});
    ASSERT_EQ(out.status, Status::solved);
    EXPECT_NEAR(out.acceleration[0], 2.0, 1e-14);
    EXPECT_NEAR(out.acceleration[1], 1.0, 1e-14);
  }
}

TEST(Mass, coordinates_that_neither_mass_nor_rows_hold_are_named) {
  expect_no_answer(system(2, {0, 0, 0, 1}, {0, 0}, 1, {0, 1}, {0}), Status::undetermined, {0});
  expect_no_answer(system(2, {1, 1, 1, 1}, {0, 0}), Status::undetermined, {0, 1});
  expect_no_answer(system(3, {0, 0, 0, 0, 5, 0, 0, 0, 0}, {0, 0, 0}, 1, {1, 0, 1}, {2}), Status::undetermined,
                   {0, 2});
}

TEST(Mass, a_negative_direction_is_named) {
  expect_no_answer(system(2, {1, 0, 0, -1}, {0, 0}), Status::indefinite, {1});
  expect_no_answer(system(2, {1, 2, 2, 1}, {0, 0}), Status::indefinite, {0, 1});
  expect_no_answer(system(3, {1, 0, 0, 0, 0, 1, 0, 1, 1}, {0, 0, 0}), Status::indefinite, {1, 2});
  expect_no_answer(system(3, {1e8, 0, 0, 0, 1, 2, 0, 2, 1}, {0, 0, 0}, 1, {1, 0, 0}, {0}), Status::indefinite,
                   {1, 2});
}

TEST(Mass, rows_that_contradict_are_told_before_coordinates_left_open) {
  const Solution out =
      solve(system(2, {0, 0, 0, 1}, {0, 0}, 2, {0, 1, 0, 1}, {1, 2}), {.road = Road::robust});
  EXPECT_EQ(out.status, Status::contradicting);
  EXPECT_EQ(out.rows, (std::vector<int>{0, 1}));
  EXPECT_EQ(out.coordinates, std::vector<int>{0});
}

}  // namespace
}  // namespace vinculum
