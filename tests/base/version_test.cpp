#include "vinculum/version.hpp"

#include <gtest/gtest.h>

#include <string>

namespace vinculum {
namespace {

TEST(Version, TextAndNumberAreThoseOfTheHeader) {
  EXPECT_EQ(version_number(), header_version);
  EXPECT_EQ(version(), std::to_string(header_version / 10000) + "." +
                           std::to_string(header_version / 100 % 100) + "." +
                           std::to_string(header_version % 100));
#if VINCULUM_VERSION_NUMBER < 100
  FAIL() << "the preprocessor sees another version";
#endif
}

TEST(Version, IsThatOfTheBuild) { EXPECT_EQ(version(), VINCULUM_PROJECT_VERSION); }

}  // namespace
}  // namespace vinculum
