#include "vinculum/base/text.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace vinculum {
namespace {

TEST(NumberText, IsTheTextAPersonWouldWrite) {
  const std::vector<std::pair<double, std::string>> cases{
      {0, "0"},
      {-0.0, "-0"},
      {1, "1"},
      {-2.5, "-2.5"},
      {0.1, "0.1"},
      {100000, "100000"},
      {1e6, "1000000"},
      {1e7, "1e7"},
      {12345678, "12345678"},
      {1e22, "1e22"},
      {0.0001, "0.0001"},
      {0.00001, "1e-5"},
      {1e-12, "1e-12"},
      {-1.5e-300, "-1.5e-300"},
      {1.0 / 3, "0.3333333333333333"},
      {9007199254740993.0, "9007199254740992"},
      {5e-324, "5e-324"},
      {std::numeric_limits<double>::max(), "1.7976931348623157e308"},
      {INFINITY, "inf"},
      {-INFINITY, "-inf"},
      {NAN, "nan"},
      {-NAN, "nan"},
  };
  for (const auto& [value, text] : cases) EXPECT_EQ(number_text(value), text);
}

TEST(NumberText, AZeroHasNoSignForPeople) {
  EXPECT_EQ(number_text(-0.0), "-0");
  EXPECT_EQ(full_text(-0.0), "0");
  EXPECT_EQ(number_text(-0.0, 6), "0");
  EXPECT_EQ(magnitude_text(-0.0), "0.0e+00");
  EXPECT_EQ(full_text(-0.1), "-0.1");
  EXPECT_EQ(number_text(-1.0 / 3, 3), "-0.333");
  EXPECT_EQ(magnitude_text(-3.14e-12), "-3.1e-12");
  EXPECT_EQ(magnitude_text(-NAN), "nan");
}

RC_GTEST_PROP(NumberText, ReadsBackToTheSameBits, (std::uint64_t bits)) {
  const double value = std::bit_cast<double>(bits);
  RC_PRE(std::isfinite(value));
  const std::string text = number_text(value);
  double back = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), back);
  RC_ASSERT(read.ptr == text.data() + text.size());
  RC_ASSERT(std::bit_cast<std::uint64_t>(back) == bits);
}

TEST(ListText, JoinsNamesAsASentenceDoes) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(list_text(Names{}), "nothing");
  EXPECT_EQ(list_text(Names{"a"}), "a");
  EXPECT_EQ(list_text(Names{"a", "b"}), "a and b");
  EXPECT_EQ(list_text(Names{"a", "b", "c"}), "a, b and c");
  EXPECT_EQ(list_text(Names{"a", "b", "c", "d"}, 2), "a, b and 2 more");
  EXPECT_EQ(list_text(Names{"a", "b", "c"}, 3), "a, b and c");
  EXPECT_EQ(list_text(Names{"a", "b"}, 0), "2 names");
}

TEST(NearestName, FindsTheLikelySlip) {
  const std::vector<std::string> names{"x", "theta", "omega", "crank", "rod_length"};
  EXPECT_EQ(nearest_name("xx", names), "x");
  EXPECT_EQ(nearest_name("X", names), "x");
  EXPECT_EQ(nearest_name("Theta", names), "theta");
  EXPECT_EQ(nearest_name("thtea", names), "theta");
  EXPECT_EQ(nearest_name("omga", names), "omega");
  EXPECT_EQ(nearest_name("rodlenght", names), "rod_length");
}

TEST(NearestName, IsSilentWhereNothingIsNear) {
  const std::vector<std::string> names{"x", "theta", "omega"};
  EXPECT_EQ(nearest_name("y", names), "");
  EXPECT_EQ(nearest_name("mass", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name("x", std::vector<std::string>{}), "");
  EXPECT_EQ(nearest_name(std::string(1000, 'x'), std::vector<std::string>{std::string(1001, 'x')}), "");
}

TEST(NearestName, TakesTheFirstOfEqualsAndTheCloserOfTwo) {
  EXPECT_EQ(nearest_name("linkd", std::vector<std::string>{"linka", "linkb"}), "linka");
  EXPECT_EQ(nearest_name("linkA", std::vector<std::string>{"linkb", "linka"}), "linka");
}

}  // namespace
}  // namespace vinculum
