#include "equation/sparse/schur_blocks.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "equation/sparse/schur.hpp"

namespace vinculum {
namespace {

using Eigen::MatrixXd;

/// Rows over coordinates in random places, and W = M^-1 in blocks of neighbouring coordinates.
struct Sample {
  int rows, coordinates;
  int alike;  // how many rows in a row stand over the same coordinates, as those of a joint do
  int block;  // size of the blocks of M
  int most;   // entries of a row
};

struct Numbers {
  std::mt19937 random;
  bool whole;  // whole numbers: no product or sum of them rounds
  double operator()() {
    const double x = std::uniform_real_distribution<double>(-4, 4)(random);
    return whole ? std::round(x) : x;
  }
};

struct Blocks {
  SparseMatrix mass, a;
  MatrixXd dense_a, inverse;
  Structure::Impl structure;
  std::vector<double> blocks_of_inverse;

  Blocks(const Sample& s, Numbers& number)
      : mass(mass_pattern(s)), a(pattern(s, number.random)), structure(mass, a, false) {
    for (double& x : a.value) x = number();
    dense_a = MatrixXd::Zero(s.rows, s.coordinates);
    for (int i = 0; i < s.rows; ++i)
      for (int k = a.start[i]; k < a.start[i + 1]; ++k) dense_a(i, a.column[k]) = a.value[k];
    inverse = MatrixXd::Zero(s.coordinates, s.coordinates);
    for (int i = 0; i < s.coordinates; ++i)
      for (int j = 0; j <= i; ++j)
        if (i / s.block == j / s.block) inverse(i, j) = inverse(j, i) = number();
    for (int first = 0; first < s.coordinates; first += s.block)
      for (int i = first; i < std::min(first + s.block, s.coordinates); ++i)
        for (int j = first; j < std::min(first + s.block, s.coordinates); ++j)
          blocks_of_inverse.push_back(inverse(i, j));
  }

