#include "vinculum/equation/rank_watch.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <random>

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

// --- Rows that depend on others all along

using Eigen::MatrixXd;

SparseMatrix sparse(const MatrixXd& rows) {
  std::vector<double> values;
  for (int i = 0; i < rows.rows(); ++i)
    for (int j = 0; j < rows.cols(); ++j) values.push_back(rows(i, j));
  return SparseMatrix::from_dense(static_cast<int>(rows.rows()), static_cast<int>(rows.cols()), values, true);
}

/// The rows that are marked.
std::vector<int> marked(const std::vector<char>& marks) {
  std::vector<int> list;
  for (std::size_t r = 0; r < marks.size(); ++r)
    if (marks[r]) list.push_back(static_cast<int>(r));
  return list;
}

MatrixXd without(const MatrixXd& rows, const std::vector<char>& marks) {
  std::vector<int> kept;
  for (int r = 0; r < rows.rows(); ++r)
    if (!marks[r]) kept.push_back(r);
  return rows(kept, Eigen::all);
}

std::vector<char> dependent_rows(const MatrixXd& rows) {
  const SparseMatrix a = sparse(rows);
  return RankWatch(a).dependent_rows(a, std::vector<double>(rows.cols(), 1.0));
}

/// A watch that has looked, with these rows left out.
RankWatch looked(const MatrixXd& rows, const std::vector<char>& left_out) {
  const SparseMatrix a = sparse(rows);
  RankWatch watch(a);
  watch.leave_out(left_out);
  watch.look(a, std::vector<double>(rows.cols(), 1.0));
  return watch;
}

const MatrixXd twice{{1, 2, 0, 0}, {0, 1, 1, 0}, {1, 2, 0, 0}, {0, 0, 1, 3}};       // rows 0 and 2 are one
const MatrixXd sum_of_two{{1, 2, 0, 0}, {0, 0, 1, 3}, {0, 1, 0, 1}, {1, 2, 1, 3}};  // row 3 = row 0 + row 1

TEST(RankWatch, IndependentRowsAreAllKept) {
  EXPECT_TRUE(dependent_rows(MatrixXd{{1, 0, 0}, {1, 1, 0}, {1, 1, 1}}).empty());
  EXPECT_TRUE(dependent_rows(MatrixXd(0, 3)).empty());
}

TEST(RankWatch, OfTwoEqualRowsOneIsMarked) {
  const std::vector<int> found = marked(dependent_rows(twice));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0] == 0 || found[0] == 2) << found[0];
}

TEST(RankWatch, OfASumAndItsPartsOneIsMarked) {
  const std::vector<int> found = marked(dependent_rows(sum_of_two));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0], 2) << "this row has no part in the sum";
}

TEST(RankWatch, ARowOfZerosIsMarked) {
  EXPECT_EQ(marked(dependent_rows(MatrixXd{{1, 0}, {0, 0}, {0, 1}})), std::vector<int>{1});
}

TEST(RankWatch, TheRowsKeptAreThoseFarthestFromDepending) {
  // The second row is the first turned by a hundredth: beside the third, one of them suffices.
  const std::vector<int> found =
      marked(dependent_rows(MatrixXd{{1, 0}, {std::cos(0.01), std::sin(0.01)}, {0, 1}}));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0], 2);
}

TEST(RankWatch, MarksAsManyAsTheRankLacksAndKeepsTheRank) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> number(-1, 1);
  const auto draw = [&] { return number(random); };
  for (int again = 0; again < 200; ++again) {
    const int rank = 1 + static_cast<int>(random() % 8), rows = rank + static_cast<int>(random() % 6);
    MatrixXd a = MatrixXd::NullaryExpr(rows, rank, draw) * MatrixXd::NullaryExpr(rank, rank + 2, draw);
    for (int r = 0; r < rows; ++r) a.row(r) *= std::pow(10.0, 6 * number(random));  // of whatever length
    const std::vector<char> marks = dependent_rows(a);
    ASSERT_EQ(marked(marks).size(), static_cast<std::size_t>(rows - rank)) << again;
    if (marks.empty()) continue;
    EXPECT_EQ(without(a, marks).rowwise().normalized().colPivHouseholderQr().rank(), rank) << again;
    RankWatch watch = looked(a, marks);
    EXPECT_EQ(watch.rank(), rank) << again;
    EXPECT_TRUE(watch.left_out_depend()) << again;
  }
}

