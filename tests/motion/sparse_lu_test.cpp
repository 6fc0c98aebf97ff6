// Solutions are held against those of dense matrices, which Eigen factorises with full pivoting.
#include "motion/steppers/sparse_lu.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <complex>
#include <random>

#include "support/allocations.hpp"

namespace vinculum {
namespace {

using Complex = std::complex<double>;
template <class T>
using Matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
template <class T>
using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
template <class T>
using Entries = std::vector<MatrixEntry<T>>;

template <class T>
class SparseLuOf : public testing::Test {
 protected:
  T number() {
    if constexpr (std::is_same_v<T, double>)
      return spread_(random_);
    else
      return {spread_(random_), spread_(random_)};
  }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(random_); }

  Vector<T> vector(int size) {
    Vector<T> x(size);
    for (T& value : x) value = number();
    return x;
  }

  /// A few entries in each column and one in each row, some of them in the same place.
  Entries<T> drawn(int size) {
    std::vector<int> rows(size);
    for (int i = 0; i < size; ++i) rows[i] = i;
    std::shuffle(rows.begin(), rows.end(), random_);
    Entries<T> entries;
    for (int j = 0; j < size; ++j) {
      entries.push_back({rows[j], j, 2.0 + number()});
      for (int k = below(4); k > 0; --k) entries.push_back({below(size), j, number()});
    }
    return entries;
  }

  /// As Newton's method of radau5 has it: springs from each mass to the next, and rods between some.
  Entries<T> of_a_chain(int masses, double stiffness, T mu) {
    Entries<T> entries;
    const int v = masses, l = 2 * masses;
    for (int i = 0; i < masses; ++i) {
      entries.push_back({i, i, mu});
      entries.push_back({i, v + i, -1.0});
      entries.push_back({v + i, v + i, mu * (1.0 + 0.1 * i)});
      for (const int other : {i - 1, i, i + 1})
        if (other >= 0 && other < masses)
          entries.push_back({v + i, other, other == i ? T(2 * stiffness) : T(-stiffness)});
    }
    for (int r = 0; 3 * r + 1 < masses; ++r) {
      for (const int i : {3 * r, 3 * r + 1}) {
        const double a = i == 3 * r ? -1.0 : 0.7;
        entries.push_back({v + i, l + r, -a});
        entries.push_back({l + r, v + i, mu * a});
      }
      entries.push_back({l + r, l + r, 1e-9});
    }
    return entries;
  }

  static int size_of(const Entries<T>& entries) {
    int size = 0;
    for (const auto& e : entries) size = std::max({size, e.row + 1, e.column + 1});
    return size;
  }
  static Matrix<T> dense(int size, const Entries<T>& entries) {
    Matrix<T> a = Matrix<T>::Zero(size, size);
    for (const auto& e : entries) a(e.row, e.column) += e.value;
    return a;
  }

  /// The solution is that of a matrix as near as rounding; `loss`: what poor pivots may make of it.
  void expect_solves(SparseLu<T>& lu, const Entries<T>& entries, double loss = 1) {
    const int size = size_of(entries);
    ASSERT_TRUE(lu.factorize(size, entries));
    const Matrix<T> a = dense(size, entries);
    const Vector<T> x = vector(size);
    Vector<T> found = a * x;
    lu.solve({found.data(), static_cast<std::size_t>(size)});
    const double condition = 1 / Eigen::FullPivLU<Matrix<T>>(a).rcond();
    EXPECT_LE((found - x).norm(), 1e-15 * size * loss * condition * x.norm()) << "size " << size;
  }

