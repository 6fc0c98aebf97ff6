#include "vinculum/equation/equations.hpp"

#include <gtest/gtest.h>

namespace vinculum {
namespace {

const std::vector<double> numbers{1.0, 0.0, 2.0, 0.0, 0.0, 0.0};

TEST(Equations, ASparseMatrixKeepsWhatIsNotZero) {
  const SparseMatrix matrix = SparseMatrix::from_dense(2, 3, numbers);
  EXPECT_EQ(matrix.start, (std::vector<int>{0, 2, 2}));
  EXPECT_EQ(matrix.column, (std::vector<int>{0, 2}));
  EXPECT_EQ(matrix.value, (std::vector<double>{1.0, 2.0}));
  EXPECT_EQ(matrix.dense(), numbers);
}

TEST(Equations, ASparseMatrixKeepsZerosWhenAsked) {
  const SparseMatrix matrix = SparseMatrix::from_dense(2, 3, numbers, true);
  EXPECT_EQ(matrix.entries(), 6);
  EXPECT_EQ(matrix.dense(), numbers);
}

TEST(Equations, ADiagonalMatrixHasItsValuesOnTheDiagonal) {
  const SparseMatrix matrix = SparseMatrix::diagonal(std::vector<double>{3.0, 0.0});
  EXPECT_EQ(matrix.entries(), 2);
  EXPECT_EQ(matrix.dense(), (std::vector<double>{3.0, 0.0, 0.0, 0.0}));
}

TEST(Equations, AMatrixWithoutRowsIsEmpty) {
  const SparseMatrix matrix = SparseMatrix::from_dense(0, 3, {});
  EXPECT_EQ(matrix.start, std::vector<int>{0});
  EXPECT_TRUE(matrix.dense().empty());
}

}  // namespace
}  // namespace vinculum
