// Coefficients against the order conditions of rooted trees, generated here.
#include "motion/steppers/tableau.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <vector>

#include "motion/steppers/radau.hpp"

namespace vinculum {
namespace {

/// A rooted tree as the places of its children in a list of smaller trees, falling.
struct Tree {
  std::vector<int> children;
  int order = 1;
  double density = 1;  // gamma
};

void add_trees(std::vector<Tree>& all, Tree partial, int left, int largest) {
  if (left == 0) {
    partial.density = partial.order;
    for (const int c : partial.children) partial.density *= all[c].density;
    all.push_back(partial);
    return;
  }
  for (int c = largest; c >= 0; --c) {
    if (all[c].order > left) continue;
    Tree next = partial;
    next.children.push_back(c);
    add_trees(all, next, left - all[c].order, c);
  }
}

/// All rooted trees up to an order: 1, 2, 4, 8, 17, 37, 85, 200 in all.
std::vector<Tree> trees_up_to(int order) {
  std::vector<Tree> all{Tree{}};
  for (int p = 2; p <= order; ++p) {
    const int smaller = static_cast<int>(all.size());
    std::vector<Tree> grown = all;
    Tree root;
    root.order = p;
    add_trees(grown, root, p - 1, smaller - 1);
    all = grown;
  }
  return all;
}

/// Phi_i of every tree for every stage: the sum over products of a_ij along its edges.
std::vector<std::vector<double>> weights(const std::vector<Tree>& trees, const Tableau& t) {
  std::vector<std::vector<double>> phi;
  for (const Tree& tree : trees) {
    std::vector<double> value(t.total, 1.0);
    for (const int child : tree.children)
      for (int i = 0; i < t.total; ++i) {
        double sum = 0;
        for (int j = 0; j < i; ++j) sum += t.row(i)[j] * phi[child][j];
        value[i] *= sum;
      }
    phi.push_back(value);
  }
  return phi;
}

double weighted(std::span<const double> b, const std::vector<double>& phi) {
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i) sum += b[i] * phi[i];
  return sum;
}

const Tableau* const tableaus[] = {&dop853(), &dopri5(), &rk4()};
// Sums of up to 16 products of coefficients up to about 50 in size, each rounded.
constexpr double rounding = 2e-13;

TEST(Tableau, TreesAreAsManyAsCayleyCounted) {
  std::map<int, int> count;
  for (const Tree& t : trees_up_to(8)) ++count[t.order];
  EXPECT_EQ(count, (std::map<int, int>{{1, 1}, {2, 1}, {3, 2}, {4, 4}, {5, 9}, {6, 20}, {7, 48}, {8, 115}}));
}

TEST(Tableau, EveryStageStandsAtTheSumOfItsRow) {
  for (const Tableau* t : tableaus)
    for (int i = 1; i < t->total; ++i) {
      double sum = 0;
      for (int j = 0; j < i; ++j) sum += t->row(i)[j];
      EXPECT_NEAR(sum, t->c[i], rounding) << t->name << " stage " << i;
    }
}

TEST(Tableau, EveryMethodSatisfiesTheConditionsOfItsOrder) {
  for (const Tableau* t : tableaus) {
    const std::vector<Tree> trees = trees_up_to(t->order);
    const auto phi = weights(trees, *t);
    for (std::size_t k = 0; k < trees.size(); ++k)
      EXPECT_NEAR(weighted(t->b, phi[k]), 1 / trees[k].density, rounding)
          << t->name << " tree " << k << " of order " << trees[k].order;
  }
}

TEST(Tableau, NoMethodHasOneOrderMore) {
  for (const Tableau* t : {&dopri5(), &rk4()}) {
    const std::vector<Tree> trees = trees_up_to(t->order + 1);
    const auto phi = weights(trees, *t);
    double worst = 0;
    for (std::size_t k = 0; k < trees.size(); ++k)
      worst = std::max(worst, std::fabs(weighted(t->b, phi[k]) - 1 / trees[k].density));
    EXPECT_GT(worst, 1e-5) << t->name;  // else the test above would test nothing
  }
}

TEST(Tableau, ErrorEstimatesVanishUpToTheOrderOfTheLowerMethod) {
  const auto check = [](const Tableau& t, std::span<const double> error, int order) {
    const std::vector<Tree> trees = trees_up_to(order + 1);
    const auto phi = weights(trees, t);
    double beyond = 0;
    for (std::size_t k = 0; k < trees.size(); ++k) {
      const double sum = weighted(error, phi[k]);
      if (trees[k].order <= order)
        EXPECT_NEAR(sum, 0, rounding) << t.name << " tree " << k << " of order " << trees[k].order;
      else
        beyond = std::max(beyond, std::fabs(sum));
    }
    EXPECT_GT(beyond, 1e-6) << t.name;
  };
  check(dop853(), dop853().error, 5);
  check(dop853(), dop853().error_low, 3);
  check(dopri5(), dopri5().error, 4);
}

TEST(Tableau, DenseOutputHasItsOrderEverywhereInTheStep) {
  for (const Tableau* t : tableaus) {
    const std::vector<Tree> trees = trees_up_to(t->dense_order);
    const auto phi = weights(trees, *t);
    for (const double theta : {0.1, 0.25, 0.5, 0.7, 0.99, 1.0}) {
      std::vector<double> b(t->total, 0.0);
      for (int i = 0; i < t->total; ++i)
        for (int j = t->dense_degree - 1; j >= 0; --j)
          b[i] = theta * (b[i] + t->dense[i * t->dense_degree + j]);
      for (std::size_t k = 0; k < trees.size(); ++k)
        EXPECT_NEAR(weighted(b, phi[k]), std::pow(theta, trees[k].order) / trees[k].density, 10 * rounding)
            << t->name << " at " << theta << " tree " << k;
    }
  }
}

TEST(RadauIIA, SatisfiesQuadratureToOrderFiveAndCollocationToThree) {
  using R = RadauIIA;
  const double* b = R::A[2];  // stiffly accurate: the last row is b
  for (int k = 1; k <= 5; ++k) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += b[i] * std::pow(R::c[i], k - 1);
    EXPECT_NEAR(sum, 1.0 / k, 1e-15) << "B(" << k << ")";
  }
  for (int k = 1; k <= 3; ++k)
    for (int i = 0; i < 3; ++i) {
      double sum = 0;
      for (int j = 0; j < 3; ++j) sum += R::A[i][j] * std::pow(R::c[j], k - 1);
      EXPECT_NEAR(sum, std::pow(R::c[i], k) / k, 1e-15) << "C(" << k << ") stage " << i;
    }
}

