#include "kernel/functions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <random>

#include "kernel/evaluation.hpp"

namespace vinculum::kernel {
namespace {
using test::inf;
using test::nan;
using test::same_bits;
using test::ulps;

// The rounding of the last addition is half a unit; what is added carries the rounding of the polynomial and
// of the tail, together below a third.
constexpr double sine_ulps = 0.85;

double worst_error(double x) {
  double s, c;
  sin_cos(x, s, c);
  return std::max(ulps(s, std::sin(static_cast<long double>(x))),
                  ulps(c, std::cos(static_cast<long double>(x))));
}

TEST(SinCos, IsWithinOneUnitOverTheWholeReducedRange) {
  std::mt19937_64 random(1);
  double worst = 0;
  for (const double range : {1e-300, 1e-8, 1.0, 10.0, 1e3, 1e5, largest_reduced}) {
    std::uniform_real_distribution<double> argument(-range, range);
    for (int i = 0; i < 100'000; ++i) worst = std::max(worst, worst_error(argument(random)));
  }
  EXPECT_LT(worst, sine_ulps);
  RecordProperty("worst_ulps", std::to_string(worst));
}

TEST(SinCos, IsAsGoodBesideEveryMultipleOfAQuarterTurn) {
  // There sine or cosine is as small as it can be, and the reduction has to be right in bits that x itself
  // has not.
  double worst = 0;
  const long double quarter = std::numbers::pi_v<long double> / 2;
  for (int n = 1; n * quarter < largest_reduced; ++n) {
    const auto x = static_cast<double>(n * quarter);
    for (const double y : {std::nextafter(x, 0), x, std::nextafter(x, inf)})
      worst = std::max(worst, worst_error(y));
  }
  EXPECT_LT(worst, sine_ulps);
  RecordProperty("worst_ulps", std::to_string(worst));
}

TEST(SinCos, IsAsGoodWhereTheQuadrantChanges) {
  double worst = 0;
  for (int n = 1; n < 100'000; n += 2) {
    double x = n * (std::numbers::pi / 4);
    for (int k = 0; k < 4; ++k, x = std::nextafter(x, inf)) worst = std::max(worst, worst_error(x));
  }
  EXPECT_LT(worst, sine_ulps);
}

TEST(SinCos, IsExactlyOddAndEven) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> exponent(-320, 308);
  for (int i = 0; i < 100'000; ++i) {
    const double x = std::pow(10.0, exponent(random));
    EXPECT_TRUE(same_bits(sine(-x), -sine(x))) << x;
    EXPECT_TRUE(same_bits(cosine(-x), cosine(x))) << x;
  }
  EXPECT_TRUE(same_bits(sine(0.0), 0.0));
  EXPECT_TRUE(same_bits(sine(-0.0), -0.0));
  EXPECT_EQ(cosine(-0.0), 1.0);
}

TEST(SinCos, OfTheInfiniteIsNotANumber) {
  for (const double x : {inf, -inf, nan}) {
    EXPECT_TRUE(std::isnan(sine(x)));
    EXPECT_TRUE(std::isnan(cosine(x)));
  }
}

TEST(SinCos, IsAsGoodBeyondTheReducedRange) {
  // As far as long double has bits behind the point; functions_accuracy_test.cpp goes on from there.
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> exponent(20, 60);
  double worst = 0;
  for (int i = 0; i < 100'000; ++i) worst = std::max(worst, worst_error(std::exp2(exponent(random))));
  for (const double x : {std::nextafter(largest_reduced, inf), 0x1.8p20, 1e7, 0x1p53, 0x1p60})
    worst = std::max(worst, worst_error(x));
  EXPECT_LT(worst, sine_ulps);
}

TEST(SinCos, HasTheSameBitsOnEveryProcessor) {
  // Only exact and correctly rounded operations are used, so a sum over all bits can be written down once for
  // all.
  std::mt19937_64 random(3);
  std::uint64_t sum = 0;
  for (int i = 0; i < 200'000; ++i) {
    const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
    const double x = (2 * unit - 1) * std::ldexp(1.0, i % 40 - 19);
    sum = sum * 31 + std::bit_cast<std::uint64_t>(sine(x));
    sum = sum * 31 + std::bit_cast<std::uint64_t>(cosine(x));
  }
  EXPECT_EQ(sum, 5185102244761212915u);
}

TEST(SinCos, OfATinyAngleIsTheAngle) {
  for (const double x : {5e-324, 1e-310, 2.3e-308, 1e-200, 1e-9}) {
    EXPECT_EQ(sine(x), x);
    EXPECT_EQ(cosine(x), 1.0);
  }
}

TEST(IntegerPower, MultipliesOnlyWhatIsNeeded) {
  EXPECT_EQ(integer_power(3.0, 4), 81.0);
  EXPECT_EQ(integer_power(2.0, -3), 0.125);
  EXPECT_EQ(integer_power(-2.0, 3), -8.0);
  EXPECT_EQ(integer_power(1e160, 1),
            1e160);  // a needless last square would overflow, and 0 * inf be no number
  EXPECT_EQ(integer_power(1e100, 3), 1e300);
  for (const double x : {0.0, -0.0, inf, nan}) EXPECT_EQ(integer_power(x, 0), 1.0);
  EXPECT_TRUE(same_bits(integer_power(-0.0, 3), -0.0));
  EXPECT_EQ(integer_power(-0.0, -3), -inf);
  EXPECT_EQ(integer_power(-0.0, -2), inf);
  EXPECT_TRUE(same_bits(integer_power(-inf, -3), -0.0));
  EXPECT_TRUE(std::isnan(integer_power(nan, 2)));
}

TEST(Sign, OfZeroIsZeroAndOfNaNIsNaN) {
  EXPECT_EQ(sign(0.0), 0.0);
  EXPECT_EQ(sign(-0.0), 0.0);
  EXPECT_EQ(sign(5e-324), 1.0);
  EXPECT_EQ(sign(-inf), -1.0);
  EXPECT_TRUE(std::isnan(sign(nan)));
}

TEST(MinimumAndMaximum, PassOnWhatIsNotANumber) {
  EXPECT_EQ(minimum(2.0, 1.0), 1.0);
  EXPECT_EQ(maximum(2.0, 1.0), 2.0);
  EXPECT_EQ(minimum(-inf, 1.0), -inf);
  EXPECT_EQ(maximum(inf, 1.0), inf);
  for (const double x : {1.0, inf, -inf, nan}) {
    EXPECT_TRUE(std::isnan(minimum(x, nan)));
    EXPECT_TRUE(std::isnan(minimum(nan, x)));
    EXPECT_TRUE(std::isnan(maximum(x, nan)));
    EXPECT_TRUE(std::isnan(maximum(nan, x)));
  }
}

TEST(Comparisons, WithNaNAreFalse) {
  EXPECT_EQ(less(1.0, 2.0), 1.0);
  EXPECT_EQ(less(2.0, 2.0), 0.0);
  EXPECT_EQ(less_equal(2.0, 2.0), 1.0);
  EXPECT_EQ(less_equal(0.0, -0.0), 1.0);
  for (const double x : {1.0, inf, nan}) {
    EXPECT_TRUE(same_bits(less(x, nan), 0.0));
    EXPECT_TRUE(same_bits(less_equal(nan, x), 0.0));
  }
}

}  // namespace
}  // namespace vinculum::kernel
