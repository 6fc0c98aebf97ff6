// Numbers that are looked at four at a time against loops over them, one by one.
#include "motion/steppers/fours.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "motion/steppers/in_eights.hpp"
#include "motion/steppers/series_sums.hpp"

namespace vinculum {
namespace {

std::mt19937 engine(7);
double random(double a = -1, double b = 1) { return std::uniform_real_distribution<double>(a, b)(engine); }
std::vector<double> randoms(int count) {
  std::vector<double> numbers(count);
  for (double& x : numbers) x = random();
  return numbers;
}

TEST(Fours, ASumOfSlopesHasTheBitsOfTheSumStageByStage) {
  for (int size = 1; size <= 75; ++size) {
    InEights k(5, size), from(1, size), sum(1, size);
    for (int i = 0; i < 5; ++i)
      for (int n = 0; n < size; ++n) k.row(i)[n] = random();
    for (int n = 0; n < size; ++n) from.data()[n] = random();
    std::vector<Summand> summands;
    for (int i = 0; i < 5; ++i) summands.push_back({random(), k.eights(i)});
    add_slopes(summands, 0.1, from.eights(), from.count(), sum.eights());
    for (int n = 0; n < size; ++n) {
      double expected = from[n];
      for (int i = 0; i < 5; ++i) expected += 0.1 * summands[i].weight * k.row(i)[n];
      ASSERT_EQ(sum[n], expected) << size << ", " << n;
    }
    for (int n = size; n < 8 * sum.count(); ++n) ASSERT_EQ(sum.data()[n], 0.0);
  }
}

TEST(Fours, ASeriesHasTheBitsOfHornersRuleAndTheLargerOfItsLastTerms) {
  constexpr int order = 6;
  for (int count = 1; count <= 60; ++count) {
    const std::vector<double> c = randoms((order + 1) * count);
    const Series series{c.data(), count, count, order};
    const double theta = 0.7, power = std::pow(theta, order - 1);
    std::vector<double> value(count), slope(count), error(count);
    sum_up(series, {theta, power}, value.data(), slope.data(), error.data());
    for (int i = 0; i < count; ++i) {
      double sum = 0, by = 0;
      for (int k = order; k >= 0; --k) {
        by = sum + theta * by;
        sum = series.row(k)[i] + theta * sum;
      }
      const double one = power * theta * series.row(order)[i],
                   other = decay_of_orders * power * series.row(order - 1)[i];
      ASSERT_EQ(value[i], sum);
      ASSERT_EQ(slope[i], by);
      ASSERT_EQ(error[i], std::fabs(one) >= std::fabs(other) ? one : other);
    }
  }
}

/// So many places with a motion behind them, and the flow of that.
struct Places {
  explicit Places(int count)
      : system(model(count)), work(system), modes(system, work), flow(system, work, options, modes) {
    tolerance.relative = 1e-6;
    tolerance.sizes = &flow.sizes();
    const std::vector<double> y = randoms(flow.size()), f = randoms(flow.size());
    flow.sizes().begin(y.data());
    flow.sizes().aim(0.0, y.data(), f.data(), 0.1);
  }
  static Model model(int count) {
    Model m;
    for (int i = 0; i < count; ++i) m.mass(m.coordinate("q" + std::to_string(i)), 1 + i);
    return m;
  }
  System system;
  Workspace work;
  MotionOptions options;
  Modes modes;
  Flow flow;
  Tolerance tolerance;
};

TEST(Fours, TheLargestErrorIsThatOfOneOfTheNumbersAndNamesTheFirst) {
  for (int count = 1; count <= 9; ++count) {
    Places places(count);
    const int size = places.flow.size();
    for (int trial = 0; trial < 20; ++trial) {
      const std::vector<double> y = randoms(size), y_new = randoms(size);
      std::vector<double> error = randoms(size);
      if (trial % 3 == 0) error[trial % size] = 1e-200;
      places.flow.set_rounding(trial % 2 ? 1e-3 : 0.0);
      double most = 0;
      int worst = 0;
      for (int i = 0; i < size; ++i) {
        const double allowed = places.tolerance.of(i, y[i], y_new[i]);
        const double e =
            std::fabs(error[i]) < 1e-180
                ? 0.0
                : std::fabs(error[i]) / (allowed + places.flow.rounding() * std::fabs(y_new[i] - y[i]));
        if (e > most) most = e, worst = i;
      }
      const Attempt found =
          largest_error(places.flow, places.tolerance, y.data(), y_new.data(), error.data());
      EXPECT_TRUE(found.evaluated);
      EXPECT_EQ(found.error, most);
      EXPECT_EQ(found.worst, worst);
    }
  }
}

TEST(Fours, NoNumberIsAnErrorBeyondAllWhereverItStands) {
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double no_number : {infinite, -infinite, std::numeric_limits<double>::quiet_NaN()})
    for (int count = 1; count <= 5; ++count) {
      Places places(count);
      const int size = places.flow.size();
      for (int i = 0; i < 2 * size; ++i) {
        std::vector<double> y = randoms(size), y_new = randoms(size), error = randoms(size);
        (i < size ? y_new : error)[i % size] = no_number;
        const Attempt found =
            largest_error(places.flow, places.tolerance, y.data(), y_new.data(), error.data());
        EXPECT_FALSE(found.evaluated) << count << ", " << i;
        EXPECT_EQ(found.worst, i % size);
      }
    }
}

TEST(Fours, WhatASeriesAllowsAndWhatConfirmsAStepIsAskedOfEveryNumber) {
  for (int count = 1; count <= 9; ++count) {
    Places places(count);
    const int size = places.flow.size();
    const std::vector<double> y = randoms(size), c = randoms(3 * size), slope = randoms(size);
    const AllowedErrors allowed(places.tolerance, y.data(), y.data());
    const Series series{c.data(), size, size, 2};
    LastOrders found;
    find_last_orders(series, allowed, found);
    double last = 0, before = 0;
    for (int i = 0; i < size; ++i) {
      last = std::max(last, std::fabs(series.row(2)[i]) / places.tolerance.of(i, y[i], y[i]));
      before = std::max(before,
                        decay_of_orders * std::fabs(series.row(1)[i]) / places.tolerance.of(i, y[i], y[i]));
    }
    EXPECT_EQ(found.last, last);
    EXPECT_EQ(found.before, before);
    const Confirmation asked{0.5, 0.1, 100, 1e-3};
    for (int i = -1; i < size; ++i) {
      std::vector<double> f(size);
      for (int k = 0; k < size; ++k) f[k] = slope[k] / asked.unit;
      if (i >= 0) f[i] += 1;
      bool doubted = false;
      find_doubts(asked, allowed, 0, size, 0.0, slope.data(), f.data(), doubted);
      EXPECT_EQ(doubted, i >= 0) << i;
    }
  }
}

}  // namespace
}  // namespace vinculum
