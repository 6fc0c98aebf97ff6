#include "vinculum/equation/equations.hpp"

#include <gtest/gtest.h>

namespace vinculum {
namespace {

const std::vector<double> numbers{1.0, 0.0, 2.0, 0.0, 0.0, 0.0};

TEST(Equations, a_sparse_matrix_keeps_what_is_not_zero) {
  const SparseMatrix matrix = SparseMatrix::from_dense(2, 3, numbers);
  EXPECT_EQ(matrix.start, (std::vector<int>{0, 2, 2}));
  EXPECT_EQ(matrix.column, (std::vector<int>{0, 2}));
  EXPECT_EQ(matrix.value, (std::vector<double>{1.0, 2.0}));
  EXPECT_EQ(matrix.dense(), numbers);
}

TEST(Equations, a_sparse_matrix_keeps_zeros_when_asked) {
  const SparseMatrix matrix = SparseMatrix::from_dense(2, 3, numbers, true);
  EXPECT_EQ(matrix.entries(), 6);
  EXPECT_EQ(matrix.dense(), numbers);
}

TEST(Equations, a_diagonal_matrix_has_its_values_on_the_diagonal) {
  const SparseMatrix matrix = SparseMatrix::diagonal(std::vector<double>{3.0, 0.0});
  EXPECT_EQ(matrix.entries(), 2);
  EXPECT_EQ(matrix.dense(), (std::vector<double>{3.0, 0.0, 0.0, 0.0}));
}

TEST(Equations, a_matrix_without_rows_is_empty) {
  const SparseMatrix matrix = SparseMatrix::from_dense(0, 3, {});
  EXPECT_EQ(matrix.start, std::vector<int>{0});
  EXPECT_TRUE(matrix.dense().empty());
}

}  // namespace
}  // namespace vinculum