/// A chain of rows too long for a dense look, x_i - x_(i+1), with some combinations of neighbours in it; some
/// of the combinations hang together, others stand alone.
SparseMatrix long_chain(int rows, const std::vector<int>& closed, double scale) {
  SparseMatrix a;
  a.columns = rows + 2;
  const auto add = [&](const std::vector<std::pair<int, double>>& entries) {
    for (const auto& [column, value] : entries) {
      a.column.push_back(column);
      a.value.push_back(value);
    }
    a.start.push_back(static_cast<int>(a.column.size()));
    ++a.rows;
  };
  for (int r = 0; r < rows; ++r) add({{r, 1.0}, {r + 1, -1.0}});
  for (const int c : closed) add({{c, scale}, {c + 3, -scale}});  // three links in one
  return a;
}

TEST(RankWatch, OfManyRowsThoseThatGoHaveAPartInWhatDependsAndTheOthersStay) {
  const std::vector<int> closed{5, 6, 7, 200, 400, 402};
  const SparseMatrix a = long_chain(500, closed, 1e4);
  const std::vector<double> weight(a.columns, 2.0);
  RankWatch watch(a);
  const std::vector<char> marks = watch.dependent_rows(a, weight);
  ASSERT_EQ(marked(marks).size(), closed.size());
  for (const int r : marked(marks)) {
    bool takes_part = r >= 500;
    for (const int c : closed) takes_part = takes_part || (r >= c && r < c + 3);
    EXPECT_TRUE(takes_part) << r;
  }
  watch.leave_out(marks);
  watch.look(a, weight);
  EXPECT_EQ(watch.rank(), 500);
  EXPECT_TRUE(watch.left_out_depend());
}

TEST(RankWatch, ProductsOfPartsAreTheSameOneByOneAndAllAtOnce) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(-1, 1);
  SparseMatrix a = long_chain(60, {3, 20, 21, 50}, 1.0), b = a;
  for (double& v : a.value) v += number(random);
  for (double& v : b.value) v += number(random);
  std::vector<double> weight(a.columns);
  for (double& w : weight) w = 1.5 + number(random);
  RankWatch before(a), now(a);
  before.look(a, weight);
  now.look(b, weight);
  std::vector<int> all;
  for (int r = 0; r < a.rows; ++r) all.push_back(r);
  std::vector<double> at_once, alone;
  before.products(a, now, b, weight, all, at_once);
  std::vector<double> mine, its;
  for (const int r : all) {
    before.part_of(a, weight, r, mine);
    now.part_of(b, weight, r, its);
    double sum = 0, terms = 0;
    for (std::size_t i = 0; i < mine.size(); ++i) {
      sum += mine[i] * its[i];
      terms += std::fabs(mine[i] * its[i]);
    }
    EXPECT_NEAR(at_once[r], sum, 1e-9 * (terms + 1)) << r;  // null vectors of random rows are long
    before.products(a, now, b, weight, {&r, 1}, alone);
    ASSERT_EQ(alone.size(), 1u);
    EXPECT_NEAR(alone[0], sum, 1e-13 * (terms + 1)) << r;
  }
}

/// Rows that meet each other or not, and others on the same pattern.
struct RandomRows {
  explicit RandomRows(unsigned seed) : random(seed) {
    const int rows = 1 + static_cast<int>(random() % 8), columns = rows + static_cast<int>(random() % 5);
    std::vector<double> dense(static_cast<std::size_t>(rows) * columns);
    for (double& v : dense) v = random() % 3 == 0 ? number(random) : 0.0;
    for (int r = 0; r < rows; ++r) dense[static_cast<std::size_t>(r) * columns + r] = 2 + number(random);
    a = SparseMatrix::from_dense(rows, columns, dense);
    for (int i = 0; i < columns; ++i) weight.push_back(1.5 + number(random));
    for (int r = 0; r < rows; ++r) all.push_back(r);
  }
  SparseMatrix moved(double by) {
    SparseMatrix b = a;
    for (double& v : b.value) v += by * number(random);
    return b;
  }
  std::mt19937 random;
  std::uniform_real_distribution<double> number{-1, 1};
  SparseMatrix a;
  std::vector<double> weight;
  std::vector<int> all;
};