TEST(RadauIIA, TransformationTakesTheStagesApart) {
  using R = RadauIIA;
  // T^-1 T = 1, and A T diag(mu, [[alpha, -beta], [beta, alpha]]) = T.
  const double block[3][3] = {{R::mu_real, 0, 0},
                              {0, R::mu_complex.real(), -R::mu_complex.imag()},
                              {0, R::mu_complex.imag(), R::mu_complex.real()}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      double unit = 0, same = 0;
      for (int k = 0; k < 3; ++k) {
        unit += R::inverse_T[i][k] * R::T[k][j];
        for (int l = 0; l < 3; ++l) same += R::A[i][k] * R::T[k][l] * block[l][j];
      }
      EXPECT_NEAR(unit, i == j ? 1 : 0, 1e-14);
      EXPECT_NEAR(same, R::T[i][j], 1e-14) << i << ", " << j;
    }
}

TEST(RadauIIA, DensePolynomialMeetsTheStages) {
  using R = RadauIIA;
  for (int s = 0; s < 3; ++s)
    for (int i = 0; i < 3; ++i) {
      double sum = 0;
      for (int j = 2; j >= 0; --j) sum = R::c[s] * (sum + R::dense[i][j]);
      EXPECT_NEAR(sum, i == s ? 1 : 0, 1e-14);
    }
}

}  // namespace
}  // namespace vinculum
