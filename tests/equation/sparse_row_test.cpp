#include "vinculum/equation/sparse_row.hpp"

#include <gtest/gtest.h>

#include "vinculum/equation/light.hpp"

namespace vinculum {
namespace {

/// [1 0 2; 0 0 0; -3 4 0]
const SparseMatrix matrix = SparseMatrix::from_dense(3, 3, std::vector<double>{1, 0, 2, 0, 0, 0, -3, 4, 0});

TEST(SparseRow, ItsEntriesComeInTheOrderOfTheirColumns) {
  std::vector<int> columns;
  std::vector<double> values;
  for (const auto [column, value] : row_of(matrix, 2)) {
    columns.push_back(column);
    values.push_back(value);
  }
  EXPECT_EQ(columns, (std::vector<int>{0, 1}));
  EXPECT_EQ(values, (std::vector<double>{-3.0, 4.0}));
  EXPECT_EQ(row_of(matrix, 2).size(), 2);
}

TEST(SparseRow, ARowOfZerosHasNoEntries) {
  const SparseRow row = row_of(matrix, 1);
  EXPECT_EQ(row.size(), 0);
  EXPECT_EQ(row.begin(), row.end());
  EXPECT_EQ(row.dot(std::vector<double>{1, 1, 1}), 0.0);
  EXPECT_EQ(row.dot(std::vector<double>{1, 1, 1}, 5.0), 5.0);
}

TEST(SparseRow, ItsProductIsThatOfTheDenseRow) {
  const std::vector<double> x{10, 100, 1000};
  EXPECT_EQ(row_of(matrix, 0).dot(x), 2010.0);
  EXPECT_EQ(row_of(matrix, 2).dot(x), 370.0);
}

/// Sums of numbers depend on their order: a residual starts with its right side.
TEST(SparseRow, ItsProductAddsTermByTermToWhatItStartsFrom) {
  const SparseMatrix ones = SparseMatrix::from_dense(1, 2, std::vector<double>{1, 1});
  const std::vector<double> x{1.0, 1e-16};
  EXPECT_EQ(row_of(ones, 0).dot(x, -1.0), 1e-16);  // 1 + 1e-16 is 1
  EXPECT_EQ(row_of(ones, 0).dot(x) - 1.0, 0.0);
}

TEST(SparseRow, ItAddsItsTransposeTimesAFactor) {
  std::vector<double> y{1, 1, 1};
  row_of(matrix, 2).add_to(y, 2.0);
  EXPECT_EQ(y, (std::vector<double>{-5, 9, 1}));
}

TEST(SparseRow, WhatItDoesNotHoldIsZero) {
  const std::vector<double> dense = matrix.dense();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_EQ(row_of(matrix, i).entry(j), dense[3 * i + j]) << i << ' ' << j;
}

TEST(SparseRow, TheDiagonalHasAZeroWhereThePatternHasNone) {
  std::vector<double> diagonal{7, 7, 7, 7};
  diagonal_of(matrix, diagonal);
  EXPECT_EQ(diagonal, (std::vector<double>{1, 0, 0}));
}

TEST(SparseRow, ChosenRowsComeInTheOrderAskedFor) {
  const SparseMatrix chosen = chosen_rows(matrix, std::vector<int>{2, 1, 0, 2});
  EXPECT_EQ(chosen.rows, 4);
  EXPECT_EQ(chosen.columns, 3);
  EXPECT_EQ(chosen.start, (std::vector<int>{0, 2, 2, 4, 6}));
  EXPECT_EQ(chosen.dense(), (std::vector<double>{-3, 4, 0, 0, 0, 0, 1, 0, 2, -3, 4, 0}));
}

}  // namespace
}  // namespace vinculum