  static SparseMatrix mass_pattern(const Sample& s) {
    std::vector<double> ones(s.coordinates * s.coordinates, 0.0);
    for (int i = 0; i < s.coordinates; ++i)
      for (int j = 0; j < s.coordinates; ++j) ones[i * s.coordinates + j] = i / s.block == j / s.block;
    return SparseMatrix::from_dense(s.coordinates, s.coordinates, ones);
  }
  /// Every fifth group of rows is empty.
  static SparseMatrix pattern(const Sample& s, std::mt19937& random) {
    SparseMatrix a;
    a.rows = s.rows;
    a.columns = s.coordinates;
    std::set<int> columns;
    for (int r = 0; r < s.rows; ++r) {
      if (r % s.alike == 0) {
        columns.clear();
        for (unsigned k = random() % 5 == 0 ? 0 : 1 + random() % s.most; k > 0; --k)
          columns.insert(static_cast<int>(random() % s.coordinates));
      }
      a.column.insert(a.column.end(), columns.begin(), columns.end());
      a.start.push_back(static_cast<int>(a.column.size()));
    }
    a.value.resize(a.column.size());
    return a;
  }
  std::vector<double> y() const {
    std::vector<double> out(structure.y_size, 0.0);
    fill_y(structure, blocks_of_inverse.data(), a.value.data(), out.data());
    return out;
  }
  /// The memory of the factor, as it is before elimination.
  std::vector<double> assembled() const {
    SparseLdl::Factor factor = structure.ldl.make_factor();
    structure.ldl.make_room(factor);
    assemble(structure.blocks, a.value.data(), y().data(), factor.value.data());
    return factor.value;
  }
};

/// Sizes one, odd and just beside eight, up to which rows are one group.
const std::vector<Sample> samples{
    {1, 1, 1, 1, 1},    {1, 7, 1, 1, 5},    {2, 3, 2, 3, 2},    {3, 9, 3, 1, 4},
    {7, 12, 7, 5, 6},   {8, 12, 8, 1, 6},   {9, 13, 9, 3, 6},   {17, 20, 17, 1, 8},
    {31, 40, 1, 1, 4},  {33, 41, 3, 2, 5},  {50, 60, 5, 7, 4},  {64, 90, 6, 6, 6},
    {75, 101, 5, 1, 7}, {90, 70, 4, 10, 3}, {99, 99, 11, 3, 4}, {120, 200, 2, 31, 2}};

TEST(SchurBlocks, HoldEveryEntryOfTheDenseProductAndNothingElse) {
  Numbers number{std::mt19937(1), true};
  for (const Sample& s : samples)
    for (int again = 0; again < 20; ++again) {
      SCOPED_TRACE(std::to_string(s.rows) + " rows over " + std::to_string(s.coordinates) + ", " +
                   std::to_string(s.alike) + " alike, blocks of " + std::to_string(s.block));
      const Blocks b(s, number);
      if (b.structure.method == Method::kkt) continue;  // too full: never assembled
      const MatrixXd S = b.dense_a * b.inverse * b.dense_a.transpose();
      std::vector<double> value = b.assembled();
      const LowerPattern& p = b.structure.schur;
      MatrixXd found = MatrixXd::Zero(s.rows, s.rows);
      for (int j = 0; j < p.size; ++j)
        for (int k = p.start[j]; k < p.start[j + 1]; ++k) {
          double& entry = value[b.structure.ldl.slots()[k]];
          found(p.row[k], j) = found(j, p.row[k]) = entry;
          EXPECT_EQ(b.structure.ldl.slot(p.row[k], j), b.structure.ldl.slots()[k]);
        }
      EXPECT_EQ(found, S);
      for (int i = 0; i < s.rows; ++i) EXPECT_EQ(value[b.structure.blocks.diagonal[i]], S(i, i));
      for (const int slot : b.structure.ldl.slots()) value[slot] = 0.0;
      for (const double left : value) EXPECT_EQ(left, 0.0) << "what is filled in later must be zero";
      if (HasFailure()) return;
    }
}

TEST(SchurBlocks, FrontByFrontOnlyTheColumnsOfThatFrontAreWritten) {
  Numbers number{std::mt19937(3), true};
  for (const Sample& s : samples) {
    const Blocks b(s, number);
    if (b.structure.method == Method::kkt) continue;
    const SparseLdl& ldl = b.structure.ldl;
    const std::vector<double> whole = b.assembled(), y = b.y();
    for (int front = 0; front < ldl.fronts(); ++front) {
      constexpr double untouched = 0.125;
      std::vector<double> value(whole.size(), untouched);
      assemble(b.structure.blocks, front, b.a.value.data(), y.data(), value.data());
      const LowerPattern& p = b.structure.schur;
      for (int j = 0; j < p.size; ++j)
        for (int k = p.start[j]; k < p.start[j + 1]; ++k) {
          const int first = ldl.position(j) < ldl.position(p.row[k]) ? j : p.row[k], slot = ldl.slots()[k];
          EXPECT_EQ(value[slot], ldl.front_of(first) == front ? whole[slot] : untouched);
          value[slot] = untouched;
        }
      EXPECT_EQ(value, std::vector<double>(whole.size(), untouched));
    }
    if (HasFailure()) return;
  }
}

TEST(SchurBlocks, ManyOfThePatternsAreAssembled) {  // else the test above would prove nothing
  Numbers number{std::mt19937(1), true};
  int assembled = 0;
  for (const Sample& s : samples) assembled += Blocks(s, number).structure.method == Method::schur;
  EXPECT_GE(assembled, static_cast<int>(samples.size()) - 2);
}

TEST(SchurBlocks, AddUpInTheOrderOfTheCoordinatesWhateverTheWidthOfVectors) {
  Numbers number{std::mt19937(2), false};
  for (const Sample& s : samples) {
    const Blocks b(s, number);
    if (b.structure.method == Method::kkt) continue;
    const std::vector<double> value = b.assembled(), y = b.y();
    const SchurBlocks::Term* term = b.structure.blocks.terms.data();
    for (const SchurBlocks::Block& block : b.structure.blocks.blocks) {
      const bool neighbours = block.rows == SchurBlocks::neighbours;
      const int rows = neighbours ? 1 : static_cast<int>(block.rows), terms = static_cast<int>(block.terms);
      for (int i = 0; i < rows; ++i) {
        double sum = 0;  // one number at a time
        for (int k = 0; k < terms; ++k)
          sum +=
              neighbours ? b.a.value[term->a + k] * y[term->y + k] : b.a.value[term[k].a] * y[term[k].y + i];
        EXPECT_EQ(value[block.slot + i], sum);
      }
      term += neighbours ? 1 : terms;
    }
    EXPECT_EQ(term, b.structure.blocks.terms.data() + b.structure.blocks.terms.size());
  }
}

TEST(SchurBlocks, NoRowsAreNoBlocks) {
  const SparseMatrix none{0, 3, {0}, {}, {}};
  const LowerPattern empty{0, {0}, {}};
  const SchurBlocks blocks(none, none.start, none.column, empty, SparseLdl(empty));
  EXPECT_TRUE(blocks.blocks.empty());
  EXPECT_EQ(blocks.y_size, 0);
  assemble(blocks, nullptr, nullptr, nullptr);
}

}  // namespace
}  // namespace vinculum
