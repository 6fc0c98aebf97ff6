#include "equation/sparse/front.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "equation/front_widths.hpp"

namespace vinculum {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double eps = std::numeric_limits<double>::epsilon();
/// Stands wherever no number should be read: one that is read shows in the result.
constexpr double poison = std::numeric_limits<double>::quiet_NaN();
constexpr double tolerance = 1e-12;

/// All shapes up to where fronts are neither small nor padded any more.
std::vector<FrontShape> shapes() {
  std::vector<FrontShape> list;
  for (int rows = 1; rows <= middle_front + 6; ++rows)
    for (const int columns : {1, 2, 3, 4, 5, 7, 8, rows / 2, rows - 1, rows})
      if (columns >= 1 && columns <= rows) list.push_back({rows, columns});
  list.push_back({70, 33});
  return list;
}
/// And paths, alone and on their way to a parent.
std::vector<FrontShape> all_shapes() {
  std::vector<FrontShape> list = shapes();
  for (int columns = 1; columns <= 10; ++columns)
    for (const int rest : {0, 1}) list.push_back({columns + rest, columns, true});
  return list;
}
std::string name_of(const FrontShape& f) {
  return (f.is_path ? "path, " : "") + std::to_string(f.columns) + " columns of " + std::to_string(f.rows) +
         " rows";
}

/// A front by its dense matrix: its lower triangle and the right side as a last row.
struct Front {
  FrontShape shape;
  std::vector<double> panel, update, pivot, inverse, reference;
  std::vector<int> original;
  bool fresh = true;
  int dropped = -1;

  /// `lower`: (rows + 1) x rows; what stands beside the pivots' columns goes to the update.
  Front(const FrontShape& s, const MatrixXd& lower, bool is_fresh)
      : shape(s),
        panel(s.stride() * s.columns, poison),
        update(s.update_size() + 1, poison),  // all fronts of a factor share theirs: it is never empty
        pivot(s.columns, poison),
        inverse(s.columns, poison),
        reference(s.columns, 1.0),
        original(s.columns),
        fresh(is_fresh) {
    std::iota(original.begin(), original.end(), 0);
    for (int j = 0; j < s.rows; ++j)
      for (int i = j; i <= s.rows; ++i)
        if (j < s.columns) {
          if (has(i, j)) panel[s.place(i, j)] = lower(i, j);
        } else if (!fresh)
          updated(i, j) = lower(i, j);
  }
  double& updated(int i, int j) {
    return update[(j - shape.columns) * shape.update_stride() + shape.update_first() + i - shape.columns];
  }
  bool has(int i, int c) const { return i < shape.end_of_column(c) || i == shape.rows; }
  double l(int i, int c) const { return has(i, c) ? panel[shape.place(i, c)] : 0.0; }
  void eliminate() {
    dropped = eliminate_front(shape, panel.data(), update.data(), fresh, pivot.data(), inverse.data(),
                              {original.data(), reference.data(), tolerance});
  }
};

/// Whole numbers and powers of two: no operation of the elimination rounds, and what was put together is what
/// must come apart, to the bit.
struct Exact {
  std::mt19937 random;
  explicit Exact(unsigned seed) : random(seed) {}
  double whole(int most) { return std::uniform_int_distribution<int>(-most, most)(random); }
  double power_of_two() { return std::ldexp(random() % 2 ? 1 : -1, static_cast<int>(random() % 4) - 1); }

