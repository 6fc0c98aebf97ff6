// Random numbers against those of others: Philox by the known answers of its authors (Random123,
// kat_vectors), Sobol's points by SciPy 1.17 (scipy.stats.qmc.Sobol(64, scramble=False, bits=32)), normal
// quantiles by SciPy's norm.ppf and by their symmetry.
#include "ensemble/random.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace vinculum {
namespace {

using Words = std::array<std::uint32_t, 4>;

TEST(Random, PhiloxGivesTheKnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t all = 0xffffffff;
  EXPECT_EQ(philox({all, all, all, all}, {all, all}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, KeysOfNamesAreThoseOfFnv) {  // of its authors' test suite
  EXPECT_EQ(key_of(""), 0xcbf29ce484222325u);
  EXPECT_EQ(key_of("foobar"), 0x85944171f73967e8u);
}

TEST(Random, SharesLieBetweenZeroAndOne) {
  for (std::uint64_t member = 0; member < 10'000; ++member) {
    const double u = random_share(3, key_of("x"), member);
    ASSERT_GT(u, 0);
    ASSERT_LT(u, 1);
  }
}

TEST(Random, SobolsPointsAreThoseOfTheTable) {
  constexpr int dimensions[] = {0, 1, 2, 7, 31, 63};
  struct Row {
    std::uint32_t point;
    double at[6];
  };
  constexpr Row rows[] = {
      {1, {0.5, 0.5, 0.5, 0.5, 0.5, 0.5}},
      {2, {0.75, 0.25, 0.25, 0.75, 0.25, 0.75}},
      {5, {0.875, 0.875, 0.125, 0.375, 0.625, 0.625}},
      {19, {0.34375, 0.71875, 0.71875, 0.59375, 0.59375, 0.34375}},
      {100, {0.4140625, 0.2578125, 0.7734375, 0.4765625, 0.4140625, 0.6484375}},
      {199, {0.14453125, 0.57421875, 0.97265625, 0.66015625, 0.15234375, 0.54296875}},
  };
  for (const Row& row : rows)
    for (int k = 0; k < 6; ++k)
      EXPECT_EQ(sobol(dimensions[k], row.point) * 0x1p-32, row.at[k]) << row.point << " " << dimensions[k];
}

TEST(Random, NormalQuantiles) {
  EXPECT_EQ(normal_quantile(0.5), 0);
  constexpr std::pair<double, double> known[] = {{0.3, -0.5244005127080409},
                                                 {0.9, 1.2815515655446004},
                                                 {0.01, -2.3263478740408408},
                                                 {1e-8, -5.612001244174789},
                                                 {1e-300, -37.0470962993612}};
  for (const auto& [share, quantile] : known)
    EXPECT_NEAR(normal_quantile(share) / quantile, 1, 4e-15) << share;
  for (const double share : {0.25, 0.0625, 0x1p-20, 0x1p-45})  // 1 - share is exact
    EXPECT_NEAR(normal_quantile(1 - share) / normal_quantile(share), -1, 1e-15) << share;
}

}  // namespace
}  // namespace vinculum
