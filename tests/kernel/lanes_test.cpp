#include "kernel/lanes.hpp"

#include <gtest/gtest.h>

#include "kernel/evaluation.hpp"

namespace vinculum::kernel {
namespace {
using test::inf;
using test::nan;
using test::same_bits;

constexpr double left[lane_count] = {1.5, -0.0, 0.0, inf, -inf, nan, 3.0, -2.25};
constexpr double right[lane_count] = {0.5, 0.0, 0.0, inf, 2.0, 1.0, nan, -2.25};

template <class T>
class LanesTest : public testing::Test {
 protected:
  LanesTest() {
    store_array(left, a);
    store_array(right, b);
  }
  static void store_array(const double* from, T& to) { std::memcpy(&to.part, from, sizeof to); }
  static double lane(const T& x, int k) {
    double all_lanes[lane_count];
    std::memcpy(all_lanes, &x, sizeof x);
    return all_lanes[k];
  }
  T a, b;
};
using Widths = testing::Types<Lanes<2>, Lanes<4>, Lanes<8>>;
TYPED_TEST_SUITE(LanesTest, Widths);

TYPED_TEST(LanesTest, ArithmeticIsThatOfEachLane) {
  for (int k = 0; k < lane_count; ++k) {
    EXPECT_TRUE(same_bits(this->lane(this->a + this->b, k), left[k] + right[k]));
    EXPECT_TRUE(same_bits(this->lane(this->a - this->b, k), left[k] - right[k]));
    EXPECT_TRUE(same_bits(this->lane(this->a * this->b, k), left[k] * right[k]));
    EXPECT_TRUE(same_bits(this->lane(this->a / this->b, k), left[k] / right[k]));
    EXPECT_TRUE(same_bits(this->lane(-this->a, k), -left[k]));
    EXPECT_TRUE(same_bits(this->lane(2.0 * this->a - 1.0, k), 2.0 * left[k] - 1.0));
  }
}

TYPED_TEST(LanesTest, ChoicesAreThoseOfEachLane) {
  const TypeParam one = 1.0, two = 2.0;
  for (int k = 0; k < lane_count; ++k) {
    EXPECT_EQ(this->lane(select(this->a < this->b, one, two), k), left[k] < right[k] ? 1.0 : 2.0);
    EXPECT_EQ(this->lane(select(this->a <= this->b, one, two), k), left[k] <= right[k] ? 1.0 : 2.0);
    EXPECT_EQ(this->lane(select(this->a != this->b, one, two), k), left[k] != right[k] ? 1.0 : 2.0);
  }
}

TYPED_TEST(LanesTest, AllSeesASingleFalseLane) {
  const TypeParam zero = 0.0;
  EXPECT_TRUE(all(zero <= zero));
  for (int k = 0; k < lane_count; ++k) {
    double values[lane_count] = {};
    values[k] = 1.0;
    TypeParam x;
    this->store_array(values, x);
    EXPECT_FALSE(all(x <= zero)) << "lane " << k;
  }
}

TYPED_TEST(LanesTest, BitsRoundTripAndTakeSigns) {
  for (int k = 0; k < lane_count; ++k) {
    EXPECT_TRUE(same_bits(this->lane(value_of(bits_of(this->a)), k), left[k]));
    EXPECT_TRUE(same_bits(this->lane(value_of(bits_of(this->a) & ~sign_bit), k), std::abs(left[k])));
    EXPECT_TRUE(same_bits(this->lane(value_of(bits_of(this->a) ^ (bits_of(this->b) & sign_bit)), k),
                          std::signbit(right[k]) ? -left[k] : left[k]));
  }
}

TYPED_TEST(LanesTest, OddLooksAtTheLowestBit) {
  const TypeParam one = 1.0, two = 2.0;
  const TypeParam integers = TypeParam(0x1p52) + select(this->a < this->b, TypeParam(3.0), TypeParam(4.0));
  for (int k = 0; k < lane_count; ++k) {
    EXPECT_EQ(this->lane(select(odd(bits_of(integers)), one, two), k), left[k] < right[k] ? 1.0 : 2.0);
  }
}

TYPED_TEST(LanesTest, ShiftsToTheRightFillWithZeros) {
  for (int k = 0; k < lane_count; ++k) {
    const auto want = std::bit_cast<double>(std::bit_cast<std::uint64_t>(left[k]) >> 12);
    EXPECT_TRUE(same_bits(this->lane(value_of(shifted_right(bits_of(this->a), 12)), k), want));
  }
}

TYPED_TEST(LanesTest, PartsMakeUpTheWhole) {
  const auto formula = [](const auto& x, const auto& y) { return select(x < y, x - y, x * 2.0); };
  for (int k = 0; k < lane_count; ++k) {
    EXPECT_TRUE(same_bits(this->lane(in_parts(formula, this->a, this->b), k), formula(left[k], right[k])));
    EXPECT_TRUE(same_bits(in_parts(formula, left[k], right[k]), formula(left[k], right[k])));
  }
}

TYPED_TEST(LanesTest, RegistersAreEightDoublesApart) {
  alignas(64) double file[3 * lane_count] = {};
  store(this->a, file, 1);
  TypeParam x;
  load(x, file, 1);
  for (int k = 0; k < lane_count; ++k) {
    EXPECT_TRUE(same_bits(this->lane(x, k), left[k]));
    EXPECT_TRUE(same_bits(file[lane_count + k], left[k]));
    EXPECT_EQ(file[k], 0.0);
    EXPECT_EQ(file[2 * lane_count + k], 0.0);
  }
}

TYPED_TEST(LanesTest, FunctionsOfOneLaneAreCalledForEach) {
  const auto twice = [](double x) { return 2 * x; };
  const auto difference = [](double x, double y) { return x - y; };
  for (int k = 0; k < lane_count; ++k) {
    EXPECT_TRUE(same_bits(this->lane(per_lane(twice, this->a), k), 2 * left[k]));
    EXPECT_TRUE(same_bits(this->lane(per_lane(difference, this->a, this->b), k), left[k] - right[k]));
  }
}

}  // namespace
}  // namespace vinculum::kernel