  /// L: one on the diagonal, whole numbers below, in the columns of the pivots.
  MatrixXd lower(const FrontShape& s) {
    MatrixXd L = MatrixXd::Zero(s.rows, s.columns);
    for (int c = 0; c < s.columns; ++c) {
      L(c, c) = 1;
      for (int i = c + 1; i < s.end_of_column(c); ++i) L(i, c) = whole(2);
    }
    return L;
  }
  /// Pivots of both signs; every third of `with_zeros` depends on those before it.
  VectorXd diagonal(int size, bool with_zeros) {
    VectorXd D(size);
    for (double& d : D) d = with_zeros && random() % 3 == 0 ? 0.0 : power_of_two();
    return D;
  }
  VectorXd vector(int size) {
    VectorXd x(size);
    for (double& v : x) v = whole(3);
    return x;
  }
  MatrixXd matrix(int rows, int columns) {
    MatrixXd m(rows, columns);
    for (int j = 0; j < columns; ++j) m.col(j) = vector(rows);
    return m;
  }
};

void expect_comes_apart(const FrontShape& s, Exact& number, bool fresh, bool with_zeros) {
  const MatrixXd L = number.lower(s), E = number.matrix(s.rows + 1, s.rows);
  const VectorXd D = number.diagonal(s.columns, with_zeros), x = number.vector(s.columns);
  MatrixXd taken(s.rows + 1, s.rows);  // what the pivots account for, also of the right side
  taken << L * D.asDiagonal() * L.transpose(), (L * D.asDiagonal() * x).transpose();
  MatrixXd whole = taken;
  whole.rightCols(s.rest()) = (fresh ? 0.0 : 1.0) * E.rightCols(s.rest());
  for (int c = 0; c < s.columns; ++c)
    if (D[c] == 0.0) whole(s.rows, c) += 5;  // a right side that no unknown can meet: it is left alone
  Front front(s, whole, fresh);
  front.eliminate();
  EXPECT_EQ(front.dropped, static_cast<int>((D.array() == 0.0).count()));
  for (int c = 0; c < s.columns; ++c) {
    const bool is_dropped = D[c] == 0.0;
    EXPECT_EQ(front.pivot[c], D[c]);
    EXPECT_EQ(front.inverse[c], is_dropped ? 0.0 : 1 / D[c]);
    for (int i = c + 1; i < s.rows; ++i)
      EXPECT_EQ(front.l(i, c), is_dropped ? 0.0 : L(i, c)) << i << ' ' << c;
    EXPECT_EQ(front.l(s.rows, c), is_dropped ? 0.0 : x[c]) << "the right side of " << c;
  }
  for (int j = s.columns; j < s.rows; ++j)
    for (int i = j; i <= s.rows; ++i)
      EXPECT_EQ(front.updated(i, j), whole(i, j) - taken(i, j)) << i << ' ' << j;
}

TEST(Front, WholeNumbersComeApartToTheBit) {
  Exact number(1);
  for (const FrontShape& s : all_shapes())
    for (const bool fresh : {true, false}) {
      SCOPED_TRACE(name_of(s) + (fresh ? ", fresh" : ", after children"));
      expect_comes_apart(s, number, fresh, false);
      if (HasFailure()) return;
    }
}

TEST(Front, PivotsThatDependOnOthersAreDroppedWithTheirColumns) {
  Exact number(2);
  for (const FrontShape& s : all_shapes())
    for (const bool fresh : {true, false}) {
      SCOPED_TRACE(name_of(s) + (fresh ? ", fresh" : ", after children"));
      expect_comes_apart(s, number, fresh, true);
      if (HasFailure()) return;
    }
}

/// Random, symmetric, diagonally dominant: its condition is below 3.
MatrixXd well_conditioned(const FrontShape& s, std::mt19937& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  const int size = s.rows;
  MatrixXd S(size, size);
  for (int i = 0; i < size; ++i)
    for (int j = 0; j <= i; ++j) {
      const double entry = i == j ? 2 + number(random) / 4 : number(random) / size;
      S(i, j) = S(j, i) = s.is_path && i > j + 1 ? 0.0 : entry;
    }
  return S;
}

/// By Eigen's Cholesky factor of what is kept: S_KK = C C^T,  G = S_:K C^-T,  L = G diag(C)^-1.
TEST(Front, AgreesWithADenseFactorOfTheRowsThatAreKept) {
  std::mt19937 random(3);
  for (const FrontShape& s : all_shapes()) {
    SCOPED_TRACE(name_of(s));
    const MatrixXd S = well_conditioned(s, random);
    const VectorXd r = VectorXd::Random(s.rows);
    MatrixXd whole(s.rows + 1, s.rows);
    whole << S, r.transpose();
    Front front(s, whole, false);
    std::vector<int> kept;
    for (int c = 0; c < s.columns; ++c)  // the limit decides, not only a pivot that is zero
      if (random() % 4 == 0)
        front.reference[c] = random() % 2 ? INFINITY : 4 / tolerance;
      else
        kept.push_back(c);
    front.eliminate();
    ASSERT_EQ(front.dropped, s.columns - static_cast<int>(kept.size()));
    const MatrixXd C = MatrixXd(S(kept, kept)).llt().matrixL();
    const auto by_factor = [&](const MatrixXd& rows) {  // rows C^-T
      return MatrixXd(C.triangularView<Eigen::Lower>().solve(rows.transpose()).transpose());
    };
    const MatrixXd G = by_factor(S(Eigen::all, kept));
    const VectorXd g = by_factor(r(kept).transpose()).transpose();
    const double allowed = 16 * s.rows * eps;  // numbers of size one, condition 3, a sum of `rows` terms
    for (int k = 0; k < static_cast<int>(kept.size()); ++k) {
      const int c = kept[k];
      EXPECT_NEAR(front.pivot[c], C(k, k) * C(k, k), allowed);
      for (int i = c + 1; i < s.rows; ++i) EXPECT_NEAR(front.l(i, c), G(i, k) / C(k, k), allowed);
      EXPECT_NEAR(front.l(s.rows, c), g[k] / C(k, k), allowed);
    }
    const MatrixXd left = S - G * G.transpose();
    const VectorXd right = r - G * g;
    for (int j = s.columns; j < s.rows; ++j) {
      for (int i = j; i < s.rows; ++i) EXPECT_NEAR(front.updated(i, j), left(i, j), allowed);
      EXPECT_NEAR(front.updated(s.rows, j), right[j], allowed);
    }
    if (HasFailure()) return;
  }
}

TEST(Front, APivotThatIsNotANumberIsDropped) {
  for (const int rows : {3, 12, 40}) {
    MatrixXd whole = MatrixXd::Identity(rows + 1, rows);
    whole(1, 1) = poison;
    Front front({rows, 2}, whole, false);
    front.eliminate();
    EXPECT_EQ(front.dropped, 1) << rows;
    EXPECT_EQ(front.inverse[1], 0.0) << rows;
  }
}

TEST(Front, SolvesForwardAndBackward) {
  Exact number(4);
  for (const FrontShape& s : all_shapes()) {
    SCOPED_TRACE(name_of(s));
    const MatrixXd L = number.lower(s);
    Front front(s, MatrixXd::Zero(s.rows + 1, s.rows), true);
    for (int c = 0; c < s.columns; ++c)
      for (int i = c + 1; i < s.end_of_column(c); ++i) front.panel[s.place(i, c)] = L(i, c);
    // The pivots stand at 2, 3, ...; the other rows at every second place behind them.
    const int first = 2, behind = first + s.columns + 1;
    std::vector<int> below;
    for (int i = 0; i < s.rest(); ++i) below.push_back(behind + 2 * i);
    const VectorXd start = number.vector(behind + 2 * s.rest());
    std::vector<double> scratch(s.rows, poison);
    const VectorXd x = number.vector(s.columns);

    VectorXd y = start, expected = start;
    y.segment(first, s.columns) = L.topRows(s.columns) * x;
    expected.segment(first, s.columns) = x;
    for (int i = 0; i < s.rest(); ++i) expected[below[i]] -= L.row(s.columns + i) * x;
    forward_front(s, front.panel.data(), below.data(), y.data(), first, scratch.data());
    EXPECT_EQ(y, expected);

    y = expected = start;
    expected.segment(first, s.columns) = x;
    y.segment(first, s.columns) = L.topRows(s.columns).transpose() * x;
    for (int i = 0; i < s.rest(); ++i)
      y.segment(first, s.columns) += L.row(s.columns + i).transpose() * start[below[i]];
    backward_front(s, front.panel.data(), below.data(), y.data(), first, scratch.data());
    EXPECT_EQ(y, expected);
    if (HasFailure()) return;
  }
}

/// `relative`: where the child's rows stand in the parent's front.
void expect_added(const FrontShape& child, const FrontShape& parent, std::vector<int> relative,
                  Exact& number) {
  SCOPED_TRACE(name_of(child) + " into " + name_of(parent));
  Front from(child, number.matrix(child.rows + 1, child.rows), false);
  MatrixXd whole = number.matrix(parent.rows + 1, parent.rows);
  Front to(parent, whole, false);
  relative.push_back(parent.rows);
  extend_add(child, from.update.data(), relative.data(), parent, to.panel.data(), to.update.data());
  for (int j = 0; j < child.rest(); ++j)
    for (int i = j; i <= child.rest(); ++i)
      whole(relative[i], relative[j]) += from.updated(child.columns + i, child.columns + j);
  for (int j = 0; j < parent.rows; ++j)
    for (int i = j; i <= parent.rows; ++i)
      if (const bool passes = j >= parent.columns; passes || to.has(i, j)) {
        EXPECT_EQ(passes ? to.updated(i, j) : to.l(i, j), whole(i, j)) << i << ' ' << j;
      }
}

TEST(Front, AChildsUpdateIsAddedWhereItsRowsStand) {
  Exact number(5);
  for (const int parent_rows : {1, 5, 8, 9, 16, 31, 32, 33, 45})
    for (const int rest : {1, 2, 3, 4, 7, 8, 13, 30})
      for (const int child_columns : {1, 3, 6}) {
        if (rest > parent_rows) continue;
        const FrontShape child{child_columns + rest, child_columns},
            parent{parent_rows, (parent_rows + 1) / 2};
        std::vector<int> together(rest), all(parent_rows), apart;
        std::iota(together.begin(), together.end(), parent_rows - rest);
        expect_added(child, parent, together, number);
        std::iota(all.begin(), all.end(), 0);
        std::sample(all.begin(), all.end(), std::back_inserter(apart), rest, number.random);
        expect_added(child, parent, apart, number);
        if (HasFailure()) return;
      }
}

TEST(Front, AChildsUpdateIsAddedToAPath) {
  Exact number(7);
  for (int columns = 1; columns <= 9; ++columns)
    for (const int rest : {0, 1})
      for (const int child_columns : {1, 4})
        for (const bool child_is_path : {true, false}) {
          const FrontShape parent{columns + rest, columns, true};
          for (int row = 0; row < parent.rows; ++row) {
            expect_added({child_columns + 1, child_columns, child_is_path}, parent, {row}, number);
            if (row + 1 < parent.rows && !child_is_path)
              expect_added({child_columns + 2, child_columns}, parent, {row, row + 1}, number);
          }
          if (HasFailure()) return;
        }
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

TEST(Front, IsTheSameToTheBitWhateverTheWidthOfVectors) {
  if (!test::has_four()) GTEST_LOG_(INFO) << "this machine has no vectors of four numbers";
  std::mt19937 random(6);
  for (const FrontShape& s : shapes()) {
    SCOPED_TRACE(name_of(s));
    MatrixXd whole(s.rows + 1, s.rows);
    whole << well_conditioned(s, random), VectorXd::Random(s.rows).transpose();
    Front widest(s, whole, false);
    for (double* const rest : {widest.panel.data(), widest.update.data()})  // NaN has many bits: none here
      for (std::size_t k = 0; k < (rest == widest.panel.data() ? widest.panel : widest.update).size(); ++k)
        if (std::isnan(rest[k])) rest[k] = 0.25;
    widest.reference[s.columns / 2] = INFINITY;
    const Front start = widest;
    widest.eliminate();
    for (const auto eliminate : {test::eliminate_by_two, test::eliminate_by_four}) {
      if (eliminate == test::eliminate_by_four && !test::has_four()) continue;
      Front other = start;
      other.dropped = eliminate({s.rows, s.columns, other.panel.data(), other.update.data(), other.fresh,
                                 other.pivot.data(), other.inverse.data(), other.original.data(),
                                 other.reference.data(), tolerance});
      EXPECT_EQ(other.dropped, widest.dropped);
      EXPECT_TRUE(same_bits(other.panel, widest.panel));
      EXPECT_TRUE(same_bits(other.update, widest.update));
      EXPECT_TRUE(same_bits(other.pivot, widest.pivot));
      EXPECT_TRUE(same_bits(other.inverse, widest.inverse));
    }
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace vinculum