  std::mt19937 random_{7};
  std::uniform_real_distribution<double> spread_{-1, 1};
};

using Numbers = testing::Types<double, Complex>;
TYPED_TEST_SUITE(SparseLuOf, Numbers);

TYPED_TEST(SparseLuOf, SolvesWhatADenseOneSolves) {
  for (int pass = 0; pass < 200; ++pass) {
    SparseLu<TypeParam> lu;
    const int size = 1 + this->below(60);
    auto entries = this->drawn(size);
    if (Eigen::FullPivLU<Matrix<TypeParam>>(this->dense(size, entries)).rcond() < 1e-12) continue;
    this->expect_solves(lu, entries);
    for (auto& e : entries) e.value += 0.1 * this->number();  // with the same pivots, or others
    this->expect_solves(lu, entries, 1e3);
  }
}

TYPED_TEST(SparseLuOf, SolvesTheSystemsOfNewtonsMethod) {
  for (const int masses : {2, 5, 40, 150})
    for (const double stiffness : {1.0, 1e3, 1e6}) {
      SparseLu<TypeParam> lu;
      for (const double h : {1e-3, 1e-5, 0.1, 10.0, 1e-3}) {
        TypeParam mu = 3.6 / h;
        if constexpr (std::is_same_v<TypeParam, Complex>) mu = Complex{2.7, -3.1} / h;
        this->expect_solves(lu, this->of_a_chain(masses, stiffness, mu), 1e3);
      }
    }
}

/// Powers of two change no digit: the solution is that of the matrix before, to the last few of them.
TYPED_TEST(SparseLuOf, RowsAndColumnsMayHaveUnitsOfTheirOwn) {
  for (int pass = 0; pass < 50; ++pass) {
    const int size = 2 + this->below(30);
    auto entries = this->drawn(size);
    const Matrix<TypeParam> a = this->dense(size, entries);
    const double condition = 1 / Eigen::FullPivLU<Matrix<TypeParam>>(a).rcond();
    if (condition > 1e12) continue;
    std::vector<int> row(size), column(size);
    for (int i = 0; i < size; ++i) row[i] = this->below(200) - 100, column[i] = this->below(60) - 30;
    for (auto& e : entries) e.value *= std::ldexp(1.0, row[e.row] + column[e.column]);
    SparseLu<TypeParam> lu;
    ASSERT_TRUE(lu.factorize(size, entries));
    const Vector<TypeParam> x = this->vector(size);
    Vector<TypeParam> found = a * x;
    for (int i = 0; i < size; ++i) found[i] *= std::ldexp(1.0, row[i]);
    lu.solve({found.data(), static_cast<std::size_t>(size)});
    for (int i = 0; i < size; ++i) found[i] *= std::ldexp(1.0, column[i]);
    EXPECT_LE((found - x).norm(), 1e-13 * size * condition * x.norm());
  }
}

TYPED_TEST(SparseLuOf, SingularOnesAreSaidToBe) {
  using T = TypeParam;
  const Entries<T> good{{0, 0, 1}, {1, 1, 1}, {2, 2, 1}};
  for (const Entries<T>& singular :
       {Entries<T>{{0, 0, 1}, {1, 1, 1}}, Entries<T>{{0, 0, 1}, {1, 1, 1}, {1, 2, 1}},
        Entries<T>{{0, 0, 1}, {1, 1, 1}, {2, 1, 1}}, Entries<T>{{0, 0, 1}, {1, 1, 1}, {2, 2, 0}},
        Entries<T>{{0, 0, 49}, {0, 1, 7}, {1, 0, 49}, {1, 1, 7}, {2, 2, 1}},
        Entries<T>{{0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {2, 2, -1}},
        Entries<T>{{0, 0, 1}, {1, 1, 1}, {2, 2, NAN}}, Entries<T>{{0, 0, INFINITY}, {1, 1, 1}, {2, 2, 1}},
        Entries<T>{}}) {
    SparseLu<T> lu;
    EXPECT_FALSE(lu.factorize(3, singular));
    EXPECT_FALSE(lu.factorize(3, singular));
    this->expect_solves(lu, good);
    EXPECT_FALSE(lu.factorize(3, singular));
  }
  // One that has pivots already.
  SparseLu<T> lu;
  this->expect_solves(lu, good);
  for (const double value : {0.0, double{NAN}, double{INFINITY}}) {
    Entries<T> singular = good;
    singular[1].value = value;
    EXPECT_FALSE(lu.factorize(3, singular));
  }
  this->expect_solves(lu, good);
}

TYPED_TEST(SparseLuOf, PivotsThatHaveBecomePoorAreLeft) {
  for (int pass = 0; pass < 50; ++pass) {
    const int size = 2 + this->below(40);
    Entries<TypeParam> entries;
    for (int i = 0; i < size; ++i) entries.push_back({i, i, 2.0 + this->number()});
    for (int i = 0; i < size; ++i) entries.push_back({i, (i + 1) % size, 0.1 * (2.0 + this->number())});
    for (int i = 0; i < size; ++i) entries.push_back({this->below(size), i, 0.01 * this->number()});
    SparseLu<TypeParam> lu;
    this->expect_solves(lu, entries);
    for (const double diagonal : {1e-14, 1e-300, 0.0, 1.0}) {
      Entries<TypeParam> other = entries;
      for (int i = 0; i < size; ++i) other[i].value *= diagonal;
      this->expect_solves(lu, other, 1e3);
    }
  }
}

TYPED_TEST(SparseLuOf, AnotherPatternIsFoundOut) {
  SparseLu<TypeParam> lu;
  for (int pass = 0; pass < 50; ++pass) {
    const auto entries = this->of_a_chain(2 + this->below(10), 100.0, TypeParam(3.0));
    this->expect_solves(lu, entries, 1e3);
    auto longer = entries;
    longer.push_back({0, this->size_of(entries) - 1, this->number()});
    this->expect_solves(lu, longer, 1e3);
  }
}

TYPED_TEST(SparseLuOf, AllocatesOncePerPattern) {
  SparseLu<TypeParam> lu;
  const auto entries = this->of_a_chain(60, 1e3, TypeParam(3.0));
  std::vector<TypeParam> x(this->size_of(entries), TypeParam(1));
  ASSERT_TRUE(lu.factorize(static_cast<int>(x.size()), entries));
  auto changed = entries;
  const long before = allocations();
  for (int pass = 0; pass < 20; ++pass) {
    for (auto& e : changed) e.value *= 1.1;
    ASSERT_TRUE(lu.factorize(static_cast<int>(x.size()), changed));
    lu.solve(x);
  }
  EXPECT_EQ(allocations(), before);
}

}  // namespace
}  // namespace vinculum
