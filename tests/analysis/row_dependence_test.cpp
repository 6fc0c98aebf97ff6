#include "analysis/instant/row_dependence.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <random>

#include "vinculum/equation/solve.hpp"

namespace vinculum {
namespace {

using Matrix = Eigen::MatrixXd;

/// Rank as the contract counts it: singular values of rows of length one, above 1e-10 of the largest.
int rank_by_singular_values(Matrix rows) {
  if (rows.rows() == 0) return 0;
  for (int i = 0; i < rows.rows(); ++i)
    if (rows.row(i).norm() > 0) rows.row(i).normalize();
  const Eigen::VectorXd values = Eigen::JacobiSVD<Matrix>(rows).singularValues();
  return values(0) > 0 ? static_cast<int>((values.array() > 1e-10 * values(0)).count()) : 0;
}

Matrix without(const Matrix& rows, const std::vector<int>& left_out) {
  Matrix out(rows.rows() - static_cast<int>(left_out.size()), rows.cols());
  int next = 0;
  for (int i = 0; i < rows.rows(); ++i)
    if (std::find(left_out.begin(), left_out.end(), i) == left_out.end()) out.row(next++) = rows.row(i);
  return out;
}

Equations equations_of(const Matrix& A) {
  const int m = static_cast<int>(A.rows()), n = static_cast<int>(A.cols());
  std::vector<double> values;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) values.push_back(A(i, j));
  const std::vector<double> ones(n, 1.0);
  return {SparseMatrix::diagonal(ones),
          std::vector<double>(n, 0.5),
          SparseMatrix::from_dense(m, n, values),
          std::vector<double>(m, 0.0),
          {}};
}

/// Rows that depend on each other in random ways: combinations of few small integers, some zero, some scaled.
Matrix random_rows(std::mt19937& engine) {
  const auto pick = [&](int from, int to) { return std::uniform_int_distribution<int>(from, to)(engine); };
  const int m = pick(1, 9), n = pick(1, 7), rank = pick(1, std::min(m, n));
  Matrix left(m, rank), right(rank, n);
  for (double& x : left.reshaped()) x = pick(0, 2) == 0 ? pick(-2, 2) : 0;
  for (double& x : right.reshaped()) x = pick(-3, 3);
  Matrix rows = left * right;
  for (int i = 0; i < m; ++i) rows.row(i) *= std::pow(10.0, pick(-6, 6));
  return rows;
}

TEST(RowDependence, LeavingOutAnySetOfRowsIsJudgedAsByBruteForce) {
  std::mt19937 engine(5);
  int redundant = 0, needed = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const Matrix A = random_rows(engine);
    const Equations at = equations_of(A);
    const RowDependence dependence(at, solve(at), 1e-10);
    const int m = static_cast<int>(A.rows()), rank = rank_by_singular_values(A);
    ASSERT_EQ(dependence.rank(), rank);
    for (int set = 1; set < (1 << m); set += 1 + set / 40) {
      std::vector<int> rows;
      for (int i = 0; i < m; ++i)
        if (set >> i & 1) rows.push_back(i);
      const int left = rank_by_singular_values(without(A, rows));
      EXPECT_EQ(dependence.redundant(rows), left == rank) << "trial " << trial << " set " << set;
      EXPECT_EQ(dependence.dependent_without(rows), left < m - static_cast<int>(rows.size())) << trial;
      ++(left == rank ? redundant : needed);
    }
  }
  EXPECT_GT(redundant, 1000);  // both answers were asked for
  EXPECT_GT(needed, 1000);
}

TEST(RowDependence, IsKnownWhereTheMassesDetermineNothing) {
  Equations at = equations_of((Matrix(3, 2) << 1, 1, 2, 2, 0, 0).finished());
  std::fill(at.M.value.begin(), at.M.value.end(), 0.0);
  const Solution s = solve(at);
  EXPECT_EQ(s.status, Status::undetermined);
  const RowDependence dependence(at, s, 1e-10);
  EXPECT_EQ(dependence.rank(), 1);
  EXPECT_TRUE(dependence.redundant({0}));
  EXPECT_TRUE(dependence.redundant({2}));
  EXPECT_FALSE(dependence.redundant({0, 1}));
}

/// Two chains x_{i+1} - x_i = 1. The first is also closed from end to end, so that each of its rows follows
/// from the others; the second has one link stated twice.
Equations two_chains(int links) {
  const int n = 2 * (links + 1), m = 2 * links + 2;
  Equations at = equations_of(Matrix::Zero(0, n));
  SparseMatrix& A = at.A = SparseMatrix{m, n, {0}, {}, {}};
  const auto row = [&A](int i, int j, double scale) {
    A.column.insert(A.column.end(), {i, j});
    A.value.insert(A.value.end(), {-scale, scale});
    A.start.push_back(A.entries());
  };
  for (int k = 0; k < links; ++k) row(k, k + 1, 1.0 + k % 7);
  row(0, links, 1.0);
  for (int k = 0; k < links; ++k) row(links + 1 + k, links + 2 + k, 1.0);
  row(links + 6, links + 7, 3.0);
  at.b.assign(m, 0.0);
  return at;
}

TEST(RowDependence, LargeSystemsAreJudgedWithoutDenseMatrices) {
  const int links = 5000, m = 2 * links + 2;
  const Equations at = two_chains(links);
  const RowDependence dependence(at, solve(at), 1e-10);
  ASSERT_TRUE(dependence.known());
  EXPECT_EQ(dependence.rank(), m - 2);
  for (int r = 0; r < m; ++r) {
    const bool expected = r <= links || r == links + 6 || r == m - 1;
    ASSERT_EQ(dependence.redundant({r}), expected) << r;
  }
  EXPECT_FALSE(dependence.redundant({0, 1}));
  EXPECT_TRUE(dependence.redundant({0, m - 1}));
  EXPECT_FALSE(dependence.dependent_without({7, m - 1}));
}

}  // namespace
}  // namespace vinculum
