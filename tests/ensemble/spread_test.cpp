// Histograms without the values: each is counted once, in the bin it belongs to, in whatever order they come.
#include "vinculum/ensemble/spread.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace vinculum {
namespace {

long counted(const Histogram& h) {
  long sum = 0;
  for (const Histogram::Bin& bin : h.bins()) sum += bin.plain + bin.marked;
  return sum;
}

/// Every bin against a count of the values themselves.
void expect_exact(const Histogram& h, const std::vector<double>& values, const std::vector<char>& marked) {
  ASSERT_FALSE(h.bins().empty());
  EXPECT_LE(h.bins().size(), static_cast<std::size_t>(Histogram::most));
  EXPECT_EQ(counted(h), static_cast<long>(values.size()));
  EXPECT_GT(h.bins().front().plain + h.bins().front().marked, 0);
  EXPECT_GT(h.bins().back().plain + h.bins().back().marked, 0);
  for (std::size_t k = 0; k < h.bins().size(); ++k) {
    const double low = h.low() + static_cast<double>(k) * h.width(), high = low + h.width();
    long plain = 0, others = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] >= low && values[i] < high) ++(marked[i] != 0 ? others : plain);
    EXPECT_EQ(h.bins()[k].plain, plain) << "bin " << k;
    EXPECT_EQ(h.bins()[k].marked, others) << "bin " << k;
  }
}

TEST(Histogram, CountsEveryValueInItsBinWhateverTheOrder) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 12; ++round) {
    const double centre =
        std::ldexp(std::normal_distribution<>()(random), static_cast<int>(random() % 40) - 20);
    const double size = std::ldexp(1.0, static_cast<int>(random() % 40) - 20);
    std::vector<double> values;
    std::vector<char> marked;
    for (int i = 0; i < 700; ++i) {
      values.push_back(centre + size * std::normal_distribution<>()(random));
      marked.push_back(random() % 5 == 0 ? 1 : 0);
    }
    Histogram forward, backward, sorted;
    for (std::size_t i = 0; i < values.size(); ++i) forward.add(values[i], marked[i] != 0);
    for (std::size_t i = values.size(); i-- > 0;) backward.add(values[i], marked[i] != 0);
    expect_exact(forward, values, marked);
    const auto [least, largest] = std::ranges::minmax(values);
    if (largest - least > 1e-6 * std::fabs(centre)) {
      EXPECT_GT(forward.bins().size(), 512u);
    }
    EXPECT_EQ(forward.low(), backward.low());
    EXPECT_EQ(forward.width(), backward.width());
    ASSERT_EQ(forward.bins().size(), backward.bins().size());
    for (std::size_t k = 0; k < forward.bins().size(); ++k) {
      EXPECT_EQ(forward.bins()[k].plain, backward.bins()[k].plain);
      EXPECT_EQ(forward.bins()[k].marked, backward.bins()[k].marked);
    }
  }
}

TEST(Histogram, TakesWhateverADoubleMayBe) {
  const std::vector<double> values{0.0, -0.0, 1e300, -1e300, 5e-324, -5e-324, 1.0, 2.0, -3.5e-200};
  Histogram h;
  for (const double x : values) h.add(x);
  EXPECT_EQ(counted(h), 9);
  h.add(NAN);
  h.add(INFINITY);
  h.add(-INFINITY);
  EXPECT_EQ(counted(h), 9);
  Histogram whole;
  whole.add(std::numeric_limits<double>::max());
  whole.add(std::numeric_limits<double>::lowest());
  EXPECT_EQ(counted(whole), 2);
  EXPECT_LE(whole.bins().size(), static_cast<std::size_t>(Histogram::most));
}

TEST(Histogram, OneValueIsOneBinThatHoldsIt) {
  for (const double x : {3.0, -3.0, 0.1, 0.0, 1e-310, -7e99}) {
    Histogram h;
    for (int i = 0; i < 5; ++i) h.add(x);
    ASSERT_EQ(h.bins().size(), 1u) << x;
    EXPECT_EQ(h.bins()[0].plain, 5);
    EXPECT_LE(h.low(), x);
    EXPECT_LT(x, h.low() + h.width());
  }
}

TEST(Spread, KeepsFewValuesAsTheyAreAndLogarithmsWhereAllArePositive) {
  Spread spread;
  for (int i = 0; i < 300; ++i) spread.add(std::pow(10.0, i % 3), i % 2 == 1);
  spread.add(NAN);
  ASSERT_NE(spread.values(), nullptr);
  EXPECT_EQ(spread.values()->size(), 3u);
  EXPECT_EQ(spread.values()->at(10.0).plain, 50);
  EXPECT_EQ(spread.values()->at(10.0).marked, 50);
  EXPECT_EQ(spread.finite(), 300);
  EXPECT_EQ(spread.not_finite(), 1);
  ASSERT_NE(spread.logarithmic(), nullptr);
  EXPECT_EQ(counted(*spread.logarithmic()), 300);
  EXPECT_EQ(spread.logarithmic()->low(), 0.0);
  spread.add(-1.0);
  EXPECT_EQ(spread.logarithmic(), nullptr);
  for (int i = 0; i < 100; ++i) spread.add(i + 0.5);
  EXPECT_EQ(spread.values(), nullptr);
  EXPECT_EQ(counted(spread.histogram()), 401);
}

}  // namespace
}  // namespace vinculum