TEST(RankWatch, AGlanceTellsWhatALookTells) {
  int glances = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    RandomRows rows(seed);
    RankWatch looked(rows.a), glanced(rows.a);
    for (int again = 0; again < 3; ++again) {
      const SparseMatrix a = rows.moved(1.5);
      looked.look(a, rows.weight);
      glanced.glance(a, rows.weight);
      EXPECT_EQ(glanced.rank(), looked.rank());
      for (const int r : rows.all) {
        EXPECT_EQ(glanced.squares()[r], looked.squares()[r]);
        EXPECT_NEAR(glanced.parts()[r], looked.parts()[r], 1e-13);  // of parts above a tenth
      }
      if (!glanced.is_glance()) continue;
      ++glances;
      glanced.look_closely();
      EXPECT_FALSE(glanced.is_glance());
      for (const int r : rows.all) {
        EXPECT_EQ(glanced.parts()[r], looked.parts()[r]) << "not to the bit";
        EXPECT_EQ(glanced.null_vector(r), looked.null_vector(r));
      }
    }
  }
  EXPECT_GT(glances, 300);
}

TEST(RankWatch, NoRowThatTurnsAroundIsTakenForOneThatCannot) {
  int turned = 0, not_asked = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    RandomRows rows(seed);
    RankWatch before(rows.a), after(rows.a);
    const SparseMatrix b = rows.moved(0.5 + 0.002 * seed);
    before.glance(rows.a, rows.weight);
    after.glance(b, rows.weight);
    std::vector<double> change(rows.all.size(), 0.0), products;
    for (const int r : rows.all)
      for (int k = b.start[r]; k < b.start[r + 1]; ++k)
        change[r] += rows.weight[b.column[k]] * std::pow(b.value[k] - rows.a.value[k], 2);
    std::vector<int> may = rows.all;
    before.keep_turning(after, change, may);
    before.products(rows.a, after, b, rows.weight, rows.all, products);
    for (const int r : rows.all) {
      const bool kept = std::find(may.begin(), may.end(), r) != may.end();
      turned += products[r] < 0 ? 1 : 0;
      not_asked += kept ? 0 : 1;
      EXPECT_TRUE(kept || products[r] > 0) << seed << ", row " << r;
    }
    if (!before.is_glance() || !after.is_glance()) continue;
    before.look_closely();
    std::vector<double> closely;
    before.products(rows.a, after, b, rows.weight, rows.all, closely);
    EXPECT_FALSE(after.is_glance());
    // Null vectors of parts above 1e-4 are a hundred times as long as rows at most, which are of length ten.
    for (const int r : rows.all) EXPECT_NEAR(products[r], closely[r], 1e-9) << seed;
  }
  EXPECT_GT(turned, 100);
  EXPECT_GT(not_asked, 1000);
}

TEST(RankWatch, OfRowsNearEachOtherAGlanceIsALook) {
  for (const double angle : {5e-3, 1e-3, 1e-7, 0.0}) {
    RankWatch glanced(rows_at(1)), looked(rows_at(1));
    glanced.glance(rows_at(1), ones);
    EXPECT_TRUE(glanced.is_glance());
    looked.look(rows_at(1), ones);
    glanced.glance(rows_at(angle), ones);
    looked.look(rows_at(angle), ones);
    EXPECT_FALSE(glanced.is_glance()) << angle;
    EXPECT_EQ(glanced.rank(), looked.rank());
    for (int r = 0; r < 2; ++r) EXPECT_EQ(glanced.parts()[r], looked.parts()[r]);
  }
}

TEST(RankWatch, OfRowsLeftOutAndOfNumbersThatAreNoneAGlanceIsALook) {
  RankWatch watch(rows_at(1));
  watch.leave_out({0, 1});
  watch.glance(rows_at(1), ones);
  EXPECT_FALSE(watch.is_glance());
  RankWatch other(rows_at(1));
  other.glance(rows_at(NAN), ones);
  EXPECT_FALSE(other.is_glance());
  other.glance(SparseMatrix::from_dense(2, 2, std::vector<double>{0, 0, 1, 1}, true), ones);
  EXPECT_FALSE(other.is_glance());
}

TEST(RankWatch, TwoGlancesOnEitherSideOfASingularPositionSeeTheRowTurn) {
  RankWatch before(rows_at(1)), after(rows_at(1));
  before.glance(rows_at(1), ones);
  after.glance(rows_at(-1.2), ones);
  ASSERT_TRUE(before.is_glance() && after.is_glance());
  const double moved = std::pow(std::sin(1) + std::sin(1.2), 2) + std::pow(std::cos(1) - std::cos(1.2), 2);
  std::vector<int> may{0, 1};
  before.keep_turning(after, std::vector<double>{0, moved}, may);
  EXPECT_EQ(may.size(), 1u);  // the row that is eliminated first has no others to turn beside
  std::vector<double> products;
  before.products(rows_at(1), after, rows_at(-1.2), ones, std::vector<int>{0, 1}, products);
  EXPECT_NEAR(std::min(products[0], products[1]), -std::sin(1) * std::sin(1.2), 1e-15);
  EXPECT_NEAR(std::max(products[0], products[1]), 1, 1e-15);
}

