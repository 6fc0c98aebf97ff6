// How far a series goes: where its last coefficient costs as much as it makes the step longer.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "motion/series_models.hpp"
#include "motion/systems.hpp"
#include "system/system_impl.hpp"
#include "vinculum/motion/simulate.hpp"

namespace vinculum {
namespace {

Model pendulum() {
  Model m;
  m.gravity({0, -9.81, 0});
  const Particle bob = m.particle("bob", {.mass = 1, .position = {1, 0, 0}, .velocity = {0, 0, 2}});
  m.constrain("rod", norm_squared(bob), 1);
  return m;
}

/// A chain of that many bobs, which swings.
Model chain(int bobs) {
  Model m;
  m.gravity({0, -9.81, 0});
  Particle before;
  for (int k = 0; k < bobs; ++k) {
    const Particle bob = m.particle("bob" + std::to_string(k), {.mass = 1, .position = {k + 1.0, 0, 0}});
    m.constrain("rod" + std::to_string(k), k == 0 ? norm_squared(bob) : norm_squared(bob - before), 1);
    before = bob;
  }
  return m;
}

/// A program leaves out what nobody reads: work that no force can do, and what the last order has for one
/// behind it. That is a part of every order, and orders are compared by how operations grow.
TEST(SeriesOrder, OperationsGrowAsThoseOfThePrograms) {
  for (const Model& model : {pendulum(), chain(4), test::dragged(), test::dragged_by_a_moving_rod()}) {
    const System system(model);
    const std::optional<SeriesWork>& work = system.impl().small_series_work();
    ASSERT_TRUE(work.has_value());
    const auto of_program = [&](int order) {
      return static_cast<double>(SmallSeriesProgram(system.impl(), order).operations());
    };
    for (const auto& [from, to] : {std::pair(10, 17), std::pair(17, 24)}) {
      const double growth = of_program(to) / of_program(from);
      EXPECT_NEAR(work->to_order(to) / work->to_order(from), growth, 0.1 * growth);
    }
    EXPECT_NEAR(work->to_order(24), of_program(24), 0.3 * of_program(24));
  }
}

TEST(SeriesOrder, ItRisesWithTheDigitsAndFallsWithTheSizeOfASystem) {
  const System small(pendulum()), large(chain(7));
  int before_small = 0, before_large = 0;
  for (const double tolerance : {1e-5, 1e-8, 1e-11, 1e-14}) {
    const int of_small = series_order(small, tolerance), of_large = series_order(large, tolerance);
    EXPECT_GE(of_small, before_small);
    EXPECT_GE(of_large, before_large);
    EXPECT_GE(of_small, of_large);
    before_small = of_small;
    before_large = of_large;
  }
  // With nothing beside the coefficients 1 - ln(tolerance)/2 were the best: a rest that costs asks for more.
  EXPECT_GT(series_order(small, 1e-8), std::ceil(1 - 0.5 * std::log(1e-8)));
}

/// A pendulum of that many links, told in angles: each moves with each.
Model pendulum_of_links(int links) {
  Model m;
  std::vector<Coordinate> angle;
  for (int k = 0; k < links; ++k) angle.push_back(m.coordinate("a" + std::to_string(k), {0.3 * k, 0.1}));
  for (int i = 0; i < links; ++i) {
    m.potential(-9.81 * (links - i) * cos(angle[i]));
    for (int j = 0; j <= i; ++j)
      m.kinetic((i == j ? 0.5 : 1.0) * (links - i) * cos(angle[i] - angle[j]) * angle[i].rate() *
                angle[j].rate());
  }
  return m;
}

TEST(SeriesOrder, ASeriesThatCanBeOneKernelIsOne) {
  const System system(pendulum_of_links(8));
  const std::optional<SeriesWork>& work = system.impl().small_series_work();
  ASSERT_TRUE(work.has_value());
  ASSERT_GT(work->to_order(24), SmallSeriesProgram::most_operations);  // to the highest order it is too long
  for (const double tolerance : {1e-6, 1e-10, 3e-15}) {
    const int order = series_order(system, tolerance);
    EXPECT_LE(work->to_order(order), SmallSeriesProgram::most_operations);
    EXPECT_TRUE(has_small_series(system, tolerance)) << "order " << order;
  }
  EXPECT_GT(work->to_order(series_order(system, 3e-15) + 1), SmallSeriesProgram::most_operations);
}

TEST(SeriesOrder, SystemsThatAreNotWrittenOutGoByTheirDigits) {
  const System system(chain(40));
  EXPECT_FALSE(system.impl().small_series_work().has_value());
  EXPECT_EQ(series_order(system, 1e-9), 12);  // 1 + 10.4
  EXPECT_EQ(series_order(system, 1e-2), 6);
  EXPECT_EQ(series_order(system, 1e-30), 19);
}

}  // namespace
}  // namespace vinculum
