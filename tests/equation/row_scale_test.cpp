// What coordinates without mass are measured by.
#include "vinculum/equation/row_scale.hpp"

#include <gtest/gtest.h>

namespace vinculum {
namespace {

SparseMatrix rows_of(int columns, const std::vector<std::vector<double>>& rows) {
  SparseMatrix out;
  out.rows = static_cast<int>(rows.size());
  out.columns = columns;
  out.start = {0};
  for (const std::vector<double>& row : rows) {
    for (int i = 0; i < columns; ++i)
      if (row[i] != 0.0) {
        out.column.push_back(i);
        out.value.push_back(row[i]);
      }
    out.start.push_back(static_cast<int>(out.column.size()));
  }
  return out;
}

/// One row has a coefficient that is rounding: it is no reason to weigh the three of one kin differently.
TEST(RowScale, KinThatHangTogetherWithNoMassWeighAlike) {
  const SparseMatrix A = rows_of(4, {{0, 1e-17, 0.8, -0.6}, {0, -0.9, 0.2, 0.3}, {0, -0.3, -0.5, -0.8}});
  std::vector<double> mass{2, 0, 0, 0};
  lend_masses(A, {0, 1, 1, 1}, mass);
  EXPECT_EQ(mass, (std::vector<double>{2, 2, 2, 2}));
}

TEST(RowScale, AnArmThatIsRoundingLendsNothing) {
  const SparseMatrix A = rows_of(3, {{1, 3e-17, 0}, {0, 1, -1}});
  std::vector<double> mass{2, 0, 5};
  lend_masses(A, {}, mass);
  EXPECT_EQ(mass, (std::vector<double>{2, 5, 5}));
}

/// s stands in a row with l, which is light and held by b; beside that s does not weigh as little.
TEST(RowScale, WhatIsLightButTiedToMoreDoesNotMakeOthersLight) {
  const SparseMatrix A = rows_of(4, {{1, 1, -1, 0}, {0, 1, 0, -1}});
  std::vector<double> mass{0, 1e-9, 1, 1};
  lend_masses(A, {}, mass);
  EXPECT_GT(mass[0], 1e-6);
  EXPECT_EQ(mass[1], 1e-9);
}

TEST(RowScale, AUnitIsNoRounding) {
  for (const double u : {1e-12, 1e-6, 1e6, 1e12}) {
    const SparseMatrix A = rows_of(3, {{1, -u, 0}, {0, 1, -u}});
    std::vector<double> mass{3, 0, 0};
    lend_masses(A, {}, mass);
    EXPECT_NEAR(mass[1] / (3 * u * u), 1, 1e-12);
    EXPECT_NEAR(mass[2] / (3 * u * u * u * u), 1, 1e-12);
  }
}

}  // namespace
}  // namespace vinculum