TEST(RankWatch, WeightsDoNotChangeHowManyDepend) {
  const SparseMatrix a = sparse(sum_of_two);
  EXPECT_EQ(marked(RankWatch(a).dependent_rows(a, std::vector<double>{1e-4, 1, 3, 1e4})).size(), 1u);
}

TEST(RankWatch, RowsThatAreLeftOutCountAsDependentAndAreNamedWithTheirKind) {
  for (const int out : {0, 1, 3}) {
    std::vector<char> marks(4, 0);
    marks[out] = 1;
    RankWatch watch = looked(sum_of_two, marks);
    EXPECT_EQ(watch.rank(), 3);
    for (int r = 0; r < 4; ++r) EXPECT_EQ(watch.parts()[r] == 0, r == out) << r;
    EXPECT_EQ(watch.involved(out), (std::vector<int>{0, 1, 3}));
    const std::vector<double> u = watch.null_vector(out);
    const Eigen::VectorXd none = sum_of_two.transpose() * Eigen::Map<const Eigen::VectorXd>(u.data(), 4);
    EXPECT_LE(none.cwiseAbs().maxCoeff(), 1e-14);
    EXPECT_EQ(u[out], 1);
    EXPECT_TRUE(watch.left_out_depend());
  }
}

TEST(RankWatch, ARowThatDoesNotDependIsNotLeftOutInSilence) {
  EXPECT_FALSE(looked(sum_of_two, {0, 0, 1, 0}).left_out_depend());
  EXPECT_FALSE(looked(sum_of_two, {0, 0, 1, 1}).left_out_depend()) << "one of two does not depend";
  EXPECT_FALSE(looked(sum_of_two, {1, 0, 0, 1}).left_out_depend()) << "one too many";
}

TEST(RankWatch, ARowThatDependsAtOnePositionOnlyIsFreeBesideIt) {
  RankWatch watch(rows_at(1));
  EXPECT_TRUE(watch.dependent_rows(rows_at(0.3), ones).empty());
  const std::vector<char> marks = watch.dependent_rows(rows_at(0), ones);
  ASSERT_EQ(marked(marks).size(), 1u);
  watch.leave_out(marks);
  watch.look(rows_at(0), ones);
  EXPECT_TRUE(watch.left_out_depend());
  // The part beyond the other row is sin^2: at 1e-3 a thousand times what still counts as none.
  for (const double angle : {1e-3, 0.3, 1.0}) {
    watch.look(rows_at(angle), ones);
    EXPECT_FALSE(watch.left_out_depend()) << angle;
    EXPECT_EQ(watch.rank(), 1) << "it is passed over all the same";
  }
  watch.leave_out({});
  watch.look(rows_at(0.3), ones);
  EXPECT_EQ(watch.rank(), 2);
}

TEST(RankWatch, ALossOfRankAmongTheOthersIsSeenBesideRowsLeftOut) {
  const auto rows = [](double angle) {  // two at an angle, and the second once more
    return MatrixXd{{1, 0, 0}, {std::cos(angle), std::sin(angle), 0}, {std::cos(angle), std::sin(angle), 0}};
  };
  const std::vector<char> marks{0, 0, 1};
  EXPECT_EQ(looked(rows(0.5), marks).rank(), 2);
  RankWatch flat = looked(rows(0), marks);
  EXPECT_EQ(flat.rank(), 1);
  EXPECT_TRUE(flat.left_out_depend());
}

TEST(RankWatch, HoweverManyRowsThereAreOneThatIsThereTwiceIsMarked) {
  for (const int rows : {300, 301, 5000}) {
    std::vector<double> entries(rows, 1.0);
    SparseMatrix a = SparseMatrix::diagonal(entries);
    a.column.back() = rows - 2;  // the last row is the one before it
    const std::vector<int> found = marked(RankWatch(a).dependent_rows(a, entries));
    EXPECT_EQ(found.size(), 1u);
  }
}

}  // namespace
}  // namespace vinculum
